/* acre/context.h: a context owns the open devices; everything else is made in one. */
#ifndef ACRE_CONTEXT_H
#define ACRE_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "acre/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct acre_context acre_context;

/* Where an array's bytes can be: the host, or the context's n-th device (from 1).
 * A device that computes in the host's own memory has place ACRE_PLACE_HOST. */
typedef int acre_place;
enum { ACRE_PLACE_HOST = 0 };

/* Open the devices that ACRE_DEVICES lists; without it those of the backend that ACRE_BACKEND names (unset,
 * empty or "auto": the best there is), or one of them when several processes share the node. A child made by
 * fork can't use a context of its parent (ACRE_ERR_BACKEND). Errors: ACRE_ERR_ENVIRONMENT (malformed variable),
 * ACRE_ERR_BACKEND (the named backend can't serve: the message says why and lists the choices),
 * ACRE_ERR_OUT_OF_MEMORY. */
ACRE_API acre_status acre_context_create(acre_context **context);

/* Give up the caller's hold. Fields and arrays still alive are reported in the log; they and lattices keep what
 * they need until they are destroyed themselves. NULL is fine. */
ACRE_API void acre_context_destroy(acre_context *context);

/* The name of the backend in use, "host"; of several, joined: "cuda+host". */
ACRE_API const char *acre_context_backend(const acre_context *context);

/* The number of open devices, at least 1. */
ACRE_API size_t acre_context_device_count(const acre_context *context);

/* The name of device i, "host:0"; NULL beyond the last. */
ACRE_API const char *acre_context_device_name(const acre_context *context, size_t i);

/* The seed of the context's random numbers (0 at the start). Setting it starts the sequence afresh:
 * the same seed and the same formulas give the same numbers on every machine. */
ACRE_API void acre_context_seed(acre_context *context, uint64_t seed);

#ifdef __cplusplus
}
#endif
#endif
