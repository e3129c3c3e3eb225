/* core/field/fields.c: arrays of fields that are alike, such as the links of a gauge field. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "core/base/size.h"
#include "core/field/field.h"

/* Make element i, labelled "label[i]". */
static acre_status make_element(struct acre_fields *fields, size_t i, acre_site_type type, acre_format format)
{
    size_t bytes = strlen(fields->label) + sizeof("[18446744073709551615]");
    char *label = malloc(bytes);
    if (!label)
        return acre_fail_memory(bytes);
    snprintf(label, bytes, "%s[%zu]", fields->label, i);
    acre_status status = acre_field_create(fields->lattice, type, format, label, &fields->fields[i]);
    free(label);
    return status;
}

acre_status acre_fields_create(acre_lattice *lattice, acre_site_type type, acre_format format, size_t count,
                               const char *label, acre_fields **fields)
{
    size_t bytes;

    if (!fields)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_fields_create: no place for the fields (NULL)");
    *fields = NULL;
    if (!label || !*label)
        label = "unnamed";
    if (!lattice)
        return acre_fail(ACRE_ERR_ARGUMENT, "fields '%s': the lattice is NULL", label);
    if (!acre_size_multiply(count, sizeof(acre_field *), &bytes) || bytes > PTRDIFF_MAX)
        return acre_fail(ACRE_ERR_OVERFLOW, "fields '%s': %zu are too many", label, count);

    struct acre_fields *made = calloc(1, sizeof(*made));
    if (!made)
        return acre_fail_memory(sizeof(*made));
    made->lattice = lattice;
    acre_lattice_hold(lattice);
    acre_status status = ACRE_OK;
    made->label = strdup(label);
    made->fields = calloc(count ? count : 1, sizeof(acre_field *));
    if (!made->label || !made->fields)
        status = acre_fail_memory(strlen(label) + 1 + bytes);
    while (status == ACRE_OK && made->count < count) {
        status = make_element(made, made->count, type, format);
        if (status == ACRE_OK)
            ++made->count;
    }
    if (status != ACRE_OK) {
        acre_fields_destroy(made);
        return status;
    }
    *fields = made;
    return ACRE_OK;
}

void acre_fields_destroy(acre_fields *fields)
{
    if (!fields)
        return;
    while (fields->count > 0)
        acre_field_destroy(fields->fields[--fields->count]);
    free(fields->fields);
    free(fields->label);
    acre_lattice_destroy(fields->lattice);
    free(fields);
}

size_t acre_fields_count(const acre_fields *fields)
{
    return fields->count;
}

acre_field *acre_fields_at(const acre_fields *fields, size_t i)
{
    return i < fields->count ? fields->fields[i] : NULL;
}

const char *acre_fields_label(const acre_fields *fields)
{
    return fields->label;
}
