/* core/lattice/traverse.h: walking sites in memory order, a run at a time. */
#ifndef ACRE_CORE_LATTICE_TRAVERSE_H
#define ACRE_CORE_LATTICE_TRAVERSE_H

#include "core/lattice/lattice.h"

/* For the `count` sites from place `first` on (in memory order; of one parity in checkerboard order), the
 * places of the sites displaced by `displacement`, whose entries lie in [0, extent). */
void acre_traverse_neighbours(const acre_lattice *lattice, const int64_t *displacement, int64_t first,
                              int64_t count, int64_t *places);

/* The parities (0, 1) of the `count` sites from place `first` on, in a lattice of lexicographic order. */
void acre_traverse_parities(const acre_lattice *lattice, int64_t first, int64_t count, uint8_t *parities);

#endif
