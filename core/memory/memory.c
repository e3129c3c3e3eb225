/* core/memory/memory.c: the memory manager of a context from its opening to its closing. */
#include "core/memory/memory.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/env.h"
#include "core/base/fail.h"
#include "core/base/log.h"
#include "core/memory/budget.h"
#include "core/memory/statistics.h"

static acre_status read_switch(enum acre_env_variable variable, bool *is_on)
{
    static const char *const choices[] = {"0", "1", NULL};
    int index;
    ACRE_TRY(acre_env_choice(variable, choices, &index));
    *is_on = index == 1;
    return ACRE_OK;
}

static acre_status configure(struct acre_memory *memory)
{
    bool prints;
    ACRE_TRY(read_switch(ACRE_ENV_CHECK, &memory->checks));
    ACRE_TRY(read_switch(ACRE_ENV_STATS, &prints));
    ACRE_TRY(acre_fault_configure());
    return acre_budget_set(memory);
}

static acre_status make_lock(struct acre_memory *memory)
{
    if (pthread_mutex_init(&memory->lock, NULL) != 0)
        return acre_fail(ACRE_ERR_OUT_OF_MEMORY, "no mutex to be had for a context's memory");
    if (pthread_cond_init(&memory->released, NULL) != 0) {
        pthread_mutex_destroy(&memory->lock);
        return acre_fail(ACRE_ERR_OUT_OF_MEMORY, "no condition variable to be had for a context's memory");
    }
    return ACRE_OK;
}

static void free_memory(struct acre_memory *memory)
{
    free(memory->copied);
    free(memory->cards);
    free(memory);
}

static acre_status allocate(acre_context *context, struct acre_memory **memory)
{
    const size_t count = context->device_count, places = (size_t)context->place_count;
    const size_t bytes = sizeof(**memory) + count * sizeof((*memory)->devices[0]);
    struct acre_memory *made = calloc(1, bytes);
    if (!made)
        return acre_fail_memory(bytes);
    made->cards = calloc(count, sizeof(*made->cards));
    made->copied = calloc(places * places, sizeof(*made->copied));
    if (!made->cards || !made->copied) {
        free_memory(made);
        return acre_fail_memory(count * sizeof(*made->cards) + places * places * sizeof(*made->copied));
    }
    made->context = context;
    made->device_count = count;
    atomic_init(&made->is_recorded, false);
    for (size_t i = 0; i < count; ++i) {
        struct acre_device *device = &context->devices[i];
        made->may_alias = made->may_alias || device->backend->memory_alias;
        made->devices[i] = (struct acre_device_memory){
            .memory = made,
            .device = device,
            .index = (unsigned)i,
            .shares = device->backend->memory_alias && device->place != ACRE_PLACE_HOST,
        };
    }
    *memory = made;
    return ACRE_OK;
}

acre_status acre_memory_open(acre_context *context)
{
    struct acre_memory *memory;
    ACRE_TRY(allocate(context, &memory));
    acre_status status = configure(memory);
    if (status == ACRE_OK)
        status = make_lock(memory);
    if (status != ACRE_OK) {
        free_memory(memory);
        return status;
    }
    context->memory = memory;
    return ACRE_OK;
}

void acre_memory_settle(acre_context *context)
{
    acre_memory_lock(context->memory);
    acre_events_poll(context->memory);
    acre_memory_unlock(context->memory);
}

void acre_memory_close(acre_context *context)
{
    struct acre_memory *memory = context->memory;
    if (!memory)
        return;
    acre_memory_lock(memory);
    for (size_t i = 0; i < memory->device_count; ++i)
        if (memory->devices[i].newest)
            acre_event_drain(memory->devices[i].newest);
    acre_event_drop(memory->late);
    for (size_t i = 0; i < memory->device_count; ++i)
        acre_pool_trim(&memory->devices[i]);
    acre_memory_unlock(memory);

    acre_record_to(context, NULL);
    if (strcmp(acre_env_get(ACRE_ENV_STATS), "1") == 0)
        acre_statistics_print(memory);
    pthread_cond_destroy(&memory->released);
    pthread_mutex_destroy(&memory->lock);
    free_memory(memory);
    context->memory = NULL;
}

/* Those who wait to hear that work is done hear it without the lock: they may give arrays back. */
void acre_memory_unlock(struct acre_memory *memory)
{
    while (memory->finished) {
        struct acre_event *event = memory->finished;
        memory->finished = event->next_finished;
        void (*finished)(void *) = event->finished;
        void *argument = event->argument;
        acre_event_drop(event);
        pthread_mutex_unlock(&memory->lock);
        finished(argument);
        pthread_mutex_lock(&memory->lock);
    }
    pthread_mutex_unlock(&memory->lock);
}

struct acre_device_memory *acre_memory_at(struct acre_memory *memory, acre_place place)
{
    for (size_t i = 0; place != ACRE_PLACE_HOST && i < memory->device_count; ++i)
        if (memory->devices[i].device->place == place)
            return &memory->devices[i];
    return NULL;
}

struct acre_device_memory *acre_memory_of(struct acre_memory *memory, const struct acre_device *device)
{
    return &memory->devices[device - memory->context->devices];
}

acre_status acre_context_wait(acre_context *context)
{
    if (!context)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_context_wait: context is NULL");
    ACRE_TRY(acre_context_check(context));
    struct acre_memory *memory = context->memory;
    acre_status status = ACRE_OK;
    acre_memory_lock(memory);
    for (size_t i = 0; i < memory->device_count; ++i)
        if (memory->devices[i].newest)
            acre_event_wait(memory->devices[i].newest);
    if (memory->late)
        status = acre_fail(memory->late->status, "%s failed: %s", memory->late->label,
                           acre_event_tell(memory->late));
    acre_event_drop(memory->late);
    memory->late = NULL;
    acre_memory_unlock(memory);
    return status;
}
