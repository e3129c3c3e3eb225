/* core/program/check.h: names, types, shapes and lattices of a formula. */
#ifndef ACRE_CORE_PROGRAM_CHECK_H
#define ACRE_CORE_PROGRAM_CHECK_H

#include "core/program/argument.h"
#include "core/program/syntax.h"

struct acre_check_scope {
    const struct acre_source *source;
    size_t count;
    const acre_arg *arguments;
    /* What each result variable has been assigned so far: NULL, or the value's node. */
    struct acre_node **assigned;
};

/* Resolve and type every node of the statements. Errors: ACRE_ERR_FORMULA (unknown names, what can't be
 * assigned), ACRE_ERR_TYPE (what does not go together), each with its column. */
acre_status acre_check_statements(struct acre_check_scope *scope, struct acre_statement *first);

/* Type one expression. */
acre_status acre_check_expression(struct acre_check_scope *scope, struct acre_node *node);

/* The value of an expression of integer constants and integer arguments. */
acre_status acre_check_integer(struct acre_check_scope *scope, struct acre_node *node, int64_t *value);

#endif
