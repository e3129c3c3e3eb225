/* io/checksum.h: the checksums of gauge files, computed piece by piece. */
#ifndef ACRE_IO_CHECKSUM_H
#define ACRE_IO_CHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum acre_checksum_kind {
    ACRE_CHECKSUM_NERSC,  /* [0]: the sum of all 32-bit words */
    ACRE_CHECKSUM_SCIDAC, /* suma, sumb: CRC-32 of each site's bytes, rotated by its rank and joined by xor */
    ACRE_CHECKSUM_MILC,   /* sum29, sum31: every 32-bit word, rotated by its rank and joined by xor */
};

struct acre_checksum {
    enum acre_checksum_kind kind;
    bool big;          /* the file's byte order */
    size_t site_bytes; /* SciDAC: bytes a site */
    unsigned rank29, rank31;
    uint32_t sum[2];
};

void acre_checksum_begin(struct acre_checksum *checksum, enum acre_checksum_kind kind, bool big,
                         size_t site_bytes);

/* Add the next `bytes` bytes as they are in the file: whole sites (SciDAC), whole words (else). */
void acre_checksum_add(struct acre_checksum *checksum, const void *data, size_t bytes);

#endif
