/* core/memory/interval_tree.h: the balanced (AVL) tree of intervals, ordered by offset. Each call returns the
 * new top. */
#ifndef ACRE_CORE_MEMORY_INTERVAL_TREE_H
#define ACRE_CORE_MEMORY_INTERVAL_TREE_H

#include "core/memory/interval_map.h"

struct acre_interval *acre_interval_tree_insert(struct acre_interval *top, struct acre_interval *node);
/* Take `node`, which is in it, out of the tree. */
struct acre_interval *acre_interval_tree_take(struct acre_interval *top, const struct acre_interval *node);
/* The interval that has the byte; NULL: none. */
struct acre_interval *acre_interval_tree_find(struct acre_interval *top, size_t offset);

#endif
