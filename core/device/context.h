/* core/device/context.h: the context: open devices, what is alive in it, its random sequence. */
#ifndef ACRE_CORE_DEVICE_CONTEXT_H
#define ACRE_CORE_DEVICE_CONTEXT_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/device/device.h"

/* Something alive in a context (an array): linked so that teardown can name it. */
struct acre_live {
    struct acre_live *previous, *next;
    const char *label;
    size_t bytes;
};

struct acre_context {
    atomic_size_t holds; /* the user, and every array and lattice */
    const acre_backend *backend;
    struct acre_device *devices;
    size_t device_count;
    int place_count;      /* 1 + the devices with memory of their own */
    pthread_mutex_t lock; /* guards `live` */
    struct acre_live *live;
    _Atomic uint64_t seed, draw;
};

/* Open every device of a given backend (what acre_context_create does with the selected one). */
acre_status acre_context_open(const acre_backend *backend, size_t device_count, acre_context **context);

void acre_context_hold(acre_context *context);
void acre_context_drop(acre_context *context);
void acre_context_enter(acre_context *context, struct acre_live *live);
void acre_context_leave(acre_context *context, struct acre_live *live);

/* The device whose memory is `place`; NULL for the host. */
struct acre_device *acre_context_device_at(const acre_context *context, acre_place place);
/* "host", or the device's name. */
const char *acre_context_place_name(const acre_context *context, acre_place place);

#endif
