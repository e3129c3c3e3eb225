/* core/program/object.h: the types that formulas compute with: a site object of some shape, in the precision it
 * is computed in. */
#ifndef ACRE_CORE_PROGRAM_OBJECT_H
#define ACRE_CORE_PROGRAM_OBJECT_H

#include "acre/site_type.h"

/* What a component is while it is computed with. LONG: sums of integers, and whole numbers of the formula.
 * HALF: raw binary16, only copied. */
enum acre_exec_word {
    ACRE_EXEC_FLOAT,
    ACRE_EXEC_DOUBLE,
    ACRE_EXEC_INT,
    ACRE_EXEC_LONG,
    ACRE_EXEC_BOOL,
    ACRE_EXEC_HALF,
};

struct acre_object {
    enum acre_exec_word word;
    bool is_complex;
    uint8_t spin_rank, colour_rank;
    uint16_t spins, colours; /* 1 where the rank is 0 */
};

/* The number of a single real or complex component. */
static inline struct acre_object acre_object_number(enum acre_exec_word word, bool is_complex)
{
    struct acre_object object = {word, is_complex, 0, 0, 1, 1};
    return object;
}

struct acre_object acre_object_of_type(acre_site_type type);
size_t acre_object_components(struct acre_object object);
size_t acre_exec_word_bytes(enum acre_exec_word word);
enum acre_exec_word acre_exec_word_of(acre_word word);
static inline bool acre_exec_word_is_floating(enum acre_exec_word word)
{
    return word == ACRE_EXEC_FLOAT || word == ACRE_EXEC_DOUBLE;
}

static inline bool acre_object_is_number(struct acre_object o)
{
    return !o.spin_rank && !o.colour_rank;
}
/* A number, or square in whatever it has: what can be transposed and traced. */
static inline bool acre_object_is_square(struct acre_object o)
{
    return o.spin_rank != 1 && o.colour_rank != 1;
}
/* Same spin and colour; words and complexity may differ. */
static inline bool acre_object_same_shape(struct acre_object a, struct acre_object b)
{
    return a.spin_rank == b.spin_rank && a.colour_rank == b.colour_rank && a.spins == b.spins &&
           a.colours == b.colours;
}

/* How an operand is read: bits of transpositions and conjugation, instead of moving data. */
enum acre_map { ACRE_MAP_TRANSPOSE_SPIN = 1, ACRE_MAP_TRANSPOSE_COLOUR = 2, ACRE_MAP_CONJUGATE = 4 };
enum { ACRE_MAP_ADJOINT = ACRE_MAP_TRANSPOSE_SPIN | ACRE_MAP_TRANSPOSE_COLOUR | ACRE_MAP_CONJUGATE };

/* The component index of entry (spin row, spin column, colour row, colour column), part 0 real, 1 imaginary. */
size_t acre_object_component(struct acre_object o, unsigned s, unsigned s2, unsigned c, unsigned c2,
                             unsigned part);

/* "colour matrix", with sizes where they are not the usual ones; written to text[size]; returns text. */
const char *acre_object_name(struct acre_object object, char *text, size_t size);

#endif
