/* tests/test_info.c: what acre/info.h tells of backends, the machine and the environment. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "acre/acre.h"

Suite *acre_suite_info(void);

START_TEST(the_host_is_among_the_backends)
{
    size_t count, seen = 0;
    ck_assert_int_eq(acre_info_backend_count(&count), ACRE_OK);
    for (size_t i = 0; i < count; ++i) {
        acre_backend_info backend;
        ck_assert_int_eq(acre_info_backend(i, &backend), ACRE_OK);
        ck_assert(backend.description[0]);
        ck_assert_msg((backend.device_count == 0) == (backend.reason[0] != 0),
                      "a reason where there is no device");
        if (strcmp(backend.name, "host") != 0)
            continue;
        acre_device_info device;
        ck_assert_int_eq(acre_info_device(i, 0, &device), ACRE_OK);
        ck_assert_str_eq(device.name, "host:0");
        ck_assert(device.hardware[0]);
        ck_assert(device.is_host_memory && device.has_double && device.workers >= 1);
        ++seen;
    }
    ck_assert_uint_eq(seen, 1);
}
END_TEST

START_TEST(what_is_not_there_is_an_error_with_the_numbers)
{
    acre_backend_info backend;
    acre_device_info device;
    acre_variable_info variable;
    ck_assert_int_eq(acre_info_backend(12345, &backend), ACRE_ERR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(acre_message(), "12345"));
    ck_assert_int_eq(acre_info_device(12345, 0, &device), ACRE_ERR_ARGUMENT);
    ck_assert_int_eq(acre_info_device(0, 12345, &device), ACRE_ERR_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(acre_message(), "host:12345"));
    ck_assert_int_eq(acre_info_variable(acre_info_variable_count(), &variable), ACRE_ERR_ARGUMENT);
}
END_TEST

START_TEST(the_machine_has_parts)
{
    acre_machine_info machine;
    ck_assert_int_eq(acre_info_machine(&machine), ACRE_OK);
    ck_assert_int_ge(machine.packages, 1);
    ck_assert_int_ge(machine.cores, 1);
    ck_assert_int_ge(machine.threads, 1);
    ck_assert(machine.memory_bytes > 0);
    ck_assert_ptr_nonnull(memchr(machine.processor, 0, sizeof(machine.processor)));
}
END_TEST

START_TEST(variables_show_their_value)
{
    const char *before = getenv("ACRE_LOG");
    char *kept = before ? strdup(before) : NULL;
    size_t seen = 0;
    for (int is_set = 0; is_set < 2; ++is_set) {
        if (is_set)
            setenv("ACRE_LOG", "error", 1);
        else
            unsetenv("ACRE_LOG");
        for (size_t i = 0; i < acre_info_variable_count(); ++i) {
            acre_variable_info variable;
            ck_assert_int_eq(acre_info_variable(i, &variable), ACRE_OK);
            ck_assert(strncmp(variable.name, "ACRE_", 5) == 0 && variable.takes[0] && variable.meaning[0]);
            if (strcmp(variable.name, "ACRE_LOG") != 0)
                continue;
            ck_assert_str_eq(variable.standard, "warning");
            ck_assert_pstr_eq(variable.value, is_set ? "error" : NULL);
            ++seen;
        }
    }
    if (kept)
        setenv("ACRE_LOG", kept, 1);
    else
        unsetenv("ACRE_LOG");
    free(kept);
    ck_assert_uint_eq(seen, 2);
}
END_TEST

Suite *acre_suite_info(void)
{
    Suite *suite = suite_create("info");
    TCase *tests = tcase_create("info");
    tcase_add_test(tests, the_host_is_among_the_backends);
    tcase_add_test(tests, what_is_not_there_is_an_error_with_the_numbers);
    tcase_add_test(tests, the_machine_has_parts);
    tcase_add_test(tests, variables_show_their_value);
    suite_add_tcase(suite, tests);
    return suite;
}
