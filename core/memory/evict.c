/* core/memory/evict.c: which handle goes, and what has to be saved first. */
#include "core/memory/evict.h"

#include "core/base/fail.h"
#include "core/memory/array.h"
#include "core/memory/check.h"
#include "core/memory/copy.h"

static bool is_busy(const struct acre_handle *handle)
{
    return acre_array_pending(handle->array, handle->owner->device->place, &handle->covers, 1, true) != NULL;
}

/* The least recently used of a device that may go; `busy`: of those that work uses. */
static struct acre_handle *oldest_of(const struct acre_device_memory *owner, bool busy)
{
    struct acre_handle *handle = owner->least_used;
    while (handle && (handle->users > 0 || handle->retired || is_busy(handle) != busy))
        handle = handle->more_used;
    return handle;
}

static struct acre_handle *choose(const struct acre_device_memory *owner, bool busy)
{
    struct acre_memory *memory = owner->memory;
    struct acre_handle *chosen = oldest_of(owner, busy);
    for (size_t i = 0; i < memory->device_count && !chosen; ++i)
        if (memory->devices[i].card == owner->card)
            chosen = oldest_of(&memory->devices[i], busy);
    return chosen;
}

static acre_status save(struct acre_handle *handle, size_t offset, size_t bytes, struct acre_stall *stall)
{
    acre_array *array = handle->array;
    struct acre_copy copy = {.array = array,
                             .offset = offset,
                             .bytes = bytes,
                             .from = handle->owner->device->place,
                             .to = ACRE_PLACE_HOST,
                             .from_handle = handle,
                             .file = "(eviction)"};
    ACRE_TRY(acre_array_host_make(array, NULL));
    ACRE_TRY(acre_interval_map_reserve(&array->map, array->promised + 6));
    struct acre_event *blocked = acre_copy_is_blocked(&copy, NULL);
    if (blocked) {
        if (!stall->event)
            stall->event = acre_event_hold(blocked);
        return ACRE_OK;
    }
    ACRE_TRY(acre_copy_submit(&copy, NULL));
    acre_copy_note(&copy);
    acre_event_drop(stall->event);
    stall->event = copy.event;
    stall->makes_room = true;
    return ACRE_OK;
}

/* Is the interval at another place, too? A copy that is under way there may fail yet: then *coming is it. */
static bool is_elsewhere(const struct acre_interval_map *map, const struct acre_interval *interval,
                         acre_place place, struct acre_event **coming)
{
    *coming = NULL;
    for (acre_place other = 0; other < (acre_place)map->place_count; ++other) {
        if (other == place || !acre_interval_has(interval, other))
            continue;
        struct acre_event *arrival = acre_interval_arrival(interval, other);
        if (!arrival || (arrival->done && arrival->status == ACRE_OK))
            return true;
        *coming = arrival;
    }
    return *coming != NULL;
}

/* Copy to the host what no other place has. */
static acre_status save_all(struct acre_handle *handle, struct acre_stall *stall)
{
    const struct acre_interval_map *map = &handle->array->map;
    const acre_place place = handle->owner->device->place;
    const size_t end = handle->covers.offset + handle->covers.bytes;
    struct acre_event *coming;
    size_t next;
    for (size_t at = handle->covers.offset; at < end; at = next) {
        const struct acre_interval *interval = acre_interval_map_find(map, at);
        next = interval->offset + interval->bytes < end ? interval->offset + interval->bytes : end;
        if (!acre_interval_has(interval, place))
            continue;
        if (!is_elsewhere(map, interval, place, &coming)) {
            ACRE_TRY(save(handle, at, next - at, stall));
        } else if (coming && !stall->event) {
            stall->event = acre_event_hold(coming);
        }
    }
    return ACRE_OK;
}

static void tell(const struct acre_handle *handle)
{
    acre_array *array = handle->array;
    if (handle->ownership == ACRE_HANDLE_OWNED) {
        ++array->memory->statistics.evictions;
        array->memory->statistics.evicted_bytes += handle->covers.bytes;
    }
    struct acre_record record = acre_array_record(array, ACRE_RECORD_DROP, handle->covers);
    record.to = handle->owner->device->place;
    record.text = "given up";
    acre_record(array->context, record);
    record.kind = ACRE_RECORD_EVICT;
    acre_record(array->context, record);
}

acre_status acre_evict_handle(struct acre_handle *handle, struct acre_stall *stall, bool *gone)
{
    acre_array *array = handle->array;
    const acre_place place = handle->owner->device->place;
    *gone = false;
    acre_array_settle(array, &handle->covers, 1);
    struct acre_event *pending = acre_array_pending(array, place, &handle->covers, 1, true);
    if (pending) {
        stall->event = acre_event_hold(pending);
        return ACRE_OK;
    }
    ACRE_TRY(save_all(handle, stall));
    if (acre_is_stalled(stall))
        return ACRE_OK;
    ACRE_TRY(acre_interval_map_reserve(&array->map, array->promised + 2));
    (void)acre_interval_map_drop(&array->map, handle->covers.offset, handle->covers.bytes, place);
    tell(handle);
    if (array->memory->checks && handle->ownership == ACRE_HANDLE_OWNED)
        acre_check_fresh(handle);
    acre_handle_free(handle);
    *gone = true;
    return ACRE_OK;
}

acre_status acre_evict_one(struct acre_device_memory *owner, struct acre_stall *stall, bool *gone)
{
    *gone = false;
    struct acre_handle *handle = choose(owner, false);
    if (!handle)
        handle = choose(owner, true);
    return handle ? acre_evict_handle(handle, stall, gone) : ACRE_OK;
}
