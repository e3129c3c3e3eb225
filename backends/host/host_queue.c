/* backends/host/host_queue.c: queues. One of a simulated device has a thread that does what it is given, in
 * order; one of the host itself leaves the work to whoever gives it. */
#include "backends/host/host.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct acre_backend_queue {
    acre_backend_device *device;
    bool has_thread;
    pthread_t thread;

    pthread_mutex_t lock; /* guards what follows up to `random` */
    pthread_cond_t given, done;
    struct acre_host_operation *first, **last;
    uint64_t given_count, done_count;
    bool ends;
    unsigned fails_in;   /* 1: the next copy, fill or call fails; 0: none does */
    acre_status failure; /* the first since the last wait */
    char words[160];

    /* The thread's own. */
    uint64_t random;
    acre_status latest; /* how the latest copy, fill or call went */
    char latest_words[160];
};

acre_backend_device *acre_host_queue_device(const acre_backend_queue *queue)
{
    return queue->device;
}

/* The next of a sequence that looks random and is always the same (xorshift64*), below `limit`. */
static uint64_t draw(acre_backend_queue *queue, uint64_t limit)
{
    queue->random ^= queue->random >> 12;
    queue->random ^= queue->random << 25;
    queue->random ^= queue->random >> 27;
    return (queue->random * UINT64_C(0x2545F4914F6CDD1D) >> 16) % limit;
}

static void delay(acre_backend_queue *queue)
{
    const uint64_t *range = queue->device->options.delay;
    if (range[1] == 0)
        return;
    const uint64_t microseconds = range[0] + draw(queue, range[1] - range[0] + 1);
    const struct timespec time = {.tv_sec = (time_t)(microseconds / 1000000),
                                  .tv_nsec = (long)(microseconds % 1000000) * 1000};
    nanosleep(&time, NULL);
}

/* Is it this operation's turn to fail? Then what it was to write is unusable. */
static bool fails(acre_backend_queue *queue, const struct acre_host_operation *operation)
{
    pthread_mutex_lock(&queue->lock);
    const bool turn = queue->fails_in > 0 && --queue->fails_in == 0;
    pthread_mutex_unlock(&queue->lock);
    if (!turn)
        return false;
    if (operation->kind != ACRE_HOST_CALL && operation->count > 0)
        memset(operation->to, ACRE_HOST_POISON, operation->count);
    const bool calls = operation->kind == ACRE_HOST_CALL;
    snprintf(queue->latest_words, sizeof(queue->latest_words), "host:%zu: a %s of %zu %s was told to fail",
             queue->device->index,
             calls                               ? "call"
             : operation->kind == ACRE_HOST_COPY ? "copy"
                                                 : "fill",
             operation->count, calls ? "items" : "bytes");
    return true;
}

static void do_work(acre_backend_queue *queue, const struct acre_host_operation *operation)
{
    delay(queue);
    if (!fails(queue, operation)) {
        acre_host_perform(queue->device, operation);
        queue->latest = ACRE_OK;
        return;
    }
    queue->latest = ACRE_ERR_BACKEND;
    pthread_mutex_lock(&queue->lock);
    if (queue->failure == ACRE_OK) {
        queue->failure = queue->latest;
        memcpy(queue->words, queue->latest_words, sizeof(queue->words));
    }
    pthread_mutex_unlock(&queue->lock);
}

static void do_operation(acre_backend_queue *queue, const struct acre_host_operation *operation)
{
    switch (operation->kind) {
    case ACRE_HOST_RECORD:
        acre_host_event_finish(operation->event, queue->latest, queue->latest_words);
        acre_host_event_free(operation->event);
        return;
    case ACRE_HOST_WAIT:
        acre_host_event_block(operation->event);
        acre_host_event_free(operation->event);
        return;
    case ACRE_HOST_COPY:
    case ACRE_HOST_FILL:
    case ACRE_HOST_CALL:
        do_work(queue, operation);
        return;
    }
}

/* Ends when it is told to and nothing is left to do. */
static void *serve(void *argument)
{
    acre_backend_queue *queue = argument;
    pthread_mutex_lock(&queue->lock);
    for (;;) {
        while (!queue->first && !queue->ends)
            pthread_cond_wait(&queue->given, &queue->lock);
        struct acre_host_operation *operation = queue->first;
        if (!operation)
            break;
        queue->first = operation->next;
        if (!queue->first)
            queue->last = &queue->first;
        pthread_mutex_unlock(&queue->lock);

        do_operation(queue, operation);
        free(operation);

        pthread_mutex_lock(&queue->lock);
        ++queue->done_count;
        pthread_cond_broadcast(&queue->done);
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

/* A thread that leaves all signals to the program's own ones. */
static int start_thread(acre_backend_queue *queue)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&queue->thread, NULL, serve, queue);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

acre_status acre_host_queue_create(acre_backend_device *device, acre_backend_queue **queue)
{
    acre_backend_queue *made = calloc(1, sizeof(*made));
    int error = 0;
    if (!made)
        return acre_host_services->fail(ACRE_ERR_OUT_OF_MEMORY, "out of host memory: %zu bytes", sizeof(*made));
    made->device = device;
    made->last = &made->first;
    made->random = UINT64_C(0x9E3779B97F4A7C15) * (device->index + 1);
    if ((error = pthread_mutex_init(&made->lock, NULL)) != 0)
        goto out;
    if ((error = pthread_cond_init(&made->given, NULL)) != 0)
        goto out_lock;
    if ((error = pthread_cond_init(&made->done, NULL)) != 0)
        goto out_given;
    if (acre_host_is_simulated(device) && (error = start_thread(made)) != 0)
        goto out_done;
    made->has_thread = acre_host_is_simulated(device);
    *queue = made;
    return ACRE_OK;

out_done:
    pthread_cond_destroy(&made->done);
out_given:
    pthread_cond_destroy(&made->given);
out_lock:
    pthread_mutex_destroy(&made->lock);
out:
    free(made);
    return acre_host_services->fail(ACRE_ERR_BACKEND, "host:%zu: no queue to be had: %s", device->index,
                                    strerror(error));
}

void acre_host_queue_destroy(acre_backend_queue *queue)
{
    if (queue->has_thread) {
        pthread_mutex_lock(&queue->lock);
        queue->ends = true;
        pthread_cond_broadcast(&queue->given);
        pthread_mutex_unlock(&queue->lock);
        pthread_join(queue->thread, NULL);
    }
    pthread_cond_destroy(&queue->done);
    pthread_cond_destroy(&queue->given);
    pthread_mutex_destroy(&queue->lock);
    free(queue);
}

/* A queue without a thread has no state that callers share: nothing fails late in it. */
static void do_now(acre_backend_queue *queue, const struct acre_host_operation *operation)
{
    if (operation->kind == ACRE_HOST_RECORD)
        acre_host_event_finish(operation->event, ACRE_OK, NULL);
    if (operation->kind == ACRE_HOST_WAIT)
        acre_host_event_block(operation->event);
    if (operation->event)
        acre_host_event_free(operation->event);
    else
        acre_host_perform(queue->device, operation);
}

acre_status acre_host_queue_submit(acre_backend_queue *queue, const struct acre_host_operation *operation)
{
    if (!queue->has_thread) {
        do_now(queue, operation);
        return ACRE_OK;
    }
    struct acre_host_operation *kept = malloc(sizeof(*kept));
    if (!kept)
        return acre_host_services->fail(ACRE_ERR_OUT_OF_MEMORY, "out of host memory: %zu bytes", sizeof(*kept));
    *kept = *operation;
    kept->next = NULL;
    pthread_mutex_lock(&queue->lock);
    *queue->last = kept;
    queue->last = &kept->next;
    ++queue->given_count;
    pthread_cond_signal(&queue->given);
    pthread_mutex_unlock(&queue->lock);
    return ACRE_OK;
}

acre_status acre_host_queue_wait(acre_backend_queue *queue)
{
    if (!queue->has_thread)
        return ACRE_OK;
    char words[sizeof(queue->words)];
    pthread_mutex_lock(&queue->lock);
    const uint64_t target = queue->given_count;
    while (queue->done_count < target)
        pthread_cond_wait(&queue->done, &queue->lock);
    const acre_status failure = queue->failure;
    queue->failure = ACRE_OK;
    memcpy(words, queue->words, sizeof(words));
    pthread_mutex_unlock(&queue->lock);
    return failure == ACRE_OK ? ACRE_OK : acre_host_services->fail(failure, "%s", words);
}

void acre_host_queue_fail_late(acre_backend_queue *queue, unsigned n)
{
    pthread_mutex_lock(&queue->lock);
    queue->fails_in = n;
    pthread_mutex_unlock(&queue->lock);
}
