/* acre/gauge.h: gauge configurations in files: NERSC, ILDG and SciDAC (in LIME), MILC. */
#ifndef ACRE_GAUGE_H
#define ACRE_GAUGE_H

#include "acre/field.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum acre_check { ACRE_CHECK_ABSENT, ACRE_CHECK_OK, ACRE_CHECK_MISMATCH } acre_check;

/* "absent", "ok", "mismatch". */
ACRE_API const char *acre_check_name(acre_check check);

/* Observables of a gauge configuration u[mu]. With Re Tr / Nc and averages over sites and planes:
 * plaquette = <Re Tr U_mu(x) U_nu(x+mu) U_mu(x+nu)^+ U_nu(x)^+> / Nc over the 6 planes of 4 dimensions;
 * spatial: the planes without the last direction; temporal: those with it; link_trace = <Re Tr U_mu(x)> / Nc.
 */
typedef struct acre_gauge_observables {
    double plaquette, plaquette_spatial, plaquette_temporal, link_trace;
} acre_gauge_observables;

/* Measure u: as many colour-matrix fields as the lattice has dimensions (at least 2; in two dimensions there
 * is no spatial plane and plaquette_spatial is 0). The same bits in every format, site order and number of
 * threads. Errors: ACRE_ERR_ARGUMENT, and those of acre_eval. */
ACRE_API acre_status acre_gauge_measure(const acre_fields *u, acre_gauge_observables *observables);

/* What a gauge file says of itself. */
typedef struct acre_gauge_header {
    char format[16];    /* "NERSC", "ILDG", "SciDAC", "MILC v5", "MILC v1-4" */
    int dimension;      /* 4 */
    int64_t extents[4]; /* x, y, z, t */
    int colours;
    acre_word word; /* the precision of the numbers in the file */
    bool has_checksum;
    uint32_t checksum[2]; /* NERSC: [0]; SciDAC: suma, sumb; MILC v5: sum29, sum31 */
    int checksum_words;   /* how many of them there are: 0, 1 or 2 */
    bool has_plaquette, has_link_trace;
    double plaquette, link_trace;
} acre_gauge_header;

typedef struct acre_gauge_file acre_gauge_file;

/* Progress of long work: done of total, in bytes of the file. May be NULL where it is taken. */
typedef void acre_progress(void *data, uint64_t done, uint64_t total);

/* Open a gauge file of any known format, found by its first bytes, and read its header. Everything announced
 * is held against the real size of the file before any memory is taken.
 * Errors: ACRE_ERR_FILE (not there, not a regular file, can't be read), ACRE_ERR_FILE_FORMAT (the message
 * has the path and the numbers that don't fit), ACRE_ERR_OUT_OF_MEMORY; then *file is NULL. */
ACRE_API acre_status acre_gauge_open(const char *path, acre_gauge_file **file);
ACRE_API void acre_gauge_close(acre_gauge_file *file);
ACRE_API const acre_gauge_header *acre_gauge_file_header(const acre_gauge_file *file);

/* Read the links into u: `dimension` colour-matrix fields on a lattice of the file's extents, of any
 * precision and format. `check` says whether the data agree with the file's checksum; `computed` (two
 * words, may be NULL) has the checksum of the data. A mismatch is not an error: the links are there.
 * Errors: ACRE_ERR_ARGUMENT (u does not fit the file), ACRE_ERR_FILE, ACRE_ERR_CONFLICT. After an error u is as
 * before, except where the file became unreadable half-way: then all of u is NaN. */
ACRE_API acre_status acre_gauge_read(acre_gauge_file *file, acre_fields *u, acre_check *check,
                                     uint32_t computed[2], acre_progress *progress, void *progress_data);

/* Whether measured values agree with the header's, to the digits such headers carry. */
ACRE_API acre_check acre_gauge_check_plaquette(const acre_gauge_header *header, double plaquette);
ACRE_API acre_check acre_gauge_check_link_trace(const acre_gauge_header *header, double link_trace);

/* Write u as a NERSC archive, 4D_SU3_GAUGE_3x3 (all rows), big-endian, at the precision of u's word, so that
 * reading it gives identical bits. Plaquette, link trace and checksum go into the header; the date does not,
 * so that the same links give the same file. The file appears under `path` whole or not at all.
 * u: 4 colour-matrix fields with Nc = 3 on a 4-dimensional lattice.
 * Errors: ACRE_ERR_ARGUMENT, ACRE_ERR_UNDEFINED, ACRE_ERR_FILE, ACRE_ERR_OUT_OF_MEMORY. */
ACRE_API acre_status acre_gauge_write_nersc(const acre_fields *u, const char *path, acre_progress *progress,
                                            void *progress_data);

#ifdef __cplusplus
}
#endif
#endif
