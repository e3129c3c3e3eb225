/* core/memory/request.c: acquiring and releasing ranges of arrays at places.
 *
 * For place p and range R; a bit is "p has the newest bytes". Bits change for exactly the bytes of R, when the
 * work that does it is submitted.
 *
 * | access        | acquire                                           | release        |
 * |---------------|---------------------------------------------------|----------------|
 * | read          | where p's bit is missing: copy from a device with | nothing        |
 * |               | a direct path, else from the host, else from a    |                |
 * |               | device by way of the host, whose bit is added;    |                |
 * |               | then p's bit is added. Undefined bytes:           |                |
 * |               | ACRE_ERR_UNDEFINED, lost ones: ACRE_ERR_LOST      |                |
 * | read-write    | as read                                           | bits become {p}|
 * | write         | nothing is copied, no bit changes                 | bits become {p}|
 * | partial write | as read, but undefined bytes are left alone       | bits become {p}|
 *
 * A copy that fails late takes the bit of its destination away, a kernel that fails late all bits of what it
 * wrote. Overlapping holders of which one writes: ACRE_ERR_CONFLICT, or the later one waits. A failed acquire
 * leaves bits, data and holders as they were. */
#include "core/memory/request.h"

#include <stdlib.h>

#include "core/base/fail.h"
#include "core/memory/alias.h"
#include "core/memory/check.h"
#include "core/memory/transfer.h"
#include "core/memory/usable.h"

/* Making a holder. */

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

acre_status acre_request_holder(acre_array *array, acre_place place, acre_access access,
                                const acre_range *ranges, size_t count, bool wants_address, bool is_library,
                                const char *file, int line, struct acre_holder **holder)
{
    if (!array)
        return acre_fail(ACRE_ERR_ARGUMENT, "%s:%d acquires no array: it is NULL", file ? file : "(unknown)",
                         line);
    ACRE_TRY(acre_context_check(array->context));
    ACRE_TRY(check_place(array, place, wants_address));
    ACRE_TRY(check_access(array, access));
    ACRE_TRY(acre_holder_make(acre_array_name(array), array->bytes, ranges, count, file, line, holder));
    (*holder)->array = array;
    (*holder)->place = (*holder)->home = place;
    (*holder)->access = access;
    (*holder)->is_library = is_library;
    return ACRE_OK;
}

/* Spare intervals a holder needs at its end: two a range for those that change bits or note work. */
static size_t promise_of(const struct acre_holder *holder)
{
    return acre_access_writes(holder->access) || holder->is_library ? 2 * holder->count : 0;
}

/* Conflicts. */

static acre_status fail_conflict(const struct acre_holder *held, const struct acre_holder *wanted,
                                 acre_range shared)
{
    const acre_array *array = wanted->array;
    return acre_fail(ACRE_ERR_CONFLICT,
                     "array '%s': bytes [%zu, +%zu) are held for %s at %s by %s:%d; "
                     "%s:%d can't have them for %s at %s",
                     acre_array_name(array), shared.offset, shared.bytes, acre_access_name(held->access),
                     acre_context_place_name(array->context, held->place), held->file, held->line, wanted->file,
                     wanted->line, acre_access_name(wanted->access),
                     acre_context_place_name(array->context, wanted->place));
}

static acre_status check_conflicts(const struct acre_request *request, size_t index, struct acre_stall *stall)
{
    const struct acre_holder *wanted = request->holders[index];
    acre_range shared;
    for (size_t i = 0; i < index; ++i)
        if (request->holders[i]->array == wanted->array &&
            acre_holder_conflicts(request->holders[i], wanted, &shared))
            return fail_conflict(request->holders[i], wanted, shared);
    for (const struct acre_holder *held = wanted->array->holders; held; held = held->next) {
        if (!acre_holder_conflicts(held, wanted, &shared))
            continue;
        if (!acre_holder_may_wait_for(held, stall->may_wait_for_views))
            return fail_conflict(held, wanted, shared);
        stall->on_views = true;
    }
    return ACRE_OK;
}

/* Memory. */

/* A device that can use the host's memory does, and then its bits are the host's. */
static acre_status find_home(struct acre_holder *holder)
{
    struct acre_device_memory *owner = acre_memory_at(holder->array->memory, holder->place);
    if (owner && owner->shares && holder->count > 0)
        ACRE_TRY(acre_handle_try_alias(holder->array, owner));
    holder->home = acre_array_home(holder->array, holder->place);
    return ACRE_OK;
}

static acre_range hull_of(const struct acre_holder *holder)
{
    const acre_range *last = &holder->sorted[holder->count - 1];
    return (acre_range){holder->sorted[0].offset, last->offset + last->bytes - holder->sorted[0].offset};
}

/* All that the request wants of the holder's array at its place: one handle serves it. */
static acre_range hull_of_all(const struct acre_request *request, const struct acre_holder *holder)
{
    acre_range hull = hull_of(holder);
    for (size_t i = 0; i < request->count; ++i) {
        const struct acre_holder *other = request->holders[i];
        if (other->array != holder->array || other->place != holder->place || other->count == 0)
            continue;
        const acre_range more = hull_of(other);
        const size_t begin = more.offset < hull.offset ? more.offset : hull.offset;
        const size_t end = hull.offset + hull.bytes, stop = more.offset + more.bytes;
        hull = (acre_range){begin, (stop > end ? stop : end) - begin};
    }
    return hull;
}

static acre_status make_memory(const struct acre_request *request, struct acre_transfer *transfer,
                               struct acre_holder *holder, struct acre_stall *stall)
{
    if (holder->count == 0 || holder->handle)
        return ACRE_OK;
    struct acre_device_memory *owner = acre_memory_at(holder->array->memory, holder->place);
    if (!owner)
        return acre_transfer_host(transfer, holder->array);
    return acre_transfer_handle(transfer, holder->array, owner, hull_of_all(request, holder), &holder->handle,
                                stall);
}

/* Those that are there are kept from making room for the others. */
static void pin_memory(const struct acre_request *request, struct acre_holder *holder)
{
    struct acre_device_memory *owner = acre_memory_at(holder->array->memory, holder->place);
    if (!owner || holder->count == 0)
        return;
    holder->handle = acre_handle_find(holder->array, owner, hull_of_all(request, holder));
    if (holder->handle)
        acre_handle_use(holder->handle);
}

static void unpin(struct acre_request *request)
{
    for (size_t i = 0; i < request->count; ++i) {
        struct acre_holder *holder = request->holders[i];
        if (holder->handle)
            acre_handle_leave(holder->handle);
        holder->handle = NULL;
    }
}

/* One attempt, all with the lock held. */

static acre_status prepare(struct acre_request *request, struct acre_transfer *transfer,
                           struct acre_stall *stall)
{
    for (size_t i = 0; i < request->count; ++i)
        ACRE_TRY(check_conflicts(request, i, stall));
    if (stall->on_views)
        return ACRE_OK;
    for (size_t i = 0; i < request->count; ++i) {
        ACRE_TRY(find_home(request->holders[i]));
        ACRE_TRY(acre_usable_check(request->holders[i]));
        pin_memory(request, request->holders[i]);
    }
    for (size_t i = 0; i < request->count; ++i) {
        ACRE_TRY(make_memory(request, transfer, request->holders[i], stall));
        if (acre_is_stalled(stall))
            return ACRE_OK;
    }
    /* Making room may have brought failures to light. */
    for (size_t i = 0; i < request->count; ++i) {
        ACRE_TRY(acre_usable_check(request->holders[i]));
        if (request->holders[i]->access != ACRE_WRITE)
            ACRE_TRY(acre_transfer_plan(transfer, request->holders[i]));
    }
    return ACRE_OK;
}

static acre_status reserve(const struct acre_request *request)
{
    for (size_t i = 0; i < request->count; ++i) {
        acre_array *array = request->holders[i]->array;
        ACRE_TRY(acre_interval_map_reserve(&array->map, array->promised));
    }
    return ACRE_OK;
}

static acre_status submit(struct acre_request *request, struct acre_transfer *transfer,
                          struct acre_stall *stall)
{
    ACRE_TRY(reserve(request));
    ACRE_TRY(acre_transfer_run(transfer, stall));
    if (acre_is_stalled(stall))
        return ACRE_OK;
    for (size_t i = 0; i < request->count && request->is_library; ++i) {
        ACRE_TRY(acre_usable_order(request->holders[i], &request->needs, stall));
        if (acre_is_stalled(stall))
            return ACRE_OK;
    }
    return ACRE_OK;
}

static void tell_view(const struct acre_holder *holder, enum acre_record_kind kind, bool flag)
{
    acre_array *array = holder->array;
    if (!acre_record_is_on(array->context))
        return;
    for (size_t i = 0; i < holder->count; ++i) {
        struct acre_record record = acre_array_record(array, kind, holder->sorted[i]);
        record.to = holder->home;
        record.access = holder->access;
        record.flag = flag;
        record.file = holder->file;
        record.line = holder->line;
        acre_record(array->context, record);
    }
}

static void enlist(struct acre_request *request)
{
    for (size_t i = 0; i < request->count; ++i) {
        struct acre_holder *holder = request->holders[i];
        holder->is_waiting = true;
        holder->next = holder->array->holders;
        holder->array->holders = holder;
        if (!holder->is_library)
            tell_view(holder, ACRE_RECORD_VIEW_BEGIN, false);
        if ((holder->access == ACRE_READ || holder->access == ACRE_READ_WRITE) && !holder->is_prefetch)
            tell_view(holder, ACRE_RECORD_READ, false);
    }
}

static void promise(struct acre_request *request, bool gives)
{
    for (size_t i = 0; i < request->count; ++i) {
        const size_t nodes = promise_of(request->holders[i]);
        request->holders[i]->array->promised += gives ? nodes : -nodes;
    }
}

static acre_status attempt(struct acre_request *request, struct acre_stall *stall)
{
    struct acre_transfer transfer = {0};
    acre_events_free(&request->needs);
    acre_events_poll(request->memory);
    promise(request, true);
    acre_status status = prepare(request, &transfer, stall);
    if (status == ACRE_OK && !acre_is_stalled(stall))
        status = submit(request, &transfer, stall);
    if (status == ACRE_OK && !acre_is_stalled(stall)) {
        enlist(request);
    } else {
        promise(request, false);
        unpin(request);
        acre_transfer_undo(&transfer);
    }
    acre_transfer_free(&transfer);
    return status;
}

/* Waiting. */

static void tell_wait(const struct acre_request *request, const struct acre_stall *stall, double start)
{
    const struct acre_holder *holder = request->holders[0];
    if (!acre_record_is_on(request->memory->context))
        return;
    struct acre_record record = acre_array_record(holder->array, ACRE_RECORD_WAIT, (acre_range){0, 0});
    record.work = stall->event ? stall->event->work : 0;
    record.text = stall->event ? stall->event->label : "a view of another thread";
    record.file = holder->file;
    record.line = holder->line;
    record.start = start;
    record.end = acre_record_now();
    acre_record(request->memory->context, record);
}

static acre_status wait_for(struct acre_request *request, struct acre_stall *stall)
{
    struct acre_memory *memory = request->memory;
    const double start = acre_record_is_on(memory->context) ? acre_record_now() : 0;
    acre_status status = ACRE_OK;
    if (stall->event) {
        acre_event_wait(stall->event);
        if (stall->makes_room && stall->event->status != ACRE_OK) {
            status = acre_fail(ACRE_ERR_OUT_OF_MEMORY, "array '%s': no room at %s: %s failed: %s",
                               acre_array_name(request->holders[0]->array),
                               acre_context_place_name(memory->context, request->holders[0]->place),
                               stall->event->label, acre_event_tell(stall->event));
        }
    } else {
        ++memory->waiting;
        ++memory->statistics.waits;
        pthread_cond_wait(&memory->released, &memory->lock);
        --memory->waiting;
    }
    tell_wait(request, stall, start);
    acre_event_drop(stall->event);
    return status;
}

/* A holder whose bytes are used by this processor, not by a queue. */
static bool is_blocking(const struct acre_holder *holder)
{
    return !holder->is_prefetch && (!holder->is_library || holder->place == ACRE_PLACE_HOST);
}

static acre_status wait_until_usable(struct acre_request *request)
{
    for (size_t i = 0; i < request->count; ++i) {
        struct acre_holder *holder = request->holders[i];
        struct acre_stall stall = {0};
        if (!is_blocking(holder))
            continue;
        while ((stall.event =
                    acre_event_hold(acre_array_pending(holder->array, holder->home, holder->sorted,
                                                       holder->count, acre_access_writes(holder->access)))))
            ACRE_TRY(wait_for(request, &stall));
        ACRE_TRY(acre_usable_check(holder));
        if (holder->count > 0 && holder->place == ACRE_PLACE_HOST) {
            ACRE_TRY(acre_alias_map(holder->array, hull_of(holder), acre_access_writes(holder->access)));
            holder->is_mapped = true;
        }
        acre_check_view_begin(holder);
    }
    return ACRE_OK;
}

/* Off the list, and back to what it was when it was made. */
static void strike(struct acre_holder *holder)
{
    acre_array *array = holder->array;
    struct acre_holder **link = &array->holders;
    while (*link != holder)
        link = &(*link)->next;
    *link = holder->next;
    array->promised -= promise_of(holder);
    if (holder->is_mapped)
        acre_alias_unmap(array, hull_of(holder));
    holder->is_mapped = false;
    if (holder->handle)
        acre_handle_leave(holder->handle);
    holder->handle = NULL;
    acre_memory_released(array->memory);
}

/* The common case: one view of one range, nothing under way in the array, the bytes and the memory there. All
 * that the long way does besides comes to nothing then. */
static bool acquire_quickly(struct acre_request *request)
{
    if (request->count != 1 || request->is_library)
        return false;
    struct acre_holder *holder = request->holders[0];
    acre_array *array = holder->array;
    const struct acre_memory *memory = array->memory;
    acre_range shared;
    if (holder->count != 1 || array->map.in_flight > 0 || memory->checks || memory->may_alias ||
        acre_record_is_on(array->context))
        return false;
    for (const struct acre_holder *held = array->holders; held; held = held->next)
        if (acre_holder_conflicts(held, holder, &shared))
            return false;
    const acre_range range = holder->sorted[0];
    const struct acre_interval *interval = acre_interval_map_find(&array->map, range.offset);
    if (holder->access != ACRE_WRITE && (interval->offset + interval->bytes < range.offset + range.bytes ||
                                         !acre_interval_has(interval, holder->home)))
        return false;
    if (acre_access_writes(holder->access) &&
        acre_interval_map_reserve(&array->map, array->promised + promise_of(holder)) != ACRE_OK)
        return false;
    if (holder->place == ACRE_PLACE_HOST ? !array->host : (pin_memory(request, holder), !holder->handle))
        return false;
    array->promised += promise_of(holder);
    holder->next = array->holders;
    array->holders = holder;
    return true;
}

acre_status acre_request_acquire(struct acre_request *request)
{
    acre_status status;
    if (acquire_quickly(request))
        return ACRE_OK;
    for (;;) {
        struct acre_stall stall = {.may_wait_for_views = request->is_library || request->waits};
        status = attempt(request, &stall);
        if (status != ACRE_OK)
            acre_event_drop(stall.event);
        if (status != ACRE_OK || !acre_is_stalled(&stall))
            break;
        status = wait_for(request, &stall);
        if (status != ACRE_OK)
            break;
    }
    if (status == ACRE_OK && (status = wait_until_usable(request)) != ACRE_OK)
        for (size_t i = 0; i < request->count; ++i)
            strike(request->holders[i]);
    for (size_t i = 0; i < request->count; ++i)
        request->holders[i]->is_waiting = false;
    if (status != ACRE_OK)
        acre_events_free(&request->needs);
    return status;
}

/* Releasing. */

/* What the holder wrote becomes the newest. This can't fail: the intervals were set aside. */
static void publish(const struct acre_holder *holder, struct acre_event *event)
{
    acre_array *array = holder->array;
    if (holder->count == 0)
        return;
    atomic_fetch_add(&array->version, 1);
    for (size_t i = 0; i < holder->count; ++i)
        (void)acre_interval_map_only(&array->map, holder->sorted[i].offset, holder->sorted[i].bytes,
                                     holder->home, event);
    acre_array_summarise(array);
    tell_view(holder, ACRE_RECORD_WRITE, false);
    acre_check_invalidated(array, holder->sorted, holder->count, holder->home);
}

static void note_reading(const struct acre_holder *holder, struct acre_event *event)
{
    for (size_t i = 0; event && i < holder->count; ++i)
        (void)acre_interval_map_touch(&holder->array->map, holder->sorted[i].offset, holder->sorted[i].bytes,
                                      holder->home, event);
}

acre_status acre_request_release(struct acre_holder *holder, bool counts, struct acre_event *event)
{
    acre_array *array = holder->array;
    const bool checks = array->memory->checks, is_recorded = acre_record_is_on(array->context);
    acre_status status = checks ? acre_check_view_end(holder) : ACRE_OK;
    strike(holder);
    if (acre_access_writes(holder->access) && counts)
        publish(holder, event);
    else if (holder->is_library)
        note_reading(holder, event);
    if (is_recorded && !holder->is_library)
        tell_view(holder, ACRE_RECORD_VIEW_END, counts);
    if (checks && status == ACRE_OK)
        status = acre_check_map(array);
    free(holder);
    return status;
}

void *acre_request_address(const struct acre_holder *holder)
{
    static _Alignas(64) char nothing[64]; /* for holders of nothing, who have no memory */
    if (holder->count == 0)
        return nothing;
    return holder->handle ? acre_handle_address(holder->handle) : holder->array->host;
}
