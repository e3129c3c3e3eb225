/* core/device/registry.h: the backends there are, what they have, and which one serves. */
#ifndef ACRE_CORE_DEVICE_REGISTRY_H
#define ACRE_CORE_DEVICE_REGISTRY_H

#include <stdbool.h>

#include "acre/backend.h"

/* Backends linked into the library: the symbol of each one's vtable. */
#define ACRE_BUILTIN_BACKENDS(X) X(acre_backend_host)

#define ACRE_DECLARE_BACKEND(symbol) extern const acre_backend symbol;
ACRE_BUILTIN_BACKENDS(ACRE_DECLARE_BACKEND)
#undef ACRE_DECLARE_BACKEND

/* A backend as probed. */
struct acre_backend_entry {
    const acre_backend *backend;
    size_t device_count;
    char reason[256]; /* why it has no device; "" when it has */
};

/* Every known backend, probed on the first call; thread-safe. */
acre_status acre_registry_entries(const struct acre_backend_entry **entries, size_t *count);

/* Add a backend that is not built in (tests; plugins). Its abi, size and required slots are checked.
 * Errors: ACRE_ERR_BACKEND. */
acre_status acre_registry_add(const acre_backend *backend);

/* Check a backend's vtable and start it, once in the life of the process. *whole is the vtable to use from
 * then on: at this library's size, with NULL in the slots that the backend was compiled without. */
acre_status acre_registry_start(const acre_backend *backend, const acre_backend **whole);

/* The first of the slots that devices with memory of their own need and the backend lacks; NULL: none. */
const char *acre_registry_missing_memory_slot(const acre_backend *backend);

/* The entry that a selection as ACRE_BACKEND takes it asks for. Errors: ACRE_ERR_ENVIRONMENT (malformed),
 * ACRE_ERR_BACKEND (named but unknown or without a device; the message lists the choices). */
acre_status acre_registry_select(const char *selection, const struct acre_backend_entry **entry);

#endif
