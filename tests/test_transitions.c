/* tests/test_transitions.c: random sequences of accesses at the host and three devices, with failures, against
 * a reference that keeps a version number for every byte at every place. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory/array.h"
#include "mock_backend.h"

Suite *acre_suite_transitions(void);

enum { BYTES = 48, PLACES = 1 + MOCK_DEVICES, STEPS = 20000 };

/* The reference. A place has a byte's newest value when its version there is the newest, and not 0. */
struct reference {
    unsigned newest[BYTES], at[PLACES][BYTES];
    unsigned char value[BYTES];
    bool unspecified[BYTES]; /* written in part only: any value is right */
    uint64_t version, uploaded, downloaded;
};

static bool reference_reads(struct reference *r, acre_place place, acre_range range, bool undefined_is_fine)
{
    for (size_t b = range.offset; b < range.offset + range.bytes; ++b)
        if (r->newest[b] == 0 && !undefined_is_fine)
            return false;
    for (size_t b = range.offset; b < range.offset + range.bytes; ++b) {
        if (r->at[place][b] == r->newest[b])
            continue;
        r->downloaded += r->at[ACRE_PLACE_HOST][b] != r->newest[b];
        r->uploaded += place != ACRE_PLACE_HOST;
        r->at[ACRE_PLACE_HOST][b] = r->at[place][b] = r->newest[b];
    }
    return true;
}

static void reference_wrote(struct reference *r, acre_place place, acre_range range)
{
    for (size_t b = range.offset; b < range.offset + range.bytes; ++b)
        r->newest[b] = r->at[place][b] = (unsigned)r->version;
}

/* The test's state. */
struct game {
    acre_context *context;
    acre_array *array;
    struct reference reference;
    uint64_t random;
    unsigned refused, failed, done;
};

static unsigned random_below(struct game *game, unsigned limit)
{
    game->random = game->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(game->random >> 33) % limit;
}

/* Three overlapping ranges, everything, nothing, and two pieces not in order. */
struct choice {
    size_t count;
    acre_range ranges[2];
};
static const struct choice choices[] = {
    {1, {{0, 20}}}, {1, {{12, 24}}}, {1, {{30, 18}}}, {1, {{0, BYTES}}}, {1, {{7, 0}}}, {2, {{33, 8}, {2, 15}}},
};
enum { CHOICES = sizeof(choices) / sizeof(choices[0]) };

/* Where byte `b` is at a place; NULL: it has no memory there. */
static const unsigned char *memory_at(const struct game *game, acre_place place, size_t b)
{
    const acre_array *array = game->array;
    if (place == ACRE_PLACE_HOST)
        return array->host ? array->host + b : NULL;
    const struct acre_handle *handle =
        acre_handle_find(array, acre_memory_at(array->memory, place), (acre_range){b, 1});
    return handle ? (unsigned char *)acre_handle_address(handle) + b : NULL;
}

/* Bits, bytes at every place that has them, and counts. */
static void expect_agreement(const struct game *game, int step)
{
    const acre_array *array = game->array;
    const struct reference *r = &game->reference;
    ck_assert_msg(acre_interval_map_check(&array->map) == ACRE_OK, "%s", acre_message());
    for (size_t b = 0; b < BYTES; ++b) {
        const struct acre_interval *interval = acre_interval_map_find(&array->map, b);
        if (interval->undefined != (r->newest[b] == 0))
            ck_abort_msg("step %d: byte %zu: undefined %d", step, b, interval->undefined);
        for (acre_place place = 0; place < PLACES; ++place) {
            const bool expected = r->newest[b] != 0 && r->at[place][b] == r->newest[b];
            if (acre_interval_has(interval, place) != expected)
                ck_abort_msg("step %d: byte %zu at place %d: bit is not %d", step, b, place, expected);
            const unsigned char *memory = memory_at(game, place, b);
            if (expected && !r->unspecified[b] && (memory ? *memory : 0) != r->value[b])
                ck_abort_msg("step %d: byte %zu at place %d has the wrong value", step, b, place);
        }
    }
    ck_assert_uint_eq(array->uploaded.bytes, r->uploaded);
    ck_assert_uint_eq(array->downloaded.bytes, r->downloaded);
    ck_assert_uint_eq(acre_array_version(array) + (array->zeroed ? 1 : 0), r->version);
    ck_assert_ptr_null(array->holders);
    ck_assert_uint_eq(array->promised, 0);
}

static void write_bytes(struct game *game, unsigned char *memory, acre_range range, acre_access access)
{
    struct reference *r = &game->reference;
    for (size_t b = range.offset; b < range.offset + range.bytes; ++b) {
        if (access == ACRE_PARTIAL_WRITE && random_below(game, 2)) {
            r->unspecified[b] = r->unspecified[b] || r->newest[b] == 0;
            continue;
        }
        r->unspecified[b] = false;
        memory[b] = r->value[b] = (unsigned char)random_below(game, 256);
    }
}

/* What the access must give, done in the reference. */
static acre_status expected_status(struct reference *r, const struct choice *choice, acre_place place,
                                   acre_access access)
{
    const struct reference before = *r;
    for (size_t i = 0; i < choice->count && access != ACRE_WRITE; ++i) {
        if (!reference_reads(r, place, choice->ranges[i], access == ACRE_PARTIAL_WRITE)) {
            *r = before;
            return ACRE_ERR_UNDEFINED;
        }
    }
    return ACRE_OK;
}

static void use(struct game *game, const struct choice *choice, acre_place place, acre_access access,
                unsigned char *memory)
{
    struct reference *r = &game->reference;
    bool any = false;
    for (size_t i = 0; i < choice->count; ++i)
        any = any || choice->ranges[i].bytes > 0;
    for (size_t i = 0; i < choice->count && access != ACRE_READ; ++i)
        write_bytes(game, memory, choice->ranges[i], access);
    if (access != ACRE_READ && any)
        ++r->version;
    for (size_t i = 0; i < choice->count && access != ACRE_READ; ++i)
        reference_wrote(r, place, choice->ranges[i]);
    ck_assert_msg(acre_array_release(game->array, place, access, choice->ranges, choice->count) == ACRE_OK,
                  "%s", acre_message());
}

/* Where copies arrived is not foreseen; that no byte is lost is. */
static void take_over_bits(struct game *game)
{
    struct reference *r = &game->reference;
    for (size_t b = 0; b < BYTES; ++b) {
        const struct acre_interval *interval = acre_interval_map_find(&game->array->map, b);
        ck_assert_ptr_null(interval->lost);
        for (acre_place place = 0; place < PLACES; ++place)
            r->at[place][b] = acre_interval_has(interval, place) ? r->newest[b] : 0;
    }
}

static void play(struct game *game, int step, bool with_failures)
{
    static const enum mock_operation can_fail[] = {MOCK_LATE, MOCK_UPLOAD, MOCK_DOWNLOAD, MOCK_ORDER};
    const struct choice *choice = &choices[random_below(game, CHOICES)];
    const acre_place place = (acre_place)random_below(game, PLACES);
    const acre_access access = (acre_access)random_below(game, 4);
    const enum mock_operation failing = can_fail[random_below(game, 4)];
    const bool may_fail = with_failures && random_below(game, 3) == 0;
    if (may_fail)
        mock_fail(failing, 1 + random_below(game, 2));

    const struct reference before = game->reference;
    const acre_status expected = expected_status(&game->reference, choice, place, access);
    void *memory;
    const acre_status status =
        acre_array_acquire(game->array, place, access, choice->ranges, choice->count, &memory);
    mock_fail(failing, 0);
    if (may_fail && status != expected) {
        /* It did fail: nothing has changed but what was copied in vain. Late, other copies did arrive. */
        ck_assert_msg(strstr(acre_message(), "told to fail") != NULL, "%s", acre_message());
        ck_assert_int_eq(status, ACRE_ERR_BACKEND);
        game->reference = before;
        if (failing == MOCK_LATE)
            take_over_bits(game);
        game->reference.uploaded = game->array->uploaded.bytes;
        game->reference.downloaded = game->array->downloaded.bytes;
        ++game->failed;
    } else {
        ck_assert_msg(status == expected, "step %d: %s", step, acre_message());
        if (status == ACRE_OK)
            use(game, choice, place, access, memory);
        ++*(status == ACRE_OK ? &game->done : &game->refused);
    }
    expect_agreement(game, step);
}

/* Start an array afresh now and then, so that undefined bytes and first uses come up often. */
static void begin(struct game *game, bool zeroed)
{
    game->reference = (struct reference){.version = zeroed};
    ck_assert_int_eq(acre_array_create(game->context, BYTES, zeroed, "psi", &game->array), ACRE_OK);
    for (size_t b = 0; b < BYTES && zeroed; ++b)
        game->reference.newest[b] = game->reference.at[ACRE_PLACE_HOST][b] = 1;
}

START_TEST(random_sequences_match_the_reference)
{
    const bool with_failures = _i;
    struct game game = {.context = mock_context(MOCK_DEVICES), .random = 1 + (uint64_t)_i};
    for (int step = 0; step < STEPS; ++step) {
        if (step % 25 == 0)
            begin(&game, step % 100 == 0);
        play(&game, step, with_failures);
        if (step % 25 == 24)
            acre_array_destroy(game.array);
    }
    ck_assert_uint_gt(game.done, STEPS / 3);
    ck_assert_uint_gt(game.refused, STEPS / 100);
    ck_assert(with_failures ? game.failed > STEPS / 100 : game.failed == 0);
    acre_context_destroy(game.context);
    ck_assert_int_eq(mock_count().blocks, 0);
    ck_assert_int_eq(mock_count().devices, 0);
}
END_TEST

/* Every access after every pair of accesses, over the same two overlapping ranges, at every place. */
START_TEST(all_sequences_of_three)
{
    struct game game = {.context = mock_context(MOCK_DEVICES), .random = 3};
    enum { ACTIONS = 2 * PLACES * 4 };
    for (int code = 0; code < ACTIONS * ACTIONS * ACTIONS; ++code) {
        begin(&game, false);
        for (int k = 0, rest = code; k < 3; ++k, rest /= ACTIONS) {
            const int action = rest % ACTIONS;
            const struct choice *choice = &choices[action % 2];
            const acre_place place = action / 2 % PLACES;
            const acre_access access = (acre_access)(action / 2 / PLACES);
            const acre_status expected = expected_status(&game.reference, choice, place, access);
            void *memory;
            const acre_status status =
                acre_array_acquire(game.array, place, access, choice->ranges, choice->count, &memory);
            if (status != expected)
                ck_abort_msg("sequence %d, action %d: %s", code, k, acre_message());
            if (status == ACRE_OK)
                use(&game, choice, place, access, memory);
        }
        expect_agreement(&game, code);
        acre_array_destroy(game.array);
    }
    acre_context_destroy(game.context);
}
END_TEST

Suite *acre_suite_transitions(void)
{
    Suite *suite = suite_create("transitions");
    TCase *test = tcase_create("transitions");
    tcase_set_timeout(test, 120);
    tcase_add_loop_test(test, random_sequences_match_the_reference, 0, 2);
    tcase_add_test(test, all_sequences_of_three);
    suite_add_tcase(suite, test);
    return suite;
}
