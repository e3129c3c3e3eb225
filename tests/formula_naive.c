/* tests/formula_naive.c: formulas computed the slow and plain way. */
#include "formula_naive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- types ---- */

static struct naive_type number_type(enum naive_word word, bool is_complex)
{
    return (struct naive_type){word, is_complex, 0, 1, 0, 1};
}

static struct naive_type field_type(acre_site_type type)
{
    static const enum naive_word words[] = {[ACRE_FLOAT] = NAIVE_FLOAT,
                                            [ACRE_DOUBLE] = NAIVE_DOUBLE,
                                            [ACRE_INT] = NAIVE_INT,
                                            [ACRE_BOOL] = NAIVE_BOOL};
    return (struct naive_type){words[type.word], type.is_complex,  type.spin_rank,
                               type.spins,       type.colour_rank, type.colours};
}

size_t naive_components(struct naive_type t)
{
    size_t n = t.is_complex ? 2 : 1;
    for (unsigned r = 0; r < t.spin_rank; ++r)
        n *= t.spins;
    for (unsigned r = 0; r < t.colour_rank; ++r)
        n *= t.colours;
    return n;
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
        node->type = field_type(program->fields[node->field].type);
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

/* ---- arithmetic of one word: every step rounds by itself, integers wrap ---- */

static union naive_part wrapped(enum naive_word word, uint64_t bits)
{
    union naive_part r = {.whole = word == NAIVE_INT ? (int64_t)(int32_t)(uint32_t)bits : (int64_t)bits};
    return r;
}

static union naive_part real_part(enum naive_word word, double value)
{
    union naive_part r = {.real = word == NAIVE_FLOAT ? (double)(float)value : value};
    return r;
}

/* For floats each operation is done in double and rounded once more: with 53 bits that is the correctly rounded
 * float result of + - * / and of the root. */
static union naive_part add(enum naive_word w, union naive_part x, union naive_part y)
{
    if (w == NAIVE_FLOAT || w == NAIVE_DOUBLE)
        return real_part(w, x.real + y.real);
    return wrapped(w, (uint64_t)x.whole + (uint64_t)y.whole);
}

static union naive_part negative(enum naive_word w, union naive_part x)
{
    if (w == NAIVE_FLOAT || w == NAIVE_DOUBLE)
        return real_part(w, -x.real);
    return wrapped(w, 0 - (uint64_t)x.whole);
}

static union naive_part subtract(enum naive_word w, union naive_part x, union naive_part y)
{
    return add(w, x, negative(w, y));
}

static union naive_part multiply(enum naive_word w, union naive_part x, union naive_part y)
{
    if (w == NAIVE_FLOAT || w == NAIVE_DOUBLE)
        return real_part(w, x.real * y.real);
    return wrapped(w, (uint64_t)x.whole * (uint64_t)y.whole);
}

static union naive_part divide(enum naive_word w, union naive_part x, union naive_part y)
{
    if (w == NAIVE_FLOAT || w == NAIVE_DOUBLE)
        return real_part(w, x.real / y.real);
    return wrapped(w, y.whole == 0 ? 0 : y.whole == -1 ? 0 - (uint64_t)x.whole : (uint64_t)(x.whole / y.whole));
}

static union naive_part converted(enum naive_word from, enum naive_word to, union naive_part x)
{
    const bool from_real = from == NAIVE_FLOAT || from == NAIVE_DOUBLE;
    union naive_part r = x;
    if (to == NAIVE_FLOAT)
        r.real = from_real ? (double)(float)x.real : (double)(float)x.whole;
    else if (to == NAIVE_DOUBLE)
        r.real = from_real ? x.real : (double)x.whole;
    else if (to == NAIVE_INT)
        r.whole = (int32_t)x.whole;
    else if (to == NAIVE_BOOL)
        r.whole = x.whole != 0;
    return r;
}

/* ---- entries: one real or complex number of an object ---- */

struct entry {
    bool is_complex;
    union naive_part re, im;
};

static size_t place(struct naive_type t, unsigned s, unsigned s2, unsigned c, unsigned c2)
{
    const size_t spin_columns = t.spin_rank == 2 ? t.spins : 1;
    const size_t colour_rows = t.colour_rank ? t.colours : 1,
                 colour_columns = t.colour_rank == 2 ? t.colours : 1;
    return (((s * spin_columns + s2) * colour_rows + c) * colour_columns + c2) * (t.is_complex ? 2 : 1);
}

static struct entry get(const struct naive_value *v, unsigned s, unsigned s2, unsigned c, unsigned c2)
{
    const union naive_part *p = v->part + place(v->type, s, s2, c, c2);
    struct entry e = {v->type.is_complex, p[0], {0}};
    if (e.is_complex)
        e.im = p[1];
    return e;
}

/* A real entry in a complex object has the imaginary part 0. */
static void put(struct naive_value *v, unsigned s, unsigned s2, unsigned c, unsigned c2, struct entry e)
{
    union naive_part *p = v->part + place(v->type, s, s2, c, c2), zero = {0};
    p[0] = e.re;
    if (v->type.is_complex)
        p[1] = e.is_complex ? e.im : zero;
}

static struct entry conjugate(enum naive_word w, struct entry e)
{
    if (e.is_complex)
        e.im = negative(w, e.im);
    return e;
}

static struct entry entry_negative(enum naive_word w, struct entry e)
{
    e.re = negative(w, e.re);
    if (e.is_complex)
        e.im = negative(w, e.im);
    return e;
}

static struct entry entry_add(enum naive_word w, struct entry x, struct entry y)
{
    struct entry r = {x.is_complex || y.is_complex, add(w, x.re, y.re), {0}};
    if (x.is_complex && y.is_complex)
        r.im = add(w, x.im, y.im);
    else
        r.im = x.is_complex ? x.im : y.im;
    return r;
}

static struct entry entry_multiply(enum naive_word w, struct entry x, struct entry y)
{
    struct entry r = {x.is_complex || y.is_complex, multiply(w, x.re, y.re), {0}};
    if (x.is_complex && y.is_complex) {
        r.re = subtract(w, r.re, multiply(w, x.im, y.im));
        r.im = add(w, multiply(w, x.re, y.im), multiply(w, x.im, y.re));
    } else if (y.is_complex) {
        r.im = multiply(w, x.re, y.im);
    } else if (x.is_complex) {
        r.im = multiply(w, x.im, y.re);
    }
    return r;
}

/* x / y for a complex y is x conj(y) / |y|^2. */
static struct entry entry_divide(enum naive_word w, struct entry x, struct entry y)
{
    struct entry upper = x;
    union naive_part lower = y.re;
    if (y.is_complex) {
        upper = entry_multiply(w, x, conjugate(w, y));
        lower = add(w, multiply(w, y.re, y.re), multiply(w, y.im, y.im));
    }
    upper.re = divide(w, upper.re, lower);
    if (upper.is_complex)
        upper.im = divide(w, upper.im, lower);
    return upper;
}

/* ---- objects ---- */

static void convert_value(struct naive_value *v, enum naive_word word)
{
    for (size_t k = 0; k < naive_components(v->type); ++k)
        v->part[k] = converted(v->type.word, word, v->part[k]);
    v->type.word = word;
}

/* A number stands on the diagonal; elsewhere the other operand stays as it is. */
static struct entry sum_entry(enum naive_word w, struct naive_type result, const struct naive_value *a,
                              const struct naive_value *b, bool subtracts, unsigned s, unsigned s2, unsigned c,
                              unsigned c2)
{
    const bool off_diagonal = s != s2 || c != c2, matrix = !is_number(result);
    const bool a_number = matrix && is_number(a->type), b_number = matrix && is_number(b->type);
    struct entry x = a_number ? get(a, 0, 0, 0, 0) : get(a, s, s2, c, c2);
    struct entry y = b_number ? get(b, 0, 0, 0, 0) : get(b, s, s2, c, c2);
    if (subtracts)
        y = entry_negative(w, y);
    if (a_number && off_diagonal)
        return y;
    if (b_number && off_diagonal)
        return x;
    return entry_add(w, x, y);
}

/* Sum over the spin index outside and the colour index inside, from the first product on. */
static struct entry product_entry(enum naive_word w, const struct naive_value *a, const struct naive_value *b,
                                  unsigned s, unsigned s2, unsigned c, unsigned c2)
{
    const struct naive_type ta = a->type, tb = b->type;
    const bool spin = ta.spin_rank && tb.spin_rank, colour = ta.colour_rank && tb.colour_rank;
    struct entry sum = {0};
    for (unsigned ks = 0; ks < (spin ? ta.spins : 1); ++ks)
        for (unsigned kc = 0; kc < (colour ? ta.colours : 1); ++kc) {
            struct entry x = get(a, ta.spin_rank ? s : 0, ta.spin_rank == 2 ? (spin ? ks : s2) : 0,
                                 ta.colour_rank ? c : 0, ta.colour_rank == 2 ? (colour ? kc : c2) : 0);
            struct entry y = get(b,
                                 spin           ? ks
                                 : tb.spin_rank ? s
                                                : 0,
                                 tb.spin_rank == 2 ? s2 : 0,
                                 colour           ? kc
                                 : tb.colour_rank ? c
                                                  : 0,
                                 tb.colour_rank == 2 ? c2 : 0);
            struct entry product = entry_multiply(w, x, y);
            sum = ks == 0 && kc == 0 ? product : entry_add(w, sum, product);
        }
    return sum;
}

static struct entry trace_entry(enum naive_word w, const struct naive_value *a)
{
    struct entry sum = {0};
    for (unsigned s = 0; s < (a->type.spin_rank ? a->type.spins : 1); ++s)
        for (unsigned c = 0; c < (a->type.colour_rank ? a->type.colours : 1); ++c)
            sum = s == 0 && c == 0 ? get(a, s, s, c, c) : entry_add(w, sum, get(a, s, s, c, c));
    return sum;
}

static struct entry result_entry(const struct naive_node *node, const struct naive_value *a,
                                 const struct naive_value *b, unsigned s, unsigned s2, unsigned c, unsigned c2)
{
    const enum naive_word w = node->type.word;
    const bool vector = a->type.spin_rank == 1 || a->type.colour_rank == 1;
    struct entry e;
    switch (node->kind) {
    case NAIVE_NEGATE:
        return entry_negative(w, get(a, s, s2, c, c2));
    case NAIVE_ADD:
    case NAIVE_SUBTRACT:
        return sum_entry(w, node->type, a, b, node->kind == NAIVE_SUBTRACT, s, s2, c, c2);
    case NAIVE_MULTIPLY:
        return product_entry(w, a, b, s, s2, c, c2);
    case NAIVE_DIVIDE:
        return entry_divide(w, get(a, s, s2, c, c2), get(b, 0, 0, 0, 0));
    case NAIVE_ADJ:
        return conjugate(w, vector ? get(a, s, s2, c, c2) : get(a, s2, s, c2, c));
    case NAIVE_TRACE:
        return trace_entry(w, a);
    case NAIVE_SQRT:
        e = get(a, 0, 0, 0, 0);
        e.re = real_part(w, sqrt(e.re.real));
        return e;
    default: /* REAL, IMAG */
        e = get(a, s, s2, c, c2);
        if (node->kind == NAIVE_IMAG && e.is_complex)
            e.re = e.im;
        else if (node->kind == NAIVE_IMAG)
            memset(&e.re, 0, sizeof e.re);
        e.is_complex = false;
        return e;
    }
}

static void operate(const struct naive_node *node, struct naive_value *a, struct naive_value *b,
                    struct naive_value *r)
{
    const struct naive_type t = node->type;
    convert_value(a, t.word);
    if (node->operand_count > 1)
        convert_value(b, t.word);
    r->type = t;
    for (unsigned s = 0; s < t.spins; ++s)
        for (unsigned s2 = 0; s2 < (t.spin_rank == 2 ? t.spins : 1); ++s2)
            for (unsigned c = 0; c < t.colours; ++c)
                for (unsigned c2 = 0; c2 < (t.colour_rank == 2 ? t.colours : 1); ++c2)
                    put(r, s, s2, c, c2, result_entry(node, a, b, s, s2, c, c2));
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
    operate(node, &a, &b, v);
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

/* One site's contribution to a reduction. Brackets are complete before they are added. */
static void site_term(const struct naive_node *node, struct naive_value *a, struct naive_value *b,
                      struct naive_value *term)
{
    const enum naive_word w = node->type.word;
    convert_value(a, w);
    if (node->kind == NAIVE_SUM) {
        *term = *a;
        return;
    }
    if (node->kind == NAIVE_NORM2)
        *b = *a;
    convert_value(b, w);
    const size_t entries = naive_components(a->type) / (a->type.is_complex ? 2 : 1);
    struct entry sum = {0};
    for (size_t k = 0; k < entries; ++k) {
        struct entry x = {a->type.is_complex, a->part[a->type.is_complex ? 2 * k : k], {0}};
        struct entry y = {b->type.is_complex, b->part[b->type.is_complex ? 2 * k : k], {0}};
        if (x.is_complex)
            x.im = a->part[2 * k + 1];
        if (y.is_complex)
            y.im = b->part[2 * k + 1];
        struct entry product = entry_multiply(w, conjugate(w, x), y);
        sum = k ? entry_add(w, sum, product) : product;
    }
    term->type = node->type;
    put(term, 0, 0, 0, 0, sum);
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
        site_term(node, &a, &b, &term);
        for (size_t k = 0; k < n; ++k)
            if (node->type.word == NAIVE_LONG)
                result->part[k] = add(NAIVE_LONG, result->part[k], term.part[k]);
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
        operate(node, &a, &b, v);
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
    const struct naive_type type = field_type(field->type);
    if (field->format.storage == ACRE_HALF) {
        /* straight from the precision it was computed in */
        if (word == NAIVE_FLOAT || word == NAIVE_DOUBLE)
            part.real = naive_half(part.real);
        else
            part.real = naive_half(converted(word, type.word, part).real);
        return part;
    }
    return converted(word, type.word, part);
}

static void store(struct naive_program *program, const struct naive_statement *statement,
                  union naive_part *parts)
{
    struct naive_field *field = &program->fields[statement->field];
    const struct naive_node *value = statement->value;
    const struct naive_type type = field_type(field->type);
    const size_t n = naive_components(type);
    for (int64_t site = 0; site < program->lattice->sites; ++site) {
        int64_t x[ACRE_MAX_DIMENSION] = {0};
        struct naive_value v, as_stored;
        naive_coordinates(program->lattice, site, x);
        if (statement->has_subset && !naive_in_subset(program->lattice, statement->subset, x))
            continue;
        evaluate(program, value, x, &v);
        if (!value->has_sites) /* a number is weak: it takes the field's precision first */
            convert_value(&v, type.word);
        as_stored.type = type;
        as_stored.type.word = v.type.word;
        memset(as_stored.part, 0, n * sizeof *as_stored.part);
        for (unsigned s = 0; s < type.spins; ++s)
            for (unsigned s2 = 0; s2 < (type.spin_rank == 2 ? type.spins : 1); ++s2)
                for (unsigned c = 0; c < type.colours; ++c)
                    for (unsigned c2 = 0; c2 < (type.colour_rank == 2 ? type.colours : 1); ++c2) {
                        if (!is_number(v.type))
                            put(&as_stored, s, s2, c, c2, get(&v, s, s2, c, c2));
                        else if (s == s2 && c == c2 && value->kind != NAIVE_ZERO)
                            put(&as_stored, s, s2, c, c2, get(&v, 0, 0, 0, 0));
                    }
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
        variable->part[k] = converted(value->type.word, is_whole ? NAIVE_LONG : NAIVE_DOUBLE, value->part[k]);
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
        const size_t bytes =
            (size_t)program->lattice->sites * naive_components(field_type(field->type)) * sizeof *field->parts;
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
