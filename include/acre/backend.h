/* acre/backend.h: the contract between acre and a backend. A backend sees this header alone, and the
 * services handed to it at start. Slots are marked required or optional; what the library does without an
 * optional one is said there. No slot uses an ambient current device: everything hangs on opaque handles
 * which are the backend's own structures. Any slot may be called from several threads at once. Every slot
 * that returns acre_status must have left a message with services->fail when it returns anything but ACRE_OK.
 */
#ifndef ACRE_BACKEND_H
#define ACRE_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acre/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Raised whenever a slot changes its meaning; new slots at the end only change `size`. */
#define ACRE_BACKEND_ABI 1u

enum acre_log_level { ACRE_LOG_ERROR, ACRE_LOG_WARNING, ACRE_LOG_INFO, ACRE_LOG_DEBUG };

/* What the library lends a backend. */
typedef struct acre_backend_services {
    size_t size;
    /* One line to the log; no newline at the end. */
    void (*log)(enum acre_log_level level, const char *format, ...) ACRE_PRINTF(2, 3);
    /* Keep the message for this thread and return the status. */
    acre_status (*fail)(acre_status status, const char *format, ...) ACRE_PRINTF(2, 3);
} acre_backend_services;

typedef struct acre_backend_device acre_backend_device;
typedef struct acre_backend_queue acre_backend_queue;
typedef struct acre_backend_memory acre_backend_memory;

typedef struct acre_device_properties {
    char name[128];        /* the hardware, in words */
    uint64_t memory_bytes; /* 0: not known */
    unsigned workers;      /* the most workers `call` uses at a time, at least 1 */
    bool is_host_memory;   /* computes in the host's own memory: no handle and no copy is ever needed */
    bool has_double;       /* double precision is there */
} acre_device_properties;

/* A function of the library run by `call`: items [begin, end), in worker `worker` < properties.workers.
 * No two calls run at one time with the same worker number. */
typedef void acre_backend_function(void *argument, size_t begin, size_t end, unsigned worker);

typedef struct acre_backend {
    uint32_t abi;            /* ACRE_BACKEND_ABI */
    uint32_t size;           /* sizeof(acre_backend) as the backend was compiled */
    const char *name;        /* what ACRE_BACKEND calls it: lower-case letters and digits */
    const char *description; /* one line for people */
    int priority;            /* with ACRE_BACKEND=auto the highest that has a device wins; the host is 0 */

    /* required. Called once, before any other slot. */
    acre_status (*start)(const acre_backend_services *services);
    /* required. How many devices there are. None: 0, with the reason as text in reason[size]. */
    acre_status (*device_count)(size_t *count, char *reason, size_t size);
    /* required. Properties of device `index` < count. */
    acre_status (*device_properties)(size_t index, acre_device_properties *properties);
    /* required. */
    acre_status (*device_open)(size_t index, acre_backend_device **device);
    void (*device_close)(acre_backend_device *device);

    /* required. A queue runs what is given to it in order. `queue_wait` returns when all of it is done,
     * with the first failure among it. */
    acre_status (*queue_create)(acre_backend_device *device, acre_backend_queue **queue);
    void (*queue_destroy)(acre_backend_queue *queue);
    acre_status (*queue_wait)(acre_backend_queue *queue);

    /* required unless every device has is_host_memory. Uninitialised memory, aligned to 64 bytes at least;
     * too little: ACRE_ERR_OUT_OF_MEMORY. */
    acre_status (*memory_alloc)(acre_backend_device *device, size_t bytes, acre_backend_memory **memory);
    void (*memory_free)(acre_backend_device *device, acre_backend_memory *memory);
    /* required unless every device has is_host_memory. The host range must stay as it is until the queue
     * has done it. */
    acre_status (*upload)(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset,
                          const void *from, size_t bytes);
    acre_status (*download)(acre_backend_queue *queue, void *to, const acre_backend_memory *from,
                            size_t from_offset, size_t bytes);
    /* optional: within one device. Without it, the copy is staged through the host. */
    acre_status (*copy)(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset,
                        const acre_backend_memory *from, size_t from_offset, size_t bytes);

    /* Host-addressable devices (the CPU can reach their memory): both or none, but `address` is not needed
     * where every device has is_host_memory. `address` is the place of a piece of memory; `call` runs the
     * function over [0, count) in queue order, split over workers. */
    void *(*address)(const acre_backend_memory *memory);
    acre_status (*call)(acre_backend_queue *queue, acre_backend_function *function, void *argument,
                        size_t count);
} acre_backend;

#ifdef __cplusplus
}
#endif
#endif
