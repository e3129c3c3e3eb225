/* core/program/tile.c: the interpreter: each operation runs over a tile of sites before the next one starts. */
#include "core/program/tile.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "core/lattice/half.h"
#include "core/lattice/traverse.h"
#include "core/program/kernels.h"
#include "core/program/random.h"
#include "core/program/reduce.h"

enum { ALIGNMENT = 64, BRACKETS_AT_ONCE = 24 };

struct tile {
    const struct acre_job *job;
    struct acre_worker *worker;
    int64_t first; /* the place of its first site */
    size_t n;
    size_t term, term_step; /* where its sites' terms are in the leaf */
    const uint8_t *mask;    /* NULL: all sites */
    uint8_t wanted;
};

static void **planes_of(const struct tile *t, int value)
{
    return t->worker->planes + t->job->plan->ops[value].first_plane;
}

/* Where component k of a leaf's image begins, and the step from site to site, in elements. */
struct image {
    unsigned char *base;
    size_t stride, element;
    const struct acre_layout *layout;
};
static struct image image_of(const struct acre_job *job, int leaf)
{
    const struct acre_image *image = &acre_program_leaf(job->plan->program, leaf)->field->images[job->domain];
    struct image i = {(unsigned char *)job->addresses[leaf] + image->offset,
                      acre_layout_site_stride(&image->layout), image->layout.element_bytes, &image->layout};
    return i;
}
static unsigned char *component_of(const struct image *i, size_t k)
{
    return i->base + acre_layout_element(i->layout, k, 0) * i->element;
}

/* The places of the tile's sites, displaced as the operation says; NULL: the sites themselves. */
static const int64_t *places_of(const struct tile *t, const struct acre_op *op)
{
    return op->displacement < 0 ? NULL : t->worker->places + (size_t)op->displacement * t->job->plan->width;
}

static void load(const struct tile *t, int op_index)
{
    const struct acre_plan *plan = t->job->plan;
    const struct acre_op *op = acre_pass_op(plan->pass, op_index);
    const struct acre_plan_op *p = &plan->ops[op_index];
    const struct image image = image_of(t->job, op->leaf);
    const int64_t *places = places_of(t, op);
    void **planes = planes_of(t, op_index);
    for (size_t k = 0; k < p->block; ++k) {
        unsigned char *from = component_of(&image, k);
        if (p->in_place) {
            planes[k] = from + (size_t)t->first * image.element;
        } else if (image.layout->format.storage == ACRE_HALF && op->object.word != ACRE_EXEC_HALF) {
            uint16_t halves[ACRE_TILE_SITES_MAX];
            acre_kernel_gather(2, t->n, from, image.stride, t->first, places, halves);
            if (op->object.word == ACRE_EXEC_FLOAT)
                acre_halves_to_floats(halves, planes[k], t->n);
            else
                acre_halves_to_doubles(halves, planes[k], t->n);
        } else {
            acre_kernel_gather(image.element, t->n, from, image.stride, t->first, places, planes[k]);
        }
    }
}

static void store(const struct tile *t, const struct acre_op *op)
{
    const struct image image = image_of(t->job, op->leaf);
    void **planes = planes_of(t, op->a.value);
    const bool rounds = image.layout->format.storage == ACRE_HALF && op->object.word != ACRE_EXEC_HALF;
    for (size_t k = 0; k < image.layout->components; ++k) {
        uint16_t halves[ACRE_TILE_SITES_MAX];
        if (rounds && op->object.word == ACRE_EXEC_FLOAT)
            acre_halves_from_floats(planes[k], halves, t->n);
        else if (rounds)
            acre_halves_from_doubles(planes[k], halves, t->n);
        acre_kernel_scatter(image.element, t->n, rounds ? halves : planes[k], component_of(&image, k),
                            image.stride, t->first, t->mask, t->wanted);
    }
}

static void fill_uniform(const struct tile *t, int op_index)
{
    const struct acre_plan *plan = t->job->plan;
    const struct acre_op *op = acre_pass_op(plan->pass, op_index);
    const struct acre_slot *slot = acre_program_slot(plan->program, op->slot);
    void **planes = planes_of(t, op_index);
    for (size_t k = 0; k < plan->ops[op_index].block; ++k)
        acre_kernel_fill(op->object.word, t->n, planes[k], slot->numbers[k],
                         slot->object.word == ACRE_EXEC_LONG);
}

static void fill_random(const struct tile *t, int op_index)
{
    const struct acre_plan *plan = t->job->plan;
    const struct acre_op *op = acre_pass_op(plan->pass, op_index);
    const acre_lattice *lattice = plan->pass->lattice;
    const int64_t *places = places_of(t, op);
    for (size_t i = 0; i < t->n; ++i)
        t->worker->sites[i] = acre_lattice_index_of(lattice, places ? places[i] : t->first + (int64_t)i);
    acre_random_uniform(op->object.word, t->n, t->worker->sites, t->job->seed,
                        t->job->first_draw + (uint32_t)op->draw, plan->ops[op_index].block,
                        planes_of(t, op_index));
}

/* A site outside the subset keeps the term +0 it was given. */
static void add_terms(const struct tile *t, int op_index)
{
    const struct acre_plan *plan = t->job->plan;
    const struct acre_op *op = acre_pass_op(plan->pass, op_index);
    const size_t components = acre_object_components(op->object);
    void **planes = planes_of(t, op->a.value);
    for (size_t k = 0; k < components; ++k) {
        union acre_number *terms =
            t->worker->terms + (plan->ops[op_index].first_term + k) * ACRE_LEAF_SITES + t->term;
        const unsigned char *plane = planes[k];
        for (size_t i = 0; i < t->n; ++i)
            if (!t->mask || t->mask[i] == t->wanted)
                memcpy(&terms[i * t->term_step], plane + i * sizeof *terms, sizeof *terms);
    }
}

static void keep_number(const struct tile *t, const struct acre_op *op)
{
    struct acre_slot *slot = acre_program_slot(t->job->plan->program, op->slot);
    void **planes = planes_of(t, op->a.value);
    for (size_t k = 0; k < acre_object_components(op->object); ++k)
        memcpy(&slot->numbers[k], planes[k], sizeof slot->numbers[k]);
}

static void *plane_at(void **const sources[3], struct acre_ref ref)
{
    return sources[ref.source][ref.component];
}

/* Sum of products, a few brackets at a time. */
static void run_products(const struct tile *t, enum acre_exec_word word, const struct acre_steps *steps,
                         const struct acre_step *step, void **const sources[3], void *result)
{
    struct acre_planes brackets[BRACKETS_AT_ONCE];
    for (uint32_t done = 0, n; done < step->bracket_count; done += n) {
        n = step->bracket_count - done < BRACKETS_AT_ONCE ? step->bracket_count - done : BRACKETS_AT_ONCE;
        for (uint32_t k = 0; k < n; ++k) {
            const struct acre_bracket *b = acre_steps_bracket(steps, step->first_bracket + done + k);
            brackets[k].form = (enum acre_form)b->form;
            brackets[k].a0 = plane_at(sources, b->a0);
            brackets[k].b0 = plane_at(sources, b->b0);
            brackets[k].a1 = plane_at(sources, b->a1);
            brackets[k].b1 = plane_at(sources, b->b1);
        }
        acre_kernel_products(word, t->n, result, brackets, n, done > 0);
    }
}

static void run_steps(const struct tile *t, int op_index)
{
    const struct acre_plan *plan = t->job->plan;
    const struct acre_op *op = acre_pass_op(plan->pass, op_index);
    const struct acre_steps *steps = &plan->ops[op_index].steps;
    void **own = planes_of(t, op_index);
    void **const sources[3] = {op->a.value < 0 ? own : planes_of(t, op->a.value),
                               op->b.value < 0 ? own : planes_of(t, op->b.value), own};
    const enum acre_exec_word word = op->object.word;
    for (size_t i = 0; i < acre_steps_count(steps); ++i) {
        const struct acre_step *step = acre_steps_at(steps, i);
        void *result = own[step->result];
        const void *a = plane_at(sources, step->a), *b = plane_at(sources, step->b);
        switch (step->code) {
        case ACRE_STEP_PRODUCTS:
            run_products(t, word, steps, step, sources, result);
            break;
        case ACRE_STEP_LINEAR:
            acre_kernel_linear(word, t->n, result, (enum acre_form)step->form, a, b);
            break;
        case ACRE_STEP_QUOTIENT:
            acre_kernel_quotient(word, t->n, result, a, b);
            break;
        case ACRE_STEP_ROOT:
            acre_kernel_root(word, t->n, result, a);
            break;
        default:
            acre_kernel_fill(word, t->n, result, (union acre_number){.whole = step->form}, true);
            break;
        }
    }
}

static void run_op(const struct tile *t, int i)
{
    const struct acre_plan *plan = t->job->plan;
    const struct acre_op *op = acre_pass_op(plan->pass, i);
    switch (op->code) {
    case ACRE_OP_LOAD:
        load(t, i);
        break;
    case ACRE_OP_UNIFORM:
        if (!plan->pass->lattice)
            fill_uniform(t, i);
        break;
    case ACRE_OP_CONVERT:
        for (size_t k = 0; k < plan->ops[i].block; ++k)
            acre_kernel_convert(acre_pass_op(plan->pass, op->a.value)->object.word, op->object.word, t->n,
                                planes_of(t, op->a.value)[k], planes_of(t, i)[k]);
        break;
    case ACRE_OP_RANDOM:
        fill_random(t, i);
        break;
    case ACRE_OP_STORE:
        store(t, op);
        break;
    case ACRE_OP_REDUCE:
        add_terms(t, i);
        break;
    case ACRE_OP_KEEP:
        keep_number(t, op);
        break;
    default:
        run_steps(t, i);
        break;
    }
}

static void run_tile(struct tile *t)
{
    const struct acre_plan *plan = t->job->plan;
    const struct acre_pass *pass = plan->pass;
    for (int d = 0; d < acre_pass_displacement_count(pass); ++d)
        acre_traverse_neighbours(pass->lattice, acre_pass_displacement(pass, d), t->first, (int64_t)t->n,
                                 t->worker->places + (size_t)d * plan->width);
    if (t->mask)
        acre_traverse_parities(pass->lattice, t->first, (int64_t)t->n, t->worker->parities);
    for (int i = 0; i < acre_pass_op_count(pass); ++i)
        run_op(t, i);
}

/* `count` sites from place `first` on, tile by tile; their terms begin at `term`. */
static void run_sites(struct tile *t, int64_t first, int64_t count, size_t term, size_t term_step)
{
    const int64_t width = (int64_t)t->job->plan->width;
    for (int64_t done = 0; done < count; done += width) {
        t->first = first + done;
        t->n = (size_t)(count - done < width ? count - done : width);
        t->term = term + (size_t)done * term_step;
        t->term_step = term_step;
        run_tile(t);
    }
}

/* The sites of lexicographic leaf j: in checkerboard order the same run of even and of odd sites. */
static void run_leaf(struct tile *t, size_t j)
{
    const struct acre_pass *pass = t->job->plan->pass;
    const acre_lattice *lattice = pass->lattice;
    if (lattice->order != ACRE_SITES_CHECKERBOARD) {
        const int64_t first = (int64_t)j * ACRE_LEAF_SITES, rest = lattice->sites - first;
        run_sites(t, first, rest < ACRE_LEAF_SITES ? rest : ACRE_LEAF_SITES, 0, 1);
        return;
    }
    const int64_t half = lattice->sites / 2, first = (int64_t)j * (ACRE_LEAF_SITES / 2), rest = half - first;
    const int64_t count = rest < ACRE_LEAF_SITES / 2 ? rest : ACRE_LEAF_SITES / 2;
    if (pass->subset != ACRE_ODD)
        run_sites(t, first, count, 0, 2);
    if (pass->subset != ACRE_EVEN)
        run_sites(t, half + first, count, 1, 2);
}

static void point_planes(const struct acre_plan *plan, struct acre_worker *worker)
{
    for (int i = 0; i < acre_pass_op_count(plan->pass); ++i) {
        const struct acre_plan_op *p = &plan->ops[i];
        const size_t plane = plan->width * acre_exec_word_bytes(acre_pass_op(plan->pass, i)->object.word);
        for (size_t k = 0; k < p->block && !p->in_place; ++k)
            worker->planes[p->first_plane + k] = worker->scratch + p->scratch * plan->width + k * plane;
    }
}

acre_status acre_worker_make(const struct acre_plan *plan, struct acre_worker *worker)
{
    const size_t displacements = (size_t)acre_pass_displacement_count(plan->pass);
    const size_t sizes[] = {plan->scratch_bytes,
                            plan->planes * sizeof(void *),
                            displacements * plan->width * sizeof(int64_t),
                            plan->width * sizeof(int64_t),
                            plan->width,
                            plan->terms * ACRE_LEAF_SITES * sizeof(union acre_number)};
    enum { PARTS = sizeof sizes / sizeof *sizes };
    size_t offsets[PARTS], total = 0;
    for (int i = 0; i < PARTS; ++i) {
        offsets[i] = total;
        total += (sizes[i] + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    unsigned char *memory = aligned_alloc(ALIGNMENT, total ? total : ALIGNMENT);
    if (!memory)
        return acre_fail_memory(total);
    *worker = (struct acre_worker){.memory = memory,
                                   .scratch = memory + offsets[0],
                                   .planes = (void **)(void *)(memory + offsets[1]),
                                   .places = (int64_t *)(void *)(memory + offsets[2]),
                                   .sites = (int64_t *)(void *)(memory + offsets[3]),
                                   .parities = memory + offsets[4],
                                   .terms = (union acre_number *)(void *)(memory + offsets[5])};
    point_planes(plan, worker);
    return ACRE_OK;
}

void acre_worker_free(struct acre_worker *worker)
{
    free(worker->memory);
    worker->memory = NULL;
}

void acre_job_run(void *argument, size_t begin, size_t end, unsigned number)
{
    struct acre_job *job = argument;
    const struct acre_plan *plan = job->plan;
    const struct acre_pass *pass = plan->pass;
    struct acre_worker *worker = &job->workers[number];
    struct tile t = {.job = job, .worker = worker, .n = plan->width};
    if (pass->subset != ACRE_ALL && pass->lattice->order != ACRE_SITES_CHECKERBOARD) {
        t.mask = worker->parities;
        t.wanted = pass->subset == ACRE_ODD;
    }
    for (int i = 0; i < acre_pass_op_count(pass); ++i)
        if (acre_pass_op(pass, i)->code == ACRE_OP_UNIFORM)
            fill_uniform(&t, i);
    for (size_t j = begin; j < end; ++j) {
        memset(worker->terms, 0, plan->terms * ACRE_LEAF_SITES * sizeof *worker->terms); /* +0.0 */
        run_leaf(&t, j);
        for (int i = 0; i < acre_pass_op_count(pass); ++i) {
            const struct acre_op *op = acre_pass_op(pass, i);
            if (op->code != ACRE_OP_REDUCE)
                continue;
            for (size_t k = 0; k < acre_object_components(op->object); ++k) {
                const size_t term = plan->ops[i].first_term + k;
                const union acre_number *terms = worker->terms + term * ACRE_LEAF_SITES;
                union acre_number *sum = &job->sums[term * job->leaves + j];
                if (op->object.word == ACRE_EXEC_LONG)
                    sum->whole = acre_reduce_leaf_whole(&terms->whole);
                else
                    sum->real = acre_reduce_leaf(&terms->real);
            }
        }
    }
}

void acre_job_run_numbers(struct acre_job *job)
{
    struct tile t = {.job = job, .worker = job->workers, .n = 1};
    run_tile(&t);
}
