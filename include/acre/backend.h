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

/* Raised whenever a slot changes its meaning or place; new slots at the end only change `size`. */
#define ACRE_BACKEND_ABI 1u

/* A plugin is a shared object named acre_NAME.so that exports one function of this name and type. The table it
 * returns lives as long as the process. */
#define ACRE_BACKEND_ENTRY acre_backend_entry
typedef struct acre_backend acre_backend;
typedef const acre_backend *acre_backend_entry_function(void);

enum acre_log_level { ACRE_LOG_ERROR, ACRE_LOG_WARNING, ACRE_LOG_INFO, ACRE_LOG_DEBUG };

/* What the library lends a backend. */
typedef struct acre_backend_services {
    size_t size;
    /* One line to the log; no newline at the end. */
    void (*log)(enum acre_log_level level, const char *format, ...) ACRE_PRINTF(2, 3);
    /* Keep the message for this thread and return the status. */
    acre_status (*fail)(acre_status status, const char *format, ...) ACRE_PRINTF(2, 3);
    /* This thread's latest message, to carry it to another thread. */
    const char *(*message)(void);
    /* The value of one of acre's environment variables, its default when it is unset; NULL: no such variable.
     */
    const char *(*option)(const char *name);
    /* The same, read as a whole number, as a size in bytes (512M), or as a number or range of numbers (0-300).
     * Malformed or out of bounds: ACRE_ERR_ENVIRONMENT, with a message that says what the variable takes. */
    acre_status (*option_number)(const char *name, uint64_t least, uint64_t most, uint64_t *value);
    acre_status (*option_size)(const char *name, uint64_t least, uint64_t most, uint64_t *bytes);
    acre_status (*option_range)(const char *name, uint64_t most, uint64_t range[2]);
} acre_backend_services;

/* Opaque to the library, each the backend's own structure. */
typedef struct acre_backend_device acre_backend_device;
typedef struct acre_backend_queue acre_backend_queue;
typedef struct acre_backend_memory acre_backend_memory;
typedef struct acre_backend_event acre_backend_event;

typedef struct acre_device_properties {
    char name[128];        /* the hardware, in words */
    char pci[32];          /* "0000:3b:00.0", or "" for a device that is not on PCI: equal ones are one card */
    uint64_t memory_bytes; /* 0: not known */
    unsigned workers;      /* the most workers `call` uses at a time, at least 1 */
    bool is_host_memory;   /* computes in the host's own memory: no handle and no copy is ever needed */
    bool is_processor;     /* a CPU: ACRE_BACKEND=auto passes it over, the host backend serves it better */
    bool has_double;       /* double precision is there */
} acre_device_properties;

/* A function of the library run by `call`: items [begin, end), in worker `worker` < properties.workers.
 * No two calls run at one time with the same worker number. */
typedef void acre_backend_function(void *argument, size_t begin, size_t end, unsigned worker);

struct acre_backend {
    uint32_t abi;            /* ACRE_BACKEND_ABI */
    uint32_t size;           /* sizeof(acre_backend) as the backend was compiled */
    const char *name;        /* what ACRE_BACKEND calls it: lower-case letters and digits */
    const char *description; /* one line for people */
    int priority;            /* with ACRE_BACKEND=auto the highest that has a device wins; the host is 0 */

    /* ---- probe ---- */

    /* required. Called once, before any other slot. */
    acre_status (*start)(const acre_backend_services *services);
    /* required. How many devices there are. None: 0, with the reason as text in reason[size]. */
    acre_status (*device_count)(size_t *count, char *reason, size_t size);
    /* required. Properties of device `index` < count. */
    acre_status (*device_properties)(size_t index, acre_device_properties *properties);

    /* ---- device ---- */

    /* required. A device may be open more than once. */
    acre_status (*device_open)(size_t index, acre_backend_device **device);
    void (*device_close)(acre_backend_device *device);
    /* optional. Bytes free and in all, now. Without it the budget starts from properties.memory_bytes. */
    acre_status (*device_memory)(acre_backend_device *device, uint64_t *free_bytes, uint64_t *total_bytes);

    /* ---- order ---- */

    /* required. A queue runs what is given to it in order, while the caller goes on. `queue_wait` returns when
     * all of it is done, with the first failure since the last wait, and the failed work's own words as its
     * message. */
    acre_status (*queue_create)(acre_backend_device *device, acre_backend_queue **queue);
    void (*queue_destroy)(acre_backend_queue *queue);
    acre_status (*queue_wait)(acre_backend_queue *queue);
    /* required unless every device has is_host_memory. An event stands for everything given to the queue so
     * far. `event_wait` blocks until that is done and returns the status of the latest piece of it: a failure
     * after submission (of a kernel or a copy), with its message; it may be called by any thread, any number of
     * times. `event_query` says whether it would block. `queue_wait_event` makes a queue (of any device of this
     * backend) wait without blocking the caller. An event may be freed while a queue still waits for it. */
    acre_status (*event_record)(acre_backend_queue *queue, acre_backend_event **event);
    acre_status (*event_query)(acre_backend_event *event, bool *done);
    acre_status (*event_wait)(acre_backend_event *event);
    acre_status (*queue_wait_event)(acre_backend_queue *queue, acre_backend_event *event);
    void (*event_free)(acre_backend_event *event);
    /* optional. Seconds between two events of one queue that are done. */
    acre_status (*event_elapsed)(acre_backend_event *from, acre_backend_event *to, double *seconds);

    /* ---- memory ---- */

    /* required unless every device has is_host_memory. Uninitialised memory, aligned to 64 bytes at least;
     * too little: ACRE_ERR_OUT_OF_MEMORY. Freeing waits for nothing: the library does before. */
    acre_status (*memory_alloc)(acre_backend_device *device, size_t bytes, acre_backend_memory **memory);
    void (*memory_free)(acre_backend_device *device, acre_backend_memory *memory);
    /* required unless every device has is_host_memory. Copies in queue order; the host range must stay as it is
     * until the queue has done it. A status that is not ACRE_OK means that nothing was submitted. */
    acre_status (*upload)(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset,
                          const void *from, size_t bytes);
    acre_status (*download)(acre_backend_queue *queue, void *to, const acre_backend_memory *from,
                            size_t from_offset, size_t bytes);
    /* optional: within one device. Without it, the copy is staged through the host. */
    acre_status (*copy)(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset,
                        const acre_backend_memory *from, size_t from_offset, size_t bytes);
    /* optional, both or none: between devices of this backend. `peer_reach` says whether there is a direct
     * path; `peer_copy` runs on the queue of the device that gets the bytes. Without them, staged through the
     * host. */
    bool (*peer_reach)(acre_backend_device *to, acre_backend_device *from);
    acre_status (*peer_copy)(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset,
                             const acre_backend_memory *from, size_t from_offset, size_t bytes);
    /* optional. Every byte of the range becomes `value`. Without it, uploaded. */
    acre_status (*fill)(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset, size_t bytes,
                        uint8_t value);
    /* optional, both or none: host memory that copies to and from the device are fast with. Without them,
     * malloc. */
    acre_status (*host_alloc)(acre_backend_device *device, size_t bytes, void **memory);
    void (*host_free)(acre_backend_device *device, void *memory);
    /* optional, both or none: the same for host memory that is there already. */
    acre_status (*host_register)(acre_backend_device *device, void *memory, size_t bytes);
    void (*host_unregister)(acre_backend_device *device, void *memory);
    /* optional. A handle for host memory that the device reads and writes itself (one memory for both): no copy
     * is ever made, memory_free drops the handle only. `map` and `unmap` (optional, both or none) bracket the
     * host's use of it where the runtime wants that; `writes`: the host will write. */
    acre_status (*memory_alias)(acre_backend_device *device, void *host, size_t bytes,
                                acre_backend_memory **memory);
    acre_status (*map)(acre_backend_queue *queue, acre_backend_memory *memory, size_t offset, size_t bytes,
                       bool writes);
    acre_status (*unmap)(acre_backend_queue *queue, acre_backend_memory *memory, size_t offset, size_t bytes);
    /* optional. The runtime's own objects, for users who mix acre with their own calls: a stream, a buffer or
     * pointer. */
    void *(*native_queue)(acre_backend_queue *queue);
    void *(*native_memory)(acre_backend_memory *memory);

    /* ---- kernels ---- */

    /* Host-addressable devices (the CPU can reach their memory): both or none, but `address` is not needed
     * where every device has is_host_memory. `address` is the place of a piece of memory; `call` runs the
     * function over [0, count) in queue order, split over workers; `argument` must live until it is done. */
    void *(*address)(const acre_backend_memory *memory);
    acre_status (*call)(acre_backend_queue *queue, acre_backend_function *function, void *argument,
                        size_t count);
};

#ifdef __cplusplus
}
#endif
#endif
