/* core/memory/stall.h: why a call can't go on yet: it lets the lock go, waits, and begins anew. */
#ifndef ACRE_CORE_MEMORY_STALL_H
#define ACRE_CORE_MEMORY_STALL_H

#include "core/memory/event.h"

struct acre_stall {
    bool may_wait_for_views;  /* the caller's choice */
    bool on_views;            /* until a holder goes */
    struct acre_event *event; /* until this is done; held */
    bool makes_room;          /* it writes back what is to make room: when it fails, there is none */
};

static inline bool acre_is_stalled(const struct acre_stall *stall)
{
    return stall->on_views || stall->event;
}

#endif
