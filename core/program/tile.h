/* core/program/tile.h: running a plan over tiles of sites. */
#ifndef ACRE_CORE_PROGRAM_TILE_H
#define ACRE_CORE_PROGRAM_TILE_H

#include "core/program/plan.h"

/* What one worker needs for itself. */
struct acre_worker {
    unsigned char *memory; /* everything below lies in it */
    unsigned char *scratch;
    void **planes;            /* each component of each block: where it is now */
    int64_t *places;          /* of displaced sites: `width` for each displacement */
    int64_t *sites;           /* lexicographic indices, for random numbers */
    uint8_t *parities;        /* of the tile's sites, where a subset has to be picked out */
    union acre_number *terms; /* 2048 for each summed component */
};

/* A pass at work on one domain. */
struct acre_job {
    const struct acre_plan *plan;
    size_t domain;
    void **addresses; /* of each leaf's array, byte 0, where the work is done */
    uint64_t seed;
    uint32_t first_draw;
    struct acre_worker *workers;
    union acre_number *sums; /* of leaf j of the sum, for each summed component: [component][leaf] */
    size_t leaves;
};

/* Make ready for a plan. Errors: ACRE_ERR_OUT_OF_MEMORY. */
acre_status acre_worker_make(const struct acre_plan *plan, struct acre_worker *worker);
void acre_worker_free(struct acre_worker *worker);

/* An acre_backend_function over the leaves (runs of 2048 lexicographic sites) of the job's domain. */
void acre_job_run(void *job, size_t begin, size_t end, unsigned worker);

/* Run a pass without sites; results go into the program's slots. */
void acre_job_run_numbers(struct acre_job *job);

#endif
