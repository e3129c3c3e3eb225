/* core/memory/holder.h: who holds which byte ranges of an array, at which place and how. */
#ifndef ACRE_CORE_MEMORY_HOLDER_H
#define ACRE_CORE_MEMORY_HOLDER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "acre/array.h"

struct acre_handle;

struct acre_holder {
    struct acre_holder *next;
    acre_array *array;
    acre_place place;
    acre_place home; /* where the place's bits are kept */
    acre_access access;
    bool is_library;            /* work being submitted, not a view of a user's */
    bool is_waiting;            /* its acquire has not returned yet */
    bool is_prefetch;           /* for copies only: nobody waits for them */
    bool takes_lost;            /* bytes that are lost are no error */
    bool is_mapped;             /* aliases of the host's memory were told */
    pthread_t thread;           /* that acquired it */
    struct acre_handle *handle; /* at a device: the memory whose address it relies on */
    uint64_t checksum;          /* ACRE_CHECK: of what it may only read */
    int line;
    char *file;
    size_t count;
    acre_range *sorted;  /* the `count` ranges that aren't empty, by offset */
    acre_range ranges[]; /* the same as they were given; then the sorted ones, then the file's name */
};

/* A holder of an array of `bytes` bytes; `name` is the array's, for messages. Ranges as acre_array_acquire
 * takes them. Errors: ACRE_ERR_ARGUMENT (ranges out of the array or overlapping), ACRE_ERR_OUT_OF_MEMORY. */
acre_status acre_holder_make(const char *name, size_t bytes, const acre_range *ranges, size_t count,
                             const char *file, int line, struct acre_holder **holder);

bool acre_access_writes(acre_access access);
/* "reading", "writing" ...: what the holder does. */
const char *acre_access_name(acre_access access);

/* Can the calling thread wait until the holder goes? For work of the library always, for views if it is asked
 * to; for one's own never. */
bool acre_holder_may_wait_for(const struct acre_holder *holder, bool may_wait_for_views);

/* Is there a byte that both hold and one of them writes? *shared is the first such range. */
bool acre_holder_conflicts(const struct acre_holder *a, const struct acre_holder *b, acre_range *shared);

/* Does it hold just these ranges (of an array of `bytes` bytes), given in the same order? */
bool acre_holder_matches(const struct acre_holder *holder, size_t bytes, const acre_range *ranges,
                         size_t count);

#endif
