/* core/program/expand.c: the scalar expansion of each operation. */
#include "core/program/expand.h"

#include <stdlib.h>

#include "core/base/fail.h"
#include "core/program/expand_build.h"

/* The operation at hand. */
struct expansion {
    struct acre_builder builder;
    const struct acre_op *op;
    struct acre_object a, b, result;
};

/* Run `visit` over the entries of the result in component order. */
typedef void visit_entry(struct expansion *x, struct acre_entry result, unsigned s, unsigned s2, unsigned c,
                         unsigned c2);

static void for_each_entry(struct expansion *x, visit_entry *visit)
{
    const struct acre_object o = x->result;
    const unsigned spin_columns = o.spin_rank == 2 ? o.spins : 1,
                   colour_columns = o.colour_rank == 2 ? o.colours : 1;
    for (unsigned s = 0; s < o.spins; ++s)
        for (unsigned s2 = 0; s2 < spin_columns; ++s2)
            for (unsigned c = 0; c < o.colours; ++c)
                for (unsigned c2 = 0; c2 < colour_columns; ++c2)
                    visit(x, acre_entry_at(o, 0, ACRE_FROM_OWN, s, s2, c, c2), s, s2, c, c2);
}

static struct acre_entry entry_a(const struct expansion *x, unsigned s, unsigned s2, unsigned c, unsigned c2)
{
    return acre_entry_at(x->a, x->op->a.map, ACRE_FROM_A, s, s2, c, c2);
}
static struct acre_entry entry_b(const struct expansion *x, unsigned s, unsigned s2, unsigned c, unsigned c2)
{
    return acre_entry_at(x->b, x->op->b.map, ACRE_FROM_B, s, s2, c, c2);
}

/* A number where a matrix is wanted: on the diagonal only. */
static bool off_diagonal(const struct expansion *x, struct acre_object o, unsigned s, unsigned s2, unsigned c,
                         unsigned c2)
{
    return acre_object_is_number(o) && !acre_object_is_number(x->result) && (s != s2 || c != c2);
}

static void copy_entry(struct expansion *x, struct acre_entry r, unsigned s, unsigned s2, unsigned c,
                       unsigned c2)
{
    const struct acre_object a = x->a;
    if (acre_object_same_shape(a, x->result))
        acre_build_copy(&x->builder, r, entry_a(x, s, s2, c, c2));
    else if (off_diagonal(x, a, s, s2, c, c2) || !acre_object_is_square(x->result))
        acre_build_constant(&x->builder, r, 0); /* a vector takes no number but zero */
    else
        acre_build_copy(&x->builder, r, entry_a(x, 0, 0, 0, 0));
}

static void negate_entry(struct expansion *x, struct acre_entry r, unsigned s, unsigned s2, unsigned c,
                         unsigned c2)
{
    acre_build_copy(&x->builder, r, acre_entry_negative(entry_a(x, s, s2, c, c2)));
}

static void add_entry(struct expansion *x, struct acre_entry r, unsigned s, unsigned s2, unsigned c,
                      unsigned c2)
{
    const bool a_is_number = !acre_object_same_shape(x->a, x->result);
    const bool b_is_number = !acre_object_same_shape(x->b, x->result);
    struct acre_entry a = a_is_number ? entry_a(x, 0, 0, 0, 0) : entry_a(x, s, s2, c, c2);
    struct acre_entry b = b_is_number ? entry_b(x, 0, 0, 0, 0) : entry_b(x, s, s2, c, c2);
    if (x->op->code == ACRE_OP_SUBTRACT)
        b = acre_entry_negative(b);
    if (a_is_number && off_diagonal(x, x->a, s, s2, c, c2))
        acre_build_copy(&x->builder, r, b);
    else if (b_is_number && off_diagonal(x, x->b, s, s2, c, c2))
        acre_build_copy(&x->builder, r, a);
    else
        acre_build_sum(&x->builder, r, a, b);
}

/* Row of a and column of b that meet at entry (row, column) of the product, for term k. */
static void product_indices(unsigned a_rank, unsigned b_rank, unsigned row, unsigned column, unsigned k,
                            unsigned a[2], unsigned b[2])
{
    const bool contracts = a_rank && b_rank;
    a[0] = a_rank ? row : 0;
    a[1] = a_rank == 2 ? (contracts ? k : column) : 0;
    b[0] = !b_rank ? 0 : contracts ? k : row;
    b[1] = b_rank == 2 ? column : 0;
}

enum { TERMS_MAX = 4 * ACRE_MAX_COLOURS }; /* spin matrices are complex, so at most 4 x 4 */

static void multiply_entry(struct expansion *x, struct acre_entry r, unsigned s, unsigned s2, unsigned c,
                           unsigned c2)
{
    const unsigned spin_terms = x->a.spin_rank && x->b.spin_rank ? x->a.spins : 1;
    const unsigned colour_terms = x->a.colour_rank && x->b.colour_rank ? x->a.colours : 1;
    struct acre_entry left[TERMS_MAX], right[TERMS_MAX];
    size_t count = 0;
    for (unsigned ks = 0; ks < spin_terms; ++ks)
        for (unsigned kc = 0; kc < colour_terms; ++kc) {
            unsigned as[2], bs[2], ac[2], bc[2];
            product_indices(x->a.spin_rank, x->b.spin_rank, s, s2, ks, as, bs);
            product_indices(x->a.colour_rank, x->b.colour_rank, c, c2, kc, ac, bc);
            left[count] = entry_a(x, as[0], as[1], ac[0], ac[1]);
            right[count++] = entry_b(x, bs[0], bs[1], bc[0], bc[1]);
        }
    acre_build_products(&x->builder, r, left, right, count);
}

static void divide_entry(struct expansion *x, struct acre_entry r, unsigned s, unsigned s2, unsigned c,
                         unsigned c2)
{
    acre_build_quotient(&x->builder, r, entry_a(x, s, s2, c, c2), entry_b(x, 0, 0, 0, 0));
}

static void root_entry(struct expansion *x, struct acre_entry r, unsigned s, unsigned s2, unsigned c,
                       unsigned c2)
{
    acre_build_root(&x->builder, r, entry_a(x, s, s2, c, c2));
}

static void part_entry(struct expansion *x, struct acre_entry r, unsigned s, unsigned s2, unsigned c,
                       unsigned c2)
{
    struct acre_entry a = entry_a(x, s, s2, c, c2);
    if (x->op->code == ACRE_OP_IMAG && !a.is_complex) {
        acre_build_constant(&x->builder, r, 0);
        return;
    }
    if (x->op->code == ACRE_OP_IMAG) {
        a.re = a.im;
        a.minus_re = a.minus_im;
    }
    acre_build_copy(&x->builder, r, a);
}

/* Spin index outside, colour index inside, ascending. */
static void trace_entry(struct expansion *x, struct acre_entry r, unsigned s, unsigned s2, unsigned c,
                        unsigned c2)
{
    (void)s2, (void)c2;
    const unsigned spins = x->a.spin_rank ? x->a.spins : 1, colours = x->a.colour_rank ? x->a.colours : 1;
    struct acre_entry sum = entry_a(x, s, s, c, c);
    for (unsigned k = 1; k < spins * colours; ++k) {
        acre_build_sum(&x->builder, r, sum, entry_a(x, k / colours, k / colours, k % colours, k % colours));
        sum = r;
    }
    if (spins * colours == 1)
        acre_build_copy(&x->builder, r, sum);
}

/* conj(a) times b, summed over all entries in component order. */
static acre_status inner_product(struct expansion *x)
{
    const struct acre_object o = x->a;
    const bool is_norm = x->op->code == ACRE_OP_LOCAL_NORM2;
    const size_t count = acre_object_components(o) / (o.is_complex ? 2 : 1);
    const unsigned spin_columns = o.spin_rank == 2 ? o.spins : 1,
                   colour_columns = o.colour_rank == 2 ? o.colours : 1;
    struct acre_entry *left = malloc(2 * count * sizeof *left);
    if (!left)
        return acre_fail_memory(2 * count * sizeof *left);
    struct acre_entry *right = left + count;
    size_t k = 0;
    for (unsigned s = 0; s < o.spins; ++s)
        for (unsigned s2 = 0; s2 < spin_columns; ++s2)
            for (unsigned c = 0; c < o.colours; ++c)
                for (unsigned c2 = 0; c2 < colour_columns; ++c2) {
                    struct acre_entry a = entry_a(x, s, s2, c, c2);
                    left[k] = acre_entry_conjugate(a);
                    right[k++] = is_norm ? a : entry_b(x, s, s2, c, c2);
                }
    acre_build_products(&x->builder, acre_entry_at(x->result, 0, ACRE_FROM_OWN, 0, 0, 0, 0), left, right,
                        count);
    free(left);
    return x->builder.status;
}

/* Steps number components with 16 bits. */
static acre_status check_size(struct acre_object object)
{
    const size_t components = acre_object_components(object);
    if (components > UINT16_MAX)
        return acre_fail(ACRE_ERR_OVERFLOW, "a site object of %zu components: operations take at most %d",
                         components, UINT16_MAX);
    return ACRE_OK;
}

acre_status acre_expand(const struct acre_op *op, struct acre_object a, struct acre_object b,
                        struct acre_steps *steps)
{
    struct expansion x = {.builder = {steps, ACRE_OK}, .op = op, .a = a, .b = b, .result = op->object};
    static visit_entry *const visits[] = {
        [ACRE_OP_COPY] = copy_entry,         [ACRE_OP_NEGATE] = negate_entry, [ACRE_OP_ADD] = add_entry,
        [ACRE_OP_SUBTRACT] = add_entry,      [ACRE_OP_SQRT] = root_entry,     [ACRE_OP_DIVIDE] = divide_entry,
        [ACRE_OP_MULTIPLY] = multiply_entry, [ACRE_OP_TRACE] = trace_entry,   [ACRE_OP_REAL] = part_entry,
        [ACRE_OP_IMAG] = part_entry,
    };
    ACRE_TRY(check_size(a));
    ACRE_TRY(check_size(b));
    ACRE_TRY(check_size(op->object));
    steps->block = acre_object_components(op->object);
    if (op->code == ACRE_OP_REUNIT)
        acre_build_reunit(&x.builder, a, op->a.map);
    else if (op->code == ACRE_OP_LOCAL_NORM2 || op->code == ACRE_OP_LOCAL_INNER)
        return inner_product(&x);
    else
        for_each_entry(&x, visits[op->code]);
    return x.builder.status;
}

void acre_steps_free(struct acre_steps *steps)
{
    acre_buffer_free(&steps->steps);
    acre_buffer_free(&steps->brackets);
}
