/* core/program/hold.c: a program's leaves as operands, by the parts it reads and writes. */
#include "core/program/hold.h"

#include <stdlib.h>

#include "core/base/fail.h"
#include "core/memory/array.h"

/* What is to be acquired: uses, which address each one gives, and what it is. */
struct list {
    struct acre_buffer uses;  /* struct acre_use */
    struct acre_buffer slots; /* size_t */
    struct acre_buffer parts; /* struct acre_held_part */
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

static acre_status add_part(struct list *list, const struct acre_program *program, int leaf, size_t domain,
                            acre_subset subset, int access, size_t slot)
{
    const acre_field *field = acre_program_leaf(program, leaf)->field;
    const struct acre_held_part part = {leaf, subset};
    const size_t most = field->images[domain].layout.components;
    struct acre_use use = {.array = field->array,
                           .place = field->lattice->domains[domain].device->place,
                           .access = (acre_access)access};
    bool exact;
    if (access == NOT_USED)
        return ACRE_OK;
    acre_range *ranges = malloc((most + 1) * sizeof *ranges);
    if (!ranges)
        return acre_fail_memory((most + 1) * sizeof *ranges);
    use.ranges = ranges;
    use.count = acre_field_ranges(field, domain, subset, ranges, &exact);
    acre_status status = acre_buffer_append(&list->slots, &slot, sizeof slot);
    if (!status)
        status = acre_buffer_append(&list->parts, &part, sizeof part);
    if (!status)
        status = acre_buffer_append(&list->uses, &use, sizeof use);
    if (status)
        free(ranges);
    return status;
}

static acre_status add_leaf(struct list *list, const struct acre_program *program, int index, size_t domain,
                            size_t slot)
{
    const struct acre_leaf *leaf = acre_program_leaf(program, index);
    const bool checkerboard = leaf->field->lattice->order == ACRE_SITES_CHECKERBOARD;
    const int even = part_access(leaf, 0), odd = checkerboard ? part_access(leaf, 1) : even;
    if (even == odd)
        return add_part(list, program, index, domain, ACRE_ALL, even, slot);
    ACRE_TRY(add_part(list, program, index, domain, ACRE_EVEN, even, slot));
    return add_part(list, program, index, domain, ACRE_ODD, odd, slot);
}

static acre_status add_all(struct list *list, const struct acre_program *program)
{
    const int leaves = acre_program_leaf_count(program);
    for (int i = 0; i < leaves; ++i) {
        const struct acre_leaf *leaf = acre_program_leaf(program, i);
        for (size_t d = 0; d < leaf->field->lattice->domain_count; ++d)
            ACRE_TRY(add_leaf(list, program, i, d, d * (size_t)leaves + (size_t)i));
    }
    return ACRE_OK;
}

static size_t most_domains(const struct acre_program *program)
{
    size_t domains = 1;
    for (int i = 0; i < acre_program_leaf_count(program); ++i) {
        const size_t of_leaf = acre_program_leaf(program, i)->field->lattice->domain_count;
        domains = of_leaf > domains ? of_leaf : domains;
    }
    return domains;
}

/* Which operand is it that was never written? The part whose array the message is about is the first undefined
 * one. */
static acre_status explain(const struct acre_program *program, const struct list *list,
                           const struct acre_source *source)
{
    const struct acre_use *uses = (const struct acre_use *)(const void *)list->uses.data;
    const struct acre_held_part *parts = (const struct acre_held_part *)(const void *)list->parts.data;
    for (size_t i = 0; i < list->uses.size / sizeof *uses; ++i)
        if ((uses[i].access == ACRE_READ || uses[i].access == ACRE_READ_WRITE) &&
            acre_array_is_undefined(uses[i].array, uses[i].ranges, uses[i].count))
            return fail_undefined(acre_program_leaf(program, parts[i].leaf)->field, parts[i].subset, source);
    return ACRE_ERR_UNDEFINED;
}

acre_status acre_holds_take(const struct acre_program *program, const struct acre_source *source,
                            struct acre_holds *holds)
{
    struct list list = {0};
    const size_t slots = most_domains(program) * (size_t)acre_program_leaf_count(program) + 1;
    *holds = (struct acre_holds){.addresses = calloc(slots, sizeof *holds->addresses)};
    if (!holds->addresses)
        return acre_fail_memory(slots * sizeof *holds->addresses);
    acre_status status = add_all(&list, program);
    struct acre_use *uses = (struct acre_use *)(void *)list.uses.data;
    const size_t count = list.uses.size / sizeof *uses;
    if (!status)
        status = acre_submit_begin(program->context, uses, count, source->file, source->line, &holds->submit);
    if (status == ACRE_ERR_UNDEFINED)
        status = explain(program, &list, source);
    for (size_t i = 0; i < count; ++i) {
        if (!status)
            holds->addresses[((size_t *)(void *)list.slots.data)[i]] = uses[i].address;
        free((void *)uses[i].ranges);
    }
    holds->parts = (struct acre_held_part *)(void *)list.parts.data;
    holds->count = count;
    acre_buffer_free(&list.uses);
    acre_buffer_free(&list.slots);
    if (status)
        acre_holds_free(holds);
    return status;
}

/* Do the first `passes` passes store to the part? */
static bool is_stored(const struct acre_program *program, int passes, struct acre_held_part part)
{
    for (int p = 0; p < passes; ++p) {
        const struct acre_pass *pass = acre_program_pass(program, p);
        if (part.subset != ACRE_ALL && pass->subset != ACRE_ALL && part.subset != pass->subset)
            continue;
        for (int i = 0; i < acre_pass_op_count(pass); ++i)
            if (acre_pass_op(pass, i)->code == ACRE_OP_STORE && acre_pass_op(pass, i)->leaf == part.leaf)
                return true;
    }
    return false;
}

void acre_holds_stop(struct acre_holds *holds, const struct acre_program *program, int passes)
{
    for (size_t i = 0; i < holds->count; ++i)
        if (!is_stored(program, passes, holds->parts[i]))
            acre_submit_spare(holds->submit, i);
    acre_submit_end(holds->submit, ACRE_OK);
    holds->submit = NULL;
}

void acre_holds_free(struct acre_holds *holds)
{
    free(holds->addresses);
    free(holds->parts);
    *holds = (struct acre_holds){0};
}
