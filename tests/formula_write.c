/* tests/formula_write.c: random formulas as text, and shrunk to what still fails. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "formula_random.h"

struct writer {
    const struct random_case *c;
    char *text;
    size_t size;
};

static void put(struct writer *w, const char *format, ...) ACRE_PRINTF(2, 3);
static void put(struct writer *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(w->text + w->size, CASE_TEXT - w->size, format, arguments);
    va_end(arguments);
    w->size += (size_t)n;
    if (w->size >= CASE_TEXT)
        w->size = CASE_TEXT - 1;
}

static void write_field(struct writer *w, int field, unsigned style)
{
    const struct random_case *c = w->c;
    put(w, "%s", c->names[field]);
    if (c->group[field] < 0)
        return;
    const int m = c->member[field];
    if (style & 1)
        put(w, "[%d]", m);
    else if (m == 1)
        put(w, "[FORWARD]");
    else
        put(w, "[3*(2 + BACKWARD) - %d]", 3 - m);
}

static void write_real(struct writer *w, double value)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.17g", value);
    put(w, strpbrk(digits, ".e") ? "%s" : "%s.0", digits);
}

static const char *function_name(enum naive_kind kind)
{
    switch (kind) {
    case NAIVE_ADJ:
        return "adj";
    case NAIVE_TRACE:
        return "trace";
    case NAIVE_REAL:
        return "real";
    case NAIVE_IMAG:
        return "imag";
    case NAIVE_SQRT:
        return "sqrt";
    case NAIVE_SHIFT:
        return "shift";
    case NAIVE_SUM:
        return "sum";
    case NAIVE_NORM2:
        return "norm2";
    default:
        return "innerProduct";
    }
}

/* How tightly it binds: sums 0, products 1, signs 2, the rest 3. */
static int strength(const struct naive_node *node)
{
    switch (node->kind) {
    case NAIVE_ADD:
    case NAIVE_SUBTRACT:
        return 0;
    case NAIVE_MULTIPLY:
    case NAIVE_DIVIDE:
        return 1;
    case NAIVE_NEGATE:
        return 2;
    default:
        return 3;
    }
}

static void write_node(struct writer *w, const struct naive_node *node, int wanted);

static void write_call(struct writer *w, const struct naive_node *node)
{
    static const char *const subsets[] = {"all", "even", "odd"};
    put(w, "%s(", function_name(node->kind));
    for (int i = 0; i < node->operand_count; ++i) {
        put(w, i ? ", " : "");
        write_node(w, node->operand[i], 0);
    }
    if (node->kind == NAIVE_SHIFT && (node->distance == 1 || node->distance == -1) && node->style & 1)
        put(w, ", %s, %d", node->distance == 1 ? "FORWARD" : "BACKWARD", node->direction);
    else if (node->kind == NAIVE_SHIFT)
        put(w, node->distance < 0 ? ", %" PRId64 ", %d" : ", +%" PRId64 ", %d", node->distance,
            node->direction);
    else if (node->kind >= NAIVE_SUM && (node->subset != ACRE_ALL || node->style & 2))
        put(w, ", %s", subsets[node->subset]);
    put(w, ")");
}

static void write_node(struct writer *w, const struct naive_node *node, int wanted)
{
    static const char *const signs[] = {
        [NAIVE_ADD] = "+", [NAIVE_SUBTRACT] = "-", [NAIVE_MULTIPLY] = "*", [NAIVE_DIVIDE] = "/"};
    const bool parens = strength(node) < wanted || node->style % 16 == 0;
    put(w, parens ? "(" : "");
    switch (node->kind) {
    case NAIVE_FIELD:
        write_field(w, node->field, node->style);
        break;
    case NAIVE_VARIABLE:
        put(w, "v%d", node->variable);
        break;
    case NAIVE_WHOLE:
        put(w, "%" PRId64, node->number.whole);
        break;
    case NAIVE_REAL_NUMBER:
        write_real(w, node->number.real);
        break;
    case NAIVE_PI:
    case NAIVE_I:
    case NAIVE_ZERO:
        put(w, "%s", node->kind == NAIVE_PI ? "pi" : node->kind == NAIVE_I ? "i" : "zero");
        break;
    case NAIVE_NEGATE:
        put(w, "-");
        write_node(w, node->operand[0], 2);
        break;
    case NAIVE_ADD:
    case NAIVE_SUBTRACT:
    case NAIVE_MULTIPLY:
    case NAIVE_DIVIDE:
        write_node(w, node->operand[0], strength(node));
        put(w, node->style & 4 ? "%s" : " %s ", signs[node->kind]);
        write_node(w, node->operand[1], strength(node) + 1);
        break;
    default:
        write_call(w, node);
        break;
    }
    put(w, parens ? ")" : "");
}

void random_case_write(const struct random_case *c, char *text)
{
    static const char *const subsets[] = {"[all]", "[even]", "[odd]"};
    struct writer w = {c, text, 0};
    *text = '\0';
    for (int i = 0; i < c->statement_count; ++i) {
        const struct naive_statement *s = &c->statements[i];
        put(&w, i ? "; " : "");
        if (s->field >= 0)
            write_field(&w, s->field, s->value->style);
        else
            put(&w, "v%d", s->variable);
        if (s->has_subset)
            put(&w, "%s", subsets[s->subset]);
        if (s->assignment == NAIVE_FIELD) {
            put(&w, " = ");
            write_node(&w, s->value, 0);
        } else {
            put(&w, " %c= ", "+-*/"[s->assignment - NAIVE_ADD]);
            write_node(&w, s->value->operand[1], 0);
        }
    }
}

/* ---- shrinking ---- */

struct shrinker {
    struct random_case *c;
    bool (*fails)(struct random_case *c, void *context);
    void *context;
    int tries;
};

static bool still_fails(struct shrinker *s)
{
    return s->tries-- > 0 && s->fails(s->c, s->context);
}

static bool same_type(const struct naive_node *a, const struct naive_node *b)
{
    const struct naive_type x = a->type, y = b->type;
    return a->has_sites == b->has_sites && x.word == y.word && x.is_complex == y.is_complex &&
           x.spin_rank == y.spin_rank && x.spins == y.spins && x.colour_rank == y.colour_rank &&
           x.colours == y.colours;
}

/* A node anywhere below of the same type takes this one's place. */
static bool try_below(struct shrinker *s, struct naive_node **link, struct naive_node *candidate)
{
    struct naive_node *const old = *link;
    for (int i = 0; i < candidate->operand_count; ++i) {
        if (same_type(old, candidate->operand[i])) {
            *link = candidate->operand[i];
            if (still_fails(s))
                return true;
            *link = old;
        }
        if (try_below(s, link, candidate->operand[i]))
            return true;
    }
    return false;
}

static bool shrink_node(struct shrinker *s, struct naive_node **link)
{
    bool progress = false;
    while (try_below(s, link, *link))
        progress = true;
    struct naive_node *const node = *link, old = *node;
    if (node->operand_count && !node->has_sites && node->type.word == NAIVE_DOUBLE && !node->type.is_complex) {
        node->kind = NAIVE_REAL_NUMBER;
        node->operand_count = 0;
        node->number.real = 0.5;
        if (still_fails(s))
            return true;
        *node = old;
    }
    for (int i = 0; i < node->operand_count; ++i)
        progress = shrink_node(s, &node->operand[i]) || progress;
    return progress;
}

static bool drop_statement(struct shrinker *s, int at)
{
    struct random_case *c = s->c;
    struct naive_statement old[CASE_STATEMENTS];
    memcpy(old, c->statements, sizeof old);
    const int count = c->statement_count;
    memmove(c->statements + at, c->statements + at + 1, (size_t)(count - at - 1) * sizeof *old);
    c->statement_count = count - 1;
    if (c->statement_count && still_fails(s))
        return true;
    memcpy(c->statements, old, sizeof old);
    c->statement_count = count;
    return false;
}

static bool shrink_statement(struct shrinker *s, struct naive_statement *statement)
{
    bool progress = false;
    if (statement->has_subset) {
        statement->has_subset = false;
        if (still_fails(s))
            progress = true;
        else
            statement->has_subset = true;
    }
    if (statement->assignment != NAIVE_FIELD) {
        const enum naive_kind old = statement->assignment;
        statement->assignment = NAIVE_FIELD; /* a += b is a = a + b */
        if (still_fails(s))
            progress = true;
        else
            statement->assignment = old;
    }
    if (statement->assignment != NAIVE_FIELD)
        return shrink_node(s, &statement->value->operand[1]) || progress;
    return shrink_node(s, &statement->value) || progress;
}

void random_case_shrink(struct random_case *c, bool (*fails)(struct random_case *c, void *context),
                        void *context)
{
    struct shrinker s = {c, fails, context, 2000};
    bool progress = true;
    while (progress && s.tries > 0) {
        progress = false;
        for (int i = c->statement_count - 1; i >= 0; --i)
            progress = drop_statement(&s, i) || progress;
        for (int i = 0; i < c->statement_count; ++i)
            progress = shrink_statement(&s, &c->statements[i]) || progress;
    }
}
