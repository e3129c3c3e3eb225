/* tests/test_formula_random.c: random() gives the same numbers wherever they are kept; reunit() gives SU(N). */
#include <check.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acre/formula.h"
#include "core/program/random.h"
#include "formula_naive.h"

Suite *acre_suite_formula_random(void);

static acre_context *context;

static void must(acre_status status)
{
    ck_assert_msg(status == ACRE_OK, "%s", acre_message());
}

static void set_up(void)
{
    must(acre_context_create(&context));
}

static void tear_down(void)
{
    acre_context_destroy(context);
}

/* ---- Philox ---- */

/* The known answers of the authors' test file kat_vectors. */
static const struct {
    uint32_t counter[4], key[2], words[4];
} known[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

START_TEST(philox_gives_the_known_answers)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        uint32_t words[4];
        acre_philox(known[i].key[0] | (uint64_t)known[i].key[1] << 32, known[i].counter, words);
        ck_assert_mem_eq(words, known[i].words, sizeof words);
    }
}
END_TEST

/* ---- uniform numbers ---- */

/* Component k of a site in the given draw. */
static double uniform(acre_word word, uint64_t seed, uint64_t site, size_t k, uint32_t draw)
{
    const size_t block = word == ACRE_FLOAT ? 4 : 2;
    const uint32_t counter[4] = {(uint32_t)site, (uint32_t)(site >> 32), (uint32_t)(k / block), draw};
    uint32_t w[4];
    acre_philox(seed, counter, w);
    if (word == ACRE_FLOAT)
        return ((double)(w[k % 4] >> 9) + 0.5) / 8388608;
    const uint64_t wide = (uint64_t)w[2 * (k % 2) + 1] << 32 | w[2 * (k % 2)];
    return ((double)(wide >> 12) + 0.5) / 4503599627370496;
}

static void check_field(const acre_field *field, uint64_t seed, uint32_t draw, const char *what)
{
    const acre_site_type type = acre_field_type(field);
    const size_t n = acre_site_type_components(type);
    const size_t count = (size_t)acre_lattice_sites(acre_field_lattice(field)) * n;
    double *buffer = malloc(count * sizeof *buffer);
    ck_assert_ptr_nonnull(buffer);
    must(acre_field_export(field, buffer, count * acre_word_bytes(type.word)));
    for (size_t k = 0; k < count; ++k) {
        const double is = type.word == ACRE_FLOAT ? (double)((float *)(void *)buffer)[k] : buffer[k];
        double wanted = uniform(type.word, seed, k / n, k % n, draw);
        if (wanted <= 0 || wanted >= 1)
            ck_abort_msg("%s: %a is not in (0, 1)", what, wanted);
        if (acre_field_format(field).storage == ACRE_HALF)
            wanted = naive_half(wanted);
        if (is != wanted)
            ck_abort_msg("%s: site %zu component %zu: %a, not %a", what, k / n, k % n, is, wanted);
    }
    free(buffer);
}

static const struct {
    int dimension;
    int64_t extents[5];
} shapes[] = {{4, {4, 4, 4, 4}}, {4, {3, 3, 3, 3}}, {1, {5000}}, {5, {2, 6, 2, 10, 10}}, {4, {1, 1, 1, 1}}};

/* The loop's index is the number of threads. */
START_TEST(random_numbers_depend_on_seed_site_component_and_draw_alone)
{
    const acre_site_type types[] = {acre_real(ACRE_FLOAT),           acre_real(ACRE_DOUBLE),
                                    acre_complex(ACRE_FLOAT),        acre_fermion(ACRE_FLOAT),
                                    acre_colour_vector(ACRE_DOUBLE), acre_real_vector(ACRE_DOUBLE, 5)};
    const uint64_t seed = UINT64_C(0x123456789abcdef);
    const int threads = omp_get_max_threads();
    omp_set_num_threads(_i);
    set_up();
    omp_set_num_threads(threads);
    for (size_t l = 0; l < sizeof shapes / sizeof *shapes; ++l)
        for (int f = 0; f < 4; ++f)
            for (int order = shapes[l].extents[0] % 2 == 0 ? ACRE_SITES_CHECKERBOARD : ACRE_SITES_LEXICOGRAPHIC;
                 order <= ACRE_SITES_LEXICOGRAPHIC; ++order)
                for (size_t t = 0; t < sizeof types / sizeof *types; ++t) {
                    if (shapes[l].extents[0] > 1000 && (f + (int)t + _i) % 4) /* some of the large ones */
                        continue;
                    acre_lattice *lattice;
                    acre_field *a;
                    char what[200], name[96];
                    must(acre_lattice_create(context, shapes[l].dimension, shapes[l].extents,
                                             (acre_site_order)order, &lattice));
                    must(acre_field_create(lattice, types[t],
                                           (acre_format){(acre_order)(f & 1), (acre_storage)(f >> 1)}, "a",
                                           &a));
                    snprintf(what, sizeof what, "%s, format %d, order %d, shape %zu",
                             acre_site_type_name(types[t], name, sizeof name), f, order, l);
                    acre_context_seed(context, seed);
                    must(acre_eval(context, "a = random(a)", ACRE(a)));
                    check_field(a, seed, 0, what);
                    /* half by half of the lattice, from the same draw */
                    must(acre_eval(context, "a[odd] = random(a)", ACRE(a)));
                    acre_context_seed(context, seed);
                    must(acre_eval(context, "a[even] = random(a)", ACRE(a)));
                    acre_context_seed(context, seed);
                    must(acre_eval(context, "a[odd] = random(a)", ACRE(a)));
                    check_field(a, seed, 0, what);
                    acre_field_destroy(a);
                    acre_lattice_destroy(lattice);
                }
    tear_down();
}
END_TEST

START_TEST(the_seed_restarts_the_sequence)
{
    acre_lattice *lattice;
    acre_field *a, *b;
    const int64_t extents[] = {8, 4};
    double first, second, again, of_zero;
    must(acre_lattice_create(context, 2, extents, ACRE_SITES_DEFAULT, &lattice));
    must(acre_field_create(lattice, acre_real(ACRE_DOUBLE), (acre_format){0}, "a", &a));
    must(acre_field_create(lattice, acre_real(ACRE_DOUBLE), (acre_format){0}, "b", &b));
    must(acre_eval(context, "a = random(a); of_zero = sum(a)", ACRE(a), ACRE_OUT(of_zero)));
    check_field(a, 0, 0, "the seed at the start is 0");
    acre_context_seed(context, 42);
    must(acre_eval(context, "a = random(a); first = sum(a)", ACRE(a), ACRE_OUT(first)));
    check_field(a, 42, 0, "first");
    must(acre_eval(context, "a = random(a); second = sum(a)", ACRE(a), ACRE_OUT(second)));
    check_field(a, 42, 1, "second");
    must(acre_eval(context, "a = random(a); b = random(b)", ACRE(a), ACRE(b)));
    check_field(a, 42, 2, "third");
    check_field(b, 42, 3, "fourth");
    acre_context_seed(context, 42);
    must(acre_eval(context, "a = random(a); again = sum(a)", ACRE(a), ACRE_OUT(again)));
    ck_assert(first == again && first != second && first != of_zero);
    acre_field_destroy(a);
    acre_field_destroy(b);
    acre_lattice_destroy(lattice);
}
END_TEST

/* A formula that is refused draws nothing. */
START_TEST(an_error_draws_nothing)
{
    acre_lattice *lattice;
    acre_field *a, *unwritten;
    const int64_t extents[] = {8, 4};
    must(acre_lattice_create(context, 2, extents, ACRE_SITES_DEFAULT, &lattice));
    must(acre_field_create(lattice, acre_real(ACRE_DOUBLE), (acre_format){0}, "a", &a));
    must(acre_field_create(lattice, acre_real(ACRE_DOUBLE), (acre_format){0}, "unwritten", &unwritten));
    acre_context_seed(context, 9);
    ck_assert_int_eq(acre_eval(context, "a = random(a) + unwritten", ACRE(a), ACRE(unwritten)),
                     ACRE_ERR_UNDEFINED);
    ck_assert_int_eq(acre_eval(context, "a = random(a) + y", ACRE(a)), ACRE_ERR_FORMULA);
    must(acre_eval(context, "a = random(unwritten)", ACRE(a), ACRE(unwritten)));
    check_field(a, 9, 0, "after errors");
    acre_field_destroy(a);
    acre_field_destroy(unwritten);
    acre_lattice_destroy(lattice);
}
END_TEST

START_TEST(each_random_of_a_formula_is_another)
{
    acre_lattice *lattice;
    acre_field *a, *b, *c;
    const int64_t extents[] = {4, 4, 2};
    double difference, shifted, square;
    must(acre_lattice_create(context, 3, extents, ACRE_SITES_DEFAULT, &lattice));
    must(acre_field_create(lattice, acre_complex(ACRE_DOUBLE), (acre_format){0}, "a", &a));
    must(acre_field_create(lattice, acre_complex(ACRE_DOUBLE), (acre_format){0}, "b", &b));
    must(acre_field_create(lattice, acre_complex(ACRE_DOUBLE), (acre_format){0}, "c", &c));
    must(acre_eval(context, "difference = norm2(random(a) - random(a))", ACRE(a), ACRE_OUT(difference)));
    ck_assert(difference > 0.1);
    acre_context_seed(context, 3);
    must(acre_eval(context, "a = random(a); b = random(a)", ACRE(a), ACRE(b)));
    acre_context_seed(context, 3);
    must(acre_eval(context, "c = random(a) - 2 * random(b) - (a - 2 * b); difference = norm2(c)", ACRE(a),
                   ACRE(b), ACRE(c), ACRE_OUT(difference)));
    ck_assert(difference == 0);
    /* shift(random(a), …) is the shifted field */
    acre_context_seed(context, 3);
    must(acre_eval(context,
                   "c = shift(shift(random(a), -1, 1) * random(a), 2, 0) - shift(shift(a, -1, 1) * b, 2, 0);"
                   "shifted = norm2(c)",
                   ACRE(a), ACRE(b), ACRE(c), ACRE_OUT(shifted)));
    ck_assert(shifted == 0);
    /* a reduction of it, and the destination as its model */
    acre_context_seed(context, 3);
    must(acre_eval(context, "square = norm2(random(a), odd) - norm2(a, odd); b = shift(random(b), 1, 2)",
                   ACRE(a), ACRE(b), ACRE_OUT(square)));
    ck_assert(square == 0);
    acre_context_seed(context, 3);
    must(acre_eval(context, "a += random(a)", ACRE(a)));
    acre_context_seed(context, 3);
    must(acre_eval(context, "c = random(c); difference = norm2(a - 2 * c)", ACRE(a), ACRE(c),
                   ACRE_OUT(difference)));
    ck_assert(difference == 0);
    acre_field_destroy(a);
    acre_field_destroy(b);
    acre_field_destroy(c);
    acre_lattice_destroy(lattice);
}
END_TEST

/* The words at the ends: all bits off and on. */
START_TEST(uniform_numbers_are_never_0_or_1)
{
    const float low = (0 + 0.5f) * 0x1p-23f, high = ((float)(UINT32_MAX >> 9) + 0.5f) * 0x1p-23f;
    const double least = 0.5 * 0x1p-52, most = ((double)(UINT64_MAX >> 12) + 0.5) * 0x1p-52;
    ck_assert(low > 0 && high < 1 && least > 0 && most < 1);
    acre_lattice *lattice;
    acre_field *a;
    const int64_t extents[] = {200000};
    double sum, norm;
    must(acre_lattice_create(context, 1, extents, ACRE_SITES_DEFAULT, &lattice));
    must(acre_field_create(lattice, acre_real(ACRE_FLOAT), (acre_format){0}, "a", &a));
    acre_context_seed(context, 1);
    must(acre_eval(context, "a = random(a); sum_ = sum(a); norm = norm2(a)", ACRE(a), ACRE_OUT_AS("sum_", sum),
                   ACRE_OUT(norm)));
    ck_assert_msg(fabs(sum / 200000 - 0.5) < 0.003 && fabs(norm / 200000 - 1.0 / 3) < 0.003, "%g %g", sum,
                  norm);
    acre_field_destroy(a);
    acre_lattice_destroy(lattice);
}
END_TEST

/* ---- reunit ---- */

static double _Complex entry(const double *u, int n, int r, int c)
{
    const union {
        double part[2];
        double _Complex whole;
    } e = {{u[2 * (r * n + c)], u[2 * (r * n + c) + 1]}};
    return e.whole;
}

static double modulus(double _Complex z)
{
    return hypot(__real__ z, __imag__ z);
}

/* By elimination with the largest pivot. */
static double _Complex determinant(const double *u, int n)
{
    double _Complex m[ACRE_MAX_COLOURS][ACRE_MAX_COLOURS], result = 1;
    for (int r = 0; r < n; ++r)
        for (int c = 0; c < n; ++c)
            m[r][c] = entry(u, n, r, c);
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int r = k; r < n; ++r)
            best = modulus(m[r][k]) > modulus(m[best][k]) ? r : best;
        for (int c = 0; c < n && best != k; ++c) {
            const double _Complex swap = m[k][c];
            m[k][c] = m[best][c];
            m[best][c] = swap;
        }
        result *= best != k ? -m[k][k] : m[k][k];
        for (int r = k + 1; r < n; ++r) {
            const double _Complex factor = m[r][k] / m[k][k];
            for (int c = k; c < n; ++c)
                m[r][c] -= factor * m[k][c];
        }
    }
    return result;
}

static double unitarity(const double *u, int n)
{
    double worst = modulus(determinant(u, n) - 1);
    for (int r = 0; r < n; ++r)
        for (int q = 0; q < n; ++q) {
            double _Complex product = r == q ? -1 : 0;
            for (int c = 0; c < n; ++c)
                product += entry(u, n, r, c) * ~entry(u, n, q, c);
            worst = fmax(worst, modulus(product));
        }
    return worst;
}

/* The loop's index is the number of colours. */
START_TEST(reunit_gives_special_unitary_matrices)
{
    const acre_site_type type = acre_site_type_sized(acre_colour_matrix(ACRE_DOUBLE), 1, (uint16_t)_i);
    const int64_t extents[] = {4, 4, 2};
    enum { SITES = 32 };
    static double before[SITES * 128], after[SITES * 128], again[SITES * 128], adjoint[SITES * 128];
    const size_t n = 2 * (size_t)_i * (size_t)_i, bytes = SITES * n * sizeof *before;
    acre_lattice *lattice;
    acre_field *u, *v, *w, *x;
    must(acre_lattice_create(context, 3, extents, ACRE_SITES_DEFAULT, &lattice));
    must(acre_field_create(lattice, type, (acre_format){0}, "u", &u));
    must(acre_field_create(lattice, type, acre_format_of(ACRE_SITE_SLOW), "v", &v));
    must(acre_field_create(lattice, type, (acre_format){0}, "w", &w));
    must(acre_field_create(lattice, type, (acre_format){0}, "x", &x));
    acre_context_seed(context, 11);
    must(
        acre_eval(context,
                  "u = random(u) - random(u) + 2; v = reunit(u); w = reunit(v); x = reunit(adj(u)); u = adj(u)",
                  ACRE(u), ACRE(v), ACRE(w), ACRE(x)));
    must(acre_field_export(u, before, bytes));
    must(acre_field_export(v, after, bytes));
    must(acre_field_export(w, again, bytes));
    for (size_t site = 0; site < SITES; ++site) {
        const double worst = unitarity(after + site * n, _i);
        ck_assert_msg(worst < 1e-14, "Nc = %d, site %zu: off by %g", _i, site, worst);
        for (size_t k = 0; k < n; ++k)
            if (!(fabs(again[site * n + k] - after[site * n + k]) < 1e-14))
                ck_abort_msg("Nc = %d: a matrix of SU(N) does not stay as it is", _i);
    }
    /* of an adjoint read through a map, and of one that is stored */
    must(acre_eval(context, "v = reunit(u)", ACRE(u), ACRE(v)));
    must(acre_field_export(x, adjoint, bytes));
    must(acre_field_export(v, after, bytes));
    ck_assert_mem_eq(adjoint, after, bytes);
    acre_field_destroy(u);
    acre_field_destroy(v);
    acre_field_destroy(w);
    acre_field_destroy(x);
    acre_lattice_destroy(lattice);
}
END_TEST

/* The first rows keep their directions: row 0 is a multiple, row 1 has what is orthogonal to it. */
START_TEST(reunit_works_row_by_row)
{
    const int64_t extents[] = {1};
    const double given[18] = {3, 0, 0, 4, 0, 0, /* | */ 1, 0, 0, 0, 2, 0, /* | */ 9, 9, 9, 9, 9, 9};
    double is[18];
    acre_lattice *lattice;
    acre_field *u;
    must(acre_lattice_create(context, 1, extents, ACRE_SITES_DEFAULT, &lattice));
    must(acre_field_create(lattice, acre_colour_matrix(ACRE_DOUBLE), (acre_format){0}, "u", &u));
    must(acre_field_import(u, given, sizeof given));
    must(acre_eval(context, "u = reunit(u)", ACRE(u)));
    must(acre_field_export(u, is, sizeof is));
    /* row 1 minus its part along row 0 = (3, 4i, 0) / 5: (1, 0, 2) - 3/5 (3, 4i, 0) / 5 */
    const double rest[6] = {16.0 / 25, 0, 0, -12.0 / 25, 2, 0}, length = sqrt(0.64 * 0.64 + 0.48 * 0.48 + 4);
    for (int k = 0; k < 6; ++k) {
        ck_assert(fabs(is[k] - given[k] / 5) < 1e-15);
        ck_assert_msg(fabs(is[6 + k] - rest[k] / length) < 1e-15, "%d: %g", k, is[6 + k]);
    }
    ck_assert(unitarity(is, 3) < 1e-15);
    acre_field_destroy(u);
    acre_lattice_destroy(lattice);
}
END_TEST

Suite *acre_suite_formula_random(void)
{
    Suite *suite = suite_create("formula random");
    TCase *alone = tcase_create("alone"), *tests = tcase_create("formulas");
    tcase_add_test(alone, philox_gives_the_known_answers);
    tcase_add_loop_test(alone, random_numbers_depend_on_seed_site_component_and_draw_alone, 1, 4);
    suite_add_tcase(suite, alone);
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, the_seed_restarts_the_sequence);
    tcase_add_test(tests, an_error_draws_nothing);
    tcase_add_test(tests, each_random_of_a_formula_is_another);
    tcase_add_test(tests, uniform_numbers_are_never_0_or_1);
    tcase_add_loop_test(tests, reunit_gives_special_unitary_matrices, 1, ACRE_MAX_COLOURS + 1);
    tcase_add_test(tests, reunit_works_row_by_row);
    suite_add_tcase(suite, tests);
    return suite;
}
