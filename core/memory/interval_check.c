/* core/memory/interval_check.c: whether an interval map is as it must be. */
#include "core/base/fail.h"
#include "core/memory/interval_map.h"

struct walk {
    const struct acre_interval_map *map;
    const struct acre_interval *previous;
    size_t end, count;
    struct acre_interval_map sums; /* its counts only */
};

static void sum_up(struct acre_interval_map *sums, const struct acre_interval *node)
{
    sums->in_flight += node->in_flight > 0;
    sums->unwritten += node->undefined ? node->bytes : 0;
    sums->bad += node->lost ? node->bytes : 0;
    if (acre_interval_has(node, ACRE_PLACE_HOST) && !acre_interval_arrival(node, ACRE_PLACE_HOST))
        sums->host_bytes += node->bytes;
}

static acre_status fail_at(const struct acre_interval *node, const char *what)
{
    return acre_fail(ACRE_ERR_ARGUMENT, "interval map: [%zu, +%zu) %s", node->offset, node->bytes, what);
}

/* Bytes are undefined, or lost, or somewhere. */
static acre_status check_places(const struct acre_interval_map *map, const struct acre_interval *node)
{
    bool somewhere = false;
    for (size_t i = 0; i < map->words; ++i)
        somewhere = somewhere || node->places[i];
    if (somewhere && node->undefined)
        return fail_at(node, "is undefined, but somewhere");
    if (somewhere && node->lost)
        return fail_at(node, "is lost, but somewhere");
    if (!somewhere && !node->undefined && !node->lost)
        return fail_at(node, "is nowhere, but neither undefined nor lost");
    if (node->undefined && node->lost)
        return fail_at(node, "is undefined and lost");
    return ACRE_OK;
}

/* Only places that have the bytes get them, and all events are counted. */
static acre_status check_events(const struct acre_interval_map *map, const struct acre_interval *node)
{
    const size_t count = 1 + map->place_count * (1 + map->queue_count);
    unsigned in_flight = 0;
    for (size_t i = 0; i < count; ++i)
        in_flight += node->events[i] != NULL;
    if (in_flight != node->in_flight)
        return fail_at(node, "has its events counted wrongly");
    for (acre_place place = 0; place < (acre_place)map->place_count; ++place)
        if (acre_interval_arrival(node, place) && !acre_interval_has(node, place))
            return fail_at(node, "is under way to a place that doesn't count as having it");
    return ACRE_OK;
}

static acre_status check_node(struct walk *walk, const struct acre_interval *node)
{
    if (node->offset != walk->end || node->bytes == 0)
        return acre_fail(ACRE_ERR_ARGUMENT, "interval map: [%zu, +%zu) follows the end at %zu", node->offset,
                         node->bytes, walk->end);
    if (walk->previous && acre_interval_alike(walk->map, walk->previous, node))
        return fail_at(node, "is like the one before it");
    ACRE_TRY(check_places(walk->map, node));
    ACRE_TRY(check_events(walk->map, node));
    walk->previous = node;
    walk->end += node->bytes;
    ++walk->count;
    sum_up(&walk->sums, node);
    return ACRE_OK;
}

static int height(const struct acre_interval *node)
{
    return node ? node->height : 0;
}

static acre_status check_tree(struct walk *walk, const struct acre_interval *top)
{
    if (!top)
        return ACRE_OK;
    ACRE_TRY(check_tree(walk, top->left));
    ACRE_TRY(check_node(walk, top));
    ACRE_TRY(check_tree(walk, top->right));
    const int left = height(top->left), right = height(top->right);
    if (left - right > 1 || right - left > 1 || top->height != 1 + (left > right ? left : right))
        return acre_fail(ACRE_ERR_ARGUMENT, "interval map: unbalanced at %zu: heights %d and %d, says %d",
                         top->offset, left, right, top->height);
    return ACRE_OK;
}

acre_status acre_interval_map_check(const struct acre_interval_map *map)
{
    struct walk walk = {.map = map};
    ACRE_TRY(check_tree(&walk, map->root));
    if (walk.end != map->bytes || walk.count != map->count)
        return acre_fail(ACRE_ERR_ARGUMENT, "interval map: %zu intervals to %zu, should be %zu to %zu",
                         walk.count, walk.end, map->count, map->bytes);
    if (walk.sums.in_flight != map->in_flight || walk.sums.host_bytes != map->host_bytes ||
        walk.sums.unwritten != map->unwritten || walk.sums.bad != map->bad)
        return acre_fail(
            ACRE_ERR_ARGUMENT,
            "interval map: counts are %zu in flight, %zu bytes at the host, %zu undefined, %zu lost; "
            "should be %zu, %zu, %zu, %zu",
            map->in_flight, map->host_bytes, map->unwritten, map->bad, walk.sums.in_flight,
            walk.sums.host_bytes, walk.sums.unwritten, walk.sums.bad);
    size_t spares = 0;
    for (const struct acre_interval *node = map->spare; node; node = node->right)
        ++spares;
    if (spares != map->spare_count)
        return acre_fail(ACRE_ERR_ARGUMENT, "interval map: %zu spares, should be %zu", spares,
                         map->spare_count);
    return ACRE_OK;
}
