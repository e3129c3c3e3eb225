/* core/memory/interval_map.h: which places hold the newest bytes of each part of an array, and what is under
 * way there: an ordered map of disjoint byte intervals that cover [0, bytes), as a balanced (AVL) tree. */
#ifndef ACRE_CORE_MEMORY_INTERVAL_MAP_H
#define ACRE_CORE_MEMORY_INTERVAL_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acre/context.h"
#include "core/memory/event.h"

/* What is under way is noted by events, each held; NULL where there is none. */
struct acre_interval {
    size_t offset, bytes;
    struct acre_interval *left, *right; /* the tree; spare ones hang on `right` */
    int height;
    bool undefined;          /* never written: then no place has it */
    unsigned in_flight;      /* how many of `events` are there */
    struct acre_event *lost; /* what failed, when its bytes are at no place any more */
    uint64_t *places;        /* bit set of the places that hold its newest bytes */
    /* The kernel that makes its bytes; of each place the work which brings them there; of each place and queue
     * the latest work that touches the place's memory. */
    struct acre_event *events[];
};

struct acre_interval_map {
    size_t bytes, words; /* words in a bit set */
    size_t place_count, queue_count;
    size_t count;          /* intervals in the tree */
    size_t in_flight;      /* those with events */
    size_t host_bytes;     /* at the host, and arrived there */
    size_t unwritten, bad; /* bytes that are undefined, and lost */
    struct acre_interval *root, *spare;
    size_t spare_count;
    void *(*allocate)(size_t bytes); /* malloc, unless a test wants it to fail */
};

/* One interval, undefined; none at all when `bytes` is 0. */
acre_status acre_interval_map_init(struct acre_interval_map *map, size_t bytes, int place_count,
                                   size_t queue_count);
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
/* Has any place but this one its bytes? */
bool acre_interval_has_other(const struct acre_interval_map *map, const struct acre_interval *interval,
                             acre_place place);

static inline struct acre_event *acre_interval_content(const struct acre_interval *interval)
{
    return interval->events[0];
}
static inline struct acre_event *acre_interval_arrival(const struct acre_interval *interval, acre_place place)
{
    return interval->events[1 + (size_t)place];
}
static inline struct acre_event *acre_interval_touch(const struct acre_interval_map *map,
                                                     const struct acre_interval *interval, acre_place place,
                                                     size_t queue)
{
    return interval->events[1 + map->place_count + (size_t)place * map->queue_count + queue];
}

/* Would they be one if they were neighbours? */
bool acre_interval_alike(const struct acre_interval_map *map, const struct acre_interval *a,
                         const struct acre_interval *b);

/* Have at least `nodes` spare intervals, so that later changes can't fail: each takes two at most. */
acre_status acre_interval_map_reserve(struct acre_interval_map *map, size_t nodes);

/* Changes of the bytes [offset, offset + bytes). Intervals are split at the ends, and equal neighbours merged
 * afterwards. Errors: ACRE_ERR_OUT_OF_MEMORY; then the map is as it was. */

/* `place` has them too; the event brings them there (NULL: they are there). Undefined ones become defined. */
acre_status acre_interval_map_add(struct acre_interval_map *map, size_t offset, size_t bytes, acre_place place,
                                  struct acre_event *event);
/* `place` alone has them: they are new, made by the event (NULL: they are there). */
acre_status acre_interval_map_only(struct acre_interval_map *map, size_t offset, size_t bytes, acre_place place,
                                   struct acre_event *event);
/* The event uses the place's memory. */
acre_status acre_interval_map_touch(struct acre_interval_map *map, size_t offset, size_t bytes,
                                    acre_place place, struct acre_event *event);
/* `place` has them no more. */
acre_status acre_interval_map_drop(struct acre_interval_map *map, size_t offset, size_t bytes,
                                   acre_place place);

/* Take in what events in [offset, offset + bytes) are known to have become: those that went well are forgotten.
 * A kernel that failed takes the bytes it made with it; a copy that failed the place that it was to bring them
 * to. `fallen` (may be NULL) is called for the latter, and for the former with `lost`; the interval is as it
 * was. */
typedef void acre_interval_fallen(void *user, const struct acre_interval *interval, acre_place place, bool lost,
                                  struct acre_event *event);
void acre_interval_map_settle(struct acre_interval_map *map, size_t offset, size_t bytes,
                              acre_interval_fallen *fallen, void *user);

/* Are the intervals in order, without gaps, unlike their neighbours, the tree balanced and the counts right?
 * Errors: ACRE_ERR_ARGUMENT, the message says what is wrong and where. */
acre_status acre_interval_map_check(const struct acre_interval_map *map);

#endif
