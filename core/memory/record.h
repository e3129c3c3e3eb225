/* core/memory/record.h: what happens to arrays, told as it happens to whoever keeps a trace. Without a recorder
 * nothing is told and nothing is paid but one load. */
#ifndef ACRE_CORE_MEMORY_RECORD_H
#define ACRE_CORE_MEMORY_RECORD_H

#include "acre/array.h"
#include "core/device/context.h"

/* The kinds, with the fields of struct acre_record that say something besides `kind` and the times. "array":
 * `array`, `label`, `range` and `version`. They come in the order in which the validity map changes. */
enum acre_record_kind {
    ACRE_RECORD_CREATE,     /* array; `flag`: zeroed, so that the host has all of it from the start */
    ACRE_RECORD_DESTROY,    /* array */
    ACRE_RECORD_COPY,       /* array, from, to, work, cause: submitted; from then on `to` counts as valid */
    ACRE_RECORD_KERNEL,     /* to (where), work, text (its label), cause: submitted */
    ACRE_RECORD_READ,       /* array, to, cause: its newest bytes are read at `to`, by a view or a kernel */
    ACRE_RECORD_WRITE,      /* array, to, cause: `to` alone has the newest bytes now */
    ACRE_RECORD_DROP,       /* array, to, text (why): `to` doesn't count as valid any more */
    ACRE_RECORD_LOST,       /* array, text (why): no place has the bytes any more */
    ACRE_RECORD_EVICT,      /* array, to: its memory at `to` for the range goes; DROP comes before */
    ACRE_RECORD_VIEW_BEGIN, /* array, to, access, cause: a user's view begins, one record a range */
    ACRE_RECORD_VIEW_END,   /* the same: it ends; `flag`: what it wrote counts */
    ACRE_RECORD_WAIT,       /* work, text (what was waited for), cause: the caller waited from start to end */
    ACRE_RECORD_DONE,       /* work, text (the failure, "" when there was none): found done at `end` */
    ACRE_RECORD_KINDS
};

/* Text is the teller's, and gone after the call. Places are those whose bits count: a handle that shares the
 * host's memory counts as the host. */
struct acre_record {
    enum acre_record_kind kind;
    uint64_t array; /* a number of its own for every array of the process; 0: none */
    const char *label;
    acre_range range;
    uint64_t version; /* of the array, after what is told */
    acre_place from, to;
    acre_access access;
    bool flag;
    uint64_t work; /* a number of its own for every copy and kernel of a context, from 1 */
    const char *text;
    const char *file; /* the cause; "" when there is none */
    int line;
    double start, end; /* seconds on the monotonic clock; equal for what takes no time */
};

/* Whoever keeps the trace. `tell` is called with the memory manager's lock held: it must not call back. `close`
 * is called once, when the context is taken down or another recorder takes its place. */
struct acre_recorder {
    void (*tell)(void *user, const acre_context *context, const struct acre_record *record);
    void (*close)(void *user, const acre_context *context);
    void *user;
};

/* Have a context tell a recorder from now on (NULL: nobody). */
void acre_record_to(acre_context *context, const struct acre_recorder *recorder);

/* Tell the context's recorder; start and end are set to now when `end` is 0. */
void acre_record(acre_context *context, struct acre_record record);

/* Is anybody told? To save the making of what nobody wants. */
bool acre_record_is_on(const acre_context *context);

/* Seconds on the monotonic clock. */
double acre_record_now(void);

#endif
