/* core/program/syntax.h: a formula as a tree, and the parser that makes it. */
#ifndef ACRE_CORE_PROGRAM_SYNTAX_H
#define ACRE_CORE_PROGRAM_SYNTAX_H

#include <stdint.h>

#include "acre/field.h"
#include "core/base/arena.h"
#include "core/program/language.h"
#include "core/program/object.h"
#include "core/program/source.h"

enum { ACRE_FORMULA_BYTES = 64 * 1024, ACRE_FORMULA_DEPTH = 1000, ACRE_FORMULA_NESTING = 200 };

enum acre_node_kind {
    ACRE_NODE_NUMBER,
    ACRE_NODE_NAME,  /* an argument */
    ACRE_NODE_INDEX, /* argument[a] */
    ACRE_NODE_WORD,  /* a word of the language */
    ACRE_NODE_NEGATE,
    ACRE_NODE_ADD,
    ACRE_NODE_SUBTRACT,
    ACRE_NODE_MULTIPLY,
    ACRE_NODE_DIVIDE,
    ACRE_NODE_CALL, /* function(operands…) */
};

enum { ACRE_NODE_OPERANDS = 3 };

struct acre_node {
    enum acre_node_kind kind;
    size_t column;
    int depth;
    int operand_count;
    struct acre_node *operand[ACRE_NODE_OPERANDS];
    /* NUMBER */
    bool is_whole;
    int64_t whole;
    double number;
    /* NAME, INDEX */
    const char *name;
    size_t name_length;
    /* CALL, WORD */
    int function, word;

    /* Set by the check. */
    const struct acre_lattice *lattice; /* NULL: a number (or object) without sites */
    struct acre_object object;
    acre_field *field;           /* NAME, INDEX of a field */
    int argument;                /* NAME: its index */
    acre_subset subset;          /* reductions */
    int64_t distance, direction; /* shift */
    bool is_zero;                /* the word `zero` */
    /* Set by lowering: where the value of a node without sites is kept; -1 before. */
    int slot;
};

struct acre_statement {
    struct acre_statement *next;
    struct acre_node *target; /* NAME or INDEX */
    acre_subset subset;
    bool has_subset;
    size_t subset_column;
    struct acre_node *value; /* of a += b: a + b */
};

/* Parse the whole text; the tree lives in the arena. Errors: ACRE_ERR_FORMULA, ACRE_ERR_OUT_OF_MEMORY. */
acre_status acre_parse(const struct acre_source *source, struct acre_arena *arena,
                       struct acre_statement **first);

#endif
