/* core/lattice/site_type.c: which site types there are, and what they are called in messages. */
#include "acre/site_type.h"

#include <stdio.h>

#include "core/base/fail.h"

bool acre_site_type_equal(acre_site_type a, acre_site_type b)
{
    return a.word == b.word && a.is_complex == b.is_complex && a.spin_rank == b.spin_rank &&
           a.colour_rank == b.colour_rank && a.spins == b.spins && a.colours == b.colours;
}

static bool word_is_known(acre_word word)
{
    return word == ACRE_FLOAT || word == ACRE_DOUBLE || word == ACRE_INT || word == ACRE_BOOL;
}

/* Real types have one shape beyond the scalar: n plain components. */
static acre_status check_real(acre_site_type type)
{
    if (type.spin_rank == 0)
        return ACRE_OK;
    if (type.spins < 1 || type.spins > ACRE_MAX_VECTOR)
        return acre_fail(ACRE_ERR_TYPE, "real vector of %u components: must be 1 to %d", type.spins,
                         ACRE_MAX_VECTOR);
    return ACRE_OK;
}

static acre_status check_complex(acre_site_type type)
{
    if (!acre_word_is_floating(type.word))
        return acre_fail(ACRE_ERR_TYPE, "a complex site type can't have %s words",
                         type.word == ACRE_INT ? "integer" : "boolean");
    if (type.spin_rank && type.spins != 1 && type.spins != 2 && type.spins != 4)
        return acre_fail(ACRE_ERR_TYPE, "site type with %u spins (Ns): must be 1, 2 or 4", type.spins);
    if (type.colour_rank && (type.colours < 1 || type.colours > ACRE_MAX_COLOURS))
        return acre_fail(ACRE_ERR_TYPE, "site type with %u colours (Nc): must be 1 to %d", type.colours,
                         ACRE_MAX_COLOURS);
    return ACRE_OK;
}

acre_status acre_site_type_check(acre_site_type type)
{
    if (!word_is_known(type.word))
        return acre_fail(ACRE_ERR_TYPE, "site type with word number %d: there is no such word", (int)type.word);
    if (type.spin_rank > 2 || type.colour_rank > 2)
        return acre_fail(ACRE_ERR_TYPE, "site type with spin rank %u and colour rank %u: must be 0, 1 or 2",
                         type.spin_rank, type.colour_rank);
    if (type.spin_rank == 0 && type.spins != 1)
        return acre_fail(ACRE_ERR_TYPE, "site type without spin (rank 0), but with %u spins: must be 1",
                         type.spins);
    if (type.colour_rank == 0 && type.colours != 1)
        return acre_fail(ACRE_ERR_TYPE, "site type without colour (rank 0), but with %u colours: must be 1",
                         type.colours);
    if (type.is_complex)
        return check_complex(type);
    if (type.spin_rank > 1 || type.colour_rank > 0)
        return acre_fail(ACRE_ERR_TYPE,
                         "a real site type is a number or a vector, not of spin rank %u and colour rank %u",
                         type.spin_rank, type.colour_rank);
    return check_real(type);
}

static const char *word_name(acre_word word)
{
    switch (word) {
    case ACRE_FLOAT:
        return "float";
    case ACRE_DOUBLE:
        return "double";
    case ACRE_INT:
        return "integer";
    case ACRE_BOOL:
        return "boolean";
    }
    return "unknown";
}

/* The name of a complex type's shape; ranks are at most 2. */
static const char *shape_name(acre_site_type type)
{
    static const char *const names[3][3] = {
        {"complex", "colour vector", "colour matrix"},
        {"spin vector", "fermion", "spin vector colour matrix"},
        {"spin matrix", "colour vector spin matrix", "propagator"},
    };
    if (type.spin_rank == 1 && type.colour_rank == 1 && type.spins == 2)
        return "half fermion";
    return names[type.spin_rank][type.colour_rank];
}

const char *acre_site_type_name(acre_site_type type, char *text, size_t size)
{
    const char *word = word_name(type.word);
    bool is_plain = !type.is_complex && type.colour_rank == 0 && type.spin_rank < 2;

    if (type.spin_rank > 2 || type.colour_rank > 2 || (!type.is_complex && !is_plain))
        snprintf(text, size, "%s %s of spin rank %u and colour rank %u (Ns = %u, Nc = %u)", word,
                 type.is_complex ? "complex" : "real", type.spin_rank, type.colour_rank, type.spins,
                 type.colours);
    else if (is_plain && type.spin_rank)
        snprintf(text, size, "%s%s vector (n = %u)", word, acre_word_is_floating(type.word) ? " real" : "",
                 type.spins);
    else if (is_plain)
        snprintf(text, size, "%s%s", word, acre_word_is_floating(type.word) ? " real" : "");
    else if (type.spin_rank && type.colour_rank)
        snprintf(text, size, "%s %s (Ns = %u, Nc = %u)", word, shape_name(type), type.spins, type.colours);
    else if (type.spin_rank)
        snprintf(text, size, "%s %s (Ns = %u)", word, shape_name(type), type.spins);
    else if (type.colour_rank)
        snprintf(text, size, "%s %s (Nc = %u)", word, shape_name(type), type.colours);
    else
        snprintf(text, size, "%s %s", word, shape_name(type));
    return text;
}
