/* core/memory/event.h: a copy or a kernel that was given to a device's queue, and how it went once that is
 * known. It outlives the work: a failure is told to whoever meets it later. Everything here is for callers that
 * hold the memory lock. */
#ifndef ACRE_CORE_MEMORY_EVENT_H
#define ACRE_CORE_MEMORY_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "acre/backend.h"

struct acre_memory;
struct acre_device_memory;

enum acre_event_kind { ACRE_EVENT_COPY, ACRE_EVENT_KERNEL };

struct acre_event {
    unsigned holds;
    struct acre_memory *memory;
    struct acre_device_memory *queue; /* whose queue it is in; NULL: it was known from the start */
    enum acre_event_kind kind;
    uint64_t work; /* its number, from 1; 0 when it is in no queue */
    char *label;

    bool done;
    acre_status status; /* once done */
    char *message;      /* why it failed: the device's own words, or of what it needed */
    bool is_reported;   /* somebody got the failure as a status */
    bool fails_late;    /* fault injection: it will have failed, whatever the device says */

    acre_backend_event *backend; /* until done, and until nobody blocks on it */
    unsigned waiters;
    struct acre_event *newer; /* in the queue */

    /* Called without the lock, some time after it is done. */
    void (*finished)(void *argument);
    void *argument;
    struct acre_event *next_finished;

    /* Work whose results this one reads: if one failed, so did this. Let go once done. */
    size_t need_count;
    struct acre_event **needs;
    struct acre_event *cause; /* the first of them that failed by itself */
};

/* A list of different events, each held. {0} is empty. */
struct acre_events {
    struct acre_event **list;
    size_t count, capacity;
};
/* Add an event, once; NULL, and those that are done and went well, are passed over. */
acre_status acre_events_add(struct acre_events *events, struct acre_event *event);
void acre_events_free(struct acre_events *events);

/* An event for work about to be given to a queue, with one hold. The label says what it is: "kernel ...". The
 * needs are moved out of `needs` (may be NULL). */
acre_status acre_event_make(struct acre_memory *memory, struct acre_device_memory *queue,
                            enum acre_event_kind kind, const char *label, struct acre_events *needs,
                            struct acre_event **event);
/* The work was just given to its queue. Can't fail: without an event from the backend the work is waited for.
 */
void acre_event_submitted(struct acre_event *event);
/* An event that is done, and failed, with one hold. */
acre_status acre_event_make_failed(struct acre_memory *memory, enum acre_event_kind kind, const char *label,
                                   acre_status status, const char *message, struct acre_event **event);

static inline struct acre_event *acre_event_hold(struct acre_event *event)
{
    if (event)
        ++event->holds;
    return event;
}
void acre_event_drop(struct acre_event *event);

/* The words of a failed event, for a message: from now on somebody was told of the failure. One that nobody was
 * ever told of goes to the log. */
const char *acre_event_tell(struct acre_event *event);

/* Block until it is done; the lock is let go meanwhile. */
void acre_event_wait(struct acre_event *event);
/* The same with the lock held all the time: for clearing up after a failure. */
void acre_event_drain(struct acre_event *event);

/* Look which events are done. */
void acre_events_poll(struct acre_memory *memory);

/* Have a queue do nothing more before the event is done. Done ones, and those of the queue itself, need not be
 * waited for. */
acre_status acre_event_order(struct acre_device_memory *queue, struct acre_event *event);
/* Is it pending in a queue which `queue` can't be made to wait for? Then the caller has to. */
bool acre_event_is_beyond(const struct acre_device_memory *queue, const struct acre_event *event);

#endif
