/* tests/test_environment.c: reading numbers, sizes, ranges and lists from environment variables, and lending
 * them to backends. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/env.h"
#include "core/base/services.h"

Suite *acre_suite_environment(void);

enum reading { NUMBER, SIZE, RANGE };

/* Read ACRE_HOST_DEVICES as whatever it is to be, from 2 to 5,000,000. */
static acre_status read_as(enum reading reading, const char *value, uint64_t result[2])
{
    setenv("ACRE_HOST_DEVICES", value, 1);
    acre_status status = ACRE_OK;
    switch (reading) {
    case NUMBER:
        status = acre_env_number(ACRE_ENV_HOST_DEVICES, 2, 5000000, result);
        break;
    case SIZE:
        status = acre_env_size(ACRE_ENV_HOST_DEVICES, 2, 5000000, result);
        break;
    case RANGE:
        status = acre_env_range(ACRE_ENV_HOST_DEVICES, 5000000, result);
        break;
    }
    unsetenv("ACRE_HOST_DEVICES");
    return status;
}

START_TEST(good_values)
{
    static const struct {
        enum reading reading;
        const char *value;
        uint64_t expected[2];
    } rows[] = {
        {NUMBER, "2", {2, 0}},      {NUMBER, "5000000", {5000000, 0}},
        {NUMBER, "0012", {12, 0}},  {SIZE, "2", {2, 0}},
        {SIZE, "3K", {3072, 0}},    {SIZE, "4M", {4 << 20, 0}},
        {RANGE, "0", {0, 0}},       {RANGE, "7", {7, 7}},
        {RANGE, "0-300", {0, 300}}, {RANGE, "5-5", {5, 5}},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        uint64_t result[2] = {0, 0};
        ck_assert_msg(read_as(rows[i].reading, rows[i].value, result) == ACRE_OK, "%s", acre_message());
        ck_assert_uint_eq(result[0], rows[i].expected[0]);
        ck_assert_uint_eq(result[1], rows[i].expected[1]);
    }
}
END_TEST

START_TEST(bad_values_name_the_variable_and_what_it_takes)
{
    static const struct {
        enum reading reading;
        const char *value, *why;
    } rows[] = {
        {NUMBER, "1", "too small"},
        {NUMBER, "5000001", "too large"},
        {NUMBER, "99999999999999999999999", "not a whole number"},
        {NUMBER, "-3", "not a whole number"},
        {NUMBER, "+3", "not a whole number"},
        {NUMBER, " 3", "not a whole number"},
        {NUMBER, "3 ", "not a whole number"},
        {NUMBER, "3.0", "not a whole number"},
        {NUMBER, "0x3", "not a whole number"},
        {SIZE, "M", "not a size"},
        {SIZE, "3MB", "not a size"},
        {SIZE, "3m", "not a size"},
        {SIZE, "1.5M", "not a size"},
        {SIZE, "1", "too small"},
        {SIZE, "5M", "too large"},
        {SIZE, "99999999999T", "too large"},
        {RANGE, "-", "neither"},
        {RANGE, "3-", "neither"},
        {RANGE, "-3", "neither"},
        {RANGE, "1-2-3", "neither"},
        {RANGE, "3-2", "ends before it begins"},
        {RANGE, "3-5000001", "too large"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        uint64_t result[2] = {77, 77};
        ck_assert_msg(read_as(rows[i].reading, rows[i].value, result) == ACRE_ERR_ENVIRONMENT, "\"%s\"",
                      rows[i].value);
        ck_assert_uint_eq(result[0], 77);
        ck_assert_ptr_nonnull(strstr(acre_message(), "ACRE_HOST_DEVICES is \""));
        ck_assert_ptr_nonnull(strstr(acre_message(), rows[i].why));
        ck_assert_ptr_nonnull(strstr(acre_message(), "it takes 0 to 64"));
    }
}
END_TEST

START_TEST(an_empty_variable_is_an_unset_one)
{
    uint64_t result = 77;
    setenv("ACRE_HOST_DEVICES", "", 1);
    ck_assert_int_eq(acre_env_number(ACRE_ENV_HOST_DEVICES, 0, 64, &result), ACRE_OK);
    ck_assert_uint_eq(result, 0);
    unsetenv("ACRE_HOST_DEVICES");
}
END_TEST

START_TEST(lists_fall_into_items)
{
    static const struct {
        const char *list, *items;
    } rows[] = {{"a:bc:d", "<a><bc><d>"}, {"a", "<a>"}, {"", "<>"}, {":", "<><>"}, {"a::b:", "<a><><b><>"}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        char text[64] = "";
        const char *rest = rows[i].list, *item;
        size_t length;
        while (acre_env_list_next(&rest, ':', &item, &length)) {
            strcat(text, "<");
            strncat(text, item, length);
            strcat(text, ">");
        }
        ck_assert_str_eq(text, rows[i].items);
    }
}
END_TEST

START_TEST(backends_are_lent_the_variables)
{
    uint64_t values[2];
    ck_assert_str_eq(acre_services.option("ACRE_HOST_PEER"), "1");
    ck_assert_ptr_null(acre_services.option("ACRE_NOSUCH"));
    ck_assert_int_eq(acre_services.option_number("ACRE_HOST_PEER", 0, 1, values), ACRE_OK);
    ck_assert_uint_eq(values[0], 1);
    ck_assert_int_eq(acre_services.option_number("ACRE_HOST_PEER", 5, 6, values), ACRE_ERR_ENVIRONMENT);
    setenv("ACRE_HOST_DELAY", "3-4", 1);
    ck_assert_int_eq(acre_services.option_range("ACRE_HOST_DELAY", 10, values), ACRE_OK);
    ck_assert_uint_eq(values[1], 4);
    unsetenv("ACRE_HOST_DELAY");
    setenv("ACRE_HOST_MEMORY", "1G", 1);
    ck_assert_int_eq(acre_services.option_size("ACRE_HOST_MEMORY", 1, UINT64_MAX, values), ACRE_OK);
    ck_assert_uint_eq(values[0], 1 << 30);
    unsetenv("ACRE_HOST_MEMORY");
    ck_assert_int_eq(acre_services.option_size("ACRE_NOSUCH", 0, 1, values), ACRE_ERR_ARGUMENT);
    ck_assert_int_eq(acre_services.option_number("ACRE_NOSUCH", 0, 1, values), ACRE_ERR_ARGUMENT);
    ck_assert_int_eq(acre_services.option_range("ACRE_NOSUCH", 1, values), ACRE_ERR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(acre_message(), "ACRE_NOSUCH"));
    ck_assert_int_eq((acre_services.fail)(ACRE_ERR_LOST, "lost %d", 3),
                     ACRE_ERR_LOST); /* brackets: `fail` is a macro of Check */
    ck_assert_str_eq(acre_services.message(), "lost 3");
}
END_TEST

Suite *acre_suite_environment(void)
{
    Suite *suite = suite_create("environment");
    TCase *test = tcase_create("environment");
    tcase_add_test(test, good_values);
    tcase_add_test(test, bad_values_name_the_variable_and_what_it_takes);
    tcase_add_test(test, an_empty_variable_is_an_unset_one);
    tcase_add_test(test, lists_fall_into_items);
    tcase_add_test(test, backends_are_lent_the_variables);
    suite_add_tcase(suite, test);
    return suite;
}
