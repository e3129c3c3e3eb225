/* core/memory/interval_map.c: the interval map as an AVL tree keyed by offset. Nodes taken out of the tree are
 * kept as spares, so a change that has its nodes reserved can't fail half-way. */
#include "core/memory/interval_map.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"

static size_t node_bytes(const struct acre_interval_map *map)
{
    return sizeof(struct acre_interval) + map->words * sizeof(uint64_t);
}

/* The tree. */

static int height(const struct acre_interval *node)
{
    return node ? node->height : 0;
}

static void update(struct acre_interval *node)
{
    const int left = height(node->left), right = height(node->right);
    node->height = 1 + (left > right ? left : right);
}

static struct acre_interval *rotate_right(struct acre_interval *node)
{
    struct acre_interval *top = node->left;
    node->left = top->right;
    top->right = node;
    update(node);
    update(top);
    return top;
}

static struct acre_interval *rotate_left(struct acre_interval *node)
{
    struct acre_interval *top = node->right;
    node->right = top->left;
    top->left = node;
    update(node);
    update(top);
    return top;
}

/* Restore the balance of a node whose subtrees are balanced and differ by two at most; returns the new top. */
static struct acre_interval *balance(struct acre_interval *node)
{
    update(node);
    const int lean = height(node->left) - height(node->right);
    if (lean > 1) {
        if (height(node->left->left) < height(node->left->right))
            node->left = rotate_left(node->left);
        return rotate_right(node);
    }
    if (lean < -1) {
        if (height(node->right->right) < height(node->right->left))
            node->right = rotate_right(node->right);
        return rotate_left(node);
    }
    return node;
}

static struct acre_interval *insert(struct acre_interval *top, struct acre_interval *node)
{
    if (!top)
        return node;
    if (node->offset < top->offset)
        top->left = insert(top->left, node);
    else
        top->right = insert(top->right, node);
    return balance(top);
}

/* Take the leftmost node out of a tree that isn't empty. */
static struct acre_interval *take_first(struct acre_interval *top, struct acre_interval **first)
{
    if (!top->left) {
        *first = top;
        return top->right;
    }
    top->left = take_first(top->left, first);
    return balance(top);
}

/* Take `node` out of the tree. */
static struct acre_interval *take(struct acre_interval *top, const struct acre_interval *node)
{
    if (node->offset < top->offset) {
        top->left = take(top->left, node);
    } else if (node->offset > top->offset) {
        top->right = take(top->right, node);
    } else {
        if (!top->left || !top->right)
            return top->left ? top->left : top->right;
        struct acre_interval *heir = NULL;
        struct acre_interval *right = take_first(top->right, &heir);
        heir->left = top->left;
        heir->right = right;
        top = heir;
    }
    return balance(top);
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

/* The map. */

acre_status acre_interval_map_init(struct acre_interval_map *map, size_t bytes, int place_count)
{
    *map = (struct acre_interval_map){
        .bytes = bytes,
        .words = ((size_t)place_count + 63) / 64,
        .allocate = malloc,
    };
    if (bytes == 0)
        return ACRE_OK;
    ACRE_TRY(acre_interval_map_reserve(map, 1));
    map->root = take_spare(map);
    map->root->bytes = bytes;
    map->root->undefined = true;
    map->count = 1;
    return ACRE_OK;
}

static void free_tree(struct acre_interval *top)
{
    if (!top)
        return;
    free_tree(top->left);
    free_tree(top->right);
    free(top);
}

void acre_interval_map_free(struct acre_interval_map *map)
{
    free_tree(map->root);
    while (map->spare) {
        struct acre_interval *next = map->spare->right;
        free(map->spare);
        map->spare = next;
    }
    *map = (struct acre_interval_map){0};
}

static struct acre_interval *find(const struct acre_interval_map *map, size_t offset)
{
    struct acre_interval *node = map->root;
    while (node) {
        if (offset < node->offset)
            node = node->left;
        else if (offset - node->offset >= node->bytes)
            node = node->right;
        else
            break;
    }
    return node;
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

static bool alike(const struct acre_interval_map *map, const struct acre_interval *a,
                  const struct acre_interval *b)
{
    return a->undefined == b->undefined && memcmp(a->places, b->places, map->words * sizeof(uint64_t)) == 0;
}

/* Let an interval begin at `offset`, with a spare if need be. */
static void split(struct acre_interval_map *map, size_t offset)
{
    struct acre_interval *node = find(map, offset);
    if (!node || node->offset == offset)
        return;
    struct acre_interval *second = take_spare(map);
    second->offset = offset;
    second->bytes = node->offset + node->bytes - offset;
    second->undefined = node->undefined;
    memcpy(second->places, node->places, map->words * sizeof(uint64_t));
    node->bytes -= second->bytes;
    map->root = insert(map->root, second);
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
        if (!alike(map, node, next)) {
            node = next;
            continue;
        }
        map->root = take(map->root, next);
        node->bytes += next->bytes;
        put_spare(map, next);
        --map->count;
    }
}

static acre_status change(struct acre_interval_map *map, size_t offset, size_t bytes, acre_place place,
                          bool only)
{
    if (bytes == 0)
        return ACRE_OK;
    ACRE_TRY(acre_interval_map_reserve(map, 2));
    const size_t end = offset + bytes;
    split(map, offset);
    split(map, end);
    for (struct acre_interval *node = find(map, offset); node && node->offset < end;
         node = find(map, node->offset + node->bytes)) {
        if (only)
            memset(node->places, 0, map->words * sizeof(uint64_t));
        node->places[(size_t)place / 64] |= UINT64_C(1) << ((size_t)place % 64);
        node->undefined = false;
    }
    merge(map, offset, end);
    return ACRE_OK;
}

acre_status acre_interval_map_add(struct acre_interval_map *map, size_t offset, size_t bytes, acre_place place)
{
    return change(map, offset, bytes, place, false);
}

acre_status acre_interval_map_only(struct acre_interval_map *map, size_t offset, size_t bytes, acre_place place)
{
    return change(map, offset, bytes, place, true);
}

/* The invariants. */

struct walk {
    const struct acre_interval_map *map;
    const struct acre_interval *previous;
    size_t end, count;
};

static acre_status check_node(struct walk *walk, const struct acre_interval *node)
{
    if (node->offset != walk->end || node->bytes == 0)
        return acre_fail(ACRE_ERR_ARGUMENT, "interval map: [%zu, +%zu) follows the end at %zu", node->offset,
                         node->bytes, walk->end);
    if (walk->previous && alike(walk->map, walk->previous, node))
        return acre_fail(ACRE_ERR_ARGUMENT, "interval map: [%zu, +%zu) is like the one before it", node->offset,
                         node->bytes);
    for (size_t i = 0; i < walk->map->words; ++i)
        if (node->undefined && node->places[i])
            return acre_fail(ACRE_ERR_ARGUMENT, "interval map: [%zu, +%zu) is undefined, but somewhere",
                             node->offset, node->bytes);
    walk->previous = node;
    walk->end += node->bytes;
    ++walk->count;
    return ACRE_OK;
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
    size_t spares = 0;
    for (const struct acre_interval *node = map->spare; node; node = node->right)
        ++spares;
    if (spares != map->spare_count)
        return acre_fail(ACRE_ERR_ARGUMENT, "interval map: %zu spares, should be %zu", spares,
                         map->spare_count);
    return ACRE_OK;
}
