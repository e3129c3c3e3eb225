/* core/program/lower.h: from checked statements to passes. */
#ifndef ACRE_CORE_PROGRAM_LOWER_H
#define ACRE_CORE_PROGRAM_LOWER_H

#include "core/program/argument.h"
#include "core/program/program.h"
#include "core/program/syntax.h"

/* Lower the statements into `program`, which is empty but for its context. Statements join the pass before them
 * as far as data flow allows. On failure the program is to be freed all the same.
 * Errors: ACRE_ERR_OUT_OF_MEMORY and those of acre_field_create for temporaries. */
acre_status acre_lower(struct acre_program *program, const struct acre_statement *first, size_t count,
                       const acre_arg *arguments);

#endif
