/* io/milc.c: the binary headers of MILC's gauge files, version 5 and versions 1 to 4. */
#include <string.h>

#include "core/base/fail.h"
#include "io/byteorder.h"
#include "io/headers.h"

/* Version 5: magic, extents[4], time stamp [64], order of sites, sum29, sum31. Versions 1 to 4: magic,
 * extents[4], two couplings. */
enum { HEADER_BYTES = 96, ORDER_OFFSET = 84, SUMS_OFFSET = 88, OLD_HEADER_BYTES = 28, EXTENTS_OFFSET = 4 };

acre_status acre_milc_read_header(struct acre_gauge_file *gauge, bool big, bool has_checksum)
{
    const struct acre_file *file = &gauge->file;
    acre_gauge_header *header = &gauge->header;
    unsigned char data[HEADER_BYTES];
    size_t bytes = has_checksum ? HEADER_BYTES : OLD_HEADER_BYTES;
    strcpy(header->format, has_checksum ? "MILC v5" : "MILC v1-4");
    if (file->bytes < bytes)
        return acre_fail(ACRE_ERR_FILE_FORMAT, "%s: the header of %s takes %zu bytes, the file has %llu",
                         file->name, header->format, bytes, (unsigned long long)file->bytes);
    ACRE_TRY(acre_file_read(file, 0, data, bytes));
    header->dimension = 4;
    for (int mu = 0; mu < 4; ++mu) {
        header->extents[mu] = (int32_t)acre_load32(data + EXTENTS_OFFSET + 4 * mu, big);
        if (header->extents[mu] < 1)
            return acre_fail(ACRE_ERR_FILE_FORMAT, "%s: extent %lld in direction %d in the header of %s",
                             file->name, (long long)header->extents[mu], mu, header->format);
    }
    if (has_checksum) {
        int32_t order = (int32_t)acre_load32(data + ORDER_OFFSET, big);
        if (order != 0)
            return acre_fail(ACRE_ERR_FILE_FORMAT,
                             "%s: site order %d in the header of %s: only 0, the natural order, is read",
                             file->name, (int)order, header->format);
        header->has_checksum = true;
        header->checksum_words = 2;
        header->checksum[0] = acre_load32(data + SUMS_OFFSET, big);
        header->checksum[1] = acre_load32(data + SUMS_OFFSET + 4, big);
    }
    header->colours = 3;
    header->word = ACRE_FLOAT;
    gauge->payload =
        (struct acre_gauge_payload){.offset = bytes, .rows = 3, .big = big, .checksum = ACRE_CHECKSUM_MILC};
    return acre_gauge_fit(gauge, file->bytes - bytes, "after its header");
}
