/* tests/test_memory_contexts.c: arrays in contexts of several kinds, and from several threads. */
#include <check.h>
#include <pthread.h>
#include <string.h>

#include "core/device/registry.h"
#include "core/memory/array.h"
#include "mock_backend.h"

Suite *acre_suite_memory_contexts(void);

/* Devices out of the processor's reach: no address, but the bytes can be brought there all the same. */
START_TEST(far_devices_have_no_address)
{
    acre_context *far;
    acre_array *array;
    void *address;
    ck_assert_int_eq(acre_context_open(&mock_far_backend, 1, &far), ACRE_OK);
    ck_assert_int_eq(acre_array_create(far, 10, true, "far", &array), ACRE_OK);
    ck_assert_int_eq(acre_array_acquire(array, 1, ACRE_READ, NULL, 0, &address), ACRE_ERR_ARGUMENT);
    ck_assert_str_eq(acre_message(),
                     "array 'far': the memory of mockfar:0 has no address for the host's processor");
    ck_assert_int_eq(acre_array_acquire(array, 1, ACRE_READ_WRITE, NULL, 0, NULL), ACRE_OK);
    ck_assert_ptr_nonnull(acre_array_handle_find(array, &far->devices[0]));
    ck_assert_uint_eq(array->uploaded.bytes, 10);
    ck_assert_int_eq(acre_array_release(array, 1, ACRE_READ_WRITE, NULL, 0), ACRE_OK);
    ck_assert_int_eq(acre_array_acquire(array, 0, ACRE_READ, NULL, 0, &address), ACRE_OK);
    ck_assert_int_eq(((char *)address)[9], 0);
    ck_assert_uint_eq(array->downloaded.bytes, 10);
    ck_assert_int_eq(acre_array_release(array, 0, ACRE_READ, NULL, 0), ACRE_OK);
    acre_array_destroy(array);
    acre_context_destroy(far);
}
END_TEST

/* A piece of one of two arrays for each thread, counted up at changing places. */
enum { THREADS = 4, ROUNDS = 100, PIECE = 64 };
struct worker {
    acre_array *array;
    acre_range range;
    int number, bad;
};

static void *count_up(void *argument)
{
    struct worker *worker = argument;
    for (int round = 0; round < ROUNDS; ++round) {
        const acre_place place = (round + worker->number) % (1 + MOCK_DEVICES);
        void *address;
        if (acre_array_acquire(worker->array, place, ACRE_READ_WRITE, &worker->range, 1, &address) != ACRE_OK) {
            ++worker->bad;
            continue;
        }
        unsigned char *data = (unsigned char *)address + worker->range.offset;
        for (int i = 0; i < PIECE; ++i)
            worker->bad += data[i]++ != round;
        worker->bad += acre_array_release(worker->array, place, ACRE_READ_WRITE, &worker->range, 1) != ACRE_OK;
    }
    return NULL;
}

START_TEST(arrays_may_be_used_from_several_threads)
{
    acre_context *context = mock_context(MOCK_DEVICES);
    acre_array *arrays[2];
    pthread_t threads[THREADS];
    struct worker workers[THREADS];
    for (int i = 0; i < 2; ++i)
        ck_assert_int_eq(acre_array_create(context, PIECE * THREADS, true, "shared", &arrays[i]), ACRE_OK);
    for (int i = 0; i < THREADS; ++i) {
        workers[i] = (struct worker){arrays[i % 2], {(size_t)(PIECE * i), PIECE}, i, 0};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, count_up, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], NULL);
        ck_assert_int_eq(workers[i].bad, 0);
    }
    ck_assert_uint_eq(acre_array_version(arrays[0]) + acre_array_version(arrays[1]), THREADS * ROUNDS);
    for (int i = 0; i < 2; ++i)
        acre_array_destroy(arrays[i]);
    acre_context_destroy(context);
}
END_TEST

START_TEST(host_context_never_copies)
{
    acre_context *host;
    acre_array *array;
    void *address;
    ck_assert_int_eq(acre_context_open(&acre_backend_host, 1, &host), ACRE_OK);
    ck_assert_int_eq(acre_array_create(host, 10, false, "here", &array), ACRE_OK);
    const acre_place place = host->devices[0].place;
    ck_assert_int_eq(acre_array_acquire(array, place, ACRE_WRITE, NULL, 0, &address), ACRE_OK);
    memset(address, 1, 10);
    ck_assert_int_eq(acre_array_release(array, place, ACRE_WRITE, NULL, 0), ACRE_OK);
    ck_assert_int_eq(acre_array_acquire(array, ACRE_PLACE_HOST, ACRE_READ, NULL, 0, &address), ACRE_OK);
    ck_assert_int_eq(((char *)address)[9], 1);
    ck_assert_int_eq(acre_array_release(array, ACRE_PLACE_HOST, ACRE_READ, NULL, 0), ACRE_OK);
    ck_assert_int_eq(acre_array_acquire(array, 1, ACRE_READ, NULL, 0, &address), ACRE_ERR_ARGUMENT);
    ck_assert_ptr_null(array->handles);
    acre_array_destroy(array);
    acre_context_destroy(host);
}
END_TEST

Suite *acre_suite_memory_contexts(void)
{
    Suite *suite = suite_create("memory_contexts");
    TCase *test = tcase_create("memory_contexts");
    tcase_add_test(test, far_devices_have_no_address);
    tcase_add_test(test, arrays_may_be_used_from_several_threads);
    tcase_add_test(test, host_context_never_copies);
    suite_add_tcase(suite, test);
    return suite;
}
