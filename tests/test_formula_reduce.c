/* tests/test_formula_reduce.c: sum, norm2 and innerProduct follow one fixed tree over the lexicographic sites,
 * bit for bit, whatever the order in memory, the subset, the storage and the number of threads. */
#include <check.h>
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acre/formula.h"
#include "formula_naive.h"
#include "formula_random.h"

Suite *acre_suite_formula_reduce(void);

static acre_context *context;

static void must(acre_status status)
{
    ck_assert_msg(status == ACRE_OK, "%s", acre_message());
}

/* A context that works with this many threads. */
static void begin(int threads)
{
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    must(acre_context_create(&context));
    omp_set_num_threads(before);
}

static void set_up(void)
{
    begin(2);
}

static void tear_down(void)
{
    acre_context_destroy(context);
}

static bool same(double a, double b)
{
    return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

static const char *const subset_names[] = {"all", "even", "odd"};

/* ---- against the naive tree ---- */

/* A field of random numbers, and what it holds, as doubles in C order. */
static acre_field *random_field(acre_lattice *lattice, acre_site_type type, acre_format format, uint64_t seed,
                                double **held)
{
    acre_field *field;
    const size_t count = (size_t)acre_lattice_sites(lattice) * acre_site_type_components(type);
    float *floats = malloc(count * sizeof *floats);
    double *doubles = malloc(count * sizeof *doubles);
    ck_assert(floats && doubles);
    for (size_t k = 0; k < count; ++k) {
        doubles[k] = ldexp((double)((int64_t)random_bits(&seed) >> 11), (int)(seed >> 60) - 58);
        if (type.word == ACRE_FLOAT)
            doubles[k] = floats[k] = (float)doubles[k];
    }
    must(acre_field_create(lattice, type, format, "random", &field));
    if (type.word == ACRE_FLOAT)
        must(acre_field_import(field, floats, count * sizeof *floats));
    else
        must(acre_field_import(field, doubles, count * sizeof *doubles));
    for (size_t k = 0; format.storage == ACRE_HALF && k < count; ++k)
        doubles[k] = naive_half(doubles[k]);
    free(floats);
    *held = doubles;
    return field;
}

/* Sum over components of conj(a) b; the brackets are complete before they are added. */
static void site_term(const double *a, const double *b, size_t components, bool is_complex, double *re,
                      double *im)
{
    *re = *im = 0;
    for (size_t k = 0; k < components; k += is_complex ? 2 : 1) {
        double x = a[k] * b[k], y = 0;
        if (is_complex) {
            x = a[k] * b[k] + a[k + 1] * b[k + 1];
            y = a[k] * b[k + 1] - a[k + 1] * b[k];
        }
        *re = k ? *re + x : x;
        *im = k ? *im + y : y;
    }
}

struct expected {
    double sum[2], norm2, inner[2];
};

static struct expected expect(const struct naive_lattice *shape, acre_site_type type, acre_subset subset,
                              const double *a, const double *b)
{
    const size_t sites = (size_t)shape->sites, n = acre_site_type_components(type);
    double *terms[5], unused;
    struct expected e;
    for (int t = 0; t < 5; ++t) {
        terms[t] = calloc(sites, sizeof *terms[t]);
        ck_assert_ptr_nonnull(terms[t]);
    }
    for (size_t i = 0; i < sites; ++i) {
        int64_t x[ACRE_MAX_DIMENSION];
        naive_coordinates(shape, (int64_t)i, x);
        if (!naive_in_subset(shape, subset, x))
            continue;
        terms[0][i] = a[i * n];
        terms[1][i] = type.is_complex ? a[i * n + 1] : 0;
        site_term(a + i * n, a + i * n, n, type.is_complex, &terms[2][i], &unused);
        site_term(a + i * n, b + i * n, n, type.is_complex, &terms[3][i], &terms[4][i]);
    }
    e.sum[0] = naive_sum(terms[0], sites);
    e.sum[1] = naive_sum(terms[1], sites);
    e.norm2 = naive_sum(terms[2], sites);
    e.inner[0] = naive_sum(terms[3], sites);
    e.inner[1] = naive_sum(terms[4], sites);
    for (int t = 0; t < 5; ++t)
        free(terms[t]);
    return e;
}

static void check_reductions(struct naive_lattice *shape, acre_site_order order, acre_site_type type,
                             acre_format format)
{
    acre_lattice *lattice;
    double *held_a, *held_b;
    must(acre_lattice_create(context, shape->dimension, shape->extents, order, &lattice));
    shape->sites = acre_lattice_sites(lattice);
    acre_field *a = random_field(lattice, type, format, 17, &held_a);
    acre_field *b = random_field(lattice, type, format, 18, &held_b);
    const bool is_number = !type.spin_rank && !type.colour_rank;
    for (int s = 0; s < 3; ++s) {
        char text[160], name[96];
        double sum[2] = {0, 0}, norm2 = -1, inner[2] = {0, 0};
        snprintf(text, sizeof text, "norm = norm2(a, %s); inner = innerProduct(a, b, %s)%s%s%s",
                 subset_names[s], subset_names[s], is_number ? "; s = sum(a, " : "",
                 is_number ? subset_names[s] : "", is_number ? ")" : "");
        const acre_arg arguments[] = {acre_arg_field("a", a), acre_arg_field("b", b),
                                      acre_out_double("norm", &norm2), acre_out_complex("inner", inner),
                                      acre_out_complex("s", sum)};
        must(acre_eval_args(context, text, 5, arguments, __FILE__, __LINE__));
        const struct expected e = expect(shape, type, (acre_subset)s, held_a, held_b);
        const bool right = same(norm2, e.norm2) && same(inner[0], e.inner[0]) && same(inner[1], e.inner[1]) &&
                           (!is_number || (same(sum[0], e.sum[0]) && same(sum[1], e.sum[1])));
        ck_assert_msg(right,
                      "%lld sites, %s, %s, %s, %s, %s: sum %a %a (%a %a), norm2 %a (%a), inner %a %a (%a %a)",
                      (long long)shape->sites, acre_site_order_name(order),
                      acre_site_type_name(type, name, sizeof name), acre_order_name(format.order),
                      acre_storage_name(format.storage), subset_names[s], sum[0], sum[1], e.sum[0], e.sum[1],
                      norm2, e.norm2, inner[0], inner[1], e.inner[0], e.inner[1]);
    }
    acre_field_destroy(a);
    acre_field_destroy(b);
    free(held_a);
    free(held_b);
    acre_lattice_destroy(lattice);
}

static struct naive_lattice small[] = {
    {4, {1, 1, 1, 1}, 0},   {4, {4, 4, 4, 4}, 0}, {4, {3, 3, 3, 3}, 0},     {1, {2047}, 0},
    {1, {2048}, 0},         {1, {2049}, 0},       {1, {6146}, 0},           {4, {16, 10, 6, 8}, 0},
    {4, {13, 11, 9, 7}, 0}, {2, {2, 3000}, 0},    {5, {6, 4, 10, 2, 4}, 0}, {3, {1, 71, 59}, 0},
};

/* The loop's index is the number of threads. */
START_TEST(reductions_follow_the_tree)
{
    const acre_site_type types[] = {acre_real(ACRE_FLOAT), acre_real(ACRE_DOUBLE), acre_complex(ACRE_DOUBLE),
                                    acre_colour_vector(ACRE_FLOAT)};
    begin(_i);
    for (size_t l = 0; l < sizeof small / sizeof *small; ++l) {
        bool all_even = true;
        small[l].sites = 1;
        for (int mu = 0; mu < small[l].dimension; ++mu) {
            all_even = all_even && small[l].extents[mu] % 2 == 0;
            small[l].sites *= small[l].extents[mu];
        }
        for (int order = all_even ? ACRE_SITES_CHECKERBOARD : ACRE_SITES_LEXICOGRAPHIC;
             order <= ACRE_SITES_LEXICOGRAPHIC; ++order)
            for (int t = 0; t < 4; ++t)
                for (int f = 0; f < 4; ++f)
                    if (small[l].sites < 300 || (f + t + _i) % 4 == 0) /* some of the large ones */
                        check_reductions(&small[l], (acre_site_order)order, types[t],
                                         (acre_format){(acre_order)(f & 1), (acre_storage)(f >> 1)});
    }
    acre_context_destroy(context);
}
END_TEST

/* More than 2048 leaves: the tree has a third level. */
START_TEST(reductions_of_millions_of_sites_follow_the_tree)
{
    struct naive_lattice even = {1, {4200000}, 0}, odd = {2, {2097153, 2}, 0};
    begin(_i);
    if (_i == 2)
        check_reductions(&even, ACRE_SITES_CHECKERBOARD, acre_real(ACRE_FLOAT), (acre_format){0});
    else
        check_reductions(&odd, ACRE_SITES_LEXICOGRAPHIC, acre_real(ACRE_FLOAT), (acre_format){0});
    acre_context_destroy(context);
}
END_TEST

/* ---- single facts ---- */

static acre_lattice *lattice_1d(int64_t extent, acre_site_order order)
{
    acre_lattice *lattice;
    must(acre_lattice_create(context, 1, &extent, order, &lattice));
    return lattice;
}

START_TEST(many_float_ones_sum_exactly)
{
    acre_lattice *lattice = lattice_1d(1 << 25, ACRE_SITES_DEFAULT);
    acre_field *a;
    double d;
    float f;
    must(acre_field_create(lattice, acre_real(ACRE_FLOAT), (acre_format){ACRE_SITE_FAST, ACRE_HALF}, "ones",
                           &a));
    must(acre_eval(context, "a = 1; d = sum(a); f = d", ACRE(a), ACRE_OUT(d), ACRE_OUT(f)));
    ck_assert(d == 33554432 && f == 33554432);
    acre_field_destroy(a);
    acre_lattice_destroy(lattice);
}
END_TEST

START_TEST(the_empty_subset_sums_to_zero)
{
    acre_lattice *lattice = lattice_1d(1, ACRE_SITES_DEFAULT);
    acre_field *a, *n;
    double d = 5, e = 5, minus = 5;
    long l = 5;
    double _Complex g = 5;
    must(acre_field_create(lattice, acre_complex(ACRE_FLOAT), (acre_format){0}, "a", &a));
    must(acre_field_create(lattice, acre_integer(), (acre_format){0}, "n", &n));
    must(acre_eval(context, "a = 3 + 4 * i; n = 7", ACRE(a), ACRE(n)));
    must(acre_eval(
        context,
        "d = norm2(a, odd); e = norm2(a, even); g = sum(a, odd) + innerProduct(a, a, odd); l = sum(n, odd);"
        "minus = -sum(real(a), odd)",
        ACRE(a), ACRE(n), ACRE_OUT(d), ACRE_OUT(e), ACRE_OUT(g), ACRE_OUT(l), ACRE_OUT(minus)));
    ck_assert(same(d, 0) && e == 25 && l == 0);
    ck_assert(same(__real__ g, 0) && same(__imag__ g, 0));
    ck_assert_msg(same(minus, -0.0), "the empty sum is +0");
    acre_field_destroy(a);
    acre_field_destroy(n);
    acre_lattice_destroy(lattice);
}
END_TEST

/* Terms of -0 meet lanes of +0. */
START_TEST(a_sum_of_negative_zeros_is_positive_zero)
{
    acre_lattice *lattice = lattice_1d(6, ACRE_SITES_DEFAULT);
    acre_field *a;
    double d = 5;
    must(acre_field_create(lattice, acre_real(ACRE_DOUBLE), (acre_format){0}, "a", &a));
    must(acre_eval(context, "a = -0.0; d = sum(a)", ACRE(a), ACRE_OUT(d)));
    ck_assert(same(d, 0.0));
    acre_field_destroy(a);
    acre_lattice_destroy(lattice);
}
END_TEST

START_TEST(a_nan_counts_where_it_is_selected)
{
    for (int order = ACRE_SITES_CHECKERBOARD; order <= ACRE_SITES_LEXICOGRAPHIC; ++order) {
        acre_lattice *lattice = lattice_1d(5000, (acre_site_order)order);
        acre_field *a;
        double all, even, odd, norm, large;
        const int64_t site[] = {4321};
        const double nan = NAN, infinite = INFINITY;
        must(acre_field_create(lattice, acre_real(ACRE_DOUBLE), (acre_format){0}, "a", &a));
        must(acre_eval(context, "a = 1", ACRE(a)));
        must(acre_field_poke_site(a, site, &nan, sizeof nan));
        must(acre_eval(context, "all_ = sum(a); even_ = sum(a, even); odd_ = sum(a, odd); norm = norm2(a)",
                       ACRE(a), ACRE_OUT_AS("all_", all), ACRE_OUT_AS("even_", even), ACRE_OUT_AS("odd_", odd),
                       ACRE_OUT(norm)));
        ck_assert(isnan(all) && isnan(odd) && isnan(norm));
        ck_assert(even == 2500);
        must(acre_field_poke_site(a, site, &infinite, sizeof infinite));
        must(acre_eval(context, "all_ = sum(a); even_ = sum(a, even); large = norm2(a); odd_ = sum(a - a)",
                       ACRE(a), ACRE_OUT_AS("all_", all), ACRE_OUT_AS("even_", even), ACRE_OUT(large),
                       ACRE_OUT_AS("odd_", odd)));
        ck_assert(all == INFINITY && large == INFINITY && even == 2500 && isnan(odd));
        acre_field_destroy(a);
        acre_lattice_destroy(lattice);
    }
}
END_TEST

START_TEST(integers_and_booleans_sum_exactly)
{
    for (int order = ACRE_SITES_CHECKERBOARD; order <= ACRE_SITES_LEXICOGRAPHIC; ++order) {
        acre_lattice *lattice = lattice_1d(10000, (acre_site_order)order);
        acre_field *n, *m, *b, *x;
        static int32_t ints[10000], more[10000];
        static unsigned char bools[10000];
        long sum = 0, even = 0, norm = 0, inner = 0, trues = 0, odd_trues = 0;
        uint64_t seed = 5;
        for (int k = 0; k < 10000; ++k) {
            ints[k] = k < 3 ? INT_MIN : (int32_t)(random_bits(&seed) >> 33) - (k % 7 ? 0 : INT_MAX / 2);
            more[k] = (int32_t)random_bits(&seed) % 100000;
            bools[k] = random_bits(&seed) & 1;
            sum += ints[k];
            even += k % 2 ? 0 : ints[k];
            norm = (long)((unsigned long)norm + (unsigned long)((long)ints[k] * ints[k]));
            inner += (long)ints[k] * more[k];
            trues += bools[k];
            odd_trues += k % 2 ? bools[k] : 0;
        }
        long got_sum, got_even, got_norm, got_inner, got_trues, got_odd;
        double real, mixed;
        int small_sum;
        must(acre_field_create(lattice, acre_integer(), acre_format_of(ACRE_SITE_FAST), "n", &n));
        must(acre_field_create(lattice, acre_integer(), acre_format_of(ACRE_SITE_SLOW), "m", &m));
        must(acre_field_create(lattice, acre_boolean(), (acre_format){0}, "b", &b));
        must(acre_field_create(lattice, acre_real(ACRE_FLOAT), (acre_format){0}, "x", &x));
        must(acre_field_import(n, ints, sizeof ints));
        must(acre_field_import(m, more, sizeof more));
        must(acre_field_import(b, bools, sizeof bools));
        must(acre_eval(
            context,
            "got_sum = sum(n); got_even = sum(n, even); got_norm = norm2(n); got_inner = innerProduct(n, m);"
            "got_trues = sum(b); got_odd = sum(b, odd); real_ = sum(n); small_sum = sum(b)",
            ACRE(n), ACRE(m), ACRE(b), ACRE_OUT(got_sum), ACRE_OUT(got_even), ACRE_OUT(got_norm),
            ACRE_OUT(got_inner), ACRE_OUT(got_trues), ACRE_OUT(got_odd), ACRE_OUT_AS("real_", real),
            ACRE_OUT(small_sum)));
        ck_assert_int_eq(got_sum, sum);
        ck_assert_int_eq(got_even, even);
        ck_assert_int_eq(got_norm, norm);
        ck_assert_int_eq(got_inner, inner);
        ck_assert_int_eq(got_trues, trues);
        ck_assert_int_eq(got_odd, odd_trues);
        ck_assert(real == (double)sum && small_sum == trues);
        must(acre_eval(context, "x = 0.5; mixed = innerProduct(m, x)", ACRE(m), ACRE(x), ACRE_OUT(mixed)));
        long total = 0;
        for (int k = 0; k < 10000; ++k)
            total += more[k];
        ck_assert(mixed == 0.5 * (double)total);
        acre_field_destroy(n);
        acre_field_destroy(m);
        acre_field_destroy(b);
        acre_field_destroy(x);
        acre_lattice_destroy(lattice);
    }
}
END_TEST

START_TEST(a_sum_that_does_not_fit_leaves_its_variable)
{
    acre_lattice *lattice = lattice_1d(4, ACRE_SITES_DEFAULT);
    acre_field *n;
    int small_result = 77, fine = 77;
    long large = 77;
    must(acre_field_create(lattice, acre_integer(), (acre_format){0}, "n", &n));
    must(acre_eval(context, "n = 2147483647", ACRE(n)));
    ck_assert_int_eq(acre_eval(context, "large = 4; fine = 3; small_result = sum(n)", ACRE(n), ACRE_OUT(large),
                               ACRE_OUT(small_result), ACRE_OUT(fine)),
                     ACRE_ERR_OVERFLOW);
    ck_assert_msg(strstr(acre_message(), "result 'small_result' is 8589934588, which does not fit its type") !=
                      NULL,
                  "%s", acre_message());
    ck_assert(small_result == 77 && fine == 77 && large == 77);
    must(acre_eval(context, "large = sum(n)", ACRE(n), ACRE_OUT(large)));
    ck_assert_int_eq(large, 4 * 2147483647L);
    acre_field_destroy(n);
    acre_lattice_destroy(lattice);
}
END_TEST

/* A float variable is rounded to once, and later statements see that. */
START_TEST(results_are_rounded_to_their_variables)
{
    acre_lattice *lattice = lattice_1d(3, ACRE_SITES_DEFAULT);
    acre_field *a;
    float f, g;
    double d, e;
    double _Complex z;
    must(acre_field_create(lattice, acre_real(ACRE_DOUBLE), (acre_format){0}, "a", &a));
    must(acre_eval(context, "a = 0.1; d = sum(a); f = sum(a); e = f; g = f * f; z = f", ACRE(a), ACRE_OUT(d),
                   ACRE_OUT(e), ACRE_OUT(f), ACRE_OUT(g), ACRE_OUT(z)));
    const double sum = 0.1 + 0.1 + 0.1;
    ck_assert(d == sum && f == (float)sum && e == (double)(float)sum && e != d);
    ck_assert(g == (float)((double)(float)sum * (double)(float)sum));
    ck_assert(__real__ z == e && __imag__ z == 0);
    acre_field_destroy(a);
    acre_lattice_destroy(lattice);
}
END_TEST

Suite *acre_suite_formula_reduce(void)
{
    Suite *suite = suite_create("formula reduce");
    TCase *trees = tcase_create("trees"), *facts = tcase_create("facts");
    tcase_set_timeout(trees, 60);
    tcase_set_timeout(facts, 60);
    tcase_add_loop_test(trees, reductions_follow_the_tree, 1, 5);
    tcase_add_loop_test(trees, reductions_of_millions_of_sites_follow_the_tree, 2, 4);
    suite_add_tcase(suite, trees);
    tcase_add_checked_fixture(facts, set_up, tear_down);
    tcase_add_test(facts, many_float_ones_sum_exactly);
    tcase_add_test(facts, the_empty_subset_sums_to_zero);
    tcase_add_test(facts, a_sum_of_negative_zeros_is_positive_zero);
    tcase_add_test(facts, a_nan_counts_where_it_is_selected);
    tcase_add_test(facts, integers_and_booleans_sum_exactly);
    tcase_add_test(facts, a_sum_that_does_not_fit_leaves_its_variable);
    tcase_add_test(facts, results_are_rounded_to_their_variables);
    suite_add_tcase(suite, facts);
    return suite;
}
