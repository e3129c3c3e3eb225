/* tests/test_device.c: contexts and their devices, the host backend, the topology. */
#include <check.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acre/array.h"
#include "acre/formula.h"
#include "acre/lattice.h"
#include "capture.h"
#include "core/device/context.h"
#include "core/device/locality.h"
#include "core/device/registry.h"
#include "core/device/topology.h"
#include "mock_backend.h"

Suite *acre_suite_device(void);

static acre_context *host_context(void)
{
    acre_context *context;
    ck_assert_msg(acre_context_open(&acre_backend_host, 1, &context) == ACRE_OK, "%s", acre_message());
    return context;
}

START_TEST(host_context_has_one_device)
{
    acre_context *context;
    setenv("ACRE_BACKEND", "host", 1);
    ck_assert_msg(acre_context_create(&context) == ACRE_OK, "%s", acre_message());
    unsetenv("ACRE_BACKEND");
    ck_assert_str_eq(acre_context_backend(context), "host");
    ck_assert_uint_eq(acre_context_device_count(context), 1);
    ck_assert_str_eq(acre_context_device_name(context, 0), "host:0");
    ck_assert_ptr_null(acre_context_device_name(context, 1));
    ck_assert_int_eq(context->place_count, 1);
    ck_assert_int_eq(context->devices[0].place, ACRE_PLACE_HOST);
    ck_assert_uint_gt(strlen(context->devices[0].properties.name), 0);
    ck_assert(context->devices[0].properties.has_double);
    acre_context_destroy(context);
    acre_context_destroy(NULL);
}
END_TEST

START_TEST(context_needs_a_pointer)
{
    ck_assert_int_eq(acre_context_create(NULL), ACRE_ERR_ARGUMENT);
}
END_TEST

START_TEST(malformed_log_level_fails_the_context)
{
    acre_context *context = (acre_context *)&context;
    setenv("ACRE_LOG", "loud", 1);
    ck_assert_int_eq(acre_context_create(&context), ACRE_ERR_ENVIRONMENT);
    unsetenv("ACRE_LOG");
    ck_assert_ptr_null(context);
    ck_assert_ptr_nonnull(strstr(acre_message(), "ACRE_LOG is \"loud\""));
}
END_TEST

START_TEST(seeding_restarts_the_sequence)
{
    acre_context *context = host_context();
    ck_assert_uint_eq(atomic_load(&context->seed), 0);
    atomic_store(&context->draw, 5);
    acre_context_seed(context, 42);
    ck_assert_uint_eq(atomic_load(&context->seed), 42);
    ck_assert_uint_eq(atomic_load(&context->draw), 0);
    acre_context_destroy(context);
}
END_TEST

START_TEST(devices_with_memory_get_places_from_one)
{
    acre_context *context = mock_context(MOCK_DEVICES);
    ck_assert_int_eq(context->place_count, 1 + MOCK_DEVICES);
    ck_assert_ptr_null(acre_context_device_at(context, ACRE_PLACE_HOST));
    ck_assert_str_eq(acre_context_place_name(context, ACRE_PLACE_HOST), "host");
    ck_assert_ptr_eq(acre_context_device_at(context, 2), &context->devices[1]);
    ck_assert_str_eq(acre_context_place_name(context, 3), "mock:2");
    ck_assert_ptr_null(acre_context_device_at(context, 4));
    ck_assert_ptr_null(acre_context_device_at(context, -1));
    acre_context_destroy(context);
    ck_assert_int_eq(mock_count().devices, 0);
    ck_assert_int_eq(mock_count().queues, 0);
}
END_TEST

START_TEST(failing_open_leaves_nothing_open)
{
    for (unsigned n = 1; n <= 2 * MOCK_DEVICES; ++n) {
        acre_context *context;
        mock_fail(n <= MOCK_DEVICES ? MOCK_OPEN : MOCK_QUEUE, n <= MOCK_DEVICES ? n : n - MOCK_DEVICES);
        ck_assert_int_eq(acre_context_open(&mock_backend, MOCK_DEVICES, &context), ACRE_ERR_BACKEND);
        ck_assert_ptr_null(context);
        ck_assert_ptr_nonnull(strstr(acre_message(), "told to fail"));
        ck_assert_int_eq(mock_count().devices, 0);
        ck_assert_int_eq(mock_count().queues, 0);
    }
}
END_TEST

START_TEST(context_outlives_its_user_while_arrays_live)
{
    acre_context *context = mock_context(2);
    acre_array *psi, *chi;
    void *address;
    ck_assert_int_eq(acre_array_create(context, 100, true, "psi", &psi), ACRE_OK);
    ck_assert_int_eq(acre_array_create(context, 7, false, NULL, &chi), ACRE_OK);

    capture_begin();
    acre_context_destroy(context);
    char *text = capture_end();
    ck_assert_ptr_nonnull(
        strstr(text, "acre: warning: context destroyed while array 'psi' of 100 bytes is alive\n"));
    ck_assert_ptr_nonnull(strstr(text, "array '(no label)' of 7 bytes"));
    free(text);

    ck_assert_int_eq(acre_array_acquire(psi, 1, ACRE_READ, NULL, 0, &address), ACRE_OK);
    ck_assert_int_eq(((char *)address)[99], 0);
    ck_assert_int_eq(acre_array_release(psi, 1, ACRE_READ, NULL, 0), ACRE_OK);
    acre_array_destroy(chi);
    ck_assert_int_eq(mock_count().devices, 2);
    acre_array_destroy(psi);
    ck_assert_int_eq(mock_count().devices, 0);
    ck_assert_int_eq(mock_count().blocks, 0);
}
END_TEST

START_TEST(teardown_is_silent_when_nothing_lives)
{
    acre_context *context = mock_context(1);
    acre_array *array;
    ck_assert_int_eq(acre_array_create(context, 100, true, "psi", &array), ACRE_OK);
    acre_array_destroy(array);
    capture_begin();
    acre_context_destroy(context);
    char *text = capture_end();
    ck_assert_str_eq(text, "");
    free(text);
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

static bool is_complete(const struct record *record, size_t count, unsigned workers)
{
    for (size_t i = 0; i < count; ++i)
        if (record->times[i] != 1 || record->worker[i] >= workers ||
            (i > 0 && record->worker[i] < record->worker[i - 1]))
            return false;
    return true;
}

START_TEST(host_call_does_each_item_once)
{
    static const size_t counts[] = {0, 1, 2, 3, 7, 999, 1000};
    acre_context *context = host_context();
    const struct acre_device *device = &context->devices[0];
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); ++i) {
        struct record record = {{0}, {0}};
        ck_assert_int_eq(device->backend->call(device->queue, note, &record, counts[i]), ACRE_OK);
        ck_assert_int_eq(device->backend->queue_wait(device->queue), ACRE_OK);
        ck_assert(is_complete(&record, counts[i], device->properties.workers));
        ck_assert(counts[i] == 1000 || record.times[counts[i]] == 0);
    }
    acre_context_destroy(context);
}
END_TEST

START_TEST(host_keeps_to_the_workers_it_opened_with)
{
    const int before = omp_get_max_threads();
    omp_set_num_threads(2);
    acre_context *context = host_context();
    const struct acre_device *device = &context->devices[0];
    ck_assert_uint_eq(device->properties.workers, 2);
    omp_set_num_threads(7);
    struct record record = {{0}, {0}};
    ck_assert_int_eq(device->backend->call(device->queue, note, &record, 1000), ACRE_OK);
    ck_assert(is_complete(&record, 1000, 2));
    omp_set_num_threads(before);
    acre_context_destroy(context);
}
END_TEST

struct caller {
    const struct acre_device *device;
    bool fine;
};

static void *call_often(void *argument)
{
    struct caller *caller = argument;
    caller->fine = true;
    for (int i = 0; i < 50; ++i) {
        struct record record = {{0}, {0}};
        caller->fine = caller->fine &&
                       caller->device->backend->call(caller->device->queue, note, &record, 1000) == ACRE_OK &&
                       is_complete(&record, 1000, caller->device->properties.workers);
    }
    return NULL;
}

START_TEST(host_calls_from_several_threads_keep_apart)
{
    acre_context *context = host_context();
    pthread_t threads[3];
    struct caller callers[3];
    for (int i = 0; i < 3; ++i) {
        callers[i].device = &context->devices[0];
        ck_assert_int_eq(pthread_create(&threads[i], NULL, call_often, &callers[i]), 0);
    }
    for (int i = 0; i < 3; ++i) {
        pthread_join(threads[i], NULL);
        ck_assert(callers[i].fine);
    }
    acre_context_destroy(context);
}
END_TEST

START_TEST(host_call_inside_a_team_uses_one_worker)
{
    acre_context *context = host_context();
    const struct acre_device *device = &context->devices[0];
    int bad = 0;
#pragma omp parallel num_threads(2) reduction(+ : bad)
    {
        struct record record = {{0}, {0}};
        bad += device->backend->call(device->queue, note, &record, 1000) != ACRE_OK;
        bad += !is_complete(&record, 1000, device->properties.workers);
    }
    ck_assert_int_eq(bad, 0);
    acre_context_destroy(context);
}
END_TEST

/* The thread sanitizer ends a child that starts threads. */
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define NO_THREADS_AFTER_FORK
#endif
#endif
#ifdef __SANITIZE_THREAD__
#define NO_THREADS_AFTER_FORK
#endif

/* A child made by fork is told so, and nothing hangs. What it found goes to the parent as its exit status. */
static int try_inherited(acre_context *context, acre_lattice *lattice)
{
    const int64_t extents[1] = {4};
    acre_lattice *made = NULL;
    if (acre_context_check(context) != ACRE_ERR_BACKEND ||
        !strstr(acre_message(), "before this process was forked"))
        return 1;
    if (acre_lattice_create(context, 1, extents, ACRE_SITES_DEFAULT, &made) != ACRE_ERR_BACKEND || made)
        return 2;
    if (acre_eval_args(context, "x = 1", 0, NULL, __FILE__, __LINE__) != ACRE_ERR_BACKEND)
        return 3;
    acre_lattice_destroy(lattice);
    acre_context_destroy(context);
#ifndef NO_THREADS_AFTER_FORK
    /* Its own context is fine. */
    setenv("ACRE_HOST_DEVICES", "2", 1);
    acre_context *own;
    if (acre_context_open(&acre_backend_host, 2, &own) != ACRE_OK || acre_context_check(own) != ACRE_OK)
        return 4;
    acre_context_destroy(own);
#endif
    return 0;
}

START_TEST(a_forked_child_cant_use_its_parents_context)
{
    const int64_t extents[1] = {4};
    acre_context *context;
    acre_lattice *lattice;
    setenv("ACRE_HOST_DEVICES", "3", 1);
    ck_assert_int_eq(acre_context_open(&acre_backend_host, 3, &context), ACRE_OK);
    ck_assert_int_eq(acre_lattice_create(context, 1, extents, ACRE_SITES_DEFAULT, &lattice), ACRE_OK);
    ck_assert_int_eq(acre_context_check(context), ACRE_OK);
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        const int fault = try_inherited(context, lattice);
        _exit(fault);
    }
    ck_assert_int_gt(child, 0);
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "the child ended with %d", status);
    ck_assert_int_eq(acre_context_check(context), ACRE_OK);
    acre_lattice_destroy(lattice);
    acre_context_destroy(context);
    unsetenv("ACRE_HOST_DEVICES");
}
END_TEST

START_TEST(devices_know_what_they_are_near)
{
    struct acre_locality locality;
    acre_device_properties properties = {.pci = "ffff:ff:1f.7"};
    ck_assert_int_eq(acre_locality_find(&acre_backend_host, &properties, 0, 1, &locality), ACRE_OK);
    ck_assert_int_ge(locality.node, -1); /* no such device: not known, unless there is one node only */
    properties.pci[0] = 0;
    ck_assert_int_eq(acre_locality_find(&acre_backend_host, &properties, 0, 1, &locality), ACRE_OK);
    ck_assert_int_ge(locality.node, 0); /* memory of its own in the processor's reach */
    ck_assert_uint_gt(strlen(locality.cpus), 0);
    acre_locality_unbind(acre_locality_bind(&locality));
    acre_locality_unbind(NULL);
}
END_TEST

START_TEST(topology_is_plausible)
{
    struct acre_topology topology;
    ck_assert_msg(acre_topology_read(&topology) == ACRE_OK, "%s", acre_message());
    ck_assert_int_ge(topology.threads, 1);
    ck_assert_int_ge(topology.numa_nodes, 1);
    ck_assert_uint_gt(topology.memory_bytes, 1 << 20);
    ck_assert_uint_lt(strlen(topology.cpu), sizeof(topology.cpu));
}
END_TEST

Suite *acre_suite_device(void)
{
    Suite *suite = suite_create("device");
    TCase *test = tcase_create("device");
    tcase_add_test(test, host_context_has_one_device);
    tcase_add_test(test, context_needs_a_pointer);
    tcase_add_test(test, malformed_log_level_fails_the_context);
    tcase_add_test(test, seeding_restarts_the_sequence);
    tcase_add_test(test, devices_with_memory_get_places_from_one);
    tcase_add_test(test, failing_open_leaves_nothing_open);
    tcase_add_test(test, context_outlives_its_user_while_arrays_live);
    tcase_add_test(test, teardown_is_silent_when_nothing_lives);
    tcase_add_test(test, host_call_does_each_item_once);
    tcase_add_test(test, host_keeps_to_the_workers_it_opened_with);
    tcase_add_test(test, host_calls_from_several_threads_keep_apart);
    tcase_add_test(test, host_call_inside_a_team_uses_one_worker);
    tcase_add_test(test, a_forked_child_cant_use_its_parents_context);
    tcase_add_test(test, devices_know_what_they_are_near);
    tcase_add_test(test, topology_is_plausible);
    suite_add_tcase(suite, test);
    return suite;
}
