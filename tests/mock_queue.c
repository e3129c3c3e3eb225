/* tests/mock_queue.c: deferred or threaded queues, their events, and failures to order. */
#include "mock_queue.h"

#include <string.h>
#include <unistd.h>

const acre_backend_services *mock_services;
static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; /* guards all that follows, and all queues and events */
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t running; /* recursive: deferred queues are run by one thread at a time */
static unsigned countdown[MOCK_OPERATIONS];
struct mock_count mock_counts;
static acre_backend_queue *queues;
static int rest_of_threads = -1;

static const char *const operation_names[MOCK_OPERATIONS] = {
    "open", "queue", "alloc", "upload", "download", "peer copy", "event", "order", "call", "work",
};

void mock_fail(enum mock_operation operation, unsigned n)
{
    pthread_mutex_lock(&lock);
    countdown[operation] = n;
    pthread_mutex_unlock(&lock);
}

void mock_threads(int most_rest)
{
    rest_of_threads = most_rest;
}

struct mock_count mock_count(void)
{
    pthread_mutex_lock(&lock);
    const struct mock_count now = mock_counts;
    pthread_mutex_unlock(&lock);
    return now;
}

void mock_step(int *what, int step)
{
    pthread_mutex_lock(&lock);
    *what += step;
    pthread_mutex_unlock(&lock);
}

bool mock_is_turn(enum mock_operation operation)
{
    pthread_mutex_lock(&lock);
    const bool fails = countdown[operation] > 0 && --countdown[operation] == 0;
    pthread_mutex_unlock(&lock);
    return fails;
}

/* The brackets keep Check's macro `fail` away. */
acre_status mock_refuse(enum mock_operation operation, acre_status failure)
{
    return (mock_services->fail)(failure, "the mock's %s was told to fail", operation_names[operation]);
}

/* Is it this operation's turn to fail? */
acre_status mock_turn(enum mock_operation operation, acre_status failure)
{
    return mock_is_turn(operation) ? mock_refuse(operation, failure) : ACRE_OK;
}

static void make_running(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&running, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

void mock_queues_start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_running);
}

/* Queues. */

static void drop_event(acre_backend_event *event)
{
    pthread_mutex_lock(&lock);
    const bool last = --event->holds == 0;
    mock_counts.events -= last;
    pthread_mutex_unlock(&lock);
    if (last)
        free(event);
}

static void run_until(acre_backend_event *event);

static void do_work(acre_backend_queue *queue, const struct operation *operation)
{
    const bool fails = mock_is_turn(MOCK_LATE);
    if (fails && operation->to)
        memset(operation->to, MOCK_POISON, operation->bytes);
    if (!fails && operation->kind == COPY)
        memcpy(operation->to, operation->from, operation->bytes);
    if (!fails && operation->kind == FILL)
        memset(operation->to, *(const unsigned char *)operation->argument, operation->bytes);
    if (!fails && operation->kind == CALL) {
        const size_t half = operation->bytes / 2;
        operation->function(operation->argument, 0, half, 0);
        operation->function(operation->argument, half, operation->bytes, 1);
    }
    if (operation->kind == FILL)
        free(operation->argument);
    pthread_mutex_lock(&lock);
    queue->latest = fails ? ACRE_ERR_BACKEND : ACRE_OK;
    if (queue->failure == ACRE_OK)
        queue->failure = queue->latest;
    ++mock_counts.done;
    pthread_mutex_unlock(&lock);
}

static void perform(acre_backend_queue *queue, const struct operation *operation)
{
    switch (operation->kind) {
    case COPY:
    case FILL:
    case CALL:
        if (queue->most_rest > 0)
            usleep((useconds_t)((uintptr_t)operation / 64 % (unsigned)queue->most_rest));
        do_work(queue, operation);
        return;
    case RECORD:
        pthread_mutex_lock(&lock);
        operation->event->done = true;
        operation->event->status = queue->latest;
        pthread_mutex_unlock(&lock);
        drop_event(operation->event);
        return;
    case ORDER:
        run_until(operation->event);
        drop_event(operation->event);
        return;
    case MAP:
        mock_step(&mock_counts.mapped, operation->step);
        return;
    }
}

/* Do the first operation of a queue, which stays in it until it is done. */
static void run_one(acre_backend_queue *queue)
{
    pthread_mutex_lock(&lock);
    struct operation *operation = queue->first;
    pthread_mutex_unlock(&lock);
    perform(queue, operation);
    pthread_mutex_lock(&lock);
    queue->first = operation->next;
    if (!queue->first)
        queue->last = &queue->first;
    ++queue->done;
    --mock_counts.pending;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    free(operation);
}

static bool is_done(const acre_backend_event *event)
{
    pthread_mutex_lock(&lock);
    const bool done = event->done;
    pthread_mutex_unlock(&lock);
    return done;
}

static void run_until(acre_backend_event *event)
{
    if (event->queue->has_thread) {
        pthread_mutex_lock(&lock);
        while (!event->done)
            pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
        return;
    }
    pthread_mutex_lock(&running);
    while (!is_done(event))
        run_one(event->queue);
    pthread_mutex_unlock(&running);
}

static void *serve(void *argument)
{
    acre_backend_queue *queue = argument;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!queue->first && !queue->ends)
            pthread_cond_wait(&changed, &lock);
        if (!queue->first)
            break;
        pthread_mutex_unlock(&lock);
        run_one(queue);
        pthread_mutex_lock(&lock);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

acre_status mock_queue_create(acre_backend_device *device, acre_backend_queue **queue)
{
    const acre_status status = mock_turn(MOCK_QUEUE, ACRE_ERR_BACKEND);
    if (status != ACRE_OK)
        return status;
    *queue = calloc(1, sizeof(**queue));
    mock_must(*queue != NULL);
    (*queue)->device = device->index;
    (*queue)->last = &(*queue)->first;
    (*queue)->has_thread = rest_of_threads >= 0;
    (*queue)->most_rest = rest_of_threads;
    pthread_mutex_lock(&lock);
    (*queue)->next_queue = queues;
    queues = *queue;
    ++mock_counts.queues;
    pthread_mutex_unlock(&lock);
    if ((*queue)->has_thread)
        mock_must(pthread_create(&(*queue)->thread, NULL, serve, *queue) == 0);
    return ACRE_OK;
}

void mock_submit(acre_backend_queue *queue, struct operation what)
{
    struct operation *operation = malloc(sizeof(*operation));
    mock_must(operation != NULL);
    *operation = what;
    operation->next = NULL;
    pthread_mutex_lock(&lock);
    *queue->last = operation;
    queue->last = &operation->next;
    ++queue->given;
    ++mock_counts.pending;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

acre_status mock_queue_wait(acre_backend_queue *queue)
{
    pthread_mutex_lock(&lock);
    const unsigned long target = queue->given;
    while (queue->has_thread && queue->done < target)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    if (!queue->has_thread) {
        pthread_mutex_lock(&running);
        while (queue->done < target)
            run_one(queue);
        pthread_mutex_unlock(&running);
    }
    pthread_mutex_lock(&lock);
    const acre_status failure = queue->failure;
    queue->failure = ACRE_OK;
    pthread_mutex_unlock(&lock);
    return failure == ACRE_OK ? ACRE_OK : mock_refuse(MOCK_LATE, failure);
}

void mock_queue_destroy(acre_backend_queue *queue)
{
    mock_must(queue->first == NULL);
    pthread_mutex_lock(&lock);
    queue->ends = true;
    acre_backend_queue **link = &queues;
    while (*link != queue)
        link = &(*link)->next_queue;
    *link = queue->next_queue;
    --mock_counts.queues;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    if (queue->has_thread)
        pthread_join(queue->thread, NULL);
    free(queue);
}

/* Events. */

acre_status mock_event_record(acre_backend_queue *queue, acre_backend_event **event)
{
    const acre_status status = mock_turn(MOCK_RECORD, ACRE_ERR_BACKEND);
    if (status != ACRE_OK)
        return status;
    *event = calloc(1, sizeof(**event));
    mock_must(*event != NULL);
    (*event)->holds = 2;
    (*event)->queue = queue;
    mock_step(&mock_counts.events, 1);
    mock_submit(queue, (struct operation){.kind = RECORD, .event = *event});
    return ACRE_OK;
}

acre_status mock_event_query(acre_backend_event *event, bool *done)
{
    *done = is_done(event);
    return ACRE_OK;
}

acre_status mock_event_wait(acre_backend_event *event)
{
    run_until(event);
    return event->status == ACRE_OK ? ACRE_OK : mock_refuse(MOCK_LATE, event->status);
}

acre_status mock_queue_wait_event(acre_backend_queue *queue, acre_backend_event *event)
{
    const acre_status status = mock_turn(MOCK_ORDER, ACRE_ERR_BACKEND);
    if (status != ACRE_OK)
        return status;
    pthread_mutex_lock(&lock);
    ++event->holds;
    pthread_mutex_unlock(&lock);
    mock_submit(queue, (struct operation){.kind = ORDER, .event = event});
    return ACRE_OK;
}

void mock_event_free(acre_backend_event *event)
{
    drop_event(event);
}

bool mock_is_used(const acre_backend_memory *memory)
{
    bool is_used = false;
    pthread_mutex_lock(&lock);
    for (const acre_backend_queue *queue = queues; queue; queue = queue->next_queue)
        for (const struct operation *operation = queue->first; operation; operation = operation->next)
            is_used = is_used || operation->memories[0] == memory || operation->memories[1] == memory;
    pthread_mutex_unlock(&lock);
    return is_used;
}
