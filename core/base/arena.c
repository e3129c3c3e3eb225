/* core/base/arena.c: pieces are cut from chunks that are freed together. */
#include "core/base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/base/fail.h"

enum { CHUNK_BYTES = 16 * 1024 };

struct acre_arena_chunk {
    struct acre_arena_chunk *next;
    size_t capacity;
    alignas(max_align_t) char data[];
};

void *acre_arena_take(struct acre_arena *arena, size_t bytes)
{
    const size_t unit = alignof(max_align_t);
    if (bytes > SIZE_MAX / 2) {
        acre_fail_memory(bytes);
        return NULL;
    }
    bytes = (bytes + unit - 1) / unit * unit;
    struct acre_arena_chunk *chunk = arena->chunks;
    if (!chunk || chunk->capacity - arena->used < bytes) {
        size_t capacity = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
        chunk = calloc(1, sizeof(*chunk) + capacity);
        if (!chunk) {
            acre_fail_memory(sizeof(*chunk) + capacity);
            return NULL;
        }
        chunk->capacity = capacity;
        chunk->next = arena->chunks;
        arena->chunks = chunk;
        arena->used = 0;
    }
    void *piece = chunk->data + arena->used;
    arena->used += bytes;
    return piece;
}

void acre_arena_free(struct acre_arena *arena)
{
    while (arena->chunks) {
        struct acre_arena_chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
    arena->used = 0;
}
