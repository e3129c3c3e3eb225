/* core/program/kernels.h: loops over the sites of a tile, one component at a time. Inputs and outputs are
 * planes of `n` words and never overlap, except that an input may be another input, and that of
 * acre_kernel_linear the output. */
#ifndef ACRE_CORE_PROGRAM_KERNELS_H
#define ACRE_CORE_PROGRAM_KERNELS_H

#include "core/program/expand.h"

/* A bracket with its planes. */
struct acre_planes {
    enum acre_form form;
    const void *a0, *b0, *a1, *b1;
};

/* The sum of the brackets, left to right; with `adds` it starts from what is in `result`. Integers wrap;
 * integer / 0 is 0. */
void acre_kernel_products(enum acre_exec_word word, size_t n, void *result, const struct acre_planes *brackets,
                          size_t count, bool adds);
void acre_kernel_linear(enum acre_exec_word word, size_t n, void *result, enum acre_form form, const void *x,
                        const void *y);
void acre_kernel_quotient(enum acre_exec_word word, size_t n, void *result, const void *x, const void *y);
void acre_kernel_root(enum acre_exec_word word, size_t n, void *result, const void *x);
void acre_kernel_fill(enum acre_exec_word word, size_t n, void *result, union acre_number number,
                      bool is_whole);

/* To a word that takes all values of the other, or from double to float, rounding once. */
void acre_kernel_convert(enum acre_exec_word from, enum acre_exec_word to, size_t n, const void *x,
                         void *result);

/* Elements of `bytes` bytes (1, 2, 4, 8) at first, first + 1 … or at places[0], places[1] …, times a stride. */
void acre_kernel_gather(size_t bytes, size_t n, const void *from, size_t stride, int64_t first,
                        const int64_t *places, void *result);
/* To first, first + 1 …, times a stride; where mask is given only the sites whose mask is `wanted`. */
void acre_kernel_scatter(size_t bytes, size_t n, const void *x, void *to, size_t stride, int64_t first,
                         const uint8_t *mask, uint8_t wanted);

#endif
