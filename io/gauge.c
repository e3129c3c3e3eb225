/* io/gauge.c: opening gauge files of any format, and comparing what was measured with what they say. */
#include "io/headers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "io/byteorder.h"
#include "io/lime.h"

#define MILC_V5_MAGIC 20103u
#define MILC_V4_MAGIC 59354u

static const char nersc_begin[] = "BEGIN_HEADER";

static acre_status fail_unknown(const struct acre_file *file, const unsigned char *first, size_t bytes)
{
    char text[4 * 12 + 1] = "";
    for (size_t i = 0; i < bytes; ++i)
        snprintf(text + 3 * i, sizeof text - 3 * i, " %02x", first[i]);
    return acre_fail(ACRE_ERR_FILE_FORMAT,
                     "%s: not a gauge file that acre knows (NERSC, ILDG, SciDAC, MILC): first bytes%s",
                     file->name, text);
}

static acre_status read_header(struct acre_gauge_file *gauge)
{
    const struct acre_file *file = &gauge->file;
    unsigned char first[sizeof nersc_begin] = {0}; /* and what ends the line */
    size_t bytes = file->bytes < sizeof first ? (size_t)file->bytes : sizeof first;
    if (bytes == 0)
        return acre_fail(ACRE_ERR_FILE_FORMAT, "%s: an empty file", file->name);
    ACRE_TRY(acre_file_read(file, 0, first, bytes));
    if (bytes == sizeof first && memcmp(first, nersc_begin, sizeof nersc_begin - 1) == 0 &&
        strchr(" \t\r\n", first[sizeof first - 1]))
        return acre_nersc_read_header(gauge);
    uint32_t big = acre_load32(first, true), little = acre_load32(first, false);
    if (bytes < 4)
        return fail_unknown(file, first, bytes);
    if (big == ACRE_LIME_MAGIC)
        return acre_scidac_read_header(gauge);
    if (big == MILC_V5_MAGIC || little == MILC_V5_MAGIC)
        return acre_milc_read_header(gauge, big == MILC_V5_MAGIC, true);
    if (big == MILC_V4_MAGIC || little == MILC_V4_MAGIC)
        return acre_milc_read_header(gauge, big == MILC_V4_MAGIC, false);
    return fail_unknown(file, first, bytes);
}

acre_status acre_gauge_open(const char *path, acre_gauge_file **result)
{
    if (!path || !result)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_gauge_open: no %s given", path ? "file" : "path");
    *result = NULL;
    struct acre_gauge_file *gauge = calloc(1, sizeof *gauge);
    if (!gauge)
        return acre_fail_memory(sizeof *gauge);
    gauge->file.fd = -1;
    acre_status status = acre_file_open(path, &gauge->file);
    if (status == ACRE_OK)
        status = read_header(gauge);
    if (status != ACRE_OK) {
        acre_gauge_close(gauge);
        return status;
    }
    *result = gauge;
    return ACRE_OK;
}

void acre_gauge_close(acre_gauge_file *gauge)
{
    if (!gauge)
        return;
    acre_file_close(&gauge->file);
    free(gauge);
}

const acre_gauge_header *acre_gauge_file_header(const acre_gauge_file *gauge)
{
    return &gauge->header;
}

const char *acre_check_name(acre_check check)
{
    return check == ACRE_CHECK_ABSENT     ? "absent"
           : check == ACRE_CHECK_OK       ? "ok"
           : check == ACRE_CHECK_MISMATCH ? "mismatch"
                                          : "?";
}

/* Headers carry about ten digits, and float data about seven. No NaN agrees with anything. */
static acre_check compare(const acre_gauge_header *header, bool there, double said, double measured)
{
    double tolerance = (header->word == ACRE_DOUBLE ? 1e-9 : 1e-7) * fmax(1.0, fabs(said));
    if (!there)
        return ACRE_CHECK_ABSENT;
    return isfinite(said) && fabs(measured - said) <= tolerance ? ACRE_CHECK_OK : ACRE_CHECK_MISMATCH;
}

acre_check acre_gauge_check_plaquette(const acre_gauge_header *header, double plaquette)
{
    return compare(header, header->has_plaquette, header->plaquette, plaquette);
}

acre_check acre_gauge_check_link_trace(const acre_gauge_header *header, double link_trace)
{
    return compare(header, header->has_link_trace, header->link_trace, link_trace);
}
