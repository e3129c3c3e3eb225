/* core/memory/array.c: making and destroying arrays, and what the parts of the memory manager ask of one. */
#include "core/memory/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "core/base/log.h"

const char *acre_array_name(const acre_array *array)
{
    return array->label[0] ? array->label : "(no label)";
}

/* No memory is behind the zeros of a new zeroed array: they count as the host's, whose memory is made zero. */
static acre_status fill_map(acre_array *array)
{
    ACRE_TRY(acre_interval_map_init(&array->map, array->bytes, array->context->place_count,
                                    array->memory->device_count));
    return array->zeroed ? acre_interval_map_only(&array->map, 0, array->bytes, ACRE_PLACE_HOST, NULL)
                         : ACRE_OK;
}

static acre_status allocate(acre_context *context, size_t bytes, bool zeroed, const char *label,
                            acre_array **array)
{
    static _Atomic uint64_t numbers;
    acre_array *made = calloc(1, sizeof(*made));
    if (!made)
        return acre_fail_memory(sizeof(*made));
    made->context = context;
    made->memory = context->memory;
    made->bytes = bytes;
    made->zeroed = zeroed;
    made->number = atomic_fetch_add(&numbers, 1) + 1;
    atomic_init(&made->version, 0);
    made->label = strdup(label);
    acre_status status = made->label ? fill_map(made) : acre_fail_memory(strlen(label) + 1);
    if (status != ACRE_OK) {
        acre_interval_map_free(&made->map);
        free(made->label);
        free(made);
        return status;
    }
    *array = made;
    return ACRE_OK;
}

acre_status acre_array_create(acre_context *context, size_t bytes, bool zeroed, const char *label,
                              acre_array **array)
{
    if (!context || !array)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_array_create: %s is NULL", context ? "array" : "context");
    *array = NULL;
    ACRE_TRY(acre_context_check(context));
    if (bytes > PTRDIFF_MAX)
        return acre_fail(ACRE_ERR_ARGUMENT, "array '%s': %zu bytes are more than an address can reach",
                         label ? label : "(no label)", bytes);
    acre_array *made;
    ACRE_TRY(allocate(context, bytes, zeroed, label ? label : "", &made));
    made->live.label = made->label;
    made->live.bytes = bytes;
    acre_context_hold(context);
    acre_context_enter(context, &made->live);
    if (acre_record_is_on(context)) {
        acre_memory_lock(made->memory);
        struct acre_record record = acre_array_record(made, ACRE_RECORD_CREATE, (acre_range){0, bytes});
        record.flag = zeroed;
        acre_record(context, record);
        acre_memory_unlock(made->memory);
    }
    *array = made;
    return ACRE_OK;
}

static void free_holders(acre_array *array)
{
    while (array->holders) {
        struct acre_holder *holder = array->holders;
        acre_log(ACRE_LOG_WARNING, "array '%s' destroyed while held for %s at %s by %s:%d",
                 acre_array_name(array), acre_access_name(holder->access),
                 acre_context_place_name(array->context, holder->place), holder->file, holder->line);
        array->holders = holder->next;
        if (holder->handle)
            acre_handle_leave(holder->handle);
        free(holder);
    }
}

/* Work in flight uses the array's memory. */
static void wait_for_all(acre_array *array)
{
    const acre_range all = {0, array->bytes};
    struct acre_event *event;
    for (acre_place place = 0; place < array->context->place_count; ++place)
        while ((event = acre_array_pending(array, place, &all, 1, true)))
            acre_event_wait(event);
}

void acre_array_destroy(acre_array *array)
{
    if (!array)
        return;
    acre_context *context = array->context;
    struct acre_memory *memory = array->memory;
    if (acre_context_check(context) != ACRE_OK) {
        acre_log(ACRE_LOG_WARNING, "array '%s' is not destroyed: %s", acre_array_name(array), acre_message());
        return;
    }
    acre_context_leave(context, &array->live);
    acre_memory_lock(memory);
    wait_for_all(array);
    free_holders(array);
    while (array->handles)
        acre_handle_free(array->handles);
    acre_array_host_free(array);
    acre_record(context, acre_array_record(array, ACRE_RECORD_DESTROY, (acre_range){0, array->bytes}));
    acre_interval_map_free(&array->map);
    acre_memory_released(memory);
    acre_memory_unlock(memory);
    free(array->label);
    free(array);
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

acre_place acre_array_home(const acre_array *array, acre_place place)
{
    for (const struct acre_handle *handle = array->handles; place != ACRE_PLACE_HOST && handle;
         handle = handle->next)
        if (handle->ownership == ACRE_HANDLE_ALIAS && handle->owner->device->place == place)
            return ACRE_PLACE_HOST;
    return place;
}

struct acre_record acre_array_record(const acre_array *array, enum acre_record_kind kind, acre_range range)
{
    return (struct acre_record){.kind = kind,
                                .array = array->number,
                                .label = array->label,
                                .range = range,
                                .version = atomic_load(&array->version)};
}

/* Called by the map before it changes. */
static void tell_fallen(void *user, const struct acre_interval *interval, acre_place place, bool lost,
                        struct acre_event *event)
{
    const acre_array *array = user;
    struct acre_record record = acre_array_record(array, lost ? ACRE_RECORD_LOST : ACRE_RECORD_DROP,
                                                  (acre_range){interval->offset, interval->bytes});
    record.to = place;
    record.work = event->work;
    record.text = event->message;
    acre_record(array->context, record);
}

void acre_array_settle(acre_array *array, const acre_range *ranges, size_t count)
{
    if (array->map.in_flight == 0)
        return;
    for (size_t i = 0; i < count; ++i)
        acre_interval_map_settle(&array->map, ranges[i].offset, ranges[i].bytes,
                                 acre_record_is_on(array->context) ? tell_fallen : NULL, array);
    acre_array_summarise(array);
}

void acre_array_summarise(acre_array *array)
{
    const bool is_there = array->host && array->map.host_bytes == array->bytes && !array->memory->checks;
    __atomic_store_n(&array->head.ready, is_there ? array->host : NULL, __ATOMIC_RELEASE);
}

/* A pending event at the place on one interval. */
static struct acre_event *pending_on(const struct acre_interval_map *map, const struct acre_interval *interval,
                                     acre_place place, bool touching)
{
    struct acre_event *event = acre_interval_arrival(interval, place);
    if (event && !event->done)
        return event;
    for (size_t queue = 0; touching && queue < map->queue_count; ++queue) {
        event = acre_interval_touch(map, interval, place, queue);
        if (event && !event->done)
            return event;
    }
    return NULL;
}

struct acre_event *acre_array_pending(const acre_array *array, acre_place place, const acre_range *ranges,
                                      size_t count, bool touching)
{
    const struct acre_interval_map *map = &array->map;
    for (size_t i = 0; i < count && map->in_flight > 0; ++i) {
        const size_t end = ranges[i].offset + ranges[i].bytes;
        const struct acre_interval *at = acre_interval_map_find(map, ranges[i].offset);
        for (; at && at->offset < end; at = acre_interval_map_next(map, at)) {
            struct acre_event *event = at->in_flight > 0 ? pending_on(map, at, place, touching) : NULL;
            if (event)
                return event;
        }
    }
    return NULL;
}

bool acre_array_is_undefined(acre_array *array, const acre_range *ranges, size_t count)
{
    bool found = false;
    acre_memory_lock(array->memory);
    for (size_t i = 0; i < count && !found; ++i) {
        const size_t end = ranges[i].offset + ranges[i].bytes;
        const struct acre_interval *interval = acre_interval_map_find(&array->map, ranges[i].offset);
        for (; interval && interval->offset < end && !found;
             interval = acre_interval_map_next(&array->map, interval))
            found = interval->undefined;
    }
    acre_memory_unlock(array->memory);
    return found;
}
