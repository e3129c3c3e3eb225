/* core/program/argument.h: the kinds of arguments a formula takes, and whether a list of them is sound. */
#ifndef ACRE_CORE_PROGRAM_ARGUMENT_H
#define ACRE_CORE_PROGRAM_ARGUMENT_H

#include <stdbool.h>

#include "acre/formula.h"
#include "core/program/source.h"

enum acre_arg_kind {
    ACRE_ARG_NONE,
    ACRE_ARG_FIELD,
    ACRE_ARG_FIELD_CONST,
    ACRE_ARG_FIELDS,
    ACRE_ARG_FIELDS_CONST,
    ACRE_ARG_INTEGER,
    ACRE_ARG_REAL,
    ACRE_ARG_COMPLEX,
    ACRE_ARG_OUT_FLOAT,
    ACRE_ARG_OUT_DOUBLE,
    ACRE_ARG_OUT_INT,
    ACRE_ARG_OUT_LONG,
    ACRE_ARG_OUT_COMPLEX,
};

static inline bool acre_arg_is_out(const acre_arg *argument)
{
    return argument->kind >= ACRE_ARG_OUT_FLOAT;
}

/* Names are identifiers, not reserved, each once; objects are there and of this context.
 * Errors: ACRE_ERR_ARGUMENT. */
acre_status acre_args_check(acre_context *context, const struct acre_source *source, size_t count,
                            const acre_arg *arguments);

/* The argument of this name, or -1. */
int acre_args_find(size_t count, const acre_arg *arguments, const char *name, size_t length);

#endif
