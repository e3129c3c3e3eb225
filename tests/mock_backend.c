/* tests/mock_backend.c: the mock backends: devices, poisoned memory, the tables. */
#include "mock_backend.h"

#include <check.h>
#include <string.h>

#include "mock_queue.h"

static bool one_card;

void mock_one_card(bool is_one)
{
    one_card = is_one;
}

static acre_status start(const acre_backend_services *lent)
{
    mock_queues_start();
    mock_services = lent;
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
    if (one_card)
        snprintf(properties->pci, sizeof(properties->pci), "0000:00:00.0");
    return ACRE_OK;
}

static acre_status device_open(size_t index, acre_backend_device **device)
{
    const acre_status status = mock_turn(MOCK_OPEN, ACRE_ERR_BACKEND);
    if (status != ACRE_OK)
        return status;
    *device = malloc(sizeof(**device));
    mock_must(*device != NULL);
    (*device)->index = index;
    mock_step(&mock_counts.devices, 1);
    return ACRE_OK;
}

static void device_close(acre_backend_device *device)
{
    free(device);
    mock_step(&mock_counts.devices, -1);
}

/* Memory. */

static acre_status make_memory(acre_backend_device *device, size_t bytes, unsigned char *data, bool is_alias,
                               acre_backend_memory **memory)
{
    *memory = malloc(sizeof(**memory));
    mock_must(*memory != NULL);
    **memory = (acre_backend_memory){bytes, device->index, is_alias, data};
    mock_step(&mock_counts.blocks, 1);
    return ACRE_OK;
}

static acre_status memory_alloc(acre_backend_device *device, size_t bytes, acre_backend_memory **memory)
{
    const acre_status status = mock_turn(MOCK_ALLOC, ACRE_ERR_OUT_OF_MEMORY);
    if (status != ACRE_OK)
        return status;
    mock_must(bytes > 0);
    void *data = NULL;
    mock_must(posix_memalign(&data, 64, bytes) == 0);
    memset(data, MOCK_POISON, bytes);
    return make_memory(device, bytes, data, false, memory);
}

static acre_status memory_alias(acre_backend_device *device, void *host, size_t bytes,
                                acre_backend_memory **memory)
{
    return make_memory(device, bytes, host, true, memory);
}

/* Nothing that is still to be done uses it. */
static void memory_free(acre_backend_device *device, acre_backend_memory *memory)
{
    mock_must(memory->device == device->index);
    mock_must(!mock_is_used(memory));
    mock_step(&mock_counts.blocks, -1);
    if (!memory->is_alias) {
        memset(memory->data, MOCK_POISON, memory->bytes);
        free(memory->data);
    }
    free(memory);
}

static acre_status host_alloc(acre_backend_device *device, size_t bytes, void **memory)
{
    (void)device;
    *memory = malloc(bytes);
    mock_must(*memory != NULL);
    memset(*memory, MOCK_POISON, bytes);
    mock_step(&mock_counts.pinned, 1);
    return ACRE_OK;
}

static void host_free(acre_backend_device *device, void *memory)
{
    (void)device;
    free(memory);
    mock_step(&mock_counts.pinned, -1);
}

static void check_range(const acre_backend_memory *memory, size_t offset, size_t bytes)
{
    mock_must(bytes > 0);
    mock_must(offset <= memory->bytes);
    mock_must(bytes <= memory->bytes - offset);
}

static acre_status upload(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset,
                          const void *from, size_t bytes)
{
    check_range(to, to_offset, bytes);
    mock_must(to->device == queue->device);
    const acre_status status = mock_turn(MOCK_UPLOAD, ACRE_ERR_BACKEND);
    if (status == ACRE_OK)
        mock_submit(queue, (struct operation){.kind = COPY,
                                              .to = to->data + to_offset,
                                              .from = from,
                                              .bytes = bytes,
                                              .memories = {to}});
    return status;
}

static acre_status download(acre_backend_queue *queue, void *to, const acre_backend_memory *from,
                            size_t from_offset, size_t bytes)
{
    check_range(from, from_offset, bytes);
    mock_must(from->device == queue->device);
    const acre_status status = mock_turn(MOCK_DOWNLOAD, ACRE_ERR_BACKEND);
    if (status == ACRE_OK)
        mock_submit(queue, (struct operation){.kind = COPY,
                                              .to = to,
                                              .from = from->data + from_offset,
                                              .bytes = bytes,
                                              .memories = {from}});
    return status;
}

static acre_status copy(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset,
                        const acre_backend_memory *from, size_t from_offset, size_t bytes)
{
    check_range(to, to_offset, bytes);
    check_range(from, from_offset, bytes);
    mock_must(to->device == queue->device);
    const acre_status status = mock_turn(MOCK_PEER, ACRE_ERR_BACKEND);
    if (status == ACRE_OK)
        mock_submit(queue, (struct operation){.kind = COPY,
                                              .to = to->data + to_offset,
                                              .from = from->data + from_offset,
                                              .bytes = bytes,
                                              .memories = {to, from}});
    return status;
}

static bool peer_reach(acre_backend_device *to, acre_backend_device *from)
{
    return to->index != from->index && to->index != 2;
}

static acre_status fill(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset, size_t bytes,
                        uint8_t value)
{
    check_range(to, to_offset, bytes);
    unsigned char *kept = malloc(1);
    mock_must(kept != NULL);
    *kept = value;
    mock_submit(queue, (struct operation){.kind = FILL,
                                          .to = to->data + to_offset,
                                          .bytes = bytes,
                                          .argument = kept,
                                          .memories = {to}});
    return ACRE_OK;
}

static acre_status map(acre_backend_queue *queue, acre_backend_memory *memory, size_t offset, size_t bytes,
                       bool writes)
{
    (void)writes;
    check_range(memory, offset, bytes);
    mock_submit(queue, (struct operation){.kind = MAP, .step = 1, .memories = {memory}});
    return ACRE_OK;
}

static acre_status unmap(acre_backend_queue *queue, acre_backend_memory *memory, size_t offset, size_t bytes)
{
    check_range(memory, offset, bytes);
    mock_submit(queue, (struct operation){.kind = MAP, .step = -1, .memories = {memory}});
    return ACRE_OK;
}

static void *address(const acre_backend_memory *memory)
{
    return memory->data;
}

static acre_status call(acre_backend_queue *queue, acre_backend_function *function, void *argument,
                        size_t number)
{
    const acre_status status = mock_turn(MOCK_CALL, ACRE_ERR_BACKEND);
    if (status == ACRE_OK)
        mock_submit(queue, (struct operation){
                               .kind = CALL, .function = function, .argument = argument, .bytes = number});
    return status;
}

#define SHARED_SLOTS                                                                                           \
    .abi = ACRE_BACKEND_ABI, .size = sizeof(acre_backend), .priority = -1, .start = start,                     \
    .device_count = device_count, .device_properties = device_properties, .device_open = device_open,          \
    .device_close = device_close, .queue_create = mock_queue_create, .queue_destroy = mock_queue_destroy,      \
    .queue_wait = mock_queue_wait, .event_record = mock_event_record, .event_query = mock_event_query,         \
    .event_wait = mock_event_wait, .queue_wait_event = mock_queue_wait_event, .event_free = mock_event_free,   \
    .memory_alloc = memory_alloc, .memory_free = memory_free, .upload = upload, .download = download

const acre_backend mock_backend = {
    SHARED_SLOTS, .name = "mock", .description = "devices for tests", .address = address, .call = call,
};

const acre_backend mock_far_backend = {
    SHARED_SLOTS,
    .name = "mockfar",
    .description = "devices for tests, out of the host's reach",
};

const acre_backend mock_peer_backend = {
    SHARED_SLOTS,
    .name = "mockpeer",
    .description = "devices for tests that reach each other",
    .copy = copy,
    .peer_reach = peer_reach,
    .peer_copy = copy,
    .fill = fill,
    .host_alloc = host_alloc,
    .host_free = host_free,
    .address = address,
    .call = call,
};

const acre_backend mock_alias_backend = {
    SHARED_SLOTS,
    .name = "mockalias",
    .description = "devices for tests that use the host's memory",
    .memory_alias = memory_alias,
    .map = map,
    .unmap = unmap,
    .address = address,
    .call = call,
};

acre_context *mock_context_of(const acre_backend *backend, size_t number)
{
    acre_context *context;
    ck_assert_msg(acre_context_open(backend, number, &context) == ACRE_OK, "%s", acre_message());
    return context;
}

acre_context *mock_context(size_t number)
{
    return mock_context_of(&mock_backend, number);
}
