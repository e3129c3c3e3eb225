/* core/program/hold.h: holding all the arrays of a program while it is given to its devices, each part once, in
 * the mode its accesses need. */
#ifndef ACRE_CORE_PROGRAM_HOLD_H
#define ACRE_CORE_PROGRAM_HOLD_H

#include "core/memory/submit.h"
#include "core/program/program.h"
#include "core/program/source.h"

struct acre_holds {
    struct acre_submit *submit;
    void **addresses; /* [domain][leaf]: byte 0 of the leaf's array where the domain's work is done */
    struct acre_held_part {
        int leaf;
        acre_subset subset;
    } * parts; /* what each operand of the submission is */
    size_t count;
};

/* Begin a submission with every leaf as operand, or hold nothing. Errors: those of acre_submit_begin. */
acre_status acre_holds_take(const struct acre_program *program, const struct acre_source *source,
                            struct acre_holds *holds);

/* End the submission after its first `passes` passes, all well: what these store counts, the rest is as it was.
 * The thread's message stays. */
void acre_holds_stop(struct acre_holds *holds, const struct acre_program *program, int passes);

void acre_holds_free(struct acre_holds *holds);

#endif
