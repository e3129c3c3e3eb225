/* core/lattice/half.h: IEEE binary16 to and from float and double, rounding to nearest, ties to even, straight
 * from the given precision. Subnormals are kept, overflow gives infinity, NaN stays NaN, zeros keep their sign.
 */
#ifndef ACRE_CORE_LATTICE_HALF_H
#define ACRE_CORE_LATTICE_HALF_H

#include <stddef.h>
#include <stdint.h>

float acre_half_to_float(uint16_t half);
double acre_half_to_double(uint16_t half);
uint16_t acre_half_from_float(float value);
uint16_t acre_half_from_double(double value);

/* The same over runs; `from` and `to` don't overlap. */
void acre_halves_to_floats(const uint16_t *from, float *to, size_t count);
void acre_halves_to_doubles(const uint16_t *from, double *to, size_t count);
void acre_halves_from_floats(const float *from, uint16_t *to, size_t count);
void acre_halves_from_doubles(const double *from, uint16_t *to, size_t count);

#endif
