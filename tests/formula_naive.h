/* tests/formula_naive.h: formulas computed the slow and plain way, site by site and component by component,
 * from the rules alone: nothing of the library's own arithmetic is used. */
#ifndef ACRE_TESTS_FORMULA_NAIVE_H
#define ACRE_TESTS_FORMULA_NAIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acre/field.h"

enum { NAIVE_PARTS = 512 }; /* the most components of a value */

enum naive_word { NAIVE_FLOAT, NAIVE_DOUBLE, NAIVE_INT, NAIVE_LONG, NAIVE_BOOL };

/* One component: real for FLOAT (holding a float's value) and DOUBLE, whole for the others. */
union naive_part {
    double real;
    int64_t whole;
};

struct naive_type {
    enum naive_word word;
    bool is_complex;
    unsigned spin_rank, spins, colour_rank, colours;
};

struct naive_value {
    struct naive_type type;
    union naive_part part[NAIVE_PARTS];
};

struct naive_lattice {
    int dimension;
    int64_t extents[ACRE_MAX_DIMENSION], sites;
};

/* What a field stores, in C order, after the rounding of its storage. */
struct naive_field {
    acre_site_type type;
    acre_format format;
    const struct naive_lattice *lattice;
    union naive_part *parts;
};

enum naive_variable_kind {
    NAIVE_IN_FLOAT,
    NAIVE_IN_DOUBLE,
    NAIVE_IN_INT,
    NAIVE_IN_COMPLEX,
    NAIVE_OUT_FLOAT,
    NAIVE_OUT_DOUBLE,
    NAIVE_OUT_LONG,
    NAIVE_OUT_COMPLEX,
};

/* A number given to the formula or assigned by it. */
struct naive_variable {
    enum naive_variable_kind kind;
    bool is_assigned;
    union naive_part part[2];
};

enum naive_kind {
    NAIVE_FIELD,
    NAIVE_VARIABLE,
    NAIVE_WHOLE,
    NAIVE_REAL_NUMBER,
    NAIVE_PI,
    NAIVE_I,
    NAIVE_ZERO,
    NAIVE_NEGATE,
    NAIVE_ADD,
    NAIVE_SUBTRACT,
    NAIVE_MULTIPLY,
    NAIVE_DIVIDE,
    NAIVE_ADJ,
    NAIVE_TRACE,
    NAIVE_REAL,
    NAIVE_IMAG,
    NAIVE_SQRT,
    NAIVE_SHIFT,
    NAIVE_SUM,
    NAIVE_NORM2,
    NAIVE_INNER_PRODUCT,
};

struct naive_node {
    enum naive_kind kind;
    int operand_count;
    struct naive_node *operand[2];
    int field, variable; /* index into the fields, the variables */
    union naive_part number;
    int64_t distance; /* SHIFT */
    int direction;
    acre_subset subset; /* reductions */
    unsigned style;     /* how it is written */
    /* Set by naive_type_of. */
    bool has_sites;
    struct naive_type type;
    /* The value of a node without sites, while a statement runs. */
    struct naive_value *value;
};

struct naive_statement {
    enum naive_kind assignment; /* NAIVE_FIELD: "=", or ADD for "+=" and so on */
    int field, variable;        /* one of them -1 */
    acre_subset subset;
    bool has_subset;
    struct naive_node *value;
};

struct naive_program {
    const struct naive_lattice *lattice;
    struct naive_field *fields;
    struct naive_variable *variables;
};

/* Set the type of a node whose operands have theirs. */
void naive_type_of(const struct naive_program *program, struct naive_node *node);
size_t naive_components(struct naive_type type);

/* Run one statement. */
void naive_run(struct naive_program *program, const struct naive_statement *statement);

/* A double as half storage holds it. */
double naive_half(double value);
/* A value as a field stores it. */
union naive_part naive_stored(const struct naive_field *field, enum naive_word word, union naive_part part);

/* The sum of `count` terms by the fixed tree: leaves of 2048, pairs, 256 lanes, halves. */
double naive_sum(const double *terms, size_t count);

/* Lexicographic index to coordinates and back; even (0) or odd (1). */
void naive_coordinates(const struct naive_lattice *lattice, int64_t index, int64_t *x);
int64_t naive_index(const struct naive_lattice *lattice, const int64_t *x);
bool naive_in_subset(const struct naive_lattice *lattice, acre_subset subset, const int64_t *x);

#endif
