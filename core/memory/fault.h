/* core/memory/fault.h: failures to order, for tests: ACRE_FAULT names the n-th operation of the process that is
 * to fail, when it is submitted or late. */
#ifndef ACRE_CORE_MEMORY_FAULT_H
#define ACRE_CORE_MEMORY_FAULT_H

#include <stdbool.h>

#include "acre/status.h"

enum acre_fault {
    ACRE_FAULT_ALLOC,
    ACRE_FAULT_COPY,
    ACRE_FAULT_KERNEL,
    ACRE_FAULT_COPY_LATE,
    ACRE_FAULT_KERNEL_LATE,
    ACRE_FAULTS
};

/* Read ACRE_FAULT. The counts go on over the process; they start afresh when its value changes.
 * Errors: ACRE_ERR_ENVIRONMENT. */
acre_status acre_fault_configure(void);

/* Count an operation: is it its turn to fail? Late kinds are counted apart. */
bool acre_fault_strikes(enum acre_fault fault);

/* The message of an operation that ACRE_FAULT fails: "ACRE_FAULT makes copy 3 fail". */
acre_status acre_fault_fail(enum acre_fault fault, acre_status status);

/* How many operations were counted, to sweep over them. */
unsigned long acre_fault_count(enum acre_fault fault);

#endif
