/* io/gauge_fields.c: checking and holding the link fields that files are read into and written from. */
#include "io/gauge_fields.h"

#include "acre/group.h"
#include "core/base/fail.h"

acre_status acre_gauge_fields_check(const acre_fields *u, const char *caller, int *colours)
{
    if (!u)
        return acre_fail(ACRE_ERR_ARGUMENT, "%s: no link fields given", caller);
    size_t count = acre_fields_count(u);
    if (count == 0)
        return acre_fail(ACRE_ERR_ARGUMENT, "%s: '%s' has no fields", caller, acre_fields_label(u));
    const acre_field *first = acre_fields_at(u, 0);
    int dimension = acre_lattice_dimension(acre_field_lattice(first));
    if (count != (size_t)dimension)
        return acre_fail(ACRE_ERR_ARGUMENT, "%s: '%s' has %zu fields on a lattice of %d dimensions", caller,
                         acre_fields_label(u), count, dimension);
    acre_site_type type = acre_field_type(first);
    if (type.colour_rank != 2 || type.spin_rank != 0 || !type.is_complex || !acre_word_is_floating(type.word)) {
        char text[64];
        return acre_fail(ACRE_ERR_ARGUMENT, "%s: '%s' holds no colour matrices, but %s", caller,
                         acre_fields_label(u), acre_site_type_name(type, text, sizeof text));
    }
    *colours = type.colours;
    return ACRE_OK;
}

acre_status acre_gauge_views_begin(const acre_fields *u, acre_access access, struct acre_gauge_views *views)
{
    acre_view group[ACRE_GAUGE_DIMENSION];
    views->count = 0;
    for (size_t mu = 0; mu < ACRE_GAUGE_DIMENSION; ++mu)
        group[mu] = (acre_view){.array = acre_field_array(acre_fields_at(u, mu)),
                                .place = ACRE_PLACE_HOST,
                                .access = access,
                                .wants_address = true};
    ACRE_TRY(acre_group_acquire(group, ACRE_GAUGE_DIMENSION));
    for (; views->count < ACRE_GAUGE_DIMENSION; ++views->count)
        views->view[views->count] = (struct acre_field_view){acre_fields_at(u, (size_t)views->count), access,
                                                             group[views->count].address};
    return ACRE_OK;
}

acre_status acre_gauge_views_end(struct acre_gauge_views *views)
{
    acre_status result = ACRE_OK;
    while (views->count) {
        acre_status status = acre_field_view_end(&views->view[--views->count]);
        if (result == ACRE_OK)
            result = status;
    }
    return result;
}
