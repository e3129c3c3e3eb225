/* tests/test_field_view.c: pieces of fields, fields cut into domains, and the byte ranges of subsets, site by
 * site against the definition. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/field/view.h"
#include "core/lattice/half.h"
#include "fixture.h"

Suite *acre_suite_field_view(void);

static uint64_t random_below(uint64_t *state, uint64_t limit)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % limit;
}

static const acre_format formats[] = {
    {ACRE_SITE_FAST, ACRE_NATIVE},
    {ACRE_SITE_SLOW, ACRE_NATIVE},
    {ACRE_SITE_FAST, ACRE_HALF},
    {ACRE_SITE_SLOW, ACRE_HALF},
};
enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

/* The shapes, and where the last extent is cut into domains (as many lengths as there are, zeros at the end).
 */
static const struct {
    int dimension;
    int64_t extents[ACRE_MAX_DIMENSION];
    size_t domain_count;
    int64_t cuts[4];
} shapes[] = {
    {1, {1}, 1, {1}},
    {1, {8}, 1, {8}},
    {2, {3, 5}, 1, {5}},
    {2, {3, 5}, 3, {1, 3, 1}},
    {3, {4, 2, 6}, 1, {6}},
    {3, {4, 2, 6}, 2, {3, 3}},
    {3, {4, 2, 6}, 3, {1, 0, 5}},
    {4, {2, 6, 2, 4}, 4, {1, 1, 0, 2}},
    {4, {12, 10, 2, 6}, 2, {5, 1}},
    {4, {3, 1, 2, 2}, 2, {1, 1}},
};
enum { SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

static acre_lattice *make_cut(int i, acre_site_order order)
{
    acre_lattice *lattice;
    int last = shapes[i].dimension - 1;
    expect_ok(acre_lattice_create(context, shapes[i].dimension, shapes[i].extents, order, &lattice));
    struct acre_domain whole = lattice->domains[0];
    free(lattice->domains);
    lattice->domain_count = shapes[i].domain_count;
    lattice->domains = calloc(lattice->domain_count, sizeof(whole));
    int64_t origin = 0;
    for (size_t d = 0; d < lattice->domain_count; ++d) {
        lattice->domains[d] = whole;
        lattice->domains[d].origin[last] = origin;
        lattice->domains[d].extents[last] = shapes[i].cuts[d];
        lattice->domains[d].sites = whole.sites / whole.extents[last] * shapes[i].cuts[d];
        origin += shapes[i].cuts[d];
    }
    ck_assert_int_eq(origin, whole.extents[last]);
    return lattice;
}

struct site {
    size_t domain;
    int64_t place; /* within the domain */
    int parity;
};

/* All sites by lexicographic index: counted in lexicographic order, or first the even and then the odd ones. */
static struct site *naive_sites(const acre_lattice *lattice)
{
    struct site *sites = calloc((size_t)lattice->sites, sizeof(*sites));
    bool lexicographic = lattice->order == ACRE_SITES_LEXICOGRAPHIC;
    int64_t begin = 0, x[ACRE_MAX_DIMENSION];
    for (size_t d = 0; d < lattice->domain_count; ++d) {
        int64_t end = begin + lattice->domains[d].sites, place = 0;
        for (int parity = 0; parity < 2; ++parity) {
            for (int64_t n = begin; n < end; ++n) {
                acre_lattice_coordinates(lattice, n, x);
                if (acre_parity(lattice->dimension, x) == parity)
                    sites[n] = (struct site){d, lexicographic ? n - begin : place++, parity};
            }
        }
        begin = end;
    }
    return sites;
}

/* Small whole numbers, exact in half. */
static float number(int64_t site, size_t component)
{
    return (float)((site * 13 + (int64_t)component * 7) % 2039);
}

static acre_field *make_numbered(acre_lattice *lattice, acre_site_type type, acre_format format)
{
    size_t components = acre_site_type_components(type);
    struct acre_field_view view;
    acre_field *field;
    float *buffer = malloc((size_t)lattice->sites * components * sizeof(*buffer));
    for (int64_t n = 0; n < lattice->sites; ++n) {
        for (size_t k = 0; k < components; ++k)
            buffer[(size_t)n * components + k] = number(n, k);
    }
    expect_ok(acre_field_create(lattice, type, format, "f", &field));
    expect_ok(acre_field_view_begin(field, ACRE_WRITE, &view));
    acre_field_view_put(&view, 0, lattice->sites, buffer);
    expect_ok(acre_field_view_end(&view));
    expect_ok(acre_field_view_end(&view)); /* nothing is held any more */
    free(buffer);
    return field;
}

static void expect_places(const acre_field *field, const struct acre_field_view *view)
{
    struct site *sites = naive_sites(field->lattice);
    for (int64_t n = 0; n < field->lattice->sites; ++n) {
        const struct acre_image *image = &field->images[sites[n].domain];
        const struct acre_layout *layout = &image->layout;
        for (size_t k = 0; k < layout->components; ++k) {
            const unsigned char *at = view->data + image->offset +
                                      acre_layout_element(layout, k, sites[n].place) * layout->element_bytes;
            float value = number(n, k);
            uint16_t half = acre_half_from_float(value);
            ck_assert(memcmp(at, layout->element_bytes == 2 ? (void *)&half : (void *)&value,
                             layout->element_bytes) == 0);
        }
    }
    free(sites);
}

static void expect_pieces(const acre_field *field, const struct acre_field_view *view)
{
    size_t components = field->images[0].layout.components;
    int64_t sites = field->lattice->sites;
    uint64_t state = 3;
    float *buffer = malloc(((size_t)sites * components + 1) * sizeof(*buffer));
    for (int trial = 0; trial < 30; ++trial) {
        int64_t first = (int64_t)random_below(&state, (uint64_t)sites);
        int64_t count = (int64_t)random_below(&state, (uint64_t)(sites - first + 1));
        size_t end = (size_t)count * components;
        buffer[end] = -1;
        acre_field_view_get(view, first, count, buffer);
        for (size_t i = 0; i < end; ++i)
            ck_assert(buffer[i] == number(first + (int64_t)(i / components), i % components));
        ck_assert(buffer[end] == -1);
    }
    free(buffer);
}

START_TEST(sites_are_at_their_places_in_every_domain)
{
    for (int order = ACRE_SITES_DEFAULT; order <= ACRE_SITES_LEXICOGRAPHIC; order += 2) {
        acre_lattice *lattice = make_cut(_i, (acre_site_order)order);
        for (int f = 0; f < FORMATS; ++f) {
            acre_field *field = make_numbered(lattice, acre_colour_vector(ACRE_FLOAT), formats[f]);
            struct acre_field_view view;
            expect_ok(acre_field_view_begin(field, ACRE_READ, &view));
            expect_places(field, &view);
            expect_pieces(field, &view);
            expect_ok(acre_field_view_end(&view));
            acre_field_destroy(field);
        }
        acre_lattice_destroy(lattice);
    }
}
END_TEST

START_TEST(a_piece_put_changes_no_other_site)
{
    for (int f = 0; f < FORMATS; ++f) {
        acre_lattice *lattice = make_cut(_i, ACRE_SITES_DEFAULT);
        acre_field *field = make_numbered(lattice, acre_complex(ACRE_FLOAT), formats[f]);
        struct acre_field_view view;
        uint64_t state = 5;
        int64_t sites = lattice->sites;
        float *model = malloc((size_t)sites * 2 * sizeof(*model)),
              *all = malloc((size_t)sites * 2 * sizeof(*all));
        expect_ok(acre_field_view_begin(field, ACRE_READ_WRITE, &view));
        acre_field_view_get(&view, 0, sites, model);
        for (int trial = 0; trial < 20; ++trial) {
            int64_t first = (int64_t)random_below(&state, (uint64_t)sites);
            int64_t count = (int64_t)random_below(&state, (uint64_t)(sites - first + 1));
            for (int64_t i = 2 * first; i < 2 * (first + count); ++i)
                model[i] = (float)random_below(&state, 2048);
            acre_field_view_put(&view, first, count, model + 2 * first);
            acre_field_view_get(&view, 0, sites, all);
            ck_assert(memcmp(model, all, (size_t)sites * 2 * sizeof(*all)) == 0);
        }
        expect_ok(acre_field_view_end(&view));
        free(model);
        free(all);
        acre_field_destroy(field);
        acre_lattice_destroy(lattice);
    }
}
END_TEST

/* ---- ranges of subsets ---- */

/* Mark the bytes that a domain's sites of a subset have; return how many sites there are. */
static int64_t mark_sites(const acre_field *field, size_t domain, acre_subset subset, unsigned char *marks)
{
    const struct acre_image *image = &field->images[domain];
    struct site *sites = naive_sites(field->lattice);
    int64_t count = 0;
    for (int64_t n = 0; n < field->lattice->sites; ++n) {
        if (sites[n].domain != domain || (subset != ACRE_ALL && sites[n].parity != (subset == ACRE_ODD)))
            continue;
        for (size_t k = 0; k < image->layout.components; ++k) {
            size_t element = acre_layout_element(&image->layout, k, sites[n].place);
            memset(marks + image->offset + element * image->layout.element_bytes, 1,
                   image->layout.element_bytes);
        }
        ++count;
    }
    free(sites);
    return count;
}

static void expect_ranges(const acre_field *field, size_t domain, acre_subset subset)
{
    const struct acre_image *image = &field->images[domain];
    size_t bytes = acre_field_bytes(field), components = image->layout.components;
    unsigned char *wanted = calloc(bytes, 1), *got = calloc(bytes, 1);
    acre_range *ranges = malloc(components * sizeof(*ranges)); /* no more than promised */
    bool exact;

    int64_t sites = mark_sites(field, domain, subset, wanted);
    size_t count = acre_field_ranges(field, domain, subset, ranges, &exact);
    ck_assert_uint_le(count, components);
    for (size_t r = 0; r < count; ++r) {
        ck_assert_uint_gt(ranges[r].bytes, 0);
        if (r > 0)
            ck_assert_uint_gt(ranges[r].offset, ranges[r - 1].offset + ranges[r - 1].bytes);
        memset(got + ranges[r].offset, 1, ranges[r].bytes);
    }
    bool is_part = sites > 0 && sites < image->layout.sites;
    ck_assert_int_eq(exact, !(is_part && field->lattice->order == ACRE_SITES_LEXICOGRAPHIC));
    if (exact) {
        ck_assert(memcmp(got, wanted, bytes) == 0);
    } else {
        ck_assert_uint_eq(count, 1);
        ck_assert_uint_eq(ranges[0].offset, image->offset);
        ck_assert_uint_eq(ranges[0].bytes, image->layout.bytes);
    }
    free(wanted);
    free(got);
    free(ranges);
}

START_TEST(ranges_hold_the_sites_of_their_subset)
{
    for (int order = ACRE_SITES_DEFAULT; order <= ACRE_SITES_LEXICOGRAPHIC; order += 2) {
        acre_lattice *lattice = make_cut(_i, (acre_site_order)order);
        for (int f = 0; f < FORMATS; ++f) {
            acre_field *field;
            expect_ok(acre_field_create(lattice, acre_colour_vector(ACRE_DOUBLE), formats[f], "f", &field));
            for (size_t d = 0; d < lattice->domain_count; ++d) {
                expect_ranges(field, d, ACRE_ALL);
                expect_ranges(field, d, ACRE_EVEN);
                expect_ranges(field, d, ACRE_ODD);
            }
            acre_field_destroy(field);
        }
        acre_lattice_destroy(lattice);
    }
}
END_TEST

Suite *acre_suite_field_view(void)
{
    Suite *suite = suite_create("field_view");
    TCase *tests = tcase_create("field_view");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, context_set_up, context_tear_down);
    tcase_add_loop_test(tests, sites_are_at_their_places_in_every_domain, 0, SHAPES);
    tcase_add_loop_test(tests, a_piece_put_changes_no_other_site, 0, SHAPES);
    tcase_add_loop_test(tests, ranges_hold_the_sites_of_their_subset, 0, SHAPES);
    suite_add_tcase(suite, tests);
    return suite;
}
