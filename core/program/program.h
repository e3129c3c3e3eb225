/* core/program/program.h: a checked and lowered formula: passes over lattices and over plain numbers, each a
 * list of operations on whole site objects in a fixed order. */
#ifndef ACRE_CORE_PROGRAM_PROGRAM_H
#define ACRE_CORE_PROGRAM_PROGRAM_H

#include "acre/formula.h"
#include "core/base/arena.h"
#include "core/base/buffer.h"
#include "core/field/field.h"
#include "core/program/object.h"

/* Operations: one result (a value) from up to two operands. */
enum acre_op_code {
    ACRE_OP_LOAD,    /* leaf at a displacement */
    ACRE_OP_UNIFORM, /* slot: the same at every site */
    ACRE_OP_COPY, /* the operand in the result's shape: mapped; a real made complex; a number times identity */
    ACRE_OP_CONVERT, /* to another word */
    ACRE_OP_NEGATE,
    ACRE_OP_ADD,
    ACRE_OP_SUBTRACT,
    ACRE_OP_MULTIPLY,
    ACRE_OP_DIVIDE,
    ACRE_OP_SQRT,
    ACRE_OP_TRACE,
    ACRE_OP_REAL,
    ACRE_OP_IMAG,
    ACRE_OP_REUNIT,
    ACRE_OP_LOCAL_NORM2,
    ACRE_OP_LOCAL_INNER,
    ACRE_OP_RANDOM, /* draw at a displacement */
    ACRE_OP_STORE,  /* a to leaf */
    ACRE_OP_REDUCE, /* a summed over sites into slot */
    ACRE_OP_KEEP,   /* a to slot, in a pass without sites */
};

struct acre_operand {
    int value;    /* index of the operation that made it */
    unsigned map; /* bits of enum acre_map */
};

struct acre_op {
    enum acre_op_code code;
    struct acre_object object;          /* of the result; for REDUCE of the slot */
    struct acre_operand a, b;           /* value -1: none */
    int leaf, displacement, slot, draw; /* displacement -1: the site itself */
    int generation;                     /* LOAD: stores to the leaf before it in this pass */
};

/* A number or object without sites: one value of the whole program. */
struct acre_slot {
    struct acre_object object;  /* word DOUBLE or LONG */
    int argument;               /* where its value comes from: an argument, or -1 */
    int ready;                  /* the pass that makes it; -1: known before the first */
    union acre_number *numbers; /* a component each */
};
union acre_number {
    double real;
    int64_t whole;
};

/* A field that the program reads or writes. How each part is accessed first and later decides the mode it is
 * acquired in: part 0 the even sites (or all of a lexicographic lattice), part 1 the odd ones. */
struct acre_leaf {
    acre_field *field;
    bool is_temporary; /* made and owned by the program */
    bool read_first[2], read[2], written[2];
    unsigned subsets_written; /* lexicographic, where they lie among each other: bit 0 even, bit 1 odd sites */
};

struct acre_pass {
    const acre_lattice *lattice; /* NULL: numbers only */
    acre_subset subset;
    struct acre_buffer ops;           /* struct acre_op */
    struct acre_buffer displacements; /* int64_t[ACRE_MAX_DIMENSION] each, in [0, extent) */
    struct acre_buffer table;         /* of value numbering: int */
};

struct acre_program {
    acre_context *context;
    struct acre_arena arena;
    struct acre_buffer leaves; /* struct acre_leaf */
    struct acre_buffer slots;  /* struct acre_slot */
    struct acre_buffer passes; /* struct acre_pass *; the first has no lattice */
    int draws;                 /* random fields drawn a run */
    int result_count;          /* results to deliver: argument and slot */
    struct acre_result {
        int argument, slot;
    } * results;
};

static inline struct acre_leaf *acre_program_leaf(const struct acre_program *p, int i)
{
    return (struct acre_leaf *)(void *)p->leaves.data + i;
}
static inline struct acre_slot *acre_program_slot(const struct acre_program *p, int i)
{
    return (struct acre_slot *)(void *)p->slots.data + i;
}
static inline struct acre_pass *acre_program_pass(const struct acre_program *p, int i)
{
    return ((struct acre_pass **)(void *)p->passes.data)[i];
}
static inline int acre_program_pass_count(const struct acre_program *p)
{
    return (int)(p->passes.size / sizeof(struct acre_pass *));
}
static inline struct acre_op *acre_pass_op(const struct acre_pass *p, int i)
{
    return (struct acre_op *)(void *)p->ops.data + i;
}
static inline int acre_pass_op_count(const struct acre_pass *p)
{
    return (int)(p->ops.size / sizeof(struct acre_op));
}
static inline const int64_t *acre_pass_displacement(const struct acre_pass *p, int i)
{
    return (const int64_t *)(void *)p->displacements.data + (size_t)i * ACRE_MAX_DIMENSION;
}
static inline int acre_pass_displacement_count(const struct acre_pass *p)
{
    return (int)(p->displacements.size / (sizeof(int64_t) * ACRE_MAX_DIMENSION));
}

static inline int acre_program_leaf_count(const struct acre_program *p)
{
    return (int)(p->leaves.size / sizeof(struct acre_leaf));
}
static inline int acre_program_slot_count(const struct acre_program *p)
{
    return (int)(p->slots.size / sizeof(struct acre_slot));
}

/* Give back everything the program owns. */
void acre_program_free(struct acre_program *program);

#endif
