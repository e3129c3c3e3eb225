/* core/memory/copy.c: giving a copy to its queue: what it has to wait for, what it needs, and the backend's
 * slot that does it. */
#include "core/memory/copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "core/memory/alias.h"
#include "core/memory/check.h"
#include "core/memory/statistics.h"

static struct acre_device_memory *queue_of(const struct acre_copy *copy)
{
    return copy->to_handle ? copy->to_handle->owner : copy->from_handle->owner;
}

/* Call `look` with every event the copy has to come after, until it says no. */
typedef acre_status look(void *user, struct acre_event *event, bool is_need);

static acre_status for_each_before(const struct acre_copy *copy, struct acre_event *after, look *see,
                                   void *user)
{
    const struct acre_interval_map *map = &copy->array->map;
    const size_t end = copy->offset + copy->bytes;
    if (after)
        ACRE_TRY(see(user, after, true));
    if (map->in_flight == 0)
        return ACRE_OK;
    for (const struct acre_interval *i = acre_interval_map_find(map, copy->offset); i && i->offset < end;
         i = acre_interval_map_next(map, i)) {
        if (i->in_flight == 0)
            continue;
        ACRE_TRY(see(user, acre_interval_arrival(i, copy->from), true));
        ACRE_TRY(see(user, acre_interval_arrival(i, copy->to), false));
        for (size_t queue = 0; queue < map->queue_count; ++queue)
            ACRE_TRY(see(user, acre_interval_touch(map, i, copy->to, queue), false));
    }
    return ACRE_OK;
}

struct search {
    const struct acre_device_memory *queue;
    struct acre_event *found;
};

static acre_status look_beyond(void *user, struct acre_event *event, bool is_need)
{
    struct search *search = user;
    (void)is_need;
    if (!search->found && acre_event_is_beyond(search->queue, event))
        search->found = event;
    return ACRE_OK;
}

struct acre_event *acre_copy_is_blocked(const struct acre_copy *copy, struct acre_event *after)
{
    struct search search = {.queue = queue_of(copy)};
    (void)for_each_before(copy, after, look_beyond, &search);
    return search.found;
}

struct before {
    struct acre_events needs, all;
};

static acre_status gather(void *user, struct acre_event *event, bool is_need)
{
    struct before *before = user;
    if (is_need)
        ACRE_TRY(acre_events_add(&before->needs, event));
    return acre_events_add(&before->all, event);
}

static acre_status make_event(struct acre_copy *copy, struct acre_events *needs)
{
    const acre_context *context = copy->array->context;
    char fixed[256];
    snprintf(fixed, sizeof(fixed), "the copy of bytes [%zu, +%zu) of array '%.100s' from %s to %s",
             copy->offset, copy->bytes, acre_array_name(copy->array),
             acre_context_place_name(context, copy->from), acre_context_place_name(context, copy->to));
    return acre_event_make(copy->array->memory, queue_of(copy), ACRE_EVENT_COPY, fixed, needs, &copy->event);
}

static unsigned char *host_of(const struct acre_copy *copy)
{
    return copy->host ? copy->host : copy->array->host + copy->offset;
}

static acre_status call_backend(const struct acre_copy *copy)
{
    const struct acre_device *device = queue_of(copy)->device;
    const struct acre_handle *from = copy->from_handle, *to = copy->to_handle;
    unsigned char *host = from && to ? NULL : host_of(copy);
    if (acre_fault_strikes(ACRE_FAULT_COPY))
        return acre_fault_fail(ACRE_FAULT_COPY, ACRE_ERR_BACKEND);
    if (!from)
        return device->backend->upload(device->queue, to->memory, acre_handle_offset(to, copy->offset), host,
                                       copy->bytes);
    if (!to)
        return device->backend->download(device->queue, host, from->memory,
                                         acre_handle_offset(from, copy->offset), copy->bytes);
    return (from->owner == to->owner
                ? device->backend->copy
                : device->backend->peer_copy)(device->queue, to->memory, acre_handle_offset(to, copy->offset),
                                              from->memory, acre_handle_offset(from, copy->offset),
                                              copy->bytes);
}

/* Spoiling. */

struct spoil {
    unsigned char *at;
    size_t bytes;
};

static void do_spoil(void *argument, size_t begin, size_t end, unsigned worker)
{
    struct spoil *spoil = argument;
    (void)worker;
    if (begin == end)
        return;
    acre_check_poison(spoil->at, spoil->bytes);
    free(spoil);
}

static bool spoil_by_call(struct acre_device_memory *queue, unsigned char *at, size_t bytes)
{
    const struct acre_device *device = queue->device;
    struct spoil *spoil = device->backend->call ? malloc(sizeof(*spoil)) : NULL;
    if (!spoil)
        return false;
    *spoil = (struct spoil){at, bytes};
    if (device->backend->call(device->queue, do_spoil, spoil, 1) == ACRE_OK)
        return true;
    free(spoil);
    return false;
}

static void spoil_by_upload(const struct acre_handle *handle, size_t offset, size_t bytes)
{
    const struct acre_device *device = handle->owner->device;
    size_t size;
    const void *poison = acre_check_poison_block(&size);
    while (bytes > 0) {
        const size_t piece = bytes < size ? bytes : size;
        if (device->backend->upload(device->queue, handle->memory, acre_handle_offset(handle, offset), poison,
                                    piece) != ACRE_OK)
            return;
        offset += piece;
        bytes -= piece;
    }
}

void acre_copy_spoil(struct acre_handle *handle, size_t offset, size_t bytes)
{
    const struct acre_device *device = handle->owner->device;
    unsigned char *base = acre_handle_address(handle);
    if (base && spoil_by_call(handle->owner, base + offset, bytes))
        return;
    if (device->backend->fill &&
        device->backend->fill(device->queue, handle->memory, acre_handle_offset(handle, offset), bytes, 0xFF) ==
            ACRE_OK)
        return;
    spoil_by_upload(handle, offset, bytes);
}

/* What the copy writes. */
static void spoil(const struct acre_copy *copy, struct acre_device_memory *queue)
{
    if (copy->to_handle)
        acre_copy_spoil(copy->to_handle, copy->offset, copy->bytes);
    else
        (void)spoil_by_call(queue, host_of(copy), copy->bytes);
}

static void tell(const struct acre_copy *copy)
{
    acre_array *array = copy->array;
    acre_copied *mine = copy->from == ACRE_PLACE_HOST ? &array->uploaded
                        : copy->to == ACRE_PLACE_HOST ? &array->downloaded
                                                      : &array->peered;
    if (copy->from != copy->to) {
        ++mine->copies;
        mine->bytes += copy->bytes;
    }
    acre_statistics_copy(array->memory, copy->from, copy->to, copy->bytes);
    if (!acre_record_is_on(array->context))
        return;
    struct acre_record record =
        acre_array_record(array, ACRE_RECORD_COPY, (acre_range){copy->offset, copy->bytes});
    record.from = copy->from;
    record.to = copy->to;
    record.work = copy->event->work;
    record.file = copy->file;
    record.line = copy->line;
    acre_record(array->context, record);
}

/* With the event made and everything before it in order. */
static acre_status submit(struct acre_copy *copy, const struct acre_events *before)
{
    struct acre_device_memory *queue = queue_of(copy);
    const acre_range range = {copy->offset, copy->bytes};
    const bool uses_host = !copy->from_handle || !copy->to_handle;
    for (size_t i = 0; i < before->count; ++i)
        ACRE_TRY(acre_event_order(queue, before->list[i]));
    if (uses_host && !copy->host)
        ACRE_TRY(acre_alias_map_for(copy->array, range, !copy->to_handle, queue));
    const acre_status status = call_backend(copy);
    if (status == ACRE_OK) {
        if (acre_fault_strikes(ACRE_FAULT_COPY_LATE)) {
            copy->event->fails_late = true;
            spoil(copy, queue);
        }
        acre_event_submitted(copy->event);
    }
    if (uses_host && !copy->host)
        acre_alias_unmap_after(copy->array, range, queue, status == ACRE_OK ? copy->event : NULL);
    return status;
}

acre_status acre_copy_submit(struct acre_copy *copy, struct acre_event *after)
{
    struct before before = {0};
    acre_status status = for_each_before(copy, after, gather, &before);
    if (status == ACRE_OK)
        status = make_event(copy, &before.needs);
    if (status == ACRE_OK)
        status = submit(copy, &before.all);
    acre_events_free(&before.needs);
    acre_events_free(&before.all);
    if (status == ACRE_OK) {
        tell(copy);
        return ACRE_OK;
    }
    acre_event_drop(copy->event);
    copy->event = NULL;
    return acre_fail(status, "array '%s': no copy of bytes [%zu, +%zu) from %s to %s: %s",
                     acre_array_name(copy->array), copy->offset, copy->bytes,
                     acre_context_place_name(copy->array->context, copy->from),
                     acre_context_place_name(copy->array->context, copy->to), acre_message());
}

/* These can't fail: their intervals are reserved. */
void acre_copy_note(const struct acre_copy *copy)
{
    struct acre_interval_map *map = &copy->array->map;
    (void)acre_interval_map_touch(map, copy->offset, copy->bytes, copy->from, copy->event);
    (void)acre_interval_map_add(map, copy->offset, copy->bytes, copy->to, copy->event);
    acre_array_summarise(copy->array);
}
