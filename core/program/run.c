/* core/program/run.c: passes on the devices of their lattices' domains, then results to the host's variables.
 */
#include "core/program/run.h"

#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "core/base/fail.h"
#include "core/program/argument.h"
#include "core/program/hold.h"
#include "core/program/reduce.h"
#include "core/program/tile.h"

/* What one pass needs while the program runs: on each domain a job, with workers of its own, as domains may be
 * at work at one time. */
struct pass_run {
    struct acre_job *jobs;
    size_t job_count;
    struct acre_worker *workers; /* worker_count for each domain */
    unsigned worker_count, made;
    union acre_number *sums;
    size_t leaves;
};

/* It lives until its last kernel is done. */
struct run {
    atomic_size_t holds;
    void (*finished)(void *owner);
    void *owner;
    struct acre_program *program;
    const struct acre_plan *plans;
    const struct acre_source *source; /* gone when acre_program_run returns */
    struct pass_run *passes;
    struct acre_holds held;
    char *label;
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

static acre_status prepare_workers(struct pass_run *run, const struct acre_plan *plan, size_t domains)
{
    const unsigned count = (unsigned)domains * run->worker_count;
    run->workers = calloc((size_t)count + 1, sizeof *run->workers);
    if (!run->workers)
        return acre_fail_memory(count * sizeof *run->workers);
    for (; run->made < count; ++run->made)
        ACRE_TRY(acre_worker_make(plan, &run->workers[run->made]));
    return ACRE_OK;
}

static acre_status prepare_pass(struct pass_run *run, const struct acre_plan *plan)
{
    const acre_lattice *lattice = plan->pass->lattice;
    const size_t domains = lattice ? lattice->domain_count : 1;
    run->worker_count = 1;
    run->job_count = domains;
    run->leaves = lattice ? (size_t)((lattice->sites + ACRE_LEAF_SITES - 1) / ACRE_LEAF_SITES) : 0;
    for (size_t d = 0; lattice && d < lattice->domain_count; ++d)
        run->worker_count = lattice->domains[d].device->properties.workers > run->worker_count
                                ? lattice->domains[d].device->properties.workers
                                : run->worker_count;
    run->jobs = calloc(domains + 1, sizeof *run->jobs);
    run->sums = calloc(plan->terms * run->leaves + 1, sizeof *run->sums);
    if (!run->jobs || !run->sums)
        return acre_fail_memory((plan->terms * run->leaves + 1) * sizeof *run->sums);
    return prepare_workers(run, plan, domains);
}

static void free_run(struct run *run)
{
    for (int i = 0; run->passes && i < acre_program_pass_count(run->program); ++i) {
        struct pass_run *p = &run->passes[i];
        for (unsigned w = 0; w < p->made; ++w)
            acre_worker_free(&p->workers[w]);
        free(p->workers);
        free(p->jobs);
        free(p->sums);
    }
    free(run->passes);
    acre_holds_free(&run->held);
    free(run->label);
    run->finished(run->owner);
    free(run);
}

/* Let go: for whoever started it, and for each of its kernels. */
static void drop_run(void *argument)
{
    struct run *run = argument;
    if (atomic_fetch_sub(&run->holds, 1) == 1)
        free_run(run);
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

/* How failures call the program's kernels: "kernel 'a = b + c' (file.c:12)". */
static acre_status make_label(struct run *run)
{
    struct acre_buffer text = {0};
    const int most = 60, length = run->source->length < 60 ? (int)run->source->length : most;
    ACRE_TRY(acre_buffer_print(&text, "kernel '%.*s%s' (%s:%d)", length, run->source->text,
                               run->source->length > 60 ? "..." : "", run->source->file, run->source->line));
    run->label = text.data;
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

static acre_status launch(struct acre_device *device, void *user)
{
    struct acre_job *job = user;
    if (!device->backend->call)
        return acre_fail(ACRE_ERR_BACKEND, "backend %s runs no functions of the library",
                         device->backend->name);
    return device->backend->call(device->queue, acre_job_run, job, job->leaves);
}

static acre_status run_on_domain(struct run *run, const struct pass_run *p, struct acre_job *job, size_t domain)
{
    const struct acre_kernel kernel = {.device = job->plan->pass->lattice->domains[domain].device,
                                       .label = run->label,
                                       .launch = launch,
                                       .user = job,
                                       .finished = drop_run,
                                       .argument = run};
    job->domain = domain;
    job->addresses = run->held.addresses + domain * (size_t)acre_program_leaf_count(run->program);
    job->workers = p->workers + domain * p->worker_count;
    atomic_fetch_add(&run->holds, 1);
    const acre_status status = acre_submit_kernel(run->held.submit, &kernel);
    if (status)
        atomic_fetch_sub(&run->holds, 1);
    return status;
}

static acre_status run_pass(struct run *run, int i)
{
    const struct acre_plan *plan = &run->plans[i];
    const struct pass_run *p = &run->passes[i];
    for (size_t d = 0; d < p->job_count; ++d)
        p->jobs[d] = (struct acre_job){.plan = plan,
                                       .seed = run->seed,
                                       .first_draw = run->first_draw,
                                       .sums = p->sums,
                                       .workers = p->workers,
                                       .leaves = p->leaves};
    if (!acre_pass_op_count(plan->pass))
        return ACRE_OK;
    if (!plan->pass->lattice) {
        acre_job_run_numbers(&p->jobs[0]);
        return ACRE_OK;
    }
    for (size_t d = 0; d < p->job_count; ++d)
        ACRE_TRY(run_on_domain(run, p, &p->jobs[d], d));
    if (plan->terms == 0)
        return ACRE_OK;
    ACRE_TRY(acre_submit_wait(run->held.submit));
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

/* Only a whole number that turns out too large stops a program half-way with nothing wrong before: then what
 * was stored counts. */
static acre_status run_other_passes(struct run *run)
{
    const int count = acre_program_pass_count(run->program);
    acre_status status = take_draws(run);
    for (int i = 1; i < count && !status; ++i) {
        const acre_status fits = check_integers(&run->plans[i], i - 1, run->source);
        if (fits) {
            acre_holds_stop(&run->held, run->program, i);
            return fits;
        }
        status = run_pass(run, i);
    }
    if (!status && run->program->result_count > 0)
        status = acre_submit_wait(run->held.submit);
    return acre_submit_end(run->held.submit, status);
}

acre_status acre_program_run(struct acre_program *program, const struct acre_plans *plans,
                             const struct acre_source *source, const acre_arg *arguments,
                             void (*finished)(void *owner), void *owner)
{
    struct run *run = calloc(1, sizeof *run);
    if (!run) {
        finished(owner);
        return acre_fail_memory(sizeof *run);
    }
    atomic_init(&run->holds, 1);
    run->finished = finished;
    run->owner = owner;
    run->program = program;
    run->plans = plans->plans;
    run->source = source;
    fill_arguments(program, arguments);
    acre_status status = make_label(run);
    if (!status)
        status = prepare_passes(run);
    if (!status)
        status = run_first_pass(run);
    if (!status)
        status = acre_holds_take(program, source, &run->held);
    if (!status)
        status = run_other_passes(run);
    if (!status)
        status = deliver_results(run, arguments);
    drop_run(run);
    return status;
}
