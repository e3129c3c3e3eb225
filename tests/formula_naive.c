/* tests/formula_naive.c: formulas computed the slow and plain way: types, sites, sums, statements. */
#include "formula_naive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "naive_object.h"

/* ---- types ---- */

static struct naive_type number_type(enum naive_word word, bool is_complex)
{
    return (struct naive_type){word, is_complex, 0, 1, 0, 1};
}

static bool is_number(struct naive_type t)
{
    return t.spin_rank == 0 && t.colour_rank == 0;
}

static bool is_floating(struct naive_type t)
{
    return t.word == NAIVE_FLOAT || t.word == NAIVE_DOUBLE;
}

/* Any double makes double, else any float makes float; a number without sites takes the word of a field. */
static enum naive_word joined_word(const struct naive_node *a, const struct naive_node *b)
{
    static const int rank[] = {[NAIVE_INT] = 0, [NAIVE_LONG] = 1, [NAIVE_FLOAT] = 2, [NAIVE_DOUBLE] = 3};
    if (a->has_sites && !b->has_sites)
        return a->type.word;
    if (b->has_sites && !a->has_sites)
        return b->type.word;
    return rank[a->type.word] > rank[b->type.word] ? a->type.word : b->type.word;
}

/* A matrix before a matrix or vector contracts; else whichever has the index keeps it. */
static void product_rank(unsigned a_rank, unsigned a_size, unsigned b_rank, unsigned b_size, unsigned *rank,
                         unsigned *size)
{
    *rank = a_rank && b_rank ? b_rank : a_rank ? a_rank : b_rank;
    *size = a_rank ? a_size : b_size;
}

static struct naive_type binary_type(const struct naive_node *node)
{
    const struct naive_node *a = node->operand[0], *b = node->operand[1];
    struct naive_type t = a->type;
    if (node->kind == NAIVE_MULTIPLY) {
        product_rank(a->type.spin_rank, a->type.spins, b->type.spin_rank, b->type.spins, &t.spin_rank,
                     &t.spins);
        product_rank(a->type.colour_rank, a->type.colours, b->type.colour_rank, b->type.colours, &t.colour_rank,
                     &t.colours);
    } else if (node->kind != NAIVE_DIVIDE && is_number(t)) {
        t = b->type;
    }
    t.word = joined_word(a, b);
    if (node->kind == NAIVE_DIVIDE && !a->has_sites && !b->has_sites)
        t.word = NAIVE_DOUBLE;
    t.is_complex = a->type.is_complex || b->type.is_complex;
    return t;
}

static struct naive_type variable_type(const struct naive_variable *v)
{
    const bool is_whole = v->kind == NAIVE_IN_INT || v->kind == NAIVE_OUT_LONG;
    return number_type(is_whole ? NAIVE_LONG : NAIVE_DOUBLE,
                       v->kind == NAIVE_IN_COMPLEX || v->kind == NAIVE_OUT_COMPLEX);
}

static void type_of_function(struct naive_node *node)
{
    const struct naive_node *a = node->operand[0];
    node->type = a->type;
    node->has_sites = a->has_sites;
    switch (node->kind) {
    case NAIVE_TRACE:
        node->type = number_type(a->type.word, a->type.is_complex);
        break;
    case NAIVE_REAL:
    case NAIVE_IMAG:
        node->type.is_complex = false;
        break;
    case NAIVE_SQRT:
        node->type.word = a->has_sites ? a->type.word : NAIVE_DOUBLE;
        break;
    case NAIVE_SUM:
    case NAIVE_NORM2:
    case NAIVE_INNER_PRODUCT:
        node->has_sites = false;
        node->type.word = is_floating(a->type) ? NAIVE_DOUBLE : NAIVE_LONG;
        if (node->kind == NAIVE_NORM2)
            node->type = number_type(node->type.word, false);
        if (node->kind == NAIVE_INNER_PRODUCT) {
            const struct naive_type b = node->operand[1]->type;
            node->type = number_type(is_floating(b) ? NAIVE_DOUBLE : node->type.word,
                                     a->type.is_complex || b.is_complex);
        }
        break;
    default:
        break;
    }
}

void naive_type_of(const struct naive_program *program, struct naive_node *node)
{
    node->has_sites = false;
    switch (node->kind) {
    case NAIVE_FIELD:
        node->has_sites = true;
        node->type = naive_type_of_field(program->fields[node->field].type);
        break;
    case NAIVE_VARIABLE:
        node->type = variable_type(&program->variables[node->variable]);
        break;
    case NAIVE_WHOLE:
    case NAIVE_ZERO:
        node->type = number_type(NAIVE_LONG, false);
        break;
    case NAIVE_REAL_NUMBER:
    case NAIVE_PI:
        node->type = number_type(NAIVE_DOUBLE, false);
        break;
    case NAIVE_I:
        node->type = number_type(NAIVE_DOUBLE, true);
        break;
    case NAIVE_ADD:
    case NAIVE_SUBTRACT:
    case NAIVE_MULTIPLY:
    case NAIVE_DIVIDE:
        node->has_sites = node->operand[0]->has_sites || node->operand[1]->has_sites;
        node->type = binary_type(node);
        break;
    default:
        type_of_function(node);
        break;
    }
}

/* ---- sites ---- */

void naive_coordinates(const struct naive_lattice *lattice, int64_t index, int64_t *x)
{
    for (int mu = 0; mu < lattice->dimension; ++mu) {
        x[mu] = index % lattice->extents[mu];
        index /= lattice->extents[mu];
    }
}

int64_t naive_index(const struct naive_lattice *lattice, const int64_t *x)
{
    int64_t index = 0, step = 1;
    for (int mu = 0; mu < lattice->dimension; ++mu) {
        index += x[mu] * step;
        step *= lattice->extents[mu];
    }
    return index;
}

bool naive_in_subset(const struct naive_lattice *lattice, acre_subset subset, const int64_t *x)
{
    int64_t sum = 0;
    for (int mu = 0; mu < lattice->dimension; ++mu)
        sum += x[mu];
    return subset == ACRE_ALL || (sum % 2 == 0) == (subset == ACRE_EVEN);
}

/* The value of a node at a site; numbers have theirs by now. */
static void evaluate(const struct naive_program *program, const struct naive_node *node, const int64_t *x,
                     struct naive_value *v)
{
    if (!node->has_sites) {
        *v = *node->value;
        return;
    }
    if (node->kind == NAIVE_FIELD) {
        v->type = node->type;
        const size_t n = naive_components(v->type);
        const int64_t site = naive_index(program->lattice, x);
        memcpy(v->part, program->fields[node->field].parts + (size_t)site * n, n * sizeof *v->part);
        return;
    }
    if (node->kind == NAIVE_SHIFT) {
        int64_t y[ACRE_MAX_DIMENSION];
        const int64_t extent = program->lattice->extents[node->direction];
        memcpy(y, x, sizeof y);
        y[node->direction] = ((x[node->direction] + node->distance % extent) % extent + extent) % extent;
        evaluate(program, node->operand[0], y, v);
        return;
    }
    struct naive_value a, b;
    evaluate(program, node->operand[0], x, &a);
    if (node->operand_count > 1)
        evaluate(program, node->operand[1], x, &b);
    naive_operate(node, &a, &b, v);
}

/* ---- sums over sites ---- */

enum { LEAF = 2048, LANES = 256 };

static double leaf_sum(const double *terms, size_t count)
{
    double t[LEAF] = {0}, s[LEAF / 2], w[LANES];
    memcpy(t, terms, count * sizeof *t);
    for (int m = 0; m < LEAF / 2; ++m)
        s[m] = t[2 * m] + t[2 * m + 1];
    for (int l = 0; l < LANES; ++l)
        w[l] = 0;
    for (int m = 0; m < LEAF / 2; ++m)
        w[m % LANES] += s[m];
    for (int h = 128; h >= 1; h /= 2)
        for (int l = 0; l < h; ++l)
            w[l] += w[l + h];
    return w[0];
}

double naive_sum(const double *terms, size_t count)
{
    const size_t leaves = count ? (count + LEAF - 1) / LEAF : 1;
    double *sums = malloc(leaves * sizeof *sums), sum;
    if (!sums)
        abort();
    for (size_t j = 0; j < leaves; ++j)
        sums[j] = leaf_sum(terms + j * LEAF, count - j * LEAF < LEAF ? count - j * LEAF : LEAF);
    sum = leaves > 1 ? naive_sum(sums, leaves) : sums[0];
    free(sums);
    return sum;
}

static void reduce(const struct naive_program *program, const struct naive_node *node,
                   struct naive_value *result)
{
    const size_t n = naive_components(node->type), sites = (size_t)program->lattice->sites;
    double *terms = calloc(n * sites, sizeof *terms);
    if (!terms)
        abort();
    result->type = node->type;
    for (size_t k = 0; k < n; ++k)
        result->part[k].whole = 0;
    for (size_t i = 0; i < sites; ++i) {
        int64_t x[ACRE_MAX_DIMENSION] = {0};
        struct naive_value a, b, term;
        naive_coordinates(program->lattice, (int64_t)i, x);
        if (!naive_in_subset(program->lattice, node->subset, x))
            continue;
        evaluate(program, node->operand[0], x, &a);
        if (node->operand_count > 1)
            evaluate(program, node->operand[1], x, &b);
        naive_site_term(node, &a, &b, &term);
        for (size_t k = 0; k < n; ++k)
            if (node->type.word == NAIVE_LONG)
                result->part[k] = naive_add(NAIVE_LONG, result->part[k], term.part[k]);
            else
                terms[k * sites + i] = term.part[k].real;
    }
    for (size_t k = 0; k < n && node->type.word != NAIVE_LONG; ++k)
        result->part[k].real = naive_sum(terms + k * sites, sites);
    free(terms);
}

/* ---- numbers ---- */

static void evaluate_number(const struct naive_program *program, const struct naive_node *node,
                            struct naive_value *v)
{
    v->type = node->type;
    v->part[0].whole = 0;
    switch (node->kind) {
    case NAIVE_WHOLE:
    case NAIVE_REAL_NUMBER:
        v->part[0] = node->number;
        return;
    case NAIVE_ZERO:
        return;
    case NAIVE_PI:
        v->part[0].real = 3.14159265358979323846;
        return;
    case NAIVE_I:
        v->part[0].real = 0;
        v->part[1].real = 1;
        return;
    case NAIVE_VARIABLE:
        memcpy(v->part, program->variables[node->variable].part, 2 * sizeof *v->part);
        return;
    case NAIVE_SUM:
    case NAIVE_NORM2:
    case NAIVE_INNER_PRODUCT:
        reduce(program, node, v);
        return;
    default: {
        struct naive_value a = *node->operand[0]->value, b = a;
        if (node->operand_count > 1)
            b = *node->operand[1]->value;
        naive_operate(node, &a, &b, v);
        return;
    }
    }
}

static void prepare(const struct naive_program *program, struct naive_node *node)
{
    for (int i = 0; i < node->operand_count; ++i)
        prepare(program, node->operand[i]);
    if (node->has_sites)
        return;
    node->value = malloc(sizeof *node->value);
    if (!node->value)
        abort();
    evaluate_number(program, node, node->value);
}

static void forget(struct naive_node *node)
{
    for (int i = 0; i < node->operand_count; ++i)
        forget(node->operand[i]);
    free(node->value);
    node->value = NULL;
}

/* ---- statements ---- */

/* Exact in double but for the one rounding: to a multiple of 2^-10 of the leading bit, at least 2^-24. */
double naive_half(double value)
{
    int exponent;
    if (value == 0 || !isfinite(value))
        return value;
    frexp(value, &exponent); /* value = m 2^exponent, 1/2 <= |m| < 1 */
    const double quantum = ldexp(1, exponent - 11 < -24 ? -24 : exponent - 11);
    const double rounded = nearbyint(value / quantum) * quantum;
    return fabs(rounded) > 65504 ? copysign(INFINITY, value) : copysign(rounded, value);
}

union naive_part naive_stored(const struct naive_field *field, enum naive_word word, union naive_part part)
{
    const struct naive_type type = naive_type_of_field(field->type);
    if (field->format.storage == ACRE_HALF) {
        /* straight from the precision it was computed in */
        if (word == NAIVE_FLOAT || word == NAIVE_DOUBLE)
            part.real = naive_half(part.real);
        else
            part.real = naive_half(naive_converted(word, type.word, part).real);
        return part;
    }
    return naive_converted(word, type.word, part);
}

static void store(struct naive_program *program, const struct naive_statement *statement,
                  union naive_part *parts)
{
    struct naive_field *field = &program->fields[statement->field];
    const struct naive_node *value = statement->value;
    const struct naive_type type = naive_type_of_field(field->type);
    const size_t n = naive_components(type);
    for (int64_t site = 0; site < program->lattice->sites; ++site) {
        int64_t x[ACRE_MAX_DIMENSION] = {0};
        struct naive_value v, as_stored;
        naive_coordinates(program->lattice, site, x);
        if (statement->has_subset && !naive_in_subset(program->lattice, statement->subset, x))
            continue;
        evaluate(program, value, x, &v);
        if (!value->has_sites) /* a number is weak: it takes the field's precision first */
            naive_convert(&v, type.word);
        naive_reshape(&v, value->kind == NAIVE_ZERO, type, &as_stored);
        for (size_t k = 0; k < n; ++k)
            parts[(size_t)site * n + k] = naive_stored(field, v.type.word, as_stored.part[k]);
    }
}

static void assign_number(struct naive_variable *variable, const struct naive_value *value)
{
    const bool is_whole = variable->kind == NAIVE_OUT_LONG;
    for (int k = 0; k < 2; ++k) {
        if (k && !value->type.is_complex) {
            variable->part[k].real = 0;
            break;
        }
        variable->part[k] =
            naive_converted(value->type.word, is_whole ? NAIVE_LONG : NAIVE_DOUBLE, value->part[k]);
        if (variable->kind == NAIVE_OUT_FLOAT)
            variable->part[k].real = (double)(float)variable->part[k].real;
    }
    variable->is_assigned = true;
}

void naive_run(struct naive_program *program, const struct naive_statement *statement)
{
    prepare(program, statement->value);
    if (statement->field < 0) {
        assign_number(&program->variables[statement->variable], statement->value->value);
    } else {
        /* everything is read before anything is written */
        const struct naive_field *field = &program->fields[statement->field];
        const size_t bytes = (size_t)program->lattice->sites *
                             naive_components(naive_type_of_field(field->type)) * sizeof *field->parts;
        union naive_part *parts = malloc(bytes);
        if (!parts)
            abort();
        memcpy(parts, field->parts, bytes);
        store(program, statement, parts);
        memcpy(field->parts, parts, bytes);
        free(parts);
    }
    forget(statement->value);
}
