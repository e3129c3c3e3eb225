/* core/program/run.h: running a planned program with arguments. */
#ifndef ACRE_CORE_PROGRAM_RUN_H
#define ACRE_CORE_PROGRAM_RUN_H

#include "core/program/plan.h"
#include "core/program/source.h"

/* Run the program's passes in order and deliver its results. All memory is taken and all arrays are held before
 * the first pass starts. A program without results goes on while the caller does. `finished` is called once
 * when nothing of the program is in use any more: before this returns, or later and in any thread. Errors:
 * those of acre_eval_args at run time. */
acre_status acre_program_run(struct acre_program *program, const struct acre_plans *plans,
                             const struct acre_source *source, const acre_arg *arguments,
                             void (*finished)(void *owner), void *owner);

#endif
