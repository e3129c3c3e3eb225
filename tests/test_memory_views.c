/* tests/test_memory_views.c: views and the library's own work: who waits for whom; groups; memory of the
 * user's; what ACRE_CHECK=1 finds. */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acre/group.h"
#include "capture.h"
#include "memory_work.h"
#include "mock_backend.h"

Suite *acre_suite_memory_views(void);

enum { BYTES = 100 };
static acre_context *context;
static acre_array *a, *b;
static const acre_range all = {0, BYTES};

static void begin(const acre_backend *backend)
{
    context = mock_context_of(backend, MOCK_DEVICES);
    a = work_array(context, BYTES, "a");
    b = work_array(context, BYTES, "b");
}

static void end(void)
{
    work_end(context, a, b);
}

/* Waiting. */

struct other {
    pthread_t thread;
    acre_status (*act)(void);
    acre_status status;
    _Atomic bool is_done;
};

static void *run_other(void *argument)
{
    struct other *other = argument;
    other->status = other->act();
    other->is_done = true;
    return NULL;
}

static void start_other(struct other *other, acre_status (*act)(void))
{
    other->act = act;
    other->is_done = false;
    ck_assert_int_eq(pthread_create(&other->thread, NULL, run_other, other), 0);
    usleep(20000);
}

static acre_status write_by_library(void)
{
    return work_add("f", a, NULL, all, 1, 4);
}

static acre_status write_by_user(void)
{
    acre_status status = acre_array_acquire_waiting(a, 0, ACRE_WRITE, NULL, 0, NULL);
    return status ? status : acre_array_release(a, 0, ACRE_WRITE, NULL, 0);
}

static acre_status write_by_user_at_once(void)
{
    return acre_array_acquire(a, 0, ACRE_WRITE, NULL, 0, NULL);
}

/* The library's work and users who want to wait for a view of another thread; others are refused. */
START_TEST(views_of_other_threads_are_waited_for)
{
    static acre_status (*const acts[])(void) = {write_by_library, write_by_user};
    struct other other;
    begin(&mock_backend);
    work_fill(a, 0, BYTES, 1);
    ck_assert_int_eq(acre_array_acquire(a, 0, ACRE_READ, NULL, 0, NULL), ACRE_OK);
    start_other(&other, acts[_i]);
    ck_assert(!other.is_done);
    ck_assert_int_eq(acre_array_release(a, 0, ACRE_READ, NULL, 0), ACRE_OK);
    pthread_join(other.thread, NULL);
    ck_assert_int_eq(other.status, ACRE_OK);
    ck_assert_uint_eq(acre_array_version(a), 2);

    ck_assert_int_eq(acre_array_acquire(a, 0, ACRE_READ, NULL, 0, NULL), ACRE_OK);
    start_other(&other, write_by_user_at_once);
    pthread_join(other.thread, NULL);
    ck_assert_int_eq(other.status, ACRE_ERR_CONFLICT);
    ck_assert_int_eq(acre_array_release(a, 0, ACRE_READ, NULL, 0), ACRE_OK);
    end();
}
END_TEST

/* Nobody would ever let go. */
START_TEST(views_of_the_same_thread_are_conflicts)
{
    begin(&mock_backend);
    work_fill(a, 0, BYTES, 1);
    ck_assert_int_eq(acre_array_acquire(a, 0, ACRE_READ, NULL, 0, NULL), ACRE_OK);
    ck_assert_int_eq(write_by_library(), ACRE_ERR_CONFLICT);
    work_expect_message("are held for reading at host by ");
    work_expect_message("work.c:7 can't have them for writing at mock:0");
    ck_assert_int_eq(write_by_user(), ACRE_ERR_CONFLICT);
    ck_assert_int_eq(work_add("read", b, a, all, 1, 0), ACRE_OK);
    ck_assert_int_eq(acre_array_release(a, 0, ACRE_READ, NULL, 0), ACRE_OK);
    ck_assert(work_is(b, 0, BYTES, 1));
    end();
}
END_TEST

/* 8 threads on 4 arrays: each adds, by kernels and by hand, to bytes of its own and reads those of others. */
enum { THREADS = 8, ARRAYS = 4, PIECE = 16 };
static acre_array *shared[ARRAYS];
struct adder {
    pthread_t thread;
    int number, rounds, bad;
};

static acre_status add_by_hand(acre_array *array, acre_range range, acre_place place)
{
    void *address;
    acre_status status = acre_array_acquire_waiting(array, place, ACRE_READ_WRITE, &range, 1, &address);
    if (status)
        return status;
    for (size_t i = range.offset; i < range.offset + range.bytes; ++i)
        ++((unsigned char *)address)[i];
    return acre_array_release(array, place, ACRE_READ_WRITE, &range, 1);
}

/* One step; nothing has happened when there was no room for it, as others hold it all. */
static acre_status step(acre_array *array, const struct adder *adder, int round)
{
    const acre_range mine = {(size_t)adder->number * PIECE, PIECE};
    const acre_place place = (round / 3 + adder->number) % (1 + MOCK_DEVICES);
    return round % 3 == 0 ? add_by_hand(array, mine, place)
                          : work_increase("add", array, mine, 1 + place % MOCK_DEVICES, 1);
}

static void *add_up(void *argument)
{
    struct adder *adder = argument;
    for (int round = 0; round < adder->rounds; ++round) {
        acre_array *array = shared[(round + adder->number) % ARRAYS];
        acre_status status;
        while ((status = step(array, adder, round)) == ACRE_ERR_OUT_OF_MEMORY)
            usleep(100);
        adder->bad += status != ACRE_OK;
        if (round % 7 == 0) {
            adder->bad += acre_array_acquire_waiting(array, 0, ACRE_READ, NULL, 0, NULL) != ACRE_OK;
            adder->bad += acre_array_release(array, 0, ACRE_READ, NULL, 0) != ACRE_OK;
        }
        if (round % 31 == 0) {
            status = acre_array_prefetch(array, round % (1 + MOCK_DEVICES), NULL, 0);
            adder->bad += status != ACRE_OK && status != ACRE_ERR_OUT_OF_MEMORY;
        }
    }
    return NULL;
}

START_TEST(threads_on_shared_arrays_give_right_values)
{
    static const acre_backend *const backends[] = {&mock_backend, &mock_peer_backend, &mock_alias_backend};
    struct adder adders[THREADS];
    mock_threads(20);
    if (_i >= 3)
        setenv("ACRE_DEVICE_MEMORY", "300", 1); /* less than what they use */
    context = mock_context_of(backends[_i % 3], MOCK_DEVICES);
    unsetenv("ACRE_DEVICE_MEMORY");
    mock_threads(-1);
    for (int i = 0; i < ARRAYS; ++i)
        ck_assert_int_eq(acre_array_create(context, THREADS * PIECE, true, "shared", &shared[i]), ACRE_OK);
    for (int i = 0; i < THREADS; ++i) {
        adders[i] = (struct adder){.number = i, .rounds = 120};
        ck_assert_int_eq(pthread_create(&adders[i].thread, NULL, add_up, &adders[i]), 0);
    }
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(adders[i].thread, NULL);
        ck_assert_int_eq(adders[i].bad, 0);
    }
    for (int i = 0; i < ARRAYS; ++i) {
        ck_assert(work_is(shared[i], 0, THREADS * PIECE, 30));
        ck_assert_msg(acre_interval_map_check(&shared[i]->map) == ACRE_OK, "%s", acre_message());
        acre_array_destroy(shared[i]);
    }
    acre_context_destroy(context);
}
END_TEST

/* Handles. */

START_TEST(handles_cover_what_is_used)
{
    begin(&mock_backend);
    ck_assert_int_eq(work_add("f", a, NULL, (acre_range){10, 10}, 1, 1), ACRE_OK);
    ck_assert_int_eq(work_add("f", a, NULL, (acre_range){50, 10}, 1, 2), ACRE_OK);
    ck_assert_uint_eq(acre_array_handle_count(a), 2);
    ck_assert_int_eq(work_add("f", a, NULL, (acre_range){15, 40}, 1, 3), ACRE_OK); /* takes both up */
    acre_handle_info info;
    ck_assert_uint_eq(acre_array_handle_count(a), 1);
    ck_assert_int_eq(acre_array_handle(a, 0, &info), ACRE_OK);
    ck_assert_uint_eq(info.covers.offset, 10);
    ck_assert_uint_eq(info.covers.bytes, 50);
    ck_assert_int_eq(info.ownership, ACRE_HANDLE_OWNED);
    ck_assert(work_is(a, 10, 5, 1));
    ck_assert(work_is(a, 15, 40, 3));
    ck_assert(work_is(a, 55, 5, 2));
    end();
}
END_TEST

/* A reader keeps the memory whose address it was given; a writer's can't be moved. */
START_TEST(held_memory_is_not_moved)
{
    void *narrow, *wide;
    const acre_range part = {10, 10}, around[] = {{0, 5}, {30, 5}};
    begin(&mock_peer_backend);
    work_fill(a, 0, BYTES, 5);
    ck_assert_int_eq(acre_array_acquire(a, 1, ACRE_READ, &part, 1, &narrow), ACRE_OK);
    ck_assert_int_eq(acre_array_acquire(a, 1, ACRE_READ, NULL, 0, &wide), ACRE_OK);
    ck_assert_ptr_ne(narrow, wide);
    ck_assert_int_eq(((unsigned char *)narrow)[15], 5);
    ck_assert_int_eq(((unsigned char *)wide)[15], 5);
    ck_assert_int_eq(((unsigned char *)wide)[99], 5);
    ck_assert_uint_eq(acre_array_handle_count(a), 1);
    ck_assert_int_eq(acre_array_release(a, 1, ACRE_READ, NULL, 0), ACRE_OK);
    ck_assert_int_eq(acre_array_release(a, 1, ACRE_READ, &part, 1), ACRE_OK);
    ck_assert_int_eq(acre_array_acquire(b, 1, ACRE_WRITE, &part, 1, &narrow), ACRE_OK);
    ck_assert_int_eq(acre_array_acquire(b, 1, ACRE_WRITE, around, 2, &wide), ACRE_ERR_CONFLICT);
    work_expect_message("array 'b': its memory at mockpeer:0 for bytes [10, +10) can't move to become wider: ");
    ck_assert_int_eq(acre_array_release(b, 1, ACRE_WRITE, &part, 1), ACRE_OK);
    end();
}
END_TEST

START_TEST(failing_moves_lose_nothing)
{
    static const struct {
        enum mock_operation operation;
        unsigned n;
    } rows[] = {{MOCK_PEER, 1}, {MOCK_LATE, 1}, {MOCK_LATE, 2}};
    begin(&mock_peer_backend);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        ck_assert_int_eq(work_add("f", a, NULL, (acre_range){10, 10}, 1, (int)i), ACRE_OK);
        ck_assert_int_eq(work_add("f", a, NULL, (acre_range){50, 10}, 1, (int)i), ACRE_OK);
        ck_assert_int_eq(acre_context_wait(context), ACRE_OK);
        mock_fail(rows[i].operation, rows[i].n);
        ck_assert_int_ne(work_add("f", a, NULL, (acre_range){0, 55}, 1, 99), ACRE_OK);
        work_expect_message("told to fail");
        ck_assert(work_is(a, 10, 10, (int)i));
        ck_assert(work_is(a, 50, 10, (int)i));
        (void)acre_context_wait(context);
        ck_assert_int_eq(acre_array_evict(a, 1), ACRE_OK);
    }
    end();
}
END_TEST

/* Groups. */

START_TEST(groups_are_all_or_none)
{
    acre_view views[] = {
        {.array = a, .place = 1, .access = ACRE_READ, .wants_address = true},
        {.array = b, .place = 1, .access = ACRE_READ_WRITE, .wants_address = true},
    };
    begin(&mock_backend);
    views[0].array = a;
    views[1].array = b;
    work_fill(a, 0, BYTES, 1);
    ck_assert_int_eq(acre_group_acquire(views, 2), ACRE_ERR_UNDEFINED);
    ck_assert_ptr_null(a->holders);
    ck_assert_ptr_null(a->handles);
    ck_assert(!work_has(a, 1, 0));
    work_fill(b, 0, BYTES, 2);
    ck_assert_int_eq(acre_group_acquire(views, 2), ACRE_OK);
    ((unsigned char *)views[1].address)[0] = ((unsigned char *)views[0].address)[0];
    ck_assert_int_eq(acre_group_release(views, 2), ACRE_OK);
    ck_assert_int_eq(acre_group_release(views, 2), ACRE_ERR_ARGUMENT);
    ck_assert(work_is(b, 0, 1, 1));
    work_fill(b, 0, BYTES, 3); /* only that is stale now */
    const acre_copied before = a->uploaded;
    ck_assert_int_eq(acre_group_acquire(views, 2), ACRE_OK);
    ck_assert_uint_eq(a->uploaded.bytes, before.bytes);
    ck_assert_int_eq(acre_group_release(views, 2), ACRE_OK);
    views[1] = (acre_view){.array = a, .place = 2, .access = ACRE_WRITE};
    ck_assert_int_eq(acre_group_acquire(views, 2), ACRE_ERR_CONFLICT);
    views[1].array = NULL;
    ck_assert_int_eq(acre_group_acquire(views, 2), ACRE_ERR_ARGUMENT);
    ck_assert_int_eq(acre_group_acquire(NULL, 0), ACRE_OK);
    end();
}
END_TEST

/* Memory of the user's. */

START_TEST(host_buffers_of_the_user_are_kept_up_to_date)
{
    unsigned char first[BYTES], second[BYTES];
    static const acre_backend *const backends[] = {&mock_backend, &mock_peer_backend, &mock_alias_backend};
    begin(backends[_i]);
    memset(first, 1, BYTES);
    memset(second, 2, BYTES);
    ck_assert_int_eq(acre_array_place_host(a, first, true), ACRE_OK);
    ck_assert_ptr_eq(acre_array_host(a), first);
    ck_assert_int_eq(work_increase("f", a, (acre_range){0, 50}, 1, 1), ACRE_OK);
    ck_assert_int_eq(acre_array_place_host(a, second, false),
                     ACRE_OK); /* the first comes back with its values */
    ck_assert_int_eq(first[0], 2);
    ck_assert_int_eq(first[50], 1);
    ck_assert_int_eq(second[0], 2);
    ck_assert_int_eq(second[50], 1);
    ck_assert_int_eq(work_increase("f", a, all, 2, 1), ACRE_OK);
    ck_assert_int_eq(acre_array_place_host(a, NULL, false), ACRE_OK);
    ck_assert_int_eq(second[0], 3);
    ck_assert_int_eq(second[99], 2);
    ck_assert_int_eq(first[0], 2);
    memset(second, 9, BYTES);
    ck_assert(work_is(a, 0, 50, 3));
    ck_assert(work_is(a, 50, 50, 2));
    ck_assert_int_eq(acre_array_acquire(a, 0, ACRE_READ, NULL, 0, NULL), ACRE_OK);
    ck_assert_int_eq(acre_array_place_host(a, first, false), ACRE_ERR_CONFLICT);
    ck_assert_int_eq(acre_array_release(a, 0, ACRE_READ, NULL, 0), ACRE_OK);
    ck_assert_int_eq(acre_array_place_host(a, NULL, true), ACRE_ERR_ARGUMENT);
    memset(first, 7, BYTES); /* new data, though devices have the old */
    ck_assert_int_eq(acre_array_prefetch(a, 1, NULL, 0), ACRE_OK);
    ck_assert_int_eq(acre_array_place_host(a, first, true), ACRE_OK);
    ck_assert_int_eq(work_add("g", b, a, all, 1, 0), ACRE_OK);
    ck_assert(work_is(b, 0, BYTES, 7));
    end();
}
END_TEST

START_TEST(device_memory_of_the_user_is_kept_up_to_date)
{
    acre_backend_memory *memory;
    begin(&mock_backend);
    acre_backend_device *device = context->devices[0].handle;
    ck_assert_int_eq(mock_backend.memory_alloc(device, 200, &memory), ACRE_OK);
    unsigned char *bytes = mock_backend.address(memory);
    memset(bytes, 4, 200);
    const acre_handle_info info = {.place = 1,
                                   .memory = memory,
                                   .memory_offset = 64,
                                   .covers = {20, 50},
                                   .elements = 5,
                                   .global_offset = 77};
    work_fill(a, 0, BYTES, 1);
    ck_assert_int_eq(work_increase("f", a, (acre_range){0, 30}, 1, 1), ACRE_OK);
    ck_assert_int_eq(acre_array_place_device(a, &info, true),
                     ACRE_OK); /* what only [0, 20) had is at the host */
    ck_assert(work_is(a, 0, 20, 2));
    ck_assert(work_is(a, 20, 50, 4));
    ck_assert(work_is(a, 70, 30, 1));
    ck_assert_int_eq(work_increase("g", a, (acre_range){20, 25}, 1, 1), ACRE_OK);
    ck_assert_int_eq(work_increase("h", a, (acre_range){60, 10}, 2, 3), ACRE_OK);
    ck_assert_int_eq(acre_array_acquire(a, 1, ACRE_READ, NULL, 0, NULL), ACRE_ERR_CONFLICT);
    work_expect_message("take it back first");
    acre_handle_info seen;
    ck_assert_int_eq(acre_array_handle(a, 1, &seen) == ACRE_OK && seen.ownership == ACRE_HANDLE_BORROWED
                         ? 1
                         : acre_array_handle(a, 0, &seen) == ACRE_OK,
                     1);
    ck_assert_int_eq(acre_array_place_device(a, &info, false), ACRE_ERR_CONFLICT);
    ck_assert_int_eq(acre_array_take_device(a, 1), ACRE_OK);
    ck_assert_int_eq(bytes[63], 4);
    ck_assert_int_eq(bytes[64], 5);
    ck_assert_int_eq(bytes[64 + 24], 5);
    ck_assert_int_eq(bytes[64 + 25], 4);
    ck_assert_int_eq(bytes[64 + 40], 7);
    ck_assert_int_eq(bytes[64 + 50], 4);
    memset(bytes, 0, 200);
    ck_assert(work_is(a, 20, 25, 5));
    ck_assert(work_is(a, 60, 10, 7));
    mock_backend.memory_free(device, memory);
    end();
}
END_TEST

/* ACRE_CHECK. */

START_TEST(checks_find_what_views_do_wrong)
{
    void *address;
    setenv("ACRE_CHECK", "1", 1);
    begin(&mock_backend);
    setenv("ACRE_CHECK", "0", 1);
    ck_assert_int_eq(acre_array_acquire(a, 0, ACRE_WRITE, NULL, 0, &address), ACRE_OK);
    unsigned char *bytes = address;
    double poison;
    memcpy(&poison, bytes, sizeof(poison));
    ck_assert(poison != poison); /* a NaN */
    memset(bytes, 1, BYTES);
    bytes[BYTES] = 3;
    capture_begin();
    const acre_status beyond = acre_array_release(a, 0, ACRE_WRITE, NULL, 0);
    char *text = capture_end();
    ck_assert_int_eq(beyond, ACRE_ERR_ARGUMENT);
    work_expect_message("array 'a': the view acquired by ");
    work_expect_message("for writing at host wrote beyond the array's end");
    ck_assert_ptr_nonnull(strstr(text, "acre: error: array 'a': the view"));
    free(text);
    ck_assert_ptr_null(a->head.ready);

    ck_assert_int_eq(acre_array_acquire(a, 0, ACRE_READ, NULL, 0, &address), ACRE_OK);
    ((unsigned char *)address)[5] = 9;
    capture_begin();
    const acre_status written = acre_array_release(a, 0, ACRE_READ, NULL, 0);
    free(capture_end());
    ck_assert_int_eq(written, ACRE_ERR_ARGUMENT);
    work_expect_message("was written to");
    end();
}
END_TEST

START_TEST(checks_poison_what_is_stale)
{
    static const acre_backend *const backends[] = {&mock_backend, &mock_peer_backend, &mock_alias_backend};
    void *stale;
    setenv("ACRE_CHECK", "1", 1);
    begin(backends[_i]);
    setenv("ACRE_CHECK", "0", 1);
    work_fill(a, 0, BYTES, 1);
    ck_assert_int_eq(acre_array_acquire(a, 0, ACRE_READ, NULL, 0, &stale), ACRE_OK);
    ck_assert_int_eq(acre_array_release(a, 0, ACRE_READ, NULL, 0), ACRE_OK);
    for (int i = 0; i < 10; ++i)
        ck_assert_int_eq(work_increase("f", a, all, 1 + i % 3, 1), ACRE_OK);
    const bool is_shared = backends[_i] == &mock_alias_backend;
    if (!is_shared)
        ck_assert_int_ne(((unsigned char *)stale)[0], 1);
    ck_assert(work_is(a, 0, BYTES, 11));
    end();
}
END_TEST

Suite *acre_suite_memory_views(void)
{
    Suite *suite = suite_create("memory_views");
    TCase *test = tcase_create("memory_views");
    tcase_set_timeout(test, 60);
    tcase_add_loop_test(test, views_of_other_threads_are_waited_for, 0, 2);
    tcase_add_test(test, views_of_the_same_thread_are_conflicts);
    tcase_add_loop_test(test, threads_on_shared_arrays_give_right_values, 0, 6);
    tcase_add_test(test, handles_cover_what_is_used);
    tcase_add_test(test, held_memory_is_not_moved);
    tcase_add_test(test, failing_moves_lose_nothing);
    tcase_add_test(test, groups_are_all_or_none);
    tcase_add_loop_test(test, host_buffers_of_the_user_are_kept_up_to_date, 0, 3);
    tcase_add_test(test, device_memory_of_the_user_is_kept_up_to_date);
    tcase_add_test(test, checks_find_what_views_do_wrong);
    tcase_add_loop_test(test, checks_poison_what_is_stale, 0, 3);
    suite_add_tcase(suite, test);
    return suite;
}
