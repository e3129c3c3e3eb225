/* tests/test_backend_conformance.c: what acre/backend.h promises of queues, events and memory, asked of every
 * backend that the tests have: the host itself, its simulated devices with and without delays, the plugin of
 * examples/plugin, the mock. */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/device/registry.h"
#include "mock_backend.h"

Suite *acre_suite_backend_conformance(void);

enum { MOST = 2, BLOCK = 100003 };

static const struct subject {
    const char *name;
    const acre_backend *backend; /* NULL: the plugin of that name */
    const char *devices, *delay; /* of the host */
} subjects[] = {
    {"host", &acre_backend_host, "0", "0"},
    {"simulated", &acre_backend_host, "3", "0"},
    {"delayed", &acre_backend_host, "2", "0-300"},
    {"shadow", NULL, "0", "0"},
    {"mock", &mock_backend, "0", "0"},
};
enum { SUBJECTS = sizeof(subjects) / sizeof(subjects[0]) };

/* Up to two devices of a subject, each with a queue and a block of memory. */
static struct bench {
    const acre_backend *backend;
    size_t count;
    acre_backend_device *device[MOST];
    acre_device_properties properties[MOST];
    acre_backend_queue *queue[MOST];
    acre_backend_memory *memory[MOST];
} bench;

static void good(acre_status status)
{
    ck_assert_msg(status == ACRE_OK, "%s: %s", bench.backend->name, acre_message());
}

/* False, with a word on it, when the subject isn't there or lacks what the test needs. */
static bool set_up(int i, size_t devices)
{
    const struct subject *subject = &subjects[i];
    setenv("ACRE_HOST_DEVICES", subject->devices, 1);
    setenv("ACRE_HOST_DELAY", subject->delay, 1);
    memset(&bench, 0, sizeof(bench));
    if (subject->backend) {
        good(acre_registry_start(subject->backend, &bench.backend));
    } else {
        const struct acre_backend_entry *entry;
        if (acre_registry_find(subject->name, strlen(subject->name), &entry) != ACRE_OK) {
            printf("skip: %s\n", acre_message());
            return false;
        }
        bench.backend = entry->backend;
    }
    size_t there = 0;
    char reason[100];
    good(bench.backend->device_count(&there, reason, sizeof(reason)));
    if (there < devices)
        return false;
    bench.count = there < MOST ? there : MOST;
    for (size_t d = 0; d < bench.count; ++d) {
        good(acre_registry_properties(bench.backend, d, &bench.properties[d]));
        good(bench.backend->device_open(d, &bench.device[d]));
        good(bench.backend->queue_create(bench.device[d], &bench.queue[d]));
        good(bench.backend->memory_alloc(bench.device[d], BLOCK, &bench.memory[d]));
    }
    return true;
}

static void take_down(void)
{
    for (size_t d = 0; d < bench.count; ++d)
        good(bench.backend->queue_wait(bench.queue[d]));
    for (size_t d = 0; d < bench.count; ++d) {
        bench.backend->memory_free(bench.device[d], bench.memory[d]);
        bench.backend->queue_destroy(bench.queue[d]);
        bench.backend->device_close(bench.device[d]);
    }
    unsetenv("ACRE_HOST_DEVICES");
    unsetenv("ACRE_HOST_DELAY");
}

static unsigned char *pattern(size_t bytes, unsigned seed)
{
    unsigned char *data = malloc(bytes);
    ck_assert_ptr_nonnull(data);
    for (size_t i = 0; i < bytes; ++i)
        data[i] = (unsigned char)((seed = seed * 1103515245u + 12345u) >> 16);
    return data;
}

/* The whole block of a device, as it is when its queue has done all. */
static unsigned char *contents(size_t device)
{
    unsigned char *data = malloc(BLOCK);
    ck_assert_ptr_nonnull(data);
    good(bench.backend->download(bench.queue[device], data, bench.memory[device], 0, BLOCK));
    good(bench.backend->queue_wait(bench.queue[device]));
    return data;
}

START_TEST(memory_is_aligned_and_whole)
{
    static const size_t sizes[] = {1, 63, 64, 4097, (1 << 20) + 1};
    if (!set_up(_i, 1))
        return;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i) {
        acre_backend_memory *memory;
        good(bench.backend->memory_alloc(bench.device[0], sizes[i], &memory));
        unsigned char *data = pattern(sizes[i], 1), *back = calloc(1, sizes[i]);
        if (bench.backend->address)
            ck_assert_uint_eq((uintptr_t)bench.backend->address(memory) % 64, 0);
        good(bench.backend->upload(bench.queue[0], memory, 0, data, sizes[i]));
        good(bench.backend->download(bench.queue[0], back, memory, 0, sizes[i]));
        good(bench.backend->queue_wait(bench.queue[0]));
        ck_assert_int_eq(memcmp(data, back, sizes[i]), 0);
        bench.backend->memory_free(bench.device[0], memory);
        free(data);
        free(back);
    }
    take_down();
}
END_TEST

START_TEST(copies_touch_their_bytes_only)
{
    static const struct {
        size_t to, from, bytes;
    } rows[] = {{0, 0, 1}, {5, 3, 7}, {64, 1, 64}, {1, 64, 4096}, {3, 2, BLOCK - 10}, {BLOCK - 1, 0, 1}};
    if (!set_up(_i, 1))
        return;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        unsigned char *before = pattern(BLOCK, 7), *data = pattern(BLOCK, 8);
        good(bench.backend->upload(bench.queue[0], bench.memory[0], 0, before, BLOCK));
        good(bench.backend->upload(bench.queue[0], bench.memory[0], rows[i].to, data + rows[i].from,
                                   rows[i].bytes));
        unsigned char *after = contents(0);
        memcpy(before + rows[i].to, data + rows[i].from, rows[i].bytes);
        ck_assert_int_eq(memcmp(before, after, BLOCK), 0);

        /* And back, into the middle of something. */
        memcpy(before, data, BLOCK);
        memcpy(data + rows[i].from, after + rows[i].to, rows[i].bytes);
        good(bench.backend->download(bench.queue[0], before + rows[i].from, bench.memory[0], rows[i].to,
                                     rows[i].bytes));
        good(bench.backend->queue_wait(bench.queue[0]));
        ck_assert_int_eq(memcmp(before, data, BLOCK), 0);
        free(before);
        free(data);
        free(after);
    }
    take_down();
}
END_TEST

START_TEST(fills_and_copies_within_a_device)
{
    if (!set_up(_i, 1))
        return;
    const acre_backend *backend = bench.backend;
    unsigned char *expected = pattern(BLOCK, 3);
    good(backend->upload(bench.queue[0], bench.memory[0], 0, expected, BLOCK));
    unsigned char *kept = malloc(BLOCK);
    memcpy(kept, expected, BLOCK);
    if (backend->fill) {
        good(backend->fill(bench.queue[0], bench.memory[0], 11, 1000, 0xC3));
        memset(kept + 11, 0xC3, 1000);
    }
    if (backend->copy) {
        good(backend->copy(bench.queue[0], bench.memory[0], 50001, bench.memory[0], 7, 3000));
        memmove(kept + 50001, kept + 7, 3000);
    }
    unsigned char *after = contents(0);
    ck_assert_int_eq(memcmp(kept, after, BLOCK), 0);
    free(kept);
    free(expected);
    free(after);
    take_down();
}
END_TEST

START_TEST(peers_copy_to_each_other)
{
    if (!set_up(_i, 2))
        return;
    const acre_backend *backend = bench.backend;
    if (backend->peer_reach && backend->peer_reach(bench.device[1], bench.device[0])) {
        unsigned char *data = pattern(BLOCK, 5), *zeros = calloc(1, BLOCK);
        acre_backend_event *event;
        good(backend->upload(bench.queue[0], bench.memory[0], 0, data, BLOCK));
        good(backend->event_record(bench.queue[0], &event));
        good(backend->upload(bench.queue[1], bench.memory[1], 0, zeros, BLOCK));
        good(backend->queue_wait_event(bench.queue[1], event));
        backend->event_free(event);
        good(backend->peer_copy(bench.queue[1], bench.memory[1], 3, bench.memory[0], 1000, 5000));
        unsigned char *after = contents(1);
        memcpy(zeros + 3, data + 1000, 5000);
        ck_assert_int_eq(memcmp(zeros, after, BLOCK), 0);
        free(data);
        free(zeros);
        free(after);
    }
    take_down();
}
END_TEST

/* Which worker did each item, and how often. */
struct record {
    int times[1000];
    unsigned worker[1000];
};

static void note(void *argument, size_t begin, size_t end, unsigned worker)
{
    struct record *record = argument;
    for (size_t i = begin; i < end; ++i) {
        ++record->times[i];
        record->worker[i] = worker;
    }
}

START_TEST(calls_do_each_item_once)
{
    static const size_t counts[] = {0, 1, 2, 3, 7, 999, 1000};
    if (!set_up(_i, 1))
        return;
    for (size_t i = 0; bench.backend->call && i < sizeof(counts) / sizeof(counts[0]); ++i) {
        struct record record = {{0}, {0}};
        good(bench.backend->call(bench.queue[0], note, &record, counts[i]));
        good(bench.backend->queue_wait(bench.queue[0]));
        for (size_t k = 0; k < 1000; ++k) {
            ck_assert_int_eq(record.times[k], k < counts[i]);
            ck_assert_uint_lt(record.worker[k], bench.properties[0].workers);
        }
    }
    take_down();
}
END_TEST

static void add_one(void *argument, size_t begin, size_t end, unsigned worker)
{
    unsigned char *data = argument;
    (void)worker;
    for (size_t i = begin; i < end; ++i)
        ++data[i];
}

/* Each download sees what was there when its turn came: not what comes later. */
START_TEST(a_queue_keeps_the_order)
{
    enum { ROUNDS = 40, BYTES = 1000 };
    if (!set_up(_i, 1))
        return;
    const acre_backend *backend = bench.backend;
    if (backend->address && backend->call) {
        unsigned char *block = backend->address(bench.memory[0]);
        unsigned char *data = pattern(BYTES, 9), *seen = calloc(ROUNDS, BYTES);
        good(backend->upload(bench.queue[0], bench.memory[0], 0, data, BYTES));
        for (size_t round = 0; round < ROUNDS; ++round) {
            good(backend->call(bench.queue[0], add_one, block, BYTES));
            good(backend->download(bench.queue[0], seen + round * BYTES, bench.memory[0], 0, BYTES));
        }
        good(backend->queue_wait(bench.queue[0]));
        for (size_t i = 0; i < (size_t)ROUNDS * BYTES; ++i)
            ck_assert_uint_eq(seen[i], (unsigned char)(data[i % BYTES] + i / BYTES + 1));
        free(data);
        free(seen);
    }
    take_down();
}
END_TEST

static void *wait_for(void *argument)
{
    return bench.backend->event_wait(argument) == ACRE_OK ? argument : NULL;
}

START_TEST(events_are_waited_for_by_anyone_any_number_of_times)
{
    if (!set_up(_i, 1))
        return;
    const acre_backend *backend = bench.backend;
    unsigned char *data = pattern(BLOCK, 4), *back = calloc(1, BLOCK);
    acre_backend_event *nothing, *event;
    good(backend->event_record(bench.queue[0], &nothing)); /* of a queue that was given nothing */
    good(backend->upload(bench.queue[0], bench.memory[0], 0, data, BLOCK));
    good(backend->download(bench.queue[0], back, bench.memory[0], 0, BLOCK));
    good(backend->event_record(bench.queue[0], &event));
    pthread_t threads[3];
    for (int i = 0; i < 3; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, wait_for, event), 0);
    good(backend->event_wait(event));
    ck_assert_int_eq(memcmp(data, back, BLOCK), 0);
    good(backend->event_wait(event));
    for (int i = 0; i < 3; ++i) {
        void *result;
        ck_assert_int_eq(pthread_join(threads[i], &result), 0);
        ck_assert_ptr_eq(result, event);
    }
    bool done = false;
    good(backend->event_query(event, &done));
    ck_assert(done);
    done = false;
    good(backend->event_query(nothing, &done));
    ck_assert(done);
    if (backend->event_elapsed) {
        double seconds = -1;
        good(backend->event_elapsed(nothing, event, &seconds));
        ck_assert(seconds >= 0 && seconds < 60);
    }
    backend->event_free(nothing);
    backend->event_free(event);
    free(data);
    free(back);
    take_down();
}
END_TEST

/* Events that nobody waits for, freed at once. */
START_TEST(events_may_be_freed_before_they_are_done)
{
    if (!set_up(_i, 1))
        return;
    unsigned char *data = pattern(BLOCK, 4);
    for (int i = 0; i < 20; ++i) {
        acre_backend_event *event;
        good(bench.backend->upload(bench.queue[0], bench.memory[0], 0, data, BLOCK));
        good(bench.backend->event_record(bench.queue[0], &event));
        bench.backend->event_free(event);
    }
    take_down();
    free(data);
}
END_TEST

/* Two queues take turns at one number: each adds its own, in an order that only the events keep. */
struct turn {
    uint64_t *number;
    uint64_t factor, summand;
};

static void take_turn(void *argument, size_t begin, size_t end, unsigned worker)
{
    const struct turn *turn = argument;
    (void)worker;
    if (begin == end)
        return;
    const struct timespec a_moment = {.tv_nsec = 20000};
    const uint64_t seen = *turn->number;
    nanosleep(&a_moment, NULL);
    *turn->number = seen * turn->factor + turn->summand;
}

START_TEST(queues_wait_for_each_other)
{
    enum { ROUNDS = 50 };
    static const uint64_t factors[2] = {3, 5};
    if (!set_up(_i, 2))
        return;
    const acre_backend *backend = bench.backend;
    uint64_t number = 1, expected = 1;
    const struct turn turns[2] = {{&number, factors[0], 1}, {&number, factors[1], 2}};
    acre_backend_event *event = NULL;
    for (size_t i = 0; backend->call && i < 2 * ROUNDS; ++i) {
        acre_backend_queue *queue = bench.queue[i % 2];
        if (event) {
            good(backend->queue_wait_event(queue, event));
            backend->event_free(event); /* while the queue waits for it */
        }
        good(backend->call(queue, take_turn, (void *)&turns[i % 2], 1));
        good(backend->event_record(queue, &event));
        expected = expected * factors[i % 2] + i % 2 + 1;
    }
    if (event) {
        good(backend->event_wait(event));
        ck_assert_uint_eq(number, expected);
        backend->event_free(event);
    }
    take_down();
}
END_TEST

/* A queue that waits for an event does not hold its caller. */
static atomic_bool gate;

static void pass_gate(void *argument, size_t begin, size_t end, unsigned worker)
{
    (void)argument;
    (void)begin;
    (void)end;
    (void)worker;
    const struct timespec a_moment = {.tv_nsec = 100000};
    while (!atomic_load(&gate))
        nanosleep(&a_moment, NULL);
}

START_TEST(work_goes_on_while_the_caller_does)
{
    if (!set_up(_i, 2))
        return;
    const acre_backend *backend = bench.backend;
    if (backend->call && !bench.properties[0].is_host_memory) {
        acre_backend_event *held, *behind;
        bool done = true;
        atomic_store(&gate, false);
        good(backend->call(bench.queue[0], pass_gate, NULL, 1));
        good(backend->event_record(bench.queue[0], &held));
        good(backend->queue_wait_event(bench.queue[1], held));
        good(backend->event_record(bench.queue[1], &behind));
        good(backend->event_query(held, &done));
        ck_assert(!done);
        done = true;
        good(backend->event_query(behind, &done));
        ck_assert(!done);
        atomic_store(&gate, true);
        good(backend->event_wait(behind));
        good(backend->event_query(held, &done));
        ck_assert(done);
        backend->event_free(held);
        backend->event_free(behind);
    }
    take_down();
}
END_TEST

enum { SHARERS = 4, SHARE = 5000 };

static void *use_share(void *argument)
{
    const size_t offset = SHARE * *(const size_t *)argument;
    unsigned char *data = pattern(SHARE, (unsigned)offset), *back = calloc(1, SHARE);
    bool fine = true;
    for (int i = 0; fine && i < 25; ++i) {
        acre_backend_event *event;
        memset(back, 0, SHARE);
        fine = bench.backend->upload(bench.queue[0], bench.memory[0], offset, data, SHARE) == ACRE_OK &&
               bench.backend->download(bench.queue[0], back, bench.memory[0], offset, SHARE) == ACRE_OK &&
               bench.backend->event_record(bench.queue[0], &event) == ACRE_OK;
        if (!fine)
            break;
        fine = bench.backend->event_wait(event) == ACRE_OK && memcmp(data, back, SHARE) == 0;
        bench.backend->event_free(event);
    }
    free(data);
    free(back);
    return fine ? argument : NULL;
}

START_TEST(threads_share_a_queue)
{
    if (!set_up(_i, 1))
        return;
    pthread_t threads[SHARERS];
    size_t numbers[SHARERS];
    for (size_t i = 0; i < SHARERS; ++i) {
        numbers[i] = i;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, use_share, &numbers[i]), 0);
    }
    for (size_t i = 0; i < SHARERS; ++i) {
        void *result;
        ck_assert_int_eq(pthread_join(threads[i], &result), 0);
        ck_assert_ptr_eq(result, &numbers[i]);
    }
    take_down();
}
END_TEST

START_TEST(memory_is_counted_and_runs_out)
{
    if (!set_up(_i, 1))
        return;
    const acre_backend *backend = bench.backend;
    if (backend->device_memory && !bench.properties[0].is_host_memory) {
        uint64_t before, after, total, again;
        acre_backend_memory *memory;
        good(backend->device_memory(bench.device[0], &before, &total));
        ck_assert_uint_le(before, total);
        good(backend->memory_alloc(bench.device[0], 1 << 20, &memory));
        good(backend->device_memory(bench.device[0], &after, &again));
        ck_assert_uint_eq(total, again);
        ck_assert_uint_le(after, before - (1 << 20));
        backend->memory_free(bench.device[0], memory);
        good(backend->device_memory(bench.device[0], &after, &again));
        ck_assert_uint_eq(after, before);
        ck_assert_int_eq(backend->memory_alloc(bench.device[0], (size_t)total + 1, &memory),
                         ACRE_ERR_OUT_OF_MEMORY);
        ck_assert_uint_gt(strlen(acre_message()), 0);
    }
    take_down();
}
END_TEST

START_TEST(properties_are_closed_texts_and_bad_indices_errors)
{
    if (!set_up(_i, 1))
        return;
    acre_device_properties properties;
    acre_backend_device *device = NULL;
    memset(&properties, 0xFF, sizeof(properties));
    good(bench.backend->device_properties(0, &properties));
    ck_assert_ptr_nonnull(memchr(properties.name, 0, sizeof(properties.name)));
    ck_assert_ptr_nonnull(memchr(properties.pci, 0, sizeof(properties.pci)));
    ck_assert_uint_gt(properties.workers, 0);
    if (bench.backend->name[0] != 'm') {
        ck_assert_int_ne(bench.backend->device_properties(1000, &properties), ACRE_OK);
        ck_assert_int_ne(bench.backend->device_open(1000, &device), ACRE_OK);
        ck_assert_ptr_nonnull(strstr(acre_message(), "1000"));
    }
    take_down();
}
END_TEST

Suite *acre_suite_backend_conformance(void)
{
    Suite *suite = suite_create("backend_conformance");
    TCase *test = tcase_create("backend_conformance");
    const int count = mock_backend.event_record ? SUBJECTS : SUBJECTS - 1;
    tcase_set_timeout(test, 60);
    tcase_add_loop_test(test, memory_is_aligned_and_whole, 0, count);
    tcase_add_loop_test(test, copies_touch_their_bytes_only, 0, count);
    tcase_add_loop_test(test, fills_and_copies_within_a_device, 0, count);
    tcase_add_loop_test(test, peers_copy_to_each_other, 0, count);
    tcase_add_loop_test(test, calls_do_each_item_once, 0, count);
    tcase_add_loop_test(test, a_queue_keeps_the_order, 0, count);
    tcase_add_loop_test(test, events_are_waited_for_by_anyone_any_number_of_times, 0, count);
    tcase_add_loop_test(test, events_may_be_freed_before_they_are_done, 0, count);
    tcase_add_loop_test(test, queues_wait_for_each_other, 0, count);
    tcase_add_loop_test(test, work_goes_on_while_the_caller_does, 0, count);
    tcase_add_loop_test(test, threads_share_a_queue, 0, count);
    tcase_add_loop_test(test, memory_is_counted_and_runs_out, 0, count);
    tcase_add_loop_test(test, properties_are_closed_texts_and_bad_indices_errors, 0, count);
    suite_add_tcase(suite, test);
    return suite;
}
