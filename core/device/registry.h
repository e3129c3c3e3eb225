/* core/device/registry.h: the backends there are, built in and plugins, what they have, and which one serves.
 */
#ifndef ACRE_CORE_DEVICE_REGISTRY_H
#define ACRE_CORE_DEVICE_REGISTRY_H

#include <stdbool.h>

#include "acre/backend.h"
#include "core/device/loader.h"

/* Backends linked into the library: the symbol of each one's vtable. */
#define ACRE_BUILTIN_BACKENDS(X) X(acre_backend_host)

#define ACRE_DECLARE_BACKEND(symbol) extern const acre_backend symbol;
ACRE_BUILTIN_BACKENDS(ACRE_DECLARE_BACKEND)
#undef ACRE_DECLARE_BACKEND

/* A backend as probed. */
struct acre_backend_entry {
    const acre_backend *backend;
    const char *file; /* the plugin's; "" for one that is built in */
    bool is_started;
    size_t device_count;
    acre_status status; /* ACRE_OK when it has a device or says that it has none */
    char reason[256];   /* why it has no device; "" when it has */
};

/* Every known backend; thread-safe. Backends are started and plugins loaded on the first call, devices are
 * counted on each: the ones given out hold for the life of the process. */
acre_status acre_registry_entries(const struct acre_backend_entry **entries, size_t *count);

/* The plugin files and folders that are not in use; NULL: none. They hold for the life of the process. */
acre_status acre_registry_passed_over(const struct acre_passed_over **first);

/* Add a backend that is not built in (tests). Its abi, size and required slots are checked.
 * Errors: ACRE_ERR_BACKEND. */
acre_status acre_registry_add(const acre_backend *backend);

/* Check a backend's vtable and start it, once in the life of the process. *whole is the vtable to use from
 * then on: at this library's size, with NULL in the slots that the backend was compiled without. */
acre_status acre_registry_start(const acre_backend *backend, const acre_backend **whole);

/* Properties of a backend's device, its texts closed. */
acre_status acre_registry_properties(const acre_backend *backend, size_t index,
                                     acre_device_properties *properties);

/* The entry that a selection as ACRE_BACKEND takes it asks for. Errors: ACRE_ERR_ENVIRONMENT (malformed),
 * ACRE_ERR_BACKEND (named but unknown or without a device; the message lists the choices). */
acre_status acre_registry_select(const char *selection, const struct acre_backend_entry **entry);

/* The entry of a backend that has devices. Errors: ACRE_ERR_BACKEND; the message says why and lists the
 * choices. */
acre_status acre_registry_find(const char *name, size_t length, const struct acre_backend_entry **entry);

/* Whether a selection as ACRE_BACKEND takes it leaves room for a backend. Errors: ACRE_ERR_ENVIRONMENT. */
acre_status acre_registry_allows(const char *selection, const char *name, bool *allows);

#endif
