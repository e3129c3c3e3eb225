/* core/memory/interval_map.c: the interval map: its intervals, the events they hold, and what changes them.
 * Nodes taken out of the tree are kept as spares, so a change that has its nodes reserved can't fail half-way.
 */
#include "core/memory/interval_map.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "core/memory/interval_tree.h"
#include "core/memory/memory.h"

static size_t event_count(const struct acre_interval_map *map)
{
    return 1 + map->place_count * (1 + map->queue_count);
}

static size_t node_bytes(const struct acre_interval_map *map)
{
    return sizeof(struct acre_interval) + event_count(map) * sizeof(struct acre_event *) +
           map->words * sizeof(uint64_t);
}

/* Spares. */

static void put_spare(struct acre_interval_map *map, struct acre_interval *node)
{
    node->right = map->spare;
    map->spare = node;
    ++map->spare_count;
}

static struct acre_interval *take_spare(struct acre_interval_map *map)
{
    struct acre_interval *node = map->spare;
    map->spare = node->right;
    --map->spare_count;
    memset(node, 0, node_bytes(map));
    node->places = (uint64_t *)(void *)&node->events[event_count(map)];
    node->height = 1;
    return node;
}

acre_status acre_interval_map_reserve(struct acre_interval_map *map, size_t nodes)
{
    while (map->spare_count < nodes) {
        struct acre_interval *node = map->allocate(node_bytes(map));
        if (!node)
            return acre_fail_memory(node_bytes(map));
        put_spare(map, node);
    }
    return ACRE_OK;
}

/* What the map counts over its intervals. */

static bool is_at_host(const struct acre_interval *node)
{
    return acre_interval_has(node, ACRE_PLACE_HOST) && !acre_interval_arrival(node, ACRE_PLACE_HOST);
}

static void count_in(struct acre_interval_map *map, const struct acre_interval *node)
{
    map->in_flight += node->in_flight > 0;
    map->host_bytes += is_at_host(node) ? node->bytes : 0;
    map->unwritten += node->undefined ? node->bytes : 0;
    map->bad += node->lost ? node->bytes : 0;
}

static void count_out(struct acre_interval_map *map, const struct acre_interval *node)
{
    map->in_flight -= node->in_flight > 0;
    map->host_bytes -= is_at_host(node) ? node->bytes : 0;
    map->unwritten -= node->undefined ? node->bytes : 0;
    map->bad -= node->lost ? node->bytes : 0;
}

/* Events. */

static void set_event(struct acre_interval *node, struct acre_event **slot, struct acre_event *event)
{
    struct acre_event *old = *slot;
    if (old == event)
        return;
    node->in_flight += event != NULL;
    node->in_flight -= old != NULL;
    *slot = acre_event_hold(event);
    acre_event_drop(old);
}

static void set_lost(struct acre_interval *node, struct acre_event *event)
{
    struct acre_event *old = node->lost;
    node->lost = acre_event_hold(event);
    acre_event_drop(old);
}

static struct acre_event **arrival_of(struct acre_interval *node, acre_place place)
{
    return &node->events[1 + (size_t)place];
}

static struct acre_event **touch_of(const struct acre_interval_map *map, struct acre_interval *node,
                                    acre_place place, const struct acre_event *event)
{
    return &node->events[1 + map->place_count + (size_t)place * map->queue_count + event->queue->index];
}

static void note_touch(const struct acre_interval_map *map, struct acre_interval *node, acre_place place,
                       struct acre_event *event)
{
    if (event && !event->done)
        set_event(node, touch_of(map, node, place, event), event);
}

static void let_events_go(const struct acre_interval_map *map, struct acre_interval *node)
{
    set_lost(node, NULL);
    for (size_t i = 0; node->in_flight > 0 && i < event_count(map); ++i)
        set_event(node, &node->events[i], NULL);
}

/* The map. */

acre_status acre_interval_map_init(struct acre_interval_map *map, size_t bytes, int place_count,
                                   size_t queue_count)
{
    *map = (struct acre_interval_map){
        .bytes = bytes,
        .words = ((size_t)place_count + 63) / 64,
        .place_count = (size_t)place_count,
        .queue_count = queue_count,
        .allocate = malloc,
    };
    if (bytes == 0)
        return ACRE_OK;
    ACRE_TRY(acre_interval_map_reserve(map, 1));
    map->root = take_spare(map);
    map->root->bytes = bytes;
    map->root->undefined = true;
    map->count = 1;
    count_in(map, map->root);
    return ACRE_OK;
}

static void free_tree(struct acre_interval_map *map, struct acre_interval *top)
{
    if (!top)
        return;
    free_tree(map, top->left);
    free_tree(map, top->right);
    let_events_go(map, top);
    free(top);
}

void acre_interval_map_free(struct acre_interval_map *map)
{
    free_tree(map, map->root);
    while (map->spare) {
        struct acre_interval *next = map->spare->right;
        free(map->spare);
        map->spare = next;
    }
    *map = (struct acre_interval_map){0};
}

static struct acre_interval *find(const struct acre_interval_map *map, size_t offset)
{
    return acre_interval_tree_find(map->root, offset);
}

const struct acre_interval *acre_interval_map_find(const struct acre_interval_map *map, size_t offset)
{
    return find(map, offset);
}

const struct acre_interval *acre_interval_map_next(const struct acre_interval_map *map,
                                                   const struct acre_interval *interval)
{
    return find(map, interval->offset + interval->bytes);
}

bool acre_interval_has_other(const struct acre_interval_map *map, const struct acre_interval *interval,
                             acre_place place)
{
    for (size_t i = 0; i < map->words; ++i) {
        uint64_t word = interval->places[i];
        if (i == (size_t)place / 64)
            word &= ~(UINT64_C(1) << ((size_t)place % 64));
        if (word)
            return true;
    }
    return false;
}

bool acre_interval_alike(const struct acre_interval_map *map, const struct acre_interval *a,
                         const struct acre_interval *b)
{
    return a->undefined == b->undefined && a->lost == b->lost && a->in_flight == b->in_flight &&
           memcmp(a->places, b->places, map->words * sizeof(uint64_t)) == 0 &&
           (a->in_flight == 0 ||
            memcmp(a->events, b->events, event_count(map) * sizeof(struct acre_event *)) == 0);
}

/* Let an interval begin at `offset`, with a spare if need be. */
static void split(struct acre_interval_map *map, size_t offset)
{
    struct acre_interval *node = find(map, offset);
    if (!node || node->offset == offset)
        return;
    struct acre_interval *second = take_spare(map);
    count_out(map, node);
    second->offset = offset;
    second->bytes = node->offset + node->bytes - offset;
    second->undefined = node->undefined;
    memcpy(second->places, node->places, map->words * sizeof(uint64_t));
    set_lost(second, node->lost);
    for (size_t i = 0; second->in_flight < node->in_flight; ++i)
        set_event(second, &second->events[i], node->events[i]);
    node->bytes -= second->bytes;
    count_in(map, node);
    count_in(map, second);
    map->root = acre_interval_tree_insert(map->root, second);
    ++map->count;
}

/* Merge equal neighbours from the interval before `begin` to the one that begins at `end`. */
static void merge(struct acre_interval_map *map, size_t begin, size_t end)
{
    struct acre_interval *node = find(map, begin ? begin - 1 : 0);
    if (!node)
        return;
    for (;;) {
        struct acre_interval *next = find(map, node->offset + node->bytes);
        if (!next || next->offset > end)
            return;
        if (!acre_interval_alike(map, node, next)) {
            node = next;
            continue;
        }
        count_out(map, node);
        count_out(map, next);
        map->root = acre_interval_tree_take(map->root, next);
        node->bytes += next->bytes;
        let_events_go(map, next);
        put_spare(map, next);
        count_in(map, node);
        --map->count;
    }
}

/* Changes: what each does to one interval. */

typedef void change(const struct acre_interval_map *map, struct acre_interval *node, acre_place place,
                    struct acre_event *event);

static acre_status apply(struct acre_interval_map *map, size_t offset, size_t bytes, acre_place place,
                         struct acre_event *event, change *what)
{
    if (bytes == 0)
        return ACRE_OK;
    ACRE_TRY(acre_interval_map_reserve(map, 2));
    const size_t end = offset + bytes;
    split(map, offset);
    split(map, end);
    for (struct acre_interval *node = find(map, offset); node && node->offset < end;
         node = find(map, node->offset + node->bytes)) {
        count_out(map, node);
        what(map, node, place, event);
        count_in(map, node);
    }
    merge(map, offset, end);
    return ACRE_OK;
}

static void set_bit(struct acre_interval *node, acre_place place)
{
    node->places[(size_t)place / 64] |= UINT64_C(1) << ((size_t)place % 64);
}

static void clear_bit(struct acre_interval *node, acre_place place)
{
    node->places[(size_t)place / 64] &= ~(UINT64_C(1) << ((size_t)place % 64));
}

static void clear_bits(const struct acre_interval_map *map, struct acre_interval *node)
{
    memset(node->places, 0, map->words * sizeof(uint64_t));
    for (acre_place place = 0; node->in_flight > 0 && place < (acre_place)map->place_count; ++place)
        set_event(node, arrival_of(node, place), NULL);
}

static void add(const struct acre_interval_map *map, struct acre_interval *node, acre_place place,
                struct acre_event *event)
{
    set_bit(node, place);
    node->undefined = false;
    set_lost(node, NULL);
    set_event(node, arrival_of(node, place), event);
    note_touch(map, node, place, event);
}

static void only(const struct acre_interval_map *map, struct acre_interval *node, acre_place place,
                 struct acre_event *event)
{
    clear_bits(map, node);
    set_event(node, &node->events[0], event);
    add(map, node, place, event);
}

static void drop(const struct acre_interval_map *map, struct acre_interval *node, acre_place place,
                 struct acre_event *event)
{
    (void)map;
    (void)event;
    clear_bit(node, place);
    set_event(node, arrival_of(node, place), NULL);
}

static void lose(const struct acre_interval_map *map, struct acre_interval *node, acre_place place,
                 struct acre_event *event)
{
    (void)place;
    clear_bits(map, node);
    node->undefined = false;
    set_lost(node, event);
    set_event(node, &node->events[0], NULL);
}

acre_status acre_interval_map_add(struct acre_interval_map *map, size_t offset, size_t bytes, acre_place place,
                                  struct acre_event *event)
{
    return apply(map, offset, bytes, place, event, add);
}

acre_status acre_interval_map_only(struct acre_interval_map *map, size_t offset, size_t bytes, acre_place place,
                                   struct acre_event *event)
{
    return apply(map, offset, bytes, place, event, only);
}

acre_status acre_interval_map_touch(struct acre_interval_map *map, size_t offset, size_t bytes,
                                    acre_place place, struct acre_event *event)
{
    return apply(map, offset, bytes, place, event, note_touch);
}

acre_status acre_interval_map_drop(struct acre_interval_map *map, size_t offset, size_t bytes, acre_place place)
{
    return apply(map, offset, bytes, place, NULL, drop);
}

/* Settling. */

static bool has_failed(const struct acre_event *event)
{
    return event && event->done && event->status != ACRE_OK;
}

/* The bytes made by a kernel that failed are nowhere; so are those whose only place never got them. */
static void settle_failures(struct acre_interval_map *map, struct acre_interval *node,
                            acre_interval_fallen *fallen, void *user)
{
    struct acre_event *content = node->events[0];
    if (has_failed(content)) {
        if (fallen)
            fallen(user, node, ACRE_PLACE_HOST, true, content);
        lose(map, node, 0, content);
        return;
    }
    for (acre_place place = 0; node->in_flight > 0 && place < (acre_place)map->place_count; ++place) {
        struct acre_event *arrival = acre_event_hold(*arrival_of(node, place));
        if (has_failed(arrival)) {
            const bool last = !acre_interval_has_other(map, node, place);
            if (fallen)
                fallen(user, node, place, last, arrival);
            if (last)
                lose(map, node, 0, arrival);
            else
                drop(map, node, place, NULL);
        }
        acre_event_drop(arrival);
    }
}

static void settle(struct acre_interval_map *map, struct acre_interval *node, acre_interval_fallen *fallen,
                   void *user)
{
    settle_failures(map, node, fallen, user);
    for (size_t i = 0; node->in_flight > 0 && i < event_count(map); ++i)
        if (node->events[i] && node->events[i]->done)
            set_event(node, &node->events[i], NULL);
}

void acre_interval_map_settle(struct acre_interval_map *map, size_t offset, size_t bytes,
                              acre_interval_fallen *fallen, void *user)
{
    const struct acre_interval *first = find(map, offset);
    if (!first)
        return;
    const size_t begin = first->offset, stop = offset + bytes;
    size_t end = begin;
    for (struct acre_interval *node = find(map, begin); node && node->offset < stop; node = find(map, end)) {
        end = node->offset + node->bytes;
        if (node->in_flight == 0)
            continue;
        count_out(map, node);
        settle(map, node, fallen, user);
        count_in(map, node);
    }
    merge(map, begin, end);
}
