/* core/device/context.h: the context: open devices, what is alive in it, its random sequence. */
#ifndef ACRE_CORE_DEVICE_CONTEXT_H
#define ACRE_CORE_DEVICE_CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "core/device/choice.h"
#include "core/device/device.h"
#include "core/device/process.h"

/* Something alive in a context (an array): linked so that teardown can name it. */
struct acre_live {
    struct acre_live *previous, *next;
    const char *label;
    size_t bytes;
};

struct acre_context {
    atomic_size_t holds; /* the user, and every array and lattice */
    unsigned generation; /* of the process that made it */
    char *backends;      /* names of its devices' backends, joined by '+' */
    struct acre_device *devices;
    size_t device_count;
    int place_count;      /* 1 + the devices with memory of their own */
    pthread_mutex_t lock; /* guards `live` */
    struct acre_live *live;
    _Atomic uint64_t seed, draw;
    struct acre_memory *memory; /* what the memory manager keeps for it */
};

/* The memory manager's, which is built on top of this: called when the context's devices are open, when all
 * that was given to their queues is done, and before they are closed. */
acre_status acre_memory_open(acre_context *context);
void acre_memory_settle(acre_context *context);
void acre_memory_close(acre_context *context);

/* Open these devices, in this order. */
acre_status acre_context_open_choices(const struct acre_choice *choices, size_t count, acre_context **context);
/* Open the first `device_count` devices of a given backend. */
acre_status acre_context_open(const acre_backend *backend, size_t device_count, acre_context **context);

/* Fail with ACRE_ERR_BACKEND: this process was forked from the one that the context belongs to. */
acre_status acre_context_fail_forked(const acre_context *context);

/* Was this process forked from the one that the context belongs to? Then nothing may be asked of its devices:
 * their queues would never answer. */
static inline bool acre_context_is_foreign(const acre_context *context)
{
    return atomic_load_explicit(&acre_process_generation, memory_order_relaxed) != context->generation;
}

/* For whatever is about to use a context. Errors: ACRE_ERR_BACKEND, when it came by fork. */
static inline acre_status acre_context_check(const acre_context *context)
{
    return acre_context_is_foreign(context) ? acre_context_fail_forked(context) : ACRE_OK;
}

void acre_context_hold(acre_context *context);
void acre_context_drop(acre_context *context);
void acre_context_enter(acre_context *context, struct acre_live *live);
void acre_context_leave(acre_context *context, struct acre_live *live);

/* The device whose memory is `place`; NULL for the host. */
struct acre_device *acre_context_device_at(const acre_context *context, acre_place place);
/* "host", or the device's name. */
const char *acre_context_place_name(const acre_context *context, acre_place place);

#endif
