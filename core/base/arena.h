/* core/base/arena.h: memory for many small pieces that are freed together. */
#ifndef ACRE_CORE_BASE_ARENA_H
#define ACRE_CORE_BASE_ARENA_H

#include <stddef.h>

struct acre_arena_chunk;

/* {0} is empty. */
struct acre_arena {
    struct acre_arena_chunk *chunks;
    size_t used; /* of the newest chunk */
};

/* `bytes` zeroed bytes, aligned for any type; NULL, with a message left, when memory is out. */
void *acre_arena_take(struct acre_arena *arena, size_t bytes);
void acre_arena_free(struct acre_arena *arena);

#endif
