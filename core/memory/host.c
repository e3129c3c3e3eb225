/* core/memory/host.c: an array's memory on the host: pinned where a backend offers that, fenced with
 * ACRE_CHECK=1. */
#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "core/base/log.h"
#include "core/memory/array.h"
#include "core/memory/check.h"

/* Aliases want whole pages. */
enum { ALIGNMENT = 64, PAGE = 4096 };

/* The first device whose backend has memory that copies are fast with. */
static const struct acre_device *pinning_device(const acre_array *array)
{
    const acre_context *context = array->context;
    for (size_t i = 0; i < context->device_count; ++i)
        if (context->devices[i].place != ACRE_PLACE_HOST && context->devices[i].backend->host_alloc)
            return &context->devices[i];
    return NULL;
}

static size_t alignment_of(const acre_array *array)
{
    for (size_t i = 0; i < array->memory->device_count; ++i)
        if (array->memory->devices[i].shares)
            return PAGE;
    return ALIGNMENT;
}

/* Pinned memory is zeroed only where that is wanted; other memory is left untouched: its pages come to be near
 * the threads that use them first. */
static acre_status allocate(acre_array *array, size_t room)
{
    const struct acre_device *device = pinning_device(array);
    if (acre_fault_strikes(ACRE_FAULT_ALLOC))
        return acre_fault_fail(ACRE_FAULT_ALLOC, ACRE_ERR_OUT_OF_MEMORY);
    if (device && device->backend->host_alloc(device->handle, room, &array->host_block) == ACRE_OK) {
        array->host_kind = ACRE_HOST_PINNED;
        array->host_by = device;
        if (array->zeroed)
            memset(array->host_block, 0, room);
        return ACRE_OK;
    }
    if (device)
        acre_log(ACRE_LOG_INFO, "array '%s': no pinned memory: %s", acre_array_name(array), acre_message());
    array->host_kind = ACRE_HOST_OWN;
    array->host_block = array->zeroed ? calloc(1, room) : malloc(room);
    return array->host_block ? ACRE_OK : acre_fail(ACRE_ERR_OUT_OF_MEMORY, "%zu bytes", array->bytes);
}

acre_status acre_array_host_make(acre_array *array, bool *made)
{
    if (made)
        *made = false;
    if (array->host)
        return ACRE_OK;
    const size_t alignment = alignment_of(array), fence = array->memory->checks ? ACRE_FENCE_BYTES : 0;
    const acre_status status = allocate(array, array->bytes + alignment - 1 + 2 * fence);
    if (status != ACRE_OK)
        return acre_fail(status, "array '%s': out of host memory: %s", acre_array_name(array), acre_message());
    unsigned char *data = (unsigned char *)array->host_block + fence;
    array->host = data + (alignment - (uintptr_t)data % alignment) % alignment;
    if (fence > 0 && !array->zeroed)
        acre_check_poison(array->host, array->bytes);
    if (fence > 0)
        acre_check_fence(array->host, array->bytes);
    if (made)
        *made = true;
    acre_array_summarise(array);
    return ACRE_OK;
}

void acre_array_host_free(acre_array *array)
{
    if (array->host_block && array->host_kind == ACRE_HOST_PINNED)
        array->host_by->backend->host_free(array->host_by->handle, array->host_block);
    else if (array->host_kind == ACRE_HOST_OWN)
        free(array->host_block);
    array->host_kind = ACRE_HOST_OWN;
    array->host_block = NULL;
    array->host = NULL;
    acre_array_summarise(array);
}
