/* core/memory/fetch.c: bringing the newest bytes of ranges to a place: which parts are missing there, where
 * each comes from, and the copies. */
#include "core/memory/array.h"

#include <stdio.h>

#include "core/base/fail.h"

/* The part of a range that one interval covers. */
struct part {
    size_t offset, bytes;
    const struct acre_interval *interval;
};

/* The part at byte *at of the range, which then moves past it; false at the range's end. */
static bool next_part(const acre_array *array, acre_range range, size_t *at, struct part *part)
{
    const size_t end = range.offset + range.bytes;
    if (*at >= end)
        return false;
    part->interval = acre_interval_map_find(&array->map, *at);
    const size_t interval_end = part->interval->offset + part->interval->bytes;
    part->offset = *at;
    part->bytes = (interval_end < end ? interval_end : end) - *at;
    *at += part->bytes;
    return true;
}

static bool is_missing(const struct part *part, acre_place place)
{
    return !part->interval->undefined && !acre_interval_has(part->interval, place);
}

static struct acre_handle *source_of(const acre_array *array, const struct acre_interval *interval)
{
    struct acre_handle *handle = array->handles;
    while (handle && !acre_interval_has(interval, handle->device->place))
        handle = handle->next;
    return handle;
}

static acre_status download_part(acre_array *array, const struct part *part)
{
    ACRE_TRY(acre_array_host_make(array));
    struct acre_handle *from = source_of(array, part->interval);
    if (!from)
        return acre_fail(ACRE_ERR_LOST, "array '%s': bytes [%zu, +%zu) are at no place any more",
                         acre_array_name(array), part->offset, part->bytes);
    from->has_pending = true;
    const acre_status status =
        from->device->backend->download(from->device->queue, array->host + part->offset, from->memory,
                                        from->offset + part->offset - from->covers.offset, part->bytes);
    if (status != ACRE_OK)
        return acre_fail(status, "array '%s': no copy of bytes [%zu, +%zu) from %s: %s", acre_array_name(array),
                         part->offset, part->bytes, from->device->name, acre_message());
    ++array->downloaded.copies;
    array->downloaded.bytes += part->bytes;
    return ACRE_OK;
}

static acre_status upload_part(acre_array *array, struct acre_handle *to, const struct part *part)
{
    ACRE_TRY(acre_array_host_make(array));
    to->has_pending = true;
    const acre_status status = to->device->backend->upload(to->device->queue, to->memory,
                                                           to->offset + part->offset - to->covers.offset,
                                                           array->host + part->offset, part->bytes);
    if (status != ACRE_OK)
        return acre_fail(status, "array '%s': no copy of bytes [%zu, +%zu) to %s: %s", acre_array_name(array),
                         part->offset, part->bytes, to->device->name, acre_message());
    ++array->uploaded.copies;
    array->uploaded.bytes += part->bytes;
    return ACRE_OK;
}

/* Wait for every copy under way, whatever fails; the first failure counts. */
static acre_status drain(acre_array *array)
{
    acre_status status = ACRE_OK;
    for (struct acre_handle *handle = array->handles; handle; handle = handle->next) {
        if (!handle->has_pending)
            continue;
        handle->has_pending = false;
        const acre_status waited = handle->device->backend->queue_wait(handle->device->queue);
        if (waited != ACRE_OK && status == ACRE_OK)
            status = acre_fail(waited, "array '%s': copying from or to %s failed: %s", acre_array_name(array),
                               handle->device->name, acre_message());
    }
    return status;
}

/* What neither `place` nor the host has comes to the host first. */
static acre_status download(acre_array *array, acre_place place, const acre_range *ranges, size_t count)
{
    struct part part;
    for (size_t i = 0; i < count; ++i)
        for (size_t at = ranges[i].offset; next_part(array, ranges[i], &at, &part);)
            if (is_missing(&part, place) && is_missing(&part, ACRE_PLACE_HOST))
                ACRE_TRY(download_part(array, &part));
    return ACRE_OK;
}

static acre_status upload(acre_array *array, struct acre_handle *to, const acre_range *ranges, size_t count)
{
    struct part part;
    for (size_t i = 0; i < count; ++i)
        for (size_t at = ranges[i].offset; next_part(array, ranges[i], &at, &part);)
            if (is_missing(&part, to->device->place))
                ACRE_TRY(upload_part(array, to, &part));
    return ACRE_OK;
}

/* Note that what was missing at `place` is there, and at the host on the way. */
static void note(acre_array *array, acre_place place, const acre_range *ranges, size_t count)
{
    struct part part;
    for (size_t i = 0; i < count; ++i) {
        for (size_t at = ranges[i].offset; next_part(array, ranges[i], &at, &part);) {
            if (!is_missing(&part, place))
                continue;
            /* These can't fail: their intervals are reserved. */
            (void)acre_interval_map_add(&array->map, part.offset, part.bytes, ACRE_PLACE_HOST);
            (void)acre_interval_map_add(&array->map, part.offset, part.bytes, place);
        }
    }
}

/* Copies under way are waited for even when a later one failed: they use memory that the caller may free. */
static acre_status finish(acre_array *array, acre_status submitted)
{
    if (submitted == ACRE_OK)
        return drain(array);
    char why[1024];
    snprintf(why, sizeof(why), "%s", acre_message());
    (void)drain(array);
    return acre_fail(submitted, "%s", why);
}

acre_status acre_array_fetch(acre_array *array, acre_place place, const acre_range *ranges, size_t count)
{
    ACRE_TRY(finish(array, download(array, place, ranges, count)));
    if (place != ACRE_PLACE_HOST) {
        struct acre_device *device = acre_context_device_at(array->context, place);
        struct acre_handle *to = acre_array_handle_find(array, device);
        ACRE_TRY(finish(array, upload(array, to, ranges, count)));
    }
    note(array, place, ranges, count);
    return ACRE_OK;
}
