/* core/memory/pool.c: taking blocks of device memory within the budget, and keeping freed ones for the next. */
#include "core/memory/pool.h"

#include <stdlib.h>

#include "core/base/fail.h"
#include "core/memory/memory.h"

/* A freed block serves when it is not larger than wanted by more than this part. */
enum { SPARE_PART = 8 };

static struct acre_block *take_freed(struct acre_device_memory *owner, size_t bytes)
{
    struct acre_block **best = NULL;
    for (struct acre_block **link = &owner->pool.blocks; *link; link = &(*link)->next)
        if ((*link)->bytes >= bytes && (*link)->bytes - bytes <= bytes / SPARE_PART &&
            (!best || (*link)->bytes < (*best)->bytes))
            best = link;
    if (!best)
        return NULL;
    struct acre_block *block = *best;
    *best = block->next;
    owner->pool.bytes -= block->bytes;
    return block;
}

/* The pools of a card's other devices count, too. */
static void trim_card(struct acre_device_memory *owner)
{
    struct acre_memory *memory = owner->memory;
    for (size_t i = 0; i < memory->device_count; ++i)
        if (memory->devices[i].card == owner->card)
            acre_pool_trim(&memory->devices[i]);
}

static acre_status allocate(struct acre_device_memory *owner, size_t bytes, struct acre_block **block)
{
    const struct acre_device *device = owner->device;
    struct acre_block *made = calloc(1, sizeof(*made));
    if (!made)
        return acre_fail_memory(sizeof(*made));
    made->bytes = bytes;
    const acre_status status = device->backend->memory_alloc(device->handle, bytes, &made->memory);
    if (status != ACRE_OK) {
        free(made);
        return status;
    }
    owner->card->used += bytes;
    ++owner->memory->statistics.allocations;
    *block = made;
    return ACRE_OK;
}

acre_status acre_pool_take(struct acre_device_memory *owner, size_t bytes, struct acre_block **block,
                           bool *could)
{
    const struct acre_card *card = owner->card;
    *block = NULL;
    *could = true;
    if (bytes > card->budget) {
        *could = false;
        return acre_fail(ACRE_ERR_OUT_OF_MEMORY,
                         "%zu bytes are more than the budget of %llu (ACRE_DEVICE_MEMORY)", bytes,
                         (unsigned long long)card->budget);
    }
    *block = take_freed(owner, bytes);
    if (*block) {
        ++owner->memory->statistics.pool_hits;
        return ACRE_OK;
    }
    if (card->used > card->budget - bytes)
        trim_card(owner);
    if (card->used > card->budget - bytes) {
        return ACRE_OK;
    }
    acre_status status = allocate(owner, bytes, block);
    if (status == ACRE_ERR_OUT_OF_MEMORY && owner->pool.blocks) {
        trim_card(owner);
        status = allocate(owner, bytes, block);
    }
    return status;
}

void acre_pool_give(struct acre_device_memory *owner, struct acre_block *block)
{
    block->next = owner->pool.blocks;
    owner->pool.blocks = block;
    owner->pool.bytes += block->bytes;
}

void acre_pool_trim(struct acre_device_memory *owner)
{
    while (owner->pool.blocks) {
        struct acre_block *block = owner->pool.blocks;
        owner->pool.blocks = block->next;
        owner->device->backend->memory_free(owner->device->handle, block->memory);
        owner->card->used -= block->bytes;
        free(block);
    }
    owner->pool.bytes = 0;
}
