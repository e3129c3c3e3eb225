/* examples/plugin/shadow.c: a whole backend outside of the library: two devices in the shadow of the host's
 * processor. Each has memory of its own, which the processor can address, and queues that work by themselves.
 * docs/backends.md walks through it.
 */
#include "acre/backend.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES = 2 };
static const uint64_t MEMORY = UINT64_C(1) << 30; /* of each device */

/* What the library's opaque handles are here. */

struct acre_backend_device {
    size_t index;
    pthread_mutex_t calling; /* calls of several queues share one worker */
};

struct acre_backend_memory {
    size_t device, bytes;
    char *data;
};

struct acre_backend_event {
    unsigned holds; /* its owner, the queue that it is recorded in, and those that wait for it */
    bool done;
};

struct work {
    struct work *next;
    enum { COPY, FILL, CALL, RECORD, WAIT } kind;
    void *to;
    const void *from;
    size_t count; /* bytes, or items of a call */
    uint8_t value;
    acre_backend_function *function;
    void *argument;
    acre_backend_event *event;
};

struct acre_backend_queue {
    acre_backend_device *device;
    pthread_t thread;
    struct work *first, **last;
    uint64_t given, done; /* how many pieces of work */
    bool ends;
};

static const acre_backend_services *services;

/* One lock for all queues and events, and one signal whenever one of them changes: simple, and good enough
 * where the devices are few. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static uint64_t used[DEVICES];

static acre_status out_of_memory(size_t bytes)
{
    return services->fail(ACRE_ERR_OUT_OF_MEMORY, "out of host memory: %zu bytes", bytes);
}

/* ---- probe ---- */

static acre_status start(const acre_backend_services *lent)
{
    services = lent;
    return ACRE_OK;
}

static acre_status device_count(size_t *count, char *reason, size_t size)
{
    /* Without any, *count = 0 and the reason why goes to `reason`: "no driver", "no card". */
    (void)reason;
    (void)size;
    *count = DEVICES;
    return ACRE_OK;
}

static acre_status device_properties(size_t index, acre_device_properties *properties)
{
    if (index >= DEVICES)
        return services->fail(ACRE_ERR_BACKEND, "there is no shadow:%zu, there are %d", index, (int)DEVICES);
    memset(properties, 0, sizeof(*properties));
    snprintf(properties->name, sizeof(properties->name), "shadow of the processor, number %zu", index);
    properties->memory_bytes = MEMORY;
    properties->workers = 1;
    properties->has_double = true;
    return ACRE_OK;
}

/* ---- device ---- */

static acre_status device_open(size_t index, acre_backend_device **device)
{
    if (index >= DEVICES)
        return services->fail(ACRE_ERR_BACKEND, "there is no shadow:%zu, there are %d", index, (int)DEVICES);
    acre_backend_device *made = malloc(sizeof(*made));
    if (!made)
        return out_of_memory(sizeof(*made));
    made->index = index;
    pthread_mutex_init(&made->calling, NULL);
    *device = made;
    return ACRE_OK;
}

static void device_close(acre_backend_device *device)
{
    pthread_mutex_destroy(&device->calling);
    free(device);
}

static acre_status device_memory(acre_backend_device *device, uint64_t *free_bytes, uint64_t *total_bytes)
{
    pthread_mutex_lock(&lock);
    *free_bytes = MEMORY - used[device->index];
    pthread_mutex_unlock(&lock);
    *total_bytes = MEMORY;
    return ACRE_OK;
}

/* ---- order: queues ---- */

/* With the lock held. */
static void drop(acre_backend_event *event)
{
    if (--event->holds == 0)
        free(event);
}

/* Work that needs nobody else: without the lock, as it takes long. */
static void perform(acre_backend_queue *queue, const struct work *work)
{
    if (work->count == 0)
        return;
    if (work->kind == COPY) {
        memmove(work->to, work->from, work->count);
    } else if (work->kind == FILL) {
        memset(work->to, work->value, work->count);
    } else if (work->kind == CALL) {
        pthread_mutex_lock(&queue->device->calling);
        work->function(work->argument, 0, work->count, 0);
        pthread_mutex_unlock(&queue->device->calling);
    }
}

/* The thread of a queue. It leaves when it is told to and nothing is left to do. */
static void *serve(void *argument)
{
    acre_backend_queue *queue = argument;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!queue->first && !queue->ends)
            pthread_cond_wait(&changed, &lock);
        struct work *work = queue->first;
        if (!work)
            break;
        while (work->kind == WAIT && !work->event->done)
            pthread_cond_wait(&changed, &lock);
        queue->first = work->next;
        if (!queue->first)
            queue->last = &queue->first;
        pthread_mutex_unlock(&lock);
        perform(queue, work);
        pthread_mutex_lock(&lock);
        if (work->kind == RECORD)
            work->event->done = true;
        if (work->event)
            drop(work->event);
        free(work);
        ++queue->done;
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static acre_status queue_create(acre_backend_device *device, acre_backend_queue **queue)
{
    acre_backend_queue *made = calloc(1, sizeof(*made));
    if (!made)
        return out_of_memory(sizeof(*made));
    made->device = device;
    made->last = &made->first;
    const int error = pthread_create(&made->thread, NULL, serve, made);
    if (error != 0) {
        free(made);
        return services->fail(ACRE_ERR_BACKEND, "shadow:%zu: no thread for a queue: %s", device->index,
                              strerror(error));
    }
    *queue = made;
    return ACRE_OK;
}

static void queue_destroy(acre_backend_queue *queue)
{
    pthread_mutex_lock(&lock);
    queue->ends = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(queue->thread, NULL);
    free(queue);
}

/* Nothing that a shadow has accepted can fail any more; a backend where it can returns the failure here, and
 * from event_wait, with the device's words left by services->fail. */
static acre_status queue_wait(acre_backend_queue *queue)
{
    pthread_mutex_lock(&lock);
    const uint64_t target = queue->given;
    while (queue->done < target)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return ACRE_OK;
}

static acre_status submit(acre_backend_queue *queue, struct work work)
{
    struct work *kept = malloc(sizeof(*kept));
    if (!kept)
        return out_of_memory(sizeof(*kept));
    *kept = work;
    kept->next = NULL;
    pthread_mutex_lock(&lock);
    if (kept->event)
        ++kept->event->holds;
    *queue->last = kept;
    queue->last = &kept->next;
    ++queue->given;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return ACRE_OK;
}

/* ---- order: events ---- */

static void event_free(acre_backend_event *event)
{
    pthread_mutex_lock(&lock);
    drop(event);
    pthread_mutex_unlock(&lock);
}

static acre_status event_record(acre_backend_queue *queue, acre_backend_event **event)
{
    acre_backend_event *made = calloc(1, sizeof(*made));
    if (!made)
        return out_of_memory(sizeof(*made));
    made->holds = 1;
    const acre_status status = submit(queue, (struct work){.kind = RECORD, .event = made});
    if (status != ACRE_OK)
        free(made);
    else
        *event = made;
    return status;
}

static acre_status event_query(acre_backend_event *event, bool *done)
{
    pthread_mutex_lock(&lock);
    *done = event->done;
    pthread_mutex_unlock(&lock);
    return ACRE_OK;
}

static acre_status event_wait(acre_backend_event *event)
{
    pthread_mutex_lock(&lock);
    while (!event->done)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return ACRE_OK;
}

static acre_status queue_wait_event(acre_backend_queue *queue, acre_backend_event *event)
{
    return submit(queue, (struct work){.kind = WAIT, .event = event});
}

/* ---- memory ---- */

static acre_status memory_alloc(acre_backend_device *device, size_t bytes, acre_backend_memory **memory)
{
    pthread_mutex_lock(&lock);
    const uint64_t left = MEMORY - used[device->index];
    if (bytes <= left)
        used[device->index] += bytes;
    pthread_mutex_unlock(&lock);
    if (bytes > left)
        return services->fail(ACRE_ERR_OUT_OF_MEMORY, "shadow:%zu: %zu bytes wanted, %llu are free",
                              device->index, bytes, (unsigned long long)left);
    acre_backend_memory *made = malloc(sizeof(*made));
    void *data = aligned_alloc(64, (bytes / 64 + 1) * 64);
    if (!made || !data) {
        free(made);
        free(data);
        pthread_mutex_lock(&lock);
        used[device->index] -= bytes;
        pthread_mutex_unlock(&lock);
        return out_of_memory(bytes);
    }
    made->device = device->index;
    made->bytes = bytes;
    made->data = data;
    *memory = made;
    return ACRE_OK;
}

static void memory_free(acre_backend_device *device, acre_backend_memory *memory)
{
    pthread_mutex_lock(&lock);
    used[device->index] -= memory->bytes;
    pthread_mutex_unlock(&lock);
    free(memory->data);
    free(memory);
}

static acre_status upload(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset,
                          const void *from, size_t bytes)
{
    return submit(queue, (struct work){.kind = COPY, .to = to->data + to_offset, .from = from, .count = bytes});
}

static acre_status download(acre_backend_queue *queue, void *to, const acre_backend_memory *from,
                            size_t from_offset, size_t bytes)
{
    return submit(queue,
                  (struct work){.kind = COPY, .to = to, .from = from->data + from_offset, .count = bytes});
}

/* Serves as peer_copy, too: one shadow reaches the other's memory as easily as its own. */
static acre_status copy(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset,
                        const acre_backend_memory *from, size_t from_offset, size_t bytes)
{
    return submit(queue, (struct work){.kind = COPY,
                                       .to = to->data + to_offset,
                                       .from = from->data + from_offset,
                                       .count = bytes});
}

static bool peer_reach(acre_backend_device *to, acre_backend_device *from)
{
    (void)to;
    (void)from;
    return true;
}

static acre_status fill(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset, size_t bytes,
                        uint8_t value)
{
    return submit(queue,
                  (struct work){.kind = FILL, .to = to->data + to_offset, .count = bytes, .value = value});
}

/* ---- kernels: the processor reaches the memory, so the library's own interpreter computes ---- */

static void *address(const acre_backend_memory *memory)
{
    return memory->data;
}

static acre_status call(acre_backend_queue *queue, acre_backend_function *function, void *argument,
                        size_t count)
{
    return submit(queue,
                  (struct work){.kind = CALL, .function = function, .argument = argument, .count = count});
}

static const acre_backend shadow = {
    .abi = ACRE_BACKEND_ABI,
    .size = sizeof(acre_backend),
    .name = "shadow",
    .description = "example of a plugin: devices in the shadow of the processor",
    .priority = -1, /* below the host: only who asks for it by name gets it */
    .start = start,
    .device_count = device_count,
    .device_properties = device_properties,
    .device_open = device_open,
    .device_close = device_close,
    .device_memory = device_memory,
    .queue_create = queue_create,
    .queue_destroy = queue_destroy,
    .queue_wait = queue_wait,
    .event_record = event_record,
    .event_query = event_query,
    .event_wait = event_wait,
    .queue_wait_event = queue_wait_event,
    .event_free = event_free,
    .memory_alloc = memory_alloc,
    .memory_free = memory_free,
    .upload = upload,
    .download = download,
    .copy = copy,
    .peer_reach = peer_reach,
    .peer_copy = copy,
    .fill = fill,
    .address = address,
    .call = call,
};

ACRE_API acre_backend_entry_function ACRE_BACKEND_ENTRY;

const acre_backend *ACRE_BACKEND_ENTRY(void)
{
    return &shadow;
}
