/* tests/test_interval_map.c: the validity map against a model that keeps a set of places for every byte. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory/interval_map.h"

Suite *acre_suite_interval_map(void);

enum { BYTES = 97, MOST_PLACES = 130 };

/* The model: for each byte and place, does the place have it? */
struct model {
    bool has[BYTES][MOST_PLACES];
    bool undefined[BYTES];
};

static unsigned random_below(uint64_t *state, unsigned limit)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*state >> 33) % limit;
}

static void model_init(struct model *model)
{
    memset(model->has, 0, sizeof(model->has));
    memset(model->undefined, 1, sizeof(model->undefined));
}

static void model_change(struct model *model, size_t offset, size_t bytes, int place, bool only)
{
    for (size_t i = offset; i < offset + bytes; ++i) {
        if (only)
            memset(model->has[i], 0, sizeof(model->has[i]));
        model->has[i][place] = true;
        model->undefined[i] = false;
    }
}

static bool agrees(const struct acre_interval *interval, const struct model *model, size_t byte, int places)
{
    if (!interval || interval->undefined != model->undefined[byte])
        return false;
    for (int place = 0; place < places; ++place)
        if (acre_interval_has(interval, place) != model->has[byte][place])
            return false;
    return true;
}

static void expect_equal(const struct acre_interval_map *map, const struct model *model, int places)
{
    ck_assert_msg(acre_interval_map_check(map) == ACRE_OK, "%s", acre_message());
    for (size_t i = 0; i < BYTES; ++i)
        if (!agrees(acre_interval_map_find(map, i), model, i, places))
            ck_abort_msg("byte %zu is not as it should be", i);
}

START_TEST(begins_undefined)
{
    struct acre_interval_map map;
    ck_assert_int_eq(acre_interval_map_init(&map, BYTES, 4, 2), ACRE_OK);
    const struct acre_interval *all = acre_interval_map_find(&map, 0);
    ck_assert_uint_eq(all->bytes, BYTES);
    ck_assert(all->undefined);
    ck_assert_ptr_null(acre_interval_map_next(&map, all));
    ck_assert_ptr_null(acre_interval_map_find(&map, BYTES));
    ck_assert_ptr_null(acre_interval_map_find(&map, SIZE_MAX));
    acre_interval_map_free(&map);
}
END_TEST

START_TEST(empty_map_has_nothing)
{
    struct acre_interval_map map;
    ck_assert_int_eq(acre_interval_map_init(&map, 0, 4, 2), ACRE_OK);
    ck_assert_ptr_null(acre_interval_map_find(&map, 0));
    ck_assert_int_eq(acre_interval_map_add(&map, 0, 0, 0, NULL), ACRE_OK);
    ck_assert_int_eq(acre_interval_map_check(&map), ACRE_OK);
    acre_interval_map_free(&map);
}
END_TEST

START_TEST(equal_neighbours_merge)
{
    struct acre_interval_map map;
    ck_assert_int_eq(acre_interval_map_init(&map, BYTES, 4, 2), ACRE_OK);
    ck_assert_int_eq(acre_interval_map_only(&map, 0, 10, 1, NULL), ACRE_OK);
    ck_assert_int_eq(acre_interval_map_only(&map, 20, BYTES - 20, 1, NULL), ACRE_OK);
    ck_assert_uint_eq(map.count, 3);
    ck_assert_int_eq(acre_interval_map_only(&map, 10, 10, 1, NULL), ACRE_OK);
    ck_assert_uint_eq(map.count, 1);
    acre_interval_map_free(&map);
}
END_TEST

/* 1, 4 and 130 places: below, within and beyond one word of bits. */
START_TEST(random_changes_match_the_model)
{
    static const int place_counts[] = {1, 4, MOST_PLACES};
    const int places = place_counts[_i];
    static struct model model;
    struct acre_interval_map map;
    uint64_t state = 20120229 + (uint64_t)_i;
    ck_assert_int_eq(acre_interval_map_init(&map, BYTES, places, 2), ACRE_OK);
    model_init(&model);
    for (int step = 0; step < 3000; ++step) {
        const size_t offset = random_below(&state, BYTES + 1);
        const size_t most = BYTES - offset,
                     bytes = random_below(&state, most > 12 && step % 8 ? 12 : (unsigned)most + 1);
        const int place = (int)random_below(&state, (unsigned)places);
        const bool only = random_below(&state, 2);
        const acre_status status = only ? acre_interval_map_only(&map, offset, bytes, place, NULL)
                                        : acre_interval_map_add(&map, offset, bytes, place, NULL);
        ck_assert_int_eq(status, ACRE_OK);
        model_change(&model, offset, bytes, place, only);
        expect_equal(&map, &model, places);
    }
    acre_interval_map_free(&map);
}
END_TEST

/* Thousands of intervals come and go; a tree of n nodes is at most 1.45 log2 n high. */
START_TEST(many_intervals_stay_balanced)
{
    enum { COUNT = 20000 };
    struct acre_interval_map map;
    ck_assert_int_eq(acre_interval_map_init(&map, 2 * COUNT, 2, 2), ACRE_OK);
    for (size_t i = 0; i < COUNT; ++i)
        ck_assert_int_eq(acre_interval_map_only(&map, 2 * i, 1, 0, NULL), ACRE_OK);
    ck_assert_uint_eq(map.count, 2 * COUNT);
    ck_assert_int_le(map.root->height, 23);
    ck_assert_msg(acre_interval_map_check(&map) == ACRE_OK, "%s", acre_message());
    size_t seen = 0;
    for (const struct acre_interval *at = acre_interval_map_find(&map, 0); at;
         at = acre_interval_map_next(&map, at))
        ++seen;
    ck_assert_uint_eq(seen, 2 * COUNT);
    ck_assert_int_eq(acre_interval_map_only(&map, 0, 2 * COUNT, 1, NULL), ACRE_OK);
    ck_assert_uint_eq(map.count, 1);
    ck_assert_msg(acre_interval_map_check(&map) == ACRE_OK, "%s", acre_message());
    acre_interval_map_free(&map);
}
END_TEST

static void *no_memory(size_t bytes)
{
    (void)bytes;
    return NULL;
}

START_TEST(failing_allocation_leaves_the_map)
{
    struct acre_interval_map map;
    static struct model model;
    model_init(&model);
    ck_assert_int_eq(acre_interval_map_init(&map, BYTES, 4, 2), ACRE_OK);
    map.allocate = no_memory;
    ck_assert_int_eq(acre_interval_map_only(&map, 3, 5, 1, NULL), ACRE_ERR_OUT_OF_MEMORY);
    expect_equal(&map, &model, 4);
    ck_assert_uint_eq(map.count, 1);
    acre_interval_map_free(&map);
}
END_TEST

START_TEST(reserved_changes_can_not_fail)
{
    struct acre_interval_map map;
    ck_assert_int_eq(acre_interval_map_init(&map, BYTES, 4, 2), ACRE_OK);
    ck_assert_int_eq(acre_interval_map_reserve(&map, 6), ACRE_OK);
    map.allocate = no_memory;
    for (size_t i = 0; i < 3; ++i)
        ck_assert_int_eq(acre_interval_map_only(&map, 10 + 20 * i, 5, 1, NULL), ACRE_OK);
    ck_assert_uint_eq(map.count, 7);
    ck_assert_int_eq(acre_interval_map_only(&map, 0, 1, 2, NULL), ACRE_ERR_OUT_OF_MEMORY);
    ck_assert_msg(acre_interval_map_check(&map) == ACRE_OK, "%s", acre_message());
    acre_interval_map_free(&map);
}
END_TEST

/* The checker itself: each damage must be seen. */
START_TEST(check_sees_damage)
{
    struct acre_interval_map map;
    ck_assert_int_eq(acre_interval_map_init(&map, BYTES, 4, 2), ACRE_OK);
    ck_assert_int_eq(acre_interval_map_only(&map, 10, 10, 1, NULL), ACRE_OK);
    ck_assert_int_eq(acre_interval_map_check(&map), ACRE_OK);

    map.root->bytes -= 1;
    ck_assert_int_ne(acre_interval_map_check(&map), ACRE_OK);
    map.root->bytes += 1;
    map.root->height += 1;
    ck_assert_int_ne(acre_interval_map_check(&map), ACRE_OK);
    map.root->height -= 1;
    map.count += 1;
    ck_assert_int_ne(acre_interval_map_check(&map), ACRE_OK);
    map.count -= 1;
    struct acre_interval *written = (struct acre_interval *)acre_interval_map_find(&map, 10);
    written->undefined = true;
    ck_assert_int_ne(acre_interval_map_check(&map), ACRE_OK);
    const uint64_t places = written->places[0];
    written->places[0] = 0;
    ck_assert_int_ne(acre_interval_map_check(&map), ACRE_OK);
    written->places[0] = places;
    written->undefined = false;
    ck_assert_int_eq(acre_interval_map_check(&map), ACRE_OK);
    acre_interval_map_free(&map);
}
END_TEST

Suite *acre_suite_interval_map(void)
{
    Suite *suite = suite_create("interval_map");
    TCase *test = tcase_create("interval_map");
    tcase_add_test(test, begins_undefined);
    tcase_add_test(test, empty_map_has_nothing);
    tcase_add_test(test, equal_neighbours_merge);
    tcase_add_loop_test(test, random_changes_match_the_model, 0, 3);
    tcase_add_test(test, many_intervals_stay_balanced);
    tcase_add_test(test, failing_allocation_leaves_the_map);
    tcase_add_test(test, reserved_changes_can_not_fail);
    tcase_add_test(test, check_sees_damage);
    suite_add_tcase(suite, test);
    return suite;
}
