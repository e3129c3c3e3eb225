/* acre/array.h: an array is a number of bytes that may be valid at several places at once, updated lazily.
 *
 * Each byte range knows which places hold its newest bytes. Reading at a place copies what is missing there,
 * and only that; writing at a place makes it the only valid one. */
#ifndef ACRE_ARRAY_H
#define ACRE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Free the array everywhere, once no work uses it any more. NULL is fine. Acquired views of it must have been
 * released. */
ACRE_API void acre_array_destroy(acre_array *array);

ACRE_API size_t acre_array_bytes(const acre_array *array);
ACRE_API const char *acre_array_label(const acre_array *array);

/* Goes up with every write. */
ACRE_API uint64_t acre_array_version(const acre_array *array);

/* Views. */

/* Get the array's ranges at a place in the given mode and the address of byte 0 of the whole array there
 * (only the ranges may be touched); returns when the bytes are there. For a device the CPU can't address, an
 * `address` that is not NULL is ACRE_ERR_ARGUMENT. Ranges must lie in the array and not overlap; empty ones
 * touch nothing. `count` 0 with `ranges` NULL means the whole array. Errors: ACRE_ERR_UNDEFINED (reading bytes
 * never written), ACRE_ERR_LOST (reading, or writing in part, bytes that a failed kernel left nowhere: the
 * message has the kernel and the device's words), ACRE_ERR_CONFLICT (an overlapping view is held and one of the
 * two writes: the message names both holders), ACRE_ERR_OUT_OF_MEMORY, ACRE_ERR_ARGUMENT, and that of a copy
 * which failed: acquiring again copies again. After any error nothing is held and no data has changed. */
#define acre_array_acquire(array, place, access, ranges, count, address)                                       \
    acre_array_acquire_at((array), (place), (access), (ranges), (count), (address), __FILE__, __LINE__)
ACRE_API acre_status acre_array_acquire_at(acre_array *array, acre_place place, acre_access access,
                                           const acre_range *ranges, size_t count, void **address,
                                           const char *file, int line);

/* The same, but a view held by another thread is waited for. One of this thread's own is still a conflict. */
#define acre_array_acquire_waiting(array, place, access, ranges, count, address)                               \
    acre_array_acquire_waiting_at((array), (place), (access), (ranges), (count), (address), __FILE__, __LINE__)
ACRE_API acre_status acre_array_acquire_waiting_at(acre_array *array, acre_place place, acre_access access,
                                                   const acre_range *ranges, size_t count, void **address,
                                                   const char *file, int line);

/* Give back what acquire gave: the same place, access and ranges. Writes become the newest bytes here.
 * Errors: ACRE_ERR_ARGUMENT (no such view is held; with ACRE_CHECK=1: it wrote where it must not). */
ACRE_API acre_status acre_array_release(acre_array *array, acre_place place, acre_access access,
                                        const acre_range *ranges, size_t count);

/* The array on the host, whole, to be read: a load or two when the host has all of it already. What is there
 * stays right until the next write anywhere. NULL: an error, those of acre_array_acquire. */
struct acre_array_head {
    const void *ready; /* the host's bytes, while they are all there */
};
ACRE_API const void *acre_array_fetch(acre_array *array);
static inline const void *acre_array_host(acre_array *array)
{
    const void *ready =
        __atomic_load_n(&((const struct acre_array_head *)(const void *)array)->ready, __ATOMIC_ACQUIRE);
    return ready ? ready : acre_array_fetch(array);
}

/* Copies that don't wait. */

/* Have the newest bytes of the ranges (as acre_array_acquire takes them) copied to a place, where they are not
 * there; returns at once. Errors: as acre_array_acquire; a copy that fails later is told by acre_array_wait, or
 * by whoever reads there next. */
ACRE_API acre_status acre_array_prefetch(acre_array *array, acre_place place, const acre_range *ranges,
                                         size_t count);

/* Wait until no work uses the array any more. Errors: what failed since it was last told, and ACRE_ERR_LOST. */
ACRE_API acre_status acre_array_wait(acre_array *array);

/* Write bytes from `data` into the array, on the host. Copies of the old ones that are under way are waited
 * for. Errors: as acre_array_acquire. */
ACRE_API acre_status acre_array_write(acre_array *array, size_t offset, size_t bytes, const void *data);

/* Memory of the user's own. */

/* Put a buffer under the array for its host memory: acre_array_bytes() bytes, which the user frees after the
 * array is destroyed, or has got other host memory. `has_data`: its bytes are the array's newest; else it gets
 * those that the host had. The one it had before comes back with its newest values; so NULL, for memory of the
 * library's own, is how to get a buffer back. Errors: ACRE_ERR_CONFLICT (a view is held), and those of
 * acre_array_acquire; then all is as it was. */
ACRE_API acre_status acre_array_place_host(acre_array *array, void *buffer, bool has_data);

/* Memory at a device for a part of an array. */
typedef enum acre_ownership {
    ACRE_HANDLE_OWNED,    /* the library's */
    ACRE_HANDLE_BORROWED, /* the user's: used, never freed */
    ACRE_HANDLE_ALIAS,    /* the host's memory, which the device uses itself */
} acre_ownership;

struct acre_backend_memory;
typedef struct acre_handle_info {
    acre_place place;
    struct acre_backend_memory *memory; /* the backend's handle */
    size_t memory_offset;               /* where the part begins in it */
    acre_range covers;                  /* the part, in bytes of the array */
    acre_ownership ownership;
    uint64_t first_element, elements, global_offset; /* the user's own notes; the library only keeps them */
} acre_handle_info;

/* Let the array use memory of the user's at a device, for the part `info->covers`; `ownership` is not looked
 * at. `has_data`: it has the newest bytes of that part. Handles that the part overlaps are given up, after what
 * only they had was copied to the host. Errors: ACRE_ERR_CONFLICT (a view is held), ACRE_ERR_ARGUMENT, those of
 * the copies. */
ACRE_API acre_status acre_array_place_device(acre_array *array, const acre_handle_info *info, bool has_data);

/* Take back the user's memory at a place, all of it, with the newest values. What only it has is copied to the
 * host first. Errors: as above. */
ACRE_API acre_status acre_array_take_device(acre_array *array, acre_place place);

/* The array's handles, in no particular order. Errors: ACRE_ERR_ARGUMENT (there is no such one). */
ACRE_API size_t acre_array_handle_count(acre_array *array);
ACRE_API acre_status acre_array_handle(acre_array *array, size_t i, acre_handle_info *info);

/* Give up the array's memory at a place, if nobody holds it: what only it has is copied to the host first. */
ACRE_API acre_status acre_array_evict(acre_array *array, acre_place place);

/* What the library knows about the array, as text to be freed with free(): its places, ranges, version, and
 * what is under way. Errors: ACRE_ERR_ARGUMENT, ACRE_ERR_OUT_OF_MEMORY. */
ACRE_API acre_status acre_array_dump(acre_array *array, char **text);

#ifdef __cplusplus
}
#endif
#endif
