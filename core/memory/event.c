/* core/memory/event.c: events: from submission to what became of the work. A queue works in order, so whatever
 * is older than a done event is done, too. */
#include "core/memory/event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "core/base/log.h"
#include "core/memory/memory.h"

/* A caller that runs further ahead of a device than this waits for it. */
enum { MOST_PENDING = 256 };

/* Lists. */

acre_status acre_events_add(struct acre_events *events, struct acre_event *event)
{
    if (!event || (event->done && event->status == ACRE_OK))
        return ACRE_OK;
    for (size_t i = 0; i < events->count; ++i)
        if (events->list[i] == event)
            return ACRE_OK;
    if (events->count == events->capacity) {
        const size_t capacity = events->capacity ? 2 * events->capacity : 8;
        struct acre_event **list = realloc(events->list, capacity * sizeof(*list));
        if (!list)
            return acre_fail_memory(capacity * sizeof(*list));
        events->list = list;
        events->capacity = capacity;
    }
    events->list[events->count++] = acre_event_hold(event);
    return ACRE_OK;
}

void acre_events_free(struct acre_events *events)
{
    for (size_t i = 0; i < events->count; ++i)
        acre_event_drop(events->list[i]);
    free(events->list);
    *events = (struct acre_events){0};
}

/* Making and letting go. */

acre_status acre_event_make(struct acre_memory *memory, struct acre_device_memory *queue,
                            enum acre_event_kind kind, const char *label, struct acre_events *needs,
                            struct acre_event **event)
{
    struct acre_event *made = calloc(1, sizeof(*made));
    if (!made || !(made->label = strdup(label))) {
        free(made);
        return acre_fail_memory(sizeof(*made) + strlen(label) + 1);
    }
    made->holds = 1;
    made->memory = memory;
    made->queue = queue;
    made->kind = kind;
    made->work = queue ? ++memory->works : 0;
    if (needs) {
        made->needs = needs->list;
        made->need_count = needs->count;
        *needs = (struct acre_events){0};
    }
    *event = made;
    return ACRE_OK;
}

acre_status acre_event_make_failed(struct acre_memory *memory, enum acre_event_kind kind, const char *label,
                                   acre_status status, const char *message, struct acre_event **event)
{
    ACRE_TRY(acre_event_make(memory, NULL, kind, label, NULL, event));
    (*event)->done = true;
    (*event)->status = status;
    (*event)->message = strdup(message);
    return ACRE_OK;
}

static void let_needs_go(struct acre_event *event)
{
    struct acre_events needs = {.list = event->needs, .count = event->need_count};
    event->needs = NULL;
    event->need_count = 0;
    acre_events_free(&needs);
}

static void free_backend_event(struct acre_event *event)
{
    if (!event->backend || event->waiters > 0)
        return;
    event->queue->device->backend->event_free(event->backend);
    event->backend = NULL;
}

static const char *words_of(const struct acre_event *event)
{
    return event->message ? event->message : "no memory for its words";
}

const char *acre_event_tell(struct acre_event *event)
{
    event->is_reported = true;
    if (event->cause)
        event->cause->is_reported = true;
    return words_of(event);
}

void acre_event_drop(struct acre_event *event)
{
    if (!event || --event->holds > 0)
        return;
    if (event->status != ACRE_OK && !event->is_reported && !event->cause)
        acre_log(ACRE_LOG_ERROR, "%s failed after it was submitted: %s", event->label, words_of(event));
    let_needs_go(event);
    acre_event_drop(event->cause);
    free_backend_event(event);
    free(event->label);
    free(event->message);
    free(event);
}

/* Becoming done. */

static void note_failure(struct acre_event *event, acre_status status, const char *words)
{
    event->status = status;
    event->message = strdup(words);
    if (!event->memory->late)
        event->memory->late = acre_event_hold(event);
}

/* Work that read what failed work should have made failed with it. */
static void inherit_failure(struct acre_event *event)
{
    for (size_t i = 0; i < event->need_count && event->status == ACRE_OK; ++i) {
        struct acre_event *need = event->needs[i];
        acre_event_drain(need);
        if (need->status == ACRE_OK)
            continue;
        struct acre_event *cause = need->cause ? need->cause : need;
        event->status = need->status;
        event->cause = acre_event_hold(cause);
        const char *words = words_of(cause);
        const size_t room = strlen(cause->label) + strlen(words) + 16;
        event->message = malloc(room);
        if (event->message)
            snprintf(event->message, room, "%s failed: %s", cause->label, words);
    }
    let_needs_go(event);
}

static void conclude(struct acre_event *event, acre_status status)
{
    event->done = true;
    if (event->fails_late && status == ACRE_OK)
        status = acre_fail(ACRE_ERR_BACKEND, "ACRE_FAULT makes it fail late");
    if (status != ACRE_OK)
        note_failure(event, status, acre_message());
    inherit_failure(event);
    free_backend_event(event);
    if (acre_record_is_on(event->memory->context))
        acre_record(event->memory->context,
                    (struct acre_record){.kind = ACRE_RECORD_DONE,
                                         .work = event->work,
                                         .text = event->status == ACRE_OK ? "" : words_of(event)});
    if (event->finished) {
        event->next_finished = event->memory->finished;
        event->memory->finished = acre_event_hold(event);
    }
}

/* The oldest of a queue is done. */
static void conclude_oldest(struct acre_device_memory *queue)
{
    struct acre_event *event = queue->oldest;
    queue->oldest = event->newer;
    if (!queue->oldest)
        queue->newest = NULL;
    event->newer = NULL;
    --queue->pending;
    conclude(event, queue->device->backend->event_wait(event->backend));
    acre_event_drop(event);
}

/* This one is done: so are those before it. */
static void conclude_up_to(struct acre_event *event)
{
    while (!event->done && event->queue->oldest)
        conclude_oldest(event->queue);
}

void acre_event_drain(struct acre_event *event)
{
    if (event->done)
        return;
    (void)event->queue->device->backend->event_wait(event->backend); /* told again below */
    conclude_up_to(event);
}

void acre_event_submitted(struct acre_event *event)
{
    struct acre_device_memory *queue = event->queue;
    const acre_backend *backend = queue->device->backend;
    if (backend->event_record(queue->device->queue, &event->backend) != ACRE_OK) {
        event->backend = NULL;
        conclude(event, backend->queue_wait(queue->device->queue));
        return;
    }
    if (queue->newest)
        queue->newest->newer = event;
    else
        queue->oldest = event;
    queue->newest = acre_event_hold(event);
    if (++queue->pending > MOST_PENDING)
        conclude_oldest(queue);
}

void acre_event_wait(struct acre_event *event)
{
    struct acre_memory *memory = event->memory;
    if (event->done)
        return;
    acre_event_hold(event);
    ++event->waiters;
    ++memory->statistics.waits;
    acre_memory_unlock(memory);
    (void)event->queue->device->backend->event_wait(event->backend);
    acre_memory_lock(memory);
    --event->waiters;
    conclude_up_to(event);
    free_backend_event(event);
    acre_event_drop(event);
}

void acre_events_poll(struct acre_memory *memory)
{
    for (size_t i = 0; i < memory->device_count; ++i) {
        struct acre_device_memory *queue = &memory->devices[i];
        bool done = true;
        while (queue->oldest && done)
            if (queue->device->backend->event_query(queue->oldest->backend, &done) != ACRE_OK || !done)
                break;
            else
                conclude_oldest(queue);
    }
}

/* Order. */

static bool is_ordered(const struct acre_device_memory *queue, const struct acre_event *event)
{
    return !event || event->done || event->queue == queue;
}

bool acre_event_is_beyond(const struct acre_device_memory *queue, const struct acre_event *event)
{
    return !is_ordered(queue, event) && event->queue->device->backend != queue->device->backend;
}

acre_status acre_event_order(struct acre_device_memory *queue, struct acre_event *event)
{
    if (is_ordered(queue, event))
        return ACRE_OK;
    return queue->device->backend->queue_wait_event(queue->device->queue, event->backend);
}
