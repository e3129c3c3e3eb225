/* core/program/kernels_word.h: arithmetic loops for one word; included by kernels.c once a word, with WORD the
 * C type and NAME(x) making names. Planar loops: each step is rounded by itself, nothing is contracted. */

static inline __attribute__((always_inline)) WORD NAME(bracket)(enum acre_form form, WORD x, WORD y)
{
    switch (form) {
    case ACRE_FORM_PLUS:
        return x;
    case ACRE_FORM_MINUS:
        return -x;
    case ACRE_FORM_PLUS_PLUS:
        return x + y;
    case ACRE_FORM_PLUS_MINUS:
        return x - y;
    case ACRE_FORM_MINUS_PLUS:
        return y - x;
    default:
        return -x - y;
    }
}

/* One loop for `count` brackets of one form, known at compile time. */
static inline __attribute__((always_inline)) void NAME(product_loop)(size_t n, WORD *restrict result,
                                                                     enum acre_form form,
                                                                     const struct acre_planes *p, int count,
                                                                     bool adds)
{
    const WORD *a0[3], *b0[3], *a1[3], *b1[3];
    for (int k = 0; k < 3; ++k) {
        const struct acre_planes *q = &p[k < count ? k : 0];
        a0[k] = q->a0, b0[k] = q->b0, a1[k] = q->a1, b1[k] = q->b1;
    }
    const bool two = form > ACRE_FORM_MINUS;
#pragma omp simd
    for (size_t i = 0; i < n; ++i) {
        WORD sum = NAME(bracket)(form, a0[0][i] * b0[0][i], two ? a1[0][i] * b1[0][i] : 0);
        if (adds)
            sum = result[i] + sum;
        if (count > 1)
            sum = sum + NAME(bracket)(form, a0[1][i] * b0[1][i], two ? a1[1][i] * b1[1][i] : 0);
        if (count > 2)
            sum = sum + NAME(bracket)(form, a0[2][i] * b0[2][i], two ? a1[2][i] * b1[2][i] : 0);
        result[i] = sum;
    }
}

static void NAME(product_group)(size_t n, WORD *result, const struct acre_planes *p, int count, bool adds)
{
#define CASE(form)                                                                                             \
    case form:                                                                                                 \
        if (count == 3 && adds)                                                                                \
            NAME(product_loop)(n, result, form, p, 3, true);                                                   \
        else if (count == 3)                                                                                   \
            NAME(product_loop)(n, result, form, p, 3, false);                                                  \
        else if (adds)                                                                                         \
            NAME(product_loop)(n, result, form, p, 1, true);                                                   \
        else                                                                                                   \
            NAME(product_loop)(n, result, form, p, 1, false);                                                  \
        break;
    switch (p->form) {
        CASE(ACRE_FORM_PLUS)
        CASE(ACRE_FORM_MINUS)
        CASE(ACRE_FORM_PLUS_PLUS)
        CASE(ACRE_FORM_PLUS_MINUS)
        CASE(ACRE_FORM_MINUS_PLUS)
        CASE(ACRE_FORM_MINUS_MINUS)
    }
#undef CASE
}

static void NAME(products)(size_t n, WORD *result, const struct acre_planes *p, size_t count, bool adds)
{
    for (size_t k = 0; k < count;) {
        const bool alike = count - k >= 3 && p[k + 1].form == p[k].form && p[k + 2].form == p[k].form;
        NAME(product_group)(n, result, p + k, alike ? 3 : 1, adds || k > 0);
        k += alike ? 3 : 1;
    }
}

/* The result may be an operand: each site is read before it is written. */
static void NAME(linear)(size_t n, WORD *result, enum acre_form form, const WORD *x, const WORD *y)
{
#define CASE(form)                                                                                             \
    case form:                                                                                                 \
        _Pragma("omp simd") for (size_t i = 0; i < n; ++i) result[i] = NAME(bracket)(form, x[i], y[i]);        \
        break;
    switch (form) {
        CASE(ACRE_FORM_PLUS)
        CASE(ACRE_FORM_MINUS)
        CASE(ACRE_FORM_PLUS_PLUS)
        CASE(ACRE_FORM_PLUS_MINUS)
        CASE(ACRE_FORM_MINUS_PLUS)
        CASE(ACRE_FORM_MINUS_MINUS)
    }
#undef CASE
}
