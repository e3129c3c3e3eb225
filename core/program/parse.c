/* core/program/parse.c: from the text of a formula to its tree, by recursive descent. */
#include <errno.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "core/program/syntax.h"

enum token { TOKEN_END, TOKEN_NUMBER, TOKEN_NAME, TOKEN_SIGN };

struct parser {
    const struct acre_source *source;
    struct acre_arena *arena;
    /* The token at hand. */
    enum token token;
    size_t column, length;
    char sign[3]; /* of TOKEN_SIGN: "+", "+=" … */
    int nesting;
};

static acre_status parse_expression(struct parser *p, struct acre_node **node);

static acre_status fail_here(struct parser *p, const char *expected)
{
    if (p->token == TOKEN_END)
        return acre_fail_at(p->source, ACRE_ERR_FORMULA, p->column, "%s expected, but the formula ends",
                            expected);
    int shown = p->length > 40 ? 40 : (int)p->length;
    return acre_fail_at(p->source, ACRE_ERR_FORMULA, p->column, "%s expected, found '%.*s'", expected, shown,
                        p->source->text + p->column);
}

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
}
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Spaces and comments: from two slashes to the end of the line. */
static size_t skip_blank(const struct acre_source *s, size_t at)
{
    for (;;) {
        while (at < s->length && strchr(" \t\r\n", s->text[at]))
            ++at;
        if (at + 1 >= s->length || s->text[at] != '/' || s->text[at + 1] != '/')
            return at;
        while (at < s->length && s->text[at] != '\n')
            ++at;
    }
}

static size_t number_length(const char *t)
{
    size_t n = 0;
    while (is_digit(t[n]))
        ++n;
    if (t[n] == '.') {
        ++n;
        while (is_digit(t[n]))
            ++n;
    }
    if (t[n] == 'e' || t[n] == 'E') {
        size_t e = n + 1;
        if (t[e] == '+' || t[e] == '-')
            ++e;
        if (is_digit(t[e])) {
            while (is_digit(t[e]))
                ++e;
            n = e;
        }
    }
    return n;
}

static acre_status next_token(struct parser *p)
{
    const struct acre_source *s = p->source;
    p->column = skip_blank(s, p->column + p->length);
    p->length = 0;
    const char *t = s->text + p->column;
    if (p->column >= s->length) {
        p->token = TOKEN_END;
    } else if (is_digit(*t) || (*t == '.' && is_digit(t[1]))) {
        p->token = TOKEN_NUMBER;
        p->length = number_length(t);
        if (is_name_char(t[p->length]) || t[p->length] == '.')
            return acre_fail_at(s, ACRE_ERR_FORMULA, p->column + p->length, "malformed number");
    } else if (is_name_char(*t)) {
        p->token = TOKEN_NAME;
        while (is_name_char(t[p->length]))
            ++p->length;
    } else if (strchr("+-*/=()[],;", *t)) {
        p->token = TOKEN_SIGN;
        p->length = strchr("+-*/", *t) && t[1] == '=' ? 2 : 1;
        memcpy(p->sign, t, p->length);
        p->sign[p->length] = '\0';
    } else {
        return acre_fail_at(s, ACRE_ERR_FORMULA, p->column, "character 0x%02x is no part of the language",
                            (unsigned char)*t);
    }
    return ACRE_OK;
}

static bool at_sign(const struct parser *p, const char *sign)
{
    return p->token == TOKEN_SIGN && strcmp(p->sign, sign) == 0;
}

static acre_status expect_sign(struct parser *p, const char *sign)
{
    char quoted[8] = {'\'', sign[0], '\'', '\0'};
    if (!at_sign(p, sign))
        return fail_here(p, quoted);
    return next_token(p);
}

static acre_status make_node(struct parser *p, enum acre_node_kind kind, size_t column, struct acre_node **node)
{
    *node = acre_arena_take(p->arena, sizeof **node);
    if (!*node)
        return ACRE_ERR_OUT_OF_MEMORY;
    (*node)->kind = kind;
    (*node)->column = column;
    (*node)->depth = 1;
    (*node)->slot = -1;
    (*node)->argument = -1;
    return ACRE_OK;
}

/* The tree is walked recursively later on: its depth is bounded here. */
static acre_status add_operand(struct parser *p, struct acre_node *node, struct acre_node *operand)
{
    node->operand[node->operand_count++] = operand;
    if (operand->depth + 1 > node->depth)
        node->depth = operand->depth + 1;
    if (node->depth > ACRE_FORMULA_DEPTH)
        return acre_fail_at(p->source, ACRE_ERR_FORMULA, node->column,
                            "more than %d operations inside each other", ACRE_FORMULA_DEPTH);
    return ACRE_OK;
}

static acre_status make_binary(struct parser *p, enum acre_node_kind kind, size_t column, struct acre_node *a,
                               struct acre_node *b, struct acre_node **node)
{
    ACRE_TRY(make_node(p, kind, column, node));
    ACRE_TRY(add_operand(p, *node, a));
    return add_operand(p, *node, b);
}

static acre_status parse_number(struct parser *p, struct acre_node **node)
{
    ACRE_TRY(make_node(p, ACRE_NODE_NUMBER, p->column, node));
    char *copy = acre_arena_take(p->arena, p->length + 1);
    if (!copy)
        return ACRE_ERR_OUT_OF_MEMORY;
    memcpy(copy, p->source->text + p->column, p->length);
    (*node)->is_whole = strspn(copy, "0123456789") == p->length;
    if ((*node)->is_whole) {
        errno = 0;
        (*node)->whole = strtoll(copy, NULL, 10);
        if (errno == ERANGE)
            return acre_fail_at(p->source, ACRE_ERR_FORMULA, p->column,
                                "integer too large (write %s.0 for a real)",
                                p->length > 40 ? "it with " : copy);
    }
    locale_t locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0); /* a point is a point */
    if (!locale)
        return acre_fail(ACRE_ERR_OUT_OF_MEMORY, "no memory for the C locale");
    (*node)->number = strtod_l(copy, NULL, locale);
    freelocale(locale);
    if (isinf((*node)->number))
        return acre_fail_at(p->source, ACRE_ERR_FORMULA, p->column, "number too large: the largest is %g",
                            DBL_MAX);
    return next_token(p);
}

static acre_status parse_call(struct parser *p, int function, struct acre_node **node)
{
    const struct acre_function_row *row = &acre_function_rows[function];
    ACRE_TRY(make_node(p, ACRE_NODE_CALL, p->column, node));
    (*node)->function = function;
    ACRE_TRY(next_token(p));
    ACRE_TRY(expect_sign(p, "("));
    do {
        if ((*node)->operand_count)
            ACRE_TRY(next_token(p));
        if ((*node)->operand_count == row->most)
            return acre_fail_at(p->source, ACRE_ERR_FORMULA, p->column, "too many arguments: %s", row->usage);
        struct acre_node *operand;
        ACRE_TRY(parse_expression(p, &operand));
        ACRE_TRY(add_operand(p, *node, operand));
    } while (at_sign(p, ","));
    if ((*node)->operand_count < row->fewest && at_sign(p, ")"))
        return acre_fail_at(p->source, ACRE_ERR_FORMULA, p->column, "too few arguments: %s", row->usage);
    return expect_sign(p, ")");
}

static acre_status parse_name(struct parser *p, struct acre_node **node)
{
    const char *name = p->source->text + p->column;
    size_t length = p->length;
    int function = acre_function_find(name, length);
    if (function >= 0)
        return parse_call(p, function, node);
    ACRE_TRY(make_node(p, ACRE_NODE_NAME, p->column, node));
    (*node)->name = name;
    (*node)->name_length = length;
    int word = acre_word_find(name, length);
    if (word >= 0) {
        (*node)->kind = ACRE_NODE_WORD;
        (*node)->word = word;
        return next_token(p);
    }
    ACRE_TRY(next_token(p));
    if (at_sign(p, "(")) {
        int shown = length > 40 ? 40 : (int)length;
        return acre_fail_at(p->source, ACRE_ERR_FORMULA, (*node)->column, "unknown function '%.*s'", shown,
                            name);
    }
    return ACRE_OK;
}

static acre_status parse_index(struct parser *p, struct acre_node *node)
{
    struct acre_node *index;
    ACRE_TRY(next_token(p));
    ACRE_TRY(parse_expression(p, &index));
    node->kind = ACRE_NODE_INDEX;
    ACRE_TRY(add_operand(p, node, index));
    return expect_sign(p, "]");
}

static acre_status parse_primary(struct parser *p, struct acre_node **node)
{
    if (p->token == TOKEN_NUMBER)
        return parse_number(p, node);
    if (p->token == TOKEN_NAME) {
        ACRE_TRY(parse_name(p, node));
        return (*node)->kind == ACRE_NODE_NAME && at_sign(p, "[") ? parse_index(p, *node) : ACRE_OK;
    }
    if (!at_sign(p, "("))
        return fail_here(p, "a value");
    ACRE_TRY(next_token(p));
    ACRE_TRY(parse_expression(p, node));
    return expect_sign(p, ")");
}

/* One level deeper: the parser recurses, so the depth is bounded. */
static acre_status nest(struct parser *p, size_t column)
{
    if (++p->nesting > ACRE_FORMULA_NESTING)
        return acre_fail_at(p->source, ACRE_ERR_FORMULA, column, "nested more than %d deep",
                            ACRE_FORMULA_NESTING);
    return ACRE_OK;
}

static acre_status parse_unary(struct parser *p, struct acre_node **node)
{
    if (!at_sign(p, "-") && !at_sign(p, "+"))
        return parse_primary(p, node);
    bool negative = at_sign(p, "-");
    size_t column = p->column;
    ACRE_TRY(nest(p, column));
    ACRE_TRY(next_token(p));
    ACRE_TRY(parse_unary(p, node));
    --p->nesting;
    if (!negative)
        return ACRE_OK;
    struct acre_node *operand = *node;
    ACRE_TRY(make_node(p, ACRE_NODE_NEGATE, column, node));
    return add_operand(p, *node, operand);
}

typedef acre_status parse_operand(struct parser *p, struct acre_node **node);

/* Operands joined by either of two operators of one rank, from the left. */
static acre_status parse_chain(struct parser *p, parse_operand *operand, const char *const signs[2],
                               const enum acre_node_kind kinds[2], struct acre_node **node)
{
    ACRE_TRY(operand(p, node));
    while (at_sign(p, signs[0]) || at_sign(p, signs[1])) {
        const enum acre_node_kind kind = kinds[at_sign(p, signs[1])];
        const size_t column = p->column;
        struct acre_node *right;
        ACRE_TRY(next_token(p));
        ACRE_TRY(operand(p, &right));
        ACRE_TRY(make_binary(p, kind, column, *node, right, node));
    }
    return ACRE_OK;
}

static acre_status parse_product(struct parser *p, struct acre_node **node)
{
    static const char *const signs[] = {"*", "/"};
    static const enum acre_node_kind kinds[] = {ACRE_NODE_MULTIPLY, ACRE_NODE_DIVIDE};
    return parse_chain(p, parse_unary, signs, kinds, node);
}

static acre_status parse_expression(struct parser *p, struct acre_node **node)
{
    static const char *const signs[] = {"+", "-"};
    static const enum acre_node_kind kinds[] = {ACRE_NODE_ADD, ACRE_NODE_SUBTRACT};
    ACRE_TRY(nest(p, p->column));
    ACRE_TRY(parse_chain(p, parse_product, signs, kinds, node));
    --p->nesting;
    return ACRE_OK;
}

static bool subset_of_word(const struct parser *p, acre_subset *subset)
{
    if (p->token != TOKEN_NAME)
        return false;
    switch (acre_word_find(p->source->text + p->column, p->length)) {
    case ACRE_WORD_ALL:
        *subset = ACRE_ALL;
        return true;
    case ACRE_WORD_EVEN:
        *subset = ACRE_EVEN;
        return true;
    case ACRE_WORD_ODD:
        *subset = ACRE_ODD;
        return true;
    default:
        return false;
    }
}

/* name, name[index], name[subset], name[index][subset] */
static acre_status parse_target(struct parser *p, struct acre_statement *statement)
{
    if (p->token != TOKEN_NAME)
        return fail_here(p, "the name to assign to");
    size_t column = p->column;
    ACRE_TRY(parse_name(p, &statement->target));
    if (statement->target->kind != ACRE_NODE_NAME)
        return acre_fail_at(p->source, ACRE_ERR_FORMULA, column, "only an argument can be assigned to");
    while (at_sign(p, "[")) {
        struct parser ahead = *p;
        ACRE_TRY(next_token(&ahead));
        if (subset_of_word(&ahead, &statement->subset)) {
            if (statement->has_subset)
                return acre_fail_at(p->source, ACRE_ERR_FORMULA, ahead.column, "a second subset");
            statement->has_subset = true;
            statement->subset_column = ahead.column;
            *p = ahead;
            ACRE_TRY(next_token(p));
            ACRE_TRY(expect_sign(p, "]"));
        } else if (statement->target->kind == ACRE_NODE_INDEX || statement->has_subset) {
            return acre_fail_at(p->source, ACRE_ERR_FORMULA, ahead.column,
                                "a subset (even, odd, all) expected: u[mu][even]");
        } else {
            ACRE_TRY(parse_index(p, statement->target));
        }
    }
    return ACRE_OK;
}

static acre_status parse_statement(struct parser *p, struct acre_statement **out)
{
    static const struct {
        const char *sign;
        enum acre_node_kind kind;
    } assignments[] = {{"=", ACRE_NODE_NAME},
                       {"+=", ACRE_NODE_ADD},
                       {"-=", ACRE_NODE_SUBTRACT},
                       {"*=", ACRE_NODE_MULTIPLY},
                       {"/=", ACRE_NODE_DIVIDE}};
    struct acre_statement *statement = acre_arena_take(p->arena, sizeof *statement);
    if (!statement)
        return ACRE_ERR_OUT_OF_MEMORY;
    *out = statement;
    ACRE_TRY(parse_target(p, statement));
    size_t column = p->column;
    for (int a = 0; a < (int)(sizeof assignments / sizeof *assignments); ++a)
        if (at_sign(p, assignments[a].sign)) {
            ACRE_TRY(next_token(p));
            ACRE_TRY(parse_expression(p, &statement->value));
            /* a += b is a = a + b */
            return a == 0 ? ACRE_OK
                          : make_binary(p, assignments[a].kind, column, statement->target, statement->value,
                                        &statement->value);
        }
    return fail_here(p, "'=' (or '+=', '-=', '*=', '/=')");
}

acre_status acre_parse(const struct acre_source *source, struct acre_arena *arena,
                       struct acre_statement **first)
{
    struct parser parser = {.source = source, .arena = arena};
    struct parser *p = &parser;
    struct acre_statement **link = first;
    *first = NULL;
    if (source->length > ACRE_FORMULA_BYTES)
        return acre_fail(ACRE_ERR_FORMULA, "%s:%d: a formula of %zu bytes; the longest is %d", source->file,
                         source->line, source->length, ACRE_FORMULA_BYTES);
    ACRE_TRY(next_token(p));
    while (p->token != TOKEN_END) {
        ACRE_TRY(parse_statement(p, link));
        link = &(*link)->next;
        if (p->token != TOKEN_END)
            ACRE_TRY(expect_sign(p, ";"));
        while (at_sign(p, ";"))
            ACRE_TRY(next_token(p));
    }
    if (!*first)
        return acre_fail_at(source, ACRE_ERR_FORMULA, 0, "an empty formula");
    return ACRE_OK;
}
