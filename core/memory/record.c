/* core/memory/record.c: telling a context's recorder what happens. */
#include "core/memory/record.h"

#include <time.h>

#include "core/memory/memory.h"

double acre_record_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool acre_record_is_on(const acre_context *context)
{
    return atomic_load_explicit(&context->memory->is_recorded, memory_order_relaxed);
}

void acre_record_to(acre_context *context, const struct acre_recorder *recorder)
{
    struct acre_memory *memory = context->memory;
    acre_memory_lock(memory);
    const struct acre_recorder old = memory->recorder;
    memory->recorder = recorder ? *recorder : (struct acre_recorder){0};
    atomic_store(&memory->is_recorded, memory->recorder.tell != NULL);
    acre_memory_unlock(memory);
    if (old.close)
        old.close(old.user, context);
}

void acre_record(acre_context *context, struct acre_record record)
{
    const struct acre_recorder *recorder = &context->memory->recorder;
    if (!recorder->tell)
        return;
    if (!(record.end > 0))
        record.start = record.end = acre_record_now();
    if (!record.label)
        record.label = "";
    if (!record.text)
        record.text = "";
    if (!record.file)
        record.file = "";
    recorder->tell(recorder->user, context, &record);
}
