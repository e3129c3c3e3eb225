/* acre/format.h: a data format says how a field's numbers lie in memory: order x storage.
 * It belongs to the field's data, never to its type: a formula is the same whatever the formats. */
#ifndef ACRE_FORMAT_H
#define ACRE_FORMAT_H

#include <stdbool.h>

#include "acre/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* SiteFast: all sites of a component together; SiteSlow: all components of a site together. */
typedef enum acre_order { ACRE_SITE_FAST, ACRE_SITE_SLOW } acre_order;

/* Native: at the word's own precision; half: IEEE binary16, for floating-point words only. */
typedef enum acre_storage { ACRE_NATIVE, ACRE_HALF } acre_storage;

/* {0} is SiteFast, Native. */
typedef struct acre_format {
    acre_order order;
    acre_storage storage;
} acre_format;

static inline acre_format acre_format_of(acre_order order)
{
    acre_format format = {order, ACRE_NATIVE};
    return format;
}
static inline bool acre_format_equal(acre_format a, acre_format b)
{
    return a.order == b.order && a.storage == b.storage;
}
static inline bool acre_format_is_half(acre_format format)
{
    return format.storage == ACRE_HALF;
}

/* "site-fast", "site-slow"; "native", "half". */
ACRE_API const char *acre_order_name(acre_order order);
ACRE_API const char *acre_storage_name(acre_storage storage);

#ifdef __cplusplus
}
#endif
#endif
