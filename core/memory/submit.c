/* core/memory/submit.c: operands held from the submission's begin to its end, and the kernels in between. */
#include "core/memory/submit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "core/memory/check.h"
#include "core/memory/copy.h"
#include "core/memory/request.h"

struct acre_submit {
    struct acre_memory *memory;
    struct acre_request request;
    struct acre_event *spoilt; /* what fails, if something does */
    size_t launched;
    const char *file;
    int line;
    struct acre_event **last; /* of each device: its latest kernel */
    bool *spared;             /* of each operand: it was not written */
    struct acre_holder *holders[];
};

static void free_submit(struct acre_submit *submit)
{
    for (size_t i = 0; i < submit->memory->device_count; ++i)
        acre_event_drop(submit->last[i]);
    acre_event_drop(submit->spoilt);
    acre_events_free(&submit->request.needs);
    free(submit->last);
    free(submit->spared);
    free(submit);
}

static acre_status allocate(acre_context *context, size_t count, struct acre_submit **submit)
{
    struct acre_memory *memory = context->memory;
    const size_t bytes = sizeof(**submit) + count * sizeof(struct acre_holder *);
    struct acre_submit *made = calloc(1, bytes);
    if (!made)
        return acre_fail_memory(bytes);
    made->memory = memory;
    made->last = calloc(memory->device_count, sizeof(struct acre_event *));
    made->spared = calloc(count + 1, sizeof(bool));
    if (!made->last || !made->spared) {
        free(made->last);
        free(made->spared);
        free(made);
        return acre_fail_memory(memory->device_count * sizeof(struct acre_event *) + count + 1);
    }
    made->request.memory = memory;
    made->request.holders = made->holders;
    made->request.is_library = true;
    *submit = made;
    return ACRE_OK;
}

static acre_status make_holders(struct acre_submit *submit, const struct acre_use *uses, size_t count)
{
    for (; submit->request.count < count; ++submit->request.count) {
        const struct acre_use *use = &uses[submit->request.count];
        ACRE_TRY(acre_request_holder(use->array, use->place, use->access, use->ranges, use->count, false, true,
                                     submit->file, submit->line, &submit->holders[submit->request.count]));
    }
    return ACRE_OK;
}

static acre_status make_spoilt(struct acre_submit *submit)
{
    char label[256];
    snprintf(label, sizeof(label), "the work of %.200s:%d", submit->file, submit->line);
    return acre_event_make(submit->memory, NULL, ACRE_EVENT_KERNEL, label, NULL, &submit->spoilt);
}

acre_status acre_submit_begin(acre_context *context, struct acre_use *uses, size_t count, const char *file,
                              int line, struct acre_submit **submit)
{
    struct acre_submit *made;
    *submit = NULL;
    ACRE_TRY(acre_context_check(context));
    ACRE_TRY(allocate(context, count, &made));
    made->file = file;
    made->line = line;
    acre_status status = make_holders(made, uses, count);
    acre_memory_lock(made->memory);
    if (status == ACRE_OK)
        status = make_spoilt(made);
    if (status == ACRE_OK)
        status = acre_request_acquire(&made->request);
    for (size_t i = 0; i < count && status == ACRE_OK; ++i)
        uses[i].address = acre_request_address(made->holders[i]);
    if (status != ACRE_OK) {
        for (size_t i = 0; i < made->request.count; ++i)
            free(made->holders[i]);
        free_submit(made);
    }
    acre_memory_unlock(context->memory);
    if (status == ACRE_OK)
        *submit = made;
    return status;
}

/* Kernels. */

/* What the submission writes at a place is spoilt: a kernel there is to fail late. */
static void spoil(struct acre_submit *submit, struct acre_device_memory *queue)
{
    for (size_t i = 0; i < submit->request.count; ++i) {
        const struct acre_holder *holder = submit->holders[i];
        if (!acre_access_writes(holder->access) || holder->place != queue->device->place)
            continue;
        for (size_t k = 0; k < holder->count; ++k) {
            const acre_range range = holder->sorted[k];
            if (holder->place == ACRE_PLACE_HOST)
                acre_check_poison(holder->array->host + range.offset, range.bytes);
            else
                acre_copy_spoil(holder->handle, range.offset, range.bytes);
        }
    }
}

static void tell(struct acre_submit *submit, const struct acre_kernel *kernel, uint64_t work)
{
    ++submit->memory->statistics.kernels;
    acre_record(submit->memory->context, (struct acre_record){.kind = ACRE_RECORD_KERNEL,
                                                              .to = kernel->device->place,
                                                              .work = work,
                                                              .text = kernel->label,
                                                              .file = submit->file,
                                                              .line = submit->line});
}

static acre_status fail_launch(const struct acre_kernel *kernel, acre_status status)
{
    return acre_fail(status, "%s can't start on %s: %s", kernel->label, kernel->device->name, acre_message());
}

static void remember(struct acre_submit *submit, struct acre_device_memory *queue, struct acre_event *event)
{
    acre_event_drop(submit->last[queue->index]);
    submit->last[queue->index] = event;
    ++submit->launched;
}

/* On a device that computes in the host's memory: done now, without the lock. */
static acre_status run_here(struct acre_submit *submit, struct acre_device_memory *queue,
                            const struct acre_kernel *kernel)
{
    acre_status status = kernel->launch(kernel->device, kernel->user);
    if (status != ACRE_OK)
        return fail_launch(kernel, status);
    const acre_status waited = kernel->device->backend->queue_wait(kernel->device->queue);
    const bool struck = acre_fault_strikes(ACRE_FAULT_KERNEL_LATE);
    struct acre_event *failed = NULL;
    if (struck || waited != ACRE_OK) {
        status = struck ? acre_fault_fail(ACRE_FAULT_KERNEL_LATE, ACRE_ERR_BACKEND) : waited;
        const acre_status made = acre_event_make_failed(submit->memory, ACRE_EVENT_KERNEL, kernel->label,
                                                        status, acre_message(), &failed);
        if (made != ACRE_OK)
            status = made; /* then the caller ends the submission with it, and all is lost likewise */
    }
    acre_memory_lock(submit->memory);
    tell(submit, kernel, ++submit->memory->works);
    if (struck)
        spoil(submit, queue);
    if (failed && !submit->memory->late)
        submit->memory->late = acre_event_hold(failed);
    remember(submit, queue, failed);
    acre_memory_unlock(submit->memory);
    if (kernel->finished)
        kernel->finished(kernel->argument);
    return failed ? ACRE_OK : status;
}

/* Later passes read what earlier ones made. */
static acre_status gather_needs(const struct acre_submit *submit, struct acre_events *needs)
{
    for (size_t i = 0; i < submit->request.needs.count; ++i)
        ACRE_TRY(acre_events_add(needs, submit->request.needs.list[i]));
    for (size_t i = 0; i < submit->memory->device_count; ++i)
        ACRE_TRY(acre_events_add(needs, submit->last[i]));
    return ACRE_OK;
}

/* With the lock held. */
static acre_status enqueue(struct acre_submit *submit, struct acre_device_memory *queue,
                           const struct acre_kernel *kernel)
{
    struct acre_events needs = {0};
    struct acre_event *event = NULL;
    acre_status status = gather_needs(submit, &needs);
    if (status == ACRE_OK)
        status = acre_event_make(submit->memory, queue, ACRE_EVENT_KERNEL, kernel->label, &needs, &event);
    acre_events_free(&needs);
    if (status != ACRE_OK)
        return status;
    status = kernel->launch(kernel->device, kernel->user);
    if (status != ACRE_OK) {
        acre_event_drop(event);
        return fail_launch(kernel, status);
    }
    if (acre_fault_strikes(ACRE_FAULT_KERNEL_LATE)) {
        event->fails_late = true;
        spoil(submit, queue);
    }
    event->finished = kernel->finished;
    event->argument = kernel->argument;
    tell(submit, kernel, event->work);
    acre_event_submitted(event);
    remember(submit, queue, event);
    return ACRE_OK;
}

acre_status acre_submit_kernel(struct acre_submit *submit, const struct acre_kernel *kernel)
{
    struct acre_device_memory *queue = acre_memory_of(submit->memory, kernel->device);
    if (acre_fault_strikes(ACRE_FAULT_KERNEL))
        return fail_launch(kernel, acre_fault_fail(ACRE_FAULT_KERNEL, ACRE_ERR_BACKEND));
    if (kernel->device->place == ACRE_PLACE_HOST)
        return run_here(submit, queue, kernel);
    acre_memory_lock(submit->memory);
    const acre_status status = enqueue(submit, queue, kernel);
    acre_memory_unlock(submit->memory);
    return status;
}

acre_status acre_submit_wait(struct acre_submit *submit)
{
    struct acre_memory *memory = submit->memory;
    acre_status status = ACRE_OK;
    acre_memory_lock(memory);
    for (size_t i = 0; i < memory->device_count; ++i) {
        struct acre_event *event = submit->last[i];
        if (!event)
            continue;
        acre_event_wait(event);
        if (event->status != ACRE_OK && status == ACRE_OK)
            status = acre_fail(event->status, "%s failed: %s", event->label, acre_event_tell(event));
    }
    acre_memory_unlock(memory);
    return status;
}

/* The end. */

static struct acre_event *event_of(const struct acre_submit *submit, const struct acre_holder *holder)
{
    if (holder->place == ACRE_PLACE_HOST) {
        for (size_t i = 0; i < submit->memory->device_count; ++i)
            if (submit->memory->devices[i].device->place == ACRE_PLACE_HOST && submit->last[i])
                return submit->last[i];
        return NULL;
    }
    const struct acre_device_memory *queue = acre_memory_at(submit->memory, holder->place);
    return submit->last[queue->index];
}

/* What was written is lost by what failed; kernels given before that may still be running. */
static void spoil_all(struct acre_submit *submit, acre_status status, const char *why)
{
    struct acre_event *event = submit->spoilt;
    for (size_t i = 0; i < submit->memory->device_count; ++i)
        if (submit->last[i])
            acre_event_drain(submit->last[i]);
    event->done = true;
    event->status = status;
    event->message = strdup(why);
    event->is_reported = true; /* by the status that the submission ends with */
}

void acre_submit_spare(struct acre_submit *submit, size_t i)
{
    submit->spared[i] = true;
}

acre_status acre_submit_end(struct acre_submit *submit, acre_status status)
{
    struct acre_memory *memory = submit->memory;
    char why[1024];
    const bool counts = submit->launched > 0;
    acre_status first = status;
    snprintf(why, sizeof(why), "%s", acre_message());
    acre_memory_lock(memory);
    if (status != ACRE_OK && counts)
        spoil_all(submit, status, why);
    for (size_t i = 0; i < submit->request.count; ++i) {
        struct acre_holder *holder = submit->holders[i];
        struct acre_event *event = event_of(submit, holder);
        const bool has_failed = event && event->done && event->status != ACRE_OK;
        if (status != ACRE_OK && counts && acre_access_writes(holder->access) && !has_failed)
            event = submit->spoilt;
        const acre_status released = acre_request_release(holder, counts && !submit->spared[i], event);
        if (first == ACRE_OK)
            first = released;
    }
    free_submit(submit);
    acre_memory_unlock(memory);
    return status == ACRE_OK ? first : acre_fail(status, "%s", why);
}
