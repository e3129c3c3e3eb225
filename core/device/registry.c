/* core/device/registry.c: the backends there are: each vtable checked, started once, its devices counted.
 * Tables and vtables that were ever given out stay, so callers keep pointers without holding a lock. */
#include "core/device/registry.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/env.h"
#include "core/base/fail.h"
#include "core/base/services.h"
#include "core/device/vtable.h"

/* A backend whose `start` was called. */
struct started {
    struct started *next;
    const acre_backend *given; /* as the backend has it */
    acre_backend whole;        /* at this library's size: slots the backend doesn't know are NULL */
    acre_status status;
    char reason[256]; /* why it could not start */
};

/* All entries; a new one takes the place of the old when a backend is added or a count changes. */
struct table {
    struct table *previous;
    size_t count;
    struct acre_backend_entry entries[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct started *all_started;
static struct table *table;
static struct acre_passed_over *passed_over;
static bool is_filled;

/* A child made while another thread holds the lock must not find it held for ever. */
static pthread_once_t watch_once = PTHREAD_ONCE_INIT;

static void lock_it(void)
{
    pthread_mutex_lock(&lock);
}

static void unlock_it(void)
{
    pthread_mutex_unlock(&lock);
}

static void watch(void)
{
    pthread_atfork(lock_it, unlock_it, unlock_it);
}

static void enter(void)
{
    pthread_once(&watch_once, watch);
    lock_it();
}

/* With the lock held. */
static acre_status start(const acre_backend *backend, const acre_backend **whole)
{
    ACRE_TRY(acre_vtable_check(backend));
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
    enter();
    const acre_status status = start(backend, whole);
    unlock_it();
    return status;
}

/* How many devices there are now, or why there is none. */
static void count_devices(struct acre_backend_entry *entry)
{
    entry->device_count = 0;
    entry->reason[0] = 0;
    entry->status = entry->backend->device_count(&entry->device_count, entry->reason, sizeof(entry->reason));
    if (entry->status != ACRE_OK) {
        entry->device_count = 0;
        snprintf(entry->reason, sizeof(entry->reason), "%s", acre_message());
    }
    entry->reason[sizeof(entry->reason) - 1] = 0;
    if (entry->device_count > 0)
        entry->reason[0] = 0;
    else if (!entry->reason[0])
        snprintf(entry->reason, sizeof(entry->reason), "it has no device");
}

/* Fill an entry for a backend that was checked. One that can't serve is an entry with the reason. */
static void probe(const acre_backend *backend, const char *file, struct acre_backend_entry *entry)
{
    *entry = (struct acre_backend_entry){.backend = backend, .file = file};
    const acre_backend *whole = backend;
    entry->status = start(backend, &whole);
    if (entry->status != ACRE_OK) {
        snprintf(entry->reason, sizeof(entry->reason), "%s", acre_message());
        return;
    }
    entry->backend = whole;
    entry->is_started = true;
    count_devices(entry);
}

/* A copy of the table with room for `more` entries. It is no table yet. */
static acre_status copy_table(size_t more, struct table **copy)
{
    const size_t count = table ? table->count : 0;
    const size_t bytes = sizeof(*table) + (count + more) * sizeof(table->entries[0]);
    struct table *made = calloc(1, bytes);
    if (!made)
        return acre_fail_memory(bytes);
    if (table)
        memcpy(made->entries, table->entries, count * sizeof(table->entries[0]));
    made->count = count + more;
    made->previous = table;
    *copy = made;
    return ACRE_OK;
}

/* Put a table with one more in the old one's place. With the lock held. */
static acre_status extend(const acre_backend *backend, const char *file)
{
    const size_t count = table ? table->count : 0;
    for (size_t i = 0; i < count; ++i)
        if (strcmp(table->entries[i].backend->name, backend->name) == 0)
            return acre_fail(ACRE_ERR_BACKEND, "there is a backend named %s already%s%s", backend->name,
                             table->entries[i].file[0] ? ": " : "", table->entries[i].file);
    struct table *larger;
    ACRE_TRY(copy_table(1, &larger));
    probe(backend, file, &larger->entries[count]);
    table = larger;
    return ACRE_OK;
}

static acre_status take_plugin(void *user, const acre_backend *backend, const char *path)
{
    (void)user;
    char *kept = strdup(path);
    if (!kept)
        return acre_fail_memory(strlen(path) + 1);
    const acre_status status = extend(backend, kept);
    if (status != ACRE_OK)
        free(kept);
    return status;
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
        ACRE_TRY(acre_vtable_check(built_in[i]));
        ACRE_TRY(extend(built_in[i], ""));
    }
    char *own = acre_loader_own_folder();
    const acre_status status =
        acre_loader_scan(acre_env_get(ACRE_ENV_PLUGIN_PATH), own, take_plugin, NULL, &passed_over);
    free(own);
    is_filled = status == ACRE_OK;
    if (!is_filled) {
        acre_loader_free(passed_over);
        passed_over = NULL;
    }
    return status;
}

/* Count every backend's devices anew; a new table when anything is different. With the lock held. */
static acre_status refresh(void)
{
    if (!is_filled)
        return fill_table();
    for (size_t i = 0; i < table->count; ++i) {
        struct acre_backend_entry now = table->entries[i];
        const struct acre_backend_entry *before = &table->entries[i];
        if (!before->is_started)
            continue;
        count_devices(&now);
        if (now.device_count == before->device_count && strcmp(now.reason, before->reason) == 0)
            continue;
        struct table *newer;
        ACRE_TRY(copy_table(0, &newer));
        newer->entries[i] = now;
        table = newer;
    }
    return ACRE_OK;
}

acre_status acre_registry_entries(const struct acre_backend_entry **entries, size_t *count)
{
    enter();
    const acre_status status = refresh();
    if (status == ACRE_OK) {
        *entries = table->entries;
        *count = table->count;
    }
    unlock_it();
    return status;
}

acre_status acre_registry_passed_over(const struct acre_passed_over **first)
{
    enter();
    const acre_status status = is_filled ? ACRE_OK : fill_table();
    *first = passed_over;
    unlock_it();
    return status;
}

acre_status acre_registry_add(const acre_backend *backend)
{
    enter();
    acre_status status = is_filled ? ACRE_OK : fill_table();
    if (status == ACRE_OK)
        status = acre_vtable_check(backend);
    if (status == ACRE_OK)
        status = extend(backend, "");
    unlock_it();
    return status;
}

acre_status acre_registry_properties(const acre_backend *backend, size_t index,
                                     acre_device_properties *properties)
{
    memset(properties, 0, sizeof(*properties));
    ACRE_TRY(backend->device_properties(index, properties));
    properties->name[sizeof(properties->name) - 1] = 0;
    properties->pci[sizeof(properties->pci) - 1] = 0;
    return ACRE_OK;
}
