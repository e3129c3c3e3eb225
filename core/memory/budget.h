/* core/memory/budget.h: how much of each card's memory arrays may take: ACRE_DEVICE_MEMORY. */
#ifndef ACRE_CORE_MEMORY_BUDGET_H
#define ACRE_CORE_MEMORY_BUDGET_H

#include "core/memory/memory.h"

/* Give each device its card, and each card its budget. Errors: ACRE_ERR_ENVIRONMENT, and those of the backends
 * asked for their free memory. */
acre_status acre_budget_set(struct acre_memory *memory);

#endif
