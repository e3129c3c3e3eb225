/* tests/tools/plugin_fault.c: a plugin named fault with one fault, chosen by a macro: NO_ENTRY, NO_TABLE,
 * ABI=n, SIZE=n, NO_SLOT, HALF_PAIR, NAMED="other", UNRESOLVED, NO_START, NO_DEVICE, NO_OPEN, NO_MEMORY_SLOT;
 * and with none a plain device in the host's memory, on PCI with PCI="address". */
#include <stdio.h>
#include <string.h>

#include "acre/backend.h"

#ifndef ABI
#define ABI ACRE_BACKEND_ABI
#endif
#ifndef SIZE
#define SIZE sizeof(acre_backend)
#endif
#ifndef NAMED
#define NAMED "fault"
#endif

static const acre_backend_services *services;

static acre_status start(const acre_backend_services *lent)
{
    services = lent;
#ifdef NO_START
    return services->fail(ACRE_ERR_BACKEND, "driver 1.2 is too old");
#else
    return ACRE_OK;
#endif
}

static acre_status device_count(size_t *count, char *reason, size_t size)
{
#ifdef NO_DEVICE
    snprintf(reason, size, "no card is plugged in");
    *count = 0;
#else
    (void)reason;
    (void)size;
    *count = 1;
#endif
    return ACRE_OK;
}

static acre_status device_properties(size_t index, acre_device_properties *properties)
{
    memset(properties, 0, sizeof(*properties));
    snprintf(properties->name, sizeof(properties->name), "device %zu", index);
    properties->workers = 1;
#ifdef PCI
    snprintf(properties->pci, sizeof(properties->pci), "%s", PCI);
#endif
#ifdef NO_MEMORY_SLOT
    properties->is_host_memory = false;
#else
    properties->is_host_memory = true;
#endif
    return ACRE_OK;
}

/* The handles stand for nothing. */
static char nothing;

static acre_status device_open(size_t index, acre_backend_device **device)
{
#ifdef NO_OPEN
    return services->fail(ACRE_ERR_BACKEND, "device %zu is lost", index);
#else
    (void)index;
    *device = (acre_backend_device *)&nothing;
    return ACRE_OK;
#endif
}

static void device_close(acre_backend_device *device)
{
    (void)device;
}

static acre_status queue_create(acre_backend_device *device, acre_backend_queue **queue)
{
    (void)device;
    *queue = (acre_backend_queue *)&nothing;
    return ACRE_OK;
}

#ifndef NO_SLOT
static void queue_destroy(acre_backend_queue *queue)
{
    (void)queue;
}
#endif

static acre_status queue_wait(acre_backend_queue *queue)
{
    (void)queue;
    return ACRE_OK;
}

static acre_status call(acre_backend_queue *queue, acre_backend_function *function, void *argument,
                        size_t count)
{
    (void)queue;
    if (count > 0)
        function(argument, 0, count, 0);
    return ACRE_OK;
}

#ifdef UNRESOLVED
void acre_function_that_nobody_has(void);
#endif

static const acre_backend fault = {
    .abi = ABI,
    .size = SIZE,
    .name = NAMED,
    .description = "a plugin for tests",
    .priority = -1,
    .start = start,
    .device_count = device_count,
    .device_properties = device_properties,
    .device_open = device_open,
    .device_close = device_close,
    .queue_create = queue_create,
#ifndef NO_SLOT
    .queue_destroy = queue_destroy,
#endif
    .queue_wait = queue_wait,
#ifdef HALF_PAIR
    .map = (acre_status(*)(acre_backend_queue *, acre_backend_memory *, size_t, size_t, bool))queue_wait,
#endif
    .call = call,
};

#ifndef NO_ENTRY
ACRE_API acre_backend_entry_function ACRE_BACKEND_ENTRY;

const acre_backend *ACRE_BACKEND_ENTRY(void)
{
#ifdef UNRESOLVED
    acre_function_that_nobody_has();
#endif
#ifdef NO_TABLE
    return NULL;
#else
    return &fault;
#endif
}
#else
ACRE_API const acre_backend *acre_backend_no_entry(void);

const acre_backend *acre_backend_no_entry(void)
{
    return &fault;
}
#endif
