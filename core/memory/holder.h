/* core/memory/holder.h: who holds which byte ranges of an array, at which place and how. */
#ifndef ACRE_CORE_MEMORY_HOLDER_H
#define ACRE_CORE_MEMORY_HOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "acre/array.h"

struct acre_holder {
    struct acre_holder *next;
    acre_place place;
    acre_access access;
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

/* Is there a byte that both hold and one of them writes? *shared is the first such range. */
bool acre_holder_conflicts(const struct acre_holder *a, const struct acre_holder *b, acre_range *shared);

/* Does it hold just these ranges (of an array of `bytes` bytes), given in the same order? */
bool acre_holder_matches(const struct acre_holder *holder, size_t bytes, const acre_range *ranges,
                         size_t count);

#endif
