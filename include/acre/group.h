/* acre/group.h: views of several arrays at once, all or none: a sparse matrix's offsets, columns and values.
 * Each array keeps its own map, so only what changed is copied. */
#ifndef ACRE_GROUP_H
#define ACRE_GROUP_H

#include "acre/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A view as acre_array_acquire takes it: of ranges, or of the whole array when `ranges` is NULL and `count` 0.
 */
typedef struct acre_view {
    acre_array *array;
    acre_place place;
    acre_access access;
    const acre_range *ranges;
    size_t count;
    bool wants_address; /* else `address` becomes NULL; the CPU can't address every device */
    void *address;      /* set by acre_group_acquire: byte 0 of the whole array */
} acre_view;

/* Acquire all the views, or none; the arrays must be of one context. Copies of several arrays go on at one
 * time. Errors: those of acre_array_acquire. */
#define acre_group_acquire(views, count) acre_group_acquire_at((views), (count), __FILE__, __LINE__)
ACRE_API acre_status acre_group_acquire_at(acre_view *views, size_t count, const char *file, int line);

/* The same, but views held by other threads are waited for. */
#define acre_group_acquire_waiting(views, count)                                                               \
    acre_group_acquire_waiting_at((views), (count), __FILE__, __LINE__)
ACRE_API acre_status acre_group_acquire_waiting_at(acre_view *views, size_t count, const char *file, int line);

/* Release all the views, whatever fails. Errors: the first of acre_array_release. */
ACRE_API acre_status acre_group_release(const acre_view *views, size_t count);

#ifdef __cplusplus
}
#endif
#endif
