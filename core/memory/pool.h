/* core/memory/pool.h: blocks of device memory: from the pool of freed ones, else from the backend. The blocks
 * of a pool are idle: no work uses them any more. For callers that hold the memory lock. */
#ifndef ACRE_CORE_MEMORY_POOL_H
#define ACRE_CORE_MEMORY_POOL_H

#include <stdbool.h>

#include "acre/backend.h"

struct acre_device_memory;

struct acre_block {
    struct acre_block *next; /* in the pool */
    acre_backend_memory *memory;
    size_t bytes;
};

struct acre_pool {
    struct acre_block *blocks;
    uint64_t bytes;
};

/* A block of at least `bytes` bytes within the budget; NULL, and the status ACRE_OK, when the budget is used
 * up.
 * `*could`: it could be had if other memory were given up first. Errors: ACRE_ERR_OUT_OF_MEMORY, and those of
 * the backend. */
acre_status acre_pool_take(struct acre_device_memory *owner, size_t bytes, struct acre_block **block,
                           bool *could);
/* Give a block back; it must be idle. */
void acre_pool_give(struct acre_device_memory *owner, struct acre_block *block);
/* Free the pool's blocks. */
void acre_pool_trim(struct acre_device_memory *owner);

#endif
