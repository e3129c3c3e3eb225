/* io/checksum.c: the checksums of gauge files. */
#include "io/checksum.h"

#include <zlib.h>

#include "io/byteorder.h"

void acre_checksum_begin(struct acre_checksum *checksum, enum acre_checksum_kind kind, bool big,
                         size_t site_bytes)
{
    *checksum = (struct acre_checksum){.kind = kind, .big = big, .site_bytes = site_bytes};
}

/* A shift by 32 is undefined: no rotation is a case of its own. */
static uint32_t rotate_left(uint32_t value, unsigned by)
{
    return by ? value << by | value >> (32 - by) : value;
}

/* Join a value of the next rank into both sums. */
static void add_ranked(struct acre_checksum *checksum, uint32_t value)
{
    checksum->sum[0] ^= rotate_left(value, checksum->rank29);
    checksum->sum[1] ^= rotate_left(value, checksum->rank31);
    checksum->rank29 = checksum->rank29 == 28 ? 0 : checksum->rank29 + 1;
    checksum->rank31 = checksum->rank31 == 30 ? 0 : checksum->rank31 + 1;
}

void acre_checksum_add(struct acre_checksum *checksum, const void *data, size_t bytes)
{
    const unsigned char *at = data, *end = at + bytes;
    switch (checksum->kind) {
    case ACRE_CHECKSUM_NERSC:
        for (; at < end; at += 4)
            checksum->sum[0] += acre_load32(at, checksum->big);
        break;
    case ACRE_CHECKSUM_SCIDAC:
        for (; at < end; at += checksum->site_bytes)
            add_ranked(checksum, (uint32_t)crc32(0, at, (uInt)checksum->site_bytes));
        break;
    case ACRE_CHECKSUM_MILC:
        for (; at < end; at += 4)
            add_ranked(checksum, acre_load32(at, checksum->big));
        break;
    }
}
