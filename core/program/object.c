/* core/program/object.c: shapes of site objects. */
#include "core/program/object.h"

#include <stdio.h>

struct acre_object acre_object_of_type(acre_site_type type)
{
    struct acre_object object = {acre_exec_word_of(type.word),
                                 type.is_complex,
                                 type.spin_rank,
                                 type.colour_rank,
                                 type.spins,
                                 type.colours};
    return object;
}

size_t acre_object_components(struct acre_object o)
{
    acre_site_type type = {ACRE_FLOAT, o.is_complex, o.spin_rank, o.colour_rank, o.spins, o.colours};
    return acre_site_type_components(type);
}

size_t acre_exec_word_bytes(enum acre_exec_word word)
{
    static const unsigned char bytes[] = {4, 8, 4, 8, 1, 2};
    return bytes[word];
}

enum acre_exec_word acre_exec_word_of(acre_word word)
{
    switch (word) {
    case ACRE_FLOAT:
        return ACRE_EXEC_FLOAT;
    case ACRE_DOUBLE:
        return ACRE_EXEC_DOUBLE;
    case ACRE_INT:
        return ACRE_EXEC_INT;
    default:
        return ACRE_EXEC_BOOL;
    }
}

size_t acre_object_component(struct acre_object o, unsigned s, unsigned s2, unsigned c, unsigned c2,
                             unsigned part)
{
    size_t spin_columns = o.spin_rank == 2 ? o.spins : 1;
    size_t colour_rows = o.colour_rank ? o.colours : 1;
    size_t colour_columns = o.colour_rank == 2 ? o.colours : 1;
    return (((s * spin_columns + s2) * colour_rows + c) * colour_columns + c2) * (o.is_complex ? 2 : 1) + part;
}

static const char *shape_name(struct acre_object o)
{
    static const char *const names[3][3] = {
        {"", "colour vector", "colour matrix"},
        {"spin vector", "fermion", "spin-vector colour-matrix"},
        {"spin matrix", "spin-matrix colour-vector", "propagator"},
    };
    if (!acre_object_is_number(o))
        return !o.is_complex && o.spin_rank == 1 ? "real vector" : names[o.spin_rank][o.colour_rank];
    if (o.word == ACRE_EXEC_BOOL)
        return "boolean";
    if (o.word == ACRE_EXEC_INT || o.word == ACRE_EXEC_LONG)
        return "integer";
    return o.is_complex ? "complex number" : "real number";
}

const char *acre_object_name(struct acre_object o, char *text, size_t size)
{
    bool usual = (!o.colour_rank || o.colours == 3) && (!o.spin_rank || (o.spins == 4 && o.is_complex));
    if (usual)
        snprintf(text, size, "%s", shape_name(o));
    else if (o.colour_rank && o.spin_rank)
        snprintf(text, size, "%s (Ns = %u, Nc = %u)", shape_name(o), o.spins, o.colours);
    else
        snprintf(text, size, "%s (%s = %u)", shape_name(o),
                 o.colour_rank  ? "Nc"
                 : o.is_complex ? "Ns"
                                : "n",
                 (unsigned)(o.colour_rank ? o.colours : o.spins));
    return text;
}
