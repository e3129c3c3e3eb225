/* core/memory/statistics.h: counting copies, and telling what was counted. */
#ifndef ACRE_CORE_MEMORY_STATISTICS_H
#define ACRE_CORE_MEMORY_STATISTICS_H

#include "core/memory/memory.h"

/* A copy was submitted. With the lock held. */
void acre_statistics_copy(struct acre_memory *memory, acre_place from, acre_place to, size_t bytes);

/* A few lines to stderr. */
void acre_statistics_print(struct acre_memory *memory);

#endif
