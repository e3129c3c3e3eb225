/* core/lattice/layout.h: where the components of a field's sites lie in one domain's image. The one place
 * that knows strides and padding. */
#ifndef ACRE_CORE_LATTICE_LAYOUT_H
#define ACRE_CORE_LATTICE_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "acre/format.h"
#include "acre/site_type.h"

struct acre_layout {
    acre_format format;
    acre_word word;
    size_t components;
    size_t element_bytes; /* 2 in half storage, else the word's size */
    int64_t sites;
    int64_t plane_stride; /* SiteFast: elements between the planes of neighbouring components, >= sites */
    size_t bytes;         /* of the whole image */
};

/* Errors: ACRE_ERR_TYPE (half storage on an integer or boolean type; the message has, verbatim, "OLattice:
 * half storage requires a floating-point word type", and `label`), ACRE_ERR_OVERFLOW. */
acre_status acre_layout_make(acre_site_type type, acre_format format, int64_t sites, const char *label,
                             struct acre_layout *layout);

/* The element index of component k at site `place`. */
static inline size_t acre_layout_element(const struct acre_layout *layout, size_t k, int64_t place)
{
    return layout->format.order == ACRE_SITE_FAST ? k * (size_t)layout->plane_stride + (size_t)place
                                                  : (size_t)place * layout->components + k;
}
/* Elements from one site to the next, for a fixed component. */
static inline size_t acre_layout_site_stride(const struct acre_layout *layout)
{
    return layout->format.order == ACRE_SITE_FAST ? 1 : layout->components;
}

#endif
