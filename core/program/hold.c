/* core/program/hold.c: acquiring a program's leaves by the parts it reads and writes. */
#include "core/program/hold.h"

#include <stdlib.h>

#include "core/base/fail.h"
#include "core/memory/array.h"

struct hold {
    int leaf;
    acre_subset subset; /* the part of it */
    acre_array *array;
    acre_place place;
    acre_access access;
    acre_range *ranges;
    size_t count;
};

enum { NOT_USED = -1 };

/* The mode one part of a leaf is acquired in. */
static int part_access(const struct acre_leaf *leaf, int part)
{
    if (leaf->written[part])
        return leaf->read_first[part] ? ACRE_READ_WRITE : ACRE_WRITE;
    if (leaf->subsets_written && part == 0)
        return leaf->read_first[0] ? ACRE_READ_WRITE : ACRE_PARTIAL_WRITE;
    return leaf->read[part] ? ACRE_READ : NOT_USED;
}

/* The array's message has bytes; who reads a formula wants the field. */
static acre_status fail_undefined(const acre_field *field, acre_subset subset, const struct acre_source *source)
{
    const bool is_checkerboard = field->lattice->order == ACRE_SITES_CHECKERBOARD;
    const char *what = subset == ACRE_EVEN  ? "its even sites were never written"
                       : subset == ACRE_ODD ? "its odd sites were never written"
                       : is_checkerboard    ? "it was never written, or on one parity only"
                                            : "it was never written";
    return acre_fail(ACRE_ERR_UNDEFINED, "%s:%d: the formula reads field '%s', but %s", source->file,
                     source->line, acre_field_label(field), what);
}

static acre_status take(struct acre_holds *holds, const struct acre_program *program, int leaf, size_t domain,
                        acre_subset subset, acre_access access, const struct acre_source *source,
                        void **address)
{
    const acre_field *field = acre_program_leaf(program, leaf)->field;
    const size_t most = field->images[domain].layout.components;
    struct hold hold = {.leaf = leaf, .subset = subset, .array = field->array, .access = access};
    bool exact;
    hold.place = field->lattice->domains[domain].device->place;
    hold.ranges = malloc((most + 1) * sizeof *hold.ranges);
    if (!hold.ranges)
        return acre_fail_memory((most + 1) * sizeof *hold.ranges);
    hold.count = acre_field_ranges(field, domain, subset, hold.ranges, &exact);
    acre_status status = acre_array_acquire_at(hold.array, hold.place, access, hold.ranges, hold.count, address,
                                               source->file, source->line);
    if (!status) {
        status = acre_buffer_append(&holds->held, &hold, sizeof hold);
        if (status)
            acre_array_abandon(hold.array, hold.place, access, hold.ranges, hold.count);
    }
    if (status)
        free(hold.ranges);
    return status == ACRE_ERR_UNDEFINED ? fail_undefined(field, subset, source) : status;
}

static acre_status take_leaf(struct acre_holds *holds, const struct acre_program *program, int index,
                             size_t domain, const struct acre_source *source, void **address)
{
    const struct acre_leaf *leaf = acre_program_leaf(program, index);
    const bool checkerboard = leaf->field->lattice->order == ACRE_SITES_CHECKERBOARD;
    const int even = part_access(leaf, 0), odd = checkerboard ? part_access(leaf, 1) : even;
    if (even == odd)
        return even == NOT_USED
                   ? ACRE_OK
                   : take(holds, program, index, domain, ACRE_ALL, (acre_access)even, source, address);
    if (even != NOT_USED)
        ACRE_TRY(take(holds, program, index, domain, ACRE_EVEN, (acre_access)even, source, address));
    return odd == NOT_USED ? ACRE_OK
                           : take(holds, program, index, domain, ACRE_ODD, (acre_access)odd, source, address);
}

acre_status acre_holds_take(const struct acre_program *program, const struct acre_source *source,
                            struct acre_holds *holds)
{
    const int leaves = acre_program_leaf_count(program);
    size_t domains = 1;
    for (int i = 0; i < leaves; ++i) {
        const size_t of_leaf = acre_program_leaf(program, i)->field->lattice->domain_count;
        domains = of_leaf > domains ? of_leaf : domains;
    }
    *holds = (struct acre_holds){.leaves = leaves};
    holds->addresses = calloc(domains * (size_t)leaves + 1, sizeof *holds->addresses);
    if (!holds->addresses)
        return acre_fail_memory((domains * (size_t)leaves + 1) * sizeof *holds->addresses);
    for (int i = 0; i < leaves; ++i) {
        const acre_lattice *lattice = acre_program_leaf(program, i)->field->lattice;
        for (size_t d = 0; d < lattice->domain_count; ++d) {
            acre_status status =
                take_leaf(holds, program, i, d, source, &holds->addresses[d * (size_t)leaves + (size_t)i]);
            if (status) {
                acre_holds_give(holds, program, 0);
                return status;
            }
        }
    }
    return ACRE_OK;
}

/* Do the first `passes` passes store to what is held? */
static bool is_stored(const struct acre_program *program, int passes, const struct hold *hold)
{
    for (int p = 0; p < passes; ++p) {
        const struct acre_pass *pass = acre_program_pass(program, p);
        if (hold->subset != ACRE_ALL && pass->subset != ACRE_ALL && hold->subset != pass->subset)
            continue;
        for (int i = 0; i < acre_pass_op_count(pass); ++i)
            if (acre_pass_op(pass, i)->code == ACRE_OP_STORE && acre_pass_op(pass, i)->leaf == hold->leaf)
                return true;
    }
    return false;
}

acre_status acre_holds_give(struct acre_holds *holds, const struct acre_program *program, int passes)
{
    const bool done = passes == acre_program_pass_count(program);
    acre_status first = ACRE_OK;
    struct hold *held = (struct hold *)(void *)holds->held.data;
    for (size_t i = holds->held.size / sizeof *held; i-- > 0;) {
        struct hold *h = &held[i];
        acre_status status = ACRE_OK;
        if (done || is_stored(program, passes, h))
            status = acre_array_release(h->array, h->place, h->access, h->ranges, h->count);
        else
            acre_array_abandon(h->array, h->place, h->access, h->ranges, h->count);
        first = first ? first : status;
        free(h->ranges);
    }
    acre_buffer_free(&holds->held);
    free(holds->addresses);
    holds->addresses = NULL;
    return first;
}
