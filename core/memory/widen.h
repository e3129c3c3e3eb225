/* core/memory/widen.h: a handle taking the place of narrower ones at the same device. For callers that hold the
 * memory lock. */
#ifndef ACRE_CORE_MEMORY_WIDEN_H
#define ACRE_CORE_MEMORY_WIDEN_H

#include "core/memory/handle.h"

/* Make the range so wide that it covers all handles it overlaps at the device; false: there are none. */
bool acre_widen_range(const acre_array *array, const struct acre_device_memory *owner, acre_range *range);

/* May those in the range be replaced? Not the user's own, nor those through which somebody writes; the latter
 * may be waited for. Errors: ACRE_ERR_CONFLICT. */
acre_status acre_widen_check(const acre_array *array, const struct acre_device_memory *owner, acre_range range,
                             struct acre_stall *stall);

/* Keep those in the range from being given up, or no longer. */
void acre_widen_hold(acre_array *array, const struct acre_device_memory *owner, acre_range range, bool holds);

/* Copy what they have into a handle that is not the array's yet, and wait for that. */
acre_status acre_widen_move(acre_array *array, struct acre_handle *to);

/* Give them up, as others are for room; may stall. When somebody relies on one, fail as `failure` did. */
acre_status acre_widen_give_up(acre_array *array, const struct acre_device_memory *owner, acre_range range,
                               acre_status failure, struct acre_stall *stall);

/* Free them; those that somebody reads through once he is done. */
void acre_widen_retire(acre_array *array, const struct acre_device_memory *owner, acre_range range);

#endif
