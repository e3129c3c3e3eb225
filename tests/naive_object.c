/* tests/naive_object.c: arithmetic of site objects, component by component, in the order that the rules say. */
#include "naive_object.h"

#include <math.h>
#include <string.h>

/* ---- types ---- */
struct naive_type naive_type_of_field(acre_site_type type)
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
union naive_part naive_add(enum naive_word w, union naive_part x, union naive_part y)
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
    return naive_add(w, x, negative(w, y));
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

union naive_part naive_converted(enum naive_word from, enum naive_word to, union naive_part x)
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
    struct entry r = {x.is_complex || y.is_complex, naive_add(w, x.re, y.re), {0}};
    if (x.is_complex && y.is_complex)
        r.im = naive_add(w, x.im, y.im);
    else
        r.im = x.is_complex ? x.im : y.im;
    return r;
}

static struct entry entry_multiply(enum naive_word w, struct entry x, struct entry y)
{
    struct entry r = {x.is_complex || y.is_complex, multiply(w, x.re, y.re), {0}};
    if (x.is_complex && y.is_complex) {
        r.re = subtract(w, r.re, multiply(w, x.im, y.im));
        r.im = naive_add(w, multiply(w, x.re, y.im), multiply(w, x.im, y.re));
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
        lower = naive_add(w, multiply(w, y.re, y.re), multiply(w, y.im, y.im));
    }
    upper.re = divide(w, upper.re, lower);
    if (upper.is_complex)
        upper.im = divide(w, upper.im, lower);
    return upper;
}

/* ---- objects ---- */

void naive_convert(struct naive_value *v, enum naive_word word)
{
    for (size_t k = 0; k < naive_components(v->type); ++k)
        v->part[k] = naive_converted(v->type.word, word, v->part[k]);
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

void naive_operate(const struct naive_node *node, struct naive_value *a, struct naive_value *b,
                   struct naive_value *r)
{
    const struct naive_type t = node->type;
    naive_convert(a, t.word);
    if (node->operand_count > 1)
        naive_convert(b, t.word);
    r->type = t;
    for (unsigned s = 0; s < t.spins; ++s)
        for (unsigned s2 = 0; s2 < (t.spin_rank == 2 ? t.spins : 1); ++s2)
            for (unsigned c = 0; c < t.colours; ++c)
                for (unsigned c2 = 0; c2 < (t.colour_rank == 2 ? t.colours : 1); ++c2)
                    put(r, s, s2, c, c2, result_entry(node, a, b, s, s2, c, c2));
}

/* One site's contribution to a reduction. Brackets are complete before they are added. */
void naive_site_term(const struct naive_node *node, struct naive_value *a, struct naive_value *b,
                     struct naive_value *term)
{
    const enum naive_word w = node->type.word;
    naive_convert(a, w);
    if (node->kind == NAIVE_SUM) {
        *term = *a;
        return;
    }
    if (node->kind == NAIVE_NORM2)
        *b = *a;
    naive_convert(b, w);
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

void naive_reshape(const struct naive_value *value, bool is_zero, struct naive_type type,
                   struct naive_value *result)
{
    result->type = type;
    result->type.word = value->type.word;
    memset(result->part, 0, naive_components(type) * sizeof *result->part);
    for (unsigned s = 0; s < type.spins; ++s)
        for (unsigned s2 = 0; s2 < (type.spin_rank == 2 ? type.spins : 1); ++s2)
            for (unsigned c = 0; c < type.colours; ++c)
                for (unsigned c2 = 0; c2 < (type.colour_rank == 2 ? type.colours : 1); ++c2) {
                    if (!is_number(value->type))
                        put(result, s, s2, c, c2, get(value, s, s2, c, c2));
                    else if (s == s2 && c == c2 && !is_zero)
                        put(result, s, s2, c, c2, get(value, 0, 0, 0, 0));
                }
}
