/* tests/test_field.c: fields of every type and format hold what was put in, where the documents say. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "core/field/field.h"
#include "core/lattice/half.h"
#include "fixture.h"

Suite *acre_suite_field(void);

static void expect_failure(acre_status status, acre_status wanted, const char *words)
{
    ck_assert_msg(status == wanted, "%s instead of %s", acre_status_name(status), acre_status_name(wanted));
    ck_assert_msg(strstr(acre_message(), words) != NULL, "\"%s\" lacks \"%s\"", acre_message(), words);
}

static const acre_format native = {ACRE_SITE_FAST, ACRE_NATIVE};
static const acre_format formats[] = {
    {ACRE_SITE_FAST, ACRE_NATIVE},
    {ACRE_SITE_SLOW, ACRE_NATIVE},
    {ACRE_SITE_FAST, ACRE_HALF},
    {ACRE_SITE_SLOW, ACRE_HALF},
};
enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

static acre_lattice *make_lattice(int dimension, const int64_t *extents, acre_site_order order)
{
    acre_lattice *lattice;
    expect_ok(acre_lattice_create(context, dimension, extents, order, &lattice));
    return lattice;
}

static acre_lattice *make_small(void)
{
    return make_lattice(3, (const int64_t[]){4, 2, 6}, ACRE_SITES_DEFAULT);
}

static size_t buffer_bytes(const acre_lattice *lattice, acre_site_type type)
{
    return (size_t)lattice->sites * acre_site_type_components(type) * acre_word_bytes(type.word);
}

/* ---- what goes in comes out ---- */

/* Numbers that all differ in double, and are no halves; integers and booleans as their words allow. */
static void fill(acre_word word, void *buffer, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        double value = (i % 2 ? -1 : 1) * (0.1 + (double)i / 7);
        if (word == ACRE_DOUBLE)
            ((double *)buffer)[i] = value;
        else if (word == ACRE_FLOAT)
            ((float *)buffer)[i] = (float)value;
        else if (word == ACRE_INT)
            ((int32_t *)buffer)[i] = (int32_t)(i * 2654435761u);
        else
            ((bool *)buffer)[i] = i % 3 == 1;
    }
}

/* What half storage makes of a buffer. */
static void round_to_half(acre_word word, void *buffer, size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        if (word == ACRE_DOUBLE)
            ((double *)buffer)[i] = acre_half_to_double(acre_half_from_double(((double *)buffer)[i]));
        else
            ((float *)buffer)[i] = acre_half_to_float(acre_half_from_float(((float *)buffer)[i]));
    }
}

/* The bytes of the array, element by element, must be where the layout of the documents has them. */
static void expect_layout(const acre_field *field, const unsigned char *buffer)
{
    const acre_lattice *lattice = acre_field_lattice(field);
    size_t components = acre_site_type_components(field->type), word = acre_word_bytes(field->type.word);
    size_t sites = (size_t)lattice->sites;
    void *data;
    expect_ok(acre_array_acquire(acre_field_array(field), ACRE_PLACE_HOST, ACRE_READ, NULL, 0, &data));
    for (size_t n = 0; n < sites; ++n) {
        size_t place = (size_t)acre_lattice_place_of(lattice, (int64_t)n);
        for (size_t k = 0; k < components; ++k) {
            size_t element = field->format.order == ACRE_SITE_FAST ? k * sites + place : place * components + k;
            const unsigned char *value = buffer + (n * components + k) * word;
            uint16_t half = 0;
            if (field->format.storage == ACRE_HALF && word == 8)
                half = acre_half_from_double(*(const double *)(const void *)value);
            else if (field->format.storage == ACRE_HALF)
                half = acre_half_from_float(*(const float *)(const void *)value);
            bool same = field->format.storage == ACRE_HALF
                            ? memcmp((unsigned char *)data + element * 2, &half, 2) == 0
                            : memcmp((unsigned char *)data + element * word, value, word) == 0;
            if (!same)
                ck_abort_msg("site %zu, component %zu is not at element %zu", n, k, element);
        }
    }
    expect_ok(acre_array_release(acre_field_array(field), ACRE_PLACE_HOST, ACRE_READ, NULL, 0));
}

static void expect_identity(acre_lattice *lattice, acre_site_type type, acre_format format)
{
    size_t bytes = buffer_bytes(lattice, type);
    size_t count = bytes / acre_word_bytes(type.word);
    unsigned char *in = malloc(bytes), *out = malloc(bytes + 1);
    acre_field *field;

    fill(type.word, in, count);
    expect_ok(acre_field_create(lattice, type, format, "f", &field));
    expect_ok(acre_field_import(field, in, bytes));
    expect_layout(field, in);
    if (format.storage == ACRE_HALF)
        round_to_half(type.word, in, count);
    /* Into a buffer that is aligned for nothing. */
    expect_ok(acre_field_export(field, out + 1, bytes));
    ck_assert(memcmp(in, out + 1, bytes) == 0);
    memmove(out + 1, in, bytes);
    expect_ok(acre_field_import(field, out + 1, bytes));
    memset(out, 0, bytes);
    expect_ok(acre_field_export(field, out, bytes));
    ck_assert(memcmp(in, out, bytes) == 0);
    acre_field_destroy(field);
    free(in);
    free(out);
}

static void expect_identity_in_all_formats(acre_lattice *lattice, acre_site_type type)
{
    for (int f = 0; f < FORMATS; ++f) {
        if (formats[f].storage == ACRE_NATIVE || acre_word_is_floating(type.word))
            expect_identity(lattice, type, formats[f]);
    }
}

static void expect_all_types(acre_lattice *lattice)
{
#define EXPECT(make, name, spin_rank, spins, colour_rank, colours, is_complex)                                 \
    expect_identity_in_all_formats(lattice, make(ACRE_FLOAT));                                                 \
    expect_identity_in_all_formats(lattice, make(ACRE_DOUBLE));
    ACRE_SITE_TYPE_TABLE(EXPECT)
#undef EXPECT
    static const acre_word words[] = {ACRE_FLOAT, ACRE_DOUBLE, ACRE_INT, ACRE_BOOL};
    for (int w = 0; w < 4; ++w) {
        expect_identity_in_all_formats(lattice, acre_real(words[w]));
        expect_identity_in_all_formats(lattice, acre_real_vector(words[w], 5));
        expect_identity_in_all_formats(lattice, acre_real_vector(words[w], 1));
    }
    for (int colours = 1; colours <= ACRE_MAX_COLOURS; colours += 3)
        expect_identity_in_all_formats(lattice, acre_site_type_sized(acre_colour_matrix(ACRE_DOUBLE), 1,
                                                                     (uint16_t)colours));
}

static const struct {
    int dimension;
    int64_t extents[ACRE_MAX_DIMENSION];
} shapes[] = {
    {1, {1}}, {1, {6}}, {2, {3, 5}}, {3, {4, 2, 6}}, {4, {5, 1, 2, 4}}, {4, {2, 2, 2, 2}},
};

START_TEST(every_type_and_format_returns_what_it_was_given)
{
    for (int order = ACRE_SITES_DEFAULT; order <= ACRE_SITES_LEXICOGRAPHIC; order += 2) {
        acre_lattice *lattice = make_lattice(shapes[_i].dimension, shapes[_i].extents, (acre_site_order)order);
        expect_all_types(lattice);
        acre_lattice_destroy(lattice);
    }
}
END_TEST

/* Lattices and site objects of more than a tile and more than a scratch buffer. */
START_TEST(large_sizes_return_what_they_were_given)
{
    const int64_t extents[] = {12, 10, 14}, tiny[] = {2, 2};
    for (int order = ACRE_SITES_CHECKERBOARD; order <= ACRE_SITES_LEXICOGRAPHIC; ++order) {
        acre_lattice *lattice = make_lattice(3, extents, (acre_site_order)order);
        expect_identity_in_all_formats(lattice, acre_real(ACRE_DOUBLE));
        expect_identity_in_all_formats(lattice, acre_boolean());
        expect_identity_in_all_formats(lattice, acre_colour_vector(ACRE_FLOAT));
        acre_lattice_destroy(lattice);
        lattice = make_lattice(2, tiny, (acre_site_order)order);
        expect_identity_in_all_formats(lattice, acre_site_type_sized(acre_propagator(ACRE_DOUBLE), 4, 8));
        expect_identity_in_all_formats(lattice, acre_real_vector(ACRE_FLOAT, ACRE_MAX_VECTOR));
        acre_lattice_destroy(lattice);
    }
}
END_TEST

START_TEST(half_takes_half_of_float_and_a_quarter_of_double)
{
    acre_lattice *lattice = make_small();
    acre_field *half_float, *half_double, *as_float, *as_double;
    acre_format half = {ACRE_SITE_SLOW, ACRE_HALF};
    expect_ok(acre_field_create(lattice, acre_fermion(ACRE_FLOAT), half, "hf", &half_float));
    expect_ok(acre_field_create(lattice, acre_fermion(ACRE_DOUBLE), half, "hd", &half_double));
    expect_ok(acre_field_create(lattice, acre_fermion(ACRE_FLOAT), native, "f", &as_float));
    expect_ok(acre_field_create(lattice, acre_fermion(ACRE_DOUBLE), native, "d", &as_double));
    ck_assert_uint_eq(acre_field_bytes(as_double), 48 * 24 * 8);
    ck_assert_uint_eq(acre_field_bytes(as_float), 48 * 24 * 4);
    ck_assert_uint_eq(acre_field_bytes(half_float), 48 * 24 * 2);
    ck_assert_uint_eq(acre_field_bytes(half_double), 48 * 24 * 2);
    acre_field_destroy(half_float);
    acre_field_destroy(half_double);
    acre_field_destroy(as_float);
    acre_field_destroy(as_double);
    acre_lattice_destroy(lattice);
}
END_TEST

/* ---- making fields ---- */

START_TEST(a_field_is_what_was_asked_for)
{
    acre_lattice *lattice = make_small();
    acre_format format = {ACRE_SITE_SLOW, ACRE_HALF};
    acre_field *field;
    char label[] = "psi";
    expect_ok(acre_field_create(lattice, acre_fermion(ACRE_FLOAT), format, label, &field));
    label[0] = 'x'; /* the label is a copy */
    ck_assert_str_eq(acre_field_label(field), "psi");
    ck_assert(acre_format_equal(acre_field_format(field), format));
    ck_assert(acre_site_type_equal(acre_field_type(field), acre_fermion(ACRE_FLOAT)));
    ck_assert_ptr_eq(acre_field_lattice(field), lattice);
    acre_lattice_destroy(lattice); /* the field keeps it */
    ck_assert_int_eq(acre_lattice_sites(acre_field_lattice(field)), 48);
    acre_field_destroy(field);
    acre_field_destroy(NULL);
}
END_TEST

START_TEST(impossible_fields_are_refused)
{
    const int64_t huge[] = {1 << 20, 1 << 20, 1 << 20};
    acre_format half = {ACRE_SITE_FAST, ACRE_HALF};
    acre_lattice *lattice = make_small(), *large = make_lattice(3, huge, ACRE_SITES_DEFAULT);
    acre_field *field = (acre_field *)1;
    expect_failure(acre_field_create(lattice, acre_integer(), half, "charge", &field), ACRE_ERR_TYPE,
                   "OLattice: half storage requires a floating-point word type");
    ck_assert_ptr_nonnull(strstr(acre_message(), "charge"));
    ck_assert_ptr_null(field);
    expect_failure(acre_field_create(lattice, acre_boolean(), half, "mask", &field), ACRE_ERR_TYPE,
                   "OLattice: half storage requires a floating-point word type");
    expect_failure(acre_field_create(lattice, acre_site_type_sized(acre_fermion(ACRE_FLOAT), 3, 3), native,
                                     "psi", &field),
                   ACRE_ERR_TYPE, "3 spins");
    expect_failure(acre_field_create(NULL, acre_integer(), native, "n", &field), ACRE_ERR_ARGUMENT, "'n'");
    expect_failure(acre_field_create(lattice, acre_integer(), native, "n", NULL), ACRE_ERR_ARGUMENT, "NULL");
    expect_failure(acre_field_create(large, acre_colour_matrix(ACRE_DOUBLE), native, "u", &field),
                   ACRE_ERR_OVERFLOW, "'u'");
    ck_assert_ptr_null(field);
    acre_lattice_destroy(large);
    acre_lattice_destroy(lattice);
}
END_TEST

START_TEST(wrong_buffers_are_refused)
{
    acre_lattice *lattice = make_small();
    float buffer[48 * 2];
    acre_field *field;
    expect_ok(acre_field_create(lattice, acre_complex(ACRE_FLOAT), native, "z", &field));
    fill(ACRE_FLOAT, buffer, 48 * 2);
    expect_failure(acre_field_import(field, buffer, 383), ACRE_ERR_ARGUMENT, "has 383 bytes, must have 384");
    expect_failure(acre_field_import(field, buffer, 0), ACRE_ERR_ARGUMENT, "'z'");
    expect_failure(acre_field_import(field, NULL, 384), ACRE_ERR_ARGUMENT, "NULL");
    expect_failure(acre_field_import(NULL, buffer, 384), ACRE_ERR_ARGUMENT, "NULL");
    expect_failure(acre_field_export(field, buffer, 385), ACRE_ERR_ARGUMENT, "has 385 bytes, must have 384");
    expect_failure(acre_field_export(NULL, buffer, 384), ACRE_ERR_ARGUMENT, "NULL");
    acre_field_destroy(field);
    acre_lattice_destroy(lattice);
}
END_TEST

START_TEST(reading_what_was_never_written_is_an_error)
{
    acre_lattice *lattice = make_small();
    double buffer[48];
    acre_field *field, *copy = (acre_field *)1;
    expect_ok(acre_field_create(lattice, acre_real(ACRE_DOUBLE), native, "phi", &field));
    expect_failure(acre_field_export(field, buffer, sizeof(buffer)), ACRE_ERR_UNDEFINED, "phi");
    expect_failure(acre_field_peek_site(field, (const int64_t[]){0, 0, 0}, buffer, 8), ACRE_ERR_UNDEFINED,
                   "phi");
    expect_failure(acre_field_copy(field, "chi", &copy), ACRE_ERR_UNDEFINED, "phi");
    ck_assert_ptr_null(copy);
    acre_field_destroy(field);
    acre_lattice_destroy(lattice);
}
END_TEST

START_TEST(a_held_field_can_not_be_overwritten)
{
    acre_lattice *lattice = make_small();
    double buffer[48] = {0};
    void *data;
    acre_field *field;
    expect_ok(acre_field_create(lattice, acre_real(ACRE_DOUBLE), native, "phi", &field));
    expect_ok(acre_field_import(field, buffer, sizeof(buffer)));
    expect_ok(acre_array_acquire(acre_field_array(field), ACRE_PLACE_HOST, ACRE_READ, NULL, 0, &data));
    expect_failure(acre_field_import(field, buffer, sizeof(buffer)), ACRE_ERR_CONFLICT, "phi");
    expect_failure(acre_field_poke_site(field, (const int64_t[]){0, 0, 0}, buffer, 8), ACRE_ERR_CONFLICT,
                   "phi");
    expect_ok(acre_field_export(field, buffer, sizeof(buffer)));
    expect_ok(acre_array_release(acre_field_array(field), ACRE_PLACE_HOST, ACRE_READ, NULL, 0));
    expect_ok(acre_field_import(field, buffer, sizeof(buffer)));
    acre_field_destroy(field);
    acre_lattice_destroy(lattice);
}
END_TEST

/* Bits, not numbers: a NaN keeps its payload even in half storage. */
START_TEST(a_copy_has_the_same_bits)
{
    acre_lattice *lattice = make_small();
    acre_format half = {ACRE_SITE_SLOW, ACRE_HALF};
    acre_field *field, *copy;
    uint16_t bits[48];
    void *data;
    for (int i = 0; i < 48; ++i)
        bits[i] = (uint16_t)(0x7c00 + 21 * i);
    expect_ok(acre_field_create(lattice, acre_real(ACRE_DOUBLE), half, "phi", &field));
    expect_ok(acre_array_acquire(acre_field_array(field), ACRE_PLACE_HOST, ACRE_WRITE, NULL, 0, &data));
    memcpy(data, bits, sizeof(bits));
    expect_ok(acre_array_release(acre_field_array(field), ACRE_PLACE_HOST, ACRE_WRITE, NULL, 0));
    expect_ok(acre_field_copy(field, NULL, &copy));
    acre_field_destroy(field);
    ck_assert(acre_format_equal(acre_field_format(copy), half));
    expect_ok(acre_array_acquire(acre_field_array(copy), ACRE_PLACE_HOST, ACRE_READ, NULL, 0, &data));
    ck_assert_mem_eq(data, bits, sizeof(bits));
    expect_ok(acre_array_release(acre_field_array(copy), ACRE_PLACE_HOST, ACRE_READ, NULL, 0));
    acre_field_destroy(copy);
    expect_failure(acre_field_copy(NULL, "x", &copy), ACRE_ERR_ARGUMENT, "source");
    acre_lattice_destroy(lattice);
}
END_TEST

/* ---- single sites ---- */

START_TEST(peek_and_poke_see_the_sites_of_export)
{
    enum { SITES = 48, WORDS = 18 };
    acre_lattice *lattice = make_small();
    static double all[SITES][WORDS], value[WORDS];
    int64_t x[ACRE_MAX_DIMENSION];
    acre_field *field;
    expect_ok(acre_field_create(lattice, acre_colour_matrix(ACRE_DOUBLE), formats[_i], "u", &field));
    /* Site by site into a field never written before, backwards; the others stay undefined. */
    for (int64_t n = SITES - 1; n >= 0; --n) {
        for (int k = 0; k < WORDS; ++k)
            value[k] = 1 / (double)(n * WORDS + k + 3);
        acre_lattice_coordinates(lattice, n, x);
        expect_failure(acre_field_peek_site(field, x, all[n], sizeof(value)), ACRE_ERR_UNDEFINED, "u");
        expect_failure(acre_field_export(field, all, sizeof(all)), ACRE_ERR_UNDEFINED, "u");
        expect_ok(acre_field_poke_site(field, x, value, sizeof(value)));
        expect_ok(acre_field_peek_site(field, x, all[n], sizeof(value)));
        if (formats[_i].storage == ACRE_HALF)
            round_to_half(ACRE_DOUBLE, value, WORDS);
        ck_assert(memcmp(value, all[n], sizeof(value)) == 0);
    }
    static double exported[SITES][WORDS];
    expect_ok(acre_field_export(field, exported, sizeof(exported)));
    ck_assert(memcmp(all, exported, sizeof(all)) == 0);
    acre_field_destroy(field);
    acre_lattice_destroy(lattice);
}
END_TEST

START_TEST(sites_that_are_not_there_are_refused)
{
    acre_lattice *lattice = make_small();
    float value = 1;
    acre_field *field;
    expect_ok(acre_field_create(lattice, acre_real(ACRE_FLOAT), native, "phi", &field));
    expect_failure(acre_field_poke_site(field, (const int64_t[]){0, 2, 0}, &value, 4), ACRE_ERR_ARGUMENT,
                   "coordinate 1 is 2, must be 0 to 1 on lattice 4x2x6");
    expect_failure(acre_field_peek_site(field, (const int64_t[]){-1, 0, 0}, &value, 4), ACRE_ERR_ARGUMENT,
                   "coordinate 0 is -1");
    expect_failure(acre_field_poke_site(field, NULL, &value, 4), ACRE_ERR_ARGUMENT, "NULL");
    expect_failure(acre_field_poke_site(field, (const int64_t[]){0, 0, 0}, NULL, 4), ACRE_ERR_ARGUMENT, "NULL");
    expect_failure(acre_field_poke_site(field, (const int64_t[]){0, 0, 0}, &value, 8), ACRE_ERR_ARGUMENT,
                   "has 8 bytes, must have 4");
    expect_failure(acre_field_peek_site(NULL, (const int64_t[]){0, 0, 0}, &value, 4), ACRE_ERR_ARGUMENT,
                   "NULL");
    expect_failure(acre_field_poke_site(NULL, (const int64_t[]){0, 0, 0}, &value, 4), ACRE_ERR_ARGUMENT,
                   "NULL");
    acre_field_destroy(field);
    acre_lattice_destroy(lattice);
}
END_TEST

/* ---- arrays of fields ---- */

START_TEST(arrays_of_fields_own_their_elements)
{
    acre_lattice *lattice = make_small();
    acre_fields *links, *none;
    expect_ok(acre_fields_create(lattice, acre_colour_matrix(ACRE_FLOAT), formats[3], 4, "u", &links));
    expect_ok(acre_fields_create(lattice, acre_colour_matrix(ACRE_FLOAT), native, 0, NULL, &none));
    acre_lattice_destroy(lattice);
    ck_assert_uint_eq(acre_fields_count(links), 4);
    ck_assert_str_eq(acre_fields_label(links), "u");
    ck_assert_str_eq(acre_field_label(acre_fields_at(links, 0)), "u[0]");
    ck_assert_str_eq(acre_field_label(acre_fields_at(links, 3)), "u[3]");
    ck_assert(acre_format_equal(acre_field_format(acre_fields_at(links, 2)), formats[3]));
    ck_assert_ptr_null(acre_fields_at(links, 4));
    ck_assert_uint_eq(acre_fields_count(none), 0);
    ck_assert_ptr_null(acre_fields_at(none, 0));
    acre_fields_destroy(links);
    acre_fields_destroy(none);
    acre_fields_destroy(NULL);
}
END_TEST

START_TEST(impossible_arrays_of_fields_are_refused)
{
    acre_lattice *lattice = make_small();
    acre_fields *fields = (acre_fields *)1;
    expect_failure(acre_fields_create(lattice, acre_integer(), formats[2], 4, "n", &fields), ACRE_ERR_TYPE,
                   "'n[0]'");
    ck_assert_ptr_null(fields);
    expect_failure(acre_fields_create(lattice, acre_integer(), native, SIZE_MAX / 4, "n", &fields),
                   ACRE_ERR_OVERFLOW, "'n'");
    expect_failure(acre_fields_create(NULL, acre_integer(), native, 4, "n", &fields), ACRE_ERR_ARGUMENT, "'n'");
    expect_failure(acre_fields_create(lattice, acre_integer(), native, 4, "n", NULL), ACRE_ERR_ARGUMENT,
                   "NULL");
    acre_lattice_destroy(lattice);
}
END_TEST

Suite *acre_suite_field(void)
{
    Suite *suite = suite_create("field");
    TCase *tests = tcase_create("field");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, context_set_up, context_tear_down);
    tcase_add_loop_test(tests, every_type_and_format_returns_what_it_was_given, 0,
                        sizeof(shapes) / sizeof(shapes[0]));
    tcase_add_test(tests, large_sizes_return_what_they_were_given);
    tcase_add_test(tests, half_takes_half_of_float_and_a_quarter_of_double);
    tcase_add_test(tests, a_field_is_what_was_asked_for);
    tcase_add_test(tests, impossible_fields_are_refused);
    tcase_add_test(tests, wrong_buffers_are_refused);
    tcase_add_test(tests, reading_what_was_never_written_is_an_error);
    tcase_add_test(tests, a_held_field_can_not_be_overwritten);
    tcase_add_test(tests, a_copy_has_the_same_bits);
    tcase_add_loop_test(tests, peek_and_poke_see_the_sites_of_export, 0, FORMATS);
    tcase_add_test(tests, sites_that_are_not_there_are_refused);
    tcase_add_test(tests, arrays_of_fields_own_their_elements);
    tcase_add_test(tests, impossible_arrays_of_fields_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
