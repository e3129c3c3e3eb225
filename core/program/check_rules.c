/* core/program/check_rules.c: the typing rules of the formula language. */
#include "core/program/check_rules.h"

#include <stdio.h>

#include "core/base/fail.h"

static const char *name_of(const struct acre_node *node, char *text, size_t size)
{
    return acre_object_name(node->object, text, size);
}

/* "a colour vector", "an integer". */
static const char *one_of(const struct acre_node *node, char *text, size_t size)
{
    char name[80];
    name_of(node, name, sizeof name);
    snprintf(text, size, "%s %s", *name == 'i' ? "an" : "a", name);
    return text;
}

static acre_status fail_one(const struct acre_source *source, const struct acre_node *node, const char *what)
{
    char name[96];
    return acre_fail_at(source, ACRE_ERR_TYPE, node->column, "%s of %s%s", what,
                        one_of(node->operand[0], name, sizeof name), node->operand[0]->lattice ? " field" : "");
}

/* The word two operands meet in. Numbers without sites are weak: they take the field's precision. */
static acre_status common_word(const struct acre_source *source, const struct acre_node *node,
                               enum acre_exec_word *word)
{
    const struct acre_node *a = node->operand[0], *b = node->operand[1];
    if (a->object.word == ACRE_EXEC_BOOL || b->object.word == ACRE_EXEC_BOOL)
        return acre_fail_at(source, ACRE_ERR_TYPE, node->column, "booleans have no arithmetic");
    if (!a->lattice != !b->lattice) {
        const struct acre_node *field = a->lattice ? a : b, *number = a->lattice ? b : a;
        *word = field->object.word;
        if (*word == ACRE_EXEC_INT && number->object.word == ACRE_EXEC_DOUBLE)
            return acre_fail_at(source, ACRE_ERR_TYPE, node->column,
                                "integer field with a real number: assign it to a real field first");
        return ACRE_OK;
    }
    static const enum acre_exec_word widest[] = {ACRE_EXEC_DOUBLE, ACRE_EXEC_FLOAT, ACRE_EXEC_LONG,
                                                 ACRE_EXEC_INT};
    for (int i = 0; i < 4; ++i)
        if (a->object.word == widest[i] || b->object.word == widest[i]) {
            *word = widest[i];
            break;
        }
    return ACRE_OK;
}

acre_status acre_rule_negate(const struct acre_source *source, struct acre_node *node)
{
    node->object = node->operand[0]->object;
    if (node->object.word == ACRE_EXEC_BOOL)
        return acre_fail_at(source, ACRE_ERR_TYPE, node->column, "booleans have no arithmetic");
    return ACRE_OK;
}

/* Ranks of one kind (spin or colour) in a product: false where there is no such product. */
static bool product_part(unsigned a_rank, unsigned a_size, unsigned b_rank, unsigned b_size, uint8_t *rank,
                         uint16_t *size)
{
    if (a_rank && b_rank && (a_rank != 2 || a_size != b_size))
        return false;
    *rank = (uint8_t)(a_rank && b_rank ? b_rank : a_rank + b_rank);
    *size = (uint16_t)(a_rank ? a_size : b_size);
    return true;
}

static bool product_shape(struct acre_object a, struct acre_object b, struct acre_object *shape)
{
    return product_part(a.spin_rank, a.spins, b.spin_rank, b.spins, &shape->spin_rank, &shape->spins) &&
           product_part(a.colour_rank, a.colours, b.colour_rank, b.colours, &shape->colour_rank,
                        &shape->colours);
}

/* A number on a matrix is that number times the identity. */
static bool sum_shape(struct acre_object a, struct acre_object b, struct acre_object *shape)
{
    *shape = acre_object_is_number(a) ? b : a;
    if (acre_object_same_shape(a, b))
        return true;
    return (acre_object_is_number(a) || acre_object_is_number(b)) && acre_object_is_square(*shape);
}

acre_status acre_rule_binary(const struct acre_source *source, struct acre_node *node)
{
    const struct acre_object a = node->operand[0]->object, b = node->operand[1]->object;
    char left[80], right[80];
    const char *sign, *what;
    bool fits;
    enum acre_exec_word word = ACRE_EXEC_DOUBLE;
    ACRE_TRY(common_word(source, node, &word));
    switch (node->kind) {
    case ACRE_NODE_MULTIPLY:
        fits = product_shape(a, b, &node->object);
        sign = "\xc3\x97"; /* multiplication sign */
        what = "product";
        break;
    case ACRE_NODE_DIVIDE:
        node->object = a;
        fits = acre_object_is_number(b);
        sign = "/";
        what = "quotient";
        if (!node->lattice)
            word = ACRE_EXEC_DOUBLE; /* 1 / 2 is a half */
        break;
    default:
        fits = sum_shape(a, b, &node->object);
        sign = node->kind == ACRE_NODE_ADD ? "+" : "-";
        what = node->kind == ACRE_NODE_ADD ? "sum" : "difference";
        break;
    }
    if (!fits)
        return acre_fail_at(source, ACRE_ERR_TYPE, node->column, "%s %s %s: no such %s",
                            name_of(node->operand[0], left, sizeof left), sign,
                            name_of(node->operand[1], right, sizeof right), what);
    node->object.word = word;
    node->object.is_complex = a.is_complex || b.is_complex;
    return ACRE_OK;
}

acre_status acre_rule_function(const struct acre_source *source, struct acre_node *node)
{
    const struct acre_node *operand = node->operand[0];
    struct acre_object a = operand->object;
    const bool is_floating = acre_exec_word_is_floating(a.word);
    node->object = a;
    switch (node->function) {
    case ACRE_FUNCTION_ADJ:
        if (!acre_object_is_square(a))
            return fail_one(source, node, "adj");
        return ACRE_OK;
    case ACRE_FUNCTION_TRACE:
        if (!acre_object_is_square(a) || a.word == ACRE_EXEC_BOOL)
            return fail_one(source, node, "trace");
        node->object = acre_object_number(a.word, a.is_complex);
        return ACRE_OK;
    case ACRE_FUNCTION_REAL:
    case ACRE_FUNCTION_IMAG:
        if (a.word == ACRE_EXEC_BOOL)
            return fail_one(source, node, acre_function_rows[node->function].name);
        node->object.is_complex = false;
        return ACRE_OK;
    case ACRE_FUNCTION_SQRT:
        if (!acre_object_is_number(a) || a.is_complex || (operand->lattice && !is_floating))
            return fail_one(source, node, "sqrt");
        if (!operand->lattice)
            node->object.word = ACRE_EXEC_DOUBLE;
        return ACRE_OK;
    case ACRE_FUNCTION_REUNIT:
        if (a.colour_rank != 2 || a.spin_rank || !a.is_complex || !is_floating)
            return fail_one(source, node, "reunit");
        return ACRE_OK;
    default: /* random */
        if (!operand->lattice || !is_floating)
            return fail_one(source, node, "random");
        return ACRE_OK;
    }
}

acre_status acre_rule_reduction(const struct acre_source *source, struct acre_node *node)
{
    const struct acre_object a = node->operand[0]->object;
    node->object = a;
    node->object.word = acre_exec_word_is_floating(a.word) ? ACRE_EXEC_DOUBLE : ACRE_EXEC_LONG;
    if (node->function == ACRE_FUNCTION_SUM)
        return ACRE_OK;
    if (a.word == ACRE_EXEC_BOOL)
        return fail_one(source, node, acre_function_rows[node->function].name);
    bool is_complex = false;
    if (node->function == ACRE_FUNCTION_INNER_PRODUCT) {
        const struct acre_object b = node->operand[1]->object;
        char left[96], right[96];
        if (!acre_object_same_shape(a, b) || b.word == ACRE_EXEC_BOOL)
            return acre_fail_at(source, ACRE_ERR_TYPE, node->column, "innerProduct of %s and %s",
                                one_of(node->operand[0], left, sizeof left),
                                one_of(node->operand[1], right, sizeof right));
        is_complex = a.is_complex || b.is_complex;
        if (acre_exec_word_is_floating(b.word))
            node->object.word = ACRE_EXEC_DOUBLE;
    }
    node->object = acre_object_number(node->object.word, is_complex);
    return ACRE_OK;
}

acre_status acre_rule_assign(const struct acre_source *source, const struct acre_node *target,
                             const struct acre_node *value)
{
    const struct acre_object t = target->object, v = value->object;
    char to[80], from[96];
    const bool is_number = acre_object_is_number(v) && acre_object_is_square(t);
    bool fits = value->is_zero || acre_object_same_shape(t, v) || is_number;
    if (!t.is_complex && v.is_complex)
        return acre_fail_at(source, ACRE_ERR_TYPE, value->column,
                            "a complex value for the real field '%s': take real()",
                            acre_field_label(target->field));
    if (t.word == ACRE_EXEC_INT)
        fits = fits && (v.word == ACRE_EXEC_INT || v.word == ACRE_EXEC_LONG);
    else if (t.word == ACRE_EXEC_BOOL)
        fits = fits && (v.word == ACRE_EXEC_BOOL || v.word == ACRE_EXEC_LONG);
    else
        fits = fits && v.word != ACRE_EXEC_BOOL;
    if (fits)
        return ACRE_OK;
    return acre_fail_at(source, ACRE_ERR_TYPE, value->column, "%s can't be assigned to the %s field '%s'",
                        one_of(value, from, sizeof from), name_of(target, to, sizeof to),
                        acre_field_label(target->field));
}

struct acre_object acre_result_object(const acre_arg *argument)
{
    bool is_whole = argument->kind == ACRE_ARG_OUT_INT || argument->kind == ACRE_ARG_OUT_LONG;
    return acre_object_number(is_whole ? ACRE_EXEC_LONG : ACRE_EXEC_DOUBLE,
                              argument->kind == ACRE_ARG_OUT_COMPLEX);
}

acre_status acre_rule_result(const struct acre_source *source, const acre_arg *argument,
                             const struct acre_node *value)
{
    const struct acre_object result = acre_result_object(argument);
    char name[80];
    if (value->lattice)
        return acre_fail_at(source, ACRE_ERR_TYPE, value->column,
                            "'%s' takes a number, this is a field (%s): reduce it, as by sum()", argument->name,
                            name_of(value, name, sizeof name));
    if (!acre_object_is_number(value->object))
        return acre_fail_at(source, ACRE_ERR_TYPE, value->column, "'%s' takes a number, this is a %s",
                            argument->name, name_of(value, name, sizeof name));
    if (value->object.is_complex && !result.is_complex)
        return acre_fail_at(source, ACRE_ERR_TYPE, value->column,
                            "'%s' is a real variable, the value is complex: take real()", argument->name);
    if (value->object.word == ACRE_EXEC_DOUBLE && result.word == ACRE_EXEC_LONG)
        return acre_fail_at(source, ACRE_ERR_TYPE, value->column,
                            "'%s' is an integer variable, the value is real", argument->name);
    return ACRE_OK;
}
