/* core/lattice/layout.c: the size and strides of a field's image, refused when they don't fit. */
#include "core/lattice/layout.h"

#include "core/base/fail.h"
#include "core/base/size.h"

acre_status acre_layout_make(acre_site_type type, acre_format format, int64_t sites, const char *label,
                             struct acre_layout *layout)
{
    char name[96];
    size_t elements, bytes;

    if (format.order != ACRE_SITE_FAST && format.order != ACRE_SITE_SLOW)
        return acre_fail(ACRE_ERR_TYPE, "field '%s': there is no data order number %d", label,
                         (int)format.order);
    if (format.storage != ACRE_NATIVE && format.storage != ACRE_HALF)
        return acre_fail(ACRE_ERR_TYPE, "field '%s': there is no storage number %d", label,
                         (int)format.storage);
    if (format.storage == ACRE_HALF && !acre_word_is_floating(type.word))
        return acre_fail(ACRE_ERR_TYPE,
                         "OLattice: half storage requires a floating-point word type: field '%s' is %s", label,
                         acre_site_type_name(type, name, sizeof(name)));

    size_t components = acre_site_type_components(type);
    size_t element_bytes = format.storage == ACRE_HALF ? 2 : acre_word_bytes(type.word);
    /* Addresses are subtracted somewhere, so an image must stay below half the address space. */
    if (sites < 0 || !acre_size_multiply((size_t)sites, components, &elements) ||
        !acre_size_multiply(elements, element_bytes, &bytes) || bytes > PTRDIFF_MAX)
        return acre_fail(ACRE_ERR_OVERFLOW, "field '%s': %lld sites of %s, %zu bytes each, are too many bytes",
                         label, (long long)sites, acre_site_type_name(type, name, sizeof(name)),
                         components * element_bytes);
    *layout = (struct acre_layout){
        .format = format,
        .word = type.word,
        .components = components,
        .element_bytes = element_bytes,
        .sites = sites,
        .plane_stride = sites,
        .bytes = bytes,
    };
    return ACRE_OK;
}
