/* core/memory/usable.c: reading takes bytes that were written, and not lost since. */
#include "core/memory/usable.h"

#include "core/base/fail.h"

static bool has_failed(const struct acre_event *event)
{
    return event && event->done && event->status != ACRE_OK;
}

/* A copy to the holder's place that failed, and of which nobody was told. Bytes that are lost are told as such.
 */
static acre_status check_arrival(const struct acre_holder *holder, const struct acre_interval *interval)
{
    struct acre_event *arrival = acre_interval_arrival(interval, holder->home);
    if (!has_failed(arrival) || arrival->is_reported || has_failed(acre_interval_content(interval)) ||
        !acre_interval_has_other(&holder->array->map, interval, holder->home))
        return ACRE_OK;
    return acre_fail(arrival->status, "array '%s': %s failed: %s; %s:%d wants them for %s at %s",
                     acre_array_name(holder->array), arrival->label, acre_event_tell(arrival), holder->file,
                     holder->line, acre_access_name(holder->access),
                     acre_context_place_name(holder->array->context, holder->place));
}

/* The part of the interval that the range has too. */
static acre_range part_of(const struct acre_interval *interval, acre_range range)
{
    const size_t begin = interval->offset > range.offset ? interval->offset : range.offset;
    const size_t stop = interval->offset + interval->bytes, end = range.offset + range.bytes;
    return (acre_range){begin, (stop < end ? stop : end) - begin};
}

static acre_status check_interval(const struct acre_holder *holder, const struct acre_interval *interval,
                                  acre_range range)
{
    const acre_array *array = holder->array;
    const acre_range part = part_of(interval, range);
    if (interval->lost && !holder->takes_lost)
        return acre_fail(
            ACRE_ERR_LOST,
            "array '%s': bytes [%zu, +%zu) were lost when %s failed: %s; %s:%d wants them for %s at %s",
            acre_array_name(array), part.offset, part.bytes, interval->lost->label,
            acre_event_tell(interval->lost), holder->file, holder->line, acre_access_name(holder->access),
            acre_context_place_name(array->context, holder->place));
    if (interval->undefined && holder->access != ACRE_PARTIAL_WRITE)
        return acre_fail(ACRE_ERR_UNDEFINED,
                         "array '%s': bytes [%zu, +%zu) were never written; %s:%d wants them for %s at %s",
                         acre_array_name(array), part.offset, part.bytes, holder->file, holder->line,
                         acre_access_name(holder->access),
                         acre_context_place_name(array->context, holder->place));
    return ACRE_OK;
}

acre_status acre_usable_check(const struct acre_holder *holder)
{
    acre_array *array = holder->array;
    const struct acre_interval_map *map = &array->map;
    acre_status status = ACRE_OK;
    if (holder->access == ACRE_WRITE) {
        acre_array_settle(array, holder->sorted, holder->count);
        return ACRE_OK;
    }
    for (size_t i = 0; i < holder->count && map->in_flight > 0 && status == ACRE_OK; ++i) {
        const size_t end = holder->sorted[i].offset + holder->sorted[i].bytes;
        const struct acre_interval *at = acre_interval_map_find(map, holder->sorted[i].offset);
        for (; at && at->offset < end && status == ACRE_OK; at = acre_interval_map_next(map, at))
            status = check_arrival(holder, at);
    }
    acre_array_settle(array, holder->sorted, holder->count);
    for (size_t i = 0; i < holder->count && (map->unwritten > 0 || map->bad > 0) && status == ACRE_OK; ++i) {
        const size_t end = holder->sorted[i].offset + holder->sorted[i].bytes;
        const struct acre_interval *at = acre_interval_map_find(map, holder->sorted[i].offset);
        for (; at && at->offset < end && status == ACRE_OK; at = acre_interval_map_next(map, at))
            status = check_interval(holder, at, holder->sorted[i]);
    }
    return status;
}

static acre_status order(const struct acre_holder *holder, struct acre_device_memory *queue,
                         const struct acre_interval *interval, struct acre_events *needs,
                         struct acre_stall *stall)
{
    const struct acre_interval_map *map = &holder->array->map;
    struct acre_event *arrival = acre_interval_arrival(interval, holder->home);
    if (holder->access != ACRE_WRITE)
        ACRE_TRY(acre_events_add(needs, arrival));
    for (size_t i = 0; i <= map->queue_count; ++i) {
        struct acre_event *event = i == 0 ? arrival : acre_interval_touch(map, interval, holder->home, i - 1);
        if (acre_event_is_beyond(queue, event)) {
            stall->event = acre_event_hold(event);
            return ACRE_OK;
        }
        ACRE_TRY(acre_event_order(queue, event));
        if (!acre_access_writes(holder->access))
            break;
    }
    return ACRE_OK;
}

acre_status acre_usable_order(const struct acre_holder *holder, struct acre_events *needs,
                              struct acre_stall *stall)
{
    const struct acre_interval_map *map = &holder->array->map;
    struct acre_device_memory *queue = acre_memory_at(holder->array->memory, holder->place);
    for (size_t i = 0; queue && i < holder->count && map->in_flight > 0; ++i) {
        const size_t end = holder->sorted[i].offset + holder->sorted[i].bytes;
        const struct acre_interval *at = acre_interval_map_find(map, holder->sorted[i].offset);
        for (; at && at->offset < end && !acre_is_stalled(stall); at = acre_interval_map_next(map, at))
            if (at->in_flight > 0)
                ACRE_TRY(order(holder, queue, at, needs, stall));
    }
    return ACRE_OK;
}
