/* io/gauge_file.c: do the links that a header announces fit what the file holds? */
#include "io/gauge_file.h"

#include <stdio.h>

#include "core/base/fail.h"

size_t acre_gauge_site_bytes(const struct acre_gauge_file *gauge)
{
    const acre_gauge_header *header = &gauge->header;
    return (size_t)header->dimension * (size_t)gauge->payload.rows * (size_t)header->colours * 2 *
           acre_word_bytes(header->word);
}

acre_status acre_gauge_fit(struct acre_gauge_file *gauge, uint64_t available, const char *where)
{
    const acre_gauge_header *header = &gauge->header;
    const int64_t *extents = header->extents;
    int64_t needed = (int64_t)acre_gauge_site_bytes(gauge);
    bool fits = true;
    for (int mu = 0; mu < header->dimension && fits; ++mu)
        fits = !__builtin_mul_overflow(needed, extents[mu], &needed);
    gauge->payload.bytes = (uint64_t)needed;
    if (fits && gauge->payload.bytes == available)
        return ACRE_OK;

    char rows[32] = "", take[48] = "more than 2^63";
    if (gauge->payload.rows != header->colours)
        snprintf(rows, sizeof rows, ", %d rows,", gauge->payload.rows);
    if (fits)
        snprintf(take, sizeof take, "%lld", (long long)needed);
    return acre_fail(ACRE_ERR_FILE_FORMAT,
                     "%s: %lldx%lldx%lldx%lld links of SU(%d) in %s%s take %s bytes, the file has %llu %s",
                     gauge->file.name, (long long)extents[0], (long long)extents[1], (long long)extents[2],
                     (long long)extents[3], header->colours, header->word == ACRE_DOUBLE ? "double" : "float",
                     rows, take, (unsigned long long)available, where);
}
