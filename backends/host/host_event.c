/* backends/host/host_event.c: events: marks in a queue that others wait for. */
#include "backends/host/host.h"

#include <stdlib.h>
#include <string.h>

struct acre_backend_event {
    pthread_mutex_t lock; /* guards the rest */
    pthread_cond_t finished;
    unsigned holds; /* its owner, the queue that it is recorded in, and those that wait for it */
    bool done;
    acre_status status; /* of the latest work before it */
    char *words;        /* why that failed; NULL: no memory for them, or it didn't */
    struct timespec when;
};

static acre_status make(acre_backend_event **event)
{
    acre_backend_event *made = calloc(1, sizeof(*made));
    if (!made)
        goto out;
    if (pthread_mutex_init(&made->lock, NULL) != 0)
        goto out_made;
    if (pthread_cond_init(&made->finished, NULL) != 0)
        goto out_lock;
    made->holds = 1;
    *event = made;
    return ACRE_OK;

out_lock:
    pthread_mutex_destroy(&made->lock);
out_made:
    free(made);
out:
    return acre_host_services->fail(ACRE_ERR_OUT_OF_MEMORY, "out of host memory: no event to be had");
}

/* Count one hold more, or one less that is not the last. */
static void hold(acre_backend_event *event, bool more)
{
    pthread_mutex_lock(&event->lock);
    event->holds = more ? event->holds + 1 : event->holds - 1;
    pthread_mutex_unlock(&event->lock);
}

void acre_host_event_free(acre_backend_event *event)
{
    pthread_mutex_lock(&event->lock);
    const bool last = --event->holds == 0;
    pthread_mutex_unlock(&event->lock);
    if (!last)
        return;
    pthread_cond_destroy(&event->finished);
    pthread_mutex_destroy(&event->lock);
    free(event->words);
    free(event);
}

/* Give the queue an operation that has a hold on the event, beside the caller's. */
static acre_status submit(acre_backend_queue *queue, enum acre_host_kind kind, acre_backend_event *event)
{
    const struct acre_host_operation operation = {.kind = kind, .event = event};
    hold(event, true);
    const acre_status status = acre_host_queue_submit(queue, &operation);
    if (status != ACRE_OK)
        hold(event, false);
    return status;
}

acre_status acre_host_event_record(acre_backend_queue *queue, acre_backend_event **event)
{
    acre_status status = make(event);
    if (status != ACRE_OK)
        return status;
    status = submit(queue, ACRE_HOST_RECORD, *event);
    if (status != ACRE_OK) {
        acre_host_event_free(*event);
        *event = NULL;
    }
    return status;
}

acre_status acre_host_queue_wait_event(acre_backend_queue *queue, acre_backend_event *event)
{
    return submit(queue, ACRE_HOST_WAIT, event);
}

acre_status acre_host_event_query(acre_backend_event *event, bool *done)
{
    pthread_mutex_lock(&event->lock);
    *done = event->done;
    pthread_mutex_unlock(&event->lock);
    return ACRE_OK;
}

void acre_host_event_block(acre_backend_event *event)
{
    pthread_mutex_lock(&event->lock);
    while (!event->done)
        pthread_cond_wait(&event->finished, &event->lock);
    pthread_mutex_unlock(&event->lock);
}

acre_status acre_host_event_wait(acre_backend_event *event)
{
    acre_host_event_block(event);
    /* Nothing changes any more once it is done. */
    if (event->status == ACRE_OK)
        return ACRE_OK;
    return acre_host_services->fail(event->status, "%s",
                                    event->words ? event->words : "work failed, and no memory to say which");
}

void acre_host_event_finish(acre_backend_event *event, acre_status status, const char *words)
{
    char *kept = status != ACRE_OK && words ? strdup(words) : NULL;
    pthread_mutex_lock(&event->lock);
    event->status = status;
    event->words = kept;
    clock_gettime(CLOCK_MONOTONIC, &event->when);
    event->done = true;
    pthread_cond_broadcast(&event->finished);
    pthread_mutex_unlock(&event->lock);
}

acre_status acre_host_event_elapsed(acre_backend_event *from, acre_backend_event *to, double *seconds)
{
    bool both = false, done = false;
    acre_host_event_query(from, &both);
    acre_host_event_query(to, &done);
    if (!both || !done)
        return acre_host_services->fail(ACRE_ERR_BACKEND, "the %s event is not done yet, no time between them",
                                        both ? "second" : "first");
    *seconds =
        (double)(to->when.tv_sec - from->when.tv_sec) + 1e-9 * (double)(to->when.tv_nsec - from->when.tv_nsec);
    return ACRE_OK;
}
