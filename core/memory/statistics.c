/* core/memory/statistics.c: what a context copied, and the rest that it counts. */
#include "core/memory/statistics.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/base/buffer.h"
#include "core/base/fail.h"

static acre_copied *copied_between(struct acre_memory *memory, acre_place from, acre_place to)
{
    return &memory->copied[from * memory->context->place_count + to];
}

static void count(acre_copied *copied, size_t bytes)
{
    ++copied->copies;
    copied->bytes += bytes;
}

void acre_statistics_copy(struct acre_memory *memory, acre_place from, acre_place to, size_t bytes)
{
    acre_statistics *all = &memory->statistics;
    count(copied_between(memory, from, to), bytes);
    if (from != to)
        count(from == ACRE_PLACE_HOST ? &all->uploads
              : to == ACRE_PLACE_HOST ? &all->downloads
                                      : &all->peers,
              bytes);
}

static acre_status print(struct acre_memory *memory, struct acre_buffer *text)
{
    const acre_context *context = memory->context;
    const acre_statistics *all = &memory->statistics;
    ACRE_TRY(acre_buffer_print(text,
                               "acre: kernels %" PRIu64 ", waits %" PRIu64 ", allocations %" PRIu64
                               ", pool hits %" PRIu64 ", evictions %" PRIu64 " of %" PRIu64 " bytes\n",
                               all->kernels, all->waits, all->allocations, all->pool_hits, all->evictions,
                               all->evicted_bytes));
    for (acre_place from = 0; from < context->place_count; ++from) {
        for (acre_place to = 0; to < context->place_count; ++to) {
            const acre_copied *copied = copied_between(memory, from, to);
            if (copied->copies > 0)
                ACRE_TRY(acre_buffer_print(text, "acre: copies %s -> %s: %" PRIu64 " of %" PRIu64 " bytes\n",
                                           acre_context_place_name(context, from),
                                           acre_context_place_name(context, to), copied->copies,
                                           copied->bytes));
        }
    }
    return ACRE_OK;
}

void acre_statistics_print(struct acre_memory *memory)
{
    struct acre_buffer text = {0};
    if (print(memory, &text) == ACRE_OK)
        fputs(text.data, stderr);
    acre_buffer_free(&text);
}

acre_status acre_context_statistics(acre_context *context, acre_statistics *statistics)
{
    if (!context || !statistics)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_context_statistics: %s is NULL",
                         context ? "statistics" : "context");
    acre_memory_lock(context->memory);
    *statistics = context->memory->statistics;
    acre_memory_unlock(context->memory);
    return ACRE_OK;
}

acre_status acre_context_copied(acre_context *context, acre_place from, acre_place to, acre_copied *copied)
{
    if (!context || !copied)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_context_copied: %s is NULL", context ? "copied" : "context");
    if (from < 0 || from >= context->place_count || to < 0 || to >= context->place_count)
        return acre_fail(ACRE_ERR_ARGUMENT, "no copies from place %d to %d: the context has 0 to %d", from, to,
                         context->place_count - 1);
    acre_memory_lock(context->memory);
    *copied = *copied_between(context->memory, from, to);
    acre_memory_unlock(context->memory);
    return ACRE_OK;
}
