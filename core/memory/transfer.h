/* core/memory/transfer.h: the copies that several holders need, planned together, then submitted all or none,
 * and the memory made for them. For callers that hold the memory lock. */
#ifndef ACRE_CORE_MEMORY_TRANSFER_H
#define ACRE_CORE_MEMORY_TRANSFER_H

#include "core/base/buffer.h"
#include "core/memory/array.h"

struct acre_transfer {
    struct acre_buffer copies;  /* struct acre_copy */
    struct acre_buffer hosts;   /* acre_array *: whose host memory was made */
    struct acre_buffer handles; /* struct acre_handle *: that were made */
    bool goes_on;               /* more is to be copied when these copies are done */
};

/* Have host memory, and note it when it was made now. */
acre_status acre_transfer_host(struct acre_transfer *transfer, acre_array *array);
/* Have a handle that covers the range, with one more user. May stall. */
acre_status acre_transfer_handle(struct acre_transfer *transfer, acre_array *array,
                                 struct acre_device_memory *owner, acre_range range,
                                 struct acre_handle **handle, struct acre_stall *stall);

/* Plan to copy what is missing of the holder's ranges at its home; its memory there was made. */
acre_status acre_transfer_plan(struct acre_transfer *transfer, const struct acre_holder *holder);

/* Submit everything planned, and write it into the maps: then the memory stays. Or nothing, and the maps are as
 * they were. Stalls, with
 * nothing submitted, on events that the queues can't wait for; and with everything submitted when it goes on.
 */
acre_status acre_transfer_run(struct acre_transfer *transfer, struct acre_stall *stall);

/* Free what was made in vain. */
void acre_transfer_undo(struct acre_transfer *transfer);
void acre_transfer_free(struct acre_transfer *transfer);

#endif
