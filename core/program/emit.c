/* core/program/emit.c: writing operations into passes. */
#include "core/program/emit.h"

#include <string.h>

#include "core/base/fail.h"

struct acre_op acre_op_make(enum acre_op_code code, struct acre_object object)
{
    struct acre_op op = {.code = code,
                         .object = object,
                         .a = {-1, 0},
                         .b = {-1, 0},
                         .leaf = -1,
                         .displacement = -1,
                         .slot = -1,
                         .draw = -1};
    return op;
}

static struct acre_pass *writing(const struct acre_emitter *e)
{
    return acre_program_pass(e->program, e->pass);
}

struct acre_object acre_operand_object(const struct acre_emitter *e, struct acre_operand operand)
{
    return acre_pass_op(writing(e), operand.value)->object;
}

static bool same_object(struct acre_object a, struct acre_object b)
{
    return a.word == b.word && a.is_complex == b.is_complex && acre_object_same_shape(a, b);
}

static bool same_op(const struct acre_op *x, const struct acre_op *y)
{
    return x->code == y->code && same_object(x->object, y->object) && x->a.value == y->a.value &&
           x->a.map == y->a.map && x->b.value == y->b.value && x->b.map == y->b.map && x->leaf == y->leaf &&
           x->displacement == y->displacement && x->slot == y->slot && x->draw == y->draw &&
           x->generation == y->generation;
}

static size_t hash_op(const struct acre_op *x)
{
    const unsigned keys[] = {(unsigned)x->code,
                             (unsigned)x->a.value,
                             x->a.map,
                             (unsigned)x->b.value,
                             x->b.map,
                             (unsigned)x->leaf,
                             (unsigned)x->displacement,
                             (unsigned)x->slot,
                             (unsigned)x->generation,
                             (unsigned)x->object.word};
    uint64_t hash = 14695981039346656037u; /* FNV-1a, a word at a time */
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
        hash = (hash ^ keys[i]) * 1099511628211u;
    return (size_t)(hash ^ hash >> 32);
}

/* Open addressing; entries are op index + 1. Kept at most half full. */
static acre_status table_grow(struct acre_pass *pass)
{
    size_t old = pass->table.size / sizeof(int), size = old ? 2 * old : 64;
    struct acre_buffer table = {0};
    ACRE_TRY(acre_buffer_append(&table, NULL, size * sizeof(int)));
    int *entries = (int *)(void *)table.data;
    for (int i = 0; i < acre_pass_op_count(pass); ++i) {
        size_t at = hash_op(acre_pass_op(pass, i)) & (size - 1);
        while (entries[at])
            at = (at + 1) & (size - 1);
        entries[at] = i + 1;
    }
    acre_buffer_free(&pass->table);
    pass->table = table;
    return ACRE_OK;
}

static bool has_effect(enum acre_op_code code)
{
    return code == ACRE_OP_STORE || code == ACRE_OP_REDUCE || code == ACRE_OP_KEEP || code == ACRE_OP_RANDOM;
}

acre_status acre_emit(struct acre_emitter *e, struct acre_op op, struct acre_operand *operand)
{
    struct acre_pass *pass = writing(e);
    const int count = acre_pass_op_count(pass);
    if (pass->table.size < 2 * sizeof(int) * ((size_t)count + 1))
        ACRE_TRY(table_grow(pass));
    int *entries = (int *)(void *)pass->table.data;
    const size_t mask = pass->table.size / sizeof(int) - 1;
    size_t at = hash_op(&op) & mask;
    operand->map = 0;
    for (; entries[at]; at = (at + 1) & mask)
        if (!has_effect(op.code) && same_op(acre_pass_op(pass, entries[at] - 1), &op)) {
            operand->value = entries[at] - 1;
            return ACRE_OK;
        }
    ACRE_TRY(acre_buffer_append(&pass->ops, &op, sizeof op));
    operand->value = count;
    entries[at] = count + 1;
    return ACRE_OK;
}

acre_status acre_emit_leaf(struct acre_emitter *e, acre_field *field, bool is_temporary, int *leaf)
{
    const int count = acre_program_leaf_count(e->program);
    const struct acre_leaf fresh = {.field = field, .is_temporary = is_temporary};
    const struct acre_leaf_use unused = {0};
    for (*leaf = 0; *leaf < count; ++*leaf)
        if (acre_program_leaf(e->program, *leaf)->field == field)
            return ACRE_OK;
    ACRE_TRY(acre_buffer_append(&e->uses, &unused, sizeof unused));
    return acre_buffer_append(&e->program->leaves, &fresh, sizeof fresh);
}

struct acre_leaf_use *acre_emit_use(struct acre_emitter *e, int leaf)
{
    return (struct acre_leaf_use *)(void *)e->uses.data + leaf;
}

acre_status acre_emit_slot(struct acre_emitter *e, struct acre_object object, int argument, int *slot)
{
    const int count = acre_program_slot_count(e->program);
    for (*slot = 0; argument >= 0 && *slot < count; ++*slot)
        if (acre_program_slot(e->program, *slot)->argument == argument)
            return ACRE_OK;
    *slot = count;
    struct acre_slot fresh = {.object = object, .argument = argument, .ready = -1};
    fresh.numbers = acre_arena_take(&e->program->arena, acre_object_components(object) * sizeof *fresh.numbers);
    if (!fresh.numbers)
        return ACRE_ERR_OUT_OF_MEMORY;
    return acre_buffer_append(&e->program->slots, &fresh, sizeof fresh);
}

acre_status acre_emit_constant(struct acre_emitter *e, struct acre_object object,
                               const union acre_number *numbers, int *slot)
{
    ACRE_TRY(acre_emit_slot(e, object, -1, slot));
    memcpy(acre_program_slot(e->program, *slot)->numbers, numbers,
           acre_object_components(object) * sizeof *numbers);
    return ACRE_OK;
}

acre_status acre_emit_displacement(struct acre_emitter *e, const int64_t *displacement, int *index)
{
    static const int64_t here[ACRE_MAX_DIMENSION] = {0};
    struct acre_pass *pass = writing(e);
    const size_t bytes = sizeof(int64_t) * ACRE_MAX_DIMENSION;
    *index = -1;
    if (memcmp(displacement, here, bytes) == 0)
        return ACRE_OK;
    const int count = acre_pass_displacement_count(pass);
    for (*index = 0; *index < count; ++*index)
        if (memcmp(acre_pass_displacement(pass, *index), displacement, bytes) == 0)
            return ACRE_OK;
    return acre_buffer_append(&pass->displacements, displacement, bytes);
}

/* The parts of a leaf that a pass over `subset` touches at a displacement of this parity: bit 0, bit 1. */
static unsigned parts_touched(const acre_lattice *lattice, acre_subset subset, int parity)
{
    if (lattice->order != ACRE_SITES_CHECKERBOARD)
        return 1;
    if (subset == ACRE_ALL)
        return 3;
    return 1u << ((subset == ACRE_ODD) ^ parity);
}

/* Has the program itself written what a pass over `subset` reads of a part at a displacement? In lexicographic
 * order a subset may be all that is written; its displaced sites are of one parity if every extent is even. */
static bool is_written(const struct acre_leaf *leaf, int part, const struct acre_pass *pass, bool displaced,
                       int parity)
{
    const bool one_parity = pass->subset != ACRE_ALL && (!displaced || pass->lattice->all_even);
    const unsigned needed = one_parity ? 1u << ((pass->subset == ACRE_ODD) ^ parity) : 3;
    return leaf->written[part] || (leaf->subsets_written & needed) == needed;
}

acre_status acre_emit_load(struct acre_emitter *e, int leaf, const int64_t *displacement,
                           enum acre_exec_word word, struct acre_operand *operand)
{
    const struct acre_pass *pass = writing(e);
    struct acre_leaf *account = acre_program_leaf(e->program, leaf);
    struct acre_leaf_use *use = acre_emit_use(e, leaf);
    struct acre_op op = acre_op_make(ACRE_OP_LOAD, acre_object_of_type(account->field->type));
    op.object.word = word;
    op.leaf = leaf;
    op.generation = use->stores;
    ACRE_TRY(acre_emit_displacement(e, displacement, &op.displacement));
    const bool displaced = op.displacement >= 0;
    int parity = 0;
    for (int mu = 0; mu < ACRE_MAX_DIMENSION; ++mu)
        parity ^= (int)(displacement[mu] & 1);
    use->displaced = use->displaced || displaced;
    unsigned parts = parts_touched(pass->lattice, pass->subset, parity);
    for (int part = 0; part < 2; ++part)
        if (parts >> part & 1) {
            account->read_first[part] =
                account->read_first[part] || !is_written(account, part, pass, displaced, parity);
            account->read[part] = true;
        }
    return acre_emit(e, op, operand);
}

acre_status acre_emit_store(struct acre_emitter *e, int leaf, struct acre_operand value)
{
    const struct acre_pass *pass = writing(e);
    struct acre_leaf *account = acre_program_leaf(e->program, leaf);
    struct acre_op op = acre_op_make(ACRE_OP_STORE, acre_operand_object(e, value));
    op.a = value;
    op.leaf = leaf;
    ++acre_emit_use(e, leaf)->stores;
    if (pass->lattice->order != ACRE_SITES_CHECKERBOARD && pass->subset != ACRE_ALL) {
        account->subsets_written |= pass->subset == ACRE_EVEN ? 1 : 2;
        account->written[0] = account->written[0] || account->subsets_written == 3;
    } else {
        unsigned parts = parts_touched(pass->lattice, pass->subset, 0);
        for (int part = 0; part < 2; ++part)
            account->written[part] = account->written[part] || (parts >> part & 1);
    }
    return acre_emit(e, op, &value);
}

acre_status acre_emit_pass(struct acre_emitter *e, const acre_lattice *lattice, acre_subset subset)
{
    struct acre_pass *pass = acre_arena_take(&e->program->arena, sizeof *pass);
    if (!pass)
        return ACRE_ERR_OUT_OF_MEMORY;
    pass->lattice = lattice;
    pass->subset = subset;
    ACRE_TRY(acre_buffer_append(&e->program->passes, &pass, sizeof pass));
    e->pass = acre_program_pass_count(e->program) - 1;
    if (!lattice)
        return ACRE_OK;
    e->last = e->pass;
    if (e->uses.size)
        memset(e->uses.data, 0, e->uses.size);
    return ACRE_OK;
}

acre_status acre_emit_numbers_pass(struct acre_emitter *e, int ready)
{
    const int last = acre_program_pass_count(e->program) - 1;
    e->pass = ready <= 0 ? 0 : last;
    if (!writing(e)->lattice && ready <= e->pass)
        return ACRE_OK;
    return acre_emit_pass(e, NULL, ACRE_ALL);
}

acre_status acre_emit_begin(struct acre_emitter *e)
{
    return acre_emit_pass(e, NULL, ACRE_ALL);
}

void acre_emit_end(struct acre_emitter *e)
{
    acre_buffer_free(&e->uses);
}
