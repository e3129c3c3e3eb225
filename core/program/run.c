/* core/program/run.c: passes on the devices of their lattices' domains, then results to the host's variables.
 */
#include "core/program/run.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "core/base/fail.h"
#include "core/program/argument.h"
#include "core/program/hold.h"
#include "core/program/reduce.h"
#include "core/program/tile.h"

/* What one pass needs while the program runs. */
struct pass_run {
    struct acre_worker *workers;
    unsigned worker_count;
    union acre_number *sums;
    size_t leaves;
};

struct run {
    struct acre_program *program;
    const struct acre_plan *plans;
    const struct acre_source *source;
    struct pass_run *passes;
    struct acre_holds holds;
    uint64_t seed;
    uint32_t first_draw;
};

static void fill_arguments(const struct acre_program *program, const acre_arg *arguments)
{
    for (int i = 0; i < acre_program_slot_count(program); ++i) {
        struct acre_slot *slot = acre_program_slot(program, i);
        if (slot->argument < 0)
            continue;
        const acre_arg *a = &arguments[slot->argument];
        if (a->kind == ACRE_ARG_INTEGER) {
            slot->numbers[0].whole = a->value.integer;
        } else {
            slot->numbers[0].real = a->value.real[0];
            if (a->kind == ACRE_ARG_COMPLEX)
                slot->numbers[1].real = a->value.real[1];
        }
    }
}

/* The context's random sequence moves on by what the program draws. */
static acre_status take_draws(struct run *run)
{
    acre_context *context = run->program->context;
    const uint64_t draws = (uint64_t)run->program->draws;
    const uint64_t first = atomic_fetch_add(&context->draw, draws);
    run->seed = atomic_load(&context->seed);
    run->first_draw = (uint32_t)first;
    if (draws && first + draws > (uint64_t)UINT32_MAX)
        return acre_fail(ACRE_ERR_OVERFLOW, "all 2^32 random fields of this seed are drawn: set a new seed");
    return ACRE_OK;
}

static acre_status prepare_pass(struct pass_run *run, const struct acre_plan *plan)
{
    const acre_lattice *lattice = plan->pass->lattice;
    unsigned workers = 1;
    run->leaves = lattice ? (size_t)((lattice->sites + ACRE_LEAF_SITES - 1) / ACRE_LEAF_SITES) : 0;
    for (size_t d = 0; lattice && d < lattice->domain_count; ++d)
        workers = lattice->domains[d].device->properties.workers > workers
                      ? lattice->domains[d].device->properties.workers
                      : workers;
    run->workers = calloc(workers, sizeof *run->workers);
    run->sums = calloc(plan->terms * run->leaves + 1, sizeof *run->sums);
    if (!run->workers || !run->sums)
        return acre_fail_memory((plan->terms * run->leaves + 1) * sizeof *run->sums);
    for (; run->worker_count < workers; ++run->worker_count)
        ACRE_TRY(acre_worker_make(plan, &run->workers[run->worker_count]));
    return ACRE_OK;
}

static void free_passes(struct run *run)
{
    for (int i = 0; run->passes && i < acre_program_pass_count(run->program); ++i) {
        struct pass_run *p = &run->passes[i];
        for (unsigned w = 0; w < p->worker_count; ++w)
            acre_worker_free(&p->workers[w]);
        free(p->workers);
        free(p->sums);
    }
    free(run->passes);
}

static acre_status prepare_passes(struct run *run)
{
    const int count = acre_program_pass_count(run->program);
    run->passes = calloc((size_t)count, sizeof *run->passes);
    if (!run->passes)
        return acre_fail_memory((size_t)count * sizeof *run->passes);
    for (int i = 0; i < count; ++i)
        ACRE_TRY(prepare_pass(&run->passes[i], &run->plans[i]));
    return ACRE_OK;
}

static void finish_sums(const struct acre_plan *plan, const struct pass_run *p)
{
    for (int i = 0; i < acre_pass_op_count(plan->pass); ++i) {
        const struct acre_op *op = acre_pass_op(plan->pass, i);
        if (op->code != ACRE_OP_REDUCE)
            continue;
        struct acre_slot *slot = acre_program_slot(plan->program, op->slot);
        for (size_t k = 0; k < acre_object_components(op->object); ++k)
            slot->numbers[k] = acre_reduce_leaves(p->sums + (plan->ops[i].first_term + k) * p->leaves,
                                                  p->leaves, op->object.word == ACRE_EXEC_LONG);
    }
}

/* A whole number that meets an integer field has to fit. Those that are ready after pass `ready` are known. */
static acre_status check_integers(const struct acre_plan *plan, int ready, const struct acre_source *source)
{
    for (int i = 0; i < acre_pass_op_count(plan->pass); ++i) {
        const struct acre_op *op = acre_pass_op(plan->pass, i);
        if (op->code != ACRE_OP_UNIFORM || op->object.word != ACRE_EXEC_INT)
            continue;
        const struct acre_slot *slot = acre_program_slot(plan->program, op->slot);
        for (size_t k = 0; slot->ready <= ready && k < acre_object_components(slot->object); ++k)
            if (slot->numbers[k].whole < INT32_MIN || slot->numbers[k].whole > INT32_MAX)
                return acre_fail(ACRE_ERR_OVERFLOW, "%s:%d: %" PRId64 " does not fit into an integer field",
                                 source->file, source->line, slot->numbers[k].whole);
    }
    return ACRE_OK;
}

static acre_status run_pass(struct run *run, int i)
{
    const struct acre_plan *plan = &run->plans[i];
    const struct pass_run *p = &run->passes[i];
    const acre_lattice *lattice = plan->pass->lattice;
    struct acre_job job = {.plan = plan,
                           .seed = run->seed,
                           .first_draw = run->first_draw,
                           .workers = p->workers,
                           .sums = p->sums,
                           .leaves = p->leaves};
    if (!acre_pass_op_count(plan->pass))
        return ACRE_OK;
    if (!lattice) {
        acre_job_run_numbers(&job);
        return ACRE_OK;
    }
    for (size_t d = 0; d < lattice->domain_count; ++d) {
        struct acre_device *device = lattice->domains[d].device;
        job.domain = d;
        job.addresses = run->holds.addresses + d * (size_t)run->holds.leaves;
        ACRE_TRY(device->backend->call(device->queue, acre_job_run, &job, p->leaves));
        ACRE_TRY(device->backend->queue_wait(device->queue));
    }
    finish_sums(plan, p);
    return ACRE_OK;
}

static acre_status check_result(const struct run *run, const acre_arg *argument, const struct acre_slot *slot)
{
    const int64_t whole = slot->numbers[0].whole;
    const bool too_large = (argument->kind == ACRE_ARG_OUT_INT && (whole < INT_MIN || whole > INT_MAX)) ||
                           (argument->kind == ACRE_ARG_OUT_LONG && (whole < LONG_MIN || whole > LONG_MAX));
    if (too_large)
        return acre_fail(ACRE_ERR_OVERFLOW, "%s:%d: result '%s' is %" PRId64 ", which does not fit its type",
                         run->source->file, run->source->line, argument->name, whole);
    return ACRE_OK;
}

static void deliver(const acre_arg *argument, const union acre_number *numbers)
{
    switch (argument->kind) {
    case ACRE_ARG_OUT_FLOAT:
        *(float *)argument->value.result = (float)numbers[0].real;
        break;
    case ACRE_ARG_OUT_DOUBLE:
        *(double *)argument->value.result = numbers[0].real;
        break;
    case ACRE_ARG_OUT_INT:
        *(int *)argument->value.result = (int)numbers[0].whole;
        break;
    case ACRE_ARG_OUT_LONG:
        *(long *)argument->value.result = (long)numbers[0].whole;
        break;
    default:
        ((double *)argument->value.result)[0] = numbers[0].real;
        ((double *)argument->value.result)[1] = numbers[1].real;
        break;
    }
}

static acre_status deliver_results(const struct run *run, const acre_arg *arguments)
{
    const struct acre_program *program = run->program;
    for (int i = 0; i < program->result_count; ++i)
        ACRE_TRY(check_result(run, &arguments[program->results[i].argument],
                              acre_program_slot(program, program->results[i].slot)));
    for (int i = 0; i < program->result_count; ++i)
        deliver(&arguments[program->results[i].argument],
                acre_program_slot(program, program->results[i].slot)->numbers);
    return ACRE_OK;
}

/* Pass 0 has no sites: what it computes is known, and checked, before any field is touched. */
static acre_status run_first_pass(struct run *run)
{
    ACRE_TRY(run_pass(run, 0));
    for (int i = 1; i < acre_program_pass_count(run->program); ++i)
        ACRE_TRY(check_integers(&run->plans[i], 0, run->source));
    return ACRE_OK;
}

/* What was stored before an error counts: the fields hold it. */
static acre_status run_other_passes(struct run *run)
{
    const int count = acre_program_pass_count(run->program);
    acre_status status = ACRE_OK;
    int begun = 1;
    while (begun < count && !status) {
        status = check_integers(&run->plans[begun], begun - 1, run->source);
        if (!status)
            status = run_pass(run, begun++);
    }
    acre_status given = acre_holds_give(&run->holds, run->program, begun);
    return status ? status : given;
}

acre_status acre_program_run(struct acre_program *program, const struct acre_plans *plans,
                             const struct acre_source *source, const acre_arg *arguments)
{
    struct run run = {.program = program, .plans = plans->plans, .source = source};
    fill_arguments(program, arguments);
    acre_status status = prepare_passes(&run);
    if (!status)
        status = run_first_pass(&run);
    if (!status)
        status = acre_holds_take(program, source, &run.holds);
    if (!status) {
        status = take_draws(&run);
        if (status)
            acre_holds_give(&run.holds, program, 0);
    }
    if (!status)
        status = run_other_passes(&run);
    if (!status)
        status = deliver_results(&run, arguments);
    free_passes(&run);
    return status;
}
