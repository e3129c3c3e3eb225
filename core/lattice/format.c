/* core/lattice/format.c: the names of data formats' parts. */
#include "acre/format.h"

const char *acre_order_name(acre_order order)
{
    switch (order) {
    case ACRE_SITE_FAST:
        return "site-fast";
    case ACRE_SITE_SLOW:
        return "site-slow";
    }
    return "unknown";
}

const char *acre_storage_name(acre_storage storage)
{
    switch (storage) {
    case ACRE_NATIVE:
        return "native";
    case ACRE_HALF:
        return "half";
    }
    return "unknown";
}
