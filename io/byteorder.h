/* io/byteorder.h: numbers in files, in either byte order. */
#ifndef ACRE_IO_BYTEORDER_H
#define ACRE_IO_BYTEORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const bool acre_host_is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

static inline uint32_t acre_load32(const void *from, bool big)
{
    uint32_t value;
    memcpy(&value, from, sizeof value);
    return big == acre_host_is_big ? value : __builtin_bswap32(value);
}

static inline uint64_t acre_load64(const void *from, bool big)
{
    uint64_t value;
    memcpy(&value, from, sizeof value);
    return big == acre_host_is_big ? value : __builtin_bswap64(value);
}

/* Turn `bytes` bytes of numbers of word_bytes (4 or 8) each between the given byte order and the host's. */
static inline void acre_swap_words(void *data, size_t bytes, size_t word_bytes, bool big)
{
    if (big == acre_host_is_big)
        return;
    unsigned char *end = (unsigned char *)data + bytes;
    for (unsigned char *at = data; at < end; at += word_bytes) {
        if (word_bytes == 8) {
            uint64_t value = acre_load64(at, big);
            memcpy(at, &value, sizeof value);
        } else {
            uint32_t value = acre_load32(at, big);
            memcpy(at, &value, sizeof value);
        }
    }
}

#endif
