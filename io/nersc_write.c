/* io/nersc_write.c: writing gauge configurations as NERSC archives. */
#include <stdio.h>
#include <stdlib.h>

#include "acre/formula.h"
#include "acre/gauge.h"
#include "core/base/fail.h"
#include "io/byteorder.h"
#include "io/checksum.h"
#include "io/gauge_fields.h"
#include "io/replacement.h"
#include "io/text.h"

enum { REALS = 18, HEADER_BYTES = 2048 };

struct writer {
    struct acre_gauge_views views;
    acre_word word;
    int64_t sites, slab_sites;
    unsigned char *raw, *links; /* a slab as in the file, and one direction of it */
    struct acre_replacement file;
};

static acre_status check_fields(const acre_fields *u)
{
    int colours;
    ACRE_TRY(acre_gauge_fields_check(u, "acre_gauge_write_nersc", &colours));
    int dimension = acre_lattice_dimension(acre_field_lattice(acre_fields_at(u, 0)));
    if (dimension == ACRE_GAUGE_DIMENSION && colours == 3)
        return ACRE_OK;
    return acre_fail(ACRE_ERR_ARGUMENT,
                     "acre_gauge_write_nersc: '%s' is SU(%d) in %d dimensions, SU(3) in 4 can be written",
                     acre_fields_label(u), colours, dimension);
}

/* The header in text[HEADER_BYTES], always of the same length for the same links; returns that length. */
static size_t print_header(char *text, const acre_fields *u, const acre_gauge_observables *observables,
                           uint32_t checksum)
{
    const acre_field *field = acre_fields_at(u, 0);
    const acre_lattice *lattice = acre_field_lattice(field);
    char link_trace[32], plaquette[32];
    int length = snprintf(
        text, HEADER_BYTES,
        "BEGIN_HEADER\nHDR_VERSION = 1.0\nDATATYPE = 4D_SU3_GAUGE_3x3\nSTORAGE_FORMAT = 1.0\n"
        "DIMENSION_1 = %lld\nDIMENSION_2 = %lld\nDIMENSION_3 = %lld\nDIMENSION_4 = %lld\n"
        "LINK_TRACE = %s\nPLAQUETTE = %s\n"
        "BOUNDARY_1 = PERIODIC\nBOUNDARY_2 = PERIODIC\nBOUNDARY_3 = PERIODIC\nBOUNDARY_4 = PERIODIC\n"
        "CHECKSUM = %08x\nENSEMBLE_ID = acre\nENSEMBLE_LABEL = acre\nSEQUENCE_NUMBER = 0\nCREATOR = acre\n"
        "FLOATING_POINT = %s\nEND_HEADER\n",
        (long long)acre_lattice_extent(lattice, 0), (long long)acre_lattice_extent(lattice, 1),
        (long long)acre_lattice_extent(lattice, 2), (long long)acre_lattice_extent(lattice, 3),
        acre_text_print_double(observables->link_trace, link_trace),
        acre_text_print_double(observables->plaquette, plaquette), (unsigned)checksum,
        acre_field_type(field).word == ACRE_DOUBLE ? "IEEE64BIG" : "IEEE32BIG");
    return (size_t)length;
}

static acre_status write_slab(struct writer *writer, uint64_t offset, int64_t first, int64_t count,
                              struct acre_checksum *checksum)
{
    size_t link_bytes = REALS * acre_word_bytes(writer->word), site_bytes = ACRE_GAUGE_DIMENSION * link_bytes;
    size_t bytes = (size_t)count * site_bytes;
    for (int mu = 0; mu < ACRE_GAUGE_DIMENSION; ++mu) {
        acre_field_view_get(&writer->views.view[mu], first, count, writer->links);
        for (size_t i = 0; i < (size_t)count; ++i)
            memcpy(writer->raw + i * site_bytes + (size_t)mu * link_bytes, writer->links + i * link_bytes,
                   link_bytes);
    }
    acre_swap_words(writer->raw, bytes, acre_word_bytes(writer->word), true);
    acre_checksum_add(checksum, writer->raw, bytes);
    return acre_replacement_write(&writer->file, offset + (uint64_t)first * site_bytes, writer->raw, bytes);
}

/* Links first, as the header has their checksum. */
static acre_status write_all(struct writer *writer, const acre_fields *u,
                             const acre_gauge_observables *observables, acre_progress *progress,
                             void *progress_data)
{
    char header[HEADER_BYTES];
    size_t header_bytes = print_header(header, u, observables, 0);
    size_t site_bytes = ACRE_GAUGE_DIMENSION * REALS * acre_word_bytes(writer->word);
    struct acre_checksum checksum;
    acre_checksum_begin(&checksum, ACRE_CHECKSUM_NERSC, true, site_bytes);
    for (int64_t first = 0; first < writer->sites; first += writer->slab_sites) {
        int64_t left = writer->sites - first, count = left < writer->slab_sites ? left : writer->slab_sites;
        ACRE_TRY(write_slab(writer, header_bytes, first, count, &checksum));
        if (progress)
            progress(progress_data, (uint64_t)(first + count) * site_bytes,
                     (uint64_t)writer->sites * site_bytes);
    }
    print_header(header, u, observables, checksum.sum[0]);
    return acre_replacement_write(&writer->file, 0, header, header_bytes);
}

static acre_status make_writer(struct writer *writer, const acre_fields *u)
{
    const acre_field *field = acre_fields_at(u, 0);
    *writer = (struct writer){.word = acre_field_type(field).word};
    size_t link_bytes = REALS * acre_word_bytes(writer->word), site_bytes = ACRE_GAUGE_DIMENSION * link_bytes;
    writer->sites = acre_lattice_sites(acre_field_lattice(field));
    writer->slab_sites = (int64_t)(ACRE_GAUGE_SLAB_BYTES / site_bytes);
    if (writer->slab_sites > writer->sites)
        writer->slab_sites = writer->sites;
    writer->raw = malloc((size_t)writer->slab_sites * site_bytes);
    writer->links = malloc((size_t)writer->slab_sites * link_bytes);
    if (writer->raw && writer->links)
        return ACRE_OK;
    return acre_fail_memory((size_t)writer->slab_sites * (site_bytes + link_bytes));
}

/* Measured in double whatever u's precision: so do readers. */
static acre_status measure(const acre_fields *u, acre_gauge_observables *observables)
{
    const acre_field *first = acre_fields_at(u, 0);
    acre_site_type type = acre_field_type(first);
    acre_fields *wide;
    if (type.word == ACRE_DOUBLE)
        return acre_gauge_measure(u, observables);
    type.word = ACRE_DOUBLE;
    ACRE_TRY(acre_fields_create(acre_field_lattice(first), type, (acre_format){0}, ACRE_GAUGE_DIMENSION,
                                acre_fields_label(u), &wide));
    acre_status status = ACRE_OK;
    for (int mu = 0; mu < ACRE_GAUGE_DIMENSION && status == ACRE_OK; ++mu)
        status = acre_eval(acre_lattice_context(acre_field_lattice(first)), "wide[mu] = u[mu]", ACRE(wide),
                           ACRE(u), ACRE(mu));
    if (status == ACRE_OK)
        status = acre_gauge_measure(wide, observables);
    acre_fields_destroy(wide);
    return status;
}

acre_status acre_gauge_write_nersc(const acre_fields *u, const char *path, acre_progress *progress,
                                   void *progress_data)
{
    if (!path)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_gauge_write_nersc: no path given");
    ACRE_TRY(check_fields(u));
    acre_gauge_observables observables;
    ACRE_TRY(measure(u, &observables));
    struct writer writer;
    bool writing = false;
    acre_status status = make_writer(&writer, u);
    if (status != ACRE_OK)
        goto free_slabs;
    status = acre_gauge_views_begin(u, ACRE_READ, &writer.views);
    if (status != ACRE_OK)
        goto free_slabs;
    status = acre_replacement_begin(path, &writer.file);
    if (status != ACRE_OK)
        goto end_views;
    writing = true;
    status = write_all(&writer, u, &observables, progress, progress_data);
end_views:;
    acre_status end = acre_gauge_views_end(&writer.views);
    if (status == ACRE_OK)
        status = end;
    if (writing && status == ACRE_OK)
        status = acre_replacement_commit(&writer.file);
    else if (writing)
        acre_replacement_abandon(&writer.file);
free_slabs:
    free(writer.raw);
    free(writer.links);
    return status;
}
