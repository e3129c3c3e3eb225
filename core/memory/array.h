/* core/memory/array.h: the array inside: host array, device handles, validity map, holders. */
#ifndef ACRE_CORE_MEMORY_ARRAY_H
#define ACRE_CORE_MEMORY_ARRAY_H

#include <pthread.h>
#include <stdatomic.h>

#include "acre/array.h"
#include "core/device/context.h"
#include "core/memory/holder.h"
#include "core/memory/interval_map.h"

/* Memory at a device for the bytes `covers` of the array: they begin at `offset` in `memory`. */
struct acre_handle {
    struct acre_handle *next;
    struct acre_device *device;
    acre_backend_memory *memory;
    size_t offset;
    acre_range covers;
    bool owned;       /* freed with the array */
    bool has_pending; /* the device's queue has copies of this array to wait for */
};

/* What was copied so far, in one direction. */
struct acre_copied {
    uint64_t copies, bytes;
};

struct acre_array {
    struct acre_live live;
    acre_context *context;
    char *label; /* "" when it has none */
    size_t bytes;
    bool zeroed;
    _Atomic uint64_t version;

    pthread_mutex_t lock; /* guards what follows */
    void *host_block;     /* as allocated */
    unsigned char *host;  /* aligned to 64 bytes; NULL until the host or a staged copy needs it */
    struct acre_handle *handles;
    struct acre_interval_map map;
    struct acre_holder *holders;
    size_t promised; /* spare intervals set aside for the release of writers, which must not fail */
    struct acre_copied uploaded, downloaded;
};

/* How messages call the array. */
const char *acre_array_name(const acre_array *array);

/* As acre_array_release, for a holder that wrote nothing after all: the array stays as it was. */
acre_status acre_array_abandon(acre_array *array, acre_place place, acre_access access,
                               const acre_range *ranges, size_t count);

/* The rest is for callers that hold the lock. */

/* Memory for the whole array on the host, or at a device. An array that is created zeroed has host memory
 * that is zero. */
acre_status acre_array_host_make(acre_array *array);
void acre_array_host_free(acre_array *array);
acre_status acre_array_handle_make(acre_array *array, struct acre_device *device);
void acre_array_handle_free(acre_array *array, const struct acre_device *device);
/* The handle at a device; NULL: none. */
struct acre_handle *acre_array_handle_find(const acre_array *array, const struct acre_device *device);

/* Make every byte of the ranges valid at `place`, copying exactly those that are not; bytes never written stay
 * so. The memory at `place` must be there. What was copied is noted as valid; spare intervals must have been
 * reserved, two a range. After an error nothing has changed. */
acre_status acre_array_fetch(acre_array *array, acre_place place, const acre_range *ranges, size_t count);

#endif
