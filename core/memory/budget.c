/* core/memory/budget.c: reading ACRE_DEVICE_MEMORY, and which devices share what it allows. */
#include "core/memory/budget.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/env.h"
#include "core/base/fail.h"

/* "90%": a part of what is free; else a size. */
static acre_status parse(unsigned *percent, uint64_t *bytes)
{
    const char *text = acre_env_get(ACRE_ENV_DEVICE_MEMORY);
    const size_t digits = strspn(text, "0123456789");
    *percent = 0;
    if (digits == 0 || strcmp(text + digits, "%") != 0)
        return acre_env_size(ACRE_ENV_DEVICE_MEMORY, 1, UINT64_MAX, bytes);
    const unsigned long number = digits > 3 ? 0 : strtoul(text, NULL, 10);
    if (number < 1 || number > 100)
        return acre_env_fail(ACRE_ENV_DEVICE_MEMORY, text, "not a part from 1% to 100%");
    *percent = (unsigned)number;
    return ACRE_OK;
}

/* The card of an earlier device on the same bus address, or else a new one: the device's own. */
static struct acre_card *card_of(struct acre_memory *memory, size_t index)
{
    const char *pci = memory->devices[index].device->properties.pci;
    for (size_t i = 0; pci[0] && i < index; ++i)
        if (strcmp(memory->devices[i].device->properties.pci, pci) == 0)
            return memory->devices[i].card;
    return &memory->cards[index];
}

static acre_status free_memory(const struct acre_device *device, uint64_t *free_bytes)
{
    uint64_t total;
    *free_bytes = device->properties.memory_bytes;
    if (!device->backend->device_memory)
        return ACRE_OK;
    return device->backend->device_memory(device->handle, free_bytes, &total);
}

acre_status acre_budget_set(struct acre_memory *memory)
{
    unsigned percent;
    uint64_t bytes = 0;
    ACRE_TRY(parse(&percent, &bytes));
    for (size_t i = 0; i < memory->device_count; ++i) {
        struct acre_device_memory *device = &memory->devices[i];
        device->card = card_of(memory, i);
        if (device->card != &memory->cards[i])
            continue;
        uint64_t free_bytes = 0;
        if (percent && device->device->place != ACRE_PLACE_HOST)
            ACRE_TRY(free_memory(device->device, &free_bytes));
        device->card->budget = !percent         ? bytes
                               : free_bytes > 0 ? free_bytes / 100 * percent + free_bytes % 100 * percent / 100
                                                : UINT64_MAX;
    }
    return ACRE_OK;
}
