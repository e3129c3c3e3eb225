/* tests/mock_backend.c: the mock backend: deferred queues, poisoned memory, failures to order. */
#include "mock_backend.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct acre_backend_device {
    size_t index;
};

struct acre_backend_memory {
    size_t bytes;
    size_t device;
    unsigned char *data;
};

enum kind { COPY, CALL };

struct operation {
    struct operation *next;
    enum kind kind;
    void *to;
    const void *from;
    size_t bytes;
    acre_backend_function *function;
    void *argument;
};

struct acre_backend_queue {
    size_t device;
    struct operation *first, **last;
};

static const acre_backend_services *services;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned countdown[MOCK_OPERATIONS];
static struct mock_count counts;

static const char *const operation_names[MOCK_OPERATIONS] = {"open",   "queue",    "alloc",
                                                             "upload", "download", "wait"};

void mock_fail(enum mock_operation operation, unsigned n)
{
    pthread_mutex_lock(&lock);
    countdown[operation] = n;
    pthread_mutex_unlock(&lock);
}

struct mock_count mock_count(void)
{
    pthread_mutex_lock(&lock);
    const struct mock_count now = counts;
    pthread_mutex_unlock(&lock);
    return now;
}

static void count(int *what, int step)
{
    pthread_mutex_lock(&lock);
    *what += step;
    pthread_mutex_unlock(&lock);
}

/* Is it this operation's turn to fail? */
static acre_status turn(enum mock_operation operation, acre_status failure)
{
    pthread_mutex_lock(&lock);
    const bool fails = countdown[operation] > 0 && --countdown[operation] == 0;
    pthread_mutex_unlock(&lock);
    /* The brackets keep Check's macro `fail` away. */
    return fails ? (services->fail)(failure, "the mock's %s was told to fail", operation_names[operation])
                 : ACRE_OK;
}

static acre_status start(const acre_backend_services *lent)
{
    services = lent;
    return ACRE_OK;
}

static acre_status device_count(size_t *number, char *reason, size_t size)
{
    (void)reason;
    (void)size;
    *number = MOCK_DEVICES;
    return ACRE_OK;
}

static acre_status device_properties(size_t index, acre_device_properties *properties)
{
    *properties = (acre_device_properties){.workers = 2, .has_double = true};
    snprintf(properties->name, sizeof(properties->name), "mock device %zu", index);
    return ACRE_OK;
}

static acre_status device_open(size_t index, acre_backend_device **device)
{
    const acre_status status = turn(MOCK_OPEN, ACRE_ERR_BACKEND);
    if (status != ACRE_OK)
        return status;
    *device = malloc(sizeof(**device));
    ck_assert_ptr_nonnull(*device);
    (*device)->index = index;
    count(&counts.devices, 1);
    return ACRE_OK;
}

static void device_close(acre_backend_device *device)
{
    free(device);
    count(&counts.devices, -1);
}

static acre_status queue_create(acre_backend_device *device, acre_backend_queue **queue)
{
    const acre_status status = turn(MOCK_QUEUE, ACRE_ERR_BACKEND);
    if (status != ACRE_OK)
        return status;
    *queue = calloc(1, sizeof(**queue));
    ck_assert_ptr_nonnull(*queue);
    (*queue)->device = device->index;
    (*queue)->last = &(*queue)->first;
    count(&counts.queues, 1);
    return ACRE_OK;
}

static void submit(acre_backend_queue *queue, struct operation what)
{
    struct operation *operation = malloc(sizeof(*operation));
    ck_assert_ptr_nonnull(operation);
    *operation = what;
    operation->next = NULL;
    pthread_mutex_lock(&lock);
    *queue->last = operation;
    queue->last = &operation->next;
    ++counts.pending;
    pthread_mutex_unlock(&lock);
}

static void perform(const struct operation *operation)
{
    if (operation->kind == COPY) {
        memcpy(operation->to, operation->from, operation->bytes);
        return;
    }
    const size_t half = operation->bytes / 2;
    operation->function(operation->argument, 0, half, 0);
    operation->function(operation->argument, half, operation->bytes, 1);
}

/* The queue's operations are taken out first, so that threads that wait at once each perform their share. A
 * second wait could overtake the first: hence one wait at a time. */
static acre_status queue_wait(acre_backend_queue *queue)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&one_at_a_time);
    pthread_mutex_lock(&lock);
    struct operation *operation = queue->first;
    queue->first = NULL;
    queue->last = &queue->first;
    pthread_mutex_unlock(&lock);

    const acre_status status = operation ? turn(MOCK_WAIT, ACRE_ERR_BACKEND) : ACRE_OK;
    while (operation) {
        struct operation *next = operation->next;
        if (status == ACRE_OK)
            perform(operation);
        free(operation);
        operation = next;
        count(&counts.pending, -1);
    }
    pthread_mutex_unlock(&one_at_a_time);
    return status;
}

static void queue_destroy(acre_backend_queue *queue)
{
    ck_assert_ptr_null(queue->first);
    free(queue);
    count(&counts.queues, -1);
}

static acre_status memory_alloc(acre_backend_device *device, size_t bytes, acre_backend_memory **memory)
{
    const acre_status status = turn(MOCK_ALLOC, ACRE_ERR_OUT_OF_MEMORY);
    if (status != ACRE_OK)
        return status;
    ck_assert_uint_gt(bytes, 0);
    *memory = malloc(sizeof(**memory));
    ck_assert_ptr_nonnull(*memory);
    (*memory)->bytes = bytes;
    (*memory)->device = device->index;
    void *data = NULL;
    ck_assert_int_eq(posix_memalign(&data, 64, bytes), 0);
    (*memory)->data = data;
    memset(data, MOCK_POISON, bytes);
    count(&counts.blocks, 1);
    return ACRE_OK;
}

static void memory_free(acre_backend_device *device, acre_backend_memory *memory)
{
    ck_assert_uint_eq(memory->device, device->index);
    ck_assert_int_eq(mock_count().pending, 0);
    memset(memory->data, MOCK_POISON, memory->bytes);
    free(memory->data);
    free(memory);
    count(&counts.blocks, -1);
}

static void check_range(const acre_backend_queue *queue, const acre_backend_memory *memory, size_t offset,
                        size_t bytes)
{
    ck_assert_uint_eq(memory->device, queue->device);
    ck_assert_uint_gt(bytes, 0);
    ck_assert_uint_le(offset, memory->bytes);
    ck_assert_uint_le(bytes, memory->bytes - offset);
}

static acre_status upload(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset,
                          const void *from, size_t bytes)
{
    check_range(queue, to, to_offset, bytes);
    const acre_status status = turn(MOCK_UPLOAD, ACRE_ERR_BACKEND);
    if (status == ACRE_OK)
        submit(queue,
               (struct operation){.kind = COPY, .to = to->data + to_offset, .from = from, .bytes = bytes});
    return status;
}

static acre_status download(acre_backend_queue *queue, void *to, const acre_backend_memory *from,
                            size_t from_offset, size_t bytes)
{
    check_range(queue, from, from_offset, bytes);
    const acre_status status = turn(MOCK_DOWNLOAD, ACRE_ERR_BACKEND);
    if (status == ACRE_OK)
        submit(queue,
               (struct operation){.kind = COPY, .to = to, .from = from->data + from_offset, .bytes = bytes});
    return status;
}

static void *address(const acre_backend_memory *memory)
{
    return memory->data;
}

static acre_status call(acre_backend_queue *queue, acre_backend_function *function, void *argument,
                        size_t number)
{
    submit(queue,
           (struct operation){.kind = CALL, .function = function, .argument = argument, .bytes = number});
    return ACRE_OK;
}

#define SHARED_SLOTS                                                                                           \
    .abi = ACRE_BACKEND_ABI, .size = sizeof(acre_backend), .priority = -1, .start = start,                     \
    .device_count = device_count, .device_properties = device_properties, .device_open = device_open,          \
    .device_close = device_close, .queue_create = queue_create, .queue_destroy = queue_destroy,                \
    .queue_wait = queue_wait, .memory_alloc = memory_alloc, .memory_free = memory_free, .upload = upload,      \
    .download = download

const acre_backend mock_backend = {
    SHARED_SLOTS, .name = "mock", .description = "devices for tests", .address = address, .call = call,
};

const acre_backend mock_far_backend = {
    SHARED_SLOTS,
    .name = "mockfar",
    .description = "devices for tests, out of the host's reach",
};

acre_context *mock_context(size_t number)
{
    acre_context *context;
    ck_assert_msg(acre_context_open(&mock_backend, number, &context) == ACRE_OK, "%s", acre_message());
    return context;
}
