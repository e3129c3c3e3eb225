/* core/memory/access.c: acquiring and releasing ranges of an array at a place.
 *
 * For place p and range R; a bit is "p has the newest bytes". Bits change for exactly the bytes of R.
 *
 * | access        | acquire                                        | release        |
 * |---------------|------------------------------------------------|----------------|
 * | read          | where p's bit is missing: copy from the host   | nothing        |
 * |               | if its bit is set, else from a device by way   |                |
 * |               | of the host, whose bit is added; then p's bit  |                |
 * |               | is added. Undefined bytes: ACRE_ERR_UNDEFINED  |                |
 * | read-write    | as read                                        | bits become {p}|
 * | write         | nothing is copied, no bit changes              | bits become {p}|
 * | partial write | as read, but undefined bytes are left alone    | bits become {p}|
 *
 * Overlapping holders of which one writes: ACRE_ERR_CONFLICT. A failed acquire leaves bits, data and holders
 * as they were. */
#include "core/memory/array.h"

#include <stdlib.h>

#include "core/base/fail.h"

/* Spare intervals a holder needs: two a range for the bits that acquire adds, and for writers two a range for
 * those that release changes, set aside until then. */
static size_t promise_of(const struct acre_holder *holder)
{
    return acre_access_writes(holder->access) ? 2 * holder->count : 0;
}

static acre_status check_place(const acre_array *array, acre_place place, bool wants_address)
{
    if (place < 0 || place >= array->context->place_count)
        return acre_fail(ACRE_ERR_ARGUMENT, "array '%s': no place %d, the context has 0 to %d",
                         acre_array_name(array), place, array->context->place_count - 1);
    const struct acre_device *device = acre_context_device_at(array->context, place);
    if (device && wants_address && !device->backend->address)
        return acre_fail(ACRE_ERR_ARGUMENT,
                         "array '%s': the memory of %s has no address for the host's processor",
                         acre_array_name(array), device->name);
    return ACRE_OK;
}

static acre_status check_access(const acre_array *array, acre_access access)
{
    switch (access) {
    case ACRE_READ:
    case ACRE_READ_WRITE:
    case ACRE_WRITE:
    case ACRE_PARTIAL_WRITE:
        return ACRE_OK;
    }
    return acre_fail(ACRE_ERR_ARGUMENT, "array '%s': %d is no access", acre_array_name(array), (int)access);
}

static acre_status check_conflicts(const acre_array *array, const struct acre_holder *wanted)
{
    acre_range shared;
    for (const struct acre_holder *held = array->holders; held; held = held->next) {
        if (!acre_holder_conflicts(held, wanted, &shared))
            continue;
        return acre_fail(ACRE_ERR_CONFLICT,
                         "array '%s': bytes [%zu, +%zu) are held for %s at %s by %s:%d; "
                         "%s:%d can't have them for %s at %s",
                         acre_array_name(array), shared.offset, shared.bytes, acre_access_name(held->access),
                         acre_context_place_name(array->context, held->place), held->file, held->line,
                         wanted->file, wanted->line, acre_access_name(wanted->access),
                         acre_context_place_name(array->context, wanted->place));
    }
    return ACRE_OK;
}

/* Reading takes bytes that were written. */
static acre_status check_defined(const acre_array *array, const struct acre_holder *wanted)
{
    if (wanted->access != ACRE_READ && wanted->access != ACRE_READ_WRITE)
        return ACRE_OK;
    for (size_t i = 0; i < wanted->count; ++i) {
        const acre_range *range = &wanted->sorted[i];
        const size_t end = range->offset + range->bytes;
        const struct acre_interval *interval = acre_interval_map_find(&array->map, range->offset);
        for (; interval && interval->offset < end; interval = acre_interval_map_next(&array->map, interval)) {
            if (!interval->undefined)
                continue;
            const size_t begin = interval->offset > range->offset ? interval->offset : range->offset;
            const size_t stop = interval->offset + interval->bytes;
            return acre_fail(ACRE_ERR_UNDEFINED,
                             "array '%s': bytes [%zu, +%zu) were never written; %s:%d wants them for %s at %s",
                             acre_array_name(array), begin, (stop < end ? stop : end) - begin, wanted->file,
                             wanted->line, acre_access_name(wanted->access),
                             acre_context_place_name(array->context, wanted->place));
        }
    }
    return ACRE_OK;
}

/* Have memory at the place and the newest bytes in it; memory made for an acquire that fails goes again. */
static acre_status bring(acre_array *array, const struct acre_holder *wanted)
{
    struct acre_device *device = acre_context_device_at(array->context, wanted->place);
    const bool had_host = array->host != NULL;
    const bool had_handle = device && acre_array_handle_find(array, device);

    acre_status status = device ? acre_array_handle_make(array, device) : acre_array_host_make(array);
    if (status == ACRE_OK && wanted->access != ACRE_WRITE)
        status = acre_array_fetch(array, wanted->place, wanted->sorted, wanted->count);
    if (status != ACRE_OK) {
        if (device && !had_handle)
            acre_array_handle_free(array, device);
        if (!had_host)
            acre_array_host_free(array);
    }
    return status;
}

/* Where byte 0 of the array is at a place that the host's processor can address. */
static void *address_at(const acre_array *array, acre_place place)
{
    static _Alignas(64) char nothing[64]; /* for holders of nothing, who have no memory */
    const struct acre_device *device = acre_context_device_at(array->context, place);
    if (!device)
        return array->host ? (void *)array->host : nothing;
    const struct acre_handle *handle = acre_array_handle_find(array, device);
    return handle ? (char *)device->backend->address(handle->memory) + handle->offset : nothing;
}

/* With the lock held. */
static acre_status hold(acre_array *array, struct acre_holder *wanted)
{
    ACRE_TRY(check_conflicts(array, wanted));
    ACRE_TRY(check_defined(array, wanted));
    const size_t promise = promise_of(wanted);
    ACRE_TRY(acre_interval_map_reserve(&array->map, array->promised + 2 * wanted->count + promise));
    if (wanted->count > 0)
        ACRE_TRY(bring(array, wanted));
    array->promised += promise;
    wanted->next = array->holders;
    array->holders = wanted;
    return ACRE_OK;
}

acre_status acre_array_acquire_at(acre_array *array, acre_place place, acre_access access,
                                  const acre_range *ranges, size_t count, void **address, const char *file,
                                  int line)
{
    if (!array)
        return acre_fail(ACRE_ERR_ARGUMENT, "%s:%d acquires no array: it is NULL", file ? file : "(unknown)",
                         line);
    if (address)
        *address = NULL;
    ACRE_TRY(check_place(array, place, address != NULL));
    ACRE_TRY(check_access(array, access));
    struct acre_holder *wanted;
    ACRE_TRY(acre_holder_make(acre_array_name(array), array->bytes, ranges, count, file, line, &wanted));
    wanted->place = place;
    wanted->access = access;

    pthread_mutex_lock(&array->lock);
    const acre_status status = hold(array, wanted);
    if (status == ACRE_OK && address)
        *address = address_at(array, place);
    pthread_mutex_unlock(&array->lock);
    if (status != ACRE_OK)
        free(wanted);
    return status;
}

/* What the holder wrote becomes the newest. With the lock held. */
static void publish(acre_array *array, const struct acre_holder *holder)
{
    if (!acre_access_writes(holder->access) || holder->count == 0)
        return;
    /* This can't fail: the intervals were set aside when the ranges were acquired. */
    for (size_t i = 0; i < holder->count; ++i)
        (void)acre_interval_map_only(&array->map, holder->sorted[i].offset, holder->sorted[i].bytes,
                                     holder->place);
    atomic_fetch_add(&array->version, 1);
}

/* Take the holder of these ranges off the list; what it wrote counts, or not. */
static acre_status give_back(acre_array *array, acre_place place, acre_access access, const acre_range *ranges,
                             size_t count, bool counts)
{
    if (!array)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_array_release: array is NULL");
    pthread_mutex_lock(&array->lock);
    struct acre_holder **link = &array->holders;
    while (*link && !((*link)->place == place && (*link)->access == access &&
                      acre_holder_matches(*link, array->bytes, ranges, count)))
        link = &(*link)->next;
    struct acre_holder *holder = *link;
    if (holder) {
        array->promised -= promise_of(holder);
        if (counts)
            publish(array, holder);
        *link = holder->next;
    }
    pthread_mutex_unlock(&array->lock);
    if (!holder)
        return acre_fail(ACRE_ERR_ARGUMENT,
                         "array '%s': released for %s at %s, but nobody holds these ranges so (%zu given)",
                         acre_array_name(array), acre_access_name(access),
                         acre_context_place_name(array->context, place), count);
    free(holder);
    return ACRE_OK;
}

acre_status acre_array_release(acre_array *array, acre_place place, acre_access access,
                               const acre_range *ranges, size_t count)
{
    return give_back(array, place, access, ranges, count, true);
}

acre_status acre_array_abandon(acre_array *array, acre_place place, acre_access access,
                               const acre_range *ranges, size_t count)
{
    return give_back(array, place, access, ranges, count, false);
}
