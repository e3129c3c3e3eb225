/* core/program/expand.h: the scalar expansion of each operation: what happens to single components, in which
 * order. This is the one definition of acre's arithmetic: the interpreter runs these steps over tiles of sites,
 * and so would anything else that computes. Sums start at the first product and go left to right; a complex
 * product is re = ar br - ai bi, im = ar bi + ai br; no step is ever contracted with another. */
#ifndef ACRE_CORE_PROGRAM_EXPAND_H
#define ACRE_CORE_PROGRAM_EXPAND_H

#include "core/base/buffer.h"
#include "core/program/program.h"

/* Where a component is: operand a, operand b, or the operation's own block: its result's components first, then
 * temporaries. */
enum acre_source_of { ACRE_FROM_A, ACRE_FROM_B, ACRE_FROM_OWN };
struct acre_ref {
    uint16_t source, component;
};

/* How one or two terms x, y make a bracket. Signs are folded in exactly: -(x) + y is y - x. */
enum acre_form {
    ACRE_FORM_PLUS,        /* x */
    ACRE_FORM_MINUS,       /* -x */
    ACRE_FORM_PLUS_PLUS,   /* x + y */
    ACRE_FORM_PLUS_MINUS,  /* x - y */
    ACRE_FORM_MINUS_PLUS,  /* y - x */
    ACRE_FORM_MINUS_MINUS, /* -x - y */
};

enum acre_step_code {
    ACRE_STEP_PRODUCTS, /* sum over brackets, each of products x = a0 b0, y = a1 b1, complete before it is added
                         */
    ACRE_STEP_LINEAR,   /* one bracket of x = a, y = b */
    ACRE_STEP_QUOTIENT, /* a / b */
    ACRE_STEP_ROOT,     /* sqrt(a) */
    ACRE_STEP_CONSTANT, /* 0 or 1 */
};

struct acre_bracket {
    uint16_t form;
    struct acre_ref a0, b0, a1, b1;
};

struct acre_step {
    uint16_t code, form, result; /* result: component of the own block; CONSTANT: form is its value */
    struct acre_ref a, b;
    uint32_t first_bracket, bracket_count;
};

struct acre_steps {
    struct acre_buffer steps, brackets;
    size_t block; /* components of the own block, temporaries included */
};

/* Expand an operation that computes (COPY to LOCAL_INNER, CONVERT excepted) on operands of the given types.
 * Errors: ACRE_ERR_OUT_OF_MEMORY, ACRE_ERR_OVERFLOW (too many components). */
acre_status acre_expand(const struct acre_op *op, struct acre_object a, struct acre_object b,
                        struct acre_steps *steps);
void acre_steps_free(struct acre_steps *steps);

static inline size_t acre_steps_count(const struct acre_steps *s)
{
    return s->steps.size / sizeof(struct acre_step);
}
static inline const struct acre_step *acre_steps_at(const struct acre_steps *s, size_t i)
{
    return (const struct acre_step *)(const void *)s->steps.data + i;
}
static inline const struct acre_bracket *acre_steps_bracket(const struct acre_steps *s, size_t i)
{
    return (const struct acre_bracket *)(const void *)s->brackets.data + i;
}

#endif
