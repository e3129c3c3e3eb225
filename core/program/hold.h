/* core/program/hold.h: holding all the arrays of a program while it runs, each once, in the mode its accesses
 * need. */
#ifndef ACRE_CORE_PROGRAM_HOLD_H
#define ACRE_CORE_PROGRAM_HOLD_H

#include "core/program/program.h"
#include "core/program/source.h"

struct acre_holds {
    struct acre_buffer held; /* struct hold */
    void **addresses;        /* [domain][leaf]: byte 0 of the leaf's array */
    int leaves;
};

/* Acquire every leaf, or none. Errors: those of acre_array_acquire. */
acre_status acre_holds_take(const struct acre_program *program, const struct acre_source *source,
                            struct acre_holds *holds);
/* Give them back after the first `passes` passes have run: what these store counts, the rest was not written.
 */
acre_status acre_holds_give(struct acre_holds *holds, const struct acre_program *program, int passes);

#endif
