/* core/field/field.c: making fields, copying them bit for bit, and saying what they are. */
#include "core/field/field.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "core/base/size.h"

/* What messages call a field that was given no label. */
static const char UNNAMED[] = "unnamed";

/* The images of all domains, one after the other; *bytes is their sum. */
static acre_status make_images(struct acre_field *field, const char *label, size_t *bytes)
{
    const acre_lattice *lattice = field->lattice;

    field->images = calloc(lattice->domain_count, sizeof(*field->images));
    if (!field->images)
        return acre_fail_memory(lattice->domain_count * sizeof(*field->images));
    *bytes = 0;
    for (size_t d = 0; d < lattice->domain_count; ++d) {
        struct acre_image *image = &field->images[d];
        ACRE_TRY(
            acre_layout_make(field->type, field->format, lattice->domains[d].sites, label, &image->layout));
        image->offset = *bytes;
        if (!acre_size_add(*bytes, image->layout.bytes, bytes) || *bytes > PTRDIFF_MAX)
            return acre_fail(ACRE_ERR_OVERFLOW, "field '%s': the images of %zu domains are too many bytes",
                             label, lattice->domain_count);
    }
    return ACRE_OK;
}

/* Free what there is of a field, which may be half made. */
static void free_field(struct acre_field *field)
{
    acre_array_destroy(field->array);
    free(field->images);
    free(field->label);
    free(field);
}

acre_status acre_field_create(acre_lattice *lattice, acre_site_type type, acre_format format, const char *label,
                              acre_field **field)
{
    size_t bytes = 0;

    if (!field)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_field_create: no place for the field (NULL)");
    *field = NULL;
    if (!label || !*label)
        label = UNNAMED;
    if (!lattice)
        return acre_fail(ACRE_ERR_ARGUMENT, "field '%s': the lattice is NULL", label);
    ACRE_TRY(acre_site_type_check(type));

    struct acre_field *made = calloc(1, sizeof(*made));
    if (!made)
        return acre_fail_memory(sizeof(*made));
    made->lattice = lattice;
    made->type = type;
    made->format = format;
    acre_status status = make_images(made, label, &bytes);
    if (status != ACRE_OK)
        goto failed;
    made->label = strdup(label);
    if (!made->label) {
        status = acre_fail_memory(strlen(label) + 1);
        goto failed;
    }
    status = acre_array_create(lattice->context, bytes, false, made->label, &made->array);
    if (status != ACRE_OK) {
        made->array = NULL;
        goto failed;
    }
    acre_lattice_hold(lattice);
    *field = made;
    return ACRE_OK;

failed:
    free_field(made);
    return status;
}

/* Bytes move as they are, so that NaNs keep their payloads. */
static acre_status copy_bytes(const acre_field *source, acre_field *copy)
{
    void *from, *to;

    ACRE_TRY(acre_array_acquire(source->array, ACRE_PLACE_HOST, ACRE_READ, NULL, 0, &from));
    acre_status status = acre_array_acquire(copy->array, ACRE_PLACE_HOST, ACRE_WRITE, NULL, 0, &to);
    if (status == ACRE_OK) {
        memcpy(to, from, acre_array_bytes(source->array));
        status = acre_array_release(copy->array, ACRE_PLACE_HOST, ACRE_WRITE, NULL, 0);
    }
    acre_status released = acre_array_release(source->array, ACRE_PLACE_HOST, ACRE_READ, NULL, 0);
    return status != ACRE_OK ? status : released;
}

acre_status acre_field_copy(const acre_field *source, const char *label, acre_field **field)
{
    acre_field *made = NULL;

    if (!field)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_field_copy: no place for the field (NULL)");
    *field = NULL;
    if (!source)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_field_copy: the source is NULL");
    ACRE_TRY(acre_field_create(source->lattice, source->type, source->format, label, &made));
    acre_status status = copy_bytes(source, made);
    if (status != ACRE_OK) {
        acre_field_destroy(made);
        return status;
    }
    *field = made;
    return ACRE_OK;
}

void acre_field_destroy(acre_field *field)
{
    if (!field)
        return;
    acre_lattice *lattice = field->lattice;
    free_field(field);
    acre_lattice_destroy(lattice);
}

acre_lattice *acre_field_lattice(const acre_field *field)
{
    return field->lattice;
}

acre_site_type acre_field_type(const acre_field *field)
{
    return field->type;
}

acre_format acre_field_format(const acre_field *field)
{
    return field->format;
}

const char *acre_field_label(const acre_field *field)
{
    return field->label;
}

acre_array *acre_field_array(const acre_field *field)
{
    return field->array;
}

size_t acre_field_bytes(const acre_field *field)
{
    return acre_array_bytes(field->array);
}
