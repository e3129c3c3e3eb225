/* tests/test_base.c: statuses, messages, the log, environment variables and buffers. */
#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "core/base/buffer.h"
#include "core/base/env.h"
#include "core/base/fail.h"
#include "core/base/log.h"
#include "core/base/size.h"

Suite *acre_suite_base(void);

START_TEST(every_status_has_a_name_and_a_text)
{
#define CHECK(name, number, text)                                                                              \
    ck_assert_int_eq(name, number);                                                                            \
    ck_assert_str_eq(acre_status_name(name), #name);                                                           \
    ck_assert_str_eq(acre_status_text(name), text);
    ACRE_STATUS_TABLE(CHECK)
#undef CHECK
    ck_assert_str_eq(acre_status_name((acre_status)999), "ACRE_?");
    ck_assert_ptr_nonnull(acre_status_text((acre_status)999));
}
END_TEST

START_TEST(version_is_three_numbers)
{
    int major, minor, patch, end = 0;
    ck_assert_int_eq(sscanf(acre_version(), "%d.%d.%d%n", &major, &minor, &patch, &end), 3);
    ck_assert_int_gt(end, 0);
}
END_TEST

START_TEST(message_keeps_names_and_numbers)
{
    ck_assert_int_eq(acre_fail(ACRE_ERR_TYPE, "field %s has %d", "psi", 3), ACRE_ERR_TYPE);
    ck_assert_str_eq(acre_message(), "field psi has 3");
}
END_TEST

/* Around the size where messages move to the heap, and far beyond. */
START_TEST(long_messages_are_kept_whole)
{
    static const size_t lengths[] = {0, 1, 254, 255, 256, 257, 100000, 10, 300, 5000, 254};
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); ++i) {
        char *text = malloc(lengths[i] + 1);
        memset(text, 'a' + (int)i, lengths[i]);
        text[lengths[i]] = 0;
        acre_fail(ACRE_ERR_ARGUMENT, "%s", text);
        ck_assert_str_eq(acre_message(), text);
        free(text);
    }
}
END_TEST

START_TEST(arguments_may_be_the_message_itself)
{
    acre_fail(ACRE_ERR_ARGUMENT, "root");
    for (int i = 0; i < 200; ++i)
        acre_fail(ACRE_ERR_ARGUMENT, "%d<%s>", i, acre_message());
    ck_assert_uint_eq(strlen(acre_message()), 4 + 200 * 2 + 10 + 2 * 90 + 3 * 100);
    ck_assert_int_eq(strncmp(acre_message(), "199<198<197<", 12), 0);
    acre_fail(ACRE_ERR_ARGUMENT, "%.3s", acre_message());
    ck_assert_str_eq(acre_message(), "199");
}
END_TEST

static void *fail_elsewhere(void *argument)
{
    char long_text[2000];
    memset(long_text, 'x', sizeof(long_text) - 1);
    long_text[sizeof(long_text) - 1] = 0;
    *(int *)argument = acre_message()[0] == 0;
    acre_fail(ACRE_ERR_ARGUMENT, "elsewhere %s", long_text);
    return NULL;
}

START_TEST(each_thread_has_its_own_message)
{
    pthread_t thread;
    int was_empty = 0;
    acre_fail(ACRE_ERR_ARGUMENT, "here");
    ck_assert_int_eq(pthread_create(&thread, NULL, fail_elsewhere, &was_empty), 0);
    pthread_join(thread, NULL);
    ck_assert_int_eq(was_empty, 1);
    ck_assert_str_eq(acre_message(), "here");
}
END_TEST

static char *log_at(const char *level)
{
    setenv("ACRE_LOG", level, 1);
    ck_assert_int_eq(acre_log_configure(), ACRE_OK);
    capture_begin();
    acre_log(ACRE_LOG_ERROR, "one %d", 1);
    acre_log(ACRE_LOG_WARNING, "two\nlines");
    acre_log(ACRE_LOG_INFO, "three");
    acre_log(ACRE_LOG_DEBUG, "four");
    char *text = capture_end();
    unsetenv("ACRE_LOG");
    ck_assert_int_eq(acre_log_configure(), ACRE_OK);
    return text;
}

START_TEST(log_lets_through_what_acre_log_says)
{
    static const struct {
        const char *level, *text;
    } rows[] = {
        {"error", "acre: error: one 1\n"},
        {"warning", "acre: error: one 1\nacre: warning: two lines\n"},
        {"", "acre: error: one 1\nacre: warning: two lines\n"},
        {"info", "acre: error: one 1\nacre: warning: two lines\nacre: info: three\n"},
        {"debug", "acre: error: one 1\nacre: warning: two lines\nacre: info: three\nacre: debug: four\n"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        char *text = log_at(rows[i].level);
        ck_assert_str_eq(text, rows[i].text);
        free(text);
    }
}
END_TEST

START_TEST(long_log_lines_are_whole)
{
    char word[3000];
    memset(word, 'w', sizeof(word) - 1);
    word[sizeof(word) - 1] = 0;
    capture_begin();
    acre_log(ACRE_LOG_ERROR, "%s", word);
    char *text = capture_end();
    ck_assert_uint_eq(strlen(text), strlen("acre: error: \n") + strlen(word));
    free(text);
}
END_TEST

START_TEST(malformed_log_level_is_an_error)
{
    static const char *const values[] = {"warnings", "WARNING", " info", "info ", "3", "error,info"};
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); ++i) {
        setenv("ACRE_LOG", values[i], 1);
        ck_assert_int_eq(acre_log_configure(), ACRE_ERR_ENVIRONMENT);
        ck_assert_ptr_nonnull(strstr(acre_message(), "ACRE_LOG"));
        ck_assert_ptr_nonnull(strstr(acre_message(), values[i]));
        ck_assert_ptr_nonnull(strstr(acre_message(), "error, warning, info or debug"));
    }
    unsetenv("ACRE_LOG");
}
END_TEST

START_TEST(empty_variable_counts_as_unset)
{
    setenv("ACRE_BACKEND", "", 1);
    ck_assert_str_eq(acre_env_get(ACRE_ENV_BACKEND), "auto");
    unsetenv("ACRE_BACKEND");
    ck_assert_str_eq(acre_env_get(ACRE_ENV_BACKEND), "auto");
    setenv("ACRE_BACKEND", "host", 1);
    ck_assert_str_eq(acre_env_get(ACRE_ENV_BACKEND), "host");
    unsetenv("ACRE_BACKEND");
}
END_TEST

START_TEST(messages_cut_and_clean_values)
{
    char value[5000];
    memset(value, 'v', sizeof(value) - 1);
    value[sizeof(value) - 1] = 0;
    value[1] = '\033';
    value[2] = '\n';
    ck_assert_int_eq(acre_env_fail(ACRE_ENV_LOG, value, "too odd"), ACRE_ERR_ENVIRONMENT);
    ck_assert_uint_lt(strlen(acre_message()), 200);
    ck_assert_ptr_nonnull(strstr(acre_message(), "\"v??vvv"));
    ck_assert_ptr_nonnull(strstr(acre_message(), "vvv...\": too odd"));
}
END_TEST

START_TEST(every_variable_documents_itself)
{
    for (int i = 0; i < ACRE_ENV_COUNT; ++i) {
        ck_assert_int_eq(strncmp(acre_env_rows[i].name, "ACRE_", 5), 0);
        ck_assert_uint_gt(strlen(acre_env_rows[i].takes), 0);
        ck_assert_uint_gt(strlen(acre_env_rows[i].meaning), 0);
        for (int k = 0; k < i; ++k)
            ck_assert_str_ne(acre_env_rows[i].name, acre_env_rows[k].name);
    }
}
END_TEST

START_TEST(buffer_grows_and_stays_terminated)
{
    struct acre_buffer buffer = {0};
    char expected[4000] = "";
    for (int i = 0; i < 300; ++i) {
        ck_assert_int_eq(acre_buffer_print(&buffer, "%d,", i), ACRE_OK);
        snprintf(expected + strlen(expected), sizeof(expected) - strlen(expected), "%d,", i);
        ck_assert_uint_eq(buffer.size, strlen(expected));
    }
    ck_assert_str_eq(buffer.data, expected);
    acre_buffer_free(&buffer);
    ck_assert_ptr_null(buffer.data);
    ck_assert_uint_eq(buffer.size, 0);
}
END_TEST

START_TEST(buffer_appends_zeros_bytes_and_itself)
{
    struct acre_buffer buffer = {0};
    ck_assert_int_eq(acre_buffer_append(&buffer, "ab", 2), ACRE_OK);
    ck_assert_int_eq(acre_buffer_append(&buffer, NULL, 2), ACRE_OK);
    for (int i = 0; i < 10; ++i)
        ck_assert_int_eq(acre_buffer_append(&buffer, buffer.data, buffer.size), ACRE_OK);
    ck_assert_uint_eq(buffer.size, 4096);
    for (size_t i = 0; i < buffer.size; i += 4)
        ck_assert_int_eq(memcmp(buffer.data + i, "ab\0", 4), 0);
    ck_assert_int_eq(acre_buffer_append(&buffer, "", 0), ACRE_OK);
    ck_assert_int_eq(buffer.data[buffer.size], 0);
    acre_buffer_free(&buffer);
}
END_TEST

START_TEST(absurd_sizes_fail_and_keep_the_buffer)
{
    struct acre_buffer buffer = {0};
    ck_assert_int_eq(acre_buffer_append(&buffer, "abc", 3), ACRE_OK);
    ck_assert_int_eq(acre_buffer_append(&buffer, NULL, SIZE_MAX), ACRE_ERR_OUT_OF_MEMORY);
    ck_assert_int_eq(acre_buffer_append(&buffer, NULL, SIZE_MAX - 3), ACRE_ERR_OUT_OF_MEMORY);
    ck_assert_str_eq(buffer.data, "abc");
    acre_buffer_free(&buffer);

    size_t result = 7;
    ck_assert(!acre_size_multiply(SIZE_MAX / 2, 3, &result));
    ck_assert(!acre_size_add(SIZE_MAX, 1, &result));
    ck_assert_uint_eq(result, 7);
    ck_assert(acre_size_multiply(6, 7, &result));
    ck_assert_uint_eq(result, 42);
}
END_TEST

Suite *acre_suite_base(void)
{
    Suite *suite = suite_create("base");
    TCase *test = tcase_create("base");
    tcase_add_test(test, every_status_has_a_name_and_a_text);
    tcase_add_test(test, version_is_three_numbers);
    tcase_add_test(test, message_keeps_names_and_numbers);
    tcase_add_test(test, long_messages_are_kept_whole);
    tcase_add_test(test, arguments_may_be_the_message_itself);
    tcase_add_test(test, each_thread_has_its_own_message);
    tcase_add_test(test, log_lets_through_what_acre_log_says);
    tcase_add_test(test, long_log_lines_are_whole);
    tcase_add_test(test, malformed_log_level_is_an_error);
    tcase_add_test(test, empty_variable_counts_as_unset);
    tcase_add_test(test, messages_cut_and_clean_values);
    tcase_add_test(test, every_variable_documents_itself);
    tcase_add_test(test, buffer_grows_and_stays_terminated);
    tcase_add_test(test, buffer_appends_zeros_bytes_and_itself);
    tcase_add_test(test, absurd_sizes_fail_and_keep_the_buffer);
    suite_add_tcase(suite, test);
    return suite;
}
