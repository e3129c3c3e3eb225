/* backends/host/host.h: what the files of the host backend share: its options, devices, queues and events. */
#ifndef ACRE_BACKENDS_HOST_HOST_H
#define ACRE_BACKENDS_HOST_HOST_H

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#include "acre/backend.h"

enum { ACRE_HOST_MOST_DEVICES = 64, ACRE_HOST_ALIGNMENT = 64 };

/* What fills the memory of simulated devices when it is allocated, when it is freed and where a copy fails: not
 * a number in every precision, so that a copy that was forgotten shows. */
enum { ACRE_HOST_POISON = 0xFF };

/* As lent at start. */
extern const acre_backend_services *acre_host_services;

/* How many bytes of the host's own memory there are; 0: not known. */
uint64_t acre_host_physical_memory(void);

/* ---- options ---- */

struct acre_host_options {
    size_t devices;        /* simulated ones; 0: the host itself is the only device */
    uint64_t memory_bytes; /* of each */
    bool peer;             /* they reach each other */
    uint64_t delay[2];     /* microseconds before each operation, from and to */
};

/* The ACRE_HOST_ variables as they are now. Errors: ACRE_ERR_ENVIRONMENT. */
acre_status acre_host_options_read(struct acre_host_options *options);

/* ---- devices and their memory ---- */

struct acre_backend_device {
    size_t index;
    struct acre_host_options options; /* as they were when it was opened */
    unsigned workers;
    pthread_mutex_t calling; /* of several queues one calls at a time: workers' numbers are the device's */
};

static inline bool acre_host_is_simulated(const acre_backend_device *device)
{
    return device->options.devices > 0;
}

struct acre_backend_memory {
    size_t device; /* index */
    size_t bytes;
    unsigned char *data;
};

/* Workers of a device when `devices` are simulated (0: none is). */
unsigned acre_host_workers(size_t devices);

acre_status acre_host_device_open(size_t index, acre_backend_device **device);
void acre_host_device_close(acre_backend_device *device);
acre_status acre_host_device_memory(acre_backend_device *device, uint64_t *free_bytes, uint64_t *total_bytes);
acre_status acre_host_memory_alloc(acre_backend_device *device, size_t bytes, acre_backend_memory **memory);
void acre_host_memory_free(acre_backend_device *device, acre_backend_memory *memory);
acre_status acre_host_pinned_alloc(acre_backend_device *device, size_t bytes, void **memory);
void acre_host_pinned_free(acre_backend_device *device, void *memory);
void *acre_host_memory_address(const acre_backend_memory *memory);

/* ---- what a queue does ---- */

enum acre_host_kind { ACRE_HOST_COPY, ACRE_HOST_FILL, ACRE_HOST_CALL, ACRE_HOST_RECORD, ACRE_HOST_WAIT };

struct acre_host_operation {
    struct acre_host_operation *next;
    enum acre_host_kind kind;
    void *to; /* copy, fill */
    const void *from;
    size_t count;  /* bytes, or items of a call */
    uint8_t value; /* fill */
    acre_backend_function *function;
    void *argument;
    acre_backend_event *event; /* record, wait */
};

acre_status acre_host_upload(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset,
                             const void *from, size_t bytes);
acre_status acre_host_download(acre_backend_queue *queue, void *to, const acre_backend_memory *from,
                               size_t from_offset, size_t bytes);
acre_status acre_host_copy(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset,
                           const acre_backend_memory *from, size_t from_offset, size_t bytes);
bool acre_host_peer_reach(acre_backend_device *to, acre_backend_device *from);
acre_status acre_host_peer_copy(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset,
                                const acre_backend_memory *from, size_t from_offset, size_t bytes);
acre_status acre_host_fill(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset, size_t bytes,
                           uint8_t value);
acre_status acre_host_call(acre_backend_queue *queue, acre_backend_function *function, void *argument,
                           size_t count);

/* Do a copy, a fill or a call, now. */
void acre_host_perform(acre_backend_device *device, const struct acre_host_operation *operation);

/* ---- queues ---- */

acre_status acre_host_queue_create(acre_backend_device *device, acre_backend_queue **queue);
void acre_host_queue_destroy(acre_backend_queue *queue);
acre_status acre_host_queue_wait(acre_backend_queue *queue);
acre_backend_device *acre_host_queue_device(const acre_backend_queue *queue);

/* Give the queue an operation; a queue of the host itself does it before this returns. Errors:
 * ACRE_ERR_OUT_OF_MEMORY. */
acre_status acre_host_queue_submit(acre_backend_queue *queue, const struct acre_host_operation *operation);

/* For tests: let the n-th copy, fill or call from now on (1: the next one the queue comes to) fail when its
 * turn comes; 0: none. */
void acre_host_queue_fail_late(acre_backend_queue *queue, unsigned n);

/* ---- events ---- */

acre_status acre_host_event_record(acre_backend_queue *queue, acre_backend_event **event);
acre_status acre_host_event_query(acre_backend_event *event, bool *done);
acre_status acre_host_event_wait(acre_backend_event *event);
acre_status acre_host_queue_wait_event(acre_backend_queue *queue, acre_backend_event *event);
void acre_host_event_free(acre_backend_event *event);
acre_status acre_host_event_elapsed(acre_backend_event *from, acre_backend_event *to, double *seconds);

/* For queues. The work before the event is done, or has failed with these words. */
void acre_host_event_finish(acre_backend_event *event, acre_status status, const char *words);
/* Block until that was said. */
void acre_host_event_block(acre_backend_event *event);

#endif
