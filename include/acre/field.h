/* acre/field.h: a field holds one site object of its type at every site of its lattice, in its data format. */
#ifndef ACRE_FIELD_H
#define ACRE_FIELD_H

#include "acre/array.h"
#include "acre/format.h"
#include "acre/lattice.h"
#include "acre/site_type.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct acre_field acre_field;
typedef struct acre_fields acre_fields; /* an array of fields of one lattice, u[mu] */

/* Make a field, undefined until written. The label (may be NULL) is copied; messages use it.
 * Errors: ACRE_ERR_TYPE (half storage on an integer or boolean field, sizes out of range),
 * ACRE_ERR_OVERFLOW (bytes don't fit), ACRE_ERR_OUT_OF_MEMORY. */
ACRE_API acre_status acre_field_create(acre_lattice *lattice, acre_site_type type, acre_format format,
                                       const char *label, acre_field **field);

/* A new field with the source's type, format and bits. Errors: as create; ACRE_ERR_UNDEFINED. */
ACRE_API acre_status acre_field_copy(const acre_field *source, const char *label, acre_field **field);

/* NULL is fine. Elements of an acre_fields belong to it and are not destroyed by themselves. */
ACRE_API void acre_field_destroy(acre_field *field);

ACRE_API acre_lattice *acre_field_lattice(const acre_field *field);
ACRE_API acre_site_type acre_field_type(const acre_field *field);
ACRE_API acre_format acre_field_format(const acre_field *field);
ACRE_API const char *acre_field_label(const acre_field *field);
/* The bytes underneath; they belong to the field. */
ACRE_API acre_array *acre_field_array(const acre_field *field);
/* Bytes of storage: sites x components x (2 in half, else the word's size), plus padding. */
ACRE_API size_t acre_field_bytes(const acre_field *field);

/* Host buffers are in C order whatever the field's format: site by site, lexicographic (coordinate 0 fastest),
 * the components of a site together (spin row, spin column, colour row, colour column, re/im; the last
 * fastest), at the precision of the type's word. Import rounds to nearest, ties to even, into half storage.
 * `bytes` is the size of the buffer and must be exact.
 * Errors: ACRE_ERR_ARGUMENT (sizes differ: both are said), ACRE_ERR_UNDEFINED (export), ACRE_ERR_CONFLICT. */
ACRE_API acre_status acre_field_import(acre_field *field, const void *buffer, size_t bytes);
ACRE_API acre_status acre_field_export(const acre_field *field, void *buffer, size_t bytes);

/* One site's object, as in the buffers above. `coordinates` has one entry a dimension, each in
 * [0, extent). A site may be poked into a field never written before. */
ACRE_API acre_status acre_field_peek_site(const acre_field *field, const int64_t *coordinates, void *value,
                                          size_t bytes);
ACRE_API acre_status acre_field_poke_site(acre_field *field, const int64_t *coordinates, const void *value,
                                          size_t bytes);

/* An array of `count` fields alike; labels are "label[i]". Errors: as acre_field_create. */
ACRE_API acre_status acre_fields_create(acre_lattice *lattice, acre_site_type type, acre_format format,
                                        size_t count, const char *label, acre_fields **fields);
ACRE_API void acre_fields_destroy(acre_fields *fields);
ACRE_API size_t acre_fields_count(const acre_fields *fields);
/* Element i, owned by the array; NULL beyond the last. */
ACRE_API acre_field *acre_fields_at(const acre_fields *fields, size_t i);
ACRE_API const char *acre_fields_label(const acre_fields *fields);

#ifdef __cplusplus
}
#endif
#endif
