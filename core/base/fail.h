/* core/base/fail.h: leave a message for this thread and return a status. */
#ifndef ACRE_CORE_BASE_FAIL_H
#define ACRE_CORE_BASE_FAIL_H

#include "acre/status.h"

/* Set this thread's message and return `status`. The message has no newline at its end. Arguments may
 * point into the current message. */
acre_status acre_fail(acre_status status, const char *format, ...) ACRE_PRINTF(2, 3);

/* The status once more, where compilers and analysers see at every call that it is not ACRE_OK. */
static inline acre_status acre_failed(acre_status status)
{
    return status;
}
#define acre_fail(status, ...) (acre_fail(status, __VA_ARGS__), acre_failed(status))

/* Return from the enclosing function when the call fails. Only where nothing needs cleaning up. */
#define ACRE_TRY(call)                                                                                         \
    do {                                                                                                       \
        acre_status status_ = (call);                                                                          \
        if (status_ != ACRE_OK)                                                                                \
            return status_;                                                                                    \
    } while (0)

/* The usual failure of an allocation. */
#define acre_fail_memory(bytes)                                                                                \
    acre_fail(ACRE_ERR_OUT_OF_MEMORY, "out of host memory: %zu bytes", (size_t)(bytes))

#endif
