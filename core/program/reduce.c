/* core/program/reduce.c: the fixed tree of sums. */
#include "core/program/reduce.h"

#include <string.h>

enum { LANES = 256 };

double acre_reduce_leaf(const double *terms)
{
    double lanes[LANES] = {0};
    for (size_t m = 0; m < ACRE_LEAF_SITES / 2; m += LANES)
        for (size_t l = 0; l < LANES; ++l)
            lanes[l] += terms[2 * (m + l)] + terms[2 * (m + l) + 1];
    for (size_t h = LANES / 2; h > 0; h /= 2)
        for (size_t l = 0; l < h; ++l)
            lanes[l] += lanes[l + h];
    return lanes[0];
}

int64_t acre_reduce_leaf_whole(const int64_t *terms)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < ACRE_LEAF_SITES; ++i)
        sum += (uint64_t)terms[i];
    return (int64_t)sum;
}

static union acre_number reduce_some(const union acre_number *terms, size_t count, bool is_whole)
{
    union acre_number sum;
    if (is_whole) {
        int64_t padded[ACRE_LEAF_SITES] = {0};
        for (size_t i = 0; i < count; ++i)
            padded[i] = terms[i].whole;
        sum.whole = acre_reduce_leaf_whole(padded);
    } else {
        double padded[ACRE_LEAF_SITES] = {0};
        for (size_t i = 0; i < count; ++i)
            padded[i] = terms[i].real;
        sum.real = acre_reduce_leaf(padded);
    }
    return sum;
}

union acre_number acre_reduce_leaves(union acre_number *sums, size_t count, bool is_whole)
{
    while (count > 1) {
        const size_t next = (count + ACRE_LEAF_SITES - 1) / ACRE_LEAF_SITES;
        for (size_t j = 0; j < next; ++j) {
            const size_t begin = j * ACRE_LEAF_SITES, rest = count - begin;
            sums[j] = reduce_some(sums + begin, rest < ACRE_LEAF_SITES ? rest : ACRE_LEAF_SITES, is_whole);
        }
        count = next;
    }
    return sums[0];
}
