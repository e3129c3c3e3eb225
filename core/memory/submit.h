/* core/memory/submit.h: the library's own work on arrays: its operands are acquired all or none, kernels are
 * given to the queues of their devices without waiting, and what they write counts as soon as that is done. */
#ifndef ACRE_CORE_MEMORY_SUBMIT_H
#define ACRE_CORE_MEMORY_SUBMIT_H

#include "acre/array.h"
#include "core/device/context.h"

struct acre_submit;

/* An operand: ranges of an array at a place. The whole array, when `ranges` is NULL and `count` 0. */
struct acre_use {
    acre_array *array;
    acre_place place;
    acre_access access;
    const acre_range *ranges;
    size_t count;
    void *address; /* set by acre_submit_begin: byte 0 of the array there; NULL when no processor can address it
                    */
};

/* Acquire the operands; their ranges must not overlap where one writes. It waits for views of other threads,
 * and for operands at the host until they are there. Errors: those of acre_array_acquire. */
acre_status acre_submit_begin(acre_context *context, struct acre_use *uses, size_t count, const char *file,
                              int line, struct acre_submit **submit);

struct acre_kernel {
    struct acre_device *device;
    const char *label;                                             /* "kernel 'a = b + c' (file.c:12)" */
    acre_status (*launch)(struct acre_device *device, void *user); /* give it to the device's queue */
    void *user;
    void (*finished)(
        void *argument); /* may be NULL; called once when it is done, in any thread, if it was given */
    void *argument;
};

/* Give a kernel to a device: on a device that computes in the host's memory it is done when this returns.
 * Errors: those of `launch`, and ACRE_FAULT; `finished` is not called then. */
acre_status acre_submit_kernel(struct acre_submit *submit, const struct acre_kernel *kernel);

/* Wait for the kernels given so far. Errors: that of the first which failed. */
acre_status acre_submit_wait(struct acre_submit *submit);

/* Operand i, in the order of acre_submit_begin, was not written after all: it stays as it was. */
void acre_submit_spare(struct acre_submit *submit, size_t i);

/* Let the operands go. What was written is the newest now. With a status that is not ACRE_OK, whose message is
 * the thread's, it is lost if a kernel was given: it may be half done; else nothing has changed. Returns the
 * status. */
acre_status acre_submit_end(struct acre_submit *submit, acre_status status);

#endif
