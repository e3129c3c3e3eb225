/* tests/memory_work.h: kernels on arrays for tests of the memory manager, and looking at what arrays hold. */
#ifndef ACRE_TESTS_MEMORY_WORK_H
#define ACRE_TESTS_MEMORY_WORK_H

#include "core/memory/array.h"
#include "core/memory/submit.h"

/* Bytes of `to` become those of `from` (NULL: 0) plus `step`, on the first device at `place`; not waited for.
 * The label is "kernel NAME". */
acre_status work_add(const char *name, acre_array *to, acre_array *from, acre_range range, acre_place place,
                     int step);

/* The same on `to` alone, read and written. */
acre_status work_increase(const char *name, acre_array *array, acre_range range, acre_place place, int step);

acre_array *work_array(acre_context *context, size_t bytes, const char *label);

/* Fill from the host; read at the host and compare every byte. */
void work_fill(acre_array *array, size_t offset, size_t bytes, int value);
bool work_is(acre_array *array, size_t offset, size_t bytes, int value);

/* Is there a bit for the byte at the place? */
bool work_has(acre_array *array, acre_place place, size_t byte);

void work_expect_message(const char *part);

/* The end of a test on the mock backend: no failures ordered any more, everything destroyed, no memory and no
 * event left behind. */
void work_end(acre_context *context, acre_array *a, acre_array *b);

#endif
