/* tests/gauge_files.c: small gauge files made by the tests. */
#include "gauge_files.h"

#include <check.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void bytes_put(struct bytes *bytes, const void *data, size_t size)
{
    if (bytes->size + size > bytes->capacity) {
        bytes->capacity = 2 * (bytes->size + size);
        bytes->data = realloc(bytes->data, bytes->capacity);
        ck_assert_ptr_nonnull(bytes->data);
    }
    if (size)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void bytes_print(struct bytes *bytes, const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ck_assert(length >= 0 && (size_t)length < sizeof text);
    bytes_put(bytes, text, (size_t)length);
}

static void put_integer(struct bytes *bytes, uint64_t value, int size, bool big)
{
    for (int i = 0; i < size; ++i) {
        unsigned char byte = (unsigned char)(value >> 8 * (big ? size - 1 - i : i));
        bytes_put(bytes, &byte, 1);
    }
}

void bytes_put32(struct bytes *bytes, uint32_t value, bool big)
{
    put_integer(bytes, value, 4, big);
}

void bytes_put64(struct bytes *bytes, uint64_t value, bool big)
{
    put_integer(bytes, value, 8, big);
}

void bytes_clear(struct bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct bytes){NULL, 0, 0};
}

static char scratch[256];

const char *scratch_path(const char *name)
{
    static char path[512];
    if (!scratch[0]) {
        const char *folder = getenv("TMPDIR");
        snprintf(scratch, sizeof scratch, "%s/acre-test-XXXXXX", folder && *folder ? folder : "/tmp");
        ck_assert_ptr_nonnull(mkdtemp(scratch));
    }
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    return path;
}

void scratch_write(const char *path, const struct bytes *bytes)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert(!bytes->size || fwrite(bytes->data, 1, bytes->size, file) == bytes->size);
    ck_assert_int_eq(fclose(file), 0);
}

void scratch_read(const char *path, struct bytes *bytes)
{
    unsigned char piece[4096];
    size_t got;
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    bytes->size = 0;
    while ((got = fread(piece, 1, sizeof piece, file)) > 0)
        bytes_put(bytes, piece, got);
    fclose(file);
}

/* Count the folder's entries, and remove them if so wanted. */
static int visit_scratch(bool removing)
{
    char path[600];
    int count = 0;
    DIR *folder = opendir(scratch);
    ck_assert_ptr_nonnull(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        ++count;
        snprintf(path, sizeof path, "%s/%s", scratch, entry->d_name);
        if (removing && unlink(path) != 0)
            rmdir(path);
    }
    closedir(folder);
    return count;
}

int scratch_count(void)
{
    return visit_scratch(false);
}

void scratch_remove(void)
{
    if (!scratch[0])
        return;
    visit_scratch(true);
    rmdir(scratch);
    scratch[0] = '\0';
}

uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

int gauge_sites(const struct gauge_shape *shape)
{
    return shape->extents[0] * shape->extents[1] * shape->extents[2] * shape->extents[3];
}

double gauge_number(const struct gauge_shape *shape, int site, int mu, int k)
{
    uint64_t state = ((uint64_t)shape->seed << 40) + (uint64_t)((site * 4 + mu) * 128 + k);
    double value = (double)(int64_t)random_next(&state) / 9223372036854775808.0;
    return shape->word == ACRE_DOUBLE ? value : (double)(float)value;
}

static void put_number(struct bytes *bytes, const struct gauge_shape *shape, double value)
{
    if (shape->word == ACRE_DOUBLE) {
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        bytes_put64(bytes, bits, shape->big);
    } else {
        float rounded = (float)value;
        uint32_t bits;
        memcpy(&bits, &rounded, sizeof bits);
        bytes_put32(bytes, bits, shape->big);
    }
}

void put_payload(struct bytes *bytes, const struct gauge_shape *shape)
{
    for (int site = 0; site < gauge_sites(shape); ++site)
        for (int mu = 0; mu < 4; ++mu)
            for (int k = 0; k < 2 * shape->rows * shape->colours; ++k)
                put_number(bytes, shape, gauge_number(shape, site, mu, k));
}

static uint32_t plain_word(const unsigned char *at, bool big)
{
    return big ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]
               : (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

/* One bit at a time, the top one going round. */
static uint32_t plain_rotate(uint32_t value, int by)
{
    for (int i = 0; i < by; ++i)
        value = value * 2 + (value >= 0x80000000u);
    return value;
}

uint32_t plain_nersc_sum(const unsigned char *data, size_t size, bool big)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < size; i += 4)
        sum += plain_word(data + i, big);
    return (uint32_t)(sum % 4294967296u);
}

/* CRC-32 by its polynomial, bit for bit. */
static uint32_t plain_crc(const unsigned char *data, size_t size)
{
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < size; ++i) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; ++bit)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
}

void plain_scidac_sums(const unsigned char *data, size_t site_bytes, int sites, uint32_t sums[2])
{
    sums[0] = sums[1] = 0;
    for (int rank = 0; rank < sites; ++rank) {
        uint32_t crc = plain_crc(data + (size_t)rank * site_bytes, site_bytes);
        sums[0] ^= plain_rotate(crc, rank % 29);
        sums[1] ^= plain_rotate(crc, rank % 31);
    }
}

void plain_milc_sums(const unsigned char *data, size_t size, bool big, uint32_t sums[2])
{
    sums[0] = sums[1] = 0;
    for (size_t i = 0; i < size / 4; ++i) {
        sums[0] ^= plain_rotate(plain_word(data + 4 * i, big), (int)(i % 29));
        sums[1] ^= plain_rotate(plain_word(data + 4 * i, big), (int)(i % 31));
    }
}

void put_record(struct bytes *bytes, const char *type, const void *data, size_t size)
{
    char name[128] = "";
    strcpy(name, type);
    bytes_put32(bytes, 0x456789ab, true);
    bytes_put32(bytes, 0x0001c000, true); /* version 1, both message flags as some writers have them */
    bytes_put64(bytes, size, true);
    bytes_put(bytes, name, sizeof name);
    bytes_put(bytes, data, size);
    bytes_put(bytes, "\0\0\0\0\0\0\0", (8 - size % 8) % 8);
}

void put_text_record(struct bytes *bytes, const char *type, const char *text)
{
    put_record(bytes, type, text, strlen(text) + 1);
}

void make_nersc(struct bytes *bytes, const struct gauge_shape *shape)
{
    struct bytes payload = {0};
    char whole[32] = "";
    put_payload(&payload, shape);
    if (shape->rows == shape->colours)
        snprintf(whole, sizeof whole, "_%dx%d", shape->colours, shape->colours);
    bytes_print(bytes, "BEGIN_HEADER\nHDR_VERSION = 1.0\nDATATYPE = 4D_SU%d_GAUGE%s\n", shape->colours, whole);
    for (int mu = 0; mu < 4; ++mu)
        bytes_print(bytes, "DIMENSION_%d = %d\n", mu + 1, shape->extents[mu]);
    bytes_print(bytes,
                "LINK_TRACE = 0.25\nPLAQUETTE = 0.5\nCHECKSUM = %x\nFLOATING_POINT = IEEE%d%s\nEND_HEADER\n",
                plain_nersc_sum(payload.data, payload.size, shape->big), shape->word == ACRE_DOUBLE ? 64 : 32,
                shape->big                   ? "BIG"
                : shape->word == ACRE_DOUBLE ? "LITTLE"
                                             : "");
    bytes_put(bytes, payload.data, payload.size);
    bytes_clear(&payload);
}

void put_ildg_format(struct bytes *bytes, const struct gauge_shape *shape)
{
    struct bytes text = {0};
    bytes_print(&text,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ildgFormat xmlns=\"http://www.lqcd.org/ildg\">"
                "<version>1.0</version><field>su%dgauge</field><precision>%d</precision>"
                "<lx>%d</lx><ly>%d</ly><lz>%d</lz><lt>%d</lt></ildgFormat>",
                shape->colours, shape->word == ACRE_DOUBLE ? 64 : 32, shape->extents[0], shape->extents[1],
                shape->extents[2], shape->extents[3]);
    bytes_put(&text, "", 1);
    put_record(bytes, "ildg-format", text.data, text.size);
    bytes_clear(&text);
}

void put_scidac_file(struct bytes *bytes, const struct gauge_shape *shape)
{
    char text[512];
    snprintf(text, sizeof text,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?><scidacFile><version>1.1</version>"
             "<spacetime>4</spacetime><dims>%d %d %d %d </dims><volfmt>0</volfmt></scidacFile>",
             shape->extents[0], shape->extents[1], shape->extents[2], shape->extents[3]);
    put_text_record(bytes, "scidac-private-file-xml", text);
    put_text_record(bytes, "scidac-file-xml", "<dims>not <for <you>");
}

void put_scidac_description(struct bytes *bytes, const struct gauge_shape *shape)
{
    char text[768], letter = shape->word == ACRE_DOUBLE ? 'D' : 'F';
    snprintf(text, sizeof text,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?><scidacRecord><version>1.0</version>"
             "<date>Sun Dec  4 20:49:06 2005 UTC</date><globaldata>0</globaldata>"
             "<datatype>QDP_%c%d_ColorMatrix</datatype><precision>%c</precision><colors>%d</colors>"
             "<typesize>%d</typesize><datacount>4</datacount></scidacRecord>",
             letter, shape->colours, letter, shape->colours,
             2 * shape->colours * shape->colours * (int)acre_word_bytes(shape->word));
    put_text_record(bytes, "scidac-private-record-xml", text);
    put_record(bytes, "scidac-record-xml", "\x01\xff<junk\0>", 8);
}

void put_data(struct bytes *bytes, const char *type, const struct gauge_shape *shape)
{
    struct bytes payload = {0};
    put_payload(&payload, shape);
    put_record(bytes, type, payload.data, payload.size);
    bytes_clear(&payload);
}

void put_sums(struct bytes *bytes, const struct gauge_shape *shape, const char *format)
{
    struct bytes payload = {0};
    uint32_t sums[2];
    char text[512], a[16], b[16];
    put_payload(&payload, shape);
    plain_scidac_sums(payload.data, payload.size / (size_t)gauge_sites(shape), gauge_sites(shape), sums);
    bool padded = strcmp(format, "%08x") == 0, prefixed = strcmp(format, "0x%x") == 0;
    snprintf(a, sizeof a, padded ? "%08x" : prefixed ? "0x%x" : "%X", sums[0]);
    snprintf(b, sizeof b, padded ? "%08x" : prefixed ? "0x%x" : "%X", sums[1]);
    snprintf(text, sizeof text,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?><scidacChecksum><version>1.0</version>"
             "<suma>%s</suma><sumb>%s</sumb></scidacChecksum>",
             a, b);
    put_text_record(bytes, "scidac-checksum", text);
    bytes_clear(&payload);
}

void make_ildg(struct bytes *bytes, const struct gauge_shape *shape)
{
    put_scidac_file(bytes, shape);
    put_scidac_description(bytes, shape);
    put_ildg_format(bytes, shape);
    put_text_record(bytes, "ildg-data-lfn", "lfn://nowhere/none");
    put_data(bytes, "ildg-binary-data", shape);
    put_sums(bytes, shape, "%08x");
}

void make_scidac(struct bytes *bytes, const struct gauge_shape *shape)
{
    put_scidac_file(bytes, shape);
    put_scidac_description(bytes, shape);
    put_data(bytes, "scidac-binary-data", shape);
    put_sums(bytes, shape, "0x%x");
}

void make_milc(struct bytes *bytes, const struct gauge_shape *shape)
{
    struct bytes payload = {0};
    uint32_t sums[2];
    char stamp[64] = "Sun Dec  4 20:49:06 2005";
    put_payload(&payload, shape);
    plain_milc_sums(payload.data, payload.size, shape->big, sums);
    bytes_put32(bytes, 20103, shape->big);
    for (int mu = 0; mu < 4; ++mu)
        bytes_put32(bytes, (uint32_t)shape->extents[mu], shape->big);
    bytes_put(bytes, stamp, sizeof stamp);
    bytes_put32(bytes, 0, shape->big);
    bytes_put32(bytes, sums[0], shape->big);
    bytes_put32(bytes, sums[1], shape->big);
    bytes_put(bytes, payload.data, payload.size);
    bytes_clear(&payload);
}

void make_old_milc(struct bytes *bytes, const struct gauge_shape *shape)
{
    bytes_put32(bytes, 59354, shape->big);
    for (int mu = 0; mu < 4; ++mu)
        bytes_put32(bytes, (uint32_t)shape->extents[mu], shape->big);
    bytes_put32(bytes, 0x40c00000, shape->big);
    bytes_put32(bytes, 0x3c4ccccd, shape->big);
    put_payload(bytes, shape);
}
