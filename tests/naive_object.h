/* tests/naive_object.h: site objects of the naive evaluator. */
#ifndef ACRE_TESTS_NAIVE_OBJECT_H
#define ACRE_TESTS_NAIVE_OBJECT_H

#include "formula_naive.h"

struct naive_type naive_type_of_field(acre_site_type type);
union naive_part naive_add(enum naive_word word, union naive_part x, union naive_part y);
union naive_part naive_converted(enum naive_word from, enum naive_word to, union naive_part x);
void naive_convert(struct naive_value *value, enum naive_word word);

/* The result of an operation on the values of its operands, which are changed. */
void naive_operate(const struct naive_node *node, struct naive_value *a, struct naive_value *b,
                   struct naive_value *result);

/* One site's contribution to a reduction. */
void naive_site_term(const struct naive_node *node, struct naive_value *a, struct naive_value *b,
                     struct naive_value *term);

/* A value in the shape of what it is assigned to: a number on the diagonal of a matrix, zero anywhere. */
void naive_reshape(const struct naive_value *value, bool is_zero, struct naive_type type,
                   struct naive_value *result);

#endif
