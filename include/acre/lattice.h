/* acre/lattice.h: a periodic grid of sites. */
#ifndef ACRE_LATTICE_H
#define ACRE_LATTICE_H

#include "acre/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct acre_lattice acre_lattice;

enum { ACRE_MAX_DIMENSION = 8 };

/* How sites follow each other in memory. Lexicographic: coordinate 0 fastest. Checkerboard: the sites of even
 * parity first, then the odd ones, each lexicographic; it needs even extents. Default: checkerboard where
 * every extent is even, else lexicographic. */
typedef enum acre_site_order {
    ACRE_SITES_DEFAULT,
    ACRE_SITES_CHECKERBOARD,
    ACRE_SITES_LEXICOGRAPHIC,
} acre_site_order;

/* Parts of a lattice: all sites, or those whose coordinates have an even or odd sum. */
typedef enum acre_subset { ACRE_ALL, ACRE_EVEN, ACRE_ODD } acre_subset;

/* Make a lattice of `dimension` (1 to 8) extents (each >= 1), coordinate 0 first.
 * Errors: ACRE_ERR_ARGUMENT (the message has the extents), ACRE_ERR_OVERFLOW (more than 2^62 sites),
 * ACRE_ERR_OUT_OF_MEMORY. */
ACRE_API acre_status acre_lattice_create(acre_context *context, int dimension, const int64_t *extents,
                                         acre_site_order order, acre_lattice **lattice);

/* Give up the caller's hold; fields keep the lattice as long as they need it. NULL is fine. */
ACRE_API void acre_lattice_destroy(acre_lattice *lattice);

ACRE_API acre_context *acre_lattice_context(const acre_lattice *lattice);
ACRE_API int acre_lattice_dimension(const acre_lattice *lattice);
/* The extent in direction mu; 0 for a direction that is not there. */
ACRE_API int64_t acre_lattice_extent(const acre_lattice *lattice, int mu);
ACRE_API int64_t acre_lattice_sites(const acre_lattice *lattice);
/* Never ACRE_SITES_DEFAULT. */
ACRE_API acre_site_order acre_lattice_site_order(const acre_lattice *lattice);
/* The number of sites in a subset (3^4 has 41 even ones). */
ACRE_API int64_t acre_lattice_subset_sites(const acre_lattice *lattice, acre_subset subset);

/* "checkerboard", "lexicographic". */
ACRE_API const char *acre_site_order_name(acre_site_order order);

#ifdef __cplusplus
}
#endif
#endif
