/* tests/test_formula_values.c: random formulas over every kind of field give, bit for bit, what the naive
 * evaluator gives. */
#include <check.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acre/formula.h"
#include "formula_random.h"

Suite *acre_suite_formula_values(void);

enum { LATTICES = 14, CASES = 6000, CASES_A_CHUNK = 500 };

static struct naive_lattice shapes[LATTICES] = {{4, {4, 4, 4, 4}, 0}, {4, {2, 2, 2, 2}, 0},
                                                {4, {6, 4, 2, 4}, 0}, {4, {3, 3, 3, 3}, 0},
                                                {4, {5, 1, 2, 4}, 0}, {4, {1, 1, 1, 1}, 0},
                                                {1, {8}, 0},          {1, {7}, 0},
                                                {2, {6, 4}, 0},       {2, {2, 6}, 0},
                                                {3, {3, 5, 2}, 0},    {5, {2, 3, 1, 2, 2}, 0},
                                                {3, {34, 18, 8}, 0},  {2, {71, 63}, 0}};

/* One run of a case. */
struct trial {
    acre_context *context;
    acre_lattice *lattice;
    uint64_t data_seed;
    char message[2048]; /* what went wrong */
};

static size_t buffer_bytes(const struct naive_field *field)
{
    return (size_t)field->lattice->sites * acre_site_type_components(field->type) *
           acre_word_bytes(field->type.word);
}

static void pack(const struct naive_field *field, unsigned char *buffer)
{
    const size_t parts = (size_t)field->lattice->sites * acre_site_type_components(field->type);
    for (size_t k = 0; k < parts; ++k)
        switch (field->type.word) {
        case ACRE_FLOAT:
            ((float *)(void *)buffer)[k] = (float)field->parts[k].real;
            break;
        case ACRE_DOUBLE:
            ((double *)(void *)buffer)[k] = field->parts[k].real;
            break;
        case ACRE_INT:
            ((int32_t *)(void *)buffer)[k] = (int32_t)field->parts[k].whole;
            break;
        default:
            buffer[k] = (unsigned char)field->parts[k].whole;
            break;
        }
}

/* The fields of the case, with their data. */
struct made {
    acre_field *single[CASE_FIELDS];
    acre_fields *array[CASE_FIELDS]; /* at the array's first member */
};

static acre_field *field_of(const struct random_case *c, const struct made *made, int f)
{
    return c->group[f] < 0 ? made->single[f] : acre_fields_at(made->array[c->group[f]], (size_t)c->member[f]);
}

static void make_fields(struct random_case *c, const struct trial *trial, struct made *made)
{
    memset(made, 0, sizeof *made);
    for (int f = 0; f < c->field_count; ++f) {
        struct naive_field *field = &c->fields[f];
        acre_status status = ACRE_OK;
        if (c->group[f] < 0)
            status =
                acre_field_create(trial->lattice, field->type, field->format, c->names[f], &made->single[f]);
        else if (c->group[f] == f)
            status =
                acre_fields_create(trial->lattice, field->type, field->format, 2, c->names[f], &made->array[f]);
        ck_assert_msg(status == ACRE_OK, "%s", acre_message());
        unsigned char *buffer = malloc(buffer_bytes(field));
        ck_assert_ptr_nonnull(buffer);
        pack(field, buffer);
        status = acre_field_import(field_of(c, made, f), buffer, buffer_bytes(field));
        ck_assert_msg(status == ACRE_OK, "%s", acre_message());
        free(buffer);
        /* half leaves hold the rounded values */
        const size_t parts = (size_t)c->lattice->sites * acre_site_type_components(field->type);
        for (size_t k = 0; field->format.storage == ACRE_HALF && k < parts; ++k)
            field->parts[k].real = naive_half(field->parts[k].real);
    }
}

static void destroy_fields(const struct random_case *c, struct made *made)
{
    for (int f = 0; f < c->field_count; ++f) {
        acre_field_destroy(made->single[f]);
        acre_fields_destroy(made->array[f]);
    }
}

/* Result variables, one of each kind for every variable of the case. */
struct results {
    float as_float[CASE_VARIABLES];
    double as_double[CASE_VARIABLES], as_complex[CASE_VARIABLES][2];
    long as_long[CASE_VARIABLES];
};

static acre_arg argument_of(const struct naive_variable *v, const char *name, int i, struct results *results)
{
    switch (v->kind) {
    case NAIVE_IN_FLOAT:
        return acre_arg_float(name, (float)v->part[0].real);
    case NAIVE_IN_DOUBLE:
        return acre_arg_double(name, v->part[0].real);
    case NAIVE_IN_INT:
        return acre_arg_int(name, (int)v->part[0].whole);
    case NAIVE_IN_COMPLEX:
        return acre_arg_complex(name, v->part[0].real, v->part[1].real);
    case NAIVE_OUT_FLOAT:
        return acre_out_float(name, &results->as_float[i]);
    case NAIVE_OUT_DOUBLE:
        return acre_out_double(name, &results->as_double[i]);
    case NAIVE_OUT_LONG:
        return acre_out_long(name, &results->as_long[i]);
    default:
        return acre_out_complex(name, results->as_complex[i]);
    }
}

static bool same_real(double a, double b)
{
    return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

static bool compare_field(const struct random_case *c, const struct made *made, int f, struct trial *trial)
{
    const struct naive_field *field = &c->fields[f];
    const size_t parts = (size_t)c->lattice->sites * acre_site_type_components(field->type);
    unsigned char *buffer = malloc(buffer_bytes(field));
    ck_assert_ptr_nonnull(buffer);
    acre_status status = acre_field_export(field_of(c, made, f), buffer, buffer_bytes(field));
    ck_assert_msg(status == ACRE_OK, "%s", acre_message());
    bool same = true;
    for (size_t k = 0; k < parts && same; ++k) {
        const bool is_real = field->type.word == ACRE_FLOAT || field->type.word == ACRE_DOUBLE;
        const double real = field->type.word == ACRE_FLOAT ? (double)((float *)(void *)buffer)[k]
                            : is_real                      ? ((double *)(void *)buffer)[k]
                                                           : 0;
        const int64_t whole = is_real                        ? 0
                              : field->type.word == ACRE_INT ? ((int32_t *)(void *)buffer)[k]
                                                             : buffer[k];
        same = is_real ? same_real(real, field->parts[k].real) : whole == field->parts[k].whole;
        if (!same && is_real)
            snprintf(trial->message, sizeof trial->message, "%s[%d] component %zu: %a, should be %a",
                     c->names[f], c->member[f], k, real, field->parts[k].real);
        else if (!same)
            snprintf(trial->message, sizeof trial->message, "%s[%d] component %zu: %ld, should be %ld",
                     c->names[f], c->member[f], k, (long)whole, (long)field->parts[k].whole);
    }
    free(buffer);
    return same;
}

static bool compare_result(const struct naive_variable *v, const struct results *r, int i, struct trial *trial)
{
    double re = v->part[0].real, im = v->part[1].real;
    bool same = true;
    if (v->kind == NAIVE_OUT_LONG && v->is_assigned)
        same = r->as_long[i] == v->part[0].whole;
    else if (v->kind == NAIVE_OUT_FLOAT && v->is_assigned)
        same = same_real(re = r->as_float[i], v->part[0].real);
    else if (v->kind == NAIVE_OUT_DOUBLE && v->is_assigned)
        same = same_real(re = r->as_double[i], v->part[0].real);
    else if (v->kind == NAIVE_OUT_COMPLEX && v->is_assigned)
        same = same_real(re = r->as_complex[i][0], v->part[0].real) &&
               same_real(im = r->as_complex[i][1], v->part[1].real);
    if (!same)
        snprintf(trial->message, sizeof trial->message, "v%d: %a %a (%ld), should be %a %a (%ld)", i, re, im,
                 r->as_long[i], v->part[0].real, v->part[1].real, (long)v->part[0].whole);
    return same;
}

/* Run the case both ways: false when they agree. */
static bool case_fails(struct random_case *c, void *context)
{
    static char text[CASE_TEXT];
    struct trial *trial = context;
    struct made made;
    struct results results = {0};
    acre_arg arguments[CASE_FIELDS + CASE_VARIABLES];
    char names[CASE_VARIABLES][16];
    size_t count = 0;
    random_case_fill(c, trial->data_seed);
    make_fields(c, trial, &made);
    for (int f = 0; f < c->field_count; ++f)
        if (c->group[f] < 0)
            arguments[count++] = acre_arg_field(c->names[f], made.single[f]);
        else if (c->group[f] == f)
            arguments[count++] = acre_arg_fields(c->names[f], made.array[f]);
    for (int v = 0; v < c->variable_count; ++v) {
        snprintf(names[v], sizeof names[v], "v%d", v);
        arguments[count++] = argument_of(&c->variables[v], names[v], v, &results);
    }
    random_case_write(c, text);
    const acre_status status = acre_eval_args(trial->context, text, count, arguments, __FILE__, __LINE__);
    struct naive_program program = {c->lattice, c->fields, c->variables};
    bool fails = status != ACRE_OK;
    if (fails)
        snprintf(trial->message, sizeof trial->message, "%s", acre_message());
    for (int i = 0; i < c->statement_count && !fails; ++i)
        naive_run(&program, &c->statements[i]);
    for (int f = 0; f < c->field_count && !fails; ++f)
        fails = !compare_field(c, &made, f, trial);
    for (int v = 0; v < c->variable_count && !fails; ++v)
        fails = !compare_result(&c->variables[v], &results, v, trial);
    destroy_fields(c, &made);
    return fails;
}

/* While shrinking: a case that fails in the same way. A formula that became wrong is another matter. */
static bool fails_alike(struct random_case *c, void *context)
{
    struct trial *trial = context;
    const bool was_error = strstr(trial->message, "formula, ") != NULL;
    char before[sizeof trial->message];
    strcpy(before, trial->message);
    const bool fails = case_fails(c, context) && (strstr(trial->message, "formula, ") != NULL) == was_error &&
                       (strstr(trial->message, "before it is assigned") != NULL) ==
                           (strstr(before, "before it is assigned") != NULL);
    if (!fails)
        strcpy(trial->message, before);
    return fails;
}

static void describe(const struct random_case *c, char *text, size_t size)
{
    size_t n = 0;
    char name[96];
    for (int f = 0; f < c->field_count && n < size; ++f)
        n += (size_t)snprintf(text + n, size - n, "; %s[%d] %s, %s, %s", c->names[f], c->member[f],
                              acre_site_type_name(c->fields[f].type, name, sizeof name),
                              acre_order_name(c->fields[f].format.order),
                              acre_storage_name(c->fields[f].format.storage));
}

static void check_case(struct random_case *c, uint64_t seed, struct trial *trial)
{
    static char text[CASE_TEXT], fields[4096];
    trial->data_seed = seed ^ 0x5bd1e995;
    if (!case_fails(c, trial))
        return;
    random_case_shrink(c, fails_alike, trial);
    random_case_write(c, text);
    describe(c, fields, sizeof fields);
    random_case_free(c);
    ck_abort_msg("seed %llu, %s: \"%s\": %s%s", (unsigned long long)seed,
                 acre_site_order_name(acre_lattice_site_order(trial->lattice)), text, trial->message, fields);
}

/* Contexts with 1 to 3 threads, each lattice in each order of its sites. */
static void run_cases(uint64_t first, int count)
{
    static struct random_case c;
    const int threads = omp_get_max_threads();
    struct trial trial = {0};
    omp_set_num_threads(1 + (int)(first / CASES_A_CHUNK % 3));
    ck_assert_msg(acre_context_create(&trial.context) == ACRE_OK, "%s", acre_message());
    omp_set_num_threads(threads);
    for (int l = 0; l < LATTICES; ++l) {
        struct naive_lattice *shape = &shapes[l];
        bool all_even = true;
        shape->sites = 1;
        for (int mu = 0; mu < shape->dimension; ++mu) {
            shape->sites *= shape->extents[mu];
            all_even = all_even && shape->extents[mu] % 2 == 0;
        }
        for (int order = all_even ? ACRE_SITES_CHECKERBOARD : ACRE_SITES_LEXICOGRAPHIC;
             order <= ACRE_SITES_LEXICOGRAPHIC; ++order) {
            ck_assert_int_eq(acre_lattice_create(trial.context, shape->dimension, shape->extents,
                                                 (acre_site_order)order, &trial.lattice),
                             ACRE_OK);
            for (uint64_t seed = first; seed < first + (uint64_t)count; ++seed) {
                /* the large lattices take few of the seeds */
                const uint64_t pick = seed % 64;
                const int chosen = pick == 63 ? LATTICES - 1 : pick == 62 ? LATTICES - 2 : (int)(pick % 12);
                if (chosen != l || (all_even && seed / 64 % 2 != (order == ACRE_SITES_CHECKERBOARD)))
                    continue;
                if (random_case_make(&c, seed, shape)) {
                    check_case(&c, seed, &trial);
                    random_case_free(&c);
                }
            }
            acre_lattice_destroy(trial.lattice);
        }
    }
    acre_context_destroy(trial.context);
}

START_TEST(random_formulas_equal_the_naive_evaluator)
{
    run_cases(1000000 + (uint64_t)_i * CASES_A_CHUNK, CASES_A_CHUNK);
}
END_TEST

Suite *acre_suite_formula_values(void)
{
    Suite *suite = suite_create("formula values");
    TCase *tests = tcase_create("random formulas");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, random_formulas_equal_the_naive_evaluator, 0, CASES / CASES_A_CHUNK);
    suite_add_tcase(suite, tests);
    return suite;
}
