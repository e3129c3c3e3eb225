/* acre/memory.h: the memory of a context as a whole: waiting for it, and what was copied in it. */
#ifndef ACRE_MEMORY_H
#define ACRE_MEMORY_H

#include "acre/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Wait until everything that was given to the devices is done.
 * Errors: that of the first kernel or copy which failed after it was submitted, since the last such call. */
ACRE_API acre_status acre_context_wait(acre_context *context);

typedef struct acre_copied {
    uint64_t copies, bytes;
} acre_copied;

/* Counted since the context was made. With ACRE_STATS=1 they are printed when it is taken down. */
typedef struct acre_statistics {
    uint64_t kernels;
    acre_copied uploads, downloads, peers; /* host to device, device to host, device to device */
    uint64_t allocations;                  /* of device memory, by a backend */
    uint64_t pool_hits;                    /* by a freed block instead */
    uint64_t evictions;                    /* handles given up for others */
    uint64_t evicted_bytes;
    uint64_t waits; /* times that a caller was blocked until something was done */
} acre_statistics;

ACRE_API acre_status acre_context_statistics(acre_context *context, acre_statistics *statistics);

/* What was copied from one place to another; from one to itself: what moved there. Errors: ACRE_ERR_ARGUMENT
 * (no such place). */
ACRE_API acre_status acre_context_copied(acre_context *context, acre_place from, acre_place to,
                                         acre_copied *copied);

#ifdef __cplusplus
}
#endif
#endif
