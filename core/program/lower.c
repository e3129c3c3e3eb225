/* core/program/lower.c: from checked statements to passes. Shifts are pushed to the leaves, transposition and
 * conjugation become maps of operands, equal operations are shared. */
#include "core/program/lower.h"

#include <string.h>

#include "core/base/fail.h"
#include "core/program/emit.h"

struct lowering {
    struct acre_emitter emitter;
    const acre_arg *arguments;
    int *result_slots; /* one an argument: what a result variable was assigned last, or -1 */
};

static const int64_t nowhere[ACRE_MAX_DIMENSION] = {0};

static acre_status lower_number(struct lowering *l, struct acre_node *node);

/* shift(a, n, mu)(x) = a(x + n mu): displacements add up, modulo the extent. */
static void displace(const struct acre_node *shift, const int64_t *from, int64_t *to)
{
    const int mu = (int)shift->direction;
    const int64_t extent = acre_lattice_extent(shift->lattice, mu);
    memcpy(to, from, sizeof nowhere);
    int64_t n = shift->distance % extent;
    to[mu] = (to[mu] + (n < 0 ? n + extent : n)) % extent;
}

static acre_status convert(struct lowering *l, enum acre_exec_word word, struct acre_operand *operand)
{
    struct acre_object object = acre_operand_object(&l->emitter, *operand);
    if (object.word == word)
        return ACRE_OK;
    const unsigned map = operand->map;
    object.word = word;
    struct acre_op op = acre_op_make(ACRE_OP_CONVERT, object);
    op.a.value = operand->value;
    ACRE_TRY(acre_emit(&l->emitter, op, operand));
    operand->map = map;
    return ACRE_OK;
}

/* The operand as a value of its own of the given type: no map left on it. */
static acre_status materialise(struct lowering *l, struct acre_object object, struct acre_operand *operand)
{
    struct acre_object is = acre_operand_object(&l->emitter, *operand);
    object.word = is.word;
    if (!operand->map && acre_object_same_shape(is, object) && is.is_complex == object.is_complex)
        return ACRE_OK;
    struct acre_op op = acre_op_make(ACRE_OP_COPY, object);
    op.a = *operand;
    return acre_emit(&l->emitter, op, operand);
}

static acre_status uniform(struct lowering *l, int slot, enum acre_exec_word word, struct acre_operand *operand)
{
    struct acre_op op = acre_op_make(ACRE_OP_UNIFORM, acre_program_slot(l->emitter.program, slot)->object);
    op.object.word = word;
    op.slot = slot;
    return acre_emit(&l->emitter, op, operand);
}

static acre_status lower_value(struct lowering *l, struct acre_node *node, const int64_t *displacement,
                               struct acre_operand *operand);

/* Lower a node and bring it to a word. Nodes without sites have their slots by now. */
static acre_status lower_to(struct lowering *l, struct acre_node *node, const int64_t *displacement,
                            enum acre_exec_word word, struct acre_operand *operand)
{
    if (!node->lattice)
        return uniform(l, node->slot, word, operand);
    ACRE_TRY(lower_value(l, node, displacement, operand));
    return convert(l, word, operand);
}

static acre_status lower_random(struct lowering *l, const struct acre_node *node, const int64_t *displacement,
                                struct acre_operand *operand)
{
    struct acre_op op = acre_op_make(ACRE_OP_RANDOM, node->object);
    op.draw = l->emitter.program->draws++;
    ACRE_TRY(acre_emit_displacement(&l->emitter, displacement, &op.displacement));
    return acre_emit(&l->emitter, op, operand);
}

/* The adjoint is a map, reduced to what makes a difference for the type. */
static void adjoin(struct acre_object object, struct acre_operand *operand)
{
    operand->map ^= ACRE_MAP_ADJOINT;
    if (!object.spin_rank)
        operand->map &= ~(unsigned)ACRE_MAP_TRANSPOSE_SPIN;
    if (!object.colour_rank)
        operand->map &= ~(unsigned)ACRE_MAP_TRANSPOSE_COLOUR;
    if (!object.is_complex)
        operand->map &= ~(unsigned)ACRE_MAP_CONJUGATE;
}

static acre_status lower_call(struct lowering *l, struct acre_node *node, const int64_t *displacement,
                              struct acre_operand *operand)
{
    static const enum acre_op_code codes[ACRE_FUNCTION_COUNT] = {
        [ACRE_FUNCTION_TRACE] = ACRE_OP_TRACE,   [ACRE_FUNCTION_REAL] = ACRE_OP_REAL,
        [ACRE_FUNCTION_IMAG] = ACRE_OP_IMAG,     [ACRE_FUNCTION_SQRT] = ACRE_OP_SQRT,
        [ACRE_FUNCTION_REUNIT] = ACRE_OP_REUNIT,
    };
    int64_t displaced[ACRE_MAX_DIMENSION];
    switch (node->function) {
    case ACRE_FUNCTION_SHIFT:
        displace(node, displacement, displaced);
        return lower_value(l, node->operand[0], displaced, operand);
    case ACRE_FUNCTION_RANDOM:
        return lower_random(l, node, displacement, operand);
    case ACRE_FUNCTION_ADJ:
        ACRE_TRY(lower_to(l, node->operand[0], displacement, node->object.word, operand));
        adjoin(node->object, operand);
        return ACRE_OK;
    default:
        break;
    }
    struct acre_op op = acre_op_make(codes[node->function], node->object);
    ACRE_TRY(lower_to(l, node->operand[0], displacement, node->object.word, &op.a));
    return acre_emit(&l->emitter, op, operand);
}

static enum acre_op_code binary_code(enum acre_node_kind kind)
{
    switch (kind) {
    case ACRE_NODE_ADD:
        return ACRE_OP_ADD;
    case ACRE_NODE_SUBTRACT:
        return ACRE_OP_SUBTRACT;
    case ACRE_NODE_MULTIPLY:
        return ACRE_OP_MULTIPLY;
    default:
        return ACRE_OP_DIVIDE;
    }
}

/* The operation of a node in the pass being written. */
static acre_status lower_value(struct lowering *l, struct acre_node *node, const int64_t *displacement,
                               struct acre_operand *operand)
{
    struct acre_op op = acre_op_make(ACRE_OP_NEGATE, node->object);
    int leaf;
    switch (node->kind) {
    case ACRE_NODE_NAME:
    case ACRE_NODE_INDEX:
        ACRE_TRY(acre_emit_leaf(&l->emitter, node->field, false, &leaf));
        return acre_emit_load(&l->emitter, leaf, displacement, node->object.word, operand);
    case ACRE_NODE_CALL:
        return lower_call(l, node, displacement, operand);
    case ACRE_NODE_NEGATE:
        ACRE_TRY(lower_to(l, node->operand[0], displacement, node->object.word, &op.a));
        return acre_emit(&l->emitter, op, operand);
    default:
        op.code = binary_code(node->kind);
        ACRE_TRY(lower_to(l, node->operand[0], displacement, node->object.word, &op.a));
        ACRE_TRY(lower_to(l, node->operand[1], displacement, node->object.word, &op.b));
        return acre_emit(&l->emitter, op, operand);
    }
}

/* Operands that carry values: not the integers of a shift, the subset of a reduction or the model of random().
 */
static int value_operands(const struct acre_node *node)
{
    if (node->kind == ACRE_NODE_INDEX)
        return 0;
    if (node->kind != ACRE_NODE_CALL)
        return node->operand_count;
    switch (node->function) {
    case ACRE_FUNCTION_RANDOM:
        return 0;
    case ACRE_FUNCTION_SHIFT:
        return 1;
    default:
        return acre_function_rows[node->function].fewest;
    }
}

/* Give every part of the expression that has no sites its slot. */
static acre_status prepare_numbers(struct lowering *l, struct acre_node *node)
{
    if (!node->lattice)
        return lower_number(l, node);
    for (int i = 0; i < value_operands(node); ++i)
        ACRE_TRY(prepare_numbers(l, node->operand[i]));
    return ACRE_OK;
}

/* May the expression be computed in the last pass over a lattice: are its numbers ready, and does it read no
 * field at another site that the pass stores to? */
static bool fits_last_pass(struct lowering *l, struct acre_node *node, const int64_t *displacement)
{
    struct acre_program *program = l->emitter.program;
    int64_t displaced[ACRE_MAX_DIMENSION];
    if (!node->lattice)
        return acre_program_slot(program, node->slot)->ready < l->emitter.last;
    if (node->field && memcmp(displacement, nowhere, sizeof nowhere) != 0)
        for (int i = 0; i < acre_program_leaf_count(program); ++i)
            if (acre_program_leaf(program, i)->field == node->field && acre_emit_use(&l->emitter, i)->stores)
                return false;
    if (node->kind == ACRE_NODE_CALL && node->function == ACRE_FUNCTION_SHIFT) {
        displace(node, displacement, displaced);
        displacement = displaced;
    }
    for (int i = 0; i < value_operands(node); ++i)
        if (!fits_last_pass(l, node->operand[i], displacement))
            return false;
    return true;
}

/* Write the last pass over a lattice if the work may join it, else a new one. Passes without sites that came
 * after it don't matter: the work needs none of them. */
static acre_status choose_pass(struct lowering *l, const acre_lattice *lattice, acre_subset subset,
                               bool may_join)
{
    struct acre_emitter *e = &l->emitter;
    const struct acre_pass *last = acre_program_pass(e->program, e->last);
    e->pass = e->last;
    if (may_join && last->lattice == lattice && last->subset == subset)
        return ACRE_OK;
    return acre_emit_pass(e, lattice, subset);
}

static acre_status lower_reduction(struct lowering *l, struct acre_node *node)
{
    struct acre_node *const *operand = node->operand;
    const bool is_inner = node->function == ACRE_FUNCTION_INNER_PRODUCT;
    const enum acre_exec_word word = node->object.word;
    struct acre_operand value, unused;
    for (int i = 0; i < (is_inner ? 2 : 1); ++i)
        ACRE_TRY(prepare_numbers(l, operand[i]));
    const bool may_join =
        fits_last_pass(l, operand[0], nowhere) && (!is_inner || fits_last_pass(l, operand[1], nowhere));
    ACRE_TRY(choose_pass(l, operand[0]->lattice, node->subset, may_join));
    ACRE_TRY(lower_to(l, operand[0], nowhere, word, &value));
    if (node->function != ACRE_FUNCTION_SUM) {
        struct acre_op local = acre_op_make(is_inner ? ACRE_OP_LOCAL_INNER : ACRE_OP_LOCAL_NORM2, node->object);
        local.a = value;
        if (is_inner)
            ACRE_TRY(lower_to(l, operand[1], nowhere, word, &local.b));
        ACRE_TRY(acre_emit(&l->emitter, local, &value));
    }
    ACRE_TRY(materialise(l, node->object, &value));
    struct acre_op reduce = acre_op_make(ACRE_OP_REDUCE, node->object);
    reduce.a = value;
    ACRE_TRY(acre_emit_slot(&l->emitter, node->object, -1, &reduce.slot));
    node->slot = reduce.slot;
    acre_program_slot(l->emitter.program, node->slot)->ready = l->emitter.pass;
    return acre_emit(&l->emitter, reduce, &unused);
}

/* Keep an operand of the pass being written in a new slot. */
static acre_status keep(struct lowering *l, struct acre_object object, struct acre_operand value, int *slot)
{
    struct acre_op op = acre_op_make(ACRE_OP_KEEP, object);
    struct acre_operand unused;
    ACRE_TRY(materialise(l, object, &value));
    op.a = value;
    ACRE_TRY(acre_emit_slot(&l->emitter, object, -1, slot));
    op.slot = *slot;
    acre_program_slot(l->emitter.program, *slot)->ready = l->emitter.pass;
    return acre_emit(&l->emitter, op, &unused);
}

static acre_status lower_constant(struct lowering *l, struct acre_node *node)
{
    union acre_number numbers[2] = {{0}, {0}};
    if (node->is_zero)
        numbers[0].whole = 0;
    else if (node->kind == ACRE_NODE_NUMBER && node->is_whole)
        numbers[0].whole = node->whole;
    else if (node->kind == ACRE_NODE_NUMBER)
        numbers[0].real = node->number;
    else if (node->word == ACRE_WORD_PI)
        numbers[0].real = 3.14159265358979323846;
    else if (node->word == ACRE_WORD_I)
        numbers[1].real = 1;
    else
        numbers[0].whole = node->word == ACRE_WORD_FORWARD ? 1 : -1;
    return acre_emit_constant(&l->emitter, node->object, numbers, &node->slot);
}

static bool is_reduction(const struct acre_node *node)
{
    return node->kind == ACRE_NODE_CALL &&
           (node->function == ACRE_FUNCTION_SUM || node->function == ACRE_FUNCTION_NORM2 ||
            node->function == ACRE_FUNCTION_INNER_PRODUCT);
}

/* Compute a node without sites into a slot. */
static acre_status lower_number(struct lowering *l, struct acre_node *node)
{
    int ready = -1;
    if (node->slot >= 0)
        return ACRE_OK;
    if (is_reduction(node))
        return lower_reduction(l, node);
    if (node->kind == ACRE_NODE_NUMBER || node->kind == ACRE_NODE_WORD)
        return lower_constant(l, node);
    if (node->kind == ACRE_NODE_NAME) {
        node->slot = l->result_slots[node->argument];
        return node->slot >= 0 ? ACRE_OK
                               : acre_emit_slot(&l->emitter, node->object, node->argument, &node->slot);
    }
    for (int i = 0; i < value_operands(node); ++i) {
        ACRE_TRY(lower_number(l, node->operand[i]));
        const int operand_ready = acre_program_slot(l->emitter.program, node->operand[i]->slot)->ready;
        ready = operand_ready > ready ? operand_ready : ready;
    }
    struct acre_operand value;
    ACRE_TRY(acre_emit_numbers_pass(&l->emitter, ready));
    ACRE_TRY(lower_value(l, node, nowhere, &value));
    return keep(l, node->object, value, &node->slot);
}

static acre_status lower_result(struct lowering *l, const struct acre_statement *statement)
{
    struct acre_node *value = statement->value;
    const int argument = statement->target->argument, kind = l->arguments[argument].kind;
    struct acre_object object = acre_object_number(value->object.word, kind == ACRE_ARG_OUT_COMPLEX);
    object.word = kind == ACRE_ARG_OUT_INT || kind == ACRE_ARG_OUT_LONG ? ACRE_EXEC_LONG : ACRE_EXEC_DOUBLE;
    ACRE_TRY(lower_number(l, value));
    int *slot = &l->result_slots[argument];
    *slot = value->slot;
    const struct acre_slot *is = acre_program_slot(l->emitter.program, *slot);
    if (is->object.word == object.word && is->object.is_complex == object.is_complex &&
        kind != ACRE_ARG_OUT_FLOAT)
        return ACRE_OK;
    struct acre_operand operand;
    ACRE_TRY(acre_emit_numbers_pass(&l->emitter, is->ready));
    ACRE_TRY(uniform(l, *slot, object.word, &operand));
    if (kind == ACRE_ARG_OUT_FLOAT) { /* later statements see what is stored */
        ACRE_TRY(convert(l, ACRE_EXEC_FLOAT, &operand));
        ACRE_TRY(convert(l, ACRE_EXEC_DOUBLE, &operand));
    }
    return keep(l, object, operand, slot);
}

/* Does the expression read `field` at another site? On a checkerboard subset an odd displacement reads only
 * sites that the statement does not write. */
static bool reads_displaced(const struct acre_node *node, const acre_field *field, const int64_t *displacement,
                            bool odd_is_safe)
{
    int64_t displaced[ACRE_MAX_DIMENSION], parity = 0;
    if (!node->lattice)
        return false;
    if (node->field == field && memcmp(displacement, nowhere, sizeof nowhere) != 0) {
        for (int mu = 0; mu < ACRE_MAX_DIMENSION; ++mu)
            parity ^= displacement[mu] & 1;
        return !(odd_is_safe && parity);
    }
    if (node->kind == ACRE_NODE_CALL && node->function == ACRE_FUNCTION_SHIFT) {
        displace(node, displacement, displaced);
        displacement = displaced;
    }
    for (int i = 0; i < value_operands(node); ++i)
        if (reads_displaced(node->operand[i], field, displacement, odd_is_safe))
            return true;
    return false;
}

/* A field read as it is, at whatever site: its bits can be moved where formats are alike. */
static const acre_field *plain_field(const struct acre_node *node)
{
    while (node->kind == ACRE_NODE_CALL && node->function == ACRE_FUNCTION_SHIFT)
        node = node->operand[0];
    return node->field;
}

/* The word in which a value is handed to the store: half storage rounds straight from the precision it was
 * computed in. */
static enum acre_exec_word store_word(const acre_field *target, const struct acre_node *value)
{
    const enum acre_exec_word native = acre_exec_word_of(target->type.word);
    if (target->format.storage == ACRE_HALF && value->lattice && acre_exec_word_is_floating(value->object.word))
        return value->object.word;
    return native;
}

/* The bits of `from`, displaced as the shifts in `node` say, to `leaf`. */
static acre_status lower_bits(struct lowering *l, struct acre_node *node, int leaf)
{
    int64_t displacement[2][ACRE_MAX_DIMENSION] = {{0}, {0}};
    struct acre_operand value;
    int from, at = 0;
    for (; node->kind == ACRE_NODE_CALL; node = node->operand[0], at = !at)
        displace(node, displacement[at], displacement[!at]);
    ACRE_TRY(acre_emit_leaf(&l->emitter, node->field, false, &from));
    ACRE_TRY(acre_emit_load(&l->emitter, from, displacement[at], ACRE_EXEC_HALF, &value));
    return acre_emit_store(&l->emitter, leaf, value);
}

static acre_status lower_store(struct lowering *l, struct acre_node *node, acre_field *target, int leaf)
{
    const acre_field *plain = node->lattice ? plain_field(node) : NULL;
    if (plain && acre_site_type_equal(plain->type, target->type) && plain->format.storage == ACRE_HALF &&
        target->format.storage == ACRE_HALF)
        return lower_bits(l, node, leaf);
    struct acre_operand value;
    ACRE_TRY(lower_to(l, node, nowhere, store_word(target, node), &value));
    ACRE_TRY(materialise(l, acre_object_of_type(target->type), &value));
    return acre_emit_store(&l->emitter, leaf, value);
}

/* target = value, in the last pass if it may join that. */
static acre_status lower_assignment(struct lowering *l, struct acre_node *value, acre_field *target,
                                    bool is_temporary, acre_subset subset)
{
    int leaf;
    ACRE_TRY(acre_emit_leaf(&l->emitter, target, is_temporary, &leaf));
    const bool may_join = fits_last_pass(l, value, nowhere) && !acre_emit_use(&l->emitter, leaf)->displaced;
    ACRE_TRY(choose_pass(l, target->lattice, subset, may_join));
    return lower_store(l, value, target, leaf);
}

static acre_status lower_field_statement(struct lowering *l, const struct acre_statement *statement)
{
    acre_field *target = statement->target->field;
    const acre_subset subset = statement->has_subset ? statement->subset : ACRE_ALL;
    const bool odd_is_safe = subset != ACRE_ALL && target->lattice->order == ACRE_SITES_CHECKERBOARD;
    ACRE_TRY(prepare_numbers(l, statement->value));
    if (!reads_displaced(statement->value, target, nowhere, odd_is_safe))
        return lower_assignment(l, statement->value, target, false, subset);

    acre_field *temporary;
    ACRE_TRY(acre_field_create(target->lattice, target->type, target->format, target->label, &temporary));
    acre_status status = lower_assignment(l, statement->value, temporary, true, subset);
    if (status != ACRE_OK) {
        int leaf; /* the program owns the temporary once it is a leaf */
        if (acre_emit_leaf(&l->emitter, temporary, true, &leaf) != ACRE_OK)
            acre_field_destroy(temporary);
        return status;
    }
    struct acre_node read = {.kind = ACRE_NODE_NAME,
                             .field = temporary,
                             .lattice = target->lattice,
                             .slot = -1};
    read.object = acre_object_of_type(target->type);
    return lower_assignment(l, &read, target, false, subset);
}

static acre_status collect_results(struct lowering *l, size_t count)
{
    struct acre_program *program = l->emitter.program;
    program->results = acre_arena_take(&program->arena, (count + 1) * sizeof *program->results);
    if (!program->results)
        return ACRE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; ++i)
        if (l->result_slots[i] >= 0) {
            program->results[program->result_count].argument = (int)i;
            program->results[program->result_count++].slot = l->result_slots[i];
        }
    return ACRE_OK;
}

acre_status acre_lower(struct acre_program *program, const struct acre_statement *first, size_t count,
                       const acre_arg *arguments)
{
    struct lowering l = {.emitter = {.program = program}, .arguments = arguments};
    l.result_slots = acre_arena_take(&program->arena, (count + 1) * sizeof *l.result_slots);
    if (!l.result_slots)
        return ACRE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; ++i)
        l.result_slots[i] = -1;
    acre_status status = acre_emit_begin(&l.emitter);
    for (const struct acre_statement *s = first; s && !status; s = s->next)
        status = acre_arg_is_out(&arguments[s->target->argument]) ? lower_result(&l, s)
                                                                  : lower_field_statement(&l, s);
    if (!status)
        status = collect_results(&l, count);
    acre_emit_end(&l.emitter);
    return status;
}
