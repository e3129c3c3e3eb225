/* core/program/plan.h: a pass made ready to run over tiles of sites: scalar steps, scratch memory, terms of
 * sums. */
#ifndef ACRE_CORE_PROGRAM_PLAN_H
#define ACRE_CORE_PROGRAM_PLAN_H

#include "core/program/expand.h"

enum { ACRE_TILE_SITES_MAX = 512 };

struct acre_plan_op {
    struct acre_steps steps;
    size_t block;       /* components of the result, temporaries after them; 0: no result */
    size_t first_plane; /* its block's place among the pass's planes */
    size_t scratch;     /* bytes per site before its block; the block begins at scratch * width */
    bool in_place;      /* LOAD: read where the field lies */
    size_t first_term;  /* REDUCE: its first component among the pass's terms */
};

struct acre_plan {
    const struct acre_program *program;
    const struct acre_pass *pass;
    struct acre_plan_op *ops;
    size_t width;         /* sites a tile */
    size_t planes;        /* of all blocks */
    size_t scratch_bytes; /* one worker's blocks */
    size_t terms;         /* components summed over sites */
};

/* The plans of a program, one a pass. */
struct acre_plans {
    struct acre_plan *plans;
    int count;
};

/* Errors: ACRE_ERR_OUT_OF_MEMORY; then there is nothing to free. The plans refer to the program. */
acre_status acre_plans_make(const struct acre_program *program, struct acre_plans *plans);
void acre_plans_free(struct acre_plans *plans);

#endif
