/* tests/test_gauge_samples.c: published gauge files give the numbers their owners print. The tests are skipped
 * where the files are not there. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acre/gauge.h"
#include "fixture.h"

Suite *acre_suite_gauge_samples(void);

/* The file's path; NULL where it is not there. */
static const char *sample(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", ACRE_TEST_DATA, name);
    if (access(path, R_OK) == 0)
        return path;
    printf("skip: no sample file %s\n", path);
    return NULL;
}

struct read {
    acre_gauge_header header;
    acre_check check;
    uint32_t computed[2];
    acre_fields *u;
};

static bool read_sample(const char *name, acre_format format, struct read *read)
{
    const char *path = sample(name);
    acre_gauge_file *file;
    acre_lattice *lattice;
    if (!path)
        return false;
    ck_assert_msg(acre_gauge_open(path, &file) == ACRE_OK, "%s", acre_message());
    read->header = *acre_gauge_file_header(file);
    ck_assert_int_eq(acre_lattice_create(context, 4, read->header.extents, ACRE_SITES_DEFAULT, &lattice),
                     ACRE_OK);
    ck_assert_int_eq(acre_fields_create(lattice, acre_colour_matrix(ACRE_DOUBLE), format, 4, "u", &read->u),
                     ACRE_OK);
    acre_lattice_destroy(lattice);
    ck_assert_msg(acre_gauge_read(file, read->u, &read->check, read->computed, NULL, NULL) == ACRE_OK, "%s",
                  acre_message());
    acre_gauge_close(file);
    return true;
}

START_TEST(headers_and_checksums)
{
    static const struct {
        const char *name, *format;
        acre_word word;
        int time_extent;
        acre_check check;
        uint32_t computed[2];
    } rows[] = {
        {"t_nersc.cfg", "NERSC", ACRE_FLOAT, 4, ACRE_CHECK_OK, {0x717938df, 0}},
        {"t_dprec_ildg.lime", "ILDG", ACRE_DOUBLE, 4, ACRE_CHECK_OK, {0xe6ca40a6, 0x59cdeef1}},
        {"unity.lime", "ILDG", ACRE_DOUBLE, 4, ACRE_CHECK_OK, {0x35b49a1b, 0xb49a1b35}},
        {"lat.sample.l4444", "MILC v5", ACRE_FLOAT, 4, ACRE_CHECK_OK, {0x02352c05, 0xd137321d}},
        {"lat.sample.l4444.ildg", "ILDG", ACRE_FLOAT, 4, ACRE_CHECK_OK, {0x37affb9c, 0x2fc07bbf}},
        {"lat.sample.l4444.scidac", "SciDAC", ACRE_FLOAT, 4, ACRE_CHECK_OK, {0x37affb9c, 0x2fc07bbf}},
        {"lat.sample.l4448", "MILC v5", ACRE_FLOAT, 8, ACRE_CHECK_OK, {0x13f3b413, 0x161f7dde}},
        {"lat.sample.l4448.foreign", "ILDG", ACRE_FLOAT, 8, ACRE_CHECK_ABSENT, {0, 0}},
        {"lat.sample.inst", "MILC v1-4", ACRE_FLOAT, 4, ACRE_CHECK_ABSENT, {0, 0}},
        {"lat.sample.5p7", "MILC v5", ACRE_FLOAT, 8, ACRE_CHECK_MISMATCH, {0, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        struct read read;
        if (!read_sample(rows[i].name, acre_format_of(ACRE_SITE_FAST), &read))
            continue;
        ck_assert_str_eq(read.header.format, rows[i].format);
        ck_assert_int_eq(read.header.word, rows[i].word);
        ck_assert_int_eq(read.header.colours, 3);
        for (int mu = 0; mu < 4; ++mu)
            ck_assert_int_eq(read.header.extents[mu], mu == 3 ? rows[i].time_extent : 4);
        ck_assert_msg(read.check == rows[i].check, "%s: %s, %08x %08x", rows[i].name,
                      acre_check_name(read.check), read.computed[0], read.computed[1]);
        if (rows[i].check == ACRE_CHECK_OK) {
            ck_assert_uint_eq(read.computed[0], rows[i].computed[0]);
            ck_assert_uint_eq(read.computed[1], rows[i].computed[1]);
        }
        acre_fields_destroy(read.u);
    }
}
END_TEST

START_TEST(one_field_in_three_containers_has_the_same_bits)
{
    static const char *const names[3] = {"lat.sample.l4444", "lat.sample.l4444.ildg",
                                         "lat.sample.l4444.scidac"};
    enum { NUMBERS = 256 * 18 };
    static double first[4 * NUMBERS], other[4 * NUMBERS];
    for (int i = 0; i < 3; ++i) {
        struct read read;
        if (!read_sample(names[i], acre_format_of(i & 1 ? ACRE_SITE_SLOW : ACRE_SITE_FAST), &read))
            return;
        double *numbers = i ? other : first;
        for (size_t mu = 0; mu < 4; ++mu)
            ck_assert_int_eq(acre_field_export(acre_fields_at(read.u, mu), numbers + mu * NUMBERS,
                                               NUMBERS * sizeof(double)),
                             ACRE_OK);
        ck_assert(i == 0 || memcmp(first, other, sizeof first) == 0);
        acre_fields_destroy(read.u);
    }
}
END_TEST

START_TEST(a_checksum_that_is_known_to_be_wrong)
{
    struct read read;
    if (!read_sample("lat.sample.5p7", acre_format_of(ACRE_SITE_SLOW), &read))
        return;
    ck_assert_uint_eq(read.header.checksum[0], 0x2e218ab1);
    ck_assert_uint_eq(read.header.checksum[1], 0x2d188e6b);
    ck_assert(read.computed[0] != read.header.checksum[0] && read.computed[1] != read.header.checksum[1]);
    acre_fields_destroy(read.u);
}
END_TEST

/* Observables, to a tolerance; a NaN is not compared. MILC prints sums of three. */
static const struct {
    const char *name;
    acre_storage storage;
    double plaquette, spatial, temporal, link_trace, tolerance;
} values[] = {
    {"lat.sample.l4444", ACRE_NATIVE, 0.5948501589471508, 0.5982250520253910, 0.5914752658689106,
     0.64675873741896339, 1e-14},
    {"lat.sample.l4444.ildg", ACRE_NATIVE, 0.5948501589471508, 0.5982250520253910, 0.5914752658689106,
     0.64675873741896339, 1e-14},
    {"lat.sample.l4444.scidac", ACRE_NATIVE, 0.5948501589471508, 0.5982250520253910, 0.5914752658689106,
     0.64675873741896339, 1e-14},
    {"lat.sample.l4444", ACRE_HALF, 0.5948479756104693, (double)NAN, (double)NAN, (double)NAN, 1e-15},
    {"lat.sample.l4448", ACRE_NATIVE, (double)NAN, 1.7237482807974562 / 3, 1.6905860654166089 / 3,
     0.069216590060585517, 1e-14},
    {"lat.sample.inst", ACRE_NATIVE, (double)NAN, 2.9730278122732781 / 3, 2.9730278122732781 / 3, (double)NAN,
     1e-14},
    {"t_nersc.cfg", ACRE_NATIVE, 0.0382422893, (double)NAN, (double)NAN, 0.4630322094, 1e-9},
    {"t_dprec_ildg.lime", ACRE_NATIVE, 0.0382422893, (double)NAN, (double)NAN, 0.4630322094, 1e-9},
    {"unity.lime", ACRE_NATIVE, 1, 1, 1, 1, 0},
};

static void compare(const char *name, const char *what, double got, double want, double tolerance)
{
    ck_assert_msg(isnan(want) || fabs(got - want) <= tolerance, "%s of %s: %.17g, not %.17g", what, name, got,
                  want);
}

START_TEST(observables_are_those_that_owners_print)
{
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
        struct read read;
        acre_gauge_observables got;
        acre_format format = {ACRE_SITE_FAST, values[i].storage};
        if (!read_sample(values[i].name, format, &read))
            continue;
        ck_assert_msg(acre_gauge_measure(read.u, &got) == ACRE_OK, "%s", acre_message());
        compare(values[i].name, "plaquette", got.plaquette, values[i].plaquette, values[i].tolerance);
        compare(values[i].name, "spatial plaquette", got.plaquette_spatial, values[i].spatial,
                values[i].tolerance);
        compare(values[i].name, "temporal plaquette", got.plaquette_temporal, values[i].temporal,
                values[i].tolerance);
        compare(values[i].name, "link trace", got.link_trace, values[i].link_trace, values[i].tolerance);
        bool has_checks = strcmp(read.header.format, "NERSC") == 0;
        acre_check want = has_checks ? ACRE_CHECK_OK : ACRE_CHECK_ABSENT;
        ck_assert_int_eq(acre_gauge_check_plaquette(&read.header, got.plaquette), want);
        ck_assert_int_eq(acre_gauge_check_link_trace(&read.header, got.link_trace), want);
        acre_fields_destroy(read.u);
    }
}
END_TEST

Suite *acre_suite_gauge_samples(void)
{
    Suite *suite = suite_create("gauge_samples");
    TCase *files = tcase_create("files");
    tcase_add_checked_fixture(files, context_set_up, context_tear_down);
    tcase_add_test(files, headers_and_checksums);
    tcase_add_test(files, one_field_in_three_containers_has_the_same_bits);
    tcase_add_test(files, a_checksum_that_is_known_to_be_wrong);
    tcase_add_test(files, observables_are_those_that_owners_print);
    suite_add_tcase(suite, files);
    return suite;
}
