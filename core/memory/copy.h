/* core/memory/copy.h: a copy of a part of an array from one place to another, given to a queue. For callers
 * that hold the memory lock. */
#ifndef ACRE_CORE_MEMORY_COPY_H
#define ACRE_CORE_MEMORY_COPY_H

#include "core/memory/array.h"

struct acre_copy {
    acre_array *array;
    size_t offset, bytes;
    acre_place from, to;
    struct acre_handle *from_handle, *to_handle; /* NULL: the host */
    unsigned char *host;                         /* its bytes there; NULL: where the array has them */
    size_t after;                                /* number of the copy that it needs, from 1; 0: none */
    const char *file;                            /* the cause */
    int line;
    struct acre_event *event; /* once submitted; held */
};

/* A pending event which the copy's queue can't be made to wait for; NULL: none. */
struct acre_event *acre_copy_is_blocked(const struct acre_copy *copy, struct acre_event *after);

/* Give it to the queue of the device that gets the bytes, or loses them to the host, behind all that it has to
 * come after. Errors: those of the backend and ACRE_FAULT; nothing was submitted then. */
acre_status acre_copy_submit(struct acre_copy *copy, struct acre_event *after);

/* Write it into the map; spare intervals were reserved: six a copy. */
void acre_copy_note(const struct acre_copy *copy);

/* Spoil what work that is to fail late writes at a device, in queue order; as far as that can be done. */
void acre_copy_spoil(struct acre_handle *handle, size_t offset, size_t bytes);

#endif
