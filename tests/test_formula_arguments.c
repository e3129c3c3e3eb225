/* tests/test_formula_arguments.c: which arguments a formula takes, and which it refuses without having changed
 * anything. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "acre/formula.h"

Suite *acre_suite_formula_arguments(void);

static acre_context *context;
static acre_lattice *lattice;
static acre_field *field;
static double result;

static const int64_t sizes[] = {2, 2};
static const double data[] = {1.5, -2.5, 3.5, 4.5};

static void must(acre_status status)
{
    ck_assert_msg(status == ACRE_OK, "%s", acre_message());
}

static void set_up(void)
{
    must(acre_context_create(&context));
    must(acre_lattice_create(context, 2, sizes, ACRE_SITES_DEFAULT, &lattice));
    must(acre_field_create(lattice, acre_real(ACRE_DOUBLE), (acre_format){0}, "r", &field));
    must(acre_field_import(field, data, sizeof data));
    result = 0.5;
}

static void tear_down(void)
{
    acre_field_destroy(field);
    acre_lattice_destroy(lattice);
    acre_context_destroy(context);
}

static void expect_untouched(void)
{
    double after[4];
    must(acre_field_export(field, after, sizeof after));
    ck_assert_msg(memcmp(after, data, sizeof data) == 0, "the field has changed");
    ck_assert_msg(result == 0.5, "the result has changed");
}

static void expect_argument(size_t count, const acre_arg *arguments, const char *words)
{
    const acre_status status = acre_eval_args(context, "r = 1", count, arguments, "call.c", 7);
    ck_assert_msg(status == ACRE_ERR_ARGUMENT, "%s: %s", words, acre_status_name(status));
    ck_assert_msg(strncmp(acre_message(), "call.c:7: ", 10) == 0, "%s", acre_message());
    ck_assert_msg(strstr(acre_message(), words) != NULL, "\"%s\" lacks \"%s\"", acre_message(), words);
    expect_untouched();
}

START_TEST(arguments_have_names_that_can_be_written)
{
    static const char *const wrong[] = {"",   " ",      "1r",  "r-",  "r r",       "u[0]",
                                        "&r", "r.real", "r\n", "(r)", "\xc3\xa9t", "a + b"};
    char words[100];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        const acre_arg argument[] = {acre_arg_field("r", field), acre_arg_double(wrong[i], 1)};
        snprintf(words, sizeof words, "argument 2: \"%s\" is no identifier; name the expression with ACRE_AS",
                 wrong[i]);
        expect_argument(2, argument, words);
    }
    const acre_arg unnamed[] = {acre_arg_field("r", field), acre_arg_double(NULL, 1)};
    expect_argument(2, unnamed, "argument 2: \"(null)\" is no identifier");
    const acre_arg fine[] = {acre_arg_field("r", field), acre_arg_double("_x1Y", 1)};
    must(acre_eval_args(context, "r = _x1Y * r", 2, fine, __FILE__, __LINE__));
}
END_TEST

START_TEST(arguments_are_no_words_of_the_language)
{
    static const char *const words[] = {"adj",     "trace", "real", "imag",  "sqrt",         "reunit",
                                        "random",  "shift", "sum",  "norm2", "innerProduct", "all",
                                        "even",    "odd",   "zero", "i",     "pi",           "FORWARD",
                                        "BACKWARD"};
    char message[100];
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        const acre_arg argument = acre_arg_field(words[i], field);
        snprintf(message, sizeof message, "argument 1: \"%s\" is a word of the formula language", words[i]);
        expect_argument(1, &argument, message);
    }
}
END_TEST

START_TEST(arguments_are_there_and_each_once)
{
    acre_arg nothing = {0}, made_up = {.name = "r", .kind = 99};
    const acre_arg twice[] = {acre_arg_field("r", field), acre_arg_double("x", 1),
                              acre_out_double("r", &result)};
    const acre_arg nulls[] = {acre_arg_field("r", NULL),  acre_arg_field_const("r", NULL),
                              acre_arg_fields("r", NULL), acre_arg_fields_const("r", NULL),
                              acre_out_float("r", NULL),  acre_out_double("r", NULL),
                              acre_out_int("r", NULL),    acre_out_long("r", NULL),
                              acre_out_complex("r", NULL)};
    expect_argument(3, twice, "argument \"r\" is given twice");
    expect_argument(1, NULL, "1 arguments announced, none given");
    expect_argument(1, &nothing, "argument 1 is not one made by acre_arg_");
    expect_argument(1, &made_up, "argument 1 is not one made by acre_arg_");
    for (size_t i = 0; i < sizeof nulls / sizeof *nulls; ++i)
        expect_argument(1, &nulls[i], "argument \"r\" is NULL");
}
END_TEST

START_TEST(arguments_are_of_the_context)
{
    acre_context *other;
    acre_lattice *elsewhere;
    acre_field *foreign_field;
    acre_fields *array;
    must(acre_context_create(&other));
    must(acre_lattice_create(other, 2, sizes, ACRE_SITES_DEFAULT, &elsewhere));
    must(acre_field_create(elsewhere, acre_real(ACRE_DOUBLE), (acre_format){0}, "r", &foreign_field));
    must(acre_fields_create(elsewhere, acre_real(ACRE_DOUBLE), (acre_format){0}, 2, "r", &array));
    const acre_arg foreign = acre_arg_field("r", foreign_field),
                   foreign_array = acre_arg_fields_const("r", array);
    expect_argument(1, &foreign, "argument \"r\" belongs to another context");
    expect_argument(1, &foreign_array, "argument \"r\" belongs to another context");
    acre_fields_destroy(array);
    acre_field_destroy(foreign_field);
    acre_lattice_destroy(elsewhere);
    acre_context_destroy(other);
}
END_TEST

START_TEST(a_call_needs_a_context_and_a_formula)
{
    const acre_arg argument = acre_arg_field("r", field);
    ck_assert_int_eq(acre_eval_args(NULL, "r = 1", 1, &argument, "call.c", 7), ACRE_ERR_ARGUMENT);
    ck_assert_str_eq(acre_message(), "call.c:7: the context is NULL");
    ck_assert_int_eq(acre_eval_args(context, NULL, 1, &argument, "call.c", 7), ACRE_ERR_ARGUMENT);
    ck_assert_str_eq(acre_message(), "call.c:7: the formula is NULL");
    ck_assert_int_eq(acre_eval_args(context, "r = y", 1, &argument, NULL, 7), ACRE_ERR_FORMULA);
    ck_assert_int_eq(strncmp(acre_message(), "?:7: formula, column 5", 22), 0);
    expect_untouched();
}
END_TEST

/* Unused arguments and a formula without any are fine. */
START_TEST(arguments_need_not_be_used)
{
    const acre_arg arguments[] = {acre_arg_field("r", field), acre_out_double("d", &result)};
    must(acre_eval_args(context, "d = 6 * 7", 2, arguments, "call.c", 7));
    ck_assert(result == 42);
    ck_assert_int_eq(acre_eval_args(context, "d = 1", 0, NULL, "call.c", 7), ACRE_ERR_FORMULA);
}
END_TEST

/* The macros make the same arguments under the variables' own names. */
START_TEST(macros_name_arguments_by_themselves)
{
    acre_field *r = field;
    const acre_field *k = field;
    const float a = 0.5f;
    const double b = 2;
    const int n = 3;
    const long m = 4;
    const double _Complex z = 0.25;
    float f;
    double d;
    int j;
    long l;
    double _Complex g;
    must(acre_eval(context, "f = a; d = b * sum(k); j = n; l = m + j; g = z + i; r = 2 * r", ACRE(r), ACRE(k),
                   ACRE(a), ACRE(b), ACRE(n), ACRE(m), ACRE(z), ACRE_OUT(f), ACRE_OUT(d), ACRE_OUT(j),
                   ACRE_OUT(l), ACRE_OUT(g)));
    ck_assert(f == 0.5f && d == 14 && j == 3 && l == 7);
    ck_assert(__real__ g == 0.25 && __imag__ g == 1);
    must(acre_eval(context, "total = sum(r) + extra", ACRE(r), ACRE_AS("extra", b + n),
                   ACRE_OUT_AS("total", d)));
    ck_assert(d == 19);
    must(acre_eval(context, "d = 1", ACRE_OUT(d)));
    ck_assert_int_eq(acre_eval(context, "k = 1", ACRE(k)), ACRE_ERR_FORMULA);
    ck_assert_ptr_nonnull(strstr(acre_message(), "test_formula_arguments.c:"));
}
END_TEST

Suite *acre_suite_formula_arguments(void)
{
    Suite *suite = suite_create("formula arguments");
    TCase *tests = tcase_create("arguments");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, arguments_have_names_that_can_be_written);
    tcase_add_test(tests, arguments_are_no_words_of_the_language);
    tcase_add_test(tests, arguments_are_there_and_each_once);
    tcase_add_test(tests, arguments_are_of_the_context);
    tcase_add_test(tests, a_call_needs_a_context_and_a_formula);
    tcase_add_test(tests, arguments_need_not_be_used);
    tcase_add_test(tests, macros_name_arguments_by_themselves);
    suite_add_tcase(suite, tests);
    return suite;
}
