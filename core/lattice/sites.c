/* core/lattice/sites.c: where a site is: coordinates, lexicographic index, place in memory. */
#include "core/lattice/lattice.h"

int64_t acre_lattice_index(const acre_lattice *lattice, const int64_t *coordinates)
{
    int64_t index = 0;
    for (int mu = lattice->dimension - 1; mu >= 0; --mu)
        index = index * lattice->extents[mu] + coordinates[mu];
    return index;
}

void acre_lattice_coordinates(const acre_lattice *lattice, int64_t index, int64_t *coordinates)
{
    for (int mu = 0; mu < lattice->dimension; ++mu) {
        int64_t rest = index / lattice->extents[mu];
        coordinates[mu] = index - rest * lattice->extents[mu];
        index = rest;
    }
}

static int parity_of(const acre_lattice *lattice, int64_t index)
{
    int64_t coordinates[ACRE_MAX_DIMENSION];
    acre_lattice_coordinates(lattice, index, coordinates);
    return acre_parity(lattice->dimension, coordinates);
}

/* In checkerboard order extent 0 is even, so sites 2q and 2q + 1 are neighbours of different parity, and q
 * counts the sites of each parity. */
static int64_t checkerboard_place(const acre_lattice *lattice, int64_t index, int64_t parity)
{
    return index / 2 + (-parity & (lattice->sites / 2));
}

int64_t acre_lattice_place_of(const acre_lattice *lattice, int64_t index)
{
    if (lattice->order == ACRE_SITES_LEXICOGRAPHIC)
        return index;
    return checkerboard_place(lattice, index, parity_of(lattice, index));
}

int64_t acre_lattice_index_of(const acre_lattice *lattice, int64_t place)
{
    if (lattice->order == ACRE_SITES_LEXICOGRAPHIC)
        return place;
    int64_t half = lattice->sites / 2;
    int parity = place >= half;
    int64_t first_of_pair = 2 * (place - (parity ? half : 0));
    return first_of_pair + (parity_of(lattice, first_of_pair) ^ parity);
}
