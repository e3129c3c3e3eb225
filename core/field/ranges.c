/* core/field/ranges.c: which bytes of a field's array hold the sites of a subset. */
#include "core/field/field.h"

/* Append a range to an ascending list, or lengthen its last one where they touch. */
static size_t append(acre_range *ranges, size_t count, size_t offset, size_t bytes)
{
    if (count > 0 && ranges[count - 1].offset + ranges[count - 1].bytes == offset) {
        ranges[count - 1].bytes += bytes;
        return count;
    }
    ranges[count].offset = offset;
    ranges[count].bytes = bytes;
    return count + 1;
}

/* Sites of the subset in a domain. */
static int64_t count_sites(const struct acre_domain *domain, int dimension, acre_subset subset)
{
    int64_t fewer = domain->sites / 2, more = domain->sites - fewer;
    if (subset == ACRE_ALL)
        return domain->sites;
    bool as_origin = acre_parity(dimension, domain->origin) == (subset == ACRE_ODD);
    return as_origin ? more : fewer;
}

size_t acre_field_ranges(const acre_field *field, size_t domain, acre_subset subset, acre_range *ranges,
                         bool *exact)
{
    const acre_lattice *lattice = field->lattice;
    const struct acre_image *image = &field->images[domain];
    const struct acre_layout *layout = &image->layout;
    int64_t sites = count_sites(&lattice->domains[domain], lattice->dimension, subset);

    *exact = true;
    if (sites == 0)
        return 0;
    if (sites == layout->sites)
        return append(ranges, 0, image->offset, layout->bytes);
    if (lattice->order == ACRE_SITES_LEXICOGRAPHIC) {
        *exact = false;
        return append(ranges, 0, image->offset, layout->bytes);
    }

    /* Checkerboard order: the subset's sites have consecutive places. */
    int64_t place = subset == ACRE_ODD ? layout->sites / 2 : 0;
    bool is_slow = layout->format.order == ACRE_SITE_SLOW;
    size_t runs = is_slow ? 1 : layout->components, count = 0;
    size_t bytes = (size_t)sites * layout->element_bytes * (is_slow ? layout->components : 1);
    for (size_t k = 0; k < runs; ++k) {
        size_t element = acre_layout_element(layout, k, place);
        count = append(ranges, count, image->offset + element * layout->element_bytes, bytes);
    }
    return count;
}
