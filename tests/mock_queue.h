/* tests/mock_queue.h: the queues of the mock backends, and what their other parts share. */
#ifndef ACRE_TESTS_MOCK_QUEUE_H
#define ACRE_TESTS_MOCK_QUEUE_H

#include <pthread.h>

#include "mock_backend.h"

struct acre_backend_device {
    size_t index;
};

struct acre_backend_memory {
    size_t bytes;
    size_t device;
    bool is_alias;
    unsigned char *data;
};

enum kind { COPY, FILL, CALL, RECORD, ORDER, MAP };

struct operation {
    struct operation *next;
    enum kind kind;
    unsigned char *to;
    const void *from;
    size_t bytes;
    const acre_backend_memory *memories[2]; /* that it uses */
    acre_backend_function *function;
    void *argument;
    acre_backend_event *event;
    int step; /* MAP: of the count */
};

struct acre_backend_queue {
    struct acre_backend_queue *next_queue;
    size_t device;
    struct operation *first, **last;
    acre_status latest;  /* how the latest work went */
    acre_status failure; /* the first since the last wait */
    unsigned long given, done;
    bool has_thread, ends;
    int most_rest;
    pthread_t thread;
};

struct acre_backend_event {
    unsigned holds;
    acre_backend_queue *queue;
    bool done;
    acre_status status;
};

extern const acre_backend_services *mock_services;

/* What is counted, and whose turn it is to fail. */
void mock_step(int *what, int step);
extern struct mock_count mock_counts;
bool mock_is_turn(enum mock_operation operation);
acre_status mock_refuse(enum mock_operation operation, acre_status failure);
acre_status mock_turn(enum mock_operation operation, acre_status failure);

/* Make ready; once. */
void mock_queues_start(void);
void mock_submit(acre_backend_queue *queue, struct operation what);
/* Is an operation that uses the memory still to be done? */
bool mock_is_used(const acre_backend_memory *memory);

acre_status mock_queue_create(acre_backend_device *device, acre_backend_queue **queue);
void mock_queue_destroy(acre_backend_queue *queue);
acre_status mock_queue_wait(acre_backend_queue *queue);
acre_status mock_event_record(acre_backend_queue *queue, acre_backend_event **event);
acre_status mock_event_query(acre_backend_event *event, bool *done);
acre_status mock_event_wait(acre_backend_event *event);
acre_status mock_queue_wait_event(acre_backend_queue *queue, acre_backend_event *event);
void mock_event_free(acre_backend_event *event);

#endif
