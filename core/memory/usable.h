/* core/memory/usable.h: may a holder have its bytes: were they written, are they not lost, did copies arrive;
 * and what its queue has to wait for. For callers that hold the memory lock. */
#ifndef ACRE_CORE_MEMORY_USABLE_H
#define ACRE_CORE_MEMORY_USABLE_H

#include "core/memory/array.h"

/* Take in what is known of the work on the holder's ranges. Errors: ACRE_ERR_UNDEFINED, ACRE_ERR_LOST, and once
 * that of a copy to where the holder wants to read. */
acre_status acre_usable_check(const struct acre_holder *holder);

/* Have the queue of the holder's device wait for what must come before its work, and list the work that it
 * needs the results of. Stalls where the queue can't wait. */
acre_status acre_usable_order(const struct acre_holder *holder, struct acre_events *needs,
                              struct acre_stall *stall);

#endif
