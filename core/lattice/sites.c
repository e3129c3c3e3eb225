/* core/lattice/sites.c: where a site is: coordinates, lexicographic index, place in memory, neighbours. */
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

/* The displacement reduced to [0, extent) in each direction. */
static void reduce(const acre_lattice *lattice, const int64_t *displacement, int64_t *reduced)
{
    for (int mu = 0; mu < lattice->dimension; ++mu) {
        int64_t rest = displacement[mu] % lattice->extents[mu];
        reduced[mu] = rest < 0 ? rest + lattice->extents[mu] : rest;
    }
}

/* x + reduced displacement, periodic. No overflow: both are below 2^62. */
static int64_t displaced(const acre_lattice *lattice, const int64_t *reduced, const int64_t *x, int mu)
{
    int64_t y = x[mu] + reduced[mu];
    return y >= lattice->extents[mu] ? y - lattice->extents[mu] : y;
}

/* A row: the sites that differ in coordinate 0 alone. */
struct row {
    int64_t first;  /* lexicographic index of its site with coordinate 0 = 0 */
    int64_t parity; /* of that site */
};

static struct row displaced_row(const acre_lattice *lattice, const int64_t *reduced, const int64_t *x)
{
    struct row row = {0, 0};
    for (int mu = lattice->dimension - 1; mu >= 1; --mu) {
        int64_t y = displaced(lattice, reduced, x, mu);
        row.first = row.first * lattice->extents[mu] + y;
        row.parity ^= y & 1;
    }
    row.first *= lattice->extents[0];
    return row;
}

/* The places of `count` sites of a row from coordinate 0 = x on. */
static void fill(const acre_lattice *lattice, struct row row, int64_t x, int64_t count, int64_t *places)
{
    int64_t index = row.first + x;
    if (lattice->order == ACRE_SITES_LEXICOGRAPHIC) {
        for (int64_t i = 0; i < count; ++i)
            places[i] = index + i;
        return;
    }
    int64_t half = lattice->sites / 2, parity = (row.parity + x) & 1;
    for (int64_t i = 0; i < count; ++i)
        places[i] = ((index + i) >> 1) + (half & -((parity + i) & 1));
}

static void next_row(const acre_lattice *lattice, int64_t *x)
{
    x[0] = 0;
    for (int mu = 1; mu < lattice->dimension; ++mu) {
        if (++x[mu] < lattice->extents[mu])
            return;
        x[mu] = 0;
    }
}

static void neighbours_of_run(const acre_lattice *lattice, const int64_t *reduced, int64_t first, int64_t count,
                              int64_t *places)
{
    int64_t x[ACRE_MAX_DIMENSION];
    acre_lattice_coordinates(lattice, first, x);
    while (count > 0) {
        struct row row = displaced_row(lattice, reduced, x);
        int64_t in_row = lattice->extents[0] - x[0];
        if (in_row > count)
            in_row = count;
        /* The displaced run wraps at most once. */
        int64_t y = displaced(lattice, reduced, x, 0);
        int64_t before_wrap = lattice->extents[0] - y;
        if (before_wrap > in_row)
            before_wrap = in_row;
        fill(lattice, row, y, before_wrap, places);
        fill(lattice, row, 0, in_row - before_wrap, places + before_wrap);
        places += in_row;
        count -= in_row;
        next_row(lattice, x);
    }
}

void acre_lattice_neighbours(const acre_lattice *lattice, const int64_t *displacement, int64_t first,
                             const int64_t *indices, int64_t count, int64_t *places)
{
    int64_t reduced[ACRE_MAX_DIMENSION];
    reduce(lattice, displacement, reduced);
    if (!indices) {
        neighbours_of_run(lattice, reduced, first, count, places);
        return;
    }
    for (int64_t i = 0; i < count; ++i) {
        int64_t x[ACRE_MAX_DIMENSION];
        acre_lattice_coordinates(lattice, indices[i], x);
        fill(lattice, displaced_row(lattice, reduced, x), displaced(lattice, reduced, x, 0), 1, places + i);
    }
}
