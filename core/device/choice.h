/* core/device/choice.h: the devices that a context opens. */
#ifndef ACRE_CORE_DEVICE_CHOICE_H
#define ACRE_CORE_DEVICE_CHOICE_H

#include "acre/backend.h"
#include "core/base/buffer.h"

struct acre_choice {
    const acre_backend *backend; /* started, at this library's size */
    size_t index, count;         /* which of its devices, and how many it has */
};

/* The devices that ACRE_BACKEND and ACRE_DEVICES ask for, in order, appended to a buffer of struct acre_choice.
 * Without ACRE_DEVICES: those of the selected backend that are not mere processors (all, when all are); of
 * these, one when several processes share the node, by local rank. Errors: ACRE_ERR_ENVIRONMENT (malformed, a
 * device twice, one that ACRE_BACKEND leaves no room for), ACRE_ERR_BACKEND (unknown backend or device; the
 * message lists what there is). */
acre_status acre_choices_make(const char *selection, const char *devices, struct acre_buffer *choices);

#endif
