/* tests/test_gauge_write.c: observables of gauge configurations, and writing them as NERSC archives. */
#include <check.h>
#include <complex.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "acre/gauge.h"
#include "fixture.h"
#include "gauge_files.h"

Suite *acre_suite_gauge_write(void);

static void teardown(void)
{
    context_tear_down();
    scratch_remove();
}

/* How a configuration is held. */
struct holding {
    int dimension;
    int64_t extents[4];
    acre_site_order sites;
    uint16_t colours;
    acre_word word;
    acre_format format;
};
static const struct holding plain = {4, {4, 2, 2, 6}, ACRE_SITES_CHECKERBOARD,
                                     3, ACRE_DOUBLE,  {ACRE_SITE_FAST, ACRE_NATIVE}};

static acre_fields *make_fields(const struct holding *how)
{
    acre_lattice *lattice;
    acre_fields *u;
    expect_ok(acre_lattice_create(context, how->dimension, how->extents, how->sites, &lattice));
    expect_ok(acre_fields_create(lattice, acre_site_type_sized(acre_colour_matrix(how->word), 1, how->colours),
                                 how->format, (size_t)how->dimension, "u", &u));
    acre_lattice_destroy(lattice);
    return u;
}

static size_t field_numbers(const acre_fields *u)
{
    const acre_field *field = acre_fields_at(u, 0);
    return (size_t)acre_lattice_sites(acre_field_lattice(field)) *
           acre_site_type_components(acre_field_type(field));
}

/* Give every field the numbers that next(state, component) makes. */
static void fill(acre_fields *u, double (*next)(uint64_t *state, size_t component), uint64_t seed)
{
    acre_site_type type = acre_field_type(acre_fields_at(u, 0));
    size_t numbers = field_numbers(u), components = acre_site_type_components(type);
    size_t bytes = numbers * acre_word_bytes(type.word);
    void *buffer = malloc(bytes);
    for (size_t mu = 0; mu < acre_fields_count(u); ++mu) {
        for (size_t i = 0; i < numbers; ++i)
            if (type.word == ACRE_DOUBLE)
                ((double *)buffer)[i] = next(&seed, i % components);
            else
                ((float *)buffer)[i] = (float)next(&seed, i % components);
        expect_ok(acre_field_import(acre_fields_at(u, mu), buffer, bytes));
    }
    free(buffer);
}

static double random_number(uint64_t *state, size_t component)
{
    (void)component;
    return (double)(int64_t)random_next(state) / 9223372036854775808.0;
}

static double unit_of_three(uint64_t *state, size_t component)
{
    (void)state;
    return component % 8 == 0 ? 1.0 : 0.0;
}

static double unit_of_two(uint64_t *state, size_t component)
{
    (void)state;
    return component == 0 || component == 6 ? 1.0 : 0.0;
}

static acre_fields *make_random(const struct holding *how)
{
    acre_fields *u = make_fields(how);
    fill(u, random_number, 42);
    return u;
}

START_TEST(unit_links_have_plaquette_one)
{
    for (int i = 0; i < 8; ++i) {
        struct holding how = {2 + i % 3,
                              {3, 5, 4, 7},
                              ACRE_SITES_LEXICOGRAPHIC,
                              i & 1 ? 2 : 3,
                              i & 2 ? ACRE_FLOAT : ACRE_DOUBLE,
                              {i & 4 ? ACRE_SITE_SLOW : ACRE_SITE_FAST, ACRE_HALF}};
        acre_gauge_observables observables;
        acre_fields *u = make_fields(&how);
        fill(u, how.colours == 3 ? unit_of_three : unit_of_two, 0);
        expect_ok(acre_gauge_measure(u, &observables));
        ck_assert_double_eq(observables.plaquette, 1.0);
        ck_assert_double_eq(observables.plaquette_spatial, how.dimension == 2 ? 0.0 : 1.0);
        ck_assert_double_eq(observables.plaquette_temporal, 1.0);
        ck_assert_double_eq(observables.link_trace, 1.0);
        acre_fields_destroy(u);
    }
}
END_TEST

static const double complex *link_at(const double complex *links, const int64_t *extents, int mu,
                                     const int64_t *x)
{
    int64_t index = 0, sites = 1;
    for (int nu = 3; nu >= 0; --nu) {
        index = index * extents[nu] + (x[nu] + extents[nu]) % extents[nu];
        sites *= extents[nu];
    }
    return links + ((int64_t)mu * sites + index) * 9;
}

/* Re Tr of a b c^+ d^+. */
static double plaquette_of(const double complex *a, const double complex *b, const double complex *c,
                           const double complex *d)
{
    double complex sum = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l)
                    sum += a[3 * i + j] * b[3 * j + k] * conj(c[3 * l + k]) * conj(d[3 * i + l]);
    return creal(sum);
}

/* The averages by their definition, site after site. */
static acre_gauge_observables measure_plainly(const double complex *links, const int64_t *e)
{
    double sites = (double)(e[0] * e[1] * e[2] * e[3]), spatial = 0, temporal = 0, trace = 0;
    int64_t x[4];
    for (x[3] = 0; x[3] < e[3]; ++x[3])
        for (x[2] = 0; x[2] < e[2]; ++x[2])
            for (x[1] = 0; x[1] < e[1]; ++x[1])
                for (x[0] = 0; x[0] < e[0]; ++x[0])
                    for (int mu = 0; mu < 4; ++mu) {
                        const double complex *here = link_at(links, e, mu, x);
                        trace += creal(here[0] + here[4] + here[8]);
                        for (int nu = mu + 1; nu < 4; ++nu) {
                            int64_t xm[4], xn[4];
                            memcpy(xm, x, sizeof x);
                            memcpy(xn, x, sizeof x);
                            ++xm[mu];
                            ++xn[nu];
                            *(nu == 3 ? &temporal : &spatial) +=
                                plaquette_of(here, link_at(links, e, nu, xm), link_at(links, e, mu, xn),
                                             link_at(links, e, nu, x));
                        }
                    }
    acre_gauge_observables result = {(spatial + temporal) / (18 * sites), spatial / (9 * sites),
                                     temporal / (9 * sites), trace / (12 * sites)};
    return result;
}

START_TEST(observables_are_what_they_are_defined_as)
{
    struct holding how = plain;
    how.extents[1] = 3;
    how.sites = ACRE_SITES_LEXICOGRAPHIC;
    acre_fields *u = make_random(&how);
    size_t bytes = field_numbers(u) * sizeof(double);
    double complex *links = malloc(4 * bytes);
    for (size_t mu = 0; mu < 4; ++mu)
        expect_ok(acre_field_export(acre_fields_at(u, mu), (char *)links + mu * bytes, bytes));
    acre_gauge_observables want = measure_plainly(links, how.extents), got;
    expect_ok(acre_gauge_measure(u, &got));
    ck_assert_double_eq_tol(got.plaquette, want.plaquette, 1e-14);
    ck_assert_double_eq_tol(got.plaquette_spatial, want.plaquette_spatial, 1e-14);
    ck_assert_double_eq_tol(got.plaquette_temporal, want.plaquette_temporal, 1e-14);
    ck_assert_double_eq_tol(got.link_trace, want.link_trace, 1e-14);
    free(links);
    acre_fields_destroy(u);
}
END_TEST

START_TEST(observables_have_the_same_bits_in_every_order)
{
    for (int storage = 0; storage < 2; ++storage) {
        acre_gauge_observables first, other;
        for (int i = 0; i < 4; ++i) {
            struct holding how = plain;
            how.format.order = i & 1 ? ACRE_SITE_SLOW : ACRE_SITE_FAST;
            how.format.storage = storage ? ACRE_HALF : ACRE_NATIVE;
            how.sites = i & 2 ? ACRE_SITES_LEXICOGRAPHIC : ACRE_SITES_CHECKERBOARD;
            acre_fields *u = make_random(&how);
            expect_ok(acre_gauge_measure(u, i ? &other : &first));
            ck_assert(i == 0 || memcmp(&first, &other, sizeof first) == 0);
            acre_fields_destroy(u);
        }
    }
}
END_TEST

START_TEST(what_can_not_be_measured)
{
    acre_gauge_observables observables;
    struct holding how = plain;
    ck_assert_int_eq(acre_gauge_measure(NULL, &observables), ACRE_ERR_ARGUMENT);
    acre_fields *u = make_fields(&how);
    ck_assert_int_eq(acre_gauge_measure(u, &observables), ACRE_ERR_UNDEFINED);
    ck_assert_int_eq(acre_gauge_measure(u, NULL), ACRE_ERR_ARGUMENT);
    acre_fields_destroy(u);
    how.dimension = 1;
    u = make_random(&how);
    ck_assert_int_eq(acre_gauge_measure(u, &observables), ACRE_ERR_ARGUMENT);
    ck_assert_msg(strstr(acre_message(), "no plaquette") != NULL, "%s", acre_message());
    acre_fields_destroy(u);
}
END_TEST

static void expect_same_bits(const acre_fields *a, const acre_fields *b)
{
    size_t bytes = field_numbers(a) * acre_word_bytes(acre_field_type(acre_fields_at(a, 0)).word);
    char *one = malloc(bytes), *two = malloc(bytes);
    for (size_t mu = 0; mu < 4; ++mu) {
        expect_ok(acre_field_export(acre_fields_at(a, mu), one, bytes));
        expect_ok(acre_field_export(acre_fields_at(b, mu), two, bytes));
        ck_assert(memcmp(one, two, bytes) == 0);
    }
    free(one);
    free(two);
}

/* Numbers that conversions would change. */
static double odd_number(uint64_t *state, size_t component)
{
    return component == 3   ? -0.0
           : component == 4 ? 1e-41
           : component == 5 ? 6e-8
                            : random_number(state, component);
}

START_TEST(reading_what_was_written_gives_the_same_bits)
{
    for (int i = 0; i < 8; ++i) {
        struct holding how = plain;
        how.word = i & 1 ? ACRE_DOUBLE : ACRE_FLOAT;
        how.format.storage = i & 2 ? ACRE_HALF : ACRE_NATIVE;
        how.format.order = i & 4 ? ACRE_SITE_SLOW : ACRE_SITE_FAST;
        acre_fields *u = make_fields(&how), *v = make_fields(&how), *wide = make_fields(&plain);
        acre_gauge_observables observables;
        acre_gauge_file *file;
        acre_check check;
        fill(u, odd_number, 5);
        expect_ok(acre_gauge_write_nersc(u, scratch_path("trip"), NULL, NULL));
        expect_ok(acre_gauge_open(scratch_path("trip"), &file));
        const acre_gauge_header *header = acre_gauge_file_header(file);
        ck_assert_str_eq(header->format, "NERSC");
        ck_assert_int_eq(header->word, how.word);
        expect_ok(acre_gauge_read(file, v, &check, NULL, NULL, NULL));
        ck_assert_int_eq(check, ACRE_CHECK_OK);
        expect_same_bits(u, v);
        expect_ok(acre_gauge_read(file, wide, &check, NULL, NULL, NULL));
        expect_ok(acre_gauge_measure(wide, &observables)); /* in double, as the writer did */
        ck_assert_double_eq(header->plaquette, observables.plaquette);
        ck_assert_double_eq(header->link_trace, observables.link_trace);
        ck_assert_int_eq(acre_gauge_check_plaquette(header, observables.plaquette), ACRE_CHECK_OK);
        acre_gauge_close(file);
        acre_fields_destroy(u);
        acre_fields_destroy(v);
        acre_fields_destroy(wide);
    }
    ck_assert_int_eq(scratch_count(), 1);
}
END_TEST

START_TEST(the_same_links_give_the_same_file)
{
    struct bytes first = {0}, other = {0};
    for (int i = 0; i < 4; ++i) {
        struct holding how = plain;
        how.format.order = i & 1 ? ACRE_SITE_SLOW : ACRE_SITE_FAST;
        how.sites = i & 2 ? ACRE_SITES_LEXICOGRAPHIC : ACRE_SITES_CHECKERBOARD;
        acre_fields *u = make_random(&how);
        expect_ok(acre_gauge_write_nersc(u, scratch_path("same"), NULL, NULL));
        scratch_read(scratch_path("same"), i ? &other : &first);
        ck_assert(i == 0 || (other.size == first.size && memcmp(first.data, other.data, first.size) == 0));
        acre_fields_destroy(u);
    }
    bytes_clear(&first);
    bytes_clear(&other);
}
END_TEST

START_TEST(the_header_is_the_usual_one)
{
    static const char begin[] =
        "BEGIN_HEADER\nHDR_VERSION = 1.0\nDATATYPE = 4D_SU3_GAUGE_3x3\nSTORAGE_FORMAT = 1.0\nDIMENSION_1 = 4\n"
        "DIMENSION_2 = 2\nDIMENSION_3 = 2\nDIMENSION_4 = 6\nLINK_TRACE = 1\nPLAQUETTE = 1\nBOUNDARY_1 = "
        "PERIODIC\n";
    struct bytes bytes = {0};
    char checksum[32];
    acre_fields *u = make_fields(&plain);
    fill(u, unit_of_three, 0);
    expect_ok(acre_gauge_write_nersc(u, scratch_path("unit"), NULL, NULL));
    scratch_read(scratch_path("unit"), &bytes);
    ck_assert(bytes.size > sizeof begin && memcmp(bytes.data, begin, sizeof begin - 1) == 0);
    size_t payload = 4 * 96 * 18 * 8, header = bytes.size - payload;
    snprintf(checksum, sizeof checksum, "\nCHECKSUM = %08x\n",
             plain_nersc_sum(bytes.data + header, payload, true));
    static const char end[] = "\nFLOATING_POINT = IEEE64BIG\nEND_HEADER\n";
    ck_assert(memcmp(bytes.data + header - (sizeof end - 1), end, sizeof end - 1) == 0);
    bytes.data[header - 1] = '\0';
    ck_assert_ptr_nonnull(strstr((const char *)bytes.data, checksum));
    ck_assert(memcmp(bytes.data + header, "\x3f\xf0\0\0\0\0\0\0", 8) == 0);
    acre_fields_destroy(u);
    bytes_clear(&bytes);
}
END_TEST

START_TEST(progress_goes_from_nothing_to_all)
{
    uint64_t seen[3] = {0, 0, 0};
    struct holding how = plain;
    how.extents[0] = how.extents[1] = how.extents[2] = 8; /* more than one slab */
    acre_fields *u = make_random(&how);
    expect_ok(acre_gauge_write_nersc(u, scratch_path("progress"), note_progress, seen));
    ck_assert_uint_eq(seen[0], 3072 * 576);
    ck_assert_uint_eq(seen[1], 3072 * 576);
    acre_fields_destroy(u);
}
END_TEST

/* Writing fails with the status and the word, and the folder is as before. */
static void expect_failure(const acre_fields *u, const char *path, acre_status status, const char *word)
{
    int entries = scratch_count();
    ck_assert_str_eq(acre_status_name(acre_gauge_write_nersc(u, path, NULL, NULL)), acre_status_name(status));
    ck_assert_msg(strstr(acre_message(), word) && !strchr(acre_message(), '\n'), "%s", acre_message());
    ck_assert_int_eq(scratch_count(), entries);
}

START_TEST(an_old_file_is_replaced)
{
    struct bytes bytes = {0};
    struct stat information;
    bytes_print(&bytes, "old");
    scratch_write(scratch_path("old"), &bytes);
    acre_fields *u = make_random(&plain);
    ck_assert_int_eq(chmod(scratch_path("old"), 0604), 0); /* a mode is passed on */
    expect_ok(acre_gauge_write_nersc(u, scratch_path("old"), NULL, NULL));
    ck_assert_int_eq(stat(scratch_path("old"), &information), 0);
    ck_assert_int_gt(information.st_size, 4 * 96 * 18 * 8);
    ck_assert_int_eq(information.st_mode & 0777, 0604);
    ck_assert_int_eq(scratch_count(), 1);
    acre_fields_destroy(u);
    bytes_clear(&bytes);
}
END_TEST

START_TEST(a_new_file_has_the_mode_that_the_umask_leaves)
{
    struct stat information;
    acre_fields *u = make_random(&plain);
    mode_t before = umask(027);
    expect_ok(acre_gauge_write_nersc(u, scratch_path("new"), NULL, NULL));
    umask(before);
    ck_assert_int_eq(stat(scratch_path("new"), &information), 0);
    ck_assert_int_eq(information.st_mode & 0777, 0640);
    acre_fields_destroy(u);
}
END_TEST

START_TEST(a_symbolic_link_keeps_leading_to_its_file)
{
    struct stat information;
    acre_fields *u = make_random(&plain);
    expect_ok(acre_gauge_write_nersc(u, scratch_path("target"), NULL, NULL));
    ck_assert_int_eq(symlink("target", scratch_path("link")), 0);
    expect_ok(acre_gauge_write_nersc(u, scratch_path("link"), NULL, NULL));
    ck_assert_int_eq(lstat(scratch_path("link"), &information), 0);
    ck_assert(S_ISLNK(information.st_mode));
    ck_assert_int_eq(symlink("nowhere", scratch_path("dangling")), 0);
    expect_failure(u, scratch_path("dangling"), ACRE_ERR_FILE, "leads nowhere");
    acre_fields_destroy(u);
}
END_TEST

START_TEST(the_longest_legal_name_can_be_written)
{
    char name[256];
    acre_fields *u = make_random(&plain);
    memset(name, 'z', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    expect_ok(acre_gauge_write_nersc(u, scratch_path(name), NULL, NULL));
    acre_fields_destroy(u);
}
END_TEST

START_TEST(where_nothing_can_be_written)
{
    acre_fields *u = make_random(&plain);
    expect_failure(u, scratch_path("no/such/folder"), ACRE_ERR_FILE, "No such file");
    ck_assert_int_eq(mkdir(scratch_path("folder"), 0700), 0);
    expect_failure(u, scratch_path("folder"), ACRE_ERR_FILE, "not a regular file");
    ck_assert_int_eq(mkfifo(scratch_path("fifo"), 0600), 0);
    expect_failure(u, scratch_path("fifo"), ACRE_ERR_FILE, "not a regular file");
    expect_failure(u, "", ACRE_ERR_FILE, "can't");
    ck_assert_int_eq(acre_gauge_write_nersc(u, NULL, NULL, NULL), ACRE_ERR_ARGUMENT);
    acre_fields_destroy(u);
}
END_TEST

START_TEST(a_disk_that_fills_leaves_the_old_file)
{
    struct bytes bytes = {0};
    struct rlimit before, little;
    bytes_print(&bytes, "old");
    scratch_write(scratch_path("old"), &bytes);
    acre_fields *u = make_random(&plain);
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    little = before;
    little.rlim_cur = 20000;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &little), 0);
    expect_failure(u, scratch_path("old"), ACRE_ERR_FILE, "File too large");
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    scratch_read(scratch_path("old"), &bytes);
    ck_assert(bytes.size == 3 && memcmp(bytes.data, "old", 3) == 0);
    acre_fields_destroy(u);
    bytes_clear(&bytes);
}
END_TEST

START_TEST(fields_that_can_not_be_written)
{
    struct holding how = plain;
    scratch_path("any");
    acre_fields *u = make_fields(&how);
    expect_failure(u, scratch_path("any"), ACRE_ERR_UNDEFINED, "u[");
    acre_fields_destroy(u);
    how.colours = 2;
    u = make_random(&how);
    expect_failure(u, scratch_path("any"), ACRE_ERR_ARGUMENT, "SU(2) in 4 dimensions");
    acre_fields_destroy(u);
    how.colours = 3;
    how.dimension = 3;
    u = make_random(&how);
    expect_failure(u, scratch_path("any"), ACRE_ERR_ARGUMENT, "SU(3) in 3 dimensions");
    acre_fields_destroy(u);
    expect_failure(NULL, scratch_path("any"), ACRE_ERR_ARGUMENT, "no link fields");
}
END_TEST

Suite *acre_suite_gauge_write(void)
{
    Suite *suite = suite_create("gauge_write");
    TCase *measure = tcase_create("measure");
    tcase_add_checked_fixture(measure, context_set_up, teardown);
    tcase_add_test(measure, unit_links_have_plaquette_one);
    tcase_add_test(measure, observables_are_what_they_are_defined_as);
    tcase_add_test(measure, observables_have_the_same_bits_in_every_order);
    tcase_add_test(measure, what_can_not_be_measured);
    suite_add_tcase(suite, measure);
    TCase *write = tcase_create("write");
    tcase_add_checked_fixture(write, context_set_up, teardown);
    tcase_add_test(write, reading_what_was_written_gives_the_same_bits);
    tcase_add_test(write, the_same_links_give_the_same_file);
    tcase_add_test(write, the_header_is_the_usual_one);
    tcase_add_test(write, progress_goes_from_nothing_to_all);
    tcase_add_test(write, an_old_file_is_replaced);
    tcase_add_test(write, a_new_file_has_the_mode_that_the_umask_leaves);
    tcase_add_test(write, a_symbolic_link_keeps_leading_to_its_file);
    tcase_add_test(write, the_longest_legal_name_can_be_written);
    tcase_add_test(write, where_nothing_can_be_written);
    tcase_add_test(write, a_disk_that_fills_leaves_the_old_file);
    tcase_add_test(write, fields_that_can_not_be_written);
    suite_add_tcase(suite, write);
    return suite;
}
