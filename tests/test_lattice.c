/* tests/test_lattice.c: site types, layouts, and where the sites of a lattice are, against naive definitions.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/lattice/lattice.h"
#include "core/lattice/layout.h"
#include "core/lattice/traverse.h"
#include "fixture.h"

Suite *acre_suite_lattice(void);

static uint64_t random_bits(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void expect_failure(acre_status status, acre_status wanted, const char *words)
{
    ck_assert_msg(status == wanted, "%s instead of %s", acre_status_name(status), acre_status_name(wanted));
    ck_assert_msg(strstr(acre_message(), words) != NULL, "\"%s\" lacks \"%s\"", acre_message(), words);
}

/* ---- site types ---- */

static const struct {
    acre_site_type (*make)(acre_word word);
    size_t components;
    const char *name; /* in double */
} types[] = {
    {acre_real, 1, "double real"},
    {acre_complex, 2, "double complex"},
    {acre_colour_vector, 6, "double colour vector (Nc = 3)"},
    {acre_colour_matrix, 18, "double colour matrix (Nc = 3)"},
    {acre_spin_vector, 8, "double spin vector (Ns = 4)"},
    {acre_spin_matrix, 32, "double spin matrix (Ns = 4)"},
    {acre_fermion, 24, "double fermion (Ns = 4, Nc = 3)"},
    {acre_half_fermion, 12, "double half fermion (Ns = 2, Nc = 3)"},
    {acre_staggered_fermion, 6, "double colour vector (Nc = 3)"},
    {acre_propagator, 288, "double propagator (Ns = 4, Nc = 3)"},
    {acre_colour_vector_spin_matrix, 96, "double colour vector spin matrix (Ns = 4, Nc = 3)"},
};

START_TEST(site_types_have_their_components_and_names)
{
    char text[96];
    acre_site_type type = types[_i].make(ACRE_DOUBLE);
    ck_assert_uint_eq(acre_site_type_components(type), types[_i].components);
    ck_assert_str_eq(acre_site_type_name(type, text, sizeof(text)), types[_i].name);
    ck_assert_int_eq(acre_site_type_check(type), ACRE_OK);
    ck_assert(acre_site_type_equal(type, type));
    ck_assert(!acre_site_type_equal(type, types[_i].make(ACRE_FLOAT)));
    for (int colours = 1; colours <= ACRE_MAX_COLOURS; ++colours) {
        for (int spins = 1; spins <= 4; spins *= 2)
            ck_assert_int_eq(acre_site_type_check(
                                 acre_site_type_sized(type, (uint16_t)spins, (uint16_t)colours)),
                             ACRE_OK);
    }
}
END_TEST

START_TEST(plain_types_have_names)
{
    char text[96];
    ck_assert_str_eq(acre_site_type_name(acre_integer(), text, sizeof(text)), "integer");
    ck_assert_str_eq(acre_site_type_name(acre_boolean(), text, sizeof(text)), "boolean");
    ck_assert_str_eq(acre_site_type_name(acre_real_vector(ACRE_FLOAT, 7), text, sizeof(text)),
                     "float real vector (n = 7)");
    ck_assert_str_eq(acre_site_type_name(acre_real_vector(ACRE_INT, 7), text, sizeof(text)),
                     "integer vector (n = 7)");
    ck_assert_str_eq(acre_site_type_name(acre_fermion(ACRE_FLOAT), text, 9), "float fe");
    ck_assert_int_eq(acre_site_type_check(acre_real_vector(ACRE_BOOL, 1)), ACRE_OK);
    ck_assert_int_eq(acre_site_type_check(acre_real_vector(ACRE_INT, ACRE_MAX_VECTOR)), ACRE_OK);
}
END_TEST

static const struct {
    acre_site_type type;
    const char *words;
} refused_types[] = {
    {{ACRE_DOUBLE, true, 0, 2, 1, 0}, "0 colours"},
    {{ACRE_DOUBLE, true, 0, 2, 1, 9}, "9 colours"},
    {{ACRE_DOUBLE, true, 1, 0, 3, 1}, "3 spins"},
    {{ACRE_DOUBLE, true, 1, 0, 0, 1}, "0 spins"},
    {{ACRE_DOUBLE, true, 2, 0, 65535, 1}, "65535 spins"},
    {{ACRE_DOUBLE, true, 0, 2, 4, 3}, "4 spins"},
    {{ACRE_DOUBLE, true, 1, 0, 4, 3}, "3 colours"},
    {{ACRE_DOUBLE, true, 3, 0, 4, 1}, "spin rank 3"},
    {{ACRE_DOUBLE, true, 0, 255, 1, 3}, "colour rank 255"},
    {{ACRE_DOUBLE, false, 0, 2, 1, 3}, "colour rank 2"},
    {{ACRE_DOUBLE, false, 2, 0, 4, 1}, "spin rank 2"},
    {{ACRE_DOUBLE, false, 1, 0, 0, 1}, "0 components"},
    {{ACRE_DOUBLE, false, 1, 0, 1025, 1}, "1025 components"},
    {{ACRE_INT, true, 0, 0, 1, 1}, "integer words"},
    {{ACRE_BOOL, true, 0, 2, 1, 3}, "boolean words"},
    {{(acre_word)17, false, 0, 0, 1, 1}, "word number 17"},
};

START_TEST(impossible_site_types_are_refused)
{
    char text[96];
    expect_failure(acre_site_type_check(refused_types[_i].type), ACRE_ERR_TYPE, refused_types[_i].words);
    ck_assert_uint_gt(strlen(acre_site_type_name(refused_types[_i].type, text, sizeof(text))), 0);
}
END_TEST

START_TEST(formats_have_names)
{
    ck_assert_str_eq(acre_order_name(ACRE_SITE_FAST), "site-fast");
    ck_assert_str_eq(acre_order_name(ACRE_SITE_SLOW), "site-slow");
    ck_assert_str_eq(acre_storage_name(ACRE_NATIVE), "native");
    ck_assert_str_eq(acre_storage_name(ACRE_HALF), "half");
    ck_assert_str_eq(acre_site_order_name(ACRE_SITES_CHECKERBOARD), "checkerboard");
    ck_assert_str_eq(acre_site_order_name(ACRE_SITES_LEXICOGRAPHIC), "lexicographic");
}
END_TEST

/* ---- layouts ---- */

START_TEST(layouts_have_the_bytes_of_their_elements)
{
    const acre_format fast = {ACRE_SITE_FAST, ACRE_NATIVE}, slow_half = {ACRE_SITE_SLOW, ACRE_HALF};
    struct acre_layout layout;
    ck_assert_int_eq(acre_layout_make(acre_fermion(ACRE_DOUBLE), fast, 81, "psi", &layout), ACRE_OK);
    ck_assert_uint_eq(layout.bytes, 81 * 24 * 8);
    ck_assert_uint_eq(acre_layout_element(&layout, 5, 7), 5 * 81 + 7);
    ck_assert_uint_eq(acre_layout_site_stride(&layout), 1);
    ck_assert_int_eq(acre_layout_make(acre_fermion(ACRE_DOUBLE), slow_half, 81, "psi", &layout), ACRE_OK);
    ck_assert_uint_eq(layout.bytes, 81 * 24 * 2);
    ck_assert_uint_eq(acre_layout_element(&layout, 5, 7), 7 * 24 + 5);
    ck_assert_uint_eq(acre_layout_site_stride(&layout), 24);
    ck_assert_int_eq(acre_layout_make(acre_boolean(), fast, 81, "mask", &layout), ACRE_OK);
    ck_assert_uint_eq(layout.bytes, 81);
}
END_TEST

START_TEST(impossible_layouts_are_refused)
{
    const acre_format fast = {ACRE_SITE_FAST, ACRE_NATIVE}, half = {ACRE_SITE_FAST, ACRE_HALF};
    const char *verbatim = "OLattice: half storage requires a floating-point word type";
    struct acre_layout layout;
    expect_failure(acre_layout_make(acre_integer(), half, 16, "charge", &layout), ACRE_ERR_TYPE, verbatim);
    ck_assert_ptr_nonnull(strstr(acre_message(), "'charge'"));
    expect_failure(acre_layout_make(acre_real_vector(ACRE_BOOL, 3), half, 16, "mask", &layout), ACRE_ERR_TYPE,
                   verbatim);
    expect_failure(acre_layout_make(acre_real(ACRE_DOUBLE), fast, INT64_C(1) << 60, "big", &layout),
                   ACRE_ERR_OVERFLOW, "1152921504606846976 sites");
    expect_failure(acre_layout_make(acre_propagator(ACRE_DOUBLE), fast, INT64_C(1) << 62, "big", &layout),
                   ACRE_ERR_OVERFLOW, "'big'");
    ck_assert_int_eq(acre_layout_make(acre_real(ACRE_DOUBLE), fast, INT64_C(1) << 59, "big", &layout), ACRE_OK);
    expect_failure(acre_layout_make(acre_integer(), (acre_format){(acre_order)2, ACRE_NATIVE}, 1, "f", &layout),
                   ACRE_ERR_TYPE, "order number 2");
    expect_failure(acre_layout_make(acre_integer(), (acre_format){ACRE_SITE_FAST, (acre_storage)5}, 1, "f",
                                    &layout),
                   ACRE_ERR_TYPE, "storage number 5");
}
END_TEST

/* ---- making lattices ---- */

static const struct {
    int dimension;
    int64_t extents[ACRE_MAX_DIMENSION + 1];
    acre_site_order order;
    acre_status status;
    const char *words;
} refused[] = {
    {4, {4, -1, 4, 4}, ACRE_SITES_DEFAULT, ACRE_ERR_ARGUMENT, "4x-1x4x4: extent 1 is -1, must be at least 1"},
    {4, {4, 4, 4, 0}, ACRE_SITES_DEFAULT, ACRE_ERR_ARGUMENT, "4x4x4x0: extent 3 is 0"},
    {2, {INT64_MIN, INT64_MIN}, ACRE_SITES_DEFAULT, ACRE_ERR_ARGUMENT, "extent 0 is -9223372036854775808"},
    {0, {4}, ACRE_SITES_DEFAULT, ACRE_ERR_ARGUMENT, "dimension 0"},
    {-1, {4}, ACRE_SITES_DEFAULT, ACRE_ERR_ARGUMENT, "dimension -1"},
    {9, {2, 2, 2, 2, 2, 2, 2, 2, 2}, ACRE_SITES_DEFAULT, ACRE_ERR_ARGUMENT, "dimension 9"},
    {4, {4, 4, 3, 5}, ACRE_SITES_CHECKERBOARD, ACRE_ERR_ARGUMENT, "4x4x3x5: checkerboard order needs even"},
    {1, {1}, ACRE_SITES_CHECKERBOARD, ACRE_ERR_ARGUMENT, "extent 0 is 1"},
    {2, {4, 4}, (acre_site_order)7, ACRE_ERR_ARGUMENT, "site order number 7"},
    {1, {(INT64_C(1) << 62) + 1}, ACRE_SITES_DEFAULT, ACRE_ERR_OVERFLOW, "more than 2^62 sites"},
    {2, {INT64_MAX, INT64_MAX}, ACRE_SITES_DEFAULT, ACRE_ERR_OVERFLOW, "9223372036854775807x922337203685477"},
    {3, {1 << 21, 1 << 21, 1 << 21}, ACRE_SITES_DEFAULT, ACRE_ERR_OVERFLOW, "2097152x2097152x2097152"},
    {8,
     {1 << 8, 1 << 8, 1 << 8, 1 << 8, 1 << 8, 1 << 8, 1 << 8, 1 << 8},
     ACRE_SITES_DEFAULT,
     ACRE_ERR_OVERFLOW,
     "256x256x256x256x256x256x256x256: more"},
};

START_TEST(absurd_extents_are_refused)
{
    acre_lattice *lattice = (acre_lattice *)1;
    acre_status status =
        acre_lattice_create(context, refused[_i].dimension, refused[_i].extents, refused[_i].order, &lattice);
    expect_failure(status, refused[_i].status, refused[_i].words);
    ck_assert_ptr_null(lattice);
}
END_TEST

START_TEST(missing_arguments_are_refused)
{
    const int64_t extents[] = {2};
    acre_lattice *lattice;
    expect_failure(acre_lattice_create(NULL, 1, extents, ACRE_SITES_DEFAULT, &lattice), ACRE_ERR_ARGUMENT,
                   "context");
    expect_failure(acre_lattice_create(context, 1, NULL, ACRE_SITES_DEFAULT, &lattice), ACRE_ERR_ARGUMENT,
                   "extents");
    expect_failure(acre_lattice_create(context, 1, extents, ACRE_SITES_DEFAULT, NULL), ACRE_ERR_ARGUMENT,
                   "NULL");
    acre_lattice_destroy(NULL);
}
END_TEST

START_TEST(a_huge_lattice_costs_nothing)
{
    const int64_t extents[] = {1 << 20, 1 << 20, 1 << 20, 4};
    const int64_t far[ACRE_MAX_DIMENSION] = {0, (1 << 20) - 1, (1 << 20) - 1, 2};
    int64_t x[ACRE_MAX_DIMENSION], place;
    acre_lattice *lattice;
    ck_assert_int_eq(acre_lattice_create(context, 4, extents, ACRE_SITES_DEFAULT, &lattice), ACRE_OK);
    ck_assert_int_eq(acre_lattice_sites(lattice), INT64_C(1) << 62);
    acre_lattice_coordinates(lattice, (INT64_C(1) << 62) - 1, x);
    ck_assert_int_eq(x[3], 3);
    ck_assert_int_eq(acre_lattice_place_of(lattice, (INT64_C(1) << 62) - 1), (INT64_C(1) << 61) - 1);
    acre_traverse_neighbours(lattice, far, (INT64_C(1) << 61) - 1, 1, &place);
    acre_lattice_coordinates(lattice, acre_lattice_index_of(lattice, place), x);
    ck_assert_int_eq(x[0], (1 << 20) - 1);
    ck_assert_int_eq(x[1], (1 << 20) - 2);
    ck_assert_int_eq(x[2], (1 << 20) - 2);
    ck_assert_int_eq(x[3], 1);
    acre_lattice_destroy(lattice);
}
END_TEST

/* ---- where sites are ---- */

static const struct {
    int dimension;
    int64_t extents[ACRE_MAX_DIMENSION];
} shapes[] = {
    {1, {1}},
    {1, {2}},
    {1, {7}},
    {1, {10}},
    {2, {2, 2}},
    {2, {1, 4}},
    {2, {6, 3}},
    {3, {4, 2, 6}},
    {3, {2, 8, 4}},
    {4, {1, 1, 1, 1}},
    {4, {3, 3, 3, 3}},
    {4, {5, 1, 2, 4}},
    {4, {4, 4, 4, 4}},
    {4, {8, 2, 4, 6}},
    {4, {2, 2, 2, 2}},
    {5, {2, 4, 2, 2, 6}},
    {6, {3, 2, 1, 2, 3, 2}},
    {7, {2, 2, 2, 2, 2, 2, 4}},
    {8, {2, 2, 2, 2, 2, 2, 2, 2}},
    {8, {1, 2, 3, 1, 2, 1, 3, 2}},
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

/* Each shape twice: in default and in lexicographic order. */
static acre_lattice *make_shape(int i)
{
    acre_lattice *lattice;
    acre_site_order order = i % 2 ? ACRE_SITES_LEXICOGRAPHIC : ACRE_SITES_DEFAULT;
    acre_status status =
        acre_lattice_create(context, shapes[i / 2].dimension, shapes[i / 2].extents, order, &lattice);
    ck_assert_msg(status == ACRE_OK, "%s", acre_message());
    return lattice;
}

/* The next coordinates in lexicographic order. */
static void step(const acre_lattice *lattice, int64_t *x)
{
    for (int mu = 0; mu < lattice->dimension; ++mu) {
        if (++x[mu] < lattice->extents[mu])
            return;
        x[mu] = 0;
    }
}

START_TEST(lattices_are_what_was_asked_for)
{
    acre_lattice *lattice = make_shape(_i);
    bool all_even = true;
    int64_t sites = 1;
    for (int mu = 0; mu < shapes[_i / 2].dimension; ++mu) {
        all_even = all_even && shapes[_i / 2].extents[mu] % 2 == 0;
        sites *= shapes[_i / 2].extents[mu];
        ck_assert_int_eq(acre_lattice_extent(lattice, mu), shapes[_i / 2].extents[mu]);
    }
    ck_assert_int_eq(acre_lattice_site_order(lattice),
                     all_even && _i % 2 == 0 ? ACRE_SITES_CHECKERBOARD : ACRE_SITES_LEXICOGRAPHIC);
    ck_assert_int_eq(lattice->all_even, all_even);
    ck_assert_int_eq(acre_lattice_sites(lattice), sites);
    ck_assert_int_eq(acre_lattice_dimension(lattice), shapes[_i / 2].dimension);
    ck_assert_int_eq(acre_lattice_extent(lattice, -1), 0);
    ck_assert_int_eq(acre_lattice_extent(lattice, shapes[_i / 2].dimension), 0);
    ck_assert_ptr_eq(acre_lattice_context(lattice), context);
    ck_assert_uint_eq(lattice->domain_count, 1);
    ck_assert_int_eq(lattice->domains[0].sites, sites);
    ck_assert_ptr_eq(lattice->domains[0].device, context->devices);
    acre_lattice_destroy(lattice);
}
END_TEST

START_TEST(subsets_have_the_sites_of_their_parity)
{
    acre_lattice *lattice = make_shape(_i);
    int64_t x[ACRE_MAX_DIMENSION] = {0}, counts[2] = {0, 0};
    for (int64_t n = 0; n < lattice->sites; ++n, step(lattice, x))
        ++counts[acre_parity(lattice->dimension, x)];
    ck_assert_int_eq(acre_lattice_subset_sites(lattice, ACRE_ALL), lattice->sites);
    ck_assert_int_eq(acre_lattice_subset_sites(lattice, ACRE_EVEN), counts[0]);
    ck_assert_int_eq(acre_lattice_subset_sites(lattice, ACRE_ODD), counts[1]);
    acre_lattice_destroy(lattice);
}
END_TEST

START_TEST(three_to_the_fourth_has_41_even_sites)
{
    const int64_t extents[] = {3, 3, 3, 3};
    char text[32];
    acre_lattice *lattice;
    ck_assert_int_eq(acre_lattice_create(context, 4, extents, ACRE_SITES_DEFAULT, &lattice), ACRE_OK);
    ck_assert_int_eq(acre_lattice_subset_sites(lattice, ACRE_EVEN), 41);
    ck_assert_int_eq(acre_lattice_subset_sites(lattice, ACRE_ODD), 40);
    ck_assert_str_eq(acre_lattice_text(lattice, text, sizeof(text)), "3x3x3x3");
    acre_lattice_destroy(lattice);
}
END_TEST

/* The definition: lexicographic order is counting; checkerboard order is counting the even sites, then the odd
 * ones. */
START_TEST(every_site_has_its_place)
{
    acre_lattice *lattice = make_shape(_i);
    bool checkerboard = lattice->order == ACRE_SITES_CHECKERBOARD;
    int64_t place = 0;
    for (int pass = 0; pass <= (checkerboard ? 1 : 0); ++pass) {
        int64_t x[ACRE_MAX_DIMENSION] = {0}, back[ACRE_MAX_DIMENSION];
        for (int64_t n = 0; n < lattice->sites; ++n, step(lattice, x)) {
            ck_assert_int_eq(acre_lattice_index(lattice, x), n);
            acre_lattice_coordinates(lattice, n, back);
            ck_assert_mem_eq(back, x, sizeof(x[0]) * (size_t)lattice->dimension);
            if (checkerboard && acre_parity(lattice->dimension, x) != pass)
                continue;
            ck_assert_int_eq(acre_lattice_place_of(lattice, n), place);
            ck_assert_int_eq(acre_lattice_index_of(lattice, place), n);
            ++place;
        }
    }
    ck_assert_int_eq(place, lattice->sites);
    acre_lattice_destroy(lattice);
}
END_TEST

static int64_t naive_neighbour(const acre_lattice *lattice, const int64_t *displacement, int64_t place)
{
    int64_t x[ACRE_MAX_DIMENSION];
    acre_lattice_coordinates(lattice, acre_lattice_index_of(lattice, place), x);
    for (int mu = 0; mu < lattice->dimension; ++mu)
        x[mu] = (x[mu] + displacement[mu]) % lattice->extents[mu];
    return acre_lattice_place_of(lattice, acre_lattice_index(lattice, x));
}

/* A run of places, of one parity in checkerboard order. */
static int64_t random_run(const acre_lattice *lattice, uint64_t *state, int64_t *first)
{
    const bool checkerboard = lattice->order == ACRE_SITES_CHECKERBOARD;
    const int64_t part = checkerboard ? lattice->sites / 2 : lattice->sites;
    *first = (int64_t)(random_bits(state) % (uint64_t)part);
    const int64_t count = (int64_t)(random_bits(state) % (uint64_t)(part - *first + 1));
    *first += checkerboard && random_bits(state) % 2 ? part : 0;
    return count;
}

START_TEST(neighbours_are_where_the_definition_says)
{
    acre_lattice *lattice = make_shape(_i);
    uint64_t state = (uint64_t)_i;
    int64_t *places = malloc((size_t)lattice->sites * sizeof(*places));
    for (int trial = 0; trial < 80; ++trial) {
        int64_t displacement[ACRE_MAX_DIMENSION] = {0}, first;
        for (int mu = 0; mu < lattice->dimension; ++mu)
            displacement[mu] = (int64_t)(random_bits(&state) % (uint64_t)lattice->extents[mu]);
        const int64_t count = random_run(lattice, &state, &first);
        acre_traverse_neighbours(lattice, displacement, first, count, places);
        for (int64_t i = 0; i < count; ++i)
            ck_assert_int_eq(places[i], naive_neighbour(lattice, displacement, first + i));
    }
    free(places);
    acre_lattice_destroy(lattice);
}
END_TEST

START_TEST(parities_along_a_run_are_those_of_the_coordinates)
{
    acre_lattice *lattice = make_shape(_i);
    uint64_t state = (uint64_t)_i;
    uint8_t *parities = malloc((size_t)lattice->sites);
    for (int trial = 0; trial < 20 && lattice->order == ACRE_SITES_LEXICOGRAPHIC; ++trial) {
        int64_t first, x[ACRE_MAX_DIMENSION];
        const int64_t count = random_run(lattice, &state, &first);
        acre_traverse_parities(lattice, first, count, parities);
        for (int64_t i = 0; i < count; ++i) {
            acre_lattice_coordinates(lattice, first + i, x);
            ck_assert_int_eq(parities[i], acre_parity(lattice->dimension, x));
        }
    }
    free(parities);
    acre_lattice_destroy(lattice);
}
END_TEST

START_TEST(a_lattice_lives_as_long_as_it_is_held)
{
    acre_lattice *lattice = make_shape(0);
    acre_lattice_hold(lattice);
    acre_lattice_destroy(lattice);
    ck_assert_int_eq(acre_lattice_sites(lattice), 1);
    acre_lattice_destroy(lattice);
}
END_TEST

Suite *acre_suite_lattice(void)
{
    Suite *suite = suite_create("lattice");
    TCase *tests = tcase_create("lattice");
    tcase_add_checked_fixture(tests, context_set_up, context_tear_down);
    tcase_add_loop_test(tests, site_types_have_their_components_and_names, 0, sizeof(types) / sizeof(types[0]));
    tcase_add_test(tests, plain_types_have_names);
    tcase_add_loop_test(tests, impossible_site_types_are_refused, 0,
                        sizeof(refused_types) / sizeof(refused_types[0]));
    tcase_add_test(tests, formats_have_names);
    tcase_add_test(tests, layouts_have_the_bytes_of_their_elements);
    tcase_add_test(tests, impossible_layouts_are_refused);
    tcase_add_loop_test(tests, absurd_extents_are_refused, 0, sizeof(refused) / sizeof(refused[0]));
    tcase_add_test(tests, missing_arguments_are_refused);
    tcase_add_test(tests, a_huge_lattice_costs_nothing);
    tcase_add_loop_test(tests, lattices_are_what_was_asked_for, 0, 2 * SHAPES);
    tcase_add_loop_test(tests, subsets_have_the_sites_of_their_parity, 0, 2 * SHAPES);
    tcase_add_test(tests, three_to_the_fourth_has_41_even_sites);
    tcase_add_loop_test(tests, every_site_has_its_place, 0, 2 * SHAPES);
    tcase_add_loop_test(tests, neighbours_are_where_the_definition_says, 0, 2 * SHAPES);
    tcase_add_loop_test(tests, parities_along_a_run_are_those_of_the_coordinates, 0, 2 * SHAPES);
    tcase_add_test(tests, a_lattice_lives_as_long_as_it_is_held);
    suite_add_tcase(suite, tests);
    return suite;
}
