/* tests/test_memory_budget.c: the budget of a device: who makes room for whom, and that nothing is lost by it.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "acre/group.h"
#include "memory_work.h"
#include "mock_backend.h"

Suite *acre_suite_memory_budget(void);

enum { BYTES = 1000, MOST = 6 };
static acre_context *context;
static acre_array *arrays[MOST];
static const acre_range all = {0, BYTES};

static void begin(const acre_backend *backend, const char *budget, int most_rest)
{
    static const char *const names[MOST] = {"a0", "a1", "a2", "a3", "a4", "a5"};
    setenv("ACRE_DEVICE_MEMORY", budget, 1);
    mock_threads(most_rest);
    context = mock_context_of(backend, MOCK_DEVICES);
    mock_threads(-1);
    unsetenv("ACRE_DEVICE_MEMORY");
    for (int i = 0; i < MOST; ++i)
        arrays[i] = work_array(context, BYTES, names[i]);
}

static void end(void)
{
    for (int operation = 0; operation < MOCK_OPERATIONS; ++operation)
        mock_fail((enum mock_operation)operation, 0);
    for (int i = 0; i < MOST; ++i)
        acre_array_destroy(arrays[i]);
    acre_context_destroy(context);
    ck_assert_int_eq(mock_count().blocks, 0);
    ck_assert_int_eq(mock_count().events, 0);
}

static acre_statistics statistics(void)
{
    acre_statistics now;
    ck_assert_int_eq(acre_context_statistics(context, &now), ACRE_OK);
    return now;
}

static acre_status try(int i, acre_access access)
{
    return acre_array_acquire(arrays[i], 1, access, NULL, 0, NULL);
}

static void give(int i, acre_access access)
{
    ck_assert_int_eq(acre_array_release(arrays[i], 1, access, NULL, 0), ACRE_OK);
}

/* Room for three; kernels over five in rotation; one is dirtied each step. */
START_TEST(rotation_keeps_all_values)
{
    static const int rests[] = {-1, 0, 200};
    begin(&mock_backend, "3000", rests[_i]);
    int values[5] = {0};
    for (int i = 0; i < 5; ++i)
        work_fill(arrays[i], 0, BYTES, 0);
    for (int step = 0; step < 100; ++step) {
        const int to = step % 5, from = (step + 1) % 5;
        ck_assert_msg(work_add("rotate", arrays[to], arrays[from], all, 1, 1) == ACRE_OK, "%s", acre_message());
        values[to] = values[from] + 1;
        ck_assert_uint_le(context->memory->devices[0].card->used, 3000);
    }
    for (int i = 0; i < 5; ++i)
        ck_assert(work_is(arrays[i], 0, BYTES, values[i]));
    ck_assert_uint_gt(statistics().evictions, 50);
    end();
}
END_TEST

/* What is dirty is written back once, what is clean is dropped. */
START_TEST(only_dirty_ranges_are_written_back)
{
    begin(&mock_backend, "2K", -1);
    work_fill(arrays[0], 0, BYTES, 1);
    work_fill(arrays[1], 0, BYTES, 2);
    ck_assert_int_eq(work_increase("dirty", arrays[0], (acre_range){100, 50}, 1, 1),
                     ACRE_OK); /* 50 bytes there */
    ck_assert_int_eq(acre_array_prefetch(arrays[0], 1, NULL, 0), ACRE_OK);
    ck_assert_int_eq(acre_array_prefetch(arrays[1], 1, NULL, 0), ACRE_OK);
    ck_assert_uint_eq(statistics().evictions, 0);
    work_fill(arrays[2], 0, BYTES, 3);
    ck_assert_int_eq(acre_array_prefetch(arrays[2], 1, NULL, 0), ACRE_OK); /* arrays[0] has to go */
    ck_assert_uint_eq(statistics().evictions, 1);
    ck_assert_uint_eq(statistics().downloads.bytes, 50);
    ck_assert_ptr_null(arrays[0]->handles);
    ck_assert_int_eq(acre_array_prefetch(arrays[0], 1, NULL, 0), ACRE_OK); /* arrays[1] is clean */
    ck_assert_uint_eq(statistics().evictions, 2);
    ck_assert_uint_eq(statistics().downloads.bytes, 50);
    ck_assert_int_eq(acre_array_prefetch(arrays[1], 1, NULL, 0), ACRE_OK); /* so is arrays[2] */
    ck_assert_uint_eq(statistics().downloads.bytes, 50);
    ck_assert(work_is(arrays[0], 100, 50, 2));
    ck_assert(work_is(arrays[0], 0, 100, 1));
    ck_assert(work_is(arrays[1], 0, BYTES, 2));
    ck_assert(work_is(arrays[2], 0, BYTES, 3));
    end();
}
END_TEST

START_TEST(the_least_recently_used_goes)
{
    begin(&mock_backend, "3000", -1);
    for (int i = 0; i < 3; ++i)
        ck_assert_int_eq(work_add("make", arrays[i], NULL, all, 1, i), ACRE_OK);
    ck_assert_int_eq(work_increase("use", arrays[0], all, 1, 0), ACRE_OK);
    ck_assert_int_eq(work_add("make", arrays[3], NULL, all, 1, 3), ACRE_OK);
    ck_assert_ptr_null(arrays[1]->handles);
    ck_assert_ptr_nonnull(arrays[0]->handles);
    ck_assert_ptr_nonnull(arrays[2]->handles);
    for (int i = 0; i < 4; ++i)
        ck_assert(work_is(arrays[i], 0, BYTES, i));
    end();
}
END_TEST

START_TEST(with_everything_held_there_is_no_room)
{
    begin(&mock_backend, "3000", -1);
    for (int i = 0; i < 4; ++i)
        work_fill(arrays[i], 0, BYTES, i);
    for (int i = 0; i < 3; ++i)
        ck_assert_int_eq(try(i, ACRE_READ_WRITE), ACRE_OK);
    ck_assert_int_eq(try(3, ACRE_READ), ACRE_ERR_OUT_OF_MEMORY);
    work_expect_message(
        "array 'a3': no 1000 bytes at mock:0: of the budget of 3000 (ACRE_DEVICE_MEMORY) 3000 are taken");
    ck_assert_int_eq(work_add("f", arrays[4], arrays[3], all, 1, 0), ACRE_ERR_OUT_OF_MEMORY);
    ck_assert_ptr_null(arrays[3]->holders);
    for (int i = 0; i < 3; ++i)
        give(i, ACRE_READ_WRITE);
    ck_assert_int_eq(try(3, ACRE_READ), ACRE_OK);
    give(3, ACRE_READ);
    for (int i = 0; i < 4; ++i)
        ck_assert(work_is(arrays[i], 0, BYTES, i));
    end();
}
END_TEST

START_TEST(operands_of_one_call_stay)
{
    begin(&mock_backend, "2500", -1);
    for (int i = 0; i < 3; ++i)
        ck_assert_int_eq(work_add("make", arrays[i], NULL, all, 1, i), ACRE_OK);
    /* Two fit, whichever there are; three can't. */
    for (int i = 0; i < 12; ++i)
        ck_assert_int_eq(work_add("pair", arrays[i % 3], arrays[(i + 1) % 3], all, 1, 1), ACRE_OK);
    acre_view views[3];
    for (int i = 0; i < 3; ++i)
        views[i] = (acre_view){.array = arrays[i], .place = 1, .access = ACRE_READ};
    ck_assert_int_eq(acre_group_acquire(views, 3), ACRE_ERR_OUT_OF_MEMORY);
    ck_assert_int_eq(acre_group_acquire(views, 2), ACRE_OK);
    ck_assert_int_eq(acre_group_release(views, 2), ACRE_OK);
    end();
}
END_TEST

START_TEST(more_than_the_budget_evicts_nobody)
{
    begin(&mock_backend, "900", -1);
    ck_assert_int_eq(work_add("f", arrays[0], NULL, (acre_range){0, 500}, 1, 1), ACRE_OK);
    ck_assert_int_eq(work_add("f", arrays[1], NULL, all, 1, 1), ACRE_ERR_OUT_OF_MEMORY);
    work_expect_message("1000 bytes are more than the budget of 900");
    ck_assert_ptr_nonnull(arrays[0]->handles);
    end();
}
END_TEST

/* Writing back fails: no room, all data is there. */
START_TEST(failing_write_back_loses_nothing)
{
    static const enum mock_operation operations[] = {MOCK_LATE, MOCK_DOWNLOAD};
    begin(&mock_backend, "1000", -1);
    ck_assert_int_eq(work_add("make", arrays[0], NULL, all, 1, 7), ACRE_OK);
    ck_assert_int_eq(acre_context_wait(context), ACRE_OK);
    mock_fail(operations[_i], 1);
    ck_assert_int_ne(work_add("make", arrays[1], NULL, all, 1, 8), ACRE_OK);
    work_expect_message("told to fail");
    ck_assert_int_eq(acre_array_prefetch(arrays[0], 1, NULL, 0), ACRE_OK);
    ck_assert(work_is(arrays[0], 0, BYTES, 7));
    ck_assert_int_eq(work_add("make", arrays[1], NULL, all, 1, 8), ACRE_OK);
    ck_assert(work_is(arrays[1], 0, BYTES, 8));
    ck_assert(work_is(arrays[0], 0, BYTES, 7));
    end();
}
END_TEST

/* The backend has less than the budget: the pool goes first, then others. */
START_TEST(failing_allocation_makes_room)
{
    begin(&mock_backend, "1G", -1);
    ck_assert_int_eq(work_add("make", arrays[0], NULL, all, 1, 7), ACRE_OK);
    mock_fail(MOCK_ALLOC, 1);
    ck_assert_int_eq(work_add("make", arrays[1], NULL, (acre_range){0, 500}, 1, 8), ACRE_OK);
    ck_assert(work_is(arrays[0], 0, BYTES, 7));
    ck_assert(work_is(arrays[1], 0, 500, 8));
    end();
}
END_TEST

START_TEST(freed_blocks_are_used_again)
{
    begin(&mock_backend, "1G", -1);
    ck_assert_int_eq(work_add("make", arrays[0], NULL, all, 1, 7), ACRE_OK);
    ck_assert_int_eq(acre_array_evict(arrays[0], 1), ACRE_OK);
    ck_assert_int_eq(acre_array_evict(arrays[0], 1), ACRE_OK);
    ck_assert_int_eq(mock_count().blocks, 1);
    ck_assert_int_eq(work_add("make", arrays[1], NULL, all, 1, 8), ACRE_OK);
    ck_assert_int_eq(mock_count().blocks, 1);
    ck_assert_uint_eq(statistics().pool_hits, 1);
    ck_assert_uint_eq(statistics().allocations, 1);
    ck_assert_int_eq(acre_array_evict(arrays[1], 1), ACRE_OK);
    ck_assert_int_eq(work_add("make", arrays[2], NULL, (acre_range){0, 10}, 1, 8),
                     ACRE_OK); /* too large for it */
    ck_assert_uint_eq(statistics().allocations, 2);
    ck_assert(work_is(arrays[0], 0, BYTES, 7));
    ck_assert(work_is(arrays[1], 0, BYTES, 8));
    end();
}
END_TEST

START_TEST(devices_of_one_card_share_its_budget)
{
    mock_one_card(true);
    begin(&mock_backend, "2000", -1);
    mock_one_card(false);
    for (int i = 0; i < 5; ++i) {
        ck_assert_int_eq(work_add("make", arrays[i], NULL, all, 1 + i % 3, i), ACRE_OK);
        ck_assert_uint_le(context->memory->devices[0].card->used, 2000);
    }
    ck_assert_uint_eq(statistics().evictions, 3);
    for (int i = 0; i < 5; ++i)
        ck_assert(work_is(arrays[i], 0, BYTES, i));
    end();
}
END_TEST

START_TEST(evicting_by_hand)
{
    begin(&mock_backend, "1G", -1);
    ck_assert_int_eq(acre_array_evict(arrays[0], 0), ACRE_ERR_ARGUMENT);
    ck_assert_int_eq(acre_array_evict(arrays[0], 4), ACRE_ERR_ARGUMENT);
    ck_assert_int_eq(acre_array_evict(arrays[0], 1), ACRE_OK);
    ck_assert_int_eq(work_add("make", arrays[0], NULL, all, 1, 3), ACRE_OK);
    ck_assert_int_eq(try(0, ACRE_READ), ACRE_OK);
    ck_assert_int_eq(acre_array_evict(arrays[0], 1), ACRE_ERR_CONFLICT);
    give(0, ACRE_READ);
    ck_assert_int_eq(acre_array_evict(arrays[0], 1), ACRE_OK);
    ck_assert(!work_has(arrays[0], 1, 0) && work_has(arrays[0], 0, 0));
    ck_assert(work_is(arrays[0], 0, BYTES, 3));
    end();
}
END_TEST

START_TEST(malformed_budgets_are_errors)
{
    static const char *const bad[] = {"x",  "0",   "0%",  "101%", "1000%",
                                      "-1", "12Q", "5%%", "1.5G", "99999999999999999999"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i) {
        acre_context *none;
        setenv("ACRE_DEVICE_MEMORY", bad[i], 1);
        ck_assert_int_eq(acre_context_open(&mock_backend, 1, &none), ACRE_ERR_ENVIRONMENT);
        work_expect_message("ACRE_DEVICE_MEMORY is \"");
        ck_assert_int_eq(mock_count().devices, 0);
    }
    unsetenv("ACRE_DEVICE_MEMORY");
}
END_TEST

Suite *acre_suite_memory_budget(void)
{
    Suite *suite = suite_create("memory_budget");
    TCase *test = tcase_create("memory_budget");
    tcase_add_loop_test(test, rotation_keeps_all_values, 0, 3);
    tcase_add_test(test, only_dirty_ranges_are_written_back);
    tcase_add_test(test, the_least_recently_used_goes);
    tcase_add_test(test, with_everything_held_there_is_no_room);
    tcase_add_test(test, operands_of_one_call_stay);
    tcase_add_test(test, more_than_the_budget_evicts_nobody);
    tcase_add_loop_test(test, failing_write_back_loses_nothing, 0, 2);
    tcase_add_test(test, failing_allocation_makes_room);
    tcase_add_test(test, freed_blocks_are_used_again);
    tcase_add_test(test, devices_of_one_card_share_its_budget);
    tcase_add_test(test, evicting_by_hand);
    tcase_add_test(test, malformed_budgets_are_errors);
    suite_add_tcase(suite, test);
    return suite;
}
