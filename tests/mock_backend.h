/* tests/mock_backend.h: a backend of three devices with memory of their own, in the host's reach. Its queues do
 * nothing before they are waited for, its memory is poisoned, and its operations can be made to fail: what
 * relies on luck shows. */
#ifndef ACRE_TESTS_MOCK_BACKEND_H
#define ACRE_TESTS_MOCK_BACKEND_H

#include "core/device/context.h"

enum { MOCK_DEVICES = 3, MOCK_POISON = 0xA5 };

/* All slots there; the same without `address` and `call`. */
extern const acre_backend mock_backend;
extern const acre_backend mock_far_backend;

/* A context of the first `device_count` devices. */
acre_context *mock_context(size_t device_count);

enum mock_operation {
    MOCK_OPEN,
    MOCK_QUEUE,
    MOCK_ALLOC,
    MOCK_UPLOAD,
    MOCK_DOWNLOAD,
    MOCK_WAIT,
    MOCK_OPERATIONS
};

/* Let the n-th such operation from now on fail (1: the next one), once; 0: none. A failing wait fails the first
 * copy waited for and drops the rest. */
void mock_fail(enum mock_operation operation, unsigned n);

/* What is there now: open devices, queues, blocks of memory, and copies not waited for. */
struct mock_count {
    int devices, queues, blocks, pending;
};
struct mock_count mock_count(void);

#endif
