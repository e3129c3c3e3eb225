/* core/program/random.h: counter-based random numbers, Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel
 * random numbers: as easy as 1, 2, 3", SC11). key = seed, counter = (lexicographic site low, high, component
 * block, draw): the same numbers whatever the order in memory, the threads and the subset. */
#ifndef ACRE_CORE_PROGRAM_RANDOM_H
#define ACRE_CORE_PROGRAM_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#include "core/program/object.h"

void acre_philox(uint64_t key, const uint32_t counter[4], uint32_t words[4]);

/* Uniform numbers in (0, 1), never 0 or 1, for `count` components of each of the n sites with these
 * lexicographic indices. Floats take one word each, (w >> 9 + 1/2) 2^-23; doubles two, low word first, (w >> 12
 * + 1/2) 2^-52; a component block is 4 floats or 2 doubles. planes[k] has component k. */
void acre_random_uniform(enum acre_exec_word word, size_t n, const int64_t *sites, uint64_t seed, uint32_t draw,
                         size_t count, void *const *planes);

#endif
