/* core/lattice/half.c: conversions to and from binary16 in plain C, without branches or table look-ups, so that
 * compilers turn the run functions into SIMD code on any processor. */
#include "core/lattice/half.h"

#include <string.h>

/* In binary16 the exponent is biased by 15, in float by 127, in double by 1023. */
enum {
    HALF_INFINITY = 0x7c00,
    HALF_QUIET = 0x7e00,
    FLOAT_REBIAS = 127 - 15,
    DOUBLE_REBIAS = 1023 - 15,
};

static inline uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static inline float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline uint64_t bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* a where x < y, else b: by masks, as compilers may otherwise branch. The comparison is one of signed numbers,
 * as vector units have no other. */
static inline uint32_t choose(int32_t x, int32_t y, uint32_t a, uint32_t b)
{
    uint32_t mask = -(uint32_t)(x < y);
    return b ^ ((a ^ b) & mask);
}

static inline float half_to_float(uint16_t half)
{
    int32_t magnitude = half & 0x7fff;
    uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    /* Infinity and NaN move their exponent up a second time, to all ones. */
    uint32_t rebias = choose(magnitude, HALF_INFINITY, FLOAT_REBIAS << 23, FLOAT_REBIAS << 24);
    uint32_t normal = ((uint32_t)magnitude << 13) + rebias;
    uint32_t subnormal = bits_of_float((float)magnitude * 0x1p-24f);
    return float_of_bits(sign | choose(magnitude, 0x0400, subnormal, normal));
}

static inline uint16_t half_from_float(float value)
{
    uint32_t bits = bits_of_float(value);
    int32_t magnitude = (int32_t)(bits & 0x7fffffff);
    /* Ties go to even: add just under half a unit, and the last bit kept. What rounds up beyond the largest
     * number carries into the exponent; more than that is cut to infinity. */
    int32_t rounded = (int32_t)(((uint32_t)magnitude + 0x0fff + ((magnitude >> 13) & 1)) >> 13);
    int32_t normal = rounded - (FLOAT_REBIAS << 10);
    uint32_t half = choose(HALF_INFINITY, normal, HALF_INFINITY, (uint32_t)normal);
    /* Beside 1/2 the unit in the last place of a float is 2^-24, the smallest half: the sum rounds right. */
    uint32_t subnormal = bits_of_float(__builtin_fabsf(value) + 0.5f) - 0x3f000000;
    uint32_t nan = HALF_QUIET | ((uint32_t)(magnitude >> 13) & 0x03ff);
    half = choose(magnitude, 0x38800000, subnormal, half);
    half = choose(0x7f800000, magnitude, nan, half);
    return (uint16_t)(half | ((bits >> 16) & 0x8000));
}

static inline uint16_t half_from_double(double value)
{
    uint64_t bits = bits_of_double(value);
    uint32_t high = (uint32_t)(bits >> 32), low = (uint32_t)bits;
    /* The upper word has ten bits of mantissa more than a half; all that the lower word can add to the
     * rounding is whether something is left, and the last bit of the upper one can say that. */
    int32_t magnitude = (int32_t)((high & 0x7fffffff) | (low != 0));
    int32_t rounded = (int32_t)(((uint32_t)magnitude + 0x01ff + ((magnitude >> 10) & 1)) >> 10);
    int32_t normal = rounded - (DOUBLE_REBIAS << 10);
    uint32_t half = choose(HALF_INFINITY, normal, HALF_INFINITY, (uint32_t)normal);
    /* Beside 2^28 the unit in the last place of a double is 2^-24. */
    uint32_t subnormal = (uint32_t)bits_of_double(__builtin_fabs(value) + 0x1p28);
    uint32_t nan = HALF_QUIET | ((uint32_t)(magnitude >> 10) & 0x03ff);
    half = choose(magnitude, 0x3f100000, subnormal, half);
    half = choose(0x7ff00000, magnitude, nan, half);
    return (uint16_t)(half | ((high >> 16) & 0x8000));
}

float acre_half_to_float(uint16_t half)
{
    return half_to_float(half);
}

double acre_half_to_double(uint16_t half)
{
    return (double)half_to_float(half);
}

uint16_t acre_half_from_float(float value)
{
    return half_from_float(value);
}

uint16_t acre_half_from_double(double value)
{
    return half_from_double(value);
}

void acre_halves_to_floats(const uint16_t *restrict from, float *restrict to, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        to[i] = half_to_float(from[i]);
}

void acre_halves_to_doubles(const uint16_t *restrict from, double *restrict to, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        to[i] = (double)half_to_float(from[i]);
}

void acre_halves_from_floats(const float *restrict from, uint16_t *restrict to, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        to[i] = half_from_float(from[i]);
}

void acre_halves_from_doubles(const double *restrict from, uint16_t *restrict to, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        to[i] = half_from_double(from[i]);
}
