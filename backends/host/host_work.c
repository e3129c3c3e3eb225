/* backends/host/host_work.c: what the host's queues do: copies, fills and calls, checked when they are given
 * and done when their turn comes. */
#include "backends/host/host.h"

#include <omp.h>
#include <string.h>

/* Are the bytes inside the memory, and is that at the device of this index? */
static acre_status check_range(size_t device, const acre_backend_memory *memory, size_t offset, size_t bytes)
{
    if (memory->device != device)
        return acre_host_services->fail(ACRE_ERR_BACKEND,
                                        "memory of host:%zu was given where memory of host:%zu is wanted",
                                        memory->device, device);
    if (offset > memory->bytes || bytes > memory->bytes - offset)
        return acre_host_services->fail(
            ACRE_ERR_BACKEND, "host:%zu: bytes [%zu, +%zu) are beyond the end of a block of %zu bytes", device,
            offset, bytes, memory->bytes);
    return ACRE_OK;
}

static acre_status submit_copy(acre_backend_queue *queue, void *to, const void *from, size_t bytes)
{
    const struct acre_host_operation copy = {.kind = ACRE_HOST_COPY, .to = to, .from = from, .count = bytes};
    return acre_host_queue_submit(queue, &copy);
}

acre_status acre_host_upload(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset,
                             const void *from, size_t bytes)
{
    const acre_status status = check_range(acre_host_queue_device(queue)->index, to, to_offset, bytes);
    return status == ACRE_OK ? submit_copy(queue, to->data + to_offset, from, bytes) : status;
}

acre_status acre_host_download(acre_backend_queue *queue, void *to, const acre_backend_memory *from,
                               size_t from_offset, size_t bytes)
{
    const acre_status status = check_range(acre_host_queue_device(queue)->index, from, from_offset, bytes);
    return status == ACRE_OK ? submit_copy(queue, to, from->data + from_offset, bytes) : status;
}

acre_status acre_host_copy(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset,
                           const acre_backend_memory *from, size_t from_offset, size_t bytes)
{
    const size_t device = acre_host_queue_device(queue)->index;
    acre_status status = check_range(device, to, to_offset, bytes);
    if (status == ACRE_OK)
        status = check_range(device, from, from_offset, bytes);
    return status == ACRE_OK ? submit_copy(queue, to->data + to_offset, from->data + from_offset, bytes)
                             : status;
}

bool acre_host_peer_reach(acre_backend_device *to, acre_backend_device *from)
{
    return to->options.peer && from->options.peer;
}

acre_status acre_host_peer_copy(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset,
                                const acre_backend_memory *from, size_t from_offset, size_t bytes)
{
    const acre_backend_device *device = acre_host_queue_device(queue);
    if (!device->options.peer)
        return acre_host_services->fail(ACRE_ERR_BACKEND, "host:%zu can't reach the memory of host:%zu",
                                        device->index, from->device);
    acre_status status = check_range(device->index, to, to_offset, bytes);
    if (status == ACRE_OK)
        status = check_range(from->device, from, from_offset, bytes);
    return status == ACRE_OK ? submit_copy(queue, to->data + to_offset, from->data + from_offset, bytes)
                             : status;
}

acre_status acre_host_fill(acre_backend_queue *queue, acre_backend_memory *to, size_t to_offset, size_t bytes,
                           uint8_t value)
{
    const acre_status status = check_range(acre_host_queue_device(queue)->index, to, to_offset, bytes);
    if (status != ACRE_OK)
        return status;
    const struct acre_host_operation fill = {.kind = ACRE_HOST_FILL,
                                             .to = to->data + to_offset,
                                             .count = bytes,
                                             .value = value};
    return acre_host_queue_submit(queue, &fill);
}

acre_status acre_host_call(acre_backend_queue *queue, acre_backend_function *function, void *argument,
                           size_t count)
{
    const struct acre_host_operation call = {.kind = ACRE_HOST_CALL,
                                             .function = function,
                                             .argument = argument,
                                             .count = count};
    return acre_host_queue_submit(queue, &call);
}

/* Contiguous shares, the same ones for the same count and team: what a worker touched first, it gets again. */
static void call_team(unsigned workers, acre_backend_function *function, void *argument, size_t count)
{
    const unsigned wanted = count < workers ? (unsigned)count : workers;
    if (wanted == 0)
        return;
    if (wanted == 1) {
        function(argument, 0, count, 0);
        return;
    }
#pragma omp parallel num_threads(wanted) default(none) shared(function, argument, count)
    {
        /* OpenMP may give fewer threads than wanted (one, inside another team), never more. */
        const size_t team = (size_t)omp_get_num_threads(), worker = (size_t)omp_get_thread_num();
        const size_t share = count / team, rest = count % team;
        const size_t begin = worker * share + (worker < rest ? worker : rest);
        const size_t end = begin + share + (worker < rest);
        if (begin < end)
            function(argument, begin, end, (unsigned)worker);
    }
}

void acre_host_perform(acre_backend_device *device, const struct acre_host_operation *operation)
{
    switch (operation->kind) {
    case ACRE_HOST_COPY:
        if (operation->count > 0)
            memmove(operation->to, operation->from, operation->count);
        return;
    case ACRE_HOST_FILL:
        if (operation->count > 0)
            memset(operation->to, operation->value, operation->count);
        return;
    case ACRE_HOST_CALL:
        if (acre_host_is_simulated(device))
            pthread_mutex_lock(&device->calling);
        call_team(device->workers, operation->function, operation->argument, operation->count);
        if (acre_host_is_simulated(device))
            pthread_mutex_unlock(&device->calling);
        return;
    case ACRE_HOST_RECORD:
    case ACRE_HOST_WAIT:
        return;
    }
}
