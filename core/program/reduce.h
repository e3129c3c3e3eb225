/* core/program/reduce.h: sums over sites with one result whatever the threads, the site order and the subset.
 *
 * Every site has a term, a double (or an int64, whose sums don't depend on order). Leaf j covers the
 * lexicographic sites [2048 j, 2048 (j + 1)); a site outside the lattice or the subset has the term +0.0. In a
 * leaf s[m] = t[2m] + t[2m+1], 256 lanes take w[m mod 256] += s[m] in ascending m, and halve: w[l] += w[l + h]
 * for h = 128, 64 … 1. Leaf sums, in order, are the terms of the next level, until one is left. */
#ifndef ACRE_CORE_PROGRAM_REDUCE_H
#define ACRE_CORE_PROGRAM_REDUCE_H

#include "core/program/program.h"

enum { ACRE_LEAF_SITES = 2048 };

/* The sum of one leaf's 2048 terms. */
double acre_reduce_leaf(const double *terms);
int64_t acre_reduce_leaf_whole(const int64_t *terms);

/* From the sums of `count` leaves to the one of all; the sums are overwritten. */
union acre_number acre_reduce_leaves(union acre_number *sums, size_t count, bool is_whole);

#endif
