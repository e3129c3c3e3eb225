/* core/field/field.h: the field inside. */
#ifndef ACRE_CORE_FIELD_FIELD_H
#define ACRE_CORE_FIELD_FIELD_H

#include "acre/field.h"
#include "core/lattice/lattice.h"
#include "core/lattice/layout.h"

/* One domain's share of a field: `layout.bytes` bytes from `offset` on in the field's array. */
struct acre_image {
    size_t offset;
    struct acre_layout layout;
};

struct acre_field {
    acre_lattice *lattice;
    acre_site_type type;
    acre_format format;
    char *label;
    acre_array *array;
    struct acre_image *images; /* one a domain */
};

struct acre_fields {
    acre_lattice *lattice;
    char *label;
    size_t count;
    acre_field **fields;
};

/* The byte ranges of the array that hold domain `domain`'s sites of a subset. In lexicographic order a subset
 * that is not everything has no ranges of its own: then the whole image is given and *exact is false.
 * At most `components` ranges, ascending, merged where they touch. */
size_t acre_field_ranges(const acre_field *field, size_t domain, acre_subset subset, acre_range *ranges,
                         bool *exact);

#endif
