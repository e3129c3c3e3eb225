/* core/memory/check.c: what ACRE_CHECK=1 adds: errors of programs, and of this library, show where they happen.
 */
#include "core/memory/check.h"

#include <string.h>

#include "core/base/fail.h"
#include "core/base/log.h"
#include "core/memory/array.h"
#include "core/memory/copy.h"

/* A signalling NaN in double; NaNs in float and half wherever a word of them begins. */
#define PATTERN    0xEA, 0xFD, 0xA4, 0x7F, 0xEA, 0xFD, 0xF4, 0x7F
#define PATTERN_8  PATTERN, PATTERN, PATTERN, PATTERN, PATTERN, PATTERN, PATTERN, PATTERN
#define PATTERN_64 PATTERN_8, PATTERN_8, PATTERN_8, PATTERN_8, PATTERN_8, PATTERN_8, PATTERN_8, PATTERN_8
static const _Alignas(64) unsigned char poison[] = {PATTERN_64, PATTERN_64, PATTERN_64, PATTERN_64,
                                                    PATTERN_64, PATTERN_64, PATTERN_64, PATTERN_64};

const void *acre_check_poison_block(size_t *bytes)
{
    *bytes = sizeof(poison);
    return poison;
}

/* In step with the address, so that every aligned word is the same. */
void acre_check_poison(void *at, size_t bytes)
{
    unsigned char *to = at;
    while (bytes > 0) {
        const size_t phase = (uintptr_t)to % 64, most = sizeof(poison) - phase;
        const size_t piece = bytes < most ? bytes : most;
        memcpy(to, poison + phase, piece);
        to += piece;
        bytes -= piece;
    }
}

/* Memory of devices. The queue is waited for: nobody will look after this work otherwise. */

static void poison_device(struct acre_handle *handle, size_t offset, size_t bytes)
{
    const struct acre_device *device = handle->owner->device;
    acre_copy_spoil(handle, offset, bytes);
    (void)device->backend->queue_wait(device->queue);
}

void acre_check_fresh(struct acre_handle *handle)
{
    poison_device(handle, handle->covers.offset, handle->covers.bytes);
}

static void poison_place(acre_array *array, acre_place place, acre_range range)
{
    struct acre_event *pending;
    while ((pending = acre_array_pending(array, place, &range, 1, true)))
        acre_event_drain(pending);
    if (place == ACRE_PLACE_HOST) {
        if (array->host)
            acre_check_poison(array->host + range.offset, range.bytes);
        return;
    }
    struct acre_device_memory *owner = acre_memory_at(array->memory, place);
    const size_t end = range.offset + range.bytes;
    for (struct acre_handle *handle = array->handles; handle; handle = handle->next) {
        const acre_range covers = handle->covers;
        const size_t begin = covers.offset > range.offset ? covers.offset : range.offset;
        const size_t stop = covers.offset + covers.bytes < end ? covers.offset + covers.bytes : end;
        if (handle->owner == owner && handle->ownership != ACRE_HANDLE_ALIAS && !handle->retired &&
            begin < stop)
            poison_device(handle, begin, stop - begin);
    }
}

void acre_check_invalidated(acre_array *array, const acre_range *ranges, size_t count, acre_place place)
{
    if (!array->memory->checks)
        return;
    for (size_t i = 0; i < count; ++i)
        for (acre_place other = 0; other < array->context->place_count; ++other)
            if (other != place)
                poison_place(array, other, ranges[i]);
}

/* Host memory. */

void acre_check_fence(unsigned char *data, size_t bytes)
{
    acre_check_poison(data - ACRE_FENCE_BYTES, ACRE_FENCE_BYTES);
    acre_check_poison(data + bytes, ACRE_FENCE_BYTES);
}

static bool fence_is_whole(const unsigned char *at)
{
    for (size_t i = 0; i < ACRE_FENCE_BYTES; ++i)
        if (at[i] != poison[((uintptr_t)at + i) % 64])
            return false;
    return true;
}

/* FNV-1a over words. */
static uint64_t checksum(const struct acre_holder *holder)
{
    uint64_t sum = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < holder->count; ++i) {
        const unsigned char *at = holder->array->host + holder->sorted[i].offset;
        for (size_t k = 0; k < holder->sorted[i].bytes; ++k)
            sum = (sum ^ at[k]) * UINT64_C(0x100000001B3);
    }
    return sum;
}

static bool is_checked(const struct acre_holder *holder)
{
    return holder->array->memory->checks && !holder->is_library && holder->place == ACRE_PLACE_HOST &&
           holder->count > 0 && holder->array->host;
}

void acre_check_view_begin(struct acre_holder *holder)
{
    if (is_checked(holder) && !acre_access_writes(holder->access))
        holder->checksum = checksum(holder);
}

static acre_status fail_view(const struct acre_holder *holder, const char *what)
{
    const acre_status status =
        acre_fail(ACRE_ERR_ARGUMENT, "array '%s': the view acquired by %s:%d for %s at host %s",
                  acre_array_name(holder->array), holder->file, holder->line, acre_access_name(holder->access),
                  what);
    acre_log(ACRE_LOG_ERROR, "%s", acre_message());
    return status;
}

acre_status acre_check_view_end(const struct acre_holder *holder)
{
    acre_array *array = holder->array;
    if (!is_checked(holder))
        return ACRE_OK;
    if (array->host_kind != ACRE_HOST_BORROWED) {
        const bool begin = fence_is_whole(array->host - ACRE_FENCE_BYTES);
        const bool end = fence_is_whole(array->host + array->bytes);
        acre_check_fence(array->host, array->bytes);
        if (!begin || !end)
            return fail_view(holder, begin ? "wrote beyond the array's end" : "wrote before the array's begin");
    }
    if (!acre_access_writes(holder->access) && checksum(holder) != holder->checksum)
        return fail_view(holder, "was written to");
    return ACRE_OK;
}

acre_status acre_check_map(const acre_array *array)
{
    if (!array->memory->checks)
        return ACRE_OK;
    const acre_status status = acre_interval_map_check(&array->map);
    if (status != ACRE_OK)
        acre_log(ACRE_LOG_ERROR, "array '%s': %s", acre_array_name(array), acre_message());
    return status;
}
