/* core/device/registry.c: the backends there are: each vtable checked, started once and probed on first use.
 * Tables and vtables that were ever given out stay, so callers keep pointers without holding a lock. */
#include "core/device/registry.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buffer.h"
#include "core/base/fail.h"
#include "core/base/log.h"

/* A backend whose `start` was called. */
struct started {
    struct started *next;
    const acre_backend *given; /* as the backend has it */
    acre_backend whole;        /* at this library's size: slots the backend doesn't know are NULL */
    acre_status status;
    char reason[256]; /* why it could not start */
};

/* All entries; a new one takes the place of the old when a backend is added. */
struct table {
    struct table *previous;
    size_t count;
    struct acre_backend_entry entries[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct started *all_started;
static struct table *table;

struct slot {
    const char *name;
    size_t offset, bytes;
};
/* clang-format off */
#define SLOT(slot) {#slot, offsetof(acre_backend, slot), sizeof(((acre_backend *)0)->slot)}
/* clang-format on */

static const struct slot required_slots[] = {
    SLOT(start),        SLOT(device_count), SLOT(device_properties), SLOT(device_open),
    SLOT(device_close), SLOT(queue_create), SLOT(queue_destroy),     SLOT(queue_wait),
};
static const struct slot memory_slots[] = {SLOT(memory_alloc), SLOT(memory_free), SLOT(upload), SLOT(download)};

static bool slot_is_there(const acre_backend *backend, const struct slot *slot)
{
    static const char nothing[sizeof(acre_backend)];
    return slot->offset + slot->bytes <= backend->size &&
           memcmp((const char *)backend + slot->offset, nothing, slot->bytes) != 0;
}

static const char *first_missing(const acre_backend *backend, const struct slot *slots, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (!slot_is_there(backend, &slots[i]))
            return slots[i].name;
    return NULL;
}

const char *acre_registry_missing_memory_slot(const acre_backend *backend)
{
    const char *missing = first_missing(backend, memory_slots, sizeof(memory_slots) / sizeof(memory_slots[0]));
    return !missing && backend->call && !backend->address ? "address" : missing;
}

static bool name_is_fine(const char *name)
{
    enum { MOST = 31 };
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789");
    return length > 0 && length <= MOST && !name[length] && strcmp(name, "auto") != 0;
}

static acre_status check(const acre_backend *backend)
{
    if (!backend)
        return acre_fail(ACRE_ERR_BACKEND, "no backend given");
    if (backend->abi != ACRE_BACKEND_ABI)
        return acre_fail(ACRE_ERR_BACKEND, "backend has ABI %u, this library has %u", backend->abi,
                         ACRE_BACKEND_ABI);
    const struct slot name_slot = SLOT(name), description_slot = SLOT(description),
                      priority_slot = SLOT(priority);
    if (backend->size < priority_slot.offset + priority_slot.bytes)
        return acre_fail(ACRE_ERR_BACKEND, "backend's table has %u bytes, too few even for its name",
                         backend->size);
    if (!slot_is_there(backend, &name_slot))
        return acre_fail(ACRE_ERR_BACKEND, "backend has no name");
    if (!name_is_fine(backend->name))
        return acre_fail(ACRE_ERR_BACKEND,
                         "backend's name \"%.40s\" is not 1 to 31 lower-case letters and digits (and not auto)",
                         backend->name);
    if (!slot_is_there(backend, &description_slot))
        return acre_fail(ACRE_ERR_BACKEND, "backend %s has no description", backend->name);
    const char *missing =
        first_missing(backend, required_slots, sizeof(required_slots) / sizeof(required_slots[0]));
    if (missing)
        return acre_fail(ACRE_ERR_BACKEND,
                         "backend %s lacks the required slot %s (its table has %u bytes, this library's %zu)",
                         backend->name, missing, backend->size, sizeof(acre_backend));
    const struct slot address_slot = SLOT(address), call_slot = SLOT(call);
    if (slot_is_there(backend, &address_slot) && !slot_is_there(backend, &call_slot))
        return acre_fail(ACRE_ERR_BACKEND, "backend %s lacks the slot call, which goes with address",
                         backend->name);
    return ACRE_OK;
}

/* With the lock held. */
static acre_status start(const acre_backend *backend, const acre_backend **whole)
{
    ACRE_TRY(check(backend));
    struct started *started = all_started;
    while (started && started->given != backend && &started->whole != backend)
        started = started->next;
    if (!started) {
        started = calloc(1, sizeof(*started));
        if (!started)
            return acre_fail_memory(sizeof(*started));
        started->given = backend;
        const size_t known = backend->size < sizeof(acre_backend) ? backend->size : sizeof(acre_backend);
        memcpy(&started->whole, backend, known);
        started->whole.size = (uint32_t)sizeof(acre_backend);
        started->status = started->whole.start(&acre_services);
        if (started->status != ACRE_OK)
            snprintf(started->reason, sizeof(started->reason), "%s", acre_message());
        started->next = all_started;
        all_started = started;
    }
    if (started->status != ACRE_OK)
        return acre_fail(started->status, "backend %s can't start: %s", backend->name, started->reason);
    *whole = &started->whole;
    return ACRE_OK;
}

acre_status acre_registry_start(const acre_backend *backend, const acre_backend **whole)
{
    pthread_mutex_lock(&lock);
    const acre_status status = start(backend, whole);
    pthread_mutex_unlock(&lock);
    return status;
}

/* Fill an entry for a backend that passed `check`. A backend that can't serve is an entry with the reason. */
static void probe(const acre_backend *backend, struct acre_backend_entry *entry)
{
    *entry = (struct acre_backend_entry){.backend = backend};
    const acre_backend *whole = backend;
    if (start(backend, &whole) != ACRE_OK) {
        snprintf(entry->reason, sizeof(entry->reason), "%s", acre_message());
        return;
    }
    entry->backend = whole;
    if (whole->device_count(&entry->device_count, entry->reason, sizeof(entry->reason)) != ACRE_OK) {
        entry->device_count = 0;
        snprintf(entry->reason, sizeof(entry->reason), "%s", acre_message());
    }
    entry->reason[sizeof(entry->reason) - 1] = 0;
    if (entry->device_count > 0)
        entry->reason[0] = 0;
    else if (!entry->reason[0])
        snprintf(entry->reason, sizeof(entry->reason), "it has no device");
}

/* Put a table with room for one more in the old one's place. With the lock held. */
static acre_status extend(const acre_backend *backend)
{
    const size_t count = table ? table->count : 0;
    for (size_t i = 0; i < count; ++i)
        if (strcmp(table->entries[i].backend->name, backend->name) == 0)
            return acre_fail(ACRE_ERR_BACKEND, "there is a backend named %s already", backend->name);
    const size_t bytes = sizeof(*table) + (count + 1) * sizeof(table->entries[0]);
    struct table *larger = calloc(1, bytes);
    if (!larger)
        return acre_fail_memory(bytes);
    if (table)
        memcpy(larger->entries, table->entries, count * sizeof(table->entries[0]));
    probe(backend, &larger->entries[count]);
    larger->count = count + 1;
    larger->previous = table;
    table = larger;
    return ACRE_OK;
}

/* With the lock held. */
static acre_status fill_table(void)
{
    static const acre_backend *const built_in[] = {
#define ADDRESS(symbol) &symbol,
        ACRE_BUILTIN_BACKENDS(ADDRESS)
#undef ADDRESS
    };
    const size_t count = sizeof(built_in) / sizeof(built_in[0]);
    for (size_t i = table ? table->count : 0; i < count; ++i) {
        ACRE_TRY(check(built_in[i]));
        ACRE_TRY(extend(built_in[i]));
    }
    return ACRE_OK;
}

acre_status acre_registry_entries(const struct acre_backend_entry **entries, size_t *count)
{
    pthread_mutex_lock(&lock);
    const acre_status status = fill_table();
    if (status == ACRE_OK) {
        *entries = table->entries;
        *count = table->count;
    }
    pthread_mutex_unlock(&lock);
    return status;
}

acre_status acre_registry_add(const acre_backend *backend)
{
    pthread_mutex_lock(&lock);
    acre_status status = fill_table();
    if (status == ACRE_OK)
        status = check(backend);
    if (status == ACRE_OK)
        status = extend(backend);
    pthread_mutex_unlock(&lock);
    return status;
}
