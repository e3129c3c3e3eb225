/* core/program/expand_build.h: building scalar expansions step by step. */
#ifndef ACRE_CORE_PROGRAM_EXPAND_BUILD_H
#define ACRE_CORE_PROGRAM_EXPAND_BUILD_H

#include "core/program/expand.h"

/* Steps under construction; the first failure sticks and later calls do nothing. */
struct acre_builder {
    struct acre_steps *steps;
    acre_status status;
};

/* One number of an operand or of the own block: real, or complex with the sign that conjugation leaves on its
 * imaginary part, or all of it negated. */
struct acre_entry {
    bool is_complex, minus_re, minus_im;
    struct acre_ref re, im;
};

/* Entry (s, s2; c, c2) of an operand seen through its map. */
struct acre_entry acre_entry_at(struct acre_object object, unsigned map, enum acre_source_of source, unsigned s,
                                unsigned s2, unsigned c, unsigned c2);
struct acre_entry acre_entry_conjugate(struct acre_entry e);
struct acre_entry acre_entry_negative(struct acre_entry e);
/* A new temporary of the own block. */
struct acre_entry acre_build_temporary(struct acre_builder *b, bool is_complex);

/* result.re = sum over k of re(x[k] y[k]), and the imaginary part likewise when the result is complex. */
void acre_build_products(struct acre_builder *b, struct acre_entry result, const struct acre_entry *x,
                         const struct acre_entry *y, size_t count);
/* result = x + y, x - y; a missing imaginary part is not added. */
void acre_build_sum(struct acre_builder *b, struct acre_entry result, struct acre_entry x, struct acre_entry y);
void acre_build_difference(struct acre_builder *b, struct acre_entry result, struct acre_entry x,
                           struct acre_entry y);
/* result = x; the imaginary part of a real x is +0. */
void acre_build_copy(struct acre_builder *b, struct acre_entry result, struct acre_entry x);
void acre_build_constant(struct acre_builder *b, struct acre_entry result, int value);
/* result = x / y for a real or complex y; result = sqrt(x) for a real x. */
void acre_build_quotient(struct acre_builder *b, struct acre_entry result, struct acre_entry x,
                         struct acre_entry y);
void acre_build_root(struct acre_builder *b, struct acre_entry result, struct acre_entry x);

/* Back to SU(N): Gram-Schmidt over the rows, the last row from the minors of the others, so that the
 * determinant is 1. */
void acre_build_reunit(struct acre_builder *b, struct acre_object u, unsigned map);

#endif
