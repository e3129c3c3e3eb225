/* tests/mock_backend.h: backends of three devices with memory of their own. Their queues do nothing before they
 * are waited for (or work in threads of their own, if told so), their memory is poisoned, and their operations
 * can be made to fail: what relies on luck shows. */
#ifndef ACRE_TESTS_MOCK_BACKEND_H
#define ACRE_TESTS_MOCK_BACKEND_H

#include <stdio.h>
#include <stdlib.h>

#include "core/device/context.h"

/* For what several threads do: Check's own assertions are for one. */
#define mock_must(holds)                                                                                       \
    do {                                                                                                       \
        if (!(holds)) {                                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #holds);                                \
            abort();                                                                                           \
        }                                                                                                      \
    } while (0)

enum { MOCK_DEVICES = 3, MOCK_POISON = 0xA5 };

/* In the host's reach: what is required, `address` and `call`. */
extern const acre_backend mock_backend;
/* Out of its reach: without these two. */
extern const acre_backend mock_far_backend;
/* Also copies within a device and between devices, except to device 2; fill; pinned host memory. */
extern const acre_backend mock_peer_backend;
/* Devices that use the host's memory, and want it mapped. */
extern const acre_backend mock_alias_backend;

/* A context of the first `device_count` devices. */
acre_context *mock_context(size_t device_count);
acre_context *mock_context_of(const acre_backend *backend, size_t device_count);

enum mock_operation {
    MOCK_OPEN,
    MOCK_QUEUE,
    MOCK_ALLOC,
    MOCK_UPLOAD,
    MOCK_DOWNLOAD,
    MOCK_PEER, /* and copies within a device */
    MOCK_RECORD,
    MOCK_ORDER, /* of a queue behind an event */
    MOCK_CALL,
    MOCK_LATE, /* a copy, fill or call fails when its queue comes to it, and what it was to write is poisoned */
    MOCK_OPERATIONS
};

/* Let the n-th such operation from now on fail (1: the next one), once; 0: none. */
void mock_fail(enum mock_operation operation, unsigned n);

/* From the next context on: queues with threads of their own, which rest up to so many microseconds before each
 * operation; negative: none, they work when waited for. */
void mock_threads(int most_rest);
/* From the next context on: all devices are one card. */
void mock_one_card(bool is_one);

/* What is there now: open devices, queues, blocks of memory, pinned blocks, events, and operations to be done;
 * mapped pieces; kernels and copies done since the start. */
struct mock_count {
    int devices, queues, blocks, pinned, events, pending, mapped, done;
};
struct mock_count mock_count(void);

#endif
