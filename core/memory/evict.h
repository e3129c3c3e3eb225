/* core/memory/evict.h: giving up the memory of arrays that nobody uses, to make room for others. */
#ifndef ACRE_CORE_MEMORY_EVICT_H
#define ACRE_CORE_MEMORY_EVICT_H

#include "core/memory/handle.h"

/* Give up the least recently used handle on the device's card that nobody holds and no work uses. What only it
 * has is copied to the host first: then the call stalls. So it does when all that could go is in use by work.
 * `*gone`: a handle went. Errors: those of the copies, and ACRE_ERR_OUT_OF_MEMORY; all data stays. */
acre_status acre_evict_one(struct acre_device_memory *owner, struct acre_stall *stall, bool *gone);

/* Give up a handle that nobody holds. May stall likewise. */
acre_status acre_evict_handle(struct acre_handle *handle, struct acre_stall *stall, bool *gone);

#endif
