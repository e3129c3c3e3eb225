/* tests/test_memory.c: arrays: what may be acquired and released, by whom, and what a failure leaves behind. */
#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "core/memory/array.h"
#include "mock_backend.h"

Suite *acre_suite_memory(void);

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_OWN_ALLOCATOR 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_OWN_ALLOCATOR 1
#endif
#endif

/* The fixture: a context of three devices and an undefined array of 100 bytes, "psi". */
enum { BYTES = 100 };
static acre_context *context;
static acre_array *psi;

static void set_up(void)
{
    context = mock_context(MOCK_DEVICES);
    ck_assert_int_eq(acre_array_create(context, BYTES, false, "psi", &psi), ACRE_OK);
}

static void tear_down(void)
{
    for (int operation = 0; operation < MOCK_OPERATIONS; ++operation)
        mock_fail((enum mock_operation)operation, 0);
    acre_array_destroy(psi);
    acre_context_destroy(context);
    psi = NULL;
    context = NULL;
    ck_assert_int_eq(mock_count().blocks, 0);
    ck_assert_int_eq(mock_count().devices, 0);
}

static unsigned char *take(acre_place place, acre_access access, size_t offset, size_t bytes)
{
    void *address;
    const acre_range range = {offset, bytes};
    ck_assert_msg(acre_array_acquire(psi, place, access, &range, 1, &address) == ACRE_OK, "%s", acre_message());
    ck_assert_ptr_nonnull(address);
    return address;
}

static void give(acre_place place, acre_access access, size_t offset, size_t bytes)
{
    const acre_range range = {offset, bytes};
    ck_assert_msg(acre_array_release(psi, place, access, &range, 1) == ACRE_OK, "%s", acre_message());
}

static acre_status try(acre_place place, acre_access access, size_t offset, size_t bytes)
{
    void *address;
    const acre_range range = {offset, bytes};
    const acre_status status = acre_array_acquire(psi, place, access, &range, 1, &address);
    ck_assert_int_eq(status == ACRE_OK, address != NULL);
    return status;
}

static void fill(acre_place place, size_t offset, size_t bytes, int value)
{
    memset(take(place, ACRE_WRITE, offset, bytes) + offset, value, bytes);
    give(place, ACRE_WRITE, offset, bytes);
}

static bool holds(acre_place place, size_t offset, size_t bytes, int value)
{
    const unsigned char *data = take(place, ACRE_READ, offset, bytes);
    bool all = true;
    for (size_t i = offset; i < offset + bytes; ++i)
        all = all && data[i] == value;
    give(place, ACRE_READ, offset, bytes);
    return all;
}

static void expect_copied(uint64_t uploads, uint64_t upload_bytes, uint64_t downloads, uint64_t download_bytes)
{
    ck_assert_uint_eq(psi->uploaded.copies, uploads);
    ck_assert_uint_eq(psi->uploaded.bytes, upload_bytes);
    ck_assert_uint_eq(psi->downloaded.copies, downloads);
    ck_assert_uint_eq(psi->downloaded.bytes, download_bytes);
}

static void expect_message(const char *part)
{
    ck_assert_msg(strstr(acre_message(), part) != NULL, "\"%s\" is not in \"%s\"", part, acre_message());
}

START_TEST(new_array_takes_no_memory)
{
    ck_assert_uint_eq(acre_array_bytes(psi), BYTES);
    ck_assert_str_eq(acre_array_label(psi), "psi");
    ck_assert_uint_eq(acre_array_version(psi), 0);
    ck_assert_ptr_null(psi->host);
    ck_assert_ptr_null(psi->handles);
    fill(2, 0, BYTES, 1);
    ck_assert_ptr_null(psi->host);
    ck_assert_int_eq(mock_count().blocks, 1);
}
END_TEST

START_TEST(huge_array_costs_nothing_before_its_first_use)
{
    acre_array *huge;
    ck_assert_int_eq(acre_array_create(context, (size_t)1 << 60, true, "huge", &huge), ACRE_OK);
#ifndef HAS_OWN_ALLOCATOR /* sanitizers end the process when an allocation is too large */
    void *address;
    ck_assert_int_eq(acre_array_acquire(huge, 0, ACRE_READ, NULL, 0, &address), ACRE_ERR_OUT_OF_MEMORY);
    expect_message("array 'huge': out of host memory: 1152921504606846976 bytes");
    ck_assert_ptr_null(huge->holders);
#endif
    acre_array_destroy(huge);
    ck_assert_int_eq(acre_array_create(context, SIZE_MAX, true, "huge", &huge), ACRE_ERR_ARGUMENT);
    ck_assert_ptr_null(huge);
}
END_TEST

START_TEST(null_arguments_are_errors)
{
    void *address;
    ck_assert_int_eq(acre_array_create(NULL, 1, false, "x", &psi), ACRE_ERR_ARGUMENT);
    ck_assert_int_eq(acre_array_create(context, 1, false, "x", NULL), ACRE_ERR_ARGUMENT);
    ck_assert_int_eq(acre_array_acquire(NULL, 0, ACRE_READ, NULL, 0, &address), ACRE_ERR_ARGUMENT);
    ck_assert_int_eq(acre_array_release(NULL, 0, ACRE_READ, NULL, 0), ACRE_ERR_ARGUMENT);
    ck_assert_int_eq(acre_array_acquire(psi, 0, ACRE_WRITE, NULL, 3, &address), ACRE_ERR_ARGUMENT);
    acre_array_destroy(NULL);
}
END_TEST

START_TEST(host_memory_is_aligned)
{
    ck_assert_uint_eq((uintptr_t)take(0, ACRE_WRITE, 0, BYTES) % 64, 0);
    give(0, ACRE_WRITE, 0, BYTES);
    acre_array *zeros;
    void *address;
    ck_assert_int_eq(acre_array_create(context, 1, true, NULL, &zeros), ACRE_OK);
    ck_assert_int_eq(acre_array_acquire(zeros, 0, ACRE_READ, NULL, 0, &address), ACRE_OK);
    ck_assert_uint_eq((uintptr_t)address % 64, 0);
    ck_assert_int_eq(acre_array_release(zeros, 0, ACRE_READ, NULL, 0), ACRE_OK);
    acre_array_destroy(zeros);
}
END_TEST

START_TEST(reading_what_was_never_written_is_an_error)
{
    for (acre_place place = 0; place <= MOCK_DEVICES; ++place) {
        ck_assert_int_eq(try(place, ACRE_READ, 0, BYTES), ACRE_ERR_UNDEFINED);
        ck_assert_int_eq(try(place, ACRE_READ_WRITE, 5, 1), ACRE_ERR_UNDEFINED);
    }
    fill(1, 0, 50, 1);
    ck_assert_int_eq(try(0, ACRE_READ, 40, 20), ACRE_ERR_UNDEFINED);
    expect_message("array 'psi': bytes [50, +10) were never written");
    expect_message("test_memory.c:");
    ck_assert(holds(0, 0, 50, 1));
    ck_assert_ptr_null(psi->holders);
}
END_TEST

START_TEST(only_missing_bytes_are_copied)
{
    fill(1, 0, BYTES, 1);
    expect_copied(0, 0, 0, 0);
    ck_assert(holds(1, 0, BYTES, 1));
    expect_copied(0, 0, 0, 0);
    ck_assert(holds(0, 10, 20, 1));
    expect_copied(0, 0, 1, 20);
    ck_assert(holds(0, 0, 40, 1)); /* [0, 10) and [30, 40) */
    expect_copied(0, 0, 3, 40);
    ck_assert(holds(2, 0, BYTES, 1)); /* [40, 100) by way of the host */
    expect_copied(2, 100, 4, 100);
    ck_assert(holds(0, 0, BYTES, 1));
    expect_copied(2, 100, 4, 100);
}
END_TEST

START_TEST(writes_make_other_places_stale)
{
    fill(0, 0, BYTES, 1);
    ck_assert(holds(1, 0, BYTES, 1));
    fill(1, 20, 10, 2);
    ck_assert(holds(0, 0, 20, 1));
    ck_assert(holds(0, 20, 10, 2));
    ck_assert(holds(2, 20, 10, 2));
    expect_copied(2, 110, 1, 10);
    ck_assert_uint_eq(acre_array_version(psi), 2);
}
END_TEST

START_TEST(a_write_counts_on_release)
{
    fill(0, 0, BYTES, 1);
    take(1, ACRE_WRITE, 0, BYTES);
    ck_assert_uint_eq(acre_array_version(psi), 1);
    ck_assert(acre_interval_has(acre_interval_map_find(&psi->map, 0), 0));
    give(1, ACRE_WRITE, 0, BYTES);
    ck_assert_uint_eq(acre_array_version(psi), 2);
    ck_assert(!acre_interval_has(acre_interval_map_find(&psi->map, 0), 0));
    expect_copied(0, 0, 0, 0);
}
END_TEST

START_TEST(partial_writes_keep_the_rest)
{
    fill(0, 0, 50, 1);
    take(1, ACRE_PARTIAL_WRITE, 0, BYTES)[7] = 9;
    expect_copied(1, 50, 0, 0);
    give(1, ACRE_PARTIAL_WRITE, 0, BYTES);
    ck_assert(holds(0, 7, 1, 9));
    ck_assert(holds(0, 0, 7, 1));
    ck_assert(holds(0, 8, 42, 1));
    ck_assert_int_eq(try(0, ACRE_READ, 50, 50), ACRE_OK); /* unspecified, but defined */
    give(0, ACRE_READ, 50, 50);
}
END_TEST

START_TEST(zeroed_arrays_are_zero_everywhere)
{
    for (acre_place place = 0; place <= MOCK_DEVICES; ++place) {
        acre_array *zeros;
        void *address;
        ck_assert_int_eq(acre_array_create(context, BYTES, true, "zeros", &zeros), ACRE_OK);
        ck_assert_int_eq(acre_array_acquire(zeros, place, ACRE_READ, NULL, 0, &address), ACRE_OK);
        for (int i = 0; i < BYTES; ++i)
            ck_assert_int_eq(((unsigned char *)address)[i], 0);
        ck_assert_int_eq(acre_array_release(zeros, place, ACRE_READ, NULL, 0), ACRE_OK);
        acre_array_destroy(zeros);
    }
}
END_TEST

START_TEST(conflicts_name_both_holders)
{
    fill(0, 0, BYTES, 1);
    void *address;
    const acre_range first = {10, 30}, second = {35, 30};
    ck_assert_int_eq(acre_array_acquire_at(psi, 1, ACRE_WRITE, &first, 1, &address, "alice.c", 12), ACRE_OK);
    ck_assert_int_eq(acre_array_acquire_at(psi, 0, ACRE_READ, &second, 1, &address, "bob.c", 34),
                     ACRE_ERR_CONFLICT);
    ck_assert_ptr_null(address);
    ck_assert_str_eq(acre_message(),
                     "array 'psi': bytes [35, +5) are held for writing at mock:0 by alice.c:12; "
                     "bob.c:34 can't have them for reading at host");
    ck_assert_int_eq(acre_array_release(psi, 1, ACRE_WRITE, &first, 1), ACRE_OK);
    ck_assert_int_eq(acre_array_acquire_at(psi, 0, ACRE_READ, &second, 1, &address, "bob.c", 35), ACRE_OK);
    ck_assert_int_eq(acre_array_release(psi, 0, ACRE_READ, &second, 1), ACRE_OK);
}
END_TEST

/* The first that both have: [45, 50), whichever list it is looked up in. */
START_TEST(conflicts_are_found_in_lists)
{
    void *address;
    const acre_range low[] = {{0, 5}, {10, 5}, {40, 10}, {90, 1}}, high[] = {{45, 30}, {20, 10}, {7, 1}};
    for (int turn = 0; turn < 2; ++turn) {
        const acre_range *held = turn ? low : high, *wanted = turn ? high : low;
        const size_t held_count = turn ? 4 : 3, wanted_count = turn ? 3 : 4;
        ck_assert_int_eq(acre_array_acquire(psi, 0, ACRE_WRITE, held, held_count, &address), ACRE_OK);
        ck_assert_int_eq(acre_array_acquire(psi, 0, ACRE_WRITE, wanted, wanted_count, &address),
                         ACRE_ERR_CONFLICT);
        expect_message("bytes [45, +5) are held");
        ck_assert_int_eq(acre_array_release(psi, 0, ACRE_WRITE, held, held_count), ACRE_OK);
    }
}
END_TEST

START_TEST(only_reads_may_overlap)
{
    fill(0, 0, BYTES, 1);
    for (int held = ACRE_READ; held <= ACRE_PARTIAL_WRITE; ++held) {
        for (int wanted = ACRE_READ; wanted <= ACRE_PARTIAL_WRITE; ++wanted) {
            for (acre_place place = 0; place <= 2; ++place) {
                take(1, (acre_access)held, 20, 20);
                const bool fine = held == ACRE_READ && wanted == ACRE_READ;
                ck_assert_int_eq(try(place, (acre_access)wanted, 39, 1), fine ? ACRE_OK : ACRE_ERR_CONFLICT);
                if (fine)
                    give(place, (acre_access)wanted, 39, 1);
                take(place, (acre_access)wanted, 40, 1); /* side by side is fine */
                give(place, (acre_access)wanted, 40, 1);
                give(1, (acre_access)held, 20, 20);
            }
        }
    }
}
END_TEST

START_TEST(release_needs_its_acquire)
{
    fill(0, 0, BYTES, 1);
    ck_assert_int_eq(acre_array_release(psi, 0, ACRE_READ, NULL, 0), ACRE_ERR_ARGUMENT);
    expect_message("array 'psi': released for reading at host, but nobody holds");
    take(0, ACRE_READ, 10, 10);
    const acre_range rows[] = {{10, 9}, {9, 10}, {10, 11}, {0, 0}, {SIZE_MAX, SIZE_MAX}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i)
        ck_assert_int_eq(acre_array_release(psi, 0, ACRE_READ, &rows[i], 1), ACRE_ERR_ARGUMENT);
    const acre_range right = {10, 10};
    ck_assert_int_eq(acre_array_release(psi, 1, ACRE_READ, &right, 1), ACRE_ERR_ARGUMENT);
    ck_assert_int_eq(acre_array_release(psi, 9, ACRE_READ, &right, 1), ACRE_ERR_ARGUMENT);
    ck_assert_int_eq(acre_array_release(psi, 0, ACRE_READ_WRITE, &right, 1), ACRE_ERR_ARGUMENT);
    ck_assert_int_eq(acre_array_release(psi, 0, (acre_access)7, &right, 1), ACRE_ERR_ARGUMENT);
    give(0, ACRE_READ, 10, 10);
    ck_assert_int_eq(acre_array_release(psi, 0, ACRE_READ, &right, 1), ACRE_ERR_ARGUMENT);
    ck_assert_uint_eq(acre_array_version(psi), 1);
}
END_TEST

START_TEST(equal_reads_are_counted)
{
    fill(0, 0, BYTES, 1);
    take(0, ACRE_READ, 0, BYTES);
    take(0, ACRE_READ, 0, BYTES);
    ck_assert_int_eq(acre_array_release(psi, 0, ACRE_READ, NULL, 0), ACRE_OK); /* all of it, spelled shorter */
    ck_assert_int_eq(try(0, ACRE_WRITE, 0, 1), ACRE_ERR_CONFLICT);
    give(0, ACRE_READ, 0, BYTES);
    fill(0, 0, 1, 2);
}
END_TEST

START_TEST(bad_places_and_accesses_are_refused)
{
    ck_assert_int_eq(try(-1, ACRE_WRITE, 0, 1), ACRE_ERR_ARGUMENT);
    ck_assert_int_eq(try(MOCK_DEVICES + 1, ACRE_WRITE, 0, 1), ACRE_ERR_ARGUMENT);
    expect_message("no place 4, the context has 0 to 3");
    ck_assert_int_eq(try(0, (acre_access)4, 0, 1), ACRE_ERR_ARGUMENT);
    ck_assert_int_eq(try(0, (acre_access)-1, 0, 1), ACRE_ERR_ARGUMENT);
}
END_TEST

START_TEST(ranges_must_lie_in_the_array)
{
    static const acre_range rows[] = {{0, 101}, {100, 1}, {101, 0}, {50, SIZE_MAX}, {SIZE_MAX, 2}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        void *address;
        const acre_range two[] = {{0, 1}, rows[i]};
        ck_assert_int_eq(acre_array_acquire(psi, 0, ACRE_WRITE, two, 2, &address), ACRE_ERR_ARGUMENT);
        expect_message("array 'psi': range 1 [");
        expect_message("100 bytes");
    }
    ck_assert_ptr_null(psi->host);
}
END_TEST

START_TEST(ranges_must_not_overlap)
{
    void *address;
    const acre_range touching[] = {{50, 10}, {0, 10}, {10, 5}, {12, 0}, {60, 40}};
    ck_assert_int_eq(acre_array_acquire(psi, 0, ACRE_WRITE, touching, 5, &address), ACRE_OK);
    ck_assert_int_eq(acre_array_release(psi, 0, ACRE_WRITE, touching, 5), ACRE_OK);
    const acre_range overlapping[] = {{50, 10}, {0, 10}, {9, 5}};
    ck_assert_int_eq(acre_array_acquire(psi, 0, ACRE_WRITE, overlapping, 3, &address), ACRE_ERR_ARGUMENT);
    expect_message("[0, +10) and [9, +5) overlap");
    const acre_range twice[] = {{5, 1}, {5, 1}};
    ck_assert_int_eq(acre_array_acquire(psi, 0, ACRE_WRITE, twice, 2, &address), ACRE_ERR_ARGUMENT);
}
END_TEST

START_TEST(empty_ranges_touch_nothing)
{
    void *address;
    static const acre_range list[1];
    for (acre_place place = 0; place <= 1; ++place) {
        ck_assert_int_eq(try(place, ACRE_READ, 50, 0), ACRE_OK);
        take(place, ACRE_WRITE, 50, 0); /* conflicts with nobody */
        take(place, ACRE_WRITE, BYTES, 0);
        give(place, ACRE_WRITE, BYTES, 0);
        give(place, ACRE_WRITE, 50, 0);
        give(place, ACRE_READ, 50, 0);
        ck_assert_int_eq(acre_array_acquire(psi, place, ACRE_READ, list, 0, &address), ACRE_OK);
        ck_assert_int_eq(acre_array_release(psi, place, ACRE_READ, list, 0), ACRE_OK);
    }
    ck_assert_uint_eq(acre_array_version(psi), 0);
    ck_assert_ptr_null(psi->host);
    ck_assert_int_eq(mock_count().blocks, 0);
    ck_assert_int_eq(try(0, ACRE_READ, 0, BYTES), ACRE_ERR_UNDEFINED);
}
END_TEST

START_TEST(empty_arrays_are_legal)
{
    acre_array *empty;
    ck_assert_int_eq(acre_array_create(context, 0, _i, NULL, &empty), ACRE_OK);
    ck_assert_str_eq(acre_array_label(empty), "");
    for (acre_place place = 0; place <= 1; ++place) {
        void *address;
        ck_assert_int_eq(acre_array_acquire(empty, place, ACRE_READ_WRITE, NULL, 0, &address), ACRE_OK);
        ck_assert_ptr_nonnull(address);
        ck_assert_int_eq(acre_array_release(empty, place, ACRE_READ_WRITE, NULL, 0), ACRE_OK);
    }
    acre_array_destroy(empty);
}
END_TEST

START_TEST(failed_allocation_loses_nothing)
{
    fill(0, 0, BYTES, 1);
    mock_fail(MOCK_ALLOC, 1);
    ck_assert_int_eq(try(1, ACRE_READ_WRITE, 0, BYTES), ACRE_ERR_OUT_OF_MEMORY);
    expect_message("array 'psi': no 100 bytes at mock:0: the mock's alloc was told to fail");
    ck_assert_ptr_null(psi->handles);
    ck_assert(holds(0, 0, BYTES, 1));
    ck_assert(holds(1, 0, BYTES, 1));
}
END_TEST

/* At submission: nothing has changed. */
START_TEST(failed_copies_lose_nothing)
{
    static const struct {
        enum mock_operation operation;
        unsigned n;
    } rows[] = {{MOCK_UPLOAD, 1}, {MOCK_UPLOAD, 2}, {MOCK_DOWNLOAD, 1}, {MOCK_ORDER, 1}, {MOCK_ALLOC, 1}};
    fill(0, 0, 50, 1);
    fill(1, 50, 50, 2);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); ++i) {
        if (rows[i].operation == MOCK_ALLOC)
            acre_pool_trim(&context->memory->devices[1]);
        mock_fail(rows[i].operation, rows[i].n);
        ck_assert_int_ne(try(2, ACRE_READ_WRITE, 0, BYTES), ACRE_OK);
        mock_fail(rows[i].operation, 0);
        expect_message("array 'psi': ");
        expect_message("told to fail");
        ck_assert_ptr_null(psi->holders);
        ck_assert_ptr_null(acre_array_handle_find(psi, &context->devices[1]));
        ck_assert_uint_eq(psi->map.count, 2);
    }
    ck_assert(holds(2, 0, 50, 1));
    ck_assert(holds(2, 50, 50, 2));
}
END_TEST

START_TEST(failed_copies_leave_no_host_memory)
{
    fill(1, 0, BYTES, 1);
    mock_fail(MOCK_DOWNLOAD, 1);
    ck_assert_int_eq(try(0, ACRE_READ, 0, BYTES), ACRE_ERR_BACKEND);
    ck_assert_ptr_null(psi->host);
    ck_assert(holds(0, 0, BYTES, 1));
}
END_TEST

static void *no_memory(size_t bytes)
{
    (void)bytes;
    return NULL;
}

/* When the map can't grow, acquire says so; release never has to. */
START_TEST(map_without_memory_fails_in_acquire_only)
{
    fill(0, 0, BYTES, 1);
    take(0, ACRE_READ_WRITE, 10, 10);
    take(1, ACRE_READ_WRITE, 30, 10);
    psi->map.allocate = no_memory;
    ck_assert_int_eq(try(2, ACRE_READ_WRITE, 50, 10), ACRE_ERR_OUT_OF_MEMORY);
    give(0, ACRE_READ_WRITE, 10, 10);
    give(1, ACRE_READ_WRITE, 30, 10);
    ck_assert_msg(acre_interval_map_check(&psi->map) == ACRE_OK, "%s", acre_message());
    ck_assert_uint_eq(psi->map.count, 3);
    ck_assert(acre_interval_has(acre_interval_map_find(&psi->map, 30), 1));
    ck_assert(!acre_interval_has(acre_interval_map_find(&psi->map, 30), 0));
}
END_TEST

START_TEST(destroying_a_held_array_names_the_holder)
{
    acre_array *array;
    void *address;
    ck_assert_int_eq(acre_array_create(context, 10, true, "held", &array), ACRE_OK);
    ck_assert_int_eq(acre_array_acquire_at(array, 3, ACRE_READ, NULL, 0, &address, "carol.c", 56), ACRE_OK);
    capture_begin();
    acre_array_destroy(array);
    char *text = capture_end();
    ck_assert_str_eq(text,
                     "acre: warning: array 'held' destroyed while held for reading at mock:2 by carol.c:56\n");
    free(text);
}
END_TEST

Suite *acre_suite_memory(void)
{
    Suite *suite = suite_create("memory");
    TCase *test = tcase_create("memory");
    tcase_add_checked_fixture(test, set_up, tear_down);
    tcase_add_test(test, new_array_takes_no_memory);
    tcase_add_test(test, huge_array_costs_nothing_before_its_first_use);
    tcase_add_test(test, null_arguments_are_errors);
    tcase_add_test(test, host_memory_is_aligned);
    tcase_add_test(test, reading_what_was_never_written_is_an_error);
    tcase_add_test(test, only_missing_bytes_are_copied);
    tcase_add_test(test, writes_make_other_places_stale);
    tcase_add_test(test, a_write_counts_on_release);
    tcase_add_test(test, partial_writes_keep_the_rest);
    tcase_add_test(test, zeroed_arrays_are_zero_everywhere);
    tcase_add_test(test, conflicts_name_both_holders);
    tcase_add_test(test, conflicts_are_found_in_lists);
    tcase_add_test(test, only_reads_may_overlap);
    tcase_add_test(test, release_needs_its_acquire);
    tcase_add_test(test, equal_reads_are_counted);
    tcase_add_test(test, bad_places_and_accesses_are_refused);
    tcase_add_test(test, ranges_must_lie_in_the_array);
    tcase_add_test(test, ranges_must_not_overlap);
    tcase_add_test(test, empty_ranges_touch_nothing);
    tcase_add_loop_test(test, empty_arrays_are_legal, 0, 2);
    tcase_add_test(test, failed_allocation_loses_nothing);
    tcase_add_test(test, failed_copies_lose_nothing);
    tcase_add_test(test, failed_copies_leave_no_host_memory);
    tcase_add_test(test, map_without_memory_fails_in_acquire_only);
    tcase_add_test(test, destroying_a_held_array_names_the_holder);
    suite_add_tcase(suite, test);
    return suite;
}
