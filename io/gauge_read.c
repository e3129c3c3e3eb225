/* io/gauge_read.c: reading the links of a gauge file into fields, slab by slab, whatever its format. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "io/byteorder.h"
#include "io/gauge_fields.h"
#include "io/gauge_file.h"

struct reader {
    const struct acre_gauge_file *gauge;
    struct acre_gauge_views views;
    acre_word word;       /* of the fields */
    size_t stored, reals; /* numbers of a link in the file, and in a field */
    int64_t slab_sites;
    unsigned char *raw, *links; /* a slab as in the file, and of one direction as the fields take it */
};

static acre_status check_fields(const struct acre_gauge_file *gauge, const acre_fields *u)
{
    const acre_gauge_header *header = &gauge->header;
    int colours;
    ACRE_TRY(acre_gauge_fields_check(u, "acre_gauge_read", &colours));
    const acre_lattice *lattice = acre_field_lattice(acre_fields_at(u, 0));
    bool fits = acre_lattice_dimension(lattice) == header->dimension && colours == header->colours;
    for (int mu = 0; mu < header->dimension; ++mu)
        fits = fits && acre_lattice_extent(lattice, mu) == header->extents[mu];
    if (fits)
        return ACRE_OK;
    char text[192];
    const int64_t *extents = header->extents;
    return acre_fail(ACRE_ERR_ARGUMENT,
                     "acre_gauge_read: '%s' is SU(%d) on %s, the file %s has SU(%d) on %lldx%lldx%lldx%lld",
                     acre_fields_label(u), colours, acre_lattice_text(lattice, text, sizeof text),
                     gauge->file.name, header->colours, (long long)extents[0], (long long)extents[1],
                     (long long)extents[2], (long long)extents[3]);
}

static double load_real(const unsigned char *from, acre_word word)
{
    if (word == ACRE_DOUBLE) {
        double value;
        memcpy(&value, from, sizeof value);
        return value;
    }
    float value;
    memcpy(&value, from, sizeof value);
    return (double)value;
}

static void store_real(unsigned char *to, acre_word word, double value)
{
    if (word == ACRE_DOUBLE) {
        memcpy(to, &value, sizeof value);
    } else {
        float rounded = (float)value;
        memcpy(to, &rounded, sizeof rounded);
    }
}

/* The third row of an SU(3) matrix is conj(first x second). Numbers are re, im of each element by rows. */
static void third_row(double *link)
{
    const double *a = link, *b = link + 6;
    double *c = link + 12;
    for (int i = 0; i < 3; ++i) {
        int j = 2 * ((i + 1) % 3), k = 2 * ((i + 2) % 3);
        double re = (a[j] * b[k] - a[j + 1] * b[k + 1]) - (a[k] * b[j] - a[k + 1] * b[j + 1]);
        double im = (a[j] * b[k + 1] + a[j + 1] * b[k]) - (a[k] * b[j + 1] + a[k + 1] * b[j]);
        c[2 * i] = re;
        c[2 * i + 1] = -im;
    }
}

static void convert_two_rows(const unsigned char *from, acre_word from_word, unsigned char *to,
                             acre_word to_word)
{
    double link[18];
    for (size_t i = 0; i < 12; ++i)
        link[i] = load_real(from + i * acre_word_bytes(from_word), from_word);
    third_row(link);
    for (size_t i = 0; i < 18; ++i)
        store_real(to + i * acre_word_bytes(to_word), to_word, link[i]);
}

/* One link from the file's numbers (already in the host's byte order) to the field's. */
static void convert_link(const struct reader *reader, const unsigned char *from, unsigned char *to)
{
    acre_word from_word = reader->gauge->header.word, to_word = reader->word;
    if (reader->stored < reader->reals)
        convert_two_rows(from, from_word, to, to_word);
    else if (from_word == to_word)
        memcpy(to, from, reader->reals * acre_word_bytes(to_word));
    else
        for (size_t i = 0; i < reader->reals; ++i)
            store_real(to + i * acre_word_bytes(to_word), to_word,
                       load_real(from + i * acre_word_bytes(from_word), from_word));
}

static acre_status read_slab(struct reader *reader, int64_t first, int64_t count,
                             struct acre_checksum *checksum)
{
    const struct acre_gauge_file *gauge = reader->gauge;
    size_t site_bytes = acre_gauge_site_bytes(gauge), link_bytes = site_bytes / ACRE_GAUGE_DIMENSION;
    size_t bytes = (size_t)count * site_bytes;
    ACRE_TRY(
        acre_file_read(&gauge->file, gauge->payload.offset + (uint64_t)first * site_bytes, reader->raw, bytes));
    acre_checksum_add(checksum, reader->raw, bytes);
    acre_swap_words(reader->raw, bytes, acre_word_bytes(gauge->header.word), gauge->payload.big);
    for (int mu = 0; mu < ACRE_GAUGE_DIMENSION; ++mu) {
        for (int64_t i = 0; i < count; ++i)
            convert_link(reader, reader->raw + (size_t)i * site_bytes + (size_t)mu * link_bytes,
                         reader->links + (size_t)i * reader->reals * acre_word_bytes(reader->word));
        acre_field_view_put(&reader->views.view[mu], first, count, reader->links);
    }
    return ACRE_OK;
}

/* A reading that broke off leaves no field half of this and half of that. */
static void spoil(struct reader *reader, int64_t sites)
{
    size_t numbers = (size_t)reader->slab_sites * reader->reals;
    for (size_t i = 0; i < numbers; ++i)
        store_real(reader->links + i * acre_word_bytes(reader->word), reader->word, (double)NAN);
    for (int64_t first = 0; first < sites; first += reader->slab_sites) {
        int64_t count = sites - first < reader->slab_sites ? sites - first : reader->slab_sites;
        for (int mu = 0; mu < ACRE_GAUGE_DIMENSION; ++mu)
            acre_field_view_put(&reader->views.view[mu], first, count, reader->links);
    }
}

static acre_status read_all(struct reader *reader, int64_t sites, struct acre_checksum *checksum,
                            acre_progress *progress, void *progress_data)
{
    size_t site_bytes = acre_gauge_site_bytes(reader->gauge);
    for (int64_t first = 0; first < sites; first += reader->slab_sites) {
        int64_t count = sites - first < reader->slab_sites ? sites - first : reader->slab_sites;
        acre_status status = read_slab(reader, first, count, checksum);
        if (status != ACRE_OK) {
            spoil(reader, sites);
            return status;
        }
        if (progress)
            progress(progress_data, (uint64_t)(first + count) * site_bytes, reader->gauge->payload.bytes);
    }
    /* Is it still the file whose header was read? */
    acre_status status = acre_file_verify(&reader->gauge->file);
    if (status != ACRE_OK)
        spoil(reader, sites);
    return status;
}

static acre_status make_reader(struct reader *reader, const struct acre_gauge_file *gauge, acre_word word,
                               int64_t sites)
{
    const acre_gauge_header *header = &gauge->header;
    size_t site_bytes = acre_gauge_site_bytes(gauge);
    *reader = (struct reader){.gauge = gauge, .word = word};
    reader->stored = 2 * (size_t)gauge->payload.rows * (size_t)header->colours;
    reader->reals = 2 * (size_t)header->colours * (size_t)header->colours;
    reader->slab_sites = (int64_t)(ACRE_GAUGE_SLAB_BYTES / site_bytes);
    if (reader->slab_sites > sites)
        reader->slab_sites = sites;
    size_t raw_bytes = (size_t)reader->slab_sites * site_bytes;
    size_t link_bytes = (size_t)reader->slab_sites * reader->reals * acre_word_bytes(word);
    reader->raw = malloc(raw_bytes);
    reader->links = malloc(link_bytes);
    if (reader->raw && reader->links)
        return ACRE_OK;
    return acre_fail_memory(raw_bytes + link_bytes);
}

static acre_check compare(const acre_gauge_header *header, const struct acre_checksum *checksum)
{
    for (int i = 0; i < header->checksum_words; ++i)
        if (header->checksum[i] != checksum->sum[i])
            return ACRE_CHECK_MISMATCH;
    return header->has_checksum ? ACRE_CHECK_OK : ACRE_CHECK_ABSENT;
}

acre_status acre_gauge_read(acre_gauge_file *gauge, acre_fields *u, acre_check *check, uint32_t computed[2],
                            acre_progress *progress, void *progress_data)
{
    if (!gauge || !check)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_gauge_read: no %s given", gauge ? "check" : "file");
    ACRE_TRY(check_fields(gauge, u));
    ACRE_TRY(acre_file_verify(&gauge->file));
    const acre_field *field = acre_fields_at(u, 0);
    int64_t sites = acre_lattice_sites(acre_field_lattice(field));
    struct acre_checksum checksum;
    acre_checksum_begin(&checksum, gauge->payload.checksum, gauge->payload.big, acre_gauge_site_bytes(gauge));

    struct reader reader;
    acre_status status = make_reader(&reader, gauge, acre_field_type(field).word, sites);
    if (status != ACRE_OK)
        goto done;
    status = acre_gauge_views_begin(u, ACRE_WRITE, &reader.views);
    if (status != ACRE_OK)
        goto done;
    status = read_all(&reader, sites, &checksum, progress, progress_data);
    acre_status end = acre_gauge_views_end(&reader.views);
    if (status == ACRE_OK)
        status = end;
    if (status != ACRE_OK)
        goto done;
    *check = compare(&gauge->header, &checksum);
    if (computed)
        memcpy(computed, checksum.sum, sizeof checksum.sum);
done:
    free(reader.raw);
    free(reader.links);
    return status;
}
