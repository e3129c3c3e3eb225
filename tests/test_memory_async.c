/* tests/test_memory_async.c: work in flight: nobody waits before he has to, everybody sees the right bytes, and
 * what fails after it was submitted is told to whoever meets it. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "core/device/registry.h"
#include "memory_work.h"
#include "mock_backend.h"

Suite *acre_suite_memory_async(void);

enum { BYTES = 100 };
static acre_context *context;
static acre_array *a, *b;
static const acre_range all = {0, BYTES};

/* Loop tests: with queues that work when waited for, and with threads. */
static void begin(const acre_backend *backend, int most_rest)
{
    mock_threads(most_rest);
    context = mock_context_of(backend, MOCK_DEVICES);
    mock_threads(-1);
    a = work_array(context, BYTES, "a");
    b = work_array(context, BYTES, "b");
}

static void end(void)
{
    work_end(context, a, b);
    ck_assert_int_eq(mock_count().mapped, 0);
}

static const int rests[] = {-1, 0, 300};
static const acre_backend *const backends[] = {&mock_backend, &mock_peer_backend, &mock_alias_backend};

START_TEST(kernels_are_not_waited_for)
{
    begin(&mock_backend, -1);
    work_fill(a, 0, BYTES, 1);
    const int before = mock_count().done;
    ck_assert_int_eq(work_add("f", b, a, all, 1, 1), ACRE_OK);
    ck_assert_int_eq(work_add("g", a, b, all, 1, 1), ACRE_OK);
    ck_assert_int_eq(mock_count().done, before);
    ck_assert(work_has(a, 1, 0) && !work_has(a, 0, 0));
    ck_assert(work_is(a, 0, BYTES, 3));
    ck_assert(work_is(b, 0, BYTES, 2));
    end();
}
END_TEST

/* A chain over three devices and the host, on every backend, deferred and threaded. */
START_TEST(chains_over_places_are_in_order)
{
    begin(backends[_i / 3], rests[_i % 3]);
    work_fill(a, 0, BYTES, 0);
    for (int i = 0; i < 60; ++i)
        ck_assert_msg(work_increase("chain", a, i % 4 ? all : (acre_range){0, 50}, 1 + i % 3, 1) == ACRE_OK,
                      "%s", acre_message());
    ck_assert(work_is(a, 0, 50, 60));
    ck_assert(work_is(a, 50, 50, 45));
    ck_assert_int_eq(acre_array_wait(a), ACRE_OK);
    ck_assert_int_eq(acre_context_wait(context), ACRE_OK);
    ck_assert_uint_eq(a->map.in_flight, 0);
    end();
}
END_TEST

/* Readers on other devices hold up the writer on one. */
/* No queue of one backend can wait for one of another: then the caller does. */
START_TEST(chains_over_backends_are_in_order)
{
    const acre_backend *whole[3] = {&mock_backend, &mock_peer_backend, &mock_alias_backend};
    struct acre_choice choices[3];
    for (size_t i = 0; i < 3; ++i) {
        ck_assert_int_eq(acre_registry_start(whole[i], &whole[i]), ACRE_OK);
        choices[i] = (struct acre_choice){whole[i], i, 3};
    }
    mock_threads(rests[_i]);
    ck_assert_msg(acre_context_open_choices(choices, 3, &context) == ACRE_OK, "%s", acre_message());
    mock_threads(-1);
    a = work_array(context, BYTES, "a");
    b = work_array(context, BYTES, "b");
    work_fill(a, 0, BYTES, 0);
    for (int i = 0; i < 60; ++i) {
        ck_assert_msg(work_increase("chain", a, i % 4 ? all : (acre_range){0, 50}, 1 + i % 3, 1) == ACRE_OK,
                      "%s", acre_message());
        ck_assert_int_eq(work_add("read", b, a, all, 1 + (i + 1) % 3, 0), ACRE_OK);
    }
    ck_assert(work_is(a, 0, 50, 60));
    ck_assert(work_is(a, 50, 50, 45));
    ck_assert(work_is(b, 0, 50, 60));
    end();
}
END_TEST

START_TEST(writes_wait_for_readers_elsewhere)
{
    begin(backends[_i / 3], rests[_i % 3]);
    work_fill(a, 0, BYTES, 0);
    for (int i = 1; i <= 30; ++i) {
        ck_assert_int_eq(work_increase("write", a, all, 1, 1), ACRE_OK);
        ck_assert_int_eq(work_add("read", b, a, all, 2, 0), ACRE_OK);
        ck_assert_int_eq(work_increase("write", a, all, 1, 1), ACRE_OK);
        ck_assert_int_eq(work_add("read", b, a, (acre_range){50, 50}, 3, 0), ACRE_OK);
        ck_assert(work_is(b, 0, 50, 2 * i - 1));
        ck_assert(work_is(b, 50, 50, 2 * i));
    }
    end();
}
END_TEST

START_TEST(host_write_then_reads_on_two_devices)
{
    begin(&mock_backend, -1);
    ck_assert_int_eq(work_add("first", a, NULL, all, 1, 5), ACRE_OK);
    ck_assert(work_is(a, 0, BYTES, 5));
    ck_assert_int_eq(work_add("read", b, a, all, 2, 0), ACRE_OK);
    const acre_copied before = a->uploaded;
    work_fill(a, 20, 30, 6);
    ck_assert_int_eq(work_add("read", b, a, all, 1, 0), ACRE_OK);
    ck_assert_int_eq(work_add("read", b, a, all, 2, 0), ACRE_OK);
    ck_assert_int_eq(work_add("read", b, a, all, 1, 0), ACRE_OK);
    ck_assert_uint_eq(a->uploaded.copies, before.copies + 2);
    ck_assert_uint_eq(a->uploaded.bytes, before.bytes + 60);
    acre_copied copied;
    ck_assert_int_eq(acre_context_copied(context, 0, 2, &copied), ACRE_OK);
    ck_assert_uint_eq(copied.bytes, BYTES + 30);
    end();
}
END_TEST

START_TEST(device_write_then_host_read_moves_what_was_written)
{
    begin(&mock_backend, -1);
    acre_array *large = work_array(context, 1 << 20, "large");
    work_fill(large, 0, 1 << 20, 1);
    ck_assert_int_eq(work_increase("part", large, (acre_range){0, 4096}, 1, 1), ACRE_OK);
    ck_assert(work_is(large, 0, 4096, 2));
    ck_assert(work_is(large, 4096, (1 << 20) - 4096, 1));
    ck_assert_uint_eq(large->downloaded.bytes, 4096);
    ck_assert_uint_eq(large->uploaded.bytes, 4096);
    acre_array_destroy(large);
    end();
}
END_TEST

/* Uploaded asynchronously and overwritten at once: the device has the old values. */
START_TEST(host_writes_wait_for_copies_that_read)
{
    enum { TIMES = 100 };
    const size_t size = getenv("ACRE_TEST_LONG") ? (size_t)1 << 26 : (size_t)1 << 22;
    begin(&mock_backend, rests[_i]);
    acre_array *large = work_array(context, size, "large");
    unsigned char *values = malloc(size);
    memset(values, 0, size);
    ck_assert_int_eq(acre_array_write(large, 0, size, values), ACRE_OK);
    for (int i = 1; i <= TIMES; ++i) {
        ck_assert_int_eq(acre_array_prefetch(large, 1, NULL, 0), ACRE_OK);
        ck_assert_int_eq(work_add("keep", b, large, all, 1, 0), ACRE_OK);
        memset(values, i, size);
        ck_assert_int_eq(acre_array_write(large, 0, size, values), ACRE_OK);
        ck_assert(work_is(b, 0, BYTES, i - 1));
    }
    free(values);
    acre_array_destroy(large);
    end();
}
END_TEST

START_TEST(prefetch_returns_at_once)
{
    begin(backends[_i], -1);
    work_fill(a, 0, BYTES, 3);
    ck_assert_int_eq(acre_array_prefetch(a, 1, NULL, 0), ACRE_OK);
    ck_assert_int_eq(acre_array_prefetch(a, 2, NULL, 0), ACRE_OK);
    ck_assert_int_eq(work_increase("f", a, all, 2, 1), ACRE_OK);
    const int before = mock_count().done;
    const acre_range part = {10, 20};
    ck_assert_int_eq(acre_array_prefetch(a, 0, &part, 1), ACRE_OK);
    ck_assert_int_eq(mock_count().done, before);
    ck_assert_int_eq(acre_array_wait(a), ACRE_OK);
    ck_assert(work_is(a, 0, BYTES, 4));
    ck_assert_int_eq(acre_array_prefetch(b, 1, NULL, 0), ACRE_ERR_UNDEFINED);
    end();
}
END_TEST

START_TEST(destroying_waits_for_work)
{
    begin(backends[_i / 3], rests[_i % 3]);
    for (int i = 0; i < 20; ++i) {
        acre_array *array = work_array(context, 1 << 16, "short-lived");
        ck_assert_int_eq(work_add("f", array, NULL, (acre_range){0, 1 << 16}, 1 + i % 3, i), ACRE_OK);
        ck_assert_int_eq(acre_array_prefetch(array, 0, NULL, 0), ACRE_OK);
        ck_assert_int_eq(acre_array_prefetch(array, 1 + (i + 1) % 3, NULL, 0), ACRE_OK);
        acre_array_destroy(array);
    }
    end();
}
END_TEST

START_TEST(late_failure_of_a_copy_loses_nothing)
{
    begin(&mock_backend, rests[_i]);
    work_fill(a, 0, BYTES, 9);
    mock_fail(MOCK_LATE, 1);
    ck_assert_int_eq(acre_array_prefetch(a, 1, NULL, 0), ACRE_OK);
    ck_assert_int_eq(acre_array_wait(a), ACRE_ERR_BACKEND);
    work_expect_message(
        "array 'a': bytes [0, +100): the copy of bytes [0, +100) of array 'a' from host to mock:0 "
        "failed: the mock's work was told to fail");
    ck_assert(!work_has(a, 1, 0) && work_has(a, 0, 0));
    ck_assert_int_eq(acre_array_wait(a), ACRE_OK);
    ck_assert_int_eq(acre_context_wait(context), ACRE_ERR_BACKEND);
    ck_assert_int_eq(acre_context_wait(context), ACRE_OK);
    ck_assert_int_eq(work_add("f", b, a, all, 1, 0), ACRE_OK);
    ck_assert(work_is(b, 0, BYTES, 9));
    end();
}
END_TEST

/* The reader is told; reading again copies again. */
START_TEST(late_failure_of_a_copy_is_told_to_the_reader)
{
    void *address;
    begin(&mock_backend, rests[_i]);
    ck_assert_int_eq(work_add("f", a, NULL, all, 1, 7), ACRE_OK);
    ck_assert_int_eq(acre_context_wait(context), ACRE_OK);
    mock_fail(MOCK_LATE, 1);
    ck_assert_int_eq(acre_array_acquire(a, 0, ACRE_READ, NULL, 0, &address), ACRE_ERR_BACKEND);
    work_expect_message("from mock:0 to host failed: the mock's work was told to fail; ");
    work_expect_message("test_memory_async.c:");
    ck_assert_ptr_null(a->holders);
    ck_assert(work_is(a, 0, BYTES, 7));
    end();
}
END_TEST

START_TEST(late_failure_of_a_kernel_loses_what_it_wrote)
{
    void *address;
    begin(&mock_backend, rests[_i]);
    work_fill(a, 0, BYTES, 1);
    ck_assert_int_eq(acre_array_prefetch(a, 1, NULL, 0), ACRE_OK);
    ck_assert_int_eq(acre_context_wait(context), ACRE_OK);
    mock_fail(MOCK_LATE, 1);
    ck_assert_int_eq(work_increase("shaky", a, (acre_range){10, 20}, 1, 1), ACRE_OK);
    ck_assert_int_eq(acre_array_prefetch(a, 2, NULL, 0), ACRE_OK); /* a copy of what was lost is lost, too */
    ck_assert_int_eq(work_add("heir", b, a, all, 2, 0), ACRE_OK);  /* and so is what is made of it */
    ck_assert_int_eq(acre_array_acquire(a, 0, ACRE_READ, NULL, 0, &address), ACRE_ERR_LOST);
    work_expect_message(
        "array 'a': bytes [10, +20) were lost when kernel shaky failed: the mock's work was told to "
        "fail; ");
    ck_assert_int_eq(acre_array_acquire(a, 2, ACRE_READ, NULL, 0, &address), ACRE_ERR_LOST);
    ck_assert_int_eq(acre_array_acquire(a, 0, ACRE_PARTIAL_WRITE, NULL, 0, &address), ACRE_ERR_LOST);
    ck_assert_int_eq(acre_array_acquire(b, 0, ACRE_READ, NULL, 0, &address), ACRE_ERR_LOST);
    work_expect_message(
        "were lost when kernel heir failed: kernel shaky failed: the mock's work was told to fail");
    ck_assert_int_eq(acre_array_wait(b), ACRE_ERR_LOST);
    ck_assert_int_eq(acre_array_prefetch(b, 1, NULL, 0), ACRE_ERR_LOST);
    ck_assert(work_is(a, 0, 10, 1)); /* the rest is there */
    ck_assert(work_is(a, 30, 70, 1));
    work_fill(a, 10, 20, 4);
    ck_assert(work_is(a, 10, 20, 4));
    ck_assert_int_eq(work_add("new", b, a, all, 2, 0), ACRE_OK);
    ck_assert(work_is(b, 10, 20, 4));
    end();
}
END_TEST

/* A kernel that read what a failed copy should have brought. */
START_TEST(late_failure_of_a_copy_spoils_what_is_made_of_it)
{
    void *address;
    begin(&mock_backend, rests[_i]);
    work_fill(a, 0, BYTES, 1);
    mock_fail(MOCK_LATE, 1);
    ck_assert_int_eq(work_add("f", b, a, all, 1, 1), ACRE_OK);
    ck_assert_int_eq(acre_array_acquire(b, 0, ACRE_READ, NULL, 0, &address), ACRE_ERR_LOST);
    work_expect_message(
        "when kernel f failed: the copy of bytes [0, +100) of array 'a' from host to mock:0 failed: "
        "the mock's");
    ck_assert(work_is(a, 0, BYTES, 1));
    end();
}
END_TEST

/* With threads it may be known already when the next work is submitted. */
START_TEST(late_failure_of_a_kernel_is_told_sooner_or_later)
{
    void *address;
    begin(&mock_backend, rests[_i]);
    mock_fail(MOCK_LATE, 1);
    ck_assert_int_eq(work_add("shaky", a, NULL, all, 1, 1), ACRE_OK);
    const acre_status status = work_add("heir", b, a, all, 2, 0);
    ck_assert(status == ACRE_OK || status == ACRE_ERR_LOST);
    ck_assert_int_eq(acre_array_acquire(b, 0, ACRE_READ, NULL, 0, &address),
                     status == ACRE_OK ? ACRE_ERR_LOST : ACRE_ERR_UNDEFINED);
    ck_assert_int_eq(acre_array_acquire(a, 0, ACRE_READ, NULL, 0, &address), ACRE_ERR_LOST);
    work_expect_message("were lost when kernel shaky failed: the mock's work was told to fail");
    end();
}
END_TEST

START_TEST(failure_that_nobody_met_goes_to_the_log)
{
    begin(&mock_backend, -1);
    mock_fail(MOCK_LATE, 1);
    ck_assert_int_eq(work_add("unmet", a, NULL, all, 1, 1), ACRE_OK);
    work_fill(a, 0, BYTES, 2);
    ck_assert_int_eq(acre_array_acquire(a, 1, ACRE_READ, NULL, 0, NULL),
                     ACRE_OK); /* the kernel is done, then */
    ck_assert_int_eq(acre_array_release(a, 1, ACRE_READ, NULL, 0), ACRE_OK);
    ck_assert(work_is(a, 0, BYTES, 2));
    capture_begin();
    end();
    char *text = capture_end();
    ck_assert_msg(strstr(text,
                         "acre: error: kernel unmet failed after it was submitted: the mock's work was told to "
                         "fail") != NULL,
                  "%s", text);
    free(text);
}
END_TEST

/* A kernel that can't be submitted leaves all as it was. */
START_TEST(failure_at_submission_changes_nothing)
{
    static const enum mock_operation operations[] = {MOCK_CALL, MOCK_UPLOAD, MOCK_ALLOC};
    begin(&mock_backend, rests[_i]);
    work_fill(a, 0, BYTES, 1);
    work_fill(b, 0, BYTES, 2);
    for (int i = 0; i < 3; ++i) {
        if (i == 2) {
            acre_array_evict(a, 1);
            acre_array_evict(b, 1);
            acre_pool_trim(&context->memory->devices[0]);
        }
        if (i == 1)
            ck_assert_int_eq(acre_array_evict(a, 1), ACRE_OK);
        mock_fail(operations[i], 1);
        ck_assert_int_ne(work_add("f", b, a, all, 1, 5), ACRE_OK);
        work_expect_message("told to fail");
        ck_assert_ptr_null(a->holders);
        ck_assert_ptr_null(b->holders);
        ck_assert(work_is(b, 0, BYTES, 2));
        ck_assert(work_is(a, 0, BYTES, 1));
    }
    ck_assert_int_eq(work_add("f", b, a, all, 1, 5), ACRE_OK);
    ck_assert(work_is(b, 0, BYTES, 6));
    end();
}
END_TEST

/* Without an event from the backend the work is waited for. */
START_TEST(events_that_can_not_be_had_are_replaced_by_waiting)
{
    begin(&mock_backend, rests[_i]);
    work_fill(a, 0, BYTES, 1);
    for (unsigned n = 1; n <= 4; ++n) {
        mock_fail(MOCK_RECORD, n);
        ck_assert_int_eq(work_increase("f", a, all, 1, 1), ACRE_OK);
        ck_assert_int_eq(work_increase("g", a, all, 2, 1), ACRE_OK);
        ck_assert(work_is(a, 0, BYTES, (int)(1 + 2 * n)));
    }
    end();
}
END_TEST

START_TEST(the_host_fast_path_is_on_when_all_is_there)
{
    begin(&mock_peer_backend, rests[_i]);
    ck_assert_ptr_null(a->head.ready);
    ck_assert_ptr_null(acre_array_host(a));
    work_fill(a, 0, BYTES, 1);
    ck_assert_ptr_eq(a->head.ready, a->host);
    ck_assert_int_eq(work_add("read", b, a, all, 1, 0), ACRE_OK);
    ck_assert_ptr_eq(a->head.ready, a->host); /* being read elsewhere is no matter */
    ck_assert_int_eq(work_increase("write", a, (acre_range){0, 1}, 1, 1), ACRE_OK);
    ck_assert_ptr_null(a->head.ready);
    ck_assert_int_eq(acre_array_prefetch(a, 0, NULL, 0), ACRE_OK);
    const unsigned char *bytes = acre_array_host(a);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_int_eq(bytes[0], 2);
    ck_assert_int_eq(bytes[1], 1);
    ck_assert_ptr_eq(a->head.ready, a->host);
    end();
}
END_TEST

START_TEST(peers_copy_directly)
{
    begin(&mock_peer_backend, rests[_i]);
    ck_assert_int_eq(work_add("f", a, NULL, all, 1, 3), ACRE_OK);
    ck_assert_int_eq(work_add("g", b, a, all, 2, 1), ACRE_OK);
    ck_assert_ptr_null(a->host);
    ck_assert_uint_eq(a->peered.bytes, BYTES);
    ck_assert_int_eq(work_add("h", b, a, all, 3, 2), ACRE_OK); /* no path to that one */
    ck_assert_uint_eq(a->peered.bytes, BYTES);
    ck_assert_uint_eq(a->downloaded.bytes, BYTES);
    ck_assert_uint_eq(a->uploaded.bytes, BYTES);
    ck_assert(work_is(b, 0, BYTES, 5));
    ck_assert_int_gt(mock_count().pinned, 0);
    end();
}
END_TEST

START_TEST(aliases_are_never_copied)
{
    begin(&mock_alias_backend, rests[_i]);
    work_fill(a, 0, BYTES, 1);
    for (int i = 0; i < 20; ++i)
        ck_assert_int_eq(work_increase("f", a, all, 1 + i % 3, 1), ACRE_OK);
    ck_assert_int_eq(work_add("g", b, a, all, 1, 0), ACRE_OK);
    ck_assert(work_is(b, 0, BYTES, 21));
    ck_assert(work_is(a, 0, BYTES, 21));
    acre_statistics statistics;
    ck_assert_int_eq(acre_context_statistics(context, &statistics), ACRE_OK);
    ck_assert_uint_eq(statistics.uploads.copies + statistics.downloads.copies + statistics.peers.copies, 0);
    ck_assert_uint_eq(statistics.kernels, 21);
    ck_assert_uint_eq(acre_array_handle_count(a), 3);
    acre_handle_info info;
    ck_assert_int_eq(acre_array_handle(a, 0, &info), ACRE_OK);
    ck_assert_int_eq(info.ownership, ACRE_HANDLE_ALIAS);
    ck_assert_int_eq(acre_array_handle(a, 3, &info), ACRE_ERR_ARGUMENT);
    end();
}
END_TEST

START_TEST(dump_says_what_is_known)
{
    char *text;
    begin(&mock_backend, -1);
    work_fill(a, 0, 50, 1);
    ck_assert_int_eq(work_increase("f", a, (acre_range){10, 10}, 2, 1), ACRE_OK);
    ck_assert_int_eq(acre_array_dump(a, &text), ACRE_OK);
    static const char *const parts[] = {
        "array 'a': 100 bytes, version 2, 4 intervals\n",
        "  memory at mock:1 for [10, +10): its own\n",
        "  [0, +10): host\n",
        "  [10, +10): mock:1\n      made by: work 2, kernel f: under way\n",
        "  [50, +50): undefined\n",
    };
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); ++i)
        ck_assert_msg(strstr(text, parts[i]) != NULL, "\"%s\" is not in\n%s", parts[i], text);
    free(text);
    end();
}
END_TEST

Suite *acre_suite_memory_async(void)
{
    Suite *suite = suite_create("memory_async");
    TCase *test = tcase_create("memory_async");
    tcase_set_timeout(test, 60);
    tcase_add_test(test, kernels_are_not_waited_for);
    tcase_add_loop_test(test, chains_over_places_are_in_order, 0, 9);
    tcase_add_loop_test(test, chains_over_backends_are_in_order, 0, 3);
    tcase_add_loop_test(test, writes_wait_for_readers_elsewhere, 0, 9);
    tcase_add_test(test, host_write_then_reads_on_two_devices);
    tcase_add_test(test, device_write_then_host_read_moves_what_was_written);
    tcase_add_loop_test(test, host_writes_wait_for_copies_that_read, 0, 3);
    tcase_add_loop_test(test, prefetch_returns_at_once, 0, 3);
    tcase_add_loop_test(test, destroying_waits_for_work, 0, 9);
    tcase_add_loop_test(test, late_failure_of_a_copy_loses_nothing, 0, 3);
    tcase_add_loop_test(test, late_failure_of_a_copy_is_told_to_the_reader, 0, 3);
    tcase_add_loop_test(test, late_failure_of_a_kernel_loses_what_it_wrote, 0, 1);
    tcase_add_loop_test(test, late_failure_of_a_copy_spoils_what_is_made_of_it, 0, 1);
    tcase_add_loop_test(test, late_failure_of_a_kernel_is_told_sooner_or_later, 0, 3);
    tcase_add_test(test, failure_that_nobody_met_goes_to_the_log);
    tcase_add_loop_test(test, failure_at_submission_changes_nothing, 0, 3);
    tcase_add_loop_test(test, events_that_can_not_be_had_are_replaced_by_waiting, 0, 3);
    tcase_add_loop_test(test, the_host_fast_path_is_on_when_all_is_there, 0, 3);
    tcase_add_loop_test(test, peers_copy_directly, 0, 3);
    tcase_add_loop_test(test, aliases_are_never_copied, 0, 3);
    tcase_add_test(test, dump_says_what_is_known);
    suite_add_tcase(suite, test);
    return suite;
}
