/* core/memory/check.h: ACRE_CHECK=1: poison in fresh and invalidated memory, fences around host memory, and
 * maps that are verified. For callers that hold the memory lock. */
#ifndef ACRE_CORE_MEMORY_CHECK_H
#define ACRE_CORE_MEMORY_CHECK_H

#include "core/memory/handle.h"
#include "core/memory/holder.h"

/* Bytes of fence at each end of host memory. */
enum { ACRE_FENCE_BYTES = 64 };

/* Fill with a pattern that is a NaN in every floating type, a signalling one in double. */
void acre_check_poison(void *at, size_t bytes);
/* A block of the pattern, for copies. */
const void *acre_check_poison_block(size_t *bytes);

/* Poison the memory of a handle that has no newest bytes. */
void acre_check_fresh(struct acre_handle *handle);
/* The bytes of the ranges are at `place` alone now: poison them at the places that had them. */
void acre_check_invalidated(acre_array *array, const acre_range *ranges, size_t count, acre_place place);

/* Fences around `bytes` bytes that begin a fence after `block`. */
void acre_check_fence(unsigned char *data, size_t bytes);

/* A host view begins, or ends: has it kept within its bounds, and has a reader written nothing?
 * Errors: ACRE_ERR_ARGUMENT. */
void acre_check_view_begin(struct acre_holder *holder);
acre_status acre_check_view_end(const struct acre_holder *holder);

/* Verify the map, with ACRE_CHECK=1; errors go to the log, too. */
acre_status acre_check_map(const acre_array *array);

#endif
