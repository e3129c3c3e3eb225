/* core/memory/memory.h: what the memory manager keeps for a context: its lock, and for each device the work in
 * flight, the handles by age, the pool and the budget. */
#ifndef ACRE_CORE_MEMORY_MEMORY_H
#define ACRE_CORE_MEMORY_MEMORY_H

#include <pthread.h>
#include <stdatomic.h>

#include "acre/memory.h"
#include "core/device/context.h"
#include "core/memory/event.h"
#include "core/memory/fault.h"
#include "core/memory/pool.h"
#include "core/memory/record.h"

struct acre_handle;

/* Devices that are one card share its memory. */
struct acre_card {
    uint64_t budget, used; /* bytes; UINT64_MAX: no limit known */
};

struct acre_device_memory {
    struct acre_memory *memory;
    struct acre_device *device;
    unsigned index;                     /* among the context's devices, and of its queue in the maps */
    struct acre_event *oldest, *newest; /* work in its queue that isn't known to be done */
    unsigned pending;
    struct acre_card *card;
    struct acre_pool pool;
    struct acre_handle *least_used, *most_used; /* its owned handles by last use */
    bool shares; /* its handles may be aliases of the host's memory, as far as is known */
};

struct acre_memory {
    acre_context *context;
    pthread_mutex_t lock; /* guards everything of the context's arrays, and what follows */
    pthread_cond_t released;
    unsigned waiting; /* threads that wait for holders to go */
    bool checks;      /* ACRE_CHECK */
    bool may_alias;   /* some device may use the host's memory */
    uint64_t works, uses;
    struct acre_event *finished; /* done, and to be told so without the lock */
    struct acre_event *late;     /* the first failure after submission that acre_context_wait has to tell */

    _Atomic bool is_recorded;
    struct acre_recorder recorder;

    acre_statistics statistics;
    acre_copied *copied; /* [from][to] */
    size_t device_count;
    struct acre_card *cards;
    struct acre_device_memory devices[];
};

static inline void acre_memory_lock(struct acre_memory *memory)
{
    pthread_mutex_lock(&memory->lock);
}
void acre_memory_unlock(struct acre_memory *memory);

/* The device whose memory is `place`; NULL for the host. */
struct acre_device_memory *acre_memory_at(struct acre_memory *memory, acre_place place);
struct acre_device_memory *acre_memory_of(struct acre_memory *memory, const struct acre_device *device);

/* Holders went: wake whoever waits for that. */
static inline void acre_memory_released(struct acre_memory *memory)
{
    if (memory->waiting)
        pthread_cond_broadcast(&memory->released);
}

#endif
