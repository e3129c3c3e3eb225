/* core/program/expand_build.c: scalar steps for sums, products and quotients of real and complex numbers. */
#include "core/program/expand_build.h"

#include "core/base/fail.h"

struct acre_entry acre_entry_at(struct acre_object o, unsigned map, enum acre_source_of source, unsigned s,
                                unsigned s2, unsigned c, unsigned c2)
{
    unsigned swap;
    if (map & ACRE_MAP_TRANSPOSE_SPIN)
        swap = s, s = s2, s2 = swap;
    if (map & ACRE_MAP_TRANSPOSE_COLOUR)
        swap = c, c = c2, c2 = swap;
    struct acre_entry e = {.is_complex = o.is_complex};
    e.re.source = e.im.source = (uint16_t)source;
    e.re.component = (uint16_t)acre_object_component(o, s, s2, c, c2, 0);
    e.im.component = (uint16_t)(e.re.component + 1);
    e.minus_im = o.is_complex && (map & ACRE_MAP_CONJUGATE);
    return e;
}

struct acre_entry acre_entry_conjugate(struct acre_entry e)
{
    e.minus_im = e.is_complex && !e.minus_im;
    return e;
}

struct acre_entry acre_entry_negative(struct acre_entry e)
{
    e.minus_re = !e.minus_re;
    e.minus_im = e.is_complex && !e.minus_im;
    return e;
}

struct acre_entry acre_build_temporary(struct acre_builder *b, bool is_complex)
{
    struct acre_entry e = {.is_complex = is_complex};
    e.re.source = e.im.source = ACRE_FROM_OWN;
    e.re.component = (uint16_t)b->steps->block;
    e.im.component = (uint16_t)(b->steps->block + 1);
    b->steps->block += is_complex ? 2 : 1;
    if (b->steps->block > UINT16_MAX && !b->status)
        b->status =
            acre_fail(ACRE_ERR_OVERFLOW, "an operation on site objects of more than %d components", UINT16_MAX);
    return e;
}

static void add_step(struct acre_builder *b, struct acre_step step)
{
    if (!b->status)
        b->status = acre_buffer_append(&b->steps->steps, &step, sizeof step);
}

static enum acre_form two_terms(bool minus_x, bool minus_y)
{
    if (minus_x)
        return minus_y ? ACRE_FORM_MINUS_MINUS : ACRE_FORM_MINUS_PLUS;
    return minus_y ? ACRE_FORM_PLUS_MINUS : ACRE_FORM_PLUS_PLUS;
}

/* The bracket of one part of the product x y. */
static struct acre_bracket product_bracket(struct acre_entry x, struct acre_entry y, bool imaginary)
{
    struct acre_bracket r = {0};
    if (!imaginary) {
        r.a0 = r.a1 = x.re;
        r.b0 = r.b1 = y.re;
        if (x.is_complex && y.is_complex) {
            r.a1 = x.im;
            r.b1 = y.im;
            r.form = (uint16_t)two_terms(x.minus_re != y.minus_re, x.minus_im == y.minus_im);
        } else {
            r.form = x.minus_re != y.minus_re ? ACRE_FORM_MINUS : ACRE_FORM_PLUS;
        }
        return r;
    }
    r.a0 = r.a1 = x.re;
    r.b0 = r.b1 = y.im;
    if (x.is_complex && y.is_complex) {
        r.a1 = x.im;
        r.b1 = y.re;
        r.form = (uint16_t)two_terms(x.minus_re != y.minus_im, x.minus_im != y.minus_re);
    } else if (y.is_complex) {
        r.form = x.minus_re != y.minus_im ? ACRE_FORM_MINUS : ACRE_FORM_PLUS;
    } else {
        r.a0 = r.a1 = x.im;
        r.b0 = r.b1 = y.re;
        r.form = x.minus_im != y.minus_re ? ACRE_FORM_MINUS : ACRE_FORM_PLUS;
    }
    return r;
}

static void product_step(struct acre_builder *b, uint16_t result, const struct acre_entry *x,
                         const struct acre_entry *y, size_t count, bool imaginary)
{
    struct acre_step step = {.code = ACRE_STEP_PRODUCTS, .result = result, .bracket_count = (uint32_t)count};
    step.first_bracket = (uint32_t)(b->steps->brackets.size / sizeof(struct acre_bracket));
    for (size_t k = 0; k < count && !b->status; ++k) {
        struct acre_bracket bracket = product_bracket(x[k], y[k], imaginary);
        b->status = acre_buffer_append(&b->steps->brackets, &bracket, sizeof bracket);
    }
    add_step(b, step);
}

void acre_build_products(struct acre_builder *b, struct acre_entry result, const struct acre_entry *x,
                         const struct acre_entry *y, size_t count)
{
    product_step(b, result.re.component, x, y, count, false);
    if (result.is_complex)
        product_step(b, result.im.component, x, y, count, true);
}

static void linear_step(struct acre_builder *b, uint16_t result, enum acre_form form, struct acre_ref x,
                        struct acre_ref y)
{
    struct acre_step step = {
        .code = ACRE_STEP_LINEAR, .form = (uint16_t)form, .result = result, .a = x, .b = y};
    add_step(b, step);
}

void acre_build_sum(struct acre_builder *b, struct acre_entry result, struct acre_entry x, struct acre_entry y)
{
    linear_step(b, result.re.component, two_terms(x.minus_re, y.minus_re), x.re, y.re);
    if (x.is_complex && y.is_complex)
        linear_step(b, result.im.component, two_terms(x.minus_im, y.minus_im), x.im, y.im);
    else if (x.is_complex)
        linear_step(b, result.im.component, x.minus_im ? ACRE_FORM_MINUS : ACRE_FORM_PLUS, x.im, x.im);
    else if (y.is_complex)
        linear_step(b, result.im.component, y.minus_im ? ACRE_FORM_MINUS : ACRE_FORM_PLUS, y.im, y.im);
}

void acre_build_difference(struct acre_builder *b, struct acre_entry result, struct acre_entry x,
                           struct acre_entry y)
{
    acre_build_sum(b, result, x, acre_entry_negative(y));
}

void acre_build_copy(struct acre_builder *b, struct acre_entry result, struct acre_entry x)
{
    linear_step(b, result.re.component, x.minus_re ? ACRE_FORM_MINUS : ACRE_FORM_PLUS, x.re, x.re);
    if (result.is_complex && x.is_complex) {
        linear_step(b, result.im.component, x.minus_im ? ACRE_FORM_MINUS : ACRE_FORM_PLUS, x.im, x.im);
    } else if (result.is_complex) {
        struct acre_entry im = {.re = result.im};
        acre_build_constant(b, im, 0);
    }
}

void acre_build_constant(struct acre_builder *b, struct acre_entry result, int value)
{
    struct acre_step step = {.code = ACRE_STEP_CONSTANT,
                             .form = (uint16_t)value,
                             .result = result.re.component,
                             .a = result.re,
                             .b = result.re};
    add_step(b, step);
    if (result.is_complex) {
        step.form = 0;
        step.result = result.im.component;
        add_step(b, step);
    }
}

static void real_quotient(struct acre_builder *b, uint16_t result, struct acre_ref x, struct acre_ref y)
{
    struct acre_step step = {.code = ACRE_STEP_QUOTIENT, .result = result, .a = x, .b = y};
    add_step(b, step);
}

/* x / y = x conj(y) / |y|^2 for a complex y. */
void acre_build_quotient(struct acre_builder *b, struct acre_entry result, struct acre_entry x,
                         struct acre_entry y)
{
    struct acre_entry norm = y, upper = x;
    if (y.is_complex) {
        const struct acre_entry conjugate = acre_entry_conjugate(y);
        norm = acre_build_temporary(b, false);
        upper = acre_build_temporary(b, true);
        acre_build_products(b, norm, &conjugate, &y, 1);
        acre_build_products(b, upper, &x, &conjugate, 1);
    } else if (x.minus_im || x.minus_re || y.minus_re) {
        upper = acre_build_temporary(b, x.is_complex);
        acre_build_copy(b, upper, y.minus_re ? acre_entry_negative(x) : x);
    }
    real_quotient(b, result.re.component, upper.re, norm.re);
    if (result.is_complex)
        real_quotient(b, result.im.component, upper.im, norm.re);
}

void acre_build_root(struct acre_builder *b, struct acre_entry result, struct acre_entry x)
{
    struct acre_step step = {.code = ACRE_STEP_ROOT, .result = result.re.component, .a = x.re, .b = x.re};
    add_step(b, step);
}
