/* core/memory/widen.c: a handle taking the place of narrower ones. Their bytes move within the device and are
 * waited for, so that a move that fails loses nothing. It is rare: arrays are mostly used in the same pieces.
 */
#include "core/memory/widen.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/base/fail.h"
#include "core/memory/array.h"
#include "core/memory/copy.h"
#include "core/memory/evict.h"

static bool overlaps(acre_range a, acre_range b)
{
    return a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

static bool is_meant(const struct acre_handle *handle, const struct acre_device_memory *owner, acre_range range)
{
    return handle->owner == owner && !handle->retired && overlaps(handle->covers, range);
}

bool acre_widen_range(const acre_array *array, const struct acre_device_memory *owner, acre_range *range)
{
    bool any = false, grown;
    do {
        grown = false;
        for (const struct acre_handle *handle = array->handles; handle; handle = handle->next) {
            if (!is_meant(handle, owner, *range))
                continue;
            const acre_range old = *range;
            const size_t end = old.offset + old.bytes, other = handle->covers.offset + handle->covers.bytes;
            any = true;
            range->offset = handle->covers.offset < old.offset ? handle->covers.offset : old.offset;
            range->bytes = (end > other ? end : other) - range->offset;
            grown = grown || range->bytes != old.bytes;
        }
    } while (grown);
    return any;
}

static acre_status fail_held(const acre_array *array, const struct acre_handle *handle,
                             const struct acre_holder *holder)
{
    return acre_fail(
        ACRE_ERR_CONFLICT,
        "array '%s': its memory at %s for bytes [%zu, +%zu) can't move to become wider: %s:%d holds it "
        "for %s",
        acre_array_name(array), handle->owner->device->name, handle->covers.offset, handle->covers.bytes,
        holder->file, holder->line, acre_access_name(holder->access));
}

acre_status acre_widen_check(const acre_array *array, const struct acre_device_memory *owner, acre_range range,
                             struct acre_stall *stall)
{
    for (const struct acre_handle *handle = array->handles; handle; handle = handle->next) {
        if (!is_meant(handle, owner, range))
            continue;
        if (handle->ownership == ACRE_HANDLE_BORROWED)
            return acre_fail(
                ACRE_ERR_CONFLICT,
                "array '%s': at %s it uses memory of the user's for bytes [%zu, +%zu), which can't "
                "become wider: take it back first",
                acre_array_name(array), owner->device->name, handle->covers.offset, handle->covers.bytes);
        for (const struct acre_holder *holder = array->holders; holder; holder = holder->next) {
            if (holder->handle != handle || !acre_access_writes(holder->access))
                continue;
            if (!acre_holder_may_wait_for(holder, stall->may_wait_for_views))
                return fail_held(array, handle, holder);
            stall->on_views = true;
            return ACRE_OK;
        }
    }
    return ACRE_OK;
}

void acre_widen_hold(acre_array *array, const struct acre_device_memory *owner, acre_range range, bool holds)
{
    for (struct acre_handle *handle = array->handles; handle; handle = handle->next)
        if (is_meant(handle, owner, range))
            handle->users += holds ? 1u : -1u;
}

/* Within the device, by way of the host where the backend can't do better. */
static acre_status move(const struct acre_copy *wanted)
{
    struct acre_copy copies[2] = {*wanted, *wanted};
    size_t count = 1;
    unsigned char *staged = NULL;
    acre_status status = ACRE_OK;
    if (!wanted->to_handle->owner->device->backend->copy) {
        staged = malloc(wanted->bytes);
        if (!staged)
            return acre_fail_memory(wanted->bytes);
        copies[0].host = copies[1].host = staged;
        copies[0].to_handle = copies[1].from_handle = NULL;
        count = 2;
    }
    for (size_t i = 0; i < count && status == ACRE_OK; ++i) {
        status = acre_copy_submit(&copies[i], NULL);
        if (status != ACRE_OK)
            break;
        acre_event_drain(copies[i].event);
        if (copies[i].event->status != ACRE_OK) {
            status = acre_fail(copies[i].event->status, "%s failed: %s", copies[i].event->label,
                               acre_event_tell(copies[i].event));
        }
        acre_event_drop(copies[i].event);
    }
    free(staged);
    return status;
}

static acre_status move_from(acre_array *array, struct acre_handle *from, struct acre_handle *to)
{
    const acre_place place = to->owner->device->place;
    const size_t end = from->covers.offset + from->covers.bytes;
    size_t next;
    for (size_t at = from->covers.offset; at < end; at = next) {
        const struct acre_interval *interval = acre_interval_map_find(&array->map, at);
        next = interval->offset + interval->bytes < end ? interval->offset + interval->bytes : end;
        if (!acre_interval_has(interval, place))
            continue;
        const struct acre_copy copy = {.array = array,
                                       .offset = at,
                                       .bytes = next - at,
                                       .from = place,
                                       .to = place,
                                       .from_handle = from,
                                       .to_handle = to};
        ACRE_TRY(move(&copy));
    }
    return ACRE_OK;
}

acre_status acre_widen_move(acre_array *array, struct acre_handle *to)
{
    for (struct acre_handle *handle = array->handles; handle; handle = handle->next)
        if (is_meant(handle, to->owner, to->covers))
            ACRE_TRY(move_from(array, handle, to));
    return ACRE_OK;
}

acre_status acre_widen_give_up(acre_array *array, const struct acre_device_memory *owner, acre_range range,
                               acre_status failure, struct acre_stall *stall)
{
    struct acre_handle *handle = array->handles;
    while (handle) {
        bool gone = false;
        if (!is_meant(handle, owner, range)) {
            handle = handle->next;
            continue;
        }
        if (handle->users > 0)
            return acre_failed(failure);
        ACRE_TRY(acre_evict_handle(handle, stall, &gone));
        if (acre_is_stalled(stall) || !gone)
            return ACRE_OK;
        handle = array->handles;
    }
    return ACRE_OK;
}

/* Other devices may still be reading the old memory. */
void acre_widen_retire(acre_array *array, const struct acre_device_memory *owner, acre_range range)
{
    struct acre_event *event;
    while ((event = acre_array_pending(array, owner->device->place, &range, 1, true)))
        acre_event_drain(event);
    struct acre_handle *next;
    for (struct acre_handle *handle = array->handles; handle; handle = next) {
        next = handle->next;
        if (!is_meant(handle, owner, range))
            continue;
        handle->retired = true;
        if (handle->users == 0)
            acre_handle_free(handle);
    }
}
