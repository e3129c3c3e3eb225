/* core/memory/request.h: several holders, of one or more arrays of a context, acquired all or none: conflicts,
 * memory, copies, order. */
#ifndef ACRE_CORE_MEMORY_REQUEST_H
#define ACRE_CORE_MEMORY_REQUEST_H

#include "core/memory/array.h"

struct acre_request {
    struct acre_memory *memory;
    struct acre_holder **holders;
    size_t count;
    bool is_library;          /* work of the library: it waits for views, and its queues wait for the bytes */
    bool waits;               /* a user's, who waits for other views, too */
    struct acre_events needs; /* library: work that makes the bytes it reads */
};

/* Make a holder; the checks that need no lock. */
acre_status acre_request_holder(acre_array *array, acre_place place, acre_access access,
                                const acre_range *ranges, size_t count, bool wants_address, bool is_library,
                                const char *file, int line, struct acre_holder **holder);

/* With the lock held, which is let go while waiting: acquire. Holders at the host, and a user's anywhere, have
 * their bytes there when it returns. After an error nothing is held; the holders are the caller's still. */
acre_status acre_request_acquire(struct acre_request *request);

/* Let a holder go: what it wrote counts as made by the event (NULL: it is there already), or with `counts`
 * false does not count. Work of the library that only read is noted by the event, too. It is freed. Errors:
 * what ACRE_CHECK found. */
acre_status acre_request_release(struct acre_holder *holder, bool counts, struct acre_event *event);

/* Byte 0 of the holder's array at its place; NULL when the processor can't address it. */
void *acre_request_address(const struct acre_holder *holder);

#endif
