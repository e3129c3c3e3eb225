/* core/memory/alias.c: mapping and unmapping the aliases of an array's host memory. */
#include "core/memory/alias.h"

#include "core/base/fail.h"
#include "core/base/log.h"

/* Aliases whose runtime wants to be told, of devices other than the one that knows already. */
static bool wants(const struct acre_handle *handle, const struct acre_device_memory *but)
{
    return handle->ownership == ACRE_HANDLE_ALIAS && handle->owner->device->backend->map &&
           handle->owner != but;
}

static acre_status map_one(struct acre_handle *handle, acre_range range, bool writes, struct acre_event **event)
{
    const struct acre_device *device = handle->owner->device;
    struct acre_event *made;
    ACRE_TRY(acre_event_make(handle->array->memory, handle->owner, ACRE_EVENT_COPY, "the mapping of an array",
                             NULL, &made));
    const acre_status status =
        device->backend->map(device->queue, handle->memory, acre_handle_offset(handle, range.offset),
                             range.bytes, writes);
    if (status != ACRE_OK) {
        acre_event_drop(made);
        return acre_fail(status, "array '%s': bytes [%zu, +%zu) at %s are not to be mapped: %s",
                         acre_array_name(handle->array), range.offset, range.bytes, device->name,
                         acre_message());
    }
    acre_event_submitted(made);
    *event = made;
    return ACRE_OK;
}

/* The handle must not go before its queue has done this. */
static void unmap_one(struct acre_handle *handle, acre_range range)
{
    const struct acre_device *device = handle->owner->device;
    struct acre_event *made = NULL;
    if (device->backend->unmap(device->queue, handle->memory, acre_handle_offset(handle, range.offset),
                               range.bytes) != ACRE_OK) {
        acre_log(ACRE_LOG_ERROR, "array '%s': bytes [%zu, +%zu) at %s are not to be unmapped: %s",
                 acre_array_name(handle->array), range.offset, range.bytes, device->name, acre_message());
        return;
    }
    if (acre_event_make(handle->array->memory, handle->owner, ACRE_EVENT_COPY, "the unmapping of an array",
                        NULL, &made) == ACRE_OK)
        acre_event_submitted(made);
    else
        (void)device->backend->queue_wait(device->queue);
    acre_event_drop(handle->unmapped);
    handle->unmapped = made;
}

/* Map all; `queue` waits for it, or else the caller. After a failure none is mapped. */
static acre_status map_all(acre_array *array, acre_range range, bool writes, struct acre_device_memory *queue)
{
    acre_status status = ACRE_OK;
    struct acre_handle *handle = array->handles;
    for (; handle && status == ACRE_OK; handle = handle->next) {
        struct acre_event *event = NULL;
        if (!wants(handle, queue))
            continue;
        status = map_one(handle, range, writes, &event);
        if (status != ACRE_OK)
            break;
        if (queue && !acre_event_is_beyond(queue, event)) {
            status = acre_event_order(queue, event);
        } else {
            acre_event_drain(event);
            if (event->status != ACRE_OK)
                status = acre_fail(event->status, "%s failed: %s", event->label, acre_event_tell(event));
        }
        acre_event_drop(event);
    }
    for (struct acre_handle *mapped = array->handles; status != ACRE_OK && mapped != handle;
         mapped = mapped->next)
        if (wants(mapped, queue))
            unmap_one(mapped, range);
    return status;
}

acre_status acre_alias_map(acre_array *array, acre_range range, bool writes)
{
    return map_all(array, range, writes, NULL);
}

void acre_alias_unmap(acre_array *array, acre_range range)
{
    for (struct acre_handle *handle = array->handles; handle; handle = handle->next)
        if (wants(handle, NULL))
            unmap_one(handle, range);
}

acre_status acre_alias_map_for(acre_array *array, acre_range range, bool writes,
                               struct acre_device_memory *queue)
{
    return map_all(array, range, writes, queue);
}

void acre_alias_unmap_after(acre_array *array, acre_range range, struct acre_device_memory *queue,
                            struct acre_event *copy)
{
    for (struct acre_handle *handle = array->handles; handle; handle = handle->next) {
        if (!wants(handle, queue))
            continue;
        if (copy &&
            (acre_event_is_beyond(handle->owner, copy) || acre_event_order(handle->owner, copy) != ACRE_OK))
            acre_event_drain(copy);
        unmap_one(handle, range);
    }
}
