/* core/memory/array.h: the array inside: host memory, device handles, validity map, holders. */
#ifndef ACRE_CORE_MEMORY_ARRAY_H
#define ACRE_CORE_MEMORY_ARRAY_H

#include "acre/array.h"
#include "core/memory/handle.h"
#include "core/memory/holder.h"
#include "core/memory/interval_map.h"
#include "core/memory/memory.h"

/* Where an array's host memory is from. */
enum acre_host_kind { ACRE_HOST_OWN, ACRE_HOST_PINNED, ACRE_HOST_BORROWED };

struct acre_array {
    struct acre_array_head head; /* what acre_array_host looks at */
    struct acre_live live;
    acre_context *context;
    struct acre_memory *memory;
    uint64_t number; /* among the process's arrays */
    char *label;     /* "" when it has none */
    size_t bytes;
    bool zeroed;
    _Atomic uint64_t version;

    /* The memory lock guards what follows. */
    enum acre_host_kind host_kind;
    void *host_block;                  /* as allocated */
    const struct acre_device *host_by; /* PINNED: the device whose backend allocated it */
    unsigned char *host;               /* NULL until the host or a staged copy needs it */
    struct acre_handle *handles;
    struct acre_interval_map map;
    struct acre_holder *holders;
    size_t promised; /* spare intervals set aside for what holders do at their end, which must not fail */
    size_t wanted;   /* spare intervals for the copies about to be made */
    acre_copied uploaded, downloaded, peered;
};

/* How messages call the array. */
const char *acre_array_name(const acre_array *array);

/* Were any bytes of the ranges never written? */
bool acre_array_is_undefined(acre_array *array, const acre_range *ranges, size_t count);

/* The rest is for callers that hold the lock. */

/* Host memory for the whole array; `*made` (may be NULL) says whether it was made now. An array that was
 * created zeroed has host memory that is zero. Errors: ACRE_ERR_OUT_OF_MEMORY. */
acre_status acre_array_host_make(acre_array *array, bool *made);
void acre_array_host_free(acre_array *array);

/* Where the bits of a place are kept: a device whose handle is the host's memory has those of the host. */
acre_place acre_array_home(const acre_array *array, acre_place place);

/* Take in what became of the work on the ranges; failures are reported to the log and the trace. */
void acre_array_settle(acre_array *array, const acre_range *ranges, size_t count);

/* Let acre_array_host answer by itself, or not. After every change of the map. */
void acre_array_summarise(acre_array *array);

/* An event that is pending on the ranges at a place; NULL: none. `touching`: any use of the place's memory, not
 * just what brings bytes there. */
struct acre_event *acre_array_pending(const acre_array *array, acre_place place, const acre_range *ranges,
                                      size_t count, bool touching);

/* A record about a range of the array, for the caller to fill up. */
struct acre_record acre_array_record(const acre_array *array, enum acre_record_kind kind, acre_range range);

#endif
