/* core/program/expand_reunit.c: scalar steps that bring a colour matrix back to SU(N). */
#include "core/base/fail.h"
#include "core/program/expand_build.h"

enum { N_MAX = ACRE_MAX_COLOURS };

/* row[j] of the result from v, made orthogonal to the rows before it and normalised. */
static void orthonormal_row(struct acre_builder *b, unsigned n, unsigned r, const struct acre_entry *given,
                            struct acre_entry rows[N_MAX][N_MAX])
{
    struct acre_entry v[N_MAX], left[N_MAX];
    for (unsigned j = 0; j < n; ++j)
        v[j] = given[j];
    for (unsigned q = 0; q < r; ++q) {
        struct acre_entry overlap = acre_build_temporary(b, true);
        for (unsigned j = 0; j < n; ++j)
            left[j] = acre_entry_conjugate(rows[q][j]);
        acre_build_products(b, overlap, left, v, n);
        for (unsigned j = 0; j < n; ++j) {
            struct acre_entry part = acre_build_temporary(b, true), next = acre_build_temporary(b, true);
            acre_build_products(b, part, &overlap, &rows[q][j], 1);
            acre_build_difference(b, next, v[j], part);
            v[j] = next;
        }
    }
    struct acre_entry norm2 = acre_build_temporary(b, false), norm = acre_build_temporary(b, false);
    for (unsigned j = 0; j < n; ++j)
        left[j] = acre_entry_conjugate(v[j]);
    acre_build_products(b, norm2, left, v, n);
    acre_build_root(b, norm, norm2);
    for (unsigned j = 0; j < n; ++j)
        acre_build_quotient(b, rows[r][j], v[j], norm);
}

/* The minors of rows 0 … r for every set of r + 1 columns, from those of rows 0 … r - 1, along row r. */
static void next_minors(struct acre_builder *b, unsigned n, unsigned r, const struct acre_entry *row,
                        const struct acre_entry *before, struct acre_entry *minors)
{
    for (unsigned set = 1; set < 1u << n; ++set) {
        if ((unsigned)__builtin_popcount(set) != r + 1)
            continue;
        struct acre_entry x[N_MAX], y[N_MAX];
        unsigned count = 0;
        for (unsigned j = 0; j < n; ++j) {
            if (!(set >> j & 1))
                continue;
            x[count] = (r + count) % 2 ? acre_entry_negative(row[j]) : row[j];
            y[count++] = before[set & ~(1u << j)];
        }
        minors[set] = acre_build_temporary(b, true);
        acre_build_products(b, minors[set], x, y, count);
    }
}

void acre_build_reunit(struct acre_builder *b, struct acre_object u, unsigned map)
{
    const unsigned n = u.colours;
    struct acre_entry rows[N_MAX][N_MAX], minors[2][1u << N_MAX];
    for (unsigned r = 0; r < n; ++r)
        for (unsigned j = 0; j < n; ++j)
            rows[r][j] = acre_entry_at(u, 0, ACRE_FROM_OWN, 0, 0, r, j);
    for (unsigned r = 0; r + 1 < n; ++r) {
        struct acre_entry given[N_MAX];
        for (unsigned j = 0; j < n; ++j)
            given[j] = acre_entry_at(u, map, ACRE_FROM_A, 0, 0, r, j);
        orthonormal_row(b, n, r, given, rows);
        for (unsigned j = 0; r == 0 && j < n; ++j)
            minors[0][1u << j] = rows[0][j];
        if (r > 0)
            next_minors(b, n, r, rows[r], minors[(r - 1) % 2], minors[r % 2]);
    }
    for (unsigned j = 0; j < n; ++j) {
        struct acre_entry minor;
        if (n == 1) {
            acre_build_constant(b, rows[0][0], 1);
            break;
        }
        minor = acre_entry_conjugate(minors[(n - 2) % 2][((1u << n) - 1) & ~(1u << j)]);
        acre_build_copy(b, rows[n - 1][j], (n - 1 + j) % 2 ? acre_entry_negative(minor) : minor);
    }
}
