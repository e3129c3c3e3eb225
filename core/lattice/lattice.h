/* core/lattice/lattice.h: the lattice inside: geometry, order of sites, domains. */
#ifndef ACRE_CORE_LATTICE_LATTICE_H
#define ACRE_CORE_LATTICE_LATTICE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "acre/lattice.h"
#include "core/device/context.h"

/* The part of a lattice that one device works on. Domains are cut along the last extent. */
struct acre_domain {
    int rank; /* the process; 0 */
    struct acre_device *device;
    int64_t origin[ACRE_MAX_DIMENSION]; /* global coordinates of its first site */
    int64_t extents[ACRE_MAX_DIMENSION];
    int64_t sites;
};

struct acre_lattice {
    atomic_size_t holds;
    acre_context *context;
    int dimension;
    int64_t extents[ACRE_MAX_DIMENSION]; /* 1 beyond the dimension */
    int64_t sites;
    acre_site_order order;
    bool all_even; /* every extent is even */
    size_t domain_count;
    struct acre_domain *domains;
};

void acre_lattice_hold(acre_lattice *lattice);

/* "4x4x4x8", written to text[size]; returns text. */
const char *acre_lattice_text(const acre_lattice *lattice, char *text, size_t size);

/* Lexicographic index of global coordinates (coordinate 0 fastest), and back. */
int64_t acre_lattice_index(const acre_lattice *lattice, const int64_t *coordinates);
void acre_lattice_coordinates(const acre_lattice *lattice, int64_t index, int64_t *coordinates);

/* 0 even, 1 odd. */
static inline int acre_parity(int dimension, const int64_t *coordinates)
{
    int64_t sum = 0;
    for (int mu = 0; mu < dimension; ++mu)
        sum += coordinates[mu];
    return (int)(sum & 1);
}

/* The place in memory order of the site with this lexicographic index, within the one domain, and back. */
int64_t acre_lattice_place_of(const acre_lattice *lattice, int64_t index);
int64_t acre_lattice_index_of(const acre_lattice *lattice, int64_t place);

#endif
