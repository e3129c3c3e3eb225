/* core/lattice/traverse.c: sites follow each other in rows of coordinate 0; a displaced row is a rotated row.
 */
#include "core/lattice/traverse.h"

/* A row: the sites that share all coordinates but the first. */
struct row {
    int64_t coordinates[ACRE_MAX_DIMENSION]; /* from 1 on */
    int parity;                              /* of their sum */
};

static void row_at(const acre_lattice *lattice, int64_t index, struct row *row)
{
    row->parity = 0;
    for (int mu = 1; mu < lattice->dimension; ++mu) {
        row->coordinates[mu] = index % lattice->extents[mu];
        row->parity ^= (int)(row->coordinates[mu] & 1);
        index /= lattice->extents[mu];
    }
}

static void row_next(const acre_lattice *lattice, struct row *row)
{
    for (int mu = 1; mu < lattice->dimension; ++mu) {
        const bool carries = ++row->coordinates[mu] == lattice->extents[mu];
        row->parity ^= 1;
        if (!carries)
            return;
        row->parity ^= (int)(row->coordinates[mu] & 1);
        row->coordinates[mu] = 0;
    }
}

static int64_t row_displaced(const acre_lattice *lattice, const struct row *row, const int64_t *displacement)
{
    int64_t index = 0;
    for (int mu = lattice->dimension - 1; mu > 0; --mu) {
        int64_t x = row->coordinates[mu] + displacement[mu];
        index = index * lattice->extents[mu] + (x >= lattice->extents[mu] ? x - lattice->extents[mu] : x);
    }
    return index;
}

void acre_traverse_neighbours(const acre_lattice *lattice, const int64_t *displacement, int64_t first,
                              int64_t count, int64_t *places)
{
    const bool checkerboard = lattice->order == ACRE_SITES_CHECKERBOARD;
    const int64_t extent = lattice->extents[0], length = checkerboard ? extent / 2 : extent;
    const int64_t half = lattice->sites / 2;
    const int parity = checkerboard && first >= half;
    int to_parity = parity;
    for (int mu = 0; mu < lattice->dimension; ++mu)
        to_parity ^= (int)(displacement[mu] & 1);
    const int64_t base = checkerboard && to_parity ? half : 0;
    int64_t in_row = (first - (parity ? half : 0)) % length;
    struct row row;
    row_at(lattice, (first - (parity ? half : 0)) / length, &row);
    while (count > 0) {
        int64_t n = length - in_row < count ? length - in_row : count;
        int64_t x = checkerboard ? 2 * in_row + (parity ^ row.parity) : in_row;
        x += displacement[0];
        x = x >= extent ? x - extent : x;
        int64_t at = checkerboard ? x / 2 : x;
        const int64_t begin = base + row_displaced(lattice, &row, displacement) * length;
        for (int64_t i = 0; i < n;) {
            const int64_t run = length - at < n - i ? length - at : n - i;
            for (int64_t j = 0; j < run; ++j)
                places[i + j] = begin + at + j;
            i += run;
            at = 0;
        }
        places += n;
        count -= n;
        in_row = 0;
        row_next(lattice, &row);
    }
}

void acre_traverse_parities(const acre_lattice *lattice, int64_t first, int64_t count, uint8_t *parities)
{
    const int64_t length = lattice->extents[0];
    int64_t x = first % length;
    struct row row;
    row_at(lattice, first / length, &row);
    for (int64_t i = 0; i < count; ++i) {
        parities[i] = (uint8_t)((x & 1) ^ row.parity);
        if (++x == length) {
            x = 0;
            row_next(lattice, &row);
        }
    }
}
