/* tests/formula_random.c: making random formulas of right types. */
#include "formula_random.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What an expression must be. */
struct wish {
    enum { FLOATING, INTEGER, BOOLEAN } class;
    bool is_real;
    unsigned spin_rank, colour_rank;
    bool is_vector; /* a real vector: spin_rank 1 */
};

uint64_t random_bits(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static unsigned below(struct random_case *c, unsigned n)
{
    return (unsigned)(random_bits(&c->state) % n);
}
static bool chance(struct random_case *c, unsigned percent)
{
    return below(c, 100) < percent;
}

static struct naive_program program_of(struct random_case *c)
{
    return (struct naive_program){c->lattice, c->fields, c->variables};
}

/* ---- nodes ---- */

static struct naive_node *make(struct random_case *c, enum naive_kind kind)
{
    if (c->node_count == CASE_NODES) {
        c->is_full = true;
        c->node_count = 0; /* the rest of this case does not matter */
    }
    struct naive_node *node = &c->nodes[c->node_count++];
    *node = (struct naive_node){.kind = kind, .style = (unsigned)random_bits(&c->state)};
    return node;
}

static struct naive_node *typed(struct random_case *c, struct naive_node *node)
{
    struct naive_program program = program_of(c);
    naive_type_of(&program, node);
    return node;
}

static struct naive_node *unary(struct random_case *c, enum naive_kind kind, struct naive_node *a)
{
    struct naive_node *node = make(c, kind);
    node->operand[0] = a;
    node->operand_count = 1;
    return typed(c, node);
}

static struct naive_node *binary(struct random_case *c, enum naive_kind kind, struct naive_node *a,
                                 struct naive_node *b)
{
    struct naive_node *node = make(c, kind);
    node->operand[0] = a;
    node->operand[1] = b;
    node->operand_count = 2;
    return typed(c, node);
}

/* ---- fields ---- */

static acre_site_type site_type(struct random_case *c, const struct wish *wish)
{
    acre_site_type type = {ACRE_INT, false, 0, 0, 1, 1};
    if (wish->class == FLOATING)
        type.word = chance(c, 50) ? ACRE_FLOAT : ACRE_DOUBLE;
    if (wish->class == BOOLEAN)
        type.word = ACRE_BOOL;
    if (wish->is_vector) {
        type.spin_rank = 1;
        type.spins = (uint16_t)c->length;
        return type;
    }
    const bool is_number = !wish->spin_rank && !wish->colour_rank;
    type.is_complex = wish->class == FLOATING && (!is_number || (!wish->is_real && chance(c, 60)));
    type.spin_rank = (uint8_t)wish->spin_rank;
    type.colour_rank = (uint8_t)wish->colour_rank;
    type.spins = (uint16_t)(wish->spin_rank ? c->spins : 1);
    type.colours = (uint16_t)(wish->colour_rank ? c->colours : 1);
    return type;
}

static bool matches(const struct random_case *c, int f, const struct wish *wish)
{
    const acre_site_type t = c->fields[f].type;
    const bool is_floating = t.word == ACRE_FLOAT || t.word == ACRE_DOUBLE;
    const bool is_vector = t.spin_rank && !t.is_complex;
    return is_floating == (wish->class == FLOATING) && (t.word == ACRE_BOOL) == (wish->class == BOOLEAN) &&
           t.spin_rank == wish->spin_rank && t.colour_rank == wish->colour_rank &&
           is_vector == wish->is_vector && !(wish->is_real && t.is_complex);
}

static int make_field(struct random_case *c, const struct wish *wish)
{
    const int members = chance(c, 15) ? 2 : 1, first = c->field_count;
    if (first + members > CASE_FIELDS) {
        c->is_full = true;
        return 0;
    }
    const acre_site_type type = site_type(c, wish);
    acre_format format = {chance(c, 50) ? ACRE_SITE_FAST : ACRE_SITE_SLOW, ACRE_NATIVE};
    if (wish->class == FLOATING && chance(c, 35))
        format.storage = ACRE_HALF;
    for (int m = 0; m < members; ++m) {
        const int f = c->field_count++;
        struct naive_field *field = &c->fields[f];
        *field = (struct naive_field){.type = type, .format = format, .lattice = c->lattice};
        const size_t parts = (size_t)c->lattice->sites * acre_site_type_components(type);
        field->parts = malloc(parts * sizeof *field->parts);
        if (!field->parts)
            abort();
        c->names[f][0] = (char)((members > 1 ? 'A' : 'a') + first);
        c->names[f][1] = '_';
        c->names[f][2] = '\0';
        c->group[f] = members > 1 ? first : -1;
        c->member[f] = m;
    }
    return first + (int)below(c, (unsigned)members);
}

/* A field of the wished kind, mostly one that is there already. */
static int find_field(struct random_case *c, const struct wish *wish)
{
    if (chance(c, 80)) {
        const int start = (int)below(c, CASE_FIELDS);
        for (int i = 0; i < c->field_count; ++i) {
            const int f = (start + i) % c->field_count;
            if (matches(c, f, wish))
                return f;
        }
    }
    return make_field(c, wish);
}

static struct naive_node *field_node(struct random_case *c, const struct wish *wish)
{
    const int f = find_field(c, wish);
    struct naive_node *node = make(c, NAIVE_FIELD);
    node->field = f;
    return typed(c, node);
}

/* ---- numbers ---- */

static struct naive_node *number(struct random_case *c, const struct wish *wish, int depth);
static struct naive_node *field_expression(struct random_case *c, const struct wish *wish, int depth);

static int make_variable(struct random_case *c, enum naive_variable_kind kind)
{
    if (c->variable_count == CASE_VARIABLES) {
        c->is_full = true;
        return 0;
    }
    c->variables[c->variable_count] = (struct naive_variable){.kind = kind};
    return c->variable_count++;
}

static bool variable_fits(const struct naive_variable *v, const struct wish *wish)
{
    const bool is_complex = v->kind == NAIVE_IN_COMPLEX || v->kind == NAIVE_OUT_COMPLEX;
    if (v->kind >= NAIVE_OUT_FLOAT && !v->is_assigned)
        return false;
    /* results may be too large for an integer field */
    return wish->class == INTEGER ? v->kind == NAIVE_IN_INT : !(wish->is_real && is_complex);
}

static struct naive_node *variable_node(struct random_case *c, const struct wish *wish)
{
    int v = c->variable_count ? (int)below(c, (unsigned)c->variable_count) : 0;
    if (v >= c->variable_count || !variable_fits(&c->variables[v], wish)) {
        static const enum naive_variable_kind kinds[] = {NAIVE_IN_INT, NAIVE_IN_FLOAT, NAIVE_IN_DOUBLE,
                                                         NAIVE_IN_COMPLEX};
        v = make_variable(c, kinds[wish->class == INTEGER ? 0 : below(c, wish->is_real ? 3 : 4)]);
    }
    struct naive_node *node = make(c, NAIVE_VARIABLE);
    node->variable = v;
    return typed(c, node);
}

static struct naive_node *number_leaf(struct random_case *c, const struct wish *wish)
{
    struct naive_node *node;
    const unsigned pick = below(c, wish->class == INTEGER ? 2 : wish->is_real ? 5 : 6);
    if (pick == 0)
        return variable_node(c, wish);
    if (pick == 4)
        return typed(c, make(c, NAIVE_PI));
    if (pick == 5)
        return typed(c, make(c, NAIVE_I));
    node = make(c, pick == 1 ? NAIVE_WHOLE : NAIVE_REAL_NUMBER);
    if (pick == 1)
        node->number.whole = below(c, 8);
    else
        node->number.real =
            chance(c, 50) ? below(c, 64) / 8.0 : ldexp((double)(random_bits(&c->state) >> 11), -52);
    return typed(c, node);
}

static void random_shape(struct random_case *c, struct wish *wish)
{
    static const unsigned char shapes[][2] = {{0, 0}, {0, 0}, {0, 1}, {0, 1}, {0, 2}, {0, 2}, {0, 2},
                                              {1, 0}, {1, 1}, {1, 1}, {2, 0}, {2, 1}, {1, 2}, {2, 2}};
    const unsigned count = sizeof shapes / sizeof *shapes;
    /* the largest shapes only on small lattices */
    const unsigned s = below(c, c->lattice->sites > 300 ? 5 : c->lattice->sites > 100 ? count - 1 : count);
    wish->spin_rank = shapes[s][0];
    wish->colour_rank = shapes[s][1];
}

static struct naive_node *reduction(struct random_case *c, const struct wish *wish, int depth)
{
    struct wish inner = {.class = wish->class};
    struct naive_node *node;
    const unsigned pick = below(c, wish->class == BOOLEAN ? 1 : 3);
    if (pick == 0) { /* of a number at every site, or of a matrix and then its trace */
        inner.is_real = wish->is_real;
        if (wish->class == FLOATING && !wish->is_real && c->lattice->sites < 100 && chance(c, 30))
            inner.colour_rank = 2;
        node = unary(c, NAIVE_SUM, field_expression(c, &inner, depth - 1));
        node->subset = (acre_subset)below(c, 3);
        return inner.colour_rank ? unary(c, NAIVE_TRACE, node) : node;
    }
    if (wish->class == FLOATING)
        random_shape(c, &inner);
    else
        inner.is_vector = chance(c, 30), inner.spin_rank = inner.is_vector;
    node = field_expression(c, &inner, depth - 1);
    if (pick == 1)
        node = unary(c, NAIVE_NORM2, node);
    else
        node = binary(c, NAIVE_INNER_PRODUCT, node, field_expression(c, &inner, depth - 1));
    node->subset = (acre_subset)below(c, 3);
    return wish->is_real && node->type.is_complex ? unary(c, NAIVE_REAL, node) : node;
}

static struct naive_node *number(struct random_case *c, const struct wish *wish, int depth)
{
    struct wish complex_wish = *wish;
    complex_wish.is_real = wish->class == INTEGER;
    const struct wish same = {.class = wish->class, .is_real = wish->is_real};
    const struct wish whole = {.class = INTEGER, .is_real = true};
    complex_wish.spin_rank = complex_wish.colour_rank = 0;
    if (depth <= 0 || c->is_full || chance(c, 50))
        return number_leaf(c, &same);
    switch (below(c, wish->class == INTEGER ? 6 : 10)) {
    case 0:
        return unary(c, NAIVE_NEGATE, number(c, &same, depth - 1));
    case 1:
        return binary(c, NAIVE_ADD, number(c, &same, depth - 1), number(c, &same, depth - 1));
    case 2:
        return binary(c, NAIVE_SUBTRACT, number(c, &same, depth - 1), number(c, &same, depth - 1));
    case 3:
        return binary(c, NAIVE_MULTIPLY, number(c, &same, depth - 1), number(c, &same, depth - 1));
    case 4:
        return unary(c, NAIVE_ADJ, number(c, &same, depth - 1));
    case 5:
        return unary(c, chance(c, 50) ? NAIVE_REAL : NAIVE_IMAG, number(c, &complex_wish, depth - 1));
    case 6:
        return binary(c, NAIVE_DIVIDE, number(c, &same, depth - 1), number(c, &same, depth - 1));
    case 7:
        return unary(c, NAIVE_SQRT, unary(c, NAIVE_REAL, number(c, &complex_wish, depth - 1)));
    default:
        return reduction(c, chance(c, 20) ? &whole : &same, depth);
    }
}

/* ---- expressions with sites ---- */

static int64_t random_distance(struct random_case *c, int direction)
{
    const int64_t extent = c->lattice->extents[direction];
    const int64_t far[] = {1000000007, -1000000007, INT64_MAX, -INT64_MAX, extent, -extent, extent + 1, 0};
    if (chance(c, 70))
        return (int64_t)below(c, 5) - 2;
    return chance(c, 50) ? far[below(c, 8)] : (int64_t)below(c, 41) - 20;
}

static struct naive_node *shift(struct random_case *c, struct naive_node *a)
{
    struct naive_node *node = make(c, NAIVE_SHIFT);
    node->operand[0] = a;
    node->operand_count = 1;
    node->direction = (int)below(c, (unsigned)c->lattice->dimension);
    node->distance = random_distance(c, node->direction);
    return typed(c, node);
}

/* Ranks of the factors of a product of this rank, in spin or in colour. */
static void split_rank(struct random_case *c, unsigned rank, bool is_vector, unsigned *a, unsigned *b)
{
    const unsigned pick = below(c, 3);
    *a = pick == 0 ? 0 : pick == 1 ? rank : 2;
    *b = pick == 1 ? 0 : rank;
    if (rank == 0 || (is_vector && pick == 2))
        *a = 0, *b = rank;
}

static struct naive_node *product(struct random_case *c, const struct wish *wish, int depth)
{
    struct wish left = *wish, right = *wish, scalar = {.class = wish->class, .is_real = wish->is_real};
    if (chance(c, 40)) { /* with a number, on either side */
        struct naive_node *n = number(c, &scalar, depth - 1), *f = field_expression(c, wish, depth - 1);
        return chance(c, 50) ? binary(c, NAIVE_MULTIPLY, n, f) : binary(c, NAIVE_MULTIPLY, f, n);
    }
    split_rank(c, wish->spin_rank, wish->is_vector, &left.spin_rank, &right.spin_rank);
    split_rank(c, wish->colour_rank, false, &left.colour_rank, &right.colour_rank);
    left.is_vector = wish->is_vector && left.spin_rank;
    right.is_vector = wish->is_vector && right.spin_rank;
    /* a real product of matrices needs real matrices: not here */
    if (wish->class == FLOATING && !left.spin_rank && !left.colour_rank && chance(c, 10))
        left.class = INTEGER; /* an integer field takes the other's precision */
    return binary(c, NAIVE_MULTIPLY, field_expression(c, &left, left.class == INTEGER ? 0 : depth - 1),
                  field_expression(c, &right, depth - 1));
}

static struct naive_node *quotient(struct random_case *c, const struct wish *wish, int depth)
{
    const struct wish scalar = {.class = wish->class, .is_real = wish->is_real};
    struct naive_node *a = field_expression(c, wish, depth - 1);
    return binary(c, NAIVE_DIVIDE, a,
                  chance(c, 50) ? number(c, &scalar, depth - 1) : field_expression(c, &scalar, depth - 1));
}

/* On a matrix one side may be a number, with or without sites. */
static struct naive_node *sum(struct random_case *c, const struct wish *wish, int depth)
{
    const enum naive_kind kind = chance(c, 50) ? NAIVE_ADD : NAIVE_SUBTRACT;
    const struct wish scalar = {.class = wish->class, .is_real = wish->is_real};
    struct naive_node *a = field_expression(c, wish, depth - 1), *b;
    if (wish->spin_rank != 1 && wish->colour_rank != 1 && chance(c, 40))
        b = chance(c, 50) ? number(c, &scalar, depth - 1) : field_expression(c, &scalar, depth - 1);
    else
        b = field_expression(c, wish, depth - 1);
    return chance(c, 50) ? binary(c, kind, a, b) : binary(c, kind, b, a);
}

static struct naive_node *trace(struct random_case *c, const struct wish *wish, int depth)
{
    struct wish inner = {.class = wish->class};
    if (wish->class == FLOATING && !wish->is_real) {
        inner.spin_rank = c->lattice->sites < 100 && chance(c, 30) ? 2 : 0;
        inner.colour_rank = chance(c, 80) ? 2 : 0;
    }
    inner.is_real = wish->is_real;
    return unary(c, NAIVE_TRACE, field_expression(c, &inner, depth - 1));
}

static struct naive_node *field_expression(struct random_case *c, const struct wish *wish, int depth)
{
    const bool is_square = wish->spin_rank != 1 && wish->colour_rank != 1;
    const bool is_number = !wish->spin_rank && !wish->colour_rank;
    struct wish complex_wish = *wish;
    complex_wish.is_real = false;
    if (wish->is_real && !is_number && !wish->is_vector) /* no field is like that */
        return unary(c, chance(c, 50) ? NAIVE_REAL : NAIVE_IMAG, field_expression(c, &complex_wish, depth - 1));
    if (depth <= 0 || c->is_full || chance(c, 20))
        return wish->class == BOOLEAN && chance(c, 50) ? shift(c, field_node(c, wish)) : field_node(c, wish);
    if (wish->class == BOOLEAN)
        return shift(c, field_expression(c, wish, depth - 1));
    switch (below(c, 12)) {
    case 0:
        return unary(c, NAIVE_NEGATE, field_expression(c, wish, depth - 1));
    case 1:
    case 2:
        return sum(c, wish, depth);
    case 3:
    case 4:
    case 5:
        return product(c, wish, depth);
    case 6:
        return quotient(c, wish, depth);
    case 7:
        return is_square ? unary(c, NAIVE_ADJ, field_expression(c, wish, depth - 1)) : product(c, wish, depth);
    case 8:
        return is_number ? trace(c, wish, depth) : sum(c, wish, depth);
    case 9:
        if (wish->class == FLOATING && wish->is_real)
            return unary(c, chance(c, 50) ? NAIVE_REAL : NAIVE_IMAG,
                         field_expression(c, &complex_wish, depth - 1));
        if (wish->class == FLOATING && is_number) {
            complex_wish.is_real = true;
            return unary(c, NAIVE_SQRT, field_expression(c, &complex_wish, depth - 1));
        }
        return unary(c, NAIVE_REAL, field_expression(c, wish, depth - 1));
    default:
        return shift(c, field_expression(c, wish, depth - 1));
    }
}

/* ---- statements ---- */

static struct wish wish_of_field(const struct random_case *c, int f)
{
    const acre_site_type t = c->fields[f].type;
    struct wish wish = {.class = t.word == ACRE_INT    ? INTEGER
                                 : t.word == ACRE_BOOL ? BOOLEAN
                                                       : FLOATING,
                        .is_real = !t.is_complex,
                        .spin_rank = t.spin_rank,
                        .colour_rank = t.colour_rank,
                        .is_vector = t.spin_rank && !t.is_complex};
    return wish;
}

static struct naive_node *value_to_assign(struct random_case *c, const struct wish *wish, int depth)
{
    struct wish scalar = {.class = wish->class, .is_real = wish->is_real};
    const bool is_square = wish->spin_rank != 1 && wish->colour_rank != 1;
    if (chance(c, 3))
        return typed(c, make(c, NAIVE_ZERO));
    if (wish->class == BOOLEAN && chance(c, 20))
        scalar.class = INTEGER;
    if (is_square && chance(c, 8) && scalar.class != BOOLEAN)
        return number(c, &scalar, depth);
    if (is_square && chance(c, 8))
        return field_expression(c, &(struct wish){.class = wish->class, .is_real = wish->is_real}, depth);
    if (wish->class == FLOATING && (is_square || wish->is_vector) && chance(c, 4)) {
        scalar = *wish;
        scalar.class = INTEGER;
        if (!wish->is_vector)
            scalar.spin_rank = scalar.colour_rank = 0;
        return field_expression(c, &scalar, 1);
    }
    return field_expression(c, wish, depth);
}

static void assign_field(struct random_case *c, struct naive_statement *statement, int depth)
{
    struct wish wish = {.class = FLOATING};
    const unsigned class = below(c, 20);
    if (class < 3) {
        wish.class = class < 2 ? INTEGER : BOOLEAN;
        wish.is_real = true;
        wish.is_vector = wish.class == INTEGER && chance(c, 20);
    } else if (class < 5) {
        wish.is_vector = wish.is_real = true;
    } else {
        random_shape(c, &wish);
        wish.is_real = !wish.spin_rank && !wish.colour_rank && chance(c, 50);
    }
    wish.spin_rank = wish.is_vector ? 1 : wish.spin_rank;
    statement->field = find_field(c, &wish);
    wish = wish_of_field(c, statement->field);
    const struct wish scalar = {.class = wish.class, .is_real = wish.is_real};
    const bool is_square = wish.spin_rank != 1 && wish.colour_rank != 1;
    struct naive_node *target = make(c, NAIVE_FIELD);
    target->field = statement->field;
    typed(c, target);
    statement->has_subset = chance(c, 40);
    statement->subset = statement->has_subset ? (acre_subset)below(c, 3) : ACRE_ALL;
    const unsigned how = wish.class == BOOLEAN ? 9 : below(c, 10);
    if (how > 3) {
        statement->assignment = NAIVE_FIELD;
        statement->value = value_to_assign(c, &wish, depth);
        return;
    }
    static const enum naive_kind kinds[] = {NAIVE_ADD, NAIVE_SUBTRACT, NAIVE_MULTIPLY, NAIVE_DIVIDE};
    statement->assignment = kinds[how];
    struct naive_node *value;
    if (how > 1 || (is_square && chance(c, 20)))
        value = chance(c, 50) ? number(c, &scalar, depth) : field_expression(c, &scalar, depth);
    else
        value = field_expression(c, &wish, depth);
    statement->value = binary(c, kinds[how], target, value);
}

static void assign_number(struct random_case *c, struct naive_statement *statement, int depth)
{
    static const enum naive_variable_kind kinds[] = {NAIVE_OUT_FLOAT, NAIVE_OUT_DOUBLE, NAIVE_OUT_LONG,
                                                     NAIVE_OUT_COMPLEX};
    const enum naive_variable_kind kind = kinds[below(c, 4)];
    struct wish wish = {.class = FLOATING, .is_real = kind != NAIVE_OUT_COMPLEX};
    if (kind == NAIVE_OUT_LONG)
        wish.class = chance(c, 70) ? INTEGER : BOOLEAN;
    statement->value =
        chance(c, 60) || wish.class == BOOLEAN ? reduction(c, &wish, depth) : number(c, &wish, depth);
    statement->variable = make_variable(c, kind);
    c->variables[statement->variable].is_assigned = true;
}

bool random_case_make(struct random_case *c, uint64_t seed, const struct naive_lattice *lattice)
{
    memset(c, 0, sizeof *c);
    c->state = seed;
    c->lattice = lattice;
    c->spins = 1u << below(c, 3);
    c->colours = chance(c, 60) ? 3 : 1 + below(c, 8);
    if (c->spins == 4 && c->colours > (lattice->sites > 100 ? 3u : 4u))
        c->spins = 2;
    if (c->spins == 2 && c->colours > 4 && lattice->sites > 40)
        c->spins = 1;
    c->length = 1 + below(c, 6);
    c->has_specials = chance(c, 15);
    c->statement_count = 1 + (int)below(c, chance(c, 50) ? 1 : CASE_STATEMENTS);
    const int depth = lattice->sites > 300 ? (int)below(c, 3) : 1 + (int)below(c, 5);
    for (int i = 0; i < c->statement_count && !c->is_full; ++i) {
        struct naive_statement *statement = &c->statements[i];
        statement->field = statement->variable = -1;
        if (chance(c, 25))
            assign_number(c, statement, depth > 0 ? depth : 1);
        else
            assign_field(c, statement, depth);
    }
    if (c->is_full)
        random_case_free(c);
    return !c->is_full;
}

void random_case_free(struct random_case *c)
{
    for (int f = 0; f < c->field_count; ++f) {
        free(c->fields[f].parts);
        c->fields[f].parts = NULL;
    }
}

/* ---- data ---- */

static double random_real(struct random_case *c)
{
    static const double specials[] = {0.0,   -0.0,  INFINITY, -INFINITY, NAN,  1e-310, -1e-40,      6e-8, -3e-5,
                                      65504, 70000, FLT_MAX,  -DBL_MAX,  2049, 1e-200, FLT_TRUE_MIN};
    if (c->has_specials && chance(c, 4))
        return specials[below(c, sizeof specials / sizeof *specials)];
    return ldexp((double)((int64_t)random_bits(&c->state) >> 11), -51);
}

void random_case_fill(struct random_case *c, uint64_t seed)
{
    c->state = seed;
    for (int f = 0; f < c->field_count; ++f) {
        struct naive_field *field = &c->fields[f];
        const size_t parts = (size_t)c->lattice->sites * acre_site_type_components(field->type);
        for (size_t k = 0; k < parts; ++k) {
            union naive_part part = {.whole = 0};
            if (field->type.word == ACRE_BOOL)
                part.whole = below(c, 2);
            else if (field->type.word == ACRE_INT)
                part.whole = chance(c, 70) ? (int)below(c, 19) - 9 : (int32_t)random_bits(&c->state);
            else
                part.real = random_real(c);
            const bool is_float = field->type.word == ACRE_FLOAT;
            if (is_float)
                part.real = (double)(float)part.real; /* as the buffer of an import holds it */
            field->parts[k] = part;
        }
    }
    for (int v = 0; v < c->variable_count; ++v) {
        struct naive_variable *variable = &c->variables[v];
        variable->is_assigned = false;
        for (int k = 0; k < 2; ++k)
            variable->part[k].real = random_real(c);
        if (variable->kind == NAIVE_IN_FLOAT)
            variable->part[0].real = (double)(float)variable->part[0].real;
        if (variable->kind == NAIVE_IN_INT || variable->kind == NAIVE_OUT_LONG)
            variable->part[0].whole = (int)below(c, 9) - 4;
    }
}
