/* core/field/transfer.c: fields and single sites to and from buffers of the caller. */
#include <string.h>

#include "core/base/fail.h"
#include "core/base/size.h"
#include "core/field/view.h"

/* Components of the largest site type: each is a range of its own in SiteFast order. */
enum { MAX_COMPONENTS = 4 * 4 * ACRE_MAX_COLOURS * ACRE_MAX_COLOURS * 2 };

static size_t site_bytes(const acre_field *field)
{
    return acre_site_type_components(field->type) * acre_word_bytes(field->type.word);
}

/* The buffer must be there and have exactly `sites` site objects. */
static acre_status check_buffer(const acre_field *field, int64_t sites, const void *buffer, size_t bytes,
                                const char *what)
{
    size_t wanted;
    char name[96];

    if (!buffer)
        return acre_fail(ACRE_ERR_ARGUMENT, "field '%s': the %s is NULL", field->label, what);
    /* A half field's buffer may be larger than memory, though the field is not. */
    if (!acre_size_multiply((size_t)sites, site_bytes(field), &wanted))
        return acre_fail(ACRE_ERR_OVERFLOW, "field '%s': no %s can have %lld sites of %zu bytes each",
                         field->label, what, (long long)sites, site_bytes(field));
    if (bytes != wanted)
        return acre_fail(ACRE_ERR_ARGUMENT,
                         "field '%s': the %s has %zu bytes, must have %zu (%lld x %s of %zu bytes)",
                         field->label, what, bytes, wanted, (long long)sites,
                         acre_site_type_name(field->type, name, sizeof(name)), site_bytes(field));
    return ACRE_OK;
}

acre_status acre_field_import(acre_field *field, const void *buffer, size_t bytes)
{
    struct acre_field_view view;

    if (!field)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_field_import: the field is NULL");
    ACRE_TRY(check_buffer(field, field->lattice->sites, buffer, bytes, "buffer to import"));
    ACRE_TRY(acre_field_view_begin(field, ACRE_WRITE, &view));
    acre_field_view_put(&view, 0, field->lattice->sites, buffer);
    return acre_field_view_end(&view);
}

acre_status acre_field_export(const acre_field *field, void *buffer, size_t bytes)
{
    struct acre_field_view view;

    if (!field)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_field_export: the field is NULL");
    ACRE_TRY(check_buffer(field, field->lattice->sites, buffer, bytes, "buffer to export to"));
    ACRE_TRY(acre_field_view_begin(field, ACRE_READ, &view));
    acre_field_view_get(&view, 0, field->lattice->sites, buffer);
    return acre_field_view_end(&view);
}

static acre_status check_coordinates(const acre_field *field, const int64_t *coordinates)
{
    const acre_lattice *lattice = field->lattice;
    char text[ACRE_MAX_DIMENSION * 21 + 1];

    if (!coordinates)
        return acre_fail(ACRE_ERR_ARGUMENT, "field '%s': the coordinates are NULL", field->label);
    for (int mu = 0; mu < lattice->dimension; ++mu) {
        if (coordinates[mu] < 0 || coordinates[mu] >= lattice->extents[mu])
            return acre_fail(ACRE_ERR_ARGUMENT,
                             "field '%s': coordinate %d is %lld, must be 0 to %lld on lattice %s", field->label,
                             mu, (long long)coordinates[mu], (long long)(lattice->extents[mu] - 1),
                             acre_lattice_text(lattice, text, sizeof(text)));
    }
    return ACRE_OK;
}

/* The byte ranges of one site, given by lexicographic index: one in SiteSlow order, else one a component. */
static size_t site_ranges(const acre_field *field, int64_t index, acre_range *ranges)
{
    const acre_lattice *lattice = field->lattice;
    const struct acre_layout *layout = &field->images[0].layout;
    int64_t place = acre_lattice_place_of(lattice, index);
    bool is_slow = layout->format.order == ACRE_SITE_SLOW;
    size_t count = is_slow ? 1 : layout->components;

    for (size_t k = 0; k < count; ++k) {
        ranges[k].offset =
            field->images[0].offset + acre_layout_element(layout, k, place) * layout->element_bytes;
        ranges[k].bytes = layout->element_bytes * (is_slow ? layout->components : 1);
    }
    return count;
}

/* Only the site's own bytes are held: reading it needs no other site to be written, and writing it makes no
 * other one count as written. */
static acre_status move_site(const acre_field *field, acre_access access, const int64_t *coordinates, void *get,
                             const void *put)
{
    acre_range ranges[MAX_COMPONENTS];
    void *data;

    int64_t index = acre_lattice_index(field->lattice, coordinates);
    size_t count = site_ranges(field, index, ranges);
    ACRE_TRY(acre_array_acquire(field->array, ACRE_PLACE_HOST, access, ranges, count, &data));
    struct acre_field_view view = {field, access, data};
    if (get)
        acre_field_view_get(&view, index, 1, get);
    else
        acre_field_view_put(&view, index, 1, put);
    return acre_array_release(field->array, ACRE_PLACE_HOST, access, ranges, count);
}

acre_status acre_field_peek_site(const acre_field *field, const int64_t *coordinates, void *value, size_t bytes)
{
    if (!field)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_field_peek_site: the field is NULL");
    ACRE_TRY(check_coordinates(field, coordinates));
    ACRE_TRY(check_buffer(field, 1, value, bytes, "value to peek"));
    return move_site(field, ACRE_READ, coordinates, value, NULL);
}

acre_status acre_field_poke_site(acre_field *field, const int64_t *coordinates, const void *value, size_t bytes)
{
    if (!field)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_field_poke_site: the field is NULL");
    ACRE_TRY(check_coordinates(field, coordinates));
    ACRE_TRY(check_buffer(field, 1, value, bytes, "value to poke"));
    return move_site(field, ACRE_WRITE, coordinates, NULL, value);
}
