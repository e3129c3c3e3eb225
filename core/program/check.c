/* core/program/check.c: resolving names and typing expressions and assignments. */
#include "core/program/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/fail.h"
#include "core/lattice/lattice.h"
#include "core/program/check_rules.h"

static acre_status fail(const struct acre_check_scope *scope, acre_status status, const struct acre_node *node,
                        const char *what)
{
    return acre_fail_at(scope->source, status, node->column, "%s", what);
}

static acre_status find_argument(struct acre_check_scope *scope, struct acre_node *node)
{
    node->argument = acre_args_find(scope->count, scope->arguments, node->name, node->name_length);
    if (node->argument >= 0)
        return ACRE_OK;
    int shown = node->name_length > 60 ? 60 : (int)node->name_length;
    return acre_fail_at(
        scope->source, ACRE_ERR_FORMULA, node->column,
        "unknown name '%.*s': no argument (ACRE, ACRE_OUT) and no word of the language is called so", shown,
        node->name);
}

static void set_field(struct acre_node *node, acre_field *field)
{
    node->field = field;
    node->lattice = acre_field_lattice(field);
    node->object = acre_object_of_type(acre_field_type(field));
}

static acre_status check_name(struct acre_check_scope *scope, struct acre_node *node)
{
    ACRE_TRY(find_argument(scope, node));
    const acre_arg *a = &scope->arguments[node->argument];
    switch (a->kind) {
    case ACRE_ARG_FIELD:
    case ACRE_ARG_FIELD_CONST:
        set_field(node, a->value.field);
        return ACRE_OK;
    case ACRE_ARG_FIELDS:
    case ACRE_ARG_FIELDS_CONST:
        return acre_fail_at(scope->source, ACRE_ERR_TYPE, node->column, "'%s' is an array of fields: %s[mu]",
                            a->name, a->name);
    case ACRE_ARG_INTEGER:
        node->object = acre_object_number(ACRE_EXEC_LONG, false);
        return ACRE_OK;
    case ACRE_ARG_REAL:
        node->object = acre_object_number(ACRE_EXEC_DOUBLE, false);
        return ACRE_OK;
    case ACRE_ARG_COMPLEX:
        node->object = acre_object_number(ACRE_EXEC_DOUBLE, true);
        return ACRE_OK;
    default: /* a result, as assigned by an earlier statement */
        if (!scope->assigned[node->argument])
            return acre_fail_at(scope->source, ACRE_ERR_FORMULA, node->column,
                                "'%s' is read before it is assigned", a->name);
        node->object = acre_result_object(a);
        return ACRE_OK;
    }
}

/* A field with something in brackets: most likely a subset, misspelt or out of place. */
static acre_status fail_no_array(struct acre_check_scope *scope, const struct acre_node *node,
                                 const acre_arg *a)
{
    const struct acre_node *index = node->operand[0];
    int shown = index->name_length > 60 ? 60 : (int)index->name_length;
    if (index->kind == ACRE_NODE_WORD && index->word <= ACRE_WORD_ODD)
        return acre_fail_at(scope->source, ACRE_ERR_FORMULA, index->column,
                            "a subset stands on the left of an assignment, or in a sum: sum(%s, %.*s)", a->name,
                            shown, index->name);
    if (index->kind == ACRE_NODE_NAME &&
        acre_args_find(scope->count, scope->arguments, index->name, index->name_length) < 0)
        return acre_fail_at(scope->source, ACRE_ERR_FORMULA, index->column,
                            "unknown subset '%.*s': all, even or odd", shown, index->name);
    return acre_fail_at(scope->source, ACRE_ERR_TYPE, node->column, "'%s' is not an array of fields", a->name);
}

static acre_status check_index(struct acre_check_scope *scope, struct acre_node *node)
{
    ACRE_TRY(find_argument(scope, node));
    const acre_arg *a = &scope->arguments[node->argument];
    if (a->kind != ACRE_ARG_FIELDS && a->kind != ACRE_ARG_FIELDS_CONST)
        return fail_no_array(scope, node, a);
    int64_t i = 0;
    ACRE_TRY(acre_check_integer(scope, node->operand[0], &i));
    size_t count = acre_fields_count(a->value.fields);
    if (i < 0 || (uint64_t)i >= count)
        return acre_fail_at(scope->source, ACRE_ERR_FORMULA, node->operand[0]->column,
                            "index %" PRId64 " of '%s', which has %zu fields", i, a->name, count);
    set_field(node, acre_fields_at(a->value.fields, (size_t)i));
    return ACRE_OK;
}

static acre_status check_word(struct acre_check_scope *scope, struct acre_node *node)
{
    switch (node->word) {
    case ACRE_WORD_I:
        node->object = acre_object_number(ACRE_EXEC_DOUBLE, true);
        return ACRE_OK;
    case ACRE_WORD_PI:
        node->object = acre_object_number(ACRE_EXEC_DOUBLE, false);
        return ACRE_OK;
    case ACRE_WORD_FORWARD:
    case ACRE_WORD_BACKWARD:
        node->object = acre_object_number(ACRE_EXEC_LONG, false);
        return ACRE_OK;
    case ACRE_WORD_ZERO:
        return fail(scope, ACRE_ERR_FORMULA, node, "zero stands alone on the right of an assignment");
    default:
        return fail(scope, ACRE_ERR_FORMULA, node, "a subset is no value");
    }
}

acre_status acre_check_integer(struct acre_check_scope *scope, struct acre_node *node, int64_t *value)
{
    int64_t a = 0, b = 0;
    bool overflow = false;
    switch (node->kind) {
    case ACRE_NODE_NUMBER:
        if (!node->is_whole)
            break;
        *value = node->whole;
        return ACRE_OK;
    case ACRE_NODE_WORD:
        if (node->word != ACRE_WORD_FORWARD && node->word != ACRE_WORD_BACKWARD)
            break;
        *value = node->word == ACRE_WORD_FORWARD ? 1 : -1;
        return ACRE_OK;
    case ACRE_NODE_NAME:
        ACRE_TRY(find_argument(scope, node));
        if (scope->arguments[node->argument].kind != ACRE_ARG_INTEGER)
            break;
        *value = scope->arguments[node->argument].value.integer;
        return ACRE_OK;
    case ACRE_NODE_NEGATE:
        ACRE_TRY(acre_check_integer(scope, node->operand[0], &b));
        overflow = __builtin_sub_overflow(a, b, value);
        return overflow ? fail(scope, ACRE_ERR_OVERFLOW, node, "integer too large") : ACRE_OK;
    case ACRE_NODE_ADD:
    case ACRE_NODE_SUBTRACT:
    case ACRE_NODE_MULTIPLY:
        ACRE_TRY(acre_check_integer(scope, node->operand[0], &a));
        ACRE_TRY(acre_check_integer(scope, node->operand[1], &b));
        if (node->kind == ACRE_NODE_ADD)
            overflow = __builtin_add_overflow(a, b, value);
        else if (node->kind == ACRE_NODE_SUBTRACT)
            overflow = __builtin_sub_overflow(a, b, value);
        else
            overflow = __builtin_mul_overflow(a, b, value);
        return overflow ? fail(scope, ACRE_ERR_OVERFLOW, node, "integer too large") : ACRE_OK;
    default:
        break;
    }
    return fail(scope, ACRE_ERR_TYPE, node,
                node->kind == ACRE_NODE_WORD && node->word == ACRE_WORD_I
                    ? "an integer expected; i is the imaginary unit: call the index something else"
                    : "an integer constant or integer argument expected");
}

static acre_status check_shift(struct acre_check_scope *scope, struct acre_node *node)
{
    struct acre_node *a = node->operand[0];
    ACRE_TRY(acre_check_expression(scope, a));
    ACRE_TRY(acre_check_integer(scope, node->operand[1], &node->distance));
    ACRE_TRY(acre_check_integer(scope, node->operand[2], &node->direction));
    if (!a->lattice)
        return fail(scope, ACRE_ERR_TYPE, a, "shift needs a field, this is a number");
    int dimension = acre_lattice_dimension(a->lattice);
    if (node->direction < 0 || node->direction >= dimension)
        return acre_fail_at(scope->source, ACRE_ERR_FORMULA, node->operand[2]->column,
                            "direction %" PRId64 " of a %d-dimensional lattice", node->direction, dimension);
    node->lattice = a->lattice;
    node->object = a->object;
    return ACRE_OK;
}

static acre_status check_reduction(struct acre_check_scope *scope, struct acre_node *node)
{
    int values = acre_function_rows[node->function].fewest;
    node->subset = ACRE_ALL;
    if (node->operand_count > values) {
        struct acre_node *last = node->operand[values];
        if (last->kind != ACRE_NODE_WORD || last->word > ACRE_WORD_ODD)
            return fail(scope, ACRE_ERR_FORMULA, last, "a subset (all, even, odd) expected");
        node->subset = last->word == ACRE_WORD_EVEN  ? ACRE_EVEN
                       : last->word == ACRE_WORD_ODD ? ACRE_ODD
                                                     : ACRE_ALL;
    }
    for (int i = 0; i < values; ++i) {
        ACRE_TRY(acre_check_expression(scope, node->operand[i]));
        if (!node->operand[i]->lattice)
            return acre_fail_at(scope->source, ACRE_ERR_TYPE, node->operand[i]->column,
                                "%s needs a field, this is a number", acre_function_rows[node->function].name);
    }
    node->lattice = NULL;
    return acre_rule_reduction(scope->source, node);
}

static acre_status check_call(struct acre_check_scope *scope, struct acre_node *node)
{
    switch (node->function) {
    case ACRE_FUNCTION_SHIFT:
        return check_shift(scope, node);
    case ACRE_FUNCTION_SUM:
    case ACRE_FUNCTION_NORM2:
    case ACRE_FUNCTION_INNER_PRODUCT:
        return check_reduction(scope, node);
    default:
        ACRE_TRY(acre_check_expression(scope, node->operand[0]));
        node->lattice = node->operand[0]->lattice;
        return acre_rule_function(scope->source, node);
    }
}

static acre_status check_same_lattice(struct acre_check_scope *scope, const struct acre_node *node,
                                      const acre_lattice *a, const acre_lattice *b)
{
    char first[96], second[96];
    if (!a || !b || a == b)
        return ACRE_OK;
    return acre_fail_at(scope->source, ACRE_ERR_TYPE, node->column, "fields of different lattices: %s and %s",
                        acre_lattice_text(a, first, sizeof first), acre_lattice_text(b, second, sizeof second));
}

acre_status acre_check_expression(struct acre_check_scope *scope, struct acre_node *node)
{
    switch (node->kind) {
    case ACRE_NODE_NUMBER:
        node->object = acre_object_number(node->is_whole ? ACRE_EXEC_LONG : ACRE_EXEC_DOUBLE, false);
        return ACRE_OK;
    case ACRE_NODE_WORD:
        return check_word(scope, node);
    case ACRE_NODE_NAME:
        return check_name(scope, node);
    case ACRE_NODE_INDEX:
        return check_index(scope, node);
    case ACRE_NODE_CALL:
        ACRE_TRY(check_call(scope, node));
        if (node->function == ACRE_FUNCTION_INNER_PRODUCT)
            return check_same_lattice(scope, node, node->operand[0]->lattice, node->operand[1]->lattice);
        return ACRE_OK;
    case ACRE_NODE_NEGATE:
        ACRE_TRY(acre_check_expression(scope, node->operand[0]));
        node->lattice = node->operand[0]->lattice;
        return acre_rule_negate(scope->source, node);
    default:
        ACRE_TRY(acre_check_expression(scope, node->operand[0]));
        ACRE_TRY(acre_check_expression(scope, node->operand[1]));
        ACRE_TRY(check_same_lattice(scope, node, node->operand[0]->lattice, node->operand[1]->lattice));
        node->lattice = node->operand[0]->lattice ? node->operand[0]->lattice : node->operand[1]->lattice;
        return acre_rule_binary(scope->source, node);
    }
}

/* The target's argument, which must be something that can be assigned to. */
static acre_status check_target(struct acre_check_scope *scope, struct acre_statement *statement)
{
    struct acre_node *target = statement->target;
    ACRE_TRY(find_argument(scope, target));
    const acre_arg *a = &scope->arguments[target->argument];
    if (a->kind == ACRE_ARG_FIELD_CONST || a->kind == ACRE_ARG_FIELDS_CONST)
        return acre_fail_at(scope->source, ACRE_ERR_FORMULA, target->column, "'%s' is const", a->name);
    if (acre_arg_is_out(a)) {
        if (target->kind == ACRE_NODE_INDEX)
            return acre_fail_at(scope->source, ACRE_ERR_TYPE, target->column, "'%s' is not an array of fields",
                                a->name);
        if (statement->has_subset)
            return acre_fail_at(scope->source, ACRE_ERR_FORMULA, statement->subset_column,
                                "'%s' is a number: it has no subset", a->name);
        return ACRE_OK;
    }
    if (a->kind != ACRE_ARG_FIELD && a->kind != ACRE_ARG_FIELDS)
        return acre_fail_at(scope->source, ACRE_ERR_FORMULA, target->column,
                            "'%s' is an argument by value: pass it with ACRE_OUT to assign to it", a->name);
    return acre_check_expression(scope, target);
}

static acre_status check_statement(struct acre_check_scope *scope, struct acre_statement *statement)
{
    struct acre_node *target = statement->target, *value = statement->value;
    ACRE_TRY(check_target(scope, statement));
    const acre_arg *a = &scope->arguments[target->argument];
    if (value->kind == ACRE_NODE_WORD && value->word == ACRE_WORD_ZERO) {
        value->object = acre_object_number(ACRE_EXEC_LONG, false);
        value->is_zero = true;
    } else {
        ACRE_TRY(acre_check_expression(scope, value));
    }
    if (acre_arg_is_out(a)) {
        ACRE_TRY(acre_rule_result(scope->source, a, value));
        scope->assigned[target->argument] = value;
        return ACRE_OK;
    }
    ACRE_TRY(check_same_lattice(scope, value, target->lattice, value->lattice));
    return acre_rule_assign(scope->source, target, value);
}

acre_status acre_check_statements(struct acre_check_scope *scope, struct acre_statement *first)
{
    for (struct acre_statement *s = first; s; s = s->next)
        ACRE_TRY(check_statement(scope, s));
    return ACRE_OK;
}
