/* tests/test_formula_program.c: what a formula reads and writes of a field, how it behaves when it may not, and
 * in how few passes over the lattice it runs. */
#include <check.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acre/formula.h"
#include "core/program/check.h"
#include "core/program/lower.h"

Suite *acre_suite_formula_program(void);

enum { SITES = 32, HALF = SITES / 2 };
static const int64_t extents[] = {4, 4, 2};

static acre_context *context;
/* The same grid in both orders of sites. */
static acre_lattice *checkerboard, *lexicographic;

static void must(acre_status status)
{
    ck_assert_msg(status == ACRE_OK, "%s", acre_message());
}

static void set_up(void)
{
    must(acre_context_create(&context));
    must(acre_lattice_create(context, 3, extents, ACRE_SITES_CHECKERBOARD, &checkerboard));
    must(acre_lattice_create(context, 3, extents, ACRE_SITES_LEXICOGRAPHIC, &lexicographic));
}

static void tear_down(void)
{
    acre_lattice_destroy(checkerboard);
    acre_lattice_destroy(lexicographic);
    acre_context_destroy(context);
}

static acre_field *make(acre_lattice *lattice, const char *name)
{
    acre_field *field;
    must(acre_field_create(lattice, acre_real(ACRE_DOUBLE), (acre_format){0}, name, &field));
    return field;
}

static void expect_status(acre_status status, acre_status wanted, const char *words)
{
    ck_assert_msg(status == wanted, "%s instead of %s (%s)", acre_status_name(status), acre_status_name(wanted),
                  acre_message());
    ck_assert_msg(strstr(acre_message(), words) != NULL, "\"%s\" lacks \"%s\"", acre_message(), words);
}

static void expect_undefined(const acre_field *field)
{
    double values[SITES];
    expect_status(acre_field_export(field, values, sizeof values), ACRE_ERR_UNDEFINED, acre_field_label(field));
}

static void expect_value(const acre_field *field, double value)
{
    double values[SITES];
    must(acre_field_export(field, values, sizeof values));
    for (int i = 0; i < SITES; ++i)
        ck_assert_msg(values[i] == value, "%s: site %d is %g, not %g", acre_field_label(field), i, values[i],
                      value);
}

/* ---- what has to be defined ---- */

START_TEST(a_whole_field_is_written_without_having_been_defined)
{
    acre_lattice *const lattices[] = {checkerboard, lexicographic};
    for (int l = 0; l < 2; ++l) {
        acre_field *chi = make(lattices[l], "chi"), *phi = make(lattices[l], "phi");
        expect_undefined(chi);
        must(acre_eval(context, "chi = 2; phi[all] = 3 * chi; chi = chi + phi", ACRE(chi), ACRE(phi)));
        expect_value(chi, 8);
        expect_value(phi, 6);
        acre_field_destroy(chi);
        acre_field_destroy(phi);
    }
}
END_TEST

START_TEST(a_half_that_is_not_written_stays_undefined)
{
    acre_field *chi = make(checkerboard, "chi"), *phi = make(checkerboard, "phi");
    double norm = 0, untouched = -1;
    must(acre_eval(context, "chi[even] = 2; norm = norm2(chi, even)", ACRE(chi), ACRE_OUT(norm)));
    ck_assert(norm == 4 * HALF);
    expect_undefined(chi);
    expect_status(acre_eval(context, "untouched = norm2(chi)", ACRE(chi), ACRE_OUT(untouched)),
                  ACRE_ERR_UNDEFINED, "chi");
    expect_status(acre_eval(context, "untouched = norm2(chi, odd)", ACRE(chi), ACRE_OUT(untouched)),
                  ACRE_ERR_UNDEFINED, "chi");
    expect_status(acre_eval(context, "phi = chi", ACRE(chi), ACRE(phi)), ACRE_ERR_UNDEFINED, "chi");
    expect_status(acre_eval(context, "chi[odd] += 1", ACRE(chi)), ACRE_ERR_UNDEFINED, "chi");
    expect_status(acre_eval(context, "phi[even] = shift(chi, 1, 0)", ACRE(chi), ACRE(phi)), ACRE_ERR_UNDEFINED,
                  "chi");
    ck_assert(untouched == -1);
    expect_undefined(phi);
    /* the odd sites' neighbours are even ones */
    must(acre_eval(context, "chi[odd] = 1 + shift(chi, 1, 0); phi = chi", ACRE(chi), ACRE(phi)));
    must(acre_eval(context, "norm = norm2(phi, odd)", ACRE(phi), ACRE_OUT(norm)));
    ck_assert(norm == 9 * HALF);
    must(acre_eval(context, "chi[even] += 1", ACRE(chi)));
    expect_value(chi, 3);
    acre_field_destroy(chi);
    acre_field_destroy(phi);
}
END_TEST

/* In lexicographic order the halves lie among each other, so within one call their account is kept exactly. */
START_TEST(a_half_written_by_the_same_call_does_not_define_the_other)
{
    static const char *const wrong[] = {"chi[even] = 2; phi = chi", "chi[even] = 2; norm = norm2(chi)",
                                        "chi[even] = 2; norm = norm2(chi, odd)",
                                        "chi[even] = 2; phi[even] = shift(chi, 1, 0)",
                                        "chi[even] = 2; chi[odd] += 1"};
    static const char *const right[] = {
        "chi[even] = 2; chi[odd] = 2; phi = chi", "chi[even] = 2; chi[odd] = shift(chi, 1, 0); phi = chi",
        "chi[odd] = 2; phi[odd] = chi; chi[even] = 2; phi[even] = chi", "chi[even] = 1; chi = 2; phi = chi",
        "chi[even] = 2; norm = norm2(chi, even); phi = 2; chi = norm / 32 - phi"};
    acre_lattice *const lattices[] = {checkerboard, lexicographic};
    for (int l = 0; l < 2; ++l) {
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
            acre_field *chi = make(lattices[l], "chi"), *phi = make(lattices[l], "phi");
            double norm = 0;
            const acre_arg arguments[] = {ACRE(chi), ACRE(phi), ACRE_OUT(norm)};
            const acre_status status = acre_eval_args(context, wrong[i], 3, arguments, __FILE__, __LINE__);
            ck_assert_msg(status == ACRE_ERR_UNDEFINED, "%s, \"%s\": %s",
                          acre_site_order_name(acre_lattice_site_order(lattices[l])), wrong[i],
                          acre_status_name(status));
            expect_undefined(chi);
            expect_undefined(phi);
            acre_field_destroy(chi);
            acre_field_destroy(phi);
        }
        for (size_t i = 0; i < sizeof right / sizeof *right; ++i) {
            acre_field *chi = make(lattices[l], "chi"), *phi = make(lattices[l], "phi");
            double norm = 0;
            const acre_arg arguments[] = {ACRE(chi), ACRE(phi), ACRE_OUT(norm)};
            must(acre_eval_args(context, right[i], 3, arguments, __FILE__, __LINE__));
            expect_value(phi, 2);
            expect_value(chi, norm == 0 ? 2 : 0);
            acre_field_destroy(chi);
            acre_field_destroy(phi);
        }
    }
}
END_TEST

START_TEST(reading_an_undefined_field_changes_nothing)
{
    acre_lattice *const lattices[] = {checkerboard, lexicographic};
    for (int l = 0; l < 2; ++l) {
        acre_field *chi = make(lattices[l], "chi"), *unwritten = make(lattices[l], "never written"),
                   *psi = make(lattices[l], "psi");
        double norm = -1;
        must(acre_eval(context, "psi = 3", ACRE(psi)));
        expect_status(acre_eval(context, "psi = 4; norm = norm2(psi); chi = psi + unwritten", ACRE(chi),
                                ACRE(psi), ACRE(unwritten), ACRE_OUT(norm)),
                      ACRE_ERR_UNDEFINED, "never written");
        expect_status(acre_eval(context, "unwritten += 1; psi = 4", ACRE(psi), ACRE(unwritten)),
                      ACRE_ERR_UNDEFINED, "never written");
        expect_value(psi, 3);
        expect_undefined(chi);
        expect_undefined(unwritten);
        ck_assert(norm == -1);
        acre_field_destroy(chi);
        acre_field_destroy(psi);
        acre_field_destroy(unwritten);
    }
}
END_TEST

/* An integer that comes to light during the run: what was not written by then is as it was. */
START_TEST(an_overflow_defines_nothing_that_was_not_written)
{
    acre_field *n, *m, *pair, *psi = make(checkerboard, "psi"), *chi = make(checkerboard, "chi");
    int32_t ints[SITES];
    double norm = -1;
    must(acre_field_create(checkerboard, acre_integer(), (acre_format){0}, "n", &n));
    must(acre_field_create(checkerboard, acre_integer(), (acre_format){0}, "m", &m));
    must(acre_eval(context, "m = 2147483647; psi = 3", ACRE(m), ACRE(psi)));
    /* known from the arguments alone: found before anything runs */
    expect_status(acre_eval(context,
                            "psi = 4; norm = norm2(psi); chi = shift(psi, 1, 0); n = 65536 * 65536 + m",
                            ACRE(n), ACRE(m), ACRE(psi), ACRE(chi), ACRE_OUT(norm)),
                  ACRE_ERR_OVERFLOW, "4294967296 does not fit into an integer field");
    expect_value(psi, 3);
    expect_undefined(chi);
    expect_status(acre_field_export(n, ints, sizeof ints), ACRE_ERR_UNDEFINED, "n");
    ck_assert(norm == -1);
    expect_status(acre_eval(context, "psi = 4; norm = norm2(psi); n[odd] = sum(m); n[even] = 7", ACRE(n),
                            ACRE(m), ACRE(psi), ACRE_OUT(norm)),
                  ACRE_ERR_OVERFLOW, "does not fit into an integer field");
    expect_status(acre_field_export(n, ints, sizeof ints), ACRE_ERR_UNDEFINED, "n");
    ck_assert(norm == -1);
    expect_status(acre_eval(context, "chi = 4 + sum(m); n = sum(m)", ACRE(n), ACRE(m), ACRE(chi)),
                  ACRE_ERR_OVERFLOW, "68719476704 does not fit into an integer field");
    expect_status(acre_field_export(n, ints, sizeof ints), ACRE_ERR_UNDEFINED, "n");
    /* in any component */
    must(acre_field_create(checkerboard, acre_real_vector(ACRE_INT, 2), (acre_format){0}, "pair", &pair));
    static int32_t pairs[SITES][2];
    pairs[5][0] = 7;
    pairs[5][1] = pairs[6][1] = INT32_MAX;
    must(acre_field_import(pair, pairs, sizeof pairs));
    expect_status(acre_eval(context, "pair = sum(pair)", ACRE(pair)), ACRE_ERR_OVERFLOW,
                  "4294967294 does not fit into an integer field");
    acre_field_destroy(n);
    acre_field_destroy(m);
    acre_field_destroy(pair);
    acre_field_destroy(psi);
    acre_field_destroy(chi);
}
END_TEST

/* ---- copies ---- */

/* All the patterns of binary16, at their numbers' sites. */
static void expect_patterns(acre_field *field, acre_field *from, int shift, bool moved)
{
    static float is[65536], was[65536];
    must(acre_field_export(field, is, sizeof is));
    must(acre_field_export(from, was, sizeof was));
    for (int x = 0; x < 65536; ++x) {
        const int y = (x + shift) & 65535;
        const bool same = memcmp(&is[x], &was[y], sizeof *is) == 0;
        if (!same && (moved || !(isnan(is[x]) && isnan(was[y]))))
            ck_abort_msg("pattern %04x: %a, not %a", (unsigned)y, (double)is[x], (double)was[y]);
    }
}

/* A plain copy moves the bits of half storage; arithmetic keeps every number and NaN. */
START_TEST(every_half_comes_through)
{
    const int64_t extent = 65536;
    for (int order = ACRE_SITES_CHECKERBOARD; order <= ACRE_SITES_LEXICOGRAPHIC; ++order) {
        acre_lattice *lattice;
        acre_field *a, *b, *c;
        void *address;
        must(acre_lattice_create(context, 1, &extent, (acre_site_order)order, &lattice));
        must(acre_field_create(lattice, acre_real(ACRE_FLOAT), (acre_format){ACRE_SITE_FAST, ACRE_HALF}, "a",
                               &a));
        must(acre_field_create(lattice, acre_real(ACRE_FLOAT), (acre_format){ACRE_SITE_SLOW, ACRE_HALF}, "b",
                               &b));
        must(acre_field_create(lattice, acre_real(ACRE_FLOAT), (acre_format){0}, "c", &c));
        must(acre_array_acquire(acre_field_array(a), ACRE_PLACE_HOST, ACRE_WRITE, NULL, 0, &address));
        for (int x = 0; x < 65536; ++x)
            ((uint16_t *)address)[x] = (uint16_t)x;
        must(acre_array_release(acre_field_array(a), ACRE_PLACE_HOST, ACRE_WRITE, NULL, 0));
        must(acre_eval(context, "b = a", ACRE(a), ACRE(b)));
        expect_patterns(b, a, 0, true);
        must(acre_eval(context, "b = shift(shift(a, 3, 0), -10, 0)", ACRE(a), ACRE(b)));
        expect_patterns(b, a, -7, true);
        must(acre_eval(context, "b = 1 * a", ACRE(a), ACRE(b)));
        expect_patterns(b, a, 0, false);
        must(acre_eval(context, "c = a; b = -(-c)", ACRE(a), ACRE(b), ACRE(c)));
        expect_patterns(b, a, 0, false);
        expect_patterns(c, a, 0, false);
        acre_field_destroy(a);
        acre_field_destroy(b);
        acre_field_destroy(c);
        acre_lattice_destroy(lattice);
    }
}
END_TEST

/* ---- views held by the host ---- */

START_TEST(a_conflicting_view_is_refused_and_nothing_changes)
{
    acre_field *chi = make(checkerboard, "chi"), *psi = make(checkerboard, "psi"),
               *phi = make(checkerboard, "phi");
    double norm = -1;
    void *address;
    must(acre_eval(context, "chi = 1; psi = 2", ACRE(chi), ACRE(psi)));
    /* somebody reads: writing is refused, reading is fine */
    must(acre_array_acquire(acre_field_array(psi), ACRE_PLACE_HOST, ACRE_READ, NULL, 0, &address));
    expect_status(acre_eval(context, "chi = 7; phi = 3; norm = norm2(chi); psi = chi", ACRE(chi), ACRE(psi),
                            ACRE(phi), ACRE_OUT(norm)),
                  ACRE_ERR_CONFLICT, "psi");
    ck_assert_msg(strstr(acre_message(), __FILE__) != NULL, "no holder named: %s", acre_message());
    ck_assert(norm == -1);
    expect_value(chi, 1);
    expect_value(psi, 2);
    expect_undefined(phi);
    must(acre_eval(context, "chi = psi + chi", ACRE(chi), ACRE(psi)));
    expect_value(chi, 3);
    must(acre_array_release(acre_field_array(psi), ACRE_PLACE_HOST, ACRE_READ, NULL, 0));
    /* somebody writes: reading is refused, too */
    must(acre_array_acquire(acre_field_array(psi), ACRE_PLACE_HOST, ACRE_READ_WRITE, NULL, 0, &address));
    expect_status(acre_eval(context, "chi = psi", ACRE(chi), ACRE(psi)), ACRE_ERR_CONFLICT, "psi");
    must(acre_array_release(acre_field_array(psi), ACRE_PLACE_HOST, ACRE_READ_WRITE, NULL, 0));
    /* afterwards all is free again */
    must(acre_eval(context, "chi = 7; phi = 3; norm = norm2(chi); psi = chi", ACRE(chi), ACRE(psi), ACRE(phi),
                   ACRE_OUT(norm)));
    ck_assert(norm == 49 * SITES);
    expect_value(psi, 7);
    expect_value(phi, 3);
    acre_field_destroy(chi);
    acre_field_destroy(psi);
    acre_field_destroy(phi);
}
END_TEST

/* On a checkerboard a formula holds only the halves it needs. */
START_TEST(halves_are_held_by_themselves)
{
    acre_field *chi = make(checkerboard, "chi"), *psi = make(checkerboard, "psi");
    const acre_range odd = {SITES / 2 * sizeof(double), SITES / 2 * sizeof(double)};
    double norm;
    void *address;
    must(acre_eval(context, "chi = 1; psi = 2", ACRE(chi), ACRE(psi)));
    must(acre_array_acquire(acre_field_array(psi), ACRE_PLACE_HOST, ACRE_READ_WRITE, &odd, 1, &address));
    must(acre_eval(context, "psi[even] = chi + psi; norm = norm2(psi, even); chi[odd] = shift(psi, -1, 1)",
                   ACRE(chi), ACRE(psi), ACRE_OUT(norm)));
    ck_assert(norm == 9 * HALF);
    expect_status(acre_eval(context, "chi = psi", ACRE(chi), ACRE(psi)), ACRE_ERR_CONFLICT, "psi");
    expect_status(acre_eval(context, "chi[even] = shift(psi, 1, 0)", ACRE(chi), ACRE(psi)), ACRE_ERR_CONFLICT,
                  "psi");
    must(acre_array_release(acre_field_array(psi), ACRE_PLACE_HOST, ACRE_READ_WRITE, &odd, 1));
    must(acre_eval(context, "norm = norm2(chi)", ACRE(chi), ACRE_OUT(norm)));
    ck_assert(norm == (9 + 1) * HALF);
    acre_field_destroy(chi);
    acre_field_destroy(psi);
}
END_TEST

START_TEST(versions_count_writes)
{
    acre_field *chi = make(checkerboard, "chi"), *psi = make(checkerboard, "psi");
    must(acre_eval(context, "psi = 2", ACRE(psi)));
    const uint64_t of_psi = acre_array_version(acre_field_array(psi)),
                   of_chi = acre_array_version(acre_field_array(chi));
    must(acre_eval(context, "chi = psi", ACRE(chi), ACRE(psi)));
    ck_assert(acre_array_version(acre_field_array(psi)) == of_psi);
    ck_assert(acre_array_version(acre_field_array(chi)) > of_chi);
    acre_field_destroy(chi);
    acre_field_destroy(psi);
}
END_TEST

/* ---- passes ---- */

static int count_passes(const char *text, size_t count, const acre_arg *arguments)
{
    struct acre_source source = {.text = text, .length = strlen(text), .file = __FILE__, .line = __LINE__};
    struct acre_program program = {.context = context};
    struct acre_check_scope scope = {.source = &source, .count = count, .arguments = arguments};
    struct acre_statement *first;
    int passes = 0;
    scope.assigned = acre_arena_take(&program.arena, (count + 1) * sizeof *scope.assigned);
    ck_assert_ptr_nonnull(scope.assigned);
    must(acre_parse(&source, &program.arena, &first));
    must(acre_check_statements(&scope, first));
    must(acre_lower(&program, first, count, arguments));
    for (int i = 0; i < acre_program_pass_count(&program); ++i)
        passes += acre_program_pass(&program, i)->lattice != NULL;
    acre_program_free(&program);
    return passes;
}

static const struct {
    const char *text;
    int on_checkerboard, in_lexicographic;
} programs[] = {
    {"x = 2 * a", 0, 0},
    {"r = q", 1, 1},
    {"r -= a * q; rr = norm2(r)", 1, 1},
    {"r = a * q; q = r + q; rr = norm2(r); x = norm2(q); p = r", 1, 1},
    {"p = shift(q, 1, 0) + shift(q, -1, 0) + shift(q, 1, 1) + shift(q, -1, 1)", 1, 1},
    {"r = q; p = shift(r, 1, 0)", 2, 2},
    {"r = q; p = shift(r, 4, 0)", 1, 1}, /* the shift leads back */
    {"p = shift(r, 1, 0); r = q", 2, 2}, /* r may not change under the shift */
    {"p = r; r = q; q = p", 1, 1},
    {"p = shift(q, 1, 0); r = shift(q, 1, 0) + p; rr = norm2(p)", 1, 1},
    {"r = shift(r, 1, 0)", 2, 2},
    {"r[even] = shift(r, 1, 0)", 1, 2},
    {"r[even] = shift(r, 2, 0)", 2, 2},
    {"r[even] = q; r[odd] = q", 2, 2},
    {"rr = norm2(r); x = norm2(q); a2 = innerProduct(r, q)", 1, 1},
    {"rr = norm2(r); q = r / rr", 2, 2},
    {"rr = norm2(r); x = 2 * rr; p = q", 1, 1},
    {"rr = norm2(r, even); x = norm2(r)", 2, 2},
    {"q = r / norm2(r)", 2, 2},
    {"q = r * (norm2(r) + norm2(q) * sum(r))", 2, 2},
};

START_TEST(formulas_run_in_as_few_passes_as_their_data_flow_allows)
{
    acre_lattice *const lattices[] = {checkerboard, lexicographic};
    for (int l = 0; l < 2; ++l) {
        acre_field *r = make(lattices[l], "r"), *q = make(lattices[l], "q"), *p = make(lattices[l], "p");
        double rr, x, a2;
        const double a = 3;
        const acre_arg arguments[] = {ACRE(r),      ACRE(q),     ACRE(p),     ACRE(a),
                                      ACRE_OUT(rr), ACRE_OUT(x), ACRE_OUT(a2)};
        const int passes = count_passes(programs[_i].text, 7, arguments);
        const int wanted = l ? programs[_i].in_lexicographic : programs[_i].on_checkerboard;
        ck_assert_msg(passes == wanted, "%s, \"%s\": %d passes instead of %d",
                      acre_site_order_name(acre_lattice_site_order(lattices[l])), programs[_i].text, passes,
                      wanted);
        acre_field_destroy(r);
        acre_field_destroy(q);
        acre_field_destroy(p);
    }
}
END_TEST

/* ---- large site objects ---- */

/* norm2 of a product that no field could hold: far more components than one operation can number. */
START_TEST(an_object_of_too_many_components_is_refused)
{
    acre_field *v, *u;
    double norm = -1;
    must(acre_field_create(checkerboard, acre_real_vector(ACRE_FLOAT, ACRE_MAX_VECTOR), (acre_format){0}, "v",
                           &v));
    must(acre_field_create(checkerboard,
                           acre_site_type_sized(acre_colour_matrix(ACRE_FLOAT), 1, ACRE_MAX_COLOURS),
                           (acre_format){0}, "u", &u));
    must(acre_eval(context, "v = zero; u = 0.25", ACRE(v), ACRE(u)));
    expect_status(acre_eval(context, "norm = norm2(v * u)", ACRE(v), ACRE(u), ACRE_OUT(norm)),
                  ACRE_ERR_OVERFLOW, "131072");
    ck_assert(norm == -1);
    acre_field_destroy(v);
    acre_field_destroy(u);
}
END_TEST

/* ---- threads ---- */

enum { THREADS = 4, ROUNDS = 40 };

struct worker {
    pthread_t thread;
    const acre_field *shared;
    double start;
    int wrong;
    char message[256];
};

static void *work(void *argument)
{
    struct worker *w = argument;
    acre_field *a = NULL;
    const acre_field *const shared = w->shared;
    const double start = w->start;
    acre_status status =
        acre_field_create(acre_field_lattice(shared), acre_real(ACRE_DOUBLE), (acre_format){0}, "own", &a);
    if (!status)
        status = acre_eval(context, "a = start", ACRE(a), ACRE(start));
    for (int i = 0; i < ROUNDS && !status; ++i) {
        double sum = 0;
        status = acre_eval(context, "a = shift(a, 1, 0) + shared; sum_ = sum(a)", ACRE(a), ACRE(shared),
                           ACRE_OUT_AS("sum_", sum));
        w->wrong += sum != (start + 2 * (i + 1)) * SITES;
        /* each thread has messages of its own */
        const acre_status refused = acre_eval(context, "a = nobody", ACRE(a));
        w->wrong += refused != ACRE_ERR_FORMULA || !strstr(acre_message(), "nobody");
    }
    if (status)
        snprintf(w->message, sizeof w->message, "%s", acre_message());
    acre_field_destroy(a);
    return NULL;
}

START_TEST(threads_evaluate_at_the_same_time)
{
    acre_field *shared = make(checkerboard, "shared");
    struct worker workers[THREADS] = {{0}};
    must(acre_eval(context, "shared = 2", ACRE(shared)));
    for (int t = 0; t < THREADS; ++t) {
        workers[t].shared = shared;
        workers[t].start = 1000 * t;
        ck_assert_int_eq(pthread_create(&workers[t].thread, NULL, work, &workers[t]), 0);
    }
    for (int t = 0; t < THREADS; ++t)
        ck_assert_int_eq(pthread_join(workers[t].thread, NULL), 0);
    for (int t = 0; t < THREADS; ++t)
        ck_assert_msg(!workers[t].wrong && !*workers[t].message, "thread %d: %d wrong, %s", t, workers[t].wrong,
                      workers[t].message);
    acre_field_destroy(shared);
}
END_TEST

Suite *acre_suite_formula_program(void)
{
    Suite *suite = suite_create("formula program");
    TCase *tests = tcase_create("programs");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_whole_field_is_written_without_having_been_defined);
    tcase_add_test(tests, a_half_that_is_not_written_stays_undefined);
    tcase_add_test(tests, a_half_written_by_the_same_call_does_not_define_the_other);
    tcase_add_test(tests, reading_an_undefined_field_changes_nothing);
    tcase_add_test(tests, an_overflow_defines_nothing_that_was_not_written);
    tcase_add_test(tests, every_half_comes_through);
    tcase_add_test(tests, a_conflicting_view_is_refused_and_nothing_changes);
    tcase_add_test(tests, halves_are_held_by_themselves);
    tcase_add_test(tests, versions_count_writes);
    tcase_add_loop_test(tests, formulas_run_in_as_few_passes_as_their_data_flow_allows, 0,
                        sizeof programs / sizeof *programs);
    tcase_add_test(tests, an_object_of_too_many_components_is_refused);
    tcase_add_test(tests, threads_evaluate_at_the_same_time);
    suite_add_tcase(suite, tests);
    return suite;
}
