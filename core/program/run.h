/* core/program/run.h: running a planned program with arguments. */
#ifndef ACRE_CORE_PROGRAM_RUN_H
#define ACRE_CORE_PROGRAM_RUN_H

#include "core/program/plan.h"
#include "core/program/source.h"

/* Run the program's passes in order and deliver its results. All memory is taken and all arrays are held before
 * the first pass starts. Errors: those of acre_eval_args at run time. */
acre_status acre_program_run(struct acre_program *program, const struct acre_plans *plans,
                             const struct acre_source *source, const acre_arg *arguments);

#endif
