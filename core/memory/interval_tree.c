/* core/memory/interval_tree.c: the balanced (AVL) tree of intervals, ordered by offset. */
#include "core/memory/interval_tree.h"

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

struct acre_interval *acre_interval_tree_insert(struct acre_interval *top, struct acre_interval *node)
{
    if (!top)
        return node;
    if (node->offset < top->offset)
        top->left = acre_interval_tree_insert(top->left, node);
    else
        top->right = acre_interval_tree_insert(top->right, node);
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

struct acre_interval *acre_interval_tree_take(struct acre_interval *top, const struct acre_interval *node)
{
    if (node->offset < top->offset) {
        top->left = acre_interval_tree_take(top->left, node);
    } else if (node->offset > top->offset) {
        top->right = acre_interval_tree_take(top->right, node);
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

struct acre_interval *acre_interval_tree_find(struct acre_interval *top, size_t offset)
{
    while (top) {
        if (offset < top->offset)
            top = top->left;
        else if (offset - top->offset >= top->bytes)
            top = top->right;
        else
            break;
    }
    return top;
}
