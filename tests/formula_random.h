/* tests/formula_random.h: seeded random formulas of right types, with the fields and numbers they need, and
 * ways to write and to shrink them. */
#ifndef ACRE_TESTS_FORMULA_RANDOM_H
#define ACRE_TESTS_FORMULA_RANDOM_H

#include "formula_naive.h"

enum { CASE_FIELDS = 24, CASE_VARIABLES = 12, CASE_STATEMENTS = 5, CASE_NODES = 512, CASE_TEXT = 32 * 1024 };

struct random_case {
    uint64_t state; /* of the random sequence */
    const struct naive_lattice *lattice;
    unsigned spins, colours, length; /* of the case's spin and colour objects and real vectors */
    bool has_specials;               /* infinities, NaN, subnormal numbers among the data */
    struct naive_field fields[CASE_FIELDS];
    char names[CASE_FIELDS][8];
    int group[CASE_FIELDS], member[CASE_FIELDS]; /* fields of an array; group -1: single ones */
    int field_count;
    struct naive_variable variables[CASE_VARIABLES];
    int variable_count;
    struct naive_statement statements[CASE_STATEMENTS];
    int statement_count;
    struct naive_node nodes[CASE_NODES];
    int node_count;
    bool is_full; /* out of room: the case is of no use */
};

/* A case from its seed on this lattice. False: out of room, take another seed. */
bool random_case_make(struct random_case *c, uint64_t seed, const struct naive_lattice *lattice);
void random_case_free(struct random_case *c);

/* The data of all fields and numbers as before the formula. */
void random_case_fill(struct random_case *c, uint64_t seed);

/* The formula's text, to text[CASE_TEXT]. */
void random_case_write(const struct random_case *c, char *text);

/* Shrink a case that fails: statements are dropped, operations replaced by their operands, as long as `fails`
 * says so. `fails` may fill the case anew; the case it gets is well typed, but results may be read unassigned.
 */
void random_case_shrink(struct random_case *c, bool (*fails)(struct random_case *c, void *context),
                        void *context);

uint64_t random_bits(uint64_t *state);

#endif
