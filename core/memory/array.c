/* core/memory/array.c: making and freeing arrays, their host memory and their handles at devices. */
#include "core/memory/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "core/base/log.h"

enum { ALIGNMENT = 64 };

const char *acre_array_name(const acre_array *array)
{
    return array->label[0] ? array->label : "(no label)";
}

/* Everything but the context's list. */
static void free_parts(acre_array *array)
{
    while (array->holders) {
        struct acre_holder *holder = array->holders;
        acre_log(ACRE_LOG_WARNING, "array '%s' destroyed while held for %s at %s by %s:%d",
                 acre_array_name(array), acre_access_name(holder->access),
                 acre_context_place_name(array->context, holder->place), holder->file, holder->line);
        array->holders = holder->next;
        free(holder);
    }
    while (array->handles)
        acre_array_handle_free(array, array->handles->device);
    acre_array_host_free(array);
    acre_interval_map_free(&array->map);
    pthread_mutex_destroy(&array->lock);
    free(array->label);
    free(array);
}

/* No memory is behind the zeros of a new zeroed array: they count as the host's, whose memory is made zero. */
static acre_status fill_map(acre_array *array)
{
    ACRE_TRY(acre_interval_map_init(&array->map, array->bytes, array->context->place_count));
    return array->zeroed ? acre_interval_map_only(&array->map, 0, array->bytes, ACRE_PLACE_HOST) : ACRE_OK;
}

acre_status acre_array_create(acre_context *context, size_t bytes, bool zeroed, const char *label,
                              acre_array **array)
{
    if (!context || !array)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_array_create: %s is NULL", context ? "array" : "context");
    *array = NULL;
    if (bytes > PTRDIFF_MAX)
        return acre_fail(ACRE_ERR_ARGUMENT, "array '%s': %zu bytes are more than an address can reach",
                         label ? label : "(no label)", bytes);
    acre_array *made = calloc(1, sizeof(*made));
    if (!made)
        return acre_fail_memory(sizeof(*made));
    if (pthread_mutex_init(&made->lock, NULL) != 0) {
        free(made);
        return acre_fail(ACRE_ERR_OUT_OF_MEMORY, "no mutex to be had for an array");
    }
    made->context = context;
    made->bytes = bytes;
    made->zeroed = zeroed;
    atomic_init(&made->version, 0);
    made->label = strdup(label ? label : "");
    acre_status status = made->label ? fill_map(made) : acre_fail_memory(strlen(label ? label : "") + 1);
    if (status != ACRE_OK) {
        free_parts(made);
        return status;
    }
    made->live.label = made->label;
    made->live.bytes = bytes;
    acre_context_hold(context);
    acre_context_enter(context, &made->live);
    *array = made;
    return ACRE_OK;
}

void acre_array_destroy(acre_array *array)
{
    if (!array)
        return;
    acre_context *context = array->context;
    acre_context_leave(context, &array->live);
    free_parts(array);
    acre_context_drop(context);
}

size_t acre_array_bytes(const acre_array *array)
{
    return array->bytes;
}

const char *acre_array_label(const acre_array *array)
{
    return array->label;
}

uint64_t acre_array_version(const acre_array *array)
{
    return atomic_load(&array->version);
}

/* Left untouched: its pages come to be near the threads that use them first. */
acre_status acre_array_host_make(acre_array *array)
{
    if (array->host)
        return ACRE_OK;
    const size_t room = array->bytes + ALIGNMENT - 1;
    void *block = array->zeroed ? calloc(1, room) : malloc(room);
    if (!block)
        return acre_fail(ACRE_ERR_OUT_OF_MEMORY, "array '%s': out of host memory: %zu bytes",
                         acre_array_name(array), array->bytes);
    array->host_block = block;
    array->host = (unsigned char *)block + (ALIGNMENT - (uintptr_t)block % ALIGNMENT) % ALIGNMENT;
    return ACRE_OK;
}

void acre_array_host_free(acre_array *array)
{
    free(array->host_block);
    array->host_block = NULL;
    array->host = NULL;
}

struct acre_handle *acre_array_handle_find(const acre_array *array, const struct acre_device *device)
{
    struct acre_handle *handle = array->handles;
    while (handle && handle->device != device)
        handle = handle->next;
    return handle;
}

acre_status acre_array_handle_make(acre_array *array, struct acre_device *device)
{
    if (acre_array_handle_find(array, device))
        return ACRE_OK;
    struct acre_handle *handle = calloc(1, sizeof(*handle));
    if (!handle)
        return acre_fail_memory(sizeof(*handle));
    handle->device = device;
    handle->covers = (acre_range){0, array->bytes};
    handle->owned = true;
    const acre_status status = device->backend->memory_alloc(device->handle, array->bytes, &handle->memory);
    if (status != ACRE_OK) {
        free(handle);
        return acre_fail(status, "array '%s': no %zu bytes at %s: %s", acre_array_name(array), array->bytes,
                         device->name, acre_message());
    }
    handle->next = array->handles;
    array->handles = handle;
    return ACRE_OK;
}

void acre_array_handle_free(acre_array *array, const struct acre_device *device)
{
    struct acre_handle **link = &array->handles;
    while (*link && (*link)->device != device)
        link = &(*link)->next;
    struct acre_handle *handle = *link;
    if (!handle)
        return;
    *link = handle->next;
    if (handle->owned)
        handle->device->backend->memory_free(handle->device->handle, handle->memory);
    free(handle);
}
