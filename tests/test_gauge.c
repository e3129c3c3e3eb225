/* tests/test_gauge.c: gauge files of every format, with the oddities of real ones, are read to the number. */
#include <check.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acre/gauge.h"
#include "fixture.h"
#include "gauge_files.h"

Suite *acre_suite_gauge(void);

static void teardown(void)
{
    context_tear_down();
    scratch_remove();
}

static const struct gauge_shape small = {{2, 4, 2, 6}, 3, 3, ACRE_FLOAT, true, 1};

static struct gauge_shape shaped(acre_word word, bool big, int rows)
{
    struct gauge_shape shape = small;
    shape.word = word;
    shape.big = big;
    shape.rows = rows;
    return shape;
}

static acre_gauge_file *open_bytes(const struct bytes *bytes)
{
    acre_gauge_file *file = NULL;
    const char *path = scratch_path("gauge");
    scratch_write(path, bytes);
    ck_assert_msg(acre_gauge_open(path, &file) == ACRE_OK, "%s", acre_message());
    return file;
}

static acre_fields *make_fields(const acre_gauge_header *header, acre_word word, acre_format format)
{
    acre_lattice *lattice;
    acre_fields *u;
    acre_site_type type = acre_site_type_sized(acre_colour_matrix(word), 1, (uint16_t)header->colours);
    ck_assert_int_eq(acre_lattice_create(context, 4, header->extents, ACRE_SITES_DEFAULT, &lattice), ACRE_OK);
    ck_assert_msg(acre_fields_create(lattice, type, format, 4, "u", &u) == ACRE_OK, "%s", acre_message());
    acre_lattice_destroy(lattice);
    return u;
}

/* What number k of a link must be, with a third row that the file leaves out. */
static double expected(const struct gauge_shape *shape, int site, int mu, int k)
{
    if (k < 2 * shape->rows * shape->colours)
        return gauge_number(shape, site, mu, k);
    double complex row[2][3];
    for (int i = 0; i < 6; ++i)
        row[i / 3][i % 3] = gauge_number(shape, site, mu, 2 * i) + I * gauge_number(shape, site, mu, 2 * i + 1);
    int i = (k - 12) / 2, j = (i + 1) % 3, l = (i + 2) % 3;
    double complex value = conj(row[0][j] * row[1][l] - row[0][l] * row[1][j]);
    return k % 2 ? cimag(value) : creal(value);
}

static double number_at(const void *buffer, acre_word word, size_t i)
{
    return word == ACRE_DOUBLE ? ((const double *)buffer)[i] : (double)((const float *)buffer)[i];
}

/* The fields hold the shape's links: exactly, but for third rows, which are within a rounding. */
static void compare_fields(const acre_fields *u, const struct gauge_shape *shape, acre_word word)
{
    size_t reals = 2 * (size_t)(shape->colours * shape->colours), sites = (size_t)gauge_sites(shape);
    size_t bytes = sites * reals * acre_word_bytes(word);
    void *buffer = malloc(bytes);
    for (int mu = 0; mu < 4; ++mu) {
        ck_assert_msg(acre_field_export(acre_fields_at(u, (size_t)mu), buffer, bytes) == ACRE_OK, "%s",
                      acre_message());
        for (size_t i = 0; i < sites * reals; ++i) {
            int site = (int)(i / reals), k = (int)(i % reals);
            double got = number_at(buffer, word, i), want = expected(shape, site, mu, k);
            double slack = k < 2 * shape->rows * shape->colours ? 0 : word == ACRE_DOUBLE ? 1e-15 : 1e-7;
            if (word == ACRE_FLOAT)
                want = (double)(float)want;
            ck_assert_msg(fabs(got - want) <= slack, "mu %d site %d number %d: %.17g, not %.17g", mu, site, k,
                          got, want);
        }
    }
    free(buffer);
}

/* The file opens as `format` with the shape's header, and reads into float and double fields of both orders
 * with this outcome of the check. */
static void expect_read(const struct bytes *bytes, const char *format, const struct gauge_shape *shape,
                        acre_check outcome)
{
    acre_gauge_file *file = open_bytes(bytes);
    const acre_gauge_header *header = acre_gauge_file_header(file);
    ck_assert_str_eq(header->format, format);
    ck_assert_int_eq(header->dimension, 4);
    ck_assert_int_eq(header->colours, shape->colours);
    ck_assert_int_eq(header->word, shape->word);
    for (int mu = 0; mu < 4; ++mu)
        ck_assert_int_eq(header->extents[mu], shape->extents[mu]);
    for (int i = 0; i < 4; ++i) {
        acre_word word = i & 1 ? ACRE_DOUBLE : ACRE_FLOAT;
        acre_fields *u = make_fields(header, word, acre_format_of(i & 2 ? ACRE_SITE_SLOW : ACRE_SITE_FAST));
        acre_check check = ACRE_CHECK_ABSENT;
        uint32_t computed[2] = {0, 0};
        ck_assert_msg(acre_gauge_read(file, u, &check, computed, NULL, NULL) == ACRE_OK, "%s", acre_message());
        ck_assert_str_eq(acre_check_name(check), acre_check_name(outcome));
        for (int w = 0; w < header->checksum_words && outcome == ACRE_CHECK_OK; ++w)
            ck_assert_uint_eq(header->checksum[w], computed[w]);
        compare_fields(u, shape, word);
        acre_fields_destroy(u);
    }
    acre_gauge_close(file);
}

typedef void maker(struct bytes *bytes, const struct gauge_shape *shape);

static void expect_made(maker *make, const char *format, struct gauge_shape shape, acre_check outcome)
{
    struct bytes bytes = {0};
    make(&bytes, &shape);
    expect_read(&bytes, format, &shape, outcome);
    bytes_clear(&bytes);
}

START_TEST(nersc_in_every_precision_and_with_rows_left_out)
{
    for (int i = 0; i < 8; ++i)
        expect_made(make_nersc, "NERSC", shaped(i & 1 ? ACRE_DOUBLE : ACRE_FLOAT, i & 2, i & 4 ? 2 : 3),
                    ACRE_CHECK_OK);
}
END_TEST

START_TEST(nersc_of_other_colours_is_whole)
{
    for (int colours = 1; colours <= 8; ++colours) {
        struct gauge_shape shape = small;
        shape.colours = shape.rows = colours;
        expect_made(make_nersc, "NERSC", shape, ACRE_CHECK_OK);
    }
}
END_TEST

/* A header of the test's own, then the payload. */
static void expect_nersc(const char *header, const struct gauge_shape *shape, acre_check outcome)
{
    struct bytes bytes = {0};
    bytes_put(&bytes, header, strlen(header));
    put_payload(&bytes, shape);
    expect_read(&bytes, "NERSC", shape, outcome);
    bytes_clear(&bytes);
}

START_TEST(nersc_headers_are_written_in_many_ways)
{
    struct gauge_shape two = shaped(ACRE_FLOAT, true, 2), little = shaped(ACRE_DOUBLE, false, 3);
    /* few keys, another order, no FLOATING_POINT */
    expect_nersc("BEGIN_HEADER\nDIMENSION_4 = 6\nDIMENSION_2 = 4\nDIMENSION_1 = 2\nDIMENSION_3 = 2\n"
                 "DATATYPE = 4D_SU3_GAUGE\nEND_HEADER\n",
                 &two, ACRE_CHECK_ABSENT);
    /* blanks, carriage returns, unknown keys, lines that are none, keys that come twice */
    expect_nersc(
        "BEGIN_HEADER\r\n  DATATYPE=4D_SU3_GAUGE_3x3  \r\nDIMENSION_1   = 2 \r\nDIMENSION_2 =4\r\n"
        "DIMENSION_3\t=\t2\r\nDIMENSION_4 = 6\r\nDIMENSION_4 = 8\r\nSHOE_SIZE = 43 = 9\r\n\r\nremark\r\n"
        "DIMENSION_5 = -1\r\nLINK_TRACE  = 1\r\nFLOATING_POINT  =  IEEE64LITTLE \r\nEND_HEADER \r\n",
        &little, ACRE_CHECK_ABSENT);
    expect_nersc(
        "BEGIN_HEADER\nDATATYPE = 4D_SU3_GAUGE_NxN\nDIMENSION_1 = 2\nDIMENSION_2 = 4\nDIMENSION_3 = 2\n"
        "DIMENSION_4 = 6\nFLOATING_POINT = IEEE64\nCHECKSUM = 0\nEND_HEADER\n",
        &little, ACRE_CHECK_MISMATCH);
}
END_TEST

START_TEST(nersc_header_values_are_taken)
{
    struct bytes bytes = {0};
    struct gauge_shape shape = shaped(ACRE_DOUBLE, true, 3);
    make_nersc(&bytes, &shape);
    acre_gauge_file *file = open_bytes(&bytes);
    const acre_gauge_header *header = acre_gauge_file_header(file);
    ck_assert(header->has_checksum && header->checksum_words == 1);
    ck_assert(header->has_plaquette && header->plaquette == 0.5);
    ck_assert(header->has_link_trace && header->link_trace == 0.25);
    acre_gauge_close(file);
    bytes_clear(&bytes);
}
END_TEST

START_TEST(milc_in_both_byte_orders)
{
    for (int big = 0; big < 2; ++big) {
        expect_made(make_milc, "MILC v5", shaped(ACRE_FLOAT, big, 3), ACRE_CHECK_OK);
        expect_made(make_old_milc, "MILC v1-4", shaped(ACRE_FLOAT, big, 3), ACRE_CHECK_ABSENT);
    }
}
END_TEST

START_TEST(ildg_and_scidac_in_both_precisions)
{
    for (int i = 0; i < 2; ++i) {
        expect_made(make_ildg, "ILDG", shaped(i ? ACRE_DOUBLE : ACRE_FLOAT, true, 3), ACRE_CHECK_OK);
        expect_made(make_scidac, "SciDAC", shaped(i ? ACRE_DOUBLE : ACRE_FLOAT, true, 3), ACRE_CHECK_OK);
    }
    struct gauge_shape two = small;
    two.colours = two.rows = 2;
    expect_made(make_ildg, "ILDG", two, ACRE_CHECK_OK);
    expect_made(make_scidac, "SciDAC", two, ACRE_CHECK_OK);
}
END_TEST

START_TEST(ildg_with_blanks_and_without_field_or_closing_quote)
{
    struct bytes bytes = {0};
    struct gauge_shape shape = shaped(ACRE_DOUBLE, true, 3);
    put_text_record(&bytes, "xlf-info", "plaquette = 1.0\n <lx>9</lx>");
    put_text_record(
        &bytes, "ildg-format",
        "<?xml version=\"1.0\"?><ildgFormat xsi:schemaLocation=\"http://www.lqcd.org/ildg filefmt.xsd>"
        "<version>1.0</version><precision> 64 </precision>\n <lx>2</lx><ly> 4</ly><lz>2 </lz>"
        "<lt>\t6\n</lt></ildgFormat>");
    put_data(&bytes, "ildg-binary-data", &shape);
    put_text_record(&bytes, "ildg-data-lfn", "TestLFN");
    put_record(&bytes, "ranluxd-state", "\x45\x67\x89\xab", 4);
    expect_read(&bytes, "ILDG", &shape, ACRE_CHECK_ABSENT);
    bytes_clear(&bytes);
}
END_TEST

START_TEST(ildg_records_in_any_order)
{
    struct bytes bytes = {0};
    put_record(&bytes, "foreign-file-private-xml", "<lx>", 4);
    put_data(&bytes, "ildg-binary-data", &small);
    put_sums(&bytes, &small, "0x%x");
    put_record(&bytes, "", "", 0);
    put_ildg_format(&bytes, &small);
    expect_read(&bytes, "ILDG", &small, ACRE_CHECK_OK);
    bytes.size = 0;
    put_ildg_format(&bytes, &small);
    put_sums(&bytes, &small, "%x");
    put_data(&bytes, "ildg-binary-data", &small);
    expect_read(&bytes, "ILDG", &small, ACRE_CHECK_OK);
    bytes_clear(&bytes);
}
END_TEST

START_TEST(ildg_data_described_by_scidac_alone)
{
    struct bytes bytes = {0};
    put_scidac_file(&bytes, &small);
    put_scidac_description(&bytes, &small);
    put_data(&bytes, "ildg-binary-data", &small);
    expect_read(&bytes, "ILDG", &small, ACRE_CHECK_ABSENT);
    bytes_clear(&bytes);
}
END_TEST

START_TEST(the_gauge_field_is_found_among_others)
{
    struct bytes bytes = {0};
    struct gauge_shape other = small;
    other.seed = 77;
    put_scidac_file(&bytes, &small);
    put_text_record(&bytes, "scidac-private-record-xml",
                    "<datatype>QDP_F3_ColorVector</datatype><precision>F</precision><colors>3</colors>"
                    "<typesize>24</typesize><datacount>1</datacount>");
    put_record(&bytes, "scidac-binary-data", "vectors", 8);
    put_text_record(&bytes, "scidac-checksum", "<suma>0</suma><sumb>0</sumb>");
    put_scidac_description(&bytes, &small);
    put_data(&bytes, "scidac-binary-data", &small);
    put_sums(&bytes, &small, "%08x");
    put_scidac_description(&bytes, &other);
    put_data(&bytes, "scidac-binary-data", &other);
    put_sums(&bytes, &other, "%08x");
    expect_read(&bytes, "SciDAC", &small, ACRE_CHECK_OK);
    bytes_clear(&bytes);
}
END_TEST

START_TEST(the_checksum_of_another_field_is_not_taken)
{
    struct bytes bytes = {0};
    struct gauge_shape other = small;
    other.seed = 77;
    put_scidac_file(&bytes, &small);
    put_scidac_description(&bytes, &small);
    put_data(&bytes, "scidac-binary-data", &small);
    put_scidac_description(&bytes, &other);
    put_data(&bytes, "scidac-binary-data", &other);
    put_sums(&bytes, &other, "%08x");
    expect_read(&bytes, "SciDAC", &small, ACRE_CHECK_ABSENT);
    bytes_clear(&bytes);
}
END_TEST

START_TEST(scidac_of_writers_with_names_of_their_own)
{
    static const char *const descriptions[] = {
        "<recordtype>0</recordtype><datatype>Lattice</datatype><precision>F</precision><colors>3</colors>"
        "<spins>4</spins><typesize>72</typesize><datacount>4</datacount>",
        "<precision>F</precision><typesize>72</typesize><datacount>4</datacount>",
    };
    for (int i = 0; i < 2; ++i) {
        struct bytes bytes = {0};
        put_scidac_file(&bytes, &small);
        put_text_record(&bytes, "scidac-private-record-xml", descriptions[i]);
        put_data(&bytes, "scidac-binary-data", &small);
        expect_read(&bytes, "SciDAC", &small, ACRE_CHECK_ABSENT);
        bytes_clear(&bytes);
    }
}
END_TEST

START_TEST(a_changed_number_is_a_mismatch)
{
    static maker *const makers[] = {make_nersc, make_ildg, make_scidac, make_milc};
    for (int i = 0; i < 4; ++i) {
        struct bytes bytes = {0};
        makers[i](&bytes, &small);
        /* behind the middle of the file there are links in all of them */
        bytes.data[bytes.size / 2] ^= 1;
        acre_gauge_file *file = open_bytes(&bytes);
        acre_fields *u = make_fields(acre_gauge_file_header(file), ACRE_FLOAT, acre_format_of(ACRE_SITE_FAST));
        acre_check check;
        ck_assert_int_eq(acre_gauge_read(file, u, &check, NULL, NULL, NULL), ACRE_OK);
        ck_assert_int_eq(check, ACRE_CHECK_MISMATCH);
        acre_fields_destroy(u);
        acre_gauge_close(file);
        bytes_clear(&bytes);
    }
}
END_TEST

START_TEST(reading_in_several_slabs_with_progress)
{
    struct bytes bytes = {0};
    struct gauge_shape shape = {{8, 8, 8, 10}, 3, 3, ACRE_DOUBLE, true, 5}; /* 2.9 MB of links */
    uint64_t seen[3] = {0, 0, 0};
    acre_check check;
    make_ildg(&bytes, &shape);
    acre_gauge_file *file = open_bytes(&bytes);
    acre_fields *u = make_fields(acre_gauge_file_header(file), ACRE_DOUBLE, acre_format_of(ACRE_SITE_FAST));
    ck_assert_int_eq(acre_gauge_read(file, u, &check, NULL, note_progress, seen), ACRE_OK);
    ck_assert_int_eq(check, ACRE_CHECK_OK);
    ck_assert_uint_eq(seen[0], seen[1]);
    ck_assert_uint_eq(seen[1], (uint64_t)gauge_sites(&shape) * 576);
    ck_assert_uint_ge(seen[2], 2);
    compare_fields(u, &shape, ACRE_DOUBLE);
    acre_fields_destroy(u);
    acre_gauge_close(file);
    bytes_clear(&bytes);
}
END_TEST

START_TEST(third_rows_make_the_matrix_special_unitary)
{
    /* Rows (0, i, 0) and (i, 0, 0): the third is conj(0, 0, 1 · -i·i) = (0, 0, 1). */
    struct bytes bytes = {0};
    struct gauge_shape shape = {{1, 1, 1, 1}, 3, 2, ACRE_DOUBLE, true, 0};
    static const int ones[2] = {3, 7};
    make_nersc(&bytes, &shape);
    bytes.size -= 4 * 12 * 8;
    for (int i = 0; i < 4 * 12; ++i)
        bytes_put64(&bytes, i % 12 == ones[0] || i % 12 == ones[1] ? 0x3ff0000000000000u : 0, true);
    acre_gauge_file *file = open_bytes(&bytes);
    acre_fields *u = make_fields(acre_gauge_file_header(file), ACRE_DOUBLE, acre_format_of(ACRE_SITE_SLOW));
    acre_check check;
    double link[18];
    ck_assert_int_eq(acre_gauge_read(file, u, &check, NULL, NULL, NULL), ACRE_OK);
    ck_assert_int_eq(acre_field_export(acre_fields_at(u, 2), link, sizeof link), ACRE_OK);
    for (int i = 12; i < 18; ++i)
        ck_assert_double_eq(link[i], i == 16 ? 1.0 : 0.0);
    acre_fields_destroy(u);
    acre_gauge_close(file);
    bytes_clear(&bytes);
}
END_TEST

START_TEST(checks_of_observables)
{
    acre_gauge_header header = {.word = ACRE_DOUBLE};
    ck_assert_int_eq(acre_gauge_check_plaquette(&header, 0.5), ACRE_CHECK_ABSENT);
    ck_assert_int_eq(acre_gauge_check_link_trace(&header, 0.5), ACRE_CHECK_ABSENT);
    header.has_plaquette = header.has_link_trace = true;
    header.plaquette = 0.5;
    header.link_trace = 20;
    ck_assert_int_eq(acre_gauge_check_plaquette(&header, 0.5 + 0.9e-9), ACRE_CHECK_OK);
    ck_assert_int_eq(acre_gauge_check_plaquette(&header, 0.5 + 1.1e-9), ACRE_CHECK_MISMATCH);
    ck_assert_int_eq(acre_gauge_check_link_trace(&header, 20 - 1.9e-8), ACRE_CHECK_OK);
    ck_assert_int_eq(acre_gauge_check_link_trace(&header, 20 - 2.1e-8), ACRE_CHECK_MISMATCH);
    ck_assert_int_eq(acre_gauge_check_plaquette(&header, (double)NAN), ACRE_CHECK_MISMATCH);
    header.word = ACRE_FLOAT;
    ck_assert_int_eq(acre_gauge_check_plaquette(&header, 0.5 - 0.9e-7), ACRE_CHECK_OK);
    ck_assert_int_eq(acre_gauge_check_plaquette(&header, 0.5 - 1.1e-7), ACRE_CHECK_MISMATCH);
    header.plaquette = (double)NAN;
    ck_assert_int_eq(acre_gauge_check_plaquette(&header, (double)NAN), ACRE_CHECK_MISMATCH);
    header.plaquette = (double)INFINITY;
    ck_assert_int_eq(acre_gauge_check_plaquette(&header, (double)INFINITY), ACRE_CHECK_MISMATCH);
}
END_TEST

Suite *acre_suite_gauge(void)
{
    Suite *suite = suite_create("gauge");
    TCase *formats = tcase_create("formats");
    tcase_add_checked_fixture(formats, context_set_up, teardown);
    tcase_add_test(formats, nersc_in_every_precision_and_with_rows_left_out);
    tcase_add_test(formats, nersc_of_other_colours_is_whole);
    tcase_add_test(formats, nersc_headers_are_written_in_many_ways);
    tcase_add_test(formats, nersc_header_values_are_taken);
    tcase_add_test(formats, milc_in_both_byte_orders);
    tcase_add_test(formats, ildg_and_scidac_in_both_precisions);
    tcase_add_test(formats, ildg_with_blanks_and_without_field_or_closing_quote);
    tcase_add_test(formats, ildg_records_in_any_order);
    tcase_add_test(formats, ildg_data_described_by_scidac_alone);
    tcase_add_test(formats, the_gauge_field_is_found_among_others);
    tcase_add_test(formats, the_checksum_of_another_field_is_not_taken);
    tcase_add_test(formats, scidac_of_writers_with_names_of_their_own);
    suite_add_tcase(suite, formats);
    TCase *data = tcase_create("data");
    tcase_add_checked_fixture(data, context_set_up, teardown);
    tcase_add_test(data, a_changed_number_is_a_mismatch);
    tcase_add_test(data, reading_in_several_slabs_with_progress);
    tcase_add_test(data, third_rows_make_the_matrix_special_unitary);
    tcase_add_test(data, checks_of_observables);
    suite_add_tcase(suite, data);
    return suite;
}
