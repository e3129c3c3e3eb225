/* core/memory/async.c: copies that nobody waits for, waiting for all of them, and other whole-array calls. */
#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "core/memory/evict.h"
#include "core/memory/request.h"

acre_status acre_array_prefetch(acre_array *array, acre_place place, const acre_range *ranges, size_t count)
{
    struct acre_holder *holder;
    ACRE_TRY(acre_request_holder(array, place, ACRE_READ, ranges, count, false, true, "acre_array_prefetch", 0,
                                 &holder));
    holder->is_prefetch = true;
    struct acre_request request = {.memory = array->memory, .holders = &holder, .count = 1, .is_library = true};
    acre_memory_lock(array->memory);
    acre_status status = acre_request_acquire(&request);
    if (status == ACRE_OK)
        status = acre_request_release(holder, false, NULL);
    else
        free(holder);
    acre_events_free(&request.needs);
    acre_memory_unlock(array->memory);
    return status;
}

const void *acre_array_fetch(acre_array *array)
{
    void *address;
    if (acre_array_acquire_at(array, ACRE_PLACE_HOST, ACRE_READ, NULL, 0, &address, "acre_array_host", 0) !=
        ACRE_OK)
        return NULL;
    return acre_array_release(array, ACRE_PLACE_HOST, ACRE_READ, NULL, 0) == ACRE_OK ? address : NULL;
}

acre_status acre_array_write(acre_array *array, size_t offset, size_t bytes, const void *data)
{
    const acre_range range = {offset, bytes};
    void *address;
    if (bytes > 0 && !data)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_array_write: data is NULL");
    ACRE_TRY(
        acre_array_acquire_at(array, ACRE_PLACE_HOST, ACRE_WRITE, &range, 1, &address, "acre_array_write", 0));
    if (bytes > 0)
        memcpy((unsigned char *)address + offset, data, bytes);
    return acre_array_release(array, ACRE_PLACE_HOST, ACRE_WRITE, &range, 1);
}

/* Waiting. */

struct failure {
    const acre_array *array;
    acre_status status;
};

/* The first failure nobody was told of is the one that counts. */
static void note_fallen(void *user, const struct acre_interval *interval, acre_place place, bool lost,
                        struct acre_event *event)
{
    struct failure *failure = user;
    (void)lost;
    (void)place;
    if (failure->status != ACRE_OK || event->is_reported)
        return;
    failure->status = acre_fail(event->status, "array '%s': bytes [%zu, +%zu): %s failed: %s",
                                acre_array_name(failure->array), interval->offset, interval->bytes,
                                event->label, acre_event_tell(event));
}

static acre_status fail_lost(const acre_array *array)
{
    const struct acre_interval *at = acre_interval_map_find(&array->map, 0);
    while (at && !at->lost)
        at = acre_interval_map_next(&array->map, at);
    if (!at)
        return ACRE_OK;
    return acre_fail(ACRE_ERR_LOST, "array '%s': bytes [%zu, +%zu) were lost when %s failed: %s",
                     acre_array_name(array), at->offset, at->bytes, at->lost->label, acre_event_tell(at->lost));
}

acre_status acre_array_wait(acre_array *array)
{
    if (!array)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_array_wait: array is NULL");
    ACRE_TRY(acre_context_check(array->context));
    const acre_range all = {0, array->bytes};
    struct failure failure = {.array = array};
    struct acre_event *event;
    acre_memory_lock(array->memory);
    for (acre_place place = 0; place < array->context->place_count; ++place)
        while ((event = acre_array_pending(array, place, &all, 1, true)))
            acre_event_wait(event);
    acre_interval_map_settle(&array->map, 0, array->bytes, note_fallen, &failure);
    acre_array_summarise(array);
    if (array->map.bad > 0)
        failure.status = fail_lost(array);
    acre_memory_unlock(array->memory);
    return failure.status;
}

/* Giving up. */

/* With the lock held: one handle, as far as it goes without waiting. */
static acre_status evict_some(acre_array *array, acre_place place, struct acre_stall *stall, bool *more)
{
    struct acre_handle *handle = array->handles;
    while (handle && !(handle->ownership == ACRE_HANDLE_OWNED && !handle->retired &&
                       handle->owner->device->place == place))
        handle = handle->next;
    *more = handle != NULL;
    if (!handle)
        return ACRE_OK;
    if (handle->users > 0)
        return acre_fail(ACRE_ERR_CONFLICT, "array '%s': its memory at %s for bytes [%zu, +%zu) is held",
                         acre_array_name(array), acre_context_place_name(array->context, place),
                         handle->covers.offset, handle->covers.bytes);
    return acre_evict_handle(handle, stall, more);
}

acre_status acre_array_evict(acre_array *array, acre_place place)
{
    if (!array)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_array_evict: array is NULL");
    ACRE_TRY(acre_context_check(array->context));
    if (place < 1 || place >= array->context->place_count)
        return acre_fail(ACRE_ERR_ARGUMENT, "array '%s': nothing is given up at place %d, only at 1 to %d",
                         acre_array_name(array), place, array->context->place_count - 1);
    acre_status status = ACRE_OK;
    bool more = true;
    acre_memory_lock(array->memory);
    while (status == ACRE_OK && more) {
        struct acre_stall stall = {0};
        acre_events_poll(array->memory);
        status = evict_some(array, place, &stall, &more);
        if (!stall.event)
            continue;
        more = true;
        acre_event_wait(stall.event);
        if (status == ACRE_OK && stall.makes_room && stall.event->status != ACRE_OK) {
            status = acre_fail(stall.event->status, "array '%s': %s failed: %s", acre_array_name(array),
                               stall.event->label, acre_event_tell(stall.event));
        }
        acre_event_drop(stall.event);
    }
    acre_memory_unlock(array->memory);
    return status;
}
