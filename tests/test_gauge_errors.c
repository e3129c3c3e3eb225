/* tests/test_gauge_errors.c: gauge files that can't be read give one clear line, whatever is wrong with them.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "acre/gauge.h"
#include "fixture.h"
#include "gauge_files.h"

Suite *acre_suite_gauge_errors(void);

static void teardown(void)
{
    context_tear_down();
    scratch_remove();
}

static const struct gauge_shape small = {{2, 2, 2, 4}, 3, 3, ACRE_FLOAT, true, 1};

/* Opening fails with this status and one line that has the path and each of the words. */
static void expect_failure(const char *path, acre_status status, const char *const words[], size_t count)
{
    acre_gauge_file *file = (acre_gauge_file *)&small;
    ck_assert_str_eq(acre_status_name(acre_gauge_open(path, &file)), acre_status_name(status));
    ck_assert_ptr_null(file);
    ck_assert_msg(!strchr(acre_message(), '\n') && strstr(acre_message(), path), "%s", acre_message());
    for (size_t i = 0; i < count; ++i)
        ck_assert_msg(strstr(acre_message(), words[i]) != NULL, "'%s' is not in: %s", words[i], acre_message());
}
#define EXPECT_FAILURE(path, status, ...)                                                                      \
    expect_failure(path, status, (const char *const[]){__VA_ARGS__},                                           \
                   sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))
#define EXPECT_BAD(bytes, ...)                                                                                 \
    (scratch_write(scratch_path("bad"), bytes),                                                                \
     EXPECT_FAILURE(scratch_path("bad"), ACRE_ERR_FILE_FORMAT, __VA_ARGS__))

START_TEST(what_is_no_regular_file)
{
    const char *path = scratch_path("fifo");
    EXPECT_FAILURE(path, ACRE_ERR_FILE, "No such file");
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    EXPECT_FAILURE(path, ACRE_ERR_FILE, "not a regular file", "FIFO");
    EXPECT_FAILURE("/", ACRE_ERR_FILE, "a directory");
    EXPECT_FAILURE("/dev/null", ACRE_ERR_FILE, "a character device");
    ck_assert_int_eq(acre_gauge_open(NULL, NULL), ACRE_ERR_ARGUMENT);
}
END_TEST

START_TEST(what_may_not_be_read)
{
    struct bytes bytes = {0};
    const char *path = scratch_path("closed");
    make_nersc(&bytes, &small);
    scratch_write(path, &bytes);
    bytes_clear(&bytes);
    ck_assert_int_eq(chmod(path, 0), 0);
    if (access(path, R_OK) != 0) /* root may read everything */
        EXPECT_FAILURE(path, ACRE_ERR_FILE, "Permission denied");
}
END_TEST

START_TEST(what_is_no_gauge_file)
{
    static const char *const texts[] = {"A", "\x12\x34\x56", "BEGIN_HEADE",
                                        "hello, world, this is no gauge file", "BEGIN_HEADERX\n"};
    static const char *const firsts[] = {"first bytes 41", "first bytes 12 34 56", "42 45 47",
                                         "first bytes 68 65 6c 6c 6f 2c 20 77 6f 72 6c 64", "45 52 58"};
    struct bytes bytes = {0};
    EXPECT_BAD(&bytes, "empty");
    for (int i = 0; i < 5; ++i) {
        bytes.size = 0;
        bytes_put(&bytes, texts[i], strlen(texts[i]));
        EXPECT_BAD(&bytes, "not a gauge file that acre knows", firsts[i]);
    }
    bytes_clear(&bytes);
}
END_TEST

typedef void maker(struct bytes *bytes, const struct gauge_shape *shape);

START_TEST(one_byte_less_or_more)
{
    static const struct {
        maker *make;
        const char *less, *more;
    } rows[] = {
        {make_nersc, "has 9215 after its header", "has 9217 after its header"},
        {make_milc, "has 9215 after its header", "has 9217 after its header"},
        {make_old_milc, "has 9215 after its header", "has 9217 after its header"},
    };
    for (int i = 0; i < 3; ++i) {
        struct bytes bytes = {0};
        rows[i].make(&bytes, &small);
        --bytes.size;
        EXPECT_BAD(&bytes, "2x2x2x4 links of SU(3) in float take 9216 bytes, the file", rows[i].less);
        ++bytes.size;
        bytes_put(&bytes, "", 1);
        EXPECT_BAD(&bytes, rows[i].more);
        bytes_clear(&bytes);
    }
    struct bytes bytes = {0};
    make_ildg(&bytes, &small);
    bytes.size -= 8;
    EXPECT_BAD(&bytes, "scidac-checksum", "bytes");
    bytes.size += 8;
    bytes_put(&bytes, "", 1);
    EXPECT_BAD(&bytes, "1 bytes left at byte", "144");
    bytes_clear(&bytes);
}
END_TEST

START_TEST(su2_announced_as_su3)
{
    struct bytes bytes = {0};
    struct gauge_shape two = small;
    two.colours = two.rows = 2;
    bytes_print(&bytes, "BEGIN_HEADER\nDATATYPE = 4D_SU3_GAUGE\nDIMENSION_1 = 2\nDIMENSION_2 = 2\n"
                        "DIMENSION_3 = 2\nDIMENSION_4 = 4\nEND_HEADER\n");
    put_payload(&bytes, &two);
    EXPECT_BAD(&bytes, "SU(3) in float, 2 rows, take 6144 bytes", "4096 after its header");
    bytes.size = 0;
    put_ildg_format(&bytes, &small);
    put_data(&bytes, "ildg-binary-data", &two);
    EXPECT_BAD(&bytes, "SU(3) in float take 9216 bytes", "4096 in its record ildg-binary-data");
    bytes_clear(&bytes);
}
END_TEST

START_TEST(nersc_headers_that_are_wrong)
{
    static const char good[] = "DATATYPE = 4D_SU3_GAUGE\nDIMENSION_1 = 4\nDIMENSION_2 = 4\nDIMENSION_3 = 4\n"
                               "DIMENSION_4 = 4\n";
    static const struct {
        const char *first, *word; /* lines before the good ones win */
    } rows[] = {
        {"DATATYPE = 4D_SU2_GAUGE\n", "only SU(3)"},
        {"DATATYPE = 4D_SU9_GAUGE_9x9\n", "1 to 8 colours"},
        {"DATATYPE = 4D_SU0_GAUGE_0x0\n", "1 to 8 colours"},
        {"DATATYPE = 4D_SU3_GAUGE_2x2\n", "4D_SU3_GAUGE_2x2"},
        {"DATATYPE = 4D_SU3_GAUGE_3x3x\n", "4D_SU3_GAUGE_3x3x"},
        {"DATATYPE = 4D_SU_GAUGE\n", "4D_SU_GAUGE"},
        {"DATATYPE = 4D_SU99999999999999999999_GAUGE\n", "4D_SU9999"},
        {"DATATYPE = 3D_SU3_GAUGE\n", "3D_SU3_GAUGE"},
        {"DATATYPE =\n", "''"},
        {"DIMENSION_2 = -4\n", "DIMENSION_2 = '-4'"},
        {"DIMENSION_3 = 0\n", "DIMENSION_3 = '0'"},
        {"DIMENSION_4 = 99999999999999999999\n", "DIMENSION_4 = '99999999999999999999'"},
        {"DIMENSION_4 = 4.5\n", "DIMENSION_4 = '4.5'"},
        {"DIMENSION_1 = 9223372036854775807\n", "more than 2^63 bytes"},
        {"DIMENSION_1 = 2000000000000\n", "2000000000000x4x4x4"},
        {"FLOATING_POINT = VAX\n", "VAX"},
        {"CHECKSUM = zz\n", "zz"},
        {"CHECKSUM = 123456789\n", "123456789"},
        {"PLAQUETTE = big\n", "big"},
        {"LINK_TRACE = 0,5\n", "0,5"},
    };
    struct bytes bytes = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        bytes.size = 0;
        bytes_print(&bytes, "BEGIN_HEADER\n%s%sEND_HEADER\n", rows[i].first, good);
        EXPECT_BAD(&bytes, rows[i].word);
    }
    bytes.size = 0;
    bytes_print(&bytes, "BEGIN_HEADER\n%s", good);
    EXPECT_BAD(&bytes, "END_HEADER");
    bytes.size = 0;
    bytes_print(&bytes, "BEGIN_HEADER\nEND_HEADER\n");
    EXPECT_BAD(&bytes, "no DATATYPE");
    bytes.size = 0;
    bytes_print(&bytes,
                "BEGIN_HEADER\nDATATYPE = 4D_SU3_GAUGE\nDIMENSION_1 = 4\nDIMENSION_2 = 4\nEND_HEADER\n");
    EXPECT_BAD(&bytes, "no DIMENSION_3");
    bytes.size = 0;
    bytes_print(&bytes, "BEGIN_HEADER\n");
    while (bytes.size < 70000)
        bytes_print(&bytes, "NOISE = nothing at all\n");
    bytes_print(&bytes, "%sEND_HEADER\n", good);
    EXPECT_BAD(&bytes, "END_HEADER in the first 65536 bytes");
    bytes_clear(&bytes);
}
END_TEST

START_TEST(milc_headers_that_are_wrong)
{
    struct bytes bytes = {0};
    make_milc(&bytes, &small);
    bytes.data[84 + 3] = 1;
    EXPECT_BAD(&bytes, "site order 1", "MILC v5");
    bytes.size = 40;
    EXPECT_BAD(&bytes, "takes 96 bytes", "has 40");
    bytes.size = 0;
    make_old_milc(&bytes, &small);
    memset(bytes.data + 8, 0xff, 4);
    EXPECT_BAD(&bytes, "extent -1 in direction 1", "MILC v1-4");
    memset(bytes.data + 4, 0x7f, 16);
    EXPECT_BAD(&bytes, "2139062143x2139062143", "more than 2^63");
    bytes_clear(&bytes);
}
END_TEST

/* A file of one ildg-format with this XML, and links. */
static void put_ildg_with(struct bytes *bytes, const char *xml)
{
    bytes->size = 0;
    put_text_record(bytes, "ildg-format", xml);
    put_data(bytes, "ildg-binary-data", &small);
}

START_TEST(ildg_records_that_are_wrong)
{
    static const struct {
        const char *xml, *word;
    } rows[] = {
        {"<precision>32</precision><lx>2</lx><ly>2</ly><lt>4</lt>", "no <lz>"},
        {"<lx>2</lx><ly>2</ly><lz>2</lz><lt>4</lt>", "no <precision>"},
        {"<precision>16</precision><lx>2</lx><ly>2</ly><lz>2</lz><lt>4</lt>", "'16'"},
        {"<precision>32</precision><lx>2</lx><ly>-2</ly><lz>2</lz><lt>4</lt>", "<ly> is '-2'"},
        {"<precision>32</precision><lx>2</lx><ly>two</ly><lz>2</lz><lt>4</lt>", "'two'"},
        {"<precision>64</precision><lx>2</lx><ly>2</ly><lz>2</lz><lt>4</lt>", "in double take 18432"},
        {"<field>u1gauge</field><precision>32</precision><lx>2</lx><ly>2</ly><lz>2</lz><lt>4</lt>", "u1gauge"},
        {"<field>su2gauge</field><precision>32</precision><lx>2</lx><ly>2</ly><lz>2</lz><lt>4</lt>", "SU(2)"},
        {"<precision>32</precision><lx>9999999999</lx><ly>9999999999</ly><lz>9</lz><lt>9</lt>",
         "more than 2^63"},
        {"\xff\xfe<<<>", "no <lx>"},
    };
    struct bytes bytes = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        put_ildg_with(&bytes, rows[i].xml);
        EXPECT_BAD(&bytes, rows[i].word);
    }
    bytes.size = 0;
    put_data(&bytes, "ildg-binary-data", &small);
    EXPECT_BAD(&bytes, "ildg-binary-data", "9216", "extents");
    bytes.size = 0;
    put_ildg_format(&bytes, &small);
    EXPECT_BAD(&bytes, "without a gauge field");
    put_data(&bytes, "ildg-binary-data", &small);
    put_text_record(&bytes, "scidac-checksum", "<suma>12</suma><sumb>xyz</sumb>");
    EXPECT_BAD(&bytes, "<sumb> is 'xyz'");
    bytes_clear(&bytes);
}
END_TEST

START_TEST(scidac_records_that_are_wrong)
{
    static const struct {
        const char *file, *record, *word;
    } rows[] = {
        {"<dims>2 2 2 4</dims><volfmt>1</volfmt>", NULL, "<volfmt> is '1'"},
        {"<dims>2 2 2</dims>", NULL, "<dims> is '2 2 2'"},
        {"<dims>2 2 2 4 8</dims>", NULL, "four extents"},
        {"<dims>2 2 -2 4</dims>", NULL, "'2 2 -2 4'"},
        {"<volfmt>0</volfmt>", NULL, "no <dims>"},
        {"<dims>2 2 2 8</dims>", NULL, "2x2x2x8 links of SU(3) in float take 18432"},
        {"<dims>2 2 2 4</dims>",
         "<datatype>QDP_F3_ColorVector</datatype><precision>F</precision><colors>3</colors><typesize>24</"
         "typesize>"
         "<datacount>1</datacount>",
         "QDP_F3_ColorVector"},
        {"<dims>2 2 2 4</dims>",
         "<datatype>QDP_F3_ColorMatrix</datatype><precision>F</precision><colors>3</colors><typesize>72</"
         "typesize>"
         "<datacount>3</datacount>",
         "datacount 3"},
        {"<dims>2 2 2 4</dims>",
         "<globaldata>1</globaldata><precision>F</precision><typesize>72</typesize><datacount>4</datacount>",
         "no gauge field"},
        {"<dims>2 2 2 4</dims>", "<precision>I</precision><typesize>72</typesize><datacount>4</datacount>",
         "precision I"},
        {"<dims>2 2 2 4</dims>",
         "<precision>F</precision><typesize>9223372036854775807</typesize><datacount>4</datacount>",
         "typesize 9223372036854775807"},
        {"<dims>2 2 2 4</dims>",
         "<precision>F</precision><colors>4294967299</colors><typesize>72</typesize><datacount>4</datacount>",
         "colors 4294967299"},
    };
    struct bytes bytes = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        bytes.size = 0;
        put_text_record(&bytes, "scidac-private-file-xml", rows[i].file);
        if (rows[i].record)
            put_text_record(&bytes, "scidac-private-record-xml", rows[i].record);
        else
            put_scidac_description(&bytes, &small);
        put_data(&bytes, "scidac-binary-data", &small);
        EXPECT_BAD(&bytes, rows[i].word);
    }
    struct gauge_shape turned = small;
    turned.extents[0] = 4;
    turned.extents[3] = 2;
    bytes.size = 0;
    put_scidac_file(&bytes, &turned);
    put_ildg_format(&bytes, &small);
    put_data(&bytes, "ildg-binary-data", &small);
    EXPECT_BAD(&bytes, "2x2x2x4", "4x2x2x2");
    bytes_clear(&bytes);
}
END_TEST

START_TEST(lime_records_that_are_wrong)
{
    struct bytes bytes = {0};
    put_ildg_format(&bytes, &small);
    size_t second = bytes.size;
    put_data(&bytes, "ildg-binary-data", &small);
    bytes.data[second + 8] = 0x80; /* a length of more than 2^63 */
    EXPECT_BAD(&bytes, "'ildg-binary-data'", "announces 9223372036854785024 bytes", "9216 left");
    memset(bytes.data + second + 8, 0xff, 8);
    EXPECT_BAD(&bytes, "announces 18446744073709551615 bytes");
    bytes.data[second] = 0;
    EXPECT_BAD(&bytes, "magic 006789ab");
    bytes.size = 0;
    char *large = calloc(1, (1 << 20) + 1);
    put_record(&bytes, "xlf-info", large, (1 << 20) + 1); /* not needed: not read */
    put_record(&bytes, "ildg-format", large, (1 << 20) + 1);
    put_data(&bytes, "ildg-binary-data", &small);
    EXPECT_BAD(&bytes, "'ildg-format' has 1048577 bytes", "1048576");
    free(large);
    bytes.size = 0;
    for (int i = 0; i <= 65536; ++i)
        put_record(&bytes, "nothing", "", 0);
    EXPECT_BAD(&bytes, "more than 65536 LIME records");
    bytes_clear(&bytes);
}
END_TEST

/* XML that costs the square of its length, or more of it than anybody needs: refused soon, never a hang. */
START_TEST(xml_that_would_take_forever)
{
    static const char *const patterns[] = {"<", "<a", "<!--", "<!-->", "</"};
    static const char *const records[] = {"ildg-format", "scidac-private-record-xml",
                                          "scidac-private-file-xml"};
    enum { LARGE = 1 << 20 };
    char *large = malloc(LARGE);
    for (int r = 0; r < 3; ++r)
        for (int p = 0; p < 5; ++p) {
            struct bytes bytes = {0};
            const size_t length = strlen(patterns[p]);
            for (size_t i = 0; i < LARGE; ++i)
                large[i] = patterns[p][i % length];
            put_record(&bytes, records[r], large, LARGE);
            put_data(&bytes, r ? "scidac-binary-data" : "ildg-binary-data", &small);
            EXPECT_BAD(&bytes, "");
            bytes_clear(&bytes);
        }
    struct bytes bytes = {0};
    memset(large, ' ', LARGE);
    for (int i = 0; i < 17; ++i)
        put_record(&bytes, "scidac-private-record-xml", large, LARGE);
    EXPECT_BAD(&bytes, "16777216");
    bytes_clear(&bytes);
    free(large);
}
END_TEST

static acre_fields *make_fields(const int64_t *extents, acre_site_type type, size_t count)
{
    acre_lattice *lattice;
    acre_fields *u;
    acre_format format = {ACRE_SITE_FAST, ACRE_NATIVE};
    ck_assert_int_eq(acre_lattice_create(context, 4, extents, ACRE_SITES_DEFAULT, &lattice), ACRE_OK);
    ck_assert_msg(acre_fields_create(lattice, type, format, count, "u", &u) == ACRE_OK, "%s", acre_message());
    acre_lattice_destroy(lattice);
    return u;
}

START_TEST(fields_that_do_not_fit)
{
    static const int64_t same[4] = {2, 2, 2, 4}, other[4] = {2, 2, 4, 2};
    const struct {
        const int64_t *extents;
        acre_site_type type;
        size_t count;
        const char *word;
    } rows[] = {
        {other, acre_colour_matrix(ACRE_FLOAT), 4, "2x2x4x2, the file"},
        {same, acre_colour_matrix(ACRE_FLOAT), 3, "3 fields"},
        {same, acre_colour_vector(ACRE_FLOAT), 4, "no colour matrices"},
        {same, acre_site_type_sized(acre_colour_matrix(ACRE_DOUBLE), 1, 2), 4, "SU(2)"},
    };
    struct bytes bytes = {0};
    acre_gauge_file *file;
    acre_check check;
    make_milc(&bytes, &small);
    scratch_write(scratch_path("good"), &bytes);
    bytes_clear(&bytes);
    ck_assert_int_eq(acre_gauge_open(scratch_path("good"), &file), ACRE_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        acre_fields *u = make_fields(rows[i].extents, rows[i].type, rows[i].count);
        ck_assert_int_eq(acre_gauge_read(file, u, &check, NULL, NULL, NULL), ACRE_ERR_ARGUMENT);
        ck_assert_msg(strstr(acre_message(), rows[i].word) != NULL, "%s", acre_message());
        acre_fields_destroy(u);
    }
    ck_assert_int_eq(acre_gauge_read(file, NULL, &check, NULL, NULL, NULL), ACRE_ERR_ARGUMENT);
    acre_gauge_close(file);
    acre_gauge_close(NULL);
}
END_TEST

START_TEST(a_file_cut_after_opening_leaves_the_fields_alone)
{
    static const int64_t extents[4] = {2, 2, 2, 4};
    struct bytes bytes = {0};
    acre_gauge_file *file;
    acre_check check;
    acre_fields *u = make_fields(extents, acre_colour_matrix(ACRE_FLOAT), 4);
    const char *path = scratch_path("cut");
    make_milc(&bytes, &small);
    scratch_write(path, &bytes);
    bytes_clear(&bytes);
    ck_assert_int_eq(acre_gauge_open(path, &file), ACRE_OK);
    uint64_t version = acre_array_version(acre_field_array(acre_fields_at(u, 0)));
    ck_assert_int_eq(truncate(path, 5000), 0);
    ck_assert_int_eq(acre_gauge_read(file, u, &check, NULL, NULL, NULL), ACRE_ERR_FILE);
    ck_assert_msg(strstr(acre_message(), "5000") && strstr(acre_message(), "9312"), "%s", acre_message());
    ck_assert_uint_eq(acre_array_version(acre_field_array(acre_fields_at(u, 0))), version);
    acre_gauge_close(file);
    acre_fields_destroy(u);
}
END_TEST

static void cut_file(void *path, uint64_t done, uint64_t total)
{
    (void)total;
    ck_assert_int_eq(truncate(path, (off_t)done), 0);
}

START_TEST(a_file_cut_while_it_is_read_leaves_nothing_half_read)
{
    struct bytes bytes = {0};
    struct gauge_shape shape = {{8, 8, 8, 10}, 3, 3, ACRE_DOUBLE, true, 5}; /* more than one slab */
    static const int64_t extents[4] = {8, 8, 8, 10}, first[4] = {0, 0, 0, 0}, last[4] = {7, 7, 7, 9};
    acre_gauge_file *file;
    acre_check check;
    float link[18];
    char path[512];
    acre_fields *u = make_fields(extents, acre_colour_matrix(ACRE_FLOAT), 4);
    strcpy(path, scratch_path("cut"));
    make_ildg(&bytes, &shape);
    scratch_write(path, &bytes);
    bytes_clear(&bytes);
    ck_assert_int_eq(acre_gauge_open(path, &file), ACRE_OK);
    ck_assert_int_eq(acre_gauge_read(file, u, &check, NULL, cut_file, path), ACRE_ERR_FILE);
    ck_assert_msg(strstr(acre_message(), "ends at byte") != NULL, "%s", acre_message());
    for (size_t mu = 0; mu < 4; ++mu)
        for (int i = 0; i < 2; ++i) {
            ck_assert_int_eq(acre_field_peek_site(acre_fields_at(u, mu), i ? last : first, link, sizeof link),
                             ACRE_OK);
            ck_assert(isnan(link[0]) && isnan(link[17]));
        }
    acre_gauge_close(file);
    acre_fields_destroy(u);
}
END_TEST

START_TEST(fields_in_use_are_left_alone)
{
    static const int64_t extents[4] = {2, 2, 2, 4};
    struct bytes bytes = {0};
    acre_gauge_file *file;
    acre_check check;
    acre_fields *u = make_fields(extents, acre_colour_matrix(ACRE_FLOAT), 4);
    float link[18], zeros[32 * 18] = {0};
    void *address;
    for (size_t mu = 0; mu < 4; ++mu)
        ck_assert_int_eq(acre_field_import(acre_fields_at(u, mu), zeros, sizeof zeros), ACRE_OK);
    make_milc(&bytes, &small);
    scratch_write(scratch_path("good"), &bytes);
    bytes_clear(&bytes);
    ck_assert_int_eq(acre_gauge_open(scratch_path("good"), &file), ACRE_OK);
    acre_array *array = acre_field_array(acre_fields_at(u, 2));
    ck_assert_int_eq(acre_array_acquire(array, ACRE_PLACE_HOST, ACRE_READ, NULL, 0, &address), ACRE_OK);
    ck_assert_int_eq(acre_gauge_read(file, u, &check, NULL, NULL, NULL), ACRE_ERR_CONFLICT);
    ck_assert_int_eq(acre_array_release(array, ACRE_PLACE_HOST, ACRE_READ, NULL, 0), ACRE_OK);
    for (size_t mu = 0; mu < 4; ++mu) {
        ck_assert_int_eq(acre_field_peek_site(acre_fields_at(u, mu), (const int64_t[4]){1, 1, 1, 1}, link,
                                              sizeof link),
                         ACRE_OK);
        ck_assert(memcmp(link, zeros, sizeof link) == 0);
    }
    ck_assert_int_eq(acre_gauge_read(file, u, &check, NULL, NULL, NULL), ACRE_OK);
    acre_gauge_close(file);
    acre_fields_destroy(u);
}
END_TEST

/* Change a file at random: bytes anywhere or in the first few hundred, its end cut off or drawn out. */
static void corrupt(struct bytes *bytes, uint64_t *state)
{
    unsigned char noise[64];
    uint64_t kind = random_next(state) % 4;
    if (kind == 0) {
        bytes->size = random_next(state) % bytes->size;
        return;
    }
    if (kind == 1) {
        for (size_t i = 0; i < sizeof noise; ++i)
            noise[i] = (unsigned char)random_next(state);
        bytes_put(bytes, noise, 1 + random_next(state) % sizeof noise);
        return;
    }
    uint64_t reach = kind == 2 && bytes->size > 400 ? 400 : bytes->size, count = 1 + random_next(state) % 8;
    for (uint64_t i = 0; i < count; ++i)
        bytes->data[random_next(state) % reach] = (unsigned char)random_next(state);
}

static long peak_kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* Whatever it is, it opens and reads, or says in one line why not. */
static bool try_read(const char *path)
{
    acre_gauge_file *file;
    acre_check check;
    acre_status status = acre_gauge_open(path, &file);
    if (status != ACRE_OK) {
        ck_assert_msg(status == ACRE_ERR_FILE_FORMAT, "%s", acre_message());
        ck_assert_msg(strstr(acre_message(), path) && !strchr(acre_message(), '\n'), "%s", acre_message());
        return false;
    }
    const acre_gauge_header *header = acre_gauge_file_header(file);
    acre_site_type type = acre_site_type_sized(acre_colour_matrix(ACRE_DOUBLE), 1, (uint16_t)header->colours);
    acre_fields *u = make_fields(header->extents, type, 4);
    ck_assert_msg(acre_gauge_read(file, u, &check, NULL, NULL, NULL) == ACRE_OK, "%s", acre_message());
    acre_fields_destroy(u);
    acre_gauge_close(file);
    return true;
}

START_TEST(two_hundred_corruptions_of_each_format)
{
    static maker *const makers[] = {make_nersc, make_ildg, make_scidac, make_milc, make_old_milc};
    long before = peak_kilobytes();
    int read = 0, refused = 0;
    for (size_t m = 0; m < sizeof makers / sizeof makers[0]; ++m) {
        struct bytes good = {0}, bad = {0};
        uint64_t state = 1000 + m;
        makers[m](&good, &small);
        for (int i = 0; i < 200; ++i) {
            bad.size = 0;
            bytes_put(&bad, good.data, good.size);
            corrupt(&bad, &state);
            const char *path = scratch_path("corrupt");
            scratch_write(path, &bad);
            ++*(try_read(path) ? &read : &refused);
        }
        bytes_clear(&good);
        bytes_clear(&bad);
    }
    ck_assert_msg(read > 100 && refused > 300, "%d read, %d refused", read, refused);
    ck_assert_msg(peak_kilobytes() - before < 64 << 10, "%ld KiB more", peak_kilobytes() - before);
}
END_TEST

Suite *acre_suite_gauge_errors(void)
{
    Suite *suite = suite_create("gauge_errors");
    TCase *files = tcase_create("files");
    tcase_add_checked_fixture(files, context_set_up, teardown);
    tcase_add_test(files, what_is_no_regular_file);
    tcase_add_test(files, what_may_not_be_read);
    tcase_add_test(files, what_is_no_gauge_file);
    tcase_add_test(files, one_byte_less_or_more);
    tcase_add_test(files, su2_announced_as_su3);
    tcase_add_test(files, nersc_headers_that_are_wrong);
    tcase_add_test(files, milc_headers_that_are_wrong);
    tcase_add_test(files, ildg_records_that_are_wrong);
    tcase_add_test(files, scidac_records_that_are_wrong);
    tcase_add_test(files, lime_records_that_are_wrong);
    tcase_add_test(files, xml_that_would_take_forever);
    suite_add_tcase(suite, files);
    TCase *fields = tcase_create("fields");
    tcase_add_checked_fixture(fields, context_set_up, teardown);
    tcase_add_test(fields, fields_that_do_not_fit);
    tcase_add_test(fields, a_file_cut_after_opening_leaves_the_fields_alone);
    tcase_add_test(fields, a_file_cut_while_it_is_read_leaves_nothing_half_read);
    tcase_add_test(fields, fields_in_use_are_left_alone);
    suite_add_tcase(suite, fields);
    TCase *noise = tcase_create("noise");
    tcase_add_checked_fixture(noise, context_set_up, teardown);
    tcase_set_timeout(noise, 120);
    tcase_add_test(noise, two_hundred_corruptions_of_each_format);
    suite_add_tcase(suite, noise);
    return suite;
}
