/* tests/test_memory_faults.c: ACRE_FAULT at every allocation, copy and kernel of a program of 50 steps, one
 * after another, at submission and late: every run reports an error, and no byte is ever wrong. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "memory_work.h"
#include "mock_backend.h"

Suite *acre_suite_memory_faults(void);

enum { BYTES = 64, HALF = BYTES / 2, ARRAYS = 4, STEPS = 50 };

/* The reference: what each half of each array holds; -1: it was never written. */
struct program {
    acre_context *context;
    acre_array *arrays[ARRAYS];
    int values[ARRAYS][2];
    uint64_t random;
    unsigned errors, lost;
    const char *fault;
};

static unsigned random_below(struct program *p, unsigned limit)
{
    p->random = p->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(p->random >> 33) % limit;
}

static acre_range range_of(int halves, int half)
{
    return halves == 2 ? (acre_range){0, BYTES} : (acre_range){(size_t)half * HALF, HALF};
}

/* Did it go well? Whatever failed has changed nothing. */
static bool is_well(struct program *p, acre_status status)
{
    if (status == ACRE_OK)
        return true;
    ++p->errors;
    if (status == ACRE_ERR_LOST) {
        ++p->lost;
        ck_assert_msg(strstr(acre_message(), "kernel ") != NULL, "%s", acre_message());
    } else if (status != ACRE_ERR_UNDEFINED) {
        work_expect_message("ACRE_FAULT");
    }
    return false;
}

static void step_kernel(struct program *p, int to, int from, int halves, int half, acre_place place)
{
    const acre_range range = range_of(halves, half);
    const int value = (int)random_below(p, 100);
    for (int h = 0; h < 2; ++h)
        if ((halves == 2 || h == half) && p->values[from][h] < 0)
            return;
    if (!is_well(p, from == to ? work_increase("k", p->arrays[to], range, place, value)
                               : work_add("k", p->arrays[to], p->arrays[from], range, place, value)))
        return;
    for (int h = 0; h < 2; ++h)
        if (halves == 2 || h == half)
            p->values[to][h] = (p->values[from][h] + value) % 256;
}

static void step_write(struct program *p, int to, int halves, int half)
{
    const acre_range range = range_of(halves, half);
    unsigned char bytes[BYTES];
    const int value = (int)random_below(p, 256);
    memset(bytes, value, sizeof(bytes));
    if (!is_well(p, acre_array_write(p->arrays[to], range.offset, range.bytes, bytes)))
        return;
    for (int h = 0; h < 2; ++h)
        if (halves == 2 || h == half)
            p->values[to][h] = value;
}

static bool check_half(struct program *p, int i, int half)
{
    const acre_range range = range_of(1, half);
    void *address;
    if (p->values[i][half] < 0 ||
        !is_well(p, acre_array_acquire(p->arrays[i], 0, ACRE_READ, &range, 1, &address)))
        return false;
    for (size_t b = range.offset; b < range.offset + range.bytes; ++b)
        if (((unsigned char *)address)[b] != p->values[i][half])
            ck_abort_msg("ACRE_FAULT=%s: array %d, byte %zu: %d instead of %d", p->fault, i, b,
                         ((unsigned char *)address)[b], p->values[i][half]);
    ck_assert_int_eq(acre_array_release(p->arrays[i], 0, ACRE_READ, &range, 1), ACRE_OK);
    return true;
}

static void step(struct program *p)
{
    const int to = (int)random_below(p, ARRAYS), from = (int)random_below(p, ARRAYS);
    const int halves = 1 + (int)random_below(p, 2), half = (int)random_below(p, 2);
    const acre_place place = 1 + (acre_place)random_below(p, MOCK_DEVICES);
    const acre_range range = range_of(halves, half);
    switch (random_below(p, 8)) {
    case 0:
        step_write(p, to, halves, half);
        return;
    case 1:
        (void)check_half(p, to, half);
        return;
    case 2:
        if (p->values[to][0] >= 0 && p->values[to][1] >= 0)
            (void)is_well(p, acre_array_prefetch(p->arrays[to], place - 1, &range, 1));
        return;
    case 3:
        (void)is_well(p, acre_array_evict(p->arrays[to], place));
        return;
    default:
        step_kernel(p, to, from, halves, half, place);
        return;
    }
}

/* The last look: bytes are right, or lost by a kernel. A copy that failed is made again. */
static void check_all(struct program *p)
{
    for (int i = 0; i < ARRAYS; ++i)
        for (int half = 0; half < 2; ++half)
            for (int tries = 0; tries < 3 && !check_half(p, i, half); ++tries)
                ;
    for (int i = 0; i < ARRAYS; ++i)
        ck_assert_msg(acre_interval_map_check(&p->arrays[i]->map) == ACRE_OK, "%s", acre_message());
}

static unsigned run(const acre_backend *backend, const char *fault)
{
    struct program p = {.random = 5, .fault = fault};
    setenv("ACRE_FAULT", fault, 1);
    setenv("ACRE_DEVICE_MEMORY", "150", 1);
    p.context = mock_context_of(backend, MOCK_DEVICES);
    unsetenv("ACRE_FAULT");
    unsetenv("ACRE_DEVICE_MEMORY");
    for (int i = 0; i < ARRAYS; ++i) {
        p.arrays[i] = work_array(p.context, BYTES, "array");
        p.values[i][0] = p.values[i][1] = -1;
        step_write(&p, i, 2, 0);
    }
    for (int i = 0; i < STEPS; ++i)
        step(&p);
    check_all(&p);
    p.errors += acre_context_wait(p.context) != ACRE_OK;
    for (int i = 0; i < ARRAYS; ++i)
        acre_array_destroy(p.arrays[i]);
    acre_context_destroy(p.context);
    ck_assert_int_eq(mock_count().blocks, 0);
    ck_assert_int_eq(mock_count().events, 0);
    return p.errors;
}

static const acre_backend *const backends[] = {&mock_backend, &mock_peer_backend, &mock_alias_backend};

START_TEST(every_operation_may_fail)
{
    static const char *const names[] = {"alloc", "copy", "kernel", "copy-late", "kernel-late"};
    unsigned long most[ACRE_FAULTS];
    ck_assert_uint_eq(run(backends[_i], "alloc@1000000000"), 0);
    for (int fault = 0; fault < ACRE_FAULTS; ++fault)
        most[fault] = acre_fault_count((enum acre_fault)fault);
    ck_assert_uint_gt(most[ACRE_FAULT_KERNEL], 15);
    if (backends[_i] != &mock_alias_backend)
        ck_assert_uint_gt(most[ACRE_FAULT_COPY], 20);
    for (int fault = 0; fault < ACRE_FAULTS; ++fault) {
        for (unsigned long n = 1; n <= most[fault]; ++n) {
            char text[64];
            snprintf(text, sizeof(text), "%s@%lu", names[fault], n);
            if (run(backends[_i], text) == 0)
                ck_abort_msg("ACRE_FAULT=%s: no error was reported", text);
        }
    }
}
END_TEST

START_TEST(malformed_faults_are_errors)
{
    static const char *const bad[] = {"x",
                                      "copy",
                                      "copy@",
                                      "copy@0",
                                      "copy@-1",
                                      "copy@1x",
                                      "@1",
                                      "copy@1,",
                                      ",",
                                      "copy-later@1",
                                      "alloc@99999999999999999999999",
                                      "Copy@1",
                                      "copy @1"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i) {
        acre_context *none;
        setenv("ACRE_FAULT", bad[i], 1);
        ck_assert_int_eq(acre_context_open(&mock_backend, 1, &none), ACRE_ERR_ENVIRONMENT);
        work_expect_message("ACRE_FAULT is \"");
        ck_assert_int_eq(mock_count().devices, 0);
    }
    unsetenv("ACRE_FAULT");
}
END_TEST

START_TEST(switches_take_0_and_1)
{
    static const char *const names[] = {"ACRE_CHECK", "ACRE_STATS"};
    for (int i = 0; i < 2; ++i) {
        acre_context *none;
        setenv(names[i], "yes", 1);
        ck_assert_int_eq(acre_context_open(&mock_backend, 1, &none), ACRE_ERR_ENVIRONMENT);
        work_expect_message(names[i]);
        unsetenv(names[i]);
    }
}
END_TEST

START_TEST(statistics_are_printed_when_asked_for)
{
    acre_context *context = mock_context(2);
    acre_array *array = work_array(context, 100, "a");
    work_fill(array, 0, 100, 1);
    ck_assert_int_eq(work_increase("f", array, (acre_range){0, 40}, 1, 1), ACRE_OK);
    ck_assert(work_is(array, 0, 100, 1) == false);
    acre_array_destroy(array);
    setenv("ACRE_STATS", "1", 1);
    capture_begin();
    acre_context_destroy(context);
    char *text = capture_end();
    unsetenv("ACRE_STATS");
    ck_assert_str_eq(text, "acre: kernels 1, waits 1, allocations 1, pool hits 0, evictions 0 of 0 bytes\n"
                           "acre: copies host -> mock:0: 1 of 40 bytes\n"
                           "acre: copies mock:0 -> host: 1 of 40 bytes\n");
    free(text);
}
END_TEST

Suite *acre_suite_memory_faults(void)
{
    Suite *suite = suite_create("memory_faults");
    TCase *test = tcase_create("memory_faults");
    tcase_set_timeout(test, 120);
    tcase_add_loop_test(test, every_operation_may_fail, 0, 3);
    tcase_add_test(test, malformed_faults_are_errors);
    tcase_add_test(test, switches_take_0_and_1);
    tcase_add_test(test, statistics_are_printed_when_asked_for);
    suite_add_tcase(suite, test);
    return suite;
}
