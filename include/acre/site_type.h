/* acre/site_type.h: what a field holds at one site: spin x colour x reality x word. */
#ifndef ACRE_SITE_TYPE_H
#define ACRE_SITE_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acre/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum acre_word { ACRE_FLOAT, ACRE_DOUBLE, ACRE_INT, ACRE_BOOL } acre_word; /* 4, 8, 4, 1 bytes */

enum { ACRE_MAX_COLOURS = 8, ACRE_MAX_VECTOR = 1024 };

/* A rank of 0 is a scalar (and its size is 1), 1 a vector, 2 a square matrix. */
typedef struct acre_site_type {
    acre_word word;
    bool is_complex;
    uint8_t spin_rank, colour_rank;
    uint16_t spins, colours;
} acre_site_type;

/* The site types: constructor, name, spin rank, spins, colour rank, colours, complex. Ns = 4 and Nc = 3 are
 * the usual sizes; acre_site_type_sized() gives others. */
#define ACRE_SITE_TYPE_TABLE(X)                                                                                \
    X(acre_real, "Real", 0, 1, 0, 1, false)                                                                    \
    X(acre_complex, "Complex", 0, 1, 0, 1, true)                                                               \
    X(acre_colour_vector, "ColourVector", 0, 1, 1, 3, true)                                                    \
    X(acre_colour_matrix, "ColourMatrix", 0, 1, 2, 3, true)                                                    \
    X(acre_spin_vector, "SpinVector", 1, 4, 0, 1, true)                                                        \
    X(acre_spin_matrix, "SpinMatrix", 2, 4, 0, 1, true)                                                        \
    X(acre_fermion, "Fermion", 1, 4, 1, 3, true)                                                               \
    X(acre_half_fermion, "HalfFermion", 1, 2, 1, 3, true)                                                      \
    X(acre_staggered_fermion, "StaggeredFermion", 0, 1, 1, 3, true)                                            \
    X(acre_propagator, "Propagator", 2, 4, 2, 3, true)                                                         \
    X(acre_colour_vector_spin_matrix, "ColourVectorSpinMatrix", 2, 4, 1, 3, true)

#define ACRE_SITE_TYPE_MAKE(make, name, spin_rank, spins, colour_rank, colours, is_complex)                    \
    static inline acre_site_type make(acre_word word)                                                          \
    {                                                                                                          \
        acre_site_type type = {word, is_complex, spin_rank, colour_rank, spins, colours};                      \
        return type;                                                                                           \
    }
ACRE_SITE_TYPE_TABLE(ACRE_SITE_TYPE_MAKE)
#undef ACRE_SITE_TYPE_MAKE

static inline acre_site_type acre_integer(void)
{
    return acre_real(ACRE_INT);
}
static inline acre_site_type acre_boolean(void)
{
    return acre_real(ACRE_BOOL);
}

/* n plain components, 1 <= n <= ACRE_MAX_VECTOR, for uses outside QCD. */
static inline acre_site_type acre_real_vector(acre_word word, uint16_t n)
{
    acre_site_type type = {word, false, 1, 0, n, 1};
    return type;
}

/* The same type with other sizes: `spins` where it has spin (1, 2, 4), `colours` where it has colour (1 to 8).
 */
static inline acre_site_type acre_site_type_sized(acre_site_type type, uint16_t spins, uint16_t colours)
{
    type.spins = type.spin_rank ? spins : 1;
    type.colours = type.colour_rank ? colours : 1;
    return type;
}

/* Components (reals, integers or booleans) a site: Fermion 24, ColourMatrix 18. */
static inline size_t acre_site_type_components(acre_site_type type)
{
    size_t n = type.is_complex ? 2 : 1;
    for (int r = 0; r < type.spin_rank; ++r)
        n *= type.spins;
    for (int r = 0; r < type.colour_rank; ++r)
        n *= type.colours;
    return n;
}

/* Bytes of one component at the type's own precision. */
static inline size_t acre_word_bytes(acre_word word)
{
    return word == ACRE_DOUBLE ? 8 : word == ACRE_BOOL ? 1 : 4;
}

static inline bool acre_word_is_floating(acre_word word)
{
    return word == ACRE_FLOAT || word == ACRE_DOUBLE;
}

ACRE_API bool acre_site_type_equal(acre_site_type a, acre_site_type b);

/* ACRE_ERR_TYPE with a message if the sizes are out of range or the parts don't go together. */
ACRE_API acre_status acre_site_type_check(acre_site_type type);

/* The type in words, "double colour matrix (Nc = 3)", written to text[size]; returns text. */
ACRE_API const char *acre_site_type_name(acre_site_type type, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
