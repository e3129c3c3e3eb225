/* core/program/plan.c: scratch memory by liveness, tiles that fit the cache. */
#include "core/program/plan.h"

#include <stdlib.h>

#include "core/base/fail.h"

/* A tile's blocks should stay in the second-level cache. */
enum { SCRATCH_WANTED = 384 * 1024, WIDTH_UNIT = 16 };

static bool is_plain_load(const struct acre_plan *plan, const struct acre_op *op)
{
    const acre_field *field = acre_program_leaf(plan->program, op->leaf)->field;
    return op->displacement < 0 && field->format.order == ACRE_SITE_FAST &&
           field->format.storage == ACRE_NATIVE;
}

static acre_status plan_op(struct acre_plan *plan, int i)
{
    const struct acre_op *op = acre_pass_op(plan->pass, i);
    struct acre_plan_op *p = &plan->ops[i];
    p->first_plane = plan->planes;
    switch (op->code) {
    case ACRE_OP_STORE:
    case ACRE_OP_KEEP:
        return ACRE_OK;
    case ACRE_OP_REDUCE:
        p->first_term = plan->terms;
        plan->terms += acre_object_components(op->object);
        return ACRE_OK;
    case ACRE_OP_LOAD:
        p->in_place = is_plain_load(plan, op);
        p->block = acre_object_components(op->object);
        break;
    case ACRE_OP_UNIFORM:
    case ACRE_OP_CONVERT:
    case ACRE_OP_RANDOM:
        p->block = acre_object_components(op->object);
        break;
    default: {
        struct acre_object none = {0};
        ACRE_TRY(acre_expand(op, acre_pass_op(plan->pass, op->a.value)->object,
                             op->b.value < 0 ? none : acre_pass_op(plan->pass, op->b.value)->object,
                             &p->steps));
        p->block = p->steps.block;
        break;
    }
    }
    plan->planes += p->block;
    return ACRE_OK;
}

/* Live blocks, ascending by place. */
struct live {
    size_t begin, bytes;
    int op;
};

static size_t place_block(struct live *live, size_t *count, int op, size_t bytes)
{
    size_t at = 0, begin = 0;
    while (at < *count && live[at].begin - begin < bytes) {
        begin = live[at].begin + live[at].bytes;
        ++at;
    }
    for (size_t i = *count; i > at; --i)
        live[i] = live[i - 1];
    live[at] = (struct live){begin, bytes, op};
    ++*count;
    return begin;
}

static void drop_block(struct live *live, size_t *count, int op)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; ++i)
        if (live[i].op != op)
            live[kept++] = live[i];
    *count = kept;
}

static bool needs_scratch(const struct acre_plan_op *p)
{
    return p->block && !p->in_place;
}

static size_t block_bytes(const struct acre_plan *plan, int i)
{
    /* whole cache lines for any width */
    return (plan->ops[i].block * acre_exec_word_bytes(acre_pass_op(plan->pass, i)->object.word) + 7) / 8 * 8;
}

/* Give each result its block; blocks of results that are no longer needed are used again. Numbers that are the
 * same at every site are filled in once and stay. */
static acre_status place_blocks(struct acre_plan *plan, size_t *site_bytes)
{
    const int count = acre_pass_op_count(plan->pass);
    struct live *live = malloc(((size_t)count + 1) * sizeof *live);
    int *last_use = malloc(((size_t)count + 1) * sizeof *last_use);
    size_t live_count = 0;
    *site_bytes = 0;
    if (!live || !last_use) {
        free(live);
        free(last_use);
        return acre_fail_memory(((size_t)count + 1) * (sizeof *live + sizeof *last_use));
    }
    for (int i = 0; i < count; ++i) {
        const struct acre_op *op = acre_pass_op(plan->pass, i);
        last_use[i] = plan->pass->lattice && op->code == ACRE_OP_UNIFORM ? count : i;
        if (op->a.value >= 0 && last_use[op->a.value] < i)
            last_use[op->a.value] = i;
        if (op->b.value >= 0 && last_use[op->b.value] < i)
            last_use[op->b.value] = i;
    }
    for (int uniform = 1; uniform >= 0; --uniform)
        for (int i = 0; i < count; ++i) {
            const struct acre_op *op = acre_pass_op(plan->pass, i);
            const bool first = plan->pass->lattice && op->code == ACRE_OP_UNIFORM;
            if (first != (uniform == 1))
                continue;
            if (needs_scratch(&plan->ops[i])) {
                plan->ops[i].scratch = place_block(live, &live_count, i, block_bytes(plan, i));
                const size_t end = plan->ops[i].scratch + block_bytes(plan, i);
                *site_bytes = end > *site_bytes ? end : *site_bytes;
            }
            const int done[] = {op->a.value, op->b.value, i};
            for (int k = 0; k < 3; ++k)
                if (done[k] >= 0 && last_use[done[k]] == i)
                    drop_block(live, &live_count, done[k]);
        }
    free(live);
    free(last_use);
    return ACRE_OK;
}

static void free_plan(struct acre_plan *plan)
{
    if (plan->ops)
        for (int i = 0; i < acre_pass_op_count(plan->pass); ++i)
            acre_steps_free(&plan->ops[i].steps);
    free(plan->ops);
    plan->ops = NULL;
}

static acre_status make_plan(const struct acre_program *program, const struct acre_pass *pass,
                             struct acre_plan *plan)
{
    const int count = acre_pass_op_count(pass);
    size_t site_bytes;
    acre_status status = ACRE_OK;
    *plan = (struct acre_plan){.program = program, .pass = pass};
    plan->ops = calloc((size_t)count + 1, sizeof *plan->ops);
    if (!plan->ops)
        return acre_fail_memory(((size_t)count + 1) * sizeof *plan->ops);
    for (int i = 0; i < count && !status; ++i)
        status = plan_op(plan, i);
    if (!status)
        status = place_blocks(plan, &site_bytes);
    if (status) {
        free_plan(plan);
        return status;
    }
    size_t width = site_bytes ? SCRATCH_WANTED / site_bytes / WIDTH_UNIT * WIDTH_UNIT : ACRE_TILE_SITES_MAX;
    width = width < WIDTH_UNIT ? WIDTH_UNIT : width;
    plan->width = width > ACRE_TILE_SITES_MAX ? ACRE_TILE_SITES_MAX : width;
    if (!pass->lattice)
        plan->width = WIDTH_UNIT;
    plan->scratch_bytes = site_bytes * plan->width;
    return ACRE_OK;
}

acre_status acre_plans_make(const struct acre_program *program, struct acre_plans *plans)
{
    const int count = acre_program_pass_count(program);
    *plans = (struct acre_plans){.plans = calloc((size_t)count + 1, sizeof *plans->plans)};
    if (!plans->plans)
        return acre_fail_memory(((size_t)count + 1) * sizeof *plans->plans);
    for (; plans->count < count; ++plans->count) {
        acre_status status =
            make_plan(program, acre_program_pass(program, plans->count), &plans->plans[plans->count]);
        if (status) {
            acre_plans_free(plans);
            return status;
        }
    }
    return ACRE_OK;
}

void acre_plans_free(struct acre_plans *plans)
{
    for (int i = 0; i < plans->count; ++i)
        free_plan(&plans->plans[i]);
    free(plans->plans);
    *plans = (struct acre_plans){0};
}
