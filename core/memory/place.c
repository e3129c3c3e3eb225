/* core/memory/place.c: memory of the user's own under an array, and a look at its handles. */
#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "core/memory/check.h"
#include "core/memory/evict.h"
#include "core/memory/request.h"

/* Hold a range alone, with its newest values at the place where there are any. The lock is held. */
static acre_status hold_alone(acre_array *array, acre_place place, acre_access access, acre_range range,
                              struct acre_holder **holder)
{
    ACRE_TRY(
        acre_request_holder(array, place, access, &range, 1, false, false, "(the user's memory)", 0, holder));
    (*holder)->takes_lost = true;
    struct acre_request request = {.memory = array->memory, .holders = holder, .count = 1};
    const acre_status status = acre_request_acquire(&request);
    if (status != ACRE_OK)
        free(*holder);
    return status;
}

/* The bytes that the host has, out of `from`. */
static void copy_host_bytes(const acre_array *array, const unsigned char *from, unsigned char *to)
{
    for (const struct acre_interval *at = acre_interval_map_find(&array->map, 0); at && from && to;
         at = acre_interval_map_next(&array->map, at))
        if (acre_interval_has(at, ACRE_PLACE_HOST))
            memcpy(to + at->offset, from + at->offset, at->bytes);
}

static void free_aliases(acre_array *array)
{
    struct acre_handle *next;
    for (struct acre_handle *handle = array->handles; handle; handle = next) {
        next = handle->next;
        if (handle->ownership == ACRE_HANDLE_ALIAS)
            acre_handle_free(handle);
    }
}

/* With the array held alone at the host. */
static acre_status swap_host(acre_array *array, void *buffer, bool has_data)
{
    acre_array old = {.memory = array->memory,
                      .label = array->label,
                      .bytes = array->bytes,
                      .host_kind = array->host_kind,
                      .host_block = array->host_block,
                      .host_by = array->host_by,
                      .host = array->host};
    array->host = NULL;
    array->host_block = NULL;
    if (buffer) {
        array->host = buffer;
        array->host_kind = ACRE_HOST_BORROWED;
    } else {
        const acre_status status = acre_array_host_make(array, NULL);
        if (status != ACRE_OK) {
            array->host_kind = old.host_kind;
            array->host_block = old.host_block;
            array->host_by = old.host_by;
            array->host = old.host;
            return status;
        }
    }
    if (!has_data)
        copy_host_bytes(array, old.host, array->host);
    acre_array_host_free(&old);
    return ACRE_OK;
}

acre_status acre_array_place_host(acre_array *array, void *buffer, bool has_data)
{
    struct acre_holder *holder;
    if (!array)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_array_place_host: array is NULL");
    if (!buffer && has_data)
        return acre_fail(ACRE_ERR_ARGUMENT, "array '%s': no buffer, so it has no data", acre_array_name(array));
    ACRE_TRY(acre_context_check(array->context));
    acre_memory_lock(array->memory);
    acre_status status =
        hold_alone(array, ACRE_PLACE_HOST, ACRE_PARTIAL_WRITE, (acre_range){0, array->bytes}, &holder);
    if (status != ACRE_OK)
        goto out;
    free_aliases(array);
    status = swap_host(array, buffer, has_data);
    if (status == ACRE_OK && has_data && holder->count > 0)
        status = acre_request_release(holder, true, NULL);
    else
        (void)acre_request_release(holder, false, NULL);
    acre_array_summarise(array);
out:
    acre_memory_unlock(array->memory);
    return status;
}

/* Devices. */

static acre_status check_info(const acre_array *array, const acre_handle_info *info)
{
    const char *name = acre_array_name(array);
    if (info->place < 1 || info->place >= array->context->place_count)
        return acre_fail(ACRE_ERR_ARGUMENT, "array '%s': no device memory at place %d, only at 1 to %d", name,
                         info->place, array->context->place_count - 1);
    if (!info->memory)
        return acre_fail(ACRE_ERR_ARGUMENT, "array '%s': no memory given", name);
    const acre_range covers = info->covers;
    if (covers.bytes == 0 || covers.offset > array->bytes || covers.bytes > array->bytes - covers.offset)
        return acre_fail(ACRE_ERR_ARGUMENT, "array '%s': [%zu, +%zu) is no part of its %zu bytes", name,
                         covers.offset, covers.bytes, array->bytes);
    return ACRE_OK;
}

/* A handle at the place that overlaps the range; `only` those of the user's. */
static struct acre_handle *overlapping(const acre_array *array, acre_place place, acre_range range, bool only)
{
    struct acre_handle *handle = array->handles;
    while (handle && !(handle->owner->device->place == place && !handle->retired &&
                       (!only || handle->ownership == ACRE_HANDLE_BORROWED) &&
                       handle->covers.offset < range.offset + range.bytes &&
                       range.offset < handle->covers.offset + handle->covers.bytes))
        handle = handle->next;
    return handle;
}

/* Give up one handle, waiting as need be. With the lock held. */
static acre_status give_up(struct acre_handle *handle)
{
    bool gone = false;
    acre_status status = ACRE_OK;
    if (handle->users > 0)
        return acre_fail(ACRE_ERR_CONFLICT, "array '%s': its memory at %s for bytes [%zu, +%zu) is held",
                         acre_array_name(handle->array), handle->owner->device->name, handle->covers.offset,
                         handle->covers.bytes);
    ++handle->users; /* others must not give it up meanwhile */
    while (!gone && status == ACRE_OK) {
        struct acre_stall stall = {0};
        --handle->users;
        status = acre_evict_handle(handle, &stall, &gone);
        if (gone || status != ACRE_OK) {
            acre_event_drop(stall.event);
            return status;
        }
        ++handle->users;
        if (!stall.event)
            continue;
        acre_event_wait(stall.event);
        if (stall.makes_room && stall.event->status != ACRE_OK) {
            status = acre_fail(stall.event->status, "%s failed: %s", stall.event->label,
                               acre_event_tell(stall.event));
        }
        acre_event_drop(stall.event);
    }
    acre_handle_leave(handle);
    return status;
}

acre_status acre_array_place_device(acre_array *array, const acre_handle_info *info, bool has_data)
{
    if (!array || !info)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_array_place_device: %s is NULL", array ? "info" : "array");
    ACRE_TRY(acre_context_check(array->context));
    ACRE_TRY(check_info(array, info));
    struct acre_device_memory *owner = acre_memory_at(array->memory, info->place);
    acre_status status = ACRE_OK;
    acre_memory_lock(array->memory);
    acre_events_poll(array->memory);
    struct acre_handle *old;
    while (status == ACRE_OK && (old = overlapping(array, info->place, info->covers, false))) {
        if (old->ownership == ACRE_HANDLE_OWNED)
            status = give_up(old);
        else
            status = acre_fail(ACRE_ERR_CONFLICT, "array '%s': at %s it uses %s memory already",
                               acre_array_name(array), owner->device->name,
                               old->ownership == ACRE_HANDLE_ALIAS ? "the host's" : "the user's");
    }
    if (status == ACRE_OK)
        status = acre_handle_lend(array, owner, info);
    struct acre_holder *holder;
    if (status == ACRE_OK && has_data) {
        status = hold_alone(array, info->place, ACRE_WRITE, info->covers, &holder);
        if (status == ACRE_OK)
            status = acre_request_release(holder, true, NULL);
        else
            acre_handle_free(overlapping(array, info->place, info->covers, true));
    }
    acre_memory_unlock(array->memory);
    return status;
}

acre_status acre_array_take_device(acre_array *array, acre_place place)
{
    if (!array)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_array_take_device: array is NULL");
    ACRE_TRY(acre_context_check(array->context));
    acre_status status = ACRE_OK;
    struct acre_handle *handle;
    acre_memory_lock(array->memory);
    while (status == ACRE_OK && (handle = overlapping(array, place, (acre_range){0, array->bytes}, true))) {
        struct acre_holder *holder;
        status = hold_alone(array, place, ACRE_PARTIAL_WRITE, handle->covers, &holder);
        if (status == ACRE_OK)
            status = acre_request_release(holder, false, NULL);
        if (status == ACRE_OK)
            status = give_up(handle);
    }
    acre_memory_unlock(array->memory);
    return status;
}

size_t acre_array_handle_count(acre_array *array)
{
    size_t count = 0;
    acre_memory_lock(array->memory);
    for (const struct acre_handle *handle = array->handles; handle; handle = handle->next)
        count += !handle->retired;
    acre_memory_unlock(array->memory);
    return count;
}

acre_status acre_array_handle(acre_array *array, size_t i, acre_handle_info *info)
{
    if (!array || !info)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_array_handle: %s is NULL", array ? "info" : "array");
    acre_memory_lock(array->memory);
    size_t left = i;
    const struct acre_handle *handle = array->handles;
    while (handle && (handle->retired || left-- > 0))
        handle = handle->next;
    if (handle)
        *info = (acre_handle_info){.place = handle->owner->device->place,
                                   .memory = handle->memory,
                                   .memory_offset = handle->offset,
                                   .covers = handle->covers,
                                   .ownership = handle->ownership,
                                   .first_element = handle->first_element,
                                   .elements = handle->elements,
                                   .global_offset = handle->global_offset};
    acre_memory_unlock(array->memory);
    return handle ? ACRE_OK
                  : acre_fail(ACRE_ERR_ARGUMENT, "array '%s' has no handle %zu", acre_array_name(array), i);
}
