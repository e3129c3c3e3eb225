/* core/memory/transfer.c: which parts are missing, where each comes from, and the copies. */
#include "core/memory/transfer.h"

#include <stdio.h>

#include "core/base/fail.h"
#include "core/memory/copy.h"

/* The map changes that one copy makes: three, each of which splits two intervals. */
enum { NODES_PER_COPY = 6 };

static struct acre_copy *copy_at(const struct acre_transfer *transfer, size_t i)
{
    return (struct acre_copy *)(void *)transfer->copies.data + i;
}

static size_t copy_count(const struct acre_transfer *transfer)
{
    return transfer->copies.size / sizeof(struct acre_copy);
}

/* Memory. */

acre_status acre_transfer_host(struct acre_transfer *transfer, acre_array *array)
{
    bool made;
    ACRE_TRY(acre_array_host_make(array, &made));
    if (!made)
        return ACRE_OK;
    const acre_status status = acre_buffer_append(&transfer->hosts, &array, sizeof(array));
    if (status != ACRE_OK)
        acre_array_host_free(array);
    return status;
}

acre_status acre_transfer_handle(struct acre_transfer *transfer, acre_array *array,
                                 struct acre_device_memory *owner, acre_range range,
                                 struct acre_handle **handle, struct acre_stall *stall)
{
    bool fresh = false;
    *handle = acre_handle_find(array, owner, range);
    if (!*handle)
        ACRE_TRY(acre_handle_make(array, owner, range, handle, &fresh, stall));
    if (!*handle)
        return ACRE_OK;
    acre_status status = ACRE_OK;
    if (fresh)
        status = acre_buffer_append(&transfer->handles, handle, sizeof(*handle));
    if (status != ACRE_OK) {
        acre_handle_free(*handle);
        *handle = NULL;
        return status;
    }
    acre_handle_use(*handle);
    return ACRE_OK;
}

void acre_transfer_undo(struct acre_transfer *transfer)
{
    struct acre_handle **handles = (struct acre_handle **)(void *)transfer->handles.data;
    acre_array **arrays = (acre_array **)(void *)transfer->hosts.data;
    for (size_t i = 0; i < transfer->handles.size / sizeof(*handles); ++i)
        acre_handle_free(handles[i]);
    for (size_t i = 0; i < transfer->hosts.size / sizeof(*arrays); ++i)
        acre_array_host_free(arrays[i]);
    transfer->handles.size = transfer->hosts.size = 0;
}

void acre_transfer_free(struct acre_transfer *transfer)
{
    for (size_t i = 0; i < copy_count(transfer); ++i)
        acre_event_drop(copy_at(transfer, i)->event);
    acre_buffer_free(&transfer->copies);
    acre_buffer_free(&transfer->hosts);
    acre_buffer_free(&transfer->handles);
}

/* Planning. */

/* Add a copy, or lengthen the one before it that it goes on from. `*number` is the copy's, from 1. */
static acre_status plan_copy(struct acre_transfer *transfer, const struct acre_copy *copy, size_t *number)
{
    const size_t count = copy_count(transfer);
    for (size_t back = 1; back <= 2 && back <= count; ++back) {
        struct acre_copy *last = copy_at(transfer, count - back);
        if (last->array == copy->array && last->offset + last->bytes == copy->offset &&
            last->from_handle == copy->from_handle && last->to_handle == copy->to_handle &&
            last->after == copy->after) {
            last->bytes += copy->bytes;
            *number = count - back + 1;
            return ACRE_OK;
        }
    }
    ACRE_TRY(acre_buffer_append(&transfer->copies, copy, sizeof(*copy)));
    *number = count + 1;
    return ACRE_OK;
}

static bool has_direct_path(const struct acre_device_memory *to, const struct acre_device_memory *from)
{
    const acre_backend *backend = to->device->backend;
    return backend == from->device->backend && backend->peer_copy &&
           backend->peer_reach(to->device->handle, from->device->handle);
}

/* A handle that has the byte, and whose place has its newest value; `to` (may be NULL): with a direct path
 * there.
 */
static struct acre_handle *source_of(const acre_array *array, const struct acre_interval *interval, size_t at,
                                     const struct acre_device_memory *to)
{
    for (struct acre_handle *handle = array->handles; handle; handle = handle->next)
        if (handle->ownership != ACRE_HANDLE_ALIAS && !handle->retired && handle->owner != to &&
            acre_interval_has(interval, handle->owner->device->place) && at >= handle->covers.offset &&
            at - handle->covers.offset < handle->covers.bytes && (!to || has_direct_path(to, handle->owner)))
            return handle;
    return NULL;
}

/* From a device to the host, and on from there unless that is all. Across backends no queue can wait for the
 * first copy: the second is made when it is done. */
static acre_status plan_staged(struct acre_transfer *transfer, struct acre_copy copy)
{
    const struct acre_copy second = copy;
    size_t first;
    copy.to = ACRE_PLACE_HOST;
    copy.to_handle = NULL;
    ACRE_TRY(acre_transfer_host(transfer, copy.array));
    ACRE_TRY(plan_copy(transfer, &copy, &first));
    if (!second.to_handle)
        return ACRE_OK;
    if (copy.from_handle->owner->device->backend != second.to_handle->owner->device->backend) {
        transfer->goes_on = true;
        return ACRE_OK;
    }
    copy = second;
    copy.from = ACRE_PLACE_HOST;
    copy.from_handle = NULL;
    copy.after = first;
    return plan_copy(transfer, &copy, &first);
}

/* The part of the range from `at` on that one interval, and one source, have; *next is where it ends. */
static acre_status plan_part(struct acre_transfer *transfer, const struct acre_holder *holder, size_t at,
                             size_t end, size_t *next)
{
    acre_array *array = holder->array;
    const struct acre_interval *interval = acre_interval_map_find(&array->map, at);
    size_t stop = interval->offset + interval->bytes, number;
    *next = stop = stop < end ? stop : end;
    if (interval->undefined || interval->lost || acre_interval_has(interval, holder->home))
        return ACRE_OK;

    struct acre_handle *to = holder->home == ACRE_PLACE_HOST ? NULL : holder->handle;
    struct acre_copy copy = {.array = array,
                             .offset = at,
                             .to = holder->home,
                             .to_handle = to,
                             .file = holder->file,
                             .line = holder->line};
    struct acre_handle *direct = to ? source_of(array, interval, at, to->owner) : NULL;
    const bool from_host = !direct && acre_interval_has(interval, ACRE_PLACE_HOST);
    struct acre_handle *from = direct ? direct : from_host ? NULL : source_of(array, interval, at, NULL);
    if (!from && !from_host) /* the map is wrong, then */
        return acre_fail(ACRE_ERR_LOST, "array '%s': bytes [%zu, +%zu) are at no place", acre_array_name(array),
                         at, stop - at);
    if (from && from->covers.offset + from->covers.bytes < stop)
        *next = stop = from->covers.offset + from->covers.bytes;
    copy.bytes = stop - at;
    copy.from = from ? from->owner->device->place : ACRE_PLACE_HOST;
    copy.from_handle = from;
    if (from && !direct)
        return plan_staged(transfer, copy);
    if (from_host)
        ACRE_TRY(acre_transfer_host(transfer, array));
    return plan_copy(transfer, &copy, &number);
}

acre_status acre_transfer_plan(struct acre_transfer *transfer, const struct acre_holder *holder)
{
    for (size_t i = 0; i < holder->count; ++i) {
        const size_t end = holder->sorted[i].offset + holder->sorted[i].bytes;
        for (size_t at = holder->sorted[i].offset; at < end;)
            ACRE_TRY(plan_part(transfer, holder, at, end, &at));
    }
    return ACRE_OK;
}

/* Running. */

static struct acre_event *event_before(const struct acre_transfer *transfer, const struct acre_copy *copy)
{
    return copy->after ? copy_at(transfer, copy->after - 1)->event : NULL;
}

static acre_status reserve(const struct acre_transfer *transfer)
{
    const size_t count = copy_count(transfer);
    acre_status status = ACRE_OK;
    for (size_t i = 0; i < count; ++i)
        copy_at(transfer, i)->array->wanted += NODES_PER_COPY;
    for (size_t i = 0; i < count && status == ACRE_OK; ++i) {
        acre_array *array = copy_at(transfer, i)->array;
        status = acre_interval_map_reserve(&array->map, array->promised + array->wanted);
    }
    for (size_t i = 0; i < count; ++i)
        copy_at(transfer, i)->array->wanted = 0;
    return status;
}

/* Copies under way use memory that is about to be freed. */
static void take_back(struct acre_transfer *transfer, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        acre_event_drain(copy_at(transfer, i)->event);
}

acre_status acre_transfer_run(struct acre_transfer *transfer, struct acre_stall *stall)
{
    const size_t count = copy_count(transfer);
    for (size_t i = 0; i < count; ++i) {
        struct acre_event *blocked = acre_copy_is_blocked(copy_at(transfer, i), NULL);
        if (blocked) {
            stall->event = acre_event_hold(blocked);
            return ACRE_OK;
        }
    }
    ACRE_TRY(reserve(transfer));
    for (size_t i = 0; i < count; ++i) {
        struct acre_copy *copy = copy_at(transfer, i);
        const acre_status status = acre_copy_submit(copy, event_before(transfer, copy));
        if (status != ACRE_OK) {
            char why[1024];
            snprintf(why, sizeof(why), "%s", acre_message());
            take_back(transfer, i);
            return acre_fail(status, "%s", why);
        }
    }
    for (size_t i = 0; i < count; ++i)
        acre_copy_note(copy_at(transfer, i));
    transfer->handles.size = transfer->hosts.size = 0; /* they are in use now */
    if (transfer->goes_on)
        stall->event = acre_event_hold(copy_at(transfer, count - 1)->event);
    return ACRE_OK;
}
