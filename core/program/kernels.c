/* core/program/kernels.c: portable loops over the sites of a tile. */
#include "core/program/kernels.h"

#include <math.h>
#include <string.h>

/* Integers wrap, so they are computed unsigned. */
#define WORD    float
#define NAME(x) float_##x
#include "core/program/kernels_word.h"
#undef WORD
#undef NAME
#define WORD    double
#define NAME(x) double_##x
#include "core/program/kernels_word.h"
#undef WORD
#undef NAME
#define WORD    uint32_t
#define NAME(x) int_##x
#include "core/program/kernels_word.h"
#undef WORD
#undef NAME
#define WORD    uint64_t
#define NAME(x) long_##x
#include "core/program/kernels_word.h"
#undef WORD
#undef NAME

void acre_kernel_products(enum acre_exec_word word, size_t n, void *result, const struct acre_planes *brackets,
                          size_t count, bool adds)
{
    switch (word) {
    case ACRE_EXEC_FLOAT:
        float_products(n, result, brackets, count, adds);
        break;
    case ACRE_EXEC_DOUBLE:
        double_products(n, result, brackets, count, adds);
        break;
    case ACRE_EXEC_INT:
        int_products(n, result, brackets, count, adds);
        break;
    default:
        long_products(n, result, brackets, count, adds);
        break;
    }
}

void acre_kernel_linear(enum acre_exec_word word, size_t n, void *result, enum acre_form form, const void *x,
                        const void *y)
{
    switch (word) {
    case ACRE_EXEC_FLOAT:
        float_linear(n, result, form, x, y);
        break;
    case ACRE_EXEC_DOUBLE:
        double_linear(n, result, form, x, y);
        break;
    case ACRE_EXEC_INT:
        int_linear(n, result, form, x, y);
        break;
    case ACRE_EXEC_LONG:
        long_linear(n, result, form, x, y);
        break;
    default: /* booleans and raw halves are only copied */
        memcpy(result, x, n * acre_exec_word_bytes(word));
        break;
    }
}

void acre_kernel_quotient(enum acre_exec_word word, size_t n, void *result, const void *x, const void *y)
{
    if (word == ACRE_EXEC_FLOAT) {
        float *restrict r = result;
        const float *a = x, *b = y;
        for (size_t i = 0; i < n; ++i)
            r[i] = a[i] / b[i];
    } else if (word == ACRE_EXEC_DOUBLE) {
        double *restrict r = result;
        const double *a = x, *b = y;
        for (size_t i = 0; i < n; ++i)
            r[i] = a[i] / b[i];
    } else if (word == ACRE_EXEC_INT) {
        int32_t *r = result;
        const int32_t *a = x, *b = y;
        for (size_t i = 0; i < n; ++i)
            r[i] = b[i] == 0 ? 0 : b[i] == -1 ? (int32_t)(0u - (uint32_t)a[i]) : a[i] / b[i];
    }
}

void acre_kernel_root(enum acre_exec_word word, size_t n, void *result, const void *x)
{
    if (word == ACRE_EXEC_FLOAT) {
        float *restrict r = result;
        const float *a = x;
        for (size_t i = 0; i < n; ++i)
            r[i] = sqrtf(a[i]);
    } else {
        double *restrict r = result;
        const double *a = x;
        for (size_t i = 0; i < n; ++i)
            r[i] = sqrt(a[i]);
    }
}

#define FILL(type, value)                                                                                      \
    do {                                                                                                       \
        type *r = result;                                                                                      \
        const type v = (type)(value);                                                                          \
        for (size_t i = 0; i < n; ++i)                                                                         \
            r[i] = v;                                                                                          \
    } while (0)

void acre_kernel_fill(enum acre_exec_word word, size_t n, void *result, union acre_number number, bool is_whole)
{
    switch (word) {
    case ACRE_EXEC_FLOAT:
        if (is_whole)
            FILL(float, number.whole);
        else
            FILL(float, number.real);
        break;
    case ACRE_EXEC_DOUBLE:
        if (is_whole)
            FILL(double, number.whole);
        else
            FILL(double, number.real);
        break;
    case ACRE_EXEC_INT:
        FILL(int32_t, number.whole);
        break;
    case ACRE_EXEC_LONG:
        FILL(int64_t, number.whole);
        break;
    case ACRE_EXEC_BOOL:
        FILL(uint8_t, number.whole != 0);
        break;
    default:
        FILL(uint16_t, 0);
        break;
    }
}

#define CONVERT(from_type, to_type)                                                                            \
    do {                                                                                                       \
        to_type *restrict r = result;                                                                          \
        const from_type *a = x;                                                                                \
        for (size_t i = 0; i < n; ++i)                                                                         \
            r[i] = (to_type)a[i];                                                                              \
    } while (0)

void acre_kernel_convert(enum acre_exec_word from, enum acre_exec_word to, size_t n, const void *x,
                         void *result)
{
    if (from == ACRE_EXEC_FLOAT)
        CONVERT(float, double);
    else if (from == ACRE_EXEC_DOUBLE)
        CONVERT(double, float);
    else if (from == ACRE_EXEC_BOOL)
        CONVERT(uint8_t, int64_t);
    else if (from == ACRE_EXEC_LONG)
        CONVERT(int64_t, double);
    else if (to == ACRE_EXEC_FLOAT)
        CONVERT(int32_t, float);
    else if (to == ACRE_EXEC_DOUBLE)
        CONVERT(int32_t, double);
    else
        CONVERT(int32_t, int64_t);
}

#define GATHER(type)                                                                                           \
    do {                                                                                                       \
        type *restrict r = result;                                                                             \
        const type *a = from;                                                                                  \
        if (places)                                                                                            \
            for (size_t i = 0; i < n; ++i)                                                                     \
                r[i] = a[(size_t)places[i] * stride];                                                          \
        else if (stride == 1)                                                                                  \
            memcpy(r, a + first, n * sizeof *r);                                                               \
        else                                                                                                   \
            for (size_t i = 0; i < n; ++i)                                                                     \
                r[i] = a[((size_t)first + i) * stride];                                                        \
    } while (0)

void acre_kernel_gather(size_t bytes, size_t n, const void *from, size_t stride, int64_t first,
                        const int64_t *places, void *result)
{
    switch (bytes) {
    case 1:
        GATHER(uint8_t);
        break;
    case 2:
        GATHER(uint16_t);
        break;
    case 4:
        GATHER(uint32_t);
        break;
    default:
        GATHER(uint64_t);
        break;
    }
}

#define SCATTER(type)                                                                                          \
    do {                                                                                                       \
        type *r = to;                                                                                          \
        const type *a = x;                                                                                     \
        if (mask)                                                                                              \
            for (size_t i = 0; i < n; ++i) {                                                                   \
                if (mask[i] == wanted)                                                                         \
                    r[((size_t)first + i) * stride] = a[i];                                                    \
            }                                                                                                  \
        else if (stride == 1)                                                                                  \
            memcpy(r + first, a, n * sizeof *r);                                                               \
        else                                                                                                   \
            for (size_t i = 0; i < n; ++i)                                                                     \
                r[((size_t)first + i) * stride] = a[i];                                                        \
    } while (0)

void acre_kernel_scatter(size_t bytes, size_t n, const void *x, void *to, size_t stride, int64_t first,
                         const uint8_t *mask, uint8_t wanted)
{
    switch (bytes) {
    case 1:
        SCATTER(uint8_t);
        break;
    case 2:
        SCATTER(uint16_t);
        break;
    case 4:
        SCATTER(uint32_t);
        break;
    default:
        SCATTER(uint64_t);
        break;
    }
}
