/* core/memory/handle.c: making handles, widening them, and letting them go. */
#include "core/memory/handle.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/base/fail.h"
#include "core/base/log.h"
#include "core/memory/array.h"
#include "core/memory/check.h"
#include "core/memory/evict.h"
#include "core/memory/widen.h"

static bool covers(acre_range whole, acre_range part)
{
    return whole.offset <= part.offset && part.offset + part.bytes <= whole.offset + whole.bytes;
}

struct acre_handle *acre_handle_find(const acre_array *array, const struct acre_device_memory *owner,
                                     acre_range range)
{
    struct acre_handle *handle = array->handles;
    while (handle && !(handle->owner == owner && !handle->retired && covers(handle->covers, range)))
        handle = handle->next;
    return handle;
}

struct acre_handle *acre_array_handle_find(const acre_array *array, const struct acre_device *device)
{
    struct acre_handle *handle = array->handles;
    while (handle && !(handle->owner->device == device && !handle->retired))
        handle = handle->next;
    return handle;
}

/* The device's list by age. */

static void leave_ages(struct acre_handle *handle)
{
    struct acre_device_memory *owner = handle->owner;
    *(handle->less_used ? &handle->less_used->more_used : &owner->least_used) = handle->more_used;
    *(handle->more_used ? &handle->more_used->less_used : &owner->most_used) = handle->less_used;
    handle->less_used = handle->more_used = NULL;
}

static void enter_ages(struct acre_handle *handle)
{
    struct acre_device_memory *owner = handle->owner;
    handle->less_used = owner->most_used;
    *(owner->most_used ? &owner->most_used->more_used : &owner->least_used) = handle;
    owner->most_used = handle;
}

void acre_handle_use(struct acre_handle *handle)
{
    ++handle->users;
    if (handle->ownership != ACRE_HANDLE_OWNED || handle->owner->most_used == handle)
        return;
    leave_ages(handle);
    enter_ages(handle);
}

void acre_handle_leave(struct acre_handle *handle)
{
    if (--handle->users == 0 && handle->retired)
        acre_handle_free(handle);
}

static void link_handle(struct acre_handle *handle)
{
    handle->next = handle->array->handles;
    handle->array->handles = handle;
    if (handle->ownership == ACRE_HANDLE_OWNED)
        enter_ages(handle);
}

void acre_handle_free(struct acre_handle *handle)
{
    struct acre_handle **link = &handle->array->handles;
    while (*link != handle)
        link = &(*link)->next;
    *link = handle->next;
    if (handle->ownership == ACRE_HANDLE_OWNED) {
        leave_ages(handle);
        acre_pool_give(handle->owner, handle->block);
    } else if (handle->ownership == ACRE_HANDLE_ALIAS) {
        if (handle->unmapped)
            acre_event_drain(handle->unmapped);
        acre_event_drop(handle->unmapped);
        handle->owner->device->backend->memory_free(handle->owner->device->handle, handle->memory);
    }
    free(handle);
}

void *acre_handle_address(const struct acre_handle *handle)
{
    if (handle->ownership == ACRE_HANDLE_ALIAS)
        return handle->array->host;
    if (!handle->owner->device->backend->address)
        return NULL;
    const uintptr_t at = (uintptr_t)handle->owner->device->backend->address(handle->memory);
    return (void *)(at + handle->offset - handle->covers.offset);
}

/* Making. */

static acre_status allocate_handle(acre_array *array, struct acre_device_memory *owner, acre_range range,
                                   acre_ownership ownership, struct acre_handle **handle)
{
    struct acre_handle *made = calloc(1, sizeof(*made));
    if (!made)
        return acre_fail_memory(sizeof(*made));
    made->array = array;
    made->owner = owner;
    made->covers = range;
    made->ownership = ownership;
    *handle = made;
    return ACRE_OK;
}

static acre_status fail_full(const acre_array *array, const struct acre_device_memory *owner, size_t bytes)
{
    return acre_fail(ACRE_ERR_OUT_OF_MEMORY,
                     "array '%s': no %zu bytes at %s: of the budget of %" PRIu64
                     " (ACRE_DEVICE_MEMORY) %" PRIu64
                     " are taken by arrays that are held, or in use, or whose bytes can't go",
                     acre_array_name(array), bytes, owner->device->name, owner->card->budget,
                     owner->card->used);
}

/* A block, for which others may have to go; `*is_full`: none can. */
static acre_status take_block(acre_array *array, struct acre_device_memory *owner, size_t bytes,
                              struct acre_block **block, bool *is_full, struct acre_stall *stall)
{
    acre_status status = ACRE_OK;
    bool could = true, gone = true;
    if (acre_fault_strikes(ACRE_FAULT_ALLOC)) {
        status = acre_fault_fail(ACRE_FAULT_ALLOC, ACRE_ERR_OUT_OF_MEMORY);
        goto out;
    }
    while (gone) {
        status = acre_pool_take(owner, bytes, block, &could);
        if (*block || !could || (status != ACRE_OK && status != ACRE_ERR_OUT_OF_MEMORY))
            goto out;
        ACRE_TRY(acre_evict_one(owner, stall, &gone));
        if (acre_is_stalled(stall))
            return ACRE_OK;
    }
    *is_full = true;
    if (status == ACRE_OK)
        return fail_full(array, owner, bytes);
out:
    return status == ACRE_OK ? ACRE_OK
                             : acre_fail(status, "array '%s': no %zu bytes at %s: %s", acre_array_name(array),
                                         bytes, owner->device->name, acre_message());
}

/* A handle of its own memory, not linked yet. */
static acre_status make_owned(acre_array *array, struct acre_device_memory *owner, acre_range range,
                              struct acre_handle **handle, bool *is_full, struct acre_stall *stall)
{
    struct acre_block *block = NULL;
    *handle = NULL;
    ACRE_TRY(take_block(array, owner, range.bytes, &block, is_full, stall));
    if (acre_is_stalled(stall) || !block)
        return ACRE_OK;
    const acre_status status = allocate_handle(array, owner, range, ACRE_HANDLE_OWNED, handle);
    if (status != ACRE_OK) {
        acre_pool_give(owner, block);
        return status;
    }
    (*handle)->block = block;
    (*handle)->memory = block->memory;
    if (array->memory->checks)
        acre_check_fresh(*handle);
    return ACRE_OK;
}

/* In place of handles that it overlaps: their bytes move into it. */
static acre_status make_wider(acre_array *array, struct acre_device_memory *owner, acre_range whole,
                              struct acre_handle **handle, bool *is_full, struct acre_stall *stall)
{
    struct acre_handle *made = NULL;
    ACRE_TRY(acre_widen_check(array, owner, whole, stall));
    if (acre_is_stalled(stall))
        return ACRE_OK;
    acre_widen_hold(array, owner, whole, true);
    acre_status status = make_owned(array, owner, whole, &made, is_full, stall);
    acre_widen_hold(array, owner, whole, false);
    if (status != ACRE_OK || !made)
        return status;
    status = acre_widen_move(array, made);
    if (status != ACRE_OK) {
        acre_pool_give(owner, made->block);
        free(made);
        return status;
    }
    acre_widen_retire(array, owner, whole);
    link_handle(made);
    *handle = made;
    return ACRE_OK;
}

acre_status acre_handle_make(acre_array *array, struct acre_device_memory *owner, acre_range range,
                             struct acre_handle **handle, bool *fresh, struct acre_stall *stall)
{
    acre_range whole = range;
    bool is_full = false;
    *handle = NULL;
    *fresh = !acre_widen_range(array, owner, &whole);
    if (!*fresh) {
        const acre_status status = make_wider(array, owner, whole, handle, &is_full, stall);
        if (!is_full)
            return status;
        /* There is no room for both: the narrow ones go first, by way of the host. */
        ACRE_TRY(acre_widen_give_up(array, owner, whole, status, stall));
        if (acre_is_stalled(stall))
            return ACRE_OK;
        *fresh = true;
    }
    ACRE_TRY(make_owned(array, owner, whole, handle, &is_full, stall));
    if (*handle)
        link_handle(*handle);
    return ACRE_OK;
}

acre_status acre_handle_try_alias(acre_array *array, struct acre_device_memory *owner)
{
    const struct acre_device *device = owner->device;
    struct acre_handle *made;
    if (!owner->shares || array->bytes == 0 || acre_array_handle_find(array, device))
        return ACRE_OK;
    ACRE_TRY(acre_array_host_make(array, NULL));
    ACRE_TRY(allocate_handle(array, owner, (acre_range){0, array->bytes}, ACRE_HANDLE_ALIAS, &made));
    const acre_status status =
        device->backend->memory_alias(device->handle, array->host, array->bytes, &made->memory);
    if (status != ACRE_OK) {
        acre_log(ACRE_LOG_INFO, "%s gets memory of its own for arrays: %s", device->name, acre_message());
        owner->shares = false;
        free(made);
        return ACRE_OK;
    }
    link_handle(made);
    return ACRE_OK;
}

acre_status acre_handle_lend(acre_array *array, struct acre_device_memory *owner, const acre_handle_info *info)
{
    struct acre_handle *made;
    ACRE_TRY(allocate_handle(array, owner, info->covers, ACRE_HANDLE_BORROWED, &made));
    made->memory = info->memory;
    made->offset = info->memory_offset;
    made->first_element = info->first_element;
    made->elements = info->elements;
    made->global_offset = info->global_offset;
    link_handle(made);
    return ACRE_OK;
}
