/* core/memory/dump.c: what is known about an array, as text for people. */
#include <inttypes.h>
#include <stdio.h>

#include "core/base/buffer.h"
#include "core/base/fail.h"
#include "core/memory/array.h"

static acre_status print_event(struct acre_buffer *text, const char *role, const struct acre_event *event)
{
    if (!event)
        return ACRE_OK;
    return acre_buffer_print(text, "      %s: work %" PRIu64 ", %s: %s\n", role, event->work, event->label,
                             !event->done               ? "under way"
                             : event->status == ACRE_OK ? "done"
                             : event->message           ? event->message
                                                        : "failed");
}

static acre_status print_interval(struct acre_buffer *text, const acre_array *array,
                                  const struct acre_interval *interval)
{
    const struct acre_interval_map *map = &array->map;
    ACRE_TRY(acre_buffer_print(text, "  [%zu, +%zu):", interval->offset, interval->bytes));
    if (interval->undefined)
        ACRE_TRY(acre_buffer_print(text, " undefined"));
    if (interval->lost)
        ACRE_TRY(acre_buffer_print(text, " lost"));
    for (acre_place place = 0; place < array->context->place_count; ++place)
        if (acre_interval_has(interval, place))
            ACRE_TRY(acre_buffer_print(text, " %s", acre_context_place_name(array->context, place)));
    ACRE_TRY(acre_buffer_print(text, "\n"));
    ACRE_TRY(print_event(text, "lost by", interval->lost));
    ACRE_TRY(print_event(text, "made by", acre_interval_content(interval)));
    for (acre_place place = 0; place < array->context->place_count; ++place) {
        const char *name = acre_context_place_name(array->context, place);
        char role[128];
        snprintf(role, sizeof(role), "on its way to %s by", name);
        ACRE_TRY(print_event(text, role, acre_interval_arrival(interval, place)));
        snprintf(role, sizeof(role), "used at %s by", name);
        for (size_t queue = 0; queue < map->queue_count; ++queue)
            ACRE_TRY(print_event(text, role, acre_interval_touch(map, interval, place, queue)));
    }
    return ACRE_OK;
}

static acre_status print_memory(struct acre_buffer *text, const acre_array *array)
{
    static const char *const host_kinds[] = {"its own", "pinned", "the user's"};
    static const char *const ownerships[] = {"its own", "the user's", "the host's"};
    if (array->host)
        ACRE_TRY(acre_buffer_print(text, "  host memory: %s\n", host_kinds[array->host_kind]));
    for (const struct acre_handle *handle = array->handles; handle; handle = handle->next)
        ACRE_TRY(acre_buffer_print(text, "  memory at %s for [%zu, +%zu): %s%s\n", handle->owner->device->name,
                                   handle->covers.offset, handle->covers.bytes, ownerships[handle->ownership],
                                   handle->retired ? ", until it is released" : ""));
    for (const struct acre_holder *holder = array->holders; holder; holder = holder->next)
        ACRE_TRY(acre_buffer_print(text, "  held for %s at %s by %s:%d, %zu ranges\n",
                                   acre_access_name(holder->access),
                                   acre_context_place_name(array->context, holder->place), holder->file,
                                   holder->line, holder->count));
    return ACRE_OK;
}

static acre_status print_array(struct acre_buffer *text, const acre_array *array)
{
    ACRE_TRY(acre_buffer_print(text, "array '%s': %zu bytes, version %" PRIu64 ", %zu intervals\n",
                               acre_array_name(array), array->bytes, acre_array_version(array),
                               array->map.count));
    ACRE_TRY(print_memory(text, array));
    for (const struct acre_interval *at = acre_interval_map_find(&array->map, 0); at;
         at = acre_interval_map_next(&array->map, at))
        ACRE_TRY(print_interval(text, array, at));
    return ACRE_OK;
}

acre_status acre_array_dump(acre_array *array, char **text)
{
    struct acre_buffer buffer = {0};
    if (!array || !text)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_array_dump: %s is NULL", array ? "text" : "array");
    *text = NULL;
    acre_memory_lock(array->memory);
    acre_events_poll(array->memory);
    const acre_status status = print_array(&buffer, array);
    acre_memory_unlock(array->memory);
    if (status != ACRE_OK) {
        acre_buffer_free(&buffer);
        return status;
    }
    *text = buffer.data;
    return ACRE_OK;
}
