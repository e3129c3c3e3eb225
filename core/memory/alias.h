/* core/memory/alias.h: order between the host and devices that use the host's memory of an array themselves,
 * where their runtime wants to be told: map before the host uses it, unmap after. For callers that hold the
 * memory lock. */
#ifndef ACRE_CORE_MEMORY_ALIAS_H
#define ACRE_CORE_MEMORY_ALIAS_H

#include "core/memory/array.h"

/* The processor is about to use the range: block until it may. */
acre_status acre_alias_map(acre_array *array, acre_range range, bool writes);
void acre_alias_unmap(acre_array *array, acre_range range);

/* Another device's queue is about to copy to or from the range: have it wait for that. */
acre_status acre_alias_map_for(acre_array *array, acre_range range, bool writes,
                               struct acre_device_memory *queue);
/* And let the devices on after the copy (NULL: there was none). */
void acre_alias_unmap_after(acre_array *array, acre_range range, struct acre_device_memory *queue,
                            struct acre_event *copy);

#endif
