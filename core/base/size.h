/* core/base/size.h: sizes that can't overflow silently. */
#ifndef ACRE_CORE_BASE_SIZE_H
#define ACRE_CORE_BASE_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* *product = a * b; false (and *product untouched) when it does not fit. */
static inline bool acre_size_multiply(size_t a, size_t b, size_t *product)
{
    size_t r;
    if (__builtin_mul_overflow(a, b, &r))
        return false;
    *product = r;
    return true;
}

static inline bool acre_size_add(size_t a, size_t b, size_t *sum)
{
    size_t r;
    if (__builtin_add_overflow(a, b, &r))
        return false;
    *sum = r;
    return true;
}

#endif
