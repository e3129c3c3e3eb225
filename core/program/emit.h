/* core/program/emit.h: writing operations into passes: value numbering, leaves, slots, and which pass a piece
 * of work may join. */
#ifndef ACRE_CORE_PROGRAM_EMIT_H
#define ACRE_CORE_PROGRAM_EMIT_H

#include "core/program/program.h"

/* Lowering in progress. */
struct acre_emitter {
    struct acre_program *program;
    int pass;                /* the pass being written */
    int last;                /* the last pass over a lattice, 0: none yet */
    struct acre_buffer uses; /* struct acre_leaf_use, one a leaf: what that pass does with it */
};
struct acre_leaf_use {
    int stores;
    bool displaced; /* read at another site */
};

/* Start a program: its first pass computes what is known from the arguments alone. */
acre_status acre_emit_begin(struct acre_emitter *e);
void acre_emit_end(struct acre_emitter *e);

/* Append an operation to the pass being written, or find the same one there already; `operand` is its result.
 */
acre_status acre_emit(struct acre_emitter *e, struct acre_op op, struct acre_operand *operand);
/* An operation of code `code`, with no operands. */
struct acre_op acre_op_make(enum acre_op_code code, struct acre_object object);
/* The type of an operand, as it is seen through its map. */
struct acre_object acre_operand_object(const struct acre_emitter *e, struct acre_operand operand);

/* The leaf for a field, found or made; the slot for a constant or an argument, found or made. */
acre_status acre_emit_leaf(struct acre_emitter *e, acre_field *field, bool is_temporary, int *leaf);
acre_status acre_emit_slot(struct acre_emitter *e, struct acre_object object, int argument, int *slot);
acre_status acre_emit_constant(struct acre_emitter *e, struct acre_object object,
                               const union acre_number *numbers, int *slot);

/* Read a leaf at a displacement (entries in [0, extent)); write one. Both keep the leaf's account of accesses.
 */
acre_status acre_emit_load(struct acre_emitter *e, int leaf, const int64_t *displacement,
                           enum acre_exec_word word, struct acre_operand *operand);
acre_status acre_emit_store(struct acre_emitter *e, int leaf, struct acre_operand value);
/* The index of a displacement in the pass being written, found or made; -1: none, the site itself. */
acre_status acre_emit_displacement(struct acre_emitter *e, const int64_t *displacement, int *index);

/* Append a pass and write it from now on. */
acre_status acre_emit_pass(struct acre_emitter *e, const acre_lattice *lattice, acre_subset subset);
/* Write a pass without sites in which slots that are ready in pass `ready` at the latest can be used. */
acre_status acre_emit_numbers_pass(struct acre_emitter *e, int ready);
struct acre_leaf_use *acre_emit_use(struct acre_emitter *e, int leaf);

#endif
