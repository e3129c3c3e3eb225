/* core/memory/interval_map.h: which places hold the newest bytes of each part of an array: an ordered map of
 * disjoint byte intervals that cover [0, bytes), as a balanced (AVL) tree. */
#ifndef ACRE_CORE_MEMORY_INTERVAL_MAP_H
#define ACRE_CORE_MEMORY_INTERVAL_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acre/context.h"

struct acre_interval {
    size_t offset, bytes;
    struct acre_interval *left, *right; /* the tree; spare ones hang on `right` */
    int height;
    bool undefined;    /* never written: then no place has it */
    uint64_t places[]; /* bit set of the places that hold its newest bytes */
};

struct acre_interval_map {
    size_t bytes, words; /* words in a bit set */
    size_t count;        /* intervals in the tree */
    struct acre_interval *root, *spare;
    size_t spare_count;
    void *(*allocate)(size_t bytes); /* malloc, unless a test wants it to fail */
};

/* One interval, undefined; none at all when `bytes` is 0. */
acre_status acre_interval_map_init(struct acre_interval_map *map, size_t bytes, int place_count);
void acre_interval_map_free(struct acre_interval_map *map);

/* The interval that has byte `offset`; NULL beyond the last. The ones given out hold until the next change. */
const struct acre_interval *acre_interval_map_find(const struct acre_interval_map *map, size_t offset);
/* The one after; NULL after the last. */
const struct acre_interval *acre_interval_map_next(const struct acre_interval_map *map,
                                                   const struct acre_interval *interval);

static inline bool acre_interval_has(const struct acre_interval *interval, acre_place place)
{
    return interval->places[(size_t)place / 64] >> ((size_t)place % 64) & 1;
}

/* Have at least `nodes` spare intervals, so that later changes can't fail: each takes two at most. */
acre_status acre_interval_map_reserve(struct acre_interval_map *map, size_t nodes);

/* Add `place` to the places of every byte of [offset, offset + bytes), or make it their only one; they are
 * defined from then on. Intervals are split at the ends, and equal neighbours merged afterwards.
 * Errors: ACRE_ERR_OUT_OF_MEMORY; then the map is as it was. */
acre_status acre_interval_map_add(struct acre_interval_map *map, size_t offset, size_t bytes, acre_place place);
acre_status acre_interval_map_only(struct acre_interval_map *map, size_t offset, size_t bytes,
                                   acre_place place);

/* Are the intervals in order, without gaps, unlike their neighbours, the tree balanced and the counts right?
 * Errors: ACRE_ERR_ARGUMENT, the message says what is wrong and where. */
acre_status acre_interval_map_check(const struct acre_interval_map *map);

#endif
