/* acre/array.h: an array is a number of bytes that may be valid at several places at once, updated lazily.
 *
 * Each byte range knows which places hold its newest bytes. Reading at a place copies what is missing there,
 * and only that; writing at a place makes it the only valid one. */
#ifndef ACRE_ARRAY_H
#define ACRE_ARRAY_H

#include <stdbool.h>

#include "acre/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct acre_array acre_array;

typedef enum acre_access {
    ACRE_READ,
    ACRE_READ_WRITE,
    ACRE_WRITE,         /* all of the range will be overwritten: nothing is copied */
    ACRE_PARTIAL_WRITE, /* some of the range will be overwritten: as read-write, but bytes never written
                           before are allowed and then hold anything */
} acre_access;

/* A byte range [offset, offset + bytes). */
typedef struct acre_range {
    size_t offset, bytes;
} acre_range;

/* Make an array of `bytes` bytes, undefined until written, or all zero with `zeroed`. The label (may be NULL)
 * is copied; messages use it. No memory is taken before the first use at a place.
 * Errors: ACRE_ERR_ARGUMENT, ACRE_ERR_OUT_OF_MEMORY. */
ACRE_API acre_status acre_array_create(acre_context *context, size_t bytes, bool zeroed, const char *label,
                                       acre_array **array);

/* Free the array everywhere. NULL is fine. Acquired views of it must have been released. */
ACRE_API void acre_array_destroy(acre_array *array);

ACRE_API size_t acre_array_bytes(const acre_array *array);
ACRE_API const char *acre_array_label(const acre_array *array);

/* Goes up with every write. */
ACRE_API uint64_t acre_array_version(const acre_array *array);

/* Get the array's ranges at a place in the given mode and the address of byte 0 of the whole array there
 * (only the ranges may be touched). For a device the CPU can't address this is ACRE_ERR_ARGUMENT.
 * Ranges must lie in the array and not overlap; empty ones touch nothing. `count` 0 with `ranges` NULL
 * means the whole array.
 * Errors: ACRE_ERR_UNDEFINED (reading bytes never written), ACRE_ERR_CONFLICT (an overlapping view is held
 * and one of the two writes: the message names both holders), ACRE_ERR_OUT_OF_MEMORY, ACRE_ERR_ARGUMENT;
 * after any error nothing is held and no data has changed. */
#define acre_array_acquire(array, place, access, ranges, count, address)                                       \
    acre_array_acquire_at((array), (place), (access), (ranges), (count), (address), __FILE__, __LINE__)
ACRE_API acre_status acre_array_acquire_at(acre_array *array, acre_place place, acre_access access,
                                           const acre_range *ranges, size_t count, void **address,
                                           const char *file, int line);

/* Give back what acquire gave: the same place, access and ranges. Writes become the newest bytes here.
 * Errors: ACRE_ERR_ARGUMENT (no such view is held). */
ACRE_API acre_status acre_array_release(acre_array *array, acre_place place, acre_access access,
                                        const acre_range *ranges, size_t count);

#ifdef __cplusplus
}
#endif
#endif
