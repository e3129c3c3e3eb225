/* io/gauge_file.h: a gauge file inside: its header, and where and how its links lie. */
#ifndef ACRE_IO_GAUGE_FILE_H
#define ACRE_IO_GAUGE_FILE_H

#include "acre/gauge.h"
#include "io/checksum.h"
#include "io/file.h"
#include "io/text.h"

/* Where and how the links lie in the file: site by site (x fastest), mu = x, y, z, t, rows of the matrix. */
struct acre_gauge_payload {
    uint64_t offset, bytes;
    int rows; /* stored rows of each matrix: all, or the first 2 of SU(3) */
    bool big; /* byte order */
    enum acre_checksum_kind checksum;
};

struct acre_gauge_file {
    struct acre_file file;
    acre_gauge_header header;
    struct acre_gauge_payload payload;
};

/* The last step of each format's reader: header (extents, colours, word) and payload (offset, rows) are filled,
 * `available` bytes are there, `where` says where ("after its header"). Checks that the links take exactly
 * these and sets payload.bytes. Errors: ACRE_ERR_FILE_FORMAT. */
acre_status acre_gauge_fit(struct acre_gauge_file *gauge, uint64_t available, const char *where);

/* Bytes of a site in the file. */
size_t acre_gauge_site_bytes(const struct acre_gauge_file *gauge);

#endif
