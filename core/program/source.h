/* core/program/source.h: the text of a formula, and errors that point into it. */
#ifndef ACRE_CORE_PROGRAM_SOURCE_H
#define ACRE_CORE_PROGRAM_SOURCE_H

#include <stddef.h>

#include "core/base/fail.h"

struct acre_source {
    const char *text;
    size_t length;
    const char *file; /* of the call */
    int line;
};

/* A message with the call's file and line, the formula's line and column, and a caret under it. `column` counts
 * bytes from the start of the text. */
acre_status acre_fail_at(const struct acre_source *source, acre_status status, size_t column,
                         const char *format, ...) ACRE_PRINTF(4, 5);
#define acre_fail_at(source, status, ...) (acre_fail_at(source, status, __VA_ARGS__), acre_failed(status))

#endif
