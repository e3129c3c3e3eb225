/* io/gauge_fields.h: an array of link fields held on the host while a file is read or written. */
#ifndef ACRE_IO_GAUGE_FIELDS_H
#define ACRE_IO_GAUGE_FIELDS_H

#include "core/field/view.h"

enum { ACRE_GAUGE_DIMENSION = 4 };

/* What a slab of sites may take in memory, about. */
enum { ACRE_GAUGE_SLAB_BYTES = 2 << 20 };

/* The colours of u, if it is an array of as many complex colour-matrix fields, float or double, as its lattice
 * has dimensions. `caller` begins the message. Errors: ACRE_ERR_ARGUMENT. */
acre_status acre_gauge_fields_check(const acre_fields *u, const char *caller, int *colours);

struct acre_gauge_views {
    struct acre_field_view view[ACRE_GAUGE_DIMENSION];
    int count; /* how many are held */
};

/* Hold the four fields. On failure none is held and their data are as before. */
acre_status acre_gauge_views_begin(const acre_fields *u, acre_access access, struct acre_gauge_views *views);
acre_status acre_gauge_views_end(struct acre_gauge_views *views);

#endif
