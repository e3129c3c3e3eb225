/* core/memory/handle.h: memory at a device for a part of an array. An array may have several at one device;
 * their parts are disjoint. For callers that hold the memory lock. */
#ifndef ACRE_CORE_MEMORY_HANDLE_H
#define ACRE_CORE_MEMORY_HANDLE_H

#include "acre/array.h"
#include "core/memory/memory.h"
#include "core/memory/stall.h"

struct acre_handle {
    struct acre_handle *next; /* of the array */
    acre_array *array;
    struct acre_device_memory *owner;
    acre_backend_memory *memory;
    struct acre_block *block; /* OWNED: the block that `memory` is of */
    size_t offset;            /* where the part begins in `memory` */
    acre_range covers;
    acre_ownership ownership;
    uint64_t first_element, elements, global_offset; /* the user's own notes */
    unsigned users;                                  /* holders, who rely on its address */
    bool retired;                              /* a wider one took its place; freed when its users are gone */
    struct acre_event *unmapped;               /* ALIAS: it must not go before this is done */
    struct acre_handle *less_used, *more_used; /* OWNED: the device's, by age */
};

/* The handle at a device that covers the range; NULL: none. */
struct acre_handle *acre_handle_find(const acre_array *array, const struct acre_device_memory *owner,
                                     acre_range range);
/* The first handle at a device. */
struct acre_handle *acre_array_handle_find(const acre_array *array, const struct acre_device *device);

/* Make a handle that covers the range. Those that it overlaps are taken up into it, with their bytes. May
 * stall, with ACRE_OK, until there is room. Errors: ACRE_ERR_OUT_OF_MEMORY, ACRE_ERR_CONFLICT (a user relies on
 * the address of one), and those of the backend. `*fresh`: nothing was taken up. */
acre_status acre_handle_make(acre_array *array, struct acre_device_memory *owner, acre_range range,
                             struct acre_handle **handle, bool *fresh, struct acre_stall *stall);

/* Try to let the device use the host's memory, where it can: then the handle is an alias of it. When it can't,
 * that is remembered, and is no error. Errors: ACRE_ERR_OUT_OF_MEMORY (no host memory). */
acre_status acre_handle_try_alias(acre_array *array, struct acre_device_memory *owner);

/* A handle of the user's. It must not overlap others. */
acre_status acre_handle_lend(acre_array *array, struct acre_device_memory *owner, const acre_handle_info *info);

/* Somebody relies on it, or no longer. */
void acre_handle_use(struct acre_handle *handle);
void acre_handle_leave(struct acre_handle *handle);

/* Take it from its array; nothing may be under way there. What it owns goes to the pool. */
void acre_handle_free(struct acre_handle *handle);

/* Where byte 0 of the array would be, for the host's processor; NULL when it can't address the memory. */
void *acre_handle_address(const struct acre_handle *handle);

/* Where byte `offset` of the array is in `memory`. */
static inline size_t acre_handle_offset(const struct acre_handle *handle, size_t offset)
{
    return handle->offset + (offset - handle->covers.offset);
}

#endif
