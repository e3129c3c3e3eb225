/* core/field/view.h: a field held on the host for site-wise reading or writing, in pieces. */
#ifndef ACRE_CORE_FIELD_VIEW_H
#define ACRE_CORE_FIELD_VIEW_H

#include "core/field/field.h"

struct acre_field_view {
    const acre_field *field;
    acre_access access;
    unsigned char *data; /* byte 0 of the field's array on the host */
};

/* Hold the whole field on the host. */
acre_status acre_field_view_begin(const acre_field *field, acre_access access, struct acre_field_view *view);
acre_status acre_field_view_end(struct acre_field_view *view);

/* `count` site objects from lexicographic index `first` on, site by site as in acre_field_import's buffers, at
 * the precision of the field's word. */
void acre_field_view_put(const struct acre_field_view *view, int64_t first, int64_t count, const void *buffer);
void acre_field_view_get(const struct acre_field_view *view, int64_t first, int64_t count, void *buffer);

#endif
