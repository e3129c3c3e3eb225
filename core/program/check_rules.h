/* core/program/check_rules.h: which types go together, and what comes out. */
#ifndef ACRE_CORE_PROGRAM_CHECK_RULES_H
#define ACRE_CORE_PROGRAM_CHECK_RULES_H

#include "core/program/argument.h"
#include "core/program/syntax.h"

/* Each sets node->object from its typed operands, or fails with ACRE_ERR_TYPE at the node's column. */
acre_status acre_rule_negate(const struct acre_source *source, struct acre_node *node);
acre_status acre_rule_binary(const struct acre_source *source, struct acre_node *node);
acre_status acre_rule_function(const struct acre_source *source, struct acre_node *node);
acre_status acre_rule_reduction(const struct acre_source *source, struct acre_node *node);

/* May `value` be assigned to the field `target`, to the host variable of `argument`? */
acre_status acre_rule_assign(const struct acre_source *source, const struct acre_node *target,
                             const struct acre_node *value);
acre_status acre_rule_result(const struct acre_source *source, const acre_arg *argument,
                             const struct acre_node *value);

/* What a host result variable holds, as later statements read it. */
struct acre_object acre_result_object(const acre_arg *argument);

#endif
