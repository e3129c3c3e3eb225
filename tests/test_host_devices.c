/* tests/test_host_devices.c: what the host's simulated devices do beyond what every backend must: poison,
 * bounds, failures when work's turn comes, options, teardown. */
#include <check.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backends/host/host.h"
#include "core/device/registry.h"

Suite *acre_suite_host_devices(void);

enum { BYTES = 4096 };

static const acre_backend *host;
static acre_backend_device *devices[2];
static acre_backend_queue *queues[2];
static acre_backend_memory *memories[2];

static void good(acre_status status)
{
    ck_assert_msg(status == ACRE_OK, "%s", acre_message());
}

static void set_up(void)
{
    setenv("ACRE_HOST_DEVICES", "2", 1);
    good(acre_registry_start(&acre_backend_host, &host));
    for (size_t i = 0; i < 2; ++i) {
        good(host->device_open(i, &devices[i]));
        good(host->queue_create(devices[i], &queues[i]));
        good(host->memory_alloc(devices[i], BYTES, &memories[i]));
    }
}

static void take_down(void)
{
    for (size_t i = 0; i < 2; ++i) {
        host->memory_free(devices[i], memories[i]);
        host->queue_destroy(queues[i]);
        host->device_close(devices[i]);
    }
    unsetenv("ACRE_HOST_DEVICES");
}

START_TEST(fresh_memory_is_not_a_number)
{
    set_up();
    const double *doubles = host->address(memories[0]);
    const float *floats = host->address(memories[1]);
    for (size_t i = 0; i < BYTES / sizeof(double); ++i)
        ck_assert(isnan(doubles[i]));
    for (size_t i = 0; i < BYTES / sizeof(float); ++i)
        ck_assert(isnan(floats[i]));
    take_down();
}
END_TEST

START_TEST(copies_beyond_the_end_are_refused)
{
    char data[8] = {0};
    set_up();
    ck_assert_int_eq(host->upload(queues[0], memories[0], BYTES - 7, data, 8), ACRE_ERR_BACKEND);
    ck_assert_ptr_nonnull(
        strstr(acre_message(), "host:0: bytes [4089, +8) are beyond the end of a block of 4096"));
    ck_assert_int_eq(host->download(queues[0], data, memories[0], SIZE_MAX, 8), ACRE_ERR_BACKEND);
    ck_assert_int_eq(host->fill(queues[0], memories[0], BYTES, 1, 0), ACRE_ERR_BACKEND);
    ck_assert_int_eq(host->copy(queues[0], memories[0], 0, memories[0], 1, BYTES), ACRE_ERR_BACKEND);
    ck_assert_int_eq(host->peer_copy(queues[1], memories[1], 0, memories[0], 1, BYTES), ACRE_ERR_BACKEND);
    /* Memory of another device. */
    ck_assert_int_eq(host->upload(queues[1], memories[0], 0, data, 8), ACRE_ERR_BACKEND);
    ck_assert_ptr_nonnull(
        strstr(acre_message(), "memory of host:0 was given where memory of host:1 is wanted"));
    ck_assert_int_eq(host->copy(queues[0], memories[0], 0, memories[1], 0, 1), ACRE_ERR_BACKEND);
    ck_assert_int_eq(host->peer_copy(queues[0], memories[1], 0, memories[0], 0, 1), ACRE_ERR_BACKEND);
    take_down();
}
END_TEST

START_TEST(late_failures_come_with_the_event_of_the_work)
{
    char data[8] = "1234567", back[8] = "";
    acre_backend_event *before, *failed, *after;
    set_up();
    acre_host_queue_fail_late(queues[0], 2);
    good(host->upload(queues[0], memories[0], 0, data, 8));
    good(host->event_record(queues[0], &before));
    good(host->upload(queues[0], memories[0], 8, data, 8));
    good(host->event_record(queues[0], &failed));
    good(host->download(queues[0], back, memories[0], 0, 8));
    good(host->event_record(queues[0], &after));
    good(host->event_wait(before));
    for (int i = 0; i < 2; ++i) {
        ck_assert_int_eq(host->event_wait(failed), ACRE_ERR_BACKEND);
        ck_assert_str_eq(acre_message(), "host:0: a copy of 8 bytes was told to fail");
    }
    good(host->event_wait(after));
    ck_assert_str_eq(back, data);
    ck_assert_int_eq(((unsigned char *)host->address(memories[0]))[8], ACRE_HOST_POISON);

    /* The queue tells once. */
    ck_assert_int_eq(host->queue_wait(queues[0]), ACRE_ERR_BACKEND);
    ck_assert_str_eq(acre_message(), "host:0: a copy of 8 bytes was told to fail");
    good(host->queue_wait(queues[0]));
    host->event_free(before);
    host->event_free(failed);
    host->event_free(after);
    take_down();
}
END_TEST

static void count_item(void *argument, size_t begin, size_t end, unsigned worker)
{
    (void)worker;
    atomic_fetch_add((atomic_size_t *)argument, end - begin);
}

START_TEST(a_call_and_a_fill_can_fail_late)
{
    atomic_size_t items = 0;
    acre_backend_event *event;
    set_up();
    acre_host_queue_fail_late(queues[1], 1);
    good(host->call(queues[1], count_item, &items, 10));
    good(host->event_record(queues[1], &event));
    ck_assert_int_eq(host->event_wait(event), ACRE_ERR_BACKEND);
    ck_assert_str_eq(acre_message(), "host:1: a call of 10 items was told to fail");
    ck_assert_uint_eq(items, 0);
    host->event_free(event);
    acre_host_queue_fail_late(queues[1], 1);
    good(host->fill(queues[1], memories[1], 0, 16, 0));
    good(host->fill(queues[1], memories[1], 16, 16, 0));
    ck_assert_int_eq(host->queue_wait(queues[1]), ACRE_ERR_BACKEND);
    ck_assert_ptr_nonnull(strstr(acre_message(), "a call of 10 items")); /* the first since the last wait */
    ck_assert_int_eq(((unsigned char *)host->address(memories[1]))[0], ACRE_HOST_POISON);
    ck_assert_int_eq(((unsigned char *)host->address(memories[1]))[16], 0);
    take_down();
}
END_TEST

/* A failure belongs to the queue that it happened in: who waits for it goes on. */
START_TEST(a_waiting_queue_goes_on_after_a_failure)
{
    char data[8] = "1234567", back[8] = "";
    acre_backend_event *failed, *after;
    set_up();
    acre_host_queue_fail_late(queues[0], 1);
    good(host->upload(queues[0], memories[0], 0, data, 8));
    good(host->event_record(queues[0], &failed));
    good(host->queue_wait_event(queues[1], failed));
    host->event_free(failed);
    good(host->upload(queues[1], memories[1], 0, data, 8));
    good(host->download(queues[1], back, memories[1], 0, 8));
    good(host->event_record(queues[1], &after));
    good(host->event_wait(after));
    ck_assert_str_eq(back, data);
    host->event_free(after);
    ck_assert_int_eq(host->queue_wait(queues[0]), ACRE_ERR_BACKEND);
    take_down();
}
END_TEST

START_TEST(a_queue_that_is_destroyed_does_its_work_first)
{
    atomic_size_t items = 0;
    set_up();
    acre_backend_queue *first, *second;
    acre_backend_event *event;
    setenv("ACRE_HOST_DELAY", "300", 1);
    acre_backend_device *slow;
    good(host->device_open(0, &slow));
    unsetenv("ACRE_HOST_DELAY");
    good(host->queue_create(slow, &first));
    good(host->queue_create(slow, &second));
    for (int i = 0; i < 10; ++i)
        good(host->call(first, count_item, &items, 1));
    good(host->event_record(first, &event));
    good(host->queue_wait_event(second, event));
    host->event_free(event);
    good(host->call(second, count_item, &items, 1));
    host->queue_destroy(second); /* the one that waits */
    ck_assert_uint_eq(items, 11);
    host->queue_destroy(first);
    host->device_close(slow);
    take_down();
}
END_TEST

/* Calls of two queues of one device have the same workers: they must not overlap. */
static void stay_alone(void *argument, size_t begin, size_t end, unsigned worker)
{
    atomic_int *inside = argument;
    (void)begin;
    (void)end;
    (void)worker;
    const struct timespec a_moment = {.tv_nsec = 20000};
    if (atomic_fetch_add(&inside[0], 1) != 0)
        atomic_store(&inside[1], 1);
    nanosleep(&a_moment, NULL);
    atomic_fetch_sub(&inside[0], 1);
}

START_TEST(calls_of_one_device_take_turns)
{
    atomic_int inside[2] = {0, 0};
    acre_backend_queue *other;
    set_up();
    good(host->queue_create(devices[0], &other));
    for (int i = 0; i < 40; ++i)
        good(host->call(i % 2 ? other : queues[0], stay_alone, inside, 1));
    good(host->queue_wait(other));
    good(host->queue_wait(queues[0]));
    ck_assert_int_eq(inside[1], 0);
    host->queue_destroy(other);
    take_down();
}
END_TEST

START_TEST(delays_are_kept)
{
    struct timespec before, after;
    set_up();
    setenv("ACRE_HOST_DELAY", "1000-2000", 1);
    acre_backend_device *slow;
    acre_backend_queue *queue;
    good(host->device_open(1, &slow));
    unsetenv("ACRE_HOST_DELAY");
    good(host->queue_create(slow, &queue));
    clock_gettime(CLOCK_MONOTONIC, &before);
    for (int i = 0; i < 10; ++i)
        good(host->fill(queue, memories[1], 0, 1, 0));
    good(host->queue_wait(queue));
    clock_gettime(CLOCK_MONOTONIC, &after);
    const double seconds =
        (double)(after.tv_sec - before.tv_sec) + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    ck_assert_msg(seconds >= 10e-3, "10 fills took %g s", seconds);
    host->queue_destroy(queue);
    host->device_close(slow);
    take_down();
}
END_TEST

START_TEST(options_are_taken)
{
    struct acre_host_options options;
    set_up();
    setenv("ACRE_HOST_MEMORY", "3M", 1);
    setenv("ACRE_HOST_PEER", "0", 1);
    setenv("ACRE_HOST_DELAY", "7", 1);
    good(acre_host_options_read(&options));
    ck_assert_uint_eq(options.devices, 2);
    ck_assert_uint_eq(options.memory_bytes, 3 << 20);
    ck_assert(!options.peer);
    ck_assert_uint_eq(options.delay[0], 7);
    ck_assert_uint_eq(options.delay[1], 7);

    acre_backend_device *lonely, *small;
    acre_backend_memory *memory;
    acre_backend_queue *queue;
    good(host->device_open(0, &lonely));
    good(host->device_open(1, &small));
    ck_assert(!host->peer_reach(lonely, small));
    ck_assert(!host->peer_reach(devices[0], small));
    ck_assert(host->peer_reach(devices[0], devices[1]));
    good(host->queue_create(lonely, &queue));
    ck_assert_int_eq(host->peer_copy(queue, memories[0], 0, memories[1], 0, 1), ACRE_ERR_BACKEND);
    /* What other contexts have allocated counts. */
    ck_assert_int_eq(host->memory_alloc(small, (3 << 20) - BYTES + 1, &memory), ACRE_ERR_OUT_OF_MEMORY);
    ck_assert_ptr_nonnull(
        strstr(acre_message(), "host:1 is out of memory: 3141633 bytes wanted, 3141632 of 3145728"));
    good(host->memory_alloc(small, (3 << 20) - BYTES, &memory));
    host->memory_free(small, memory);
    host->queue_destroy(queue);
    host->device_close(lonely);
    host->device_close(small);
    unsetenv("ACRE_HOST_MEMORY");
    unsetenv("ACRE_HOST_PEER");
    unsetenv("ACRE_HOST_DELAY");
    take_down();
}
END_TEST

START_TEST(pinned_memory_is_memory)
{
    void *memory;
    set_up();
    good(host->host_alloc(devices[0], 1000, &memory));
    memset(memory, 1, 1000);
    ck_assert_uint_eq((uintptr_t)memory % 64, 0);
    host->host_free(devices[0], memory);
    take_down();
}
END_TEST

Suite *acre_suite_host_devices(void)
{
    Suite *suite = suite_create("host_devices");
    TCase *test = tcase_create("host_devices");
    tcase_add_test(test, fresh_memory_is_not_a_number);
    tcase_add_test(test, copies_beyond_the_end_are_refused);
    tcase_add_test(test, late_failures_come_with_the_event_of_the_work);
    tcase_add_test(test, a_call_and_a_fill_can_fail_late);
    tcase_add_test(test, a_waiting_queue_goes_on_after_a_failure);
    tcase_add_test(test, a_queue_that_is_destroyed_does_its_work_first);
    tcase_add_test(test, calls_of_one_device_take_turns);
    tcase_add_test(test, delays_are_kept);
    tcase_add_test(test, options_are_taken);
    tcase_add_test(test, pinned_memory_is_memory);
    suite_add_tcase(suite, test);
    return suite;
}
