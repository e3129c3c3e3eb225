/* tests/gauge_files.h: small gauge files made by the tests, and checksums computed in plain ways of their own.
 */
#ifndef ACRE_TESTS_GAUGE_FILES_H
#define ACRE_TESTS_GAUGE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acre/site_type.h"

struct bytes {
    unsigned char *data;
    size_t size, capacity;
};
void bytes_put(struct bytes *bytes, const void *data, size_t size);
void bytes_print(struct bytes *bytes, const char *format, ...) ACRE_PRINTF(2, 3);
void bytes_put32(struct bytes *bytes, uint32_t value, bool big);
void bytes_put64(struct bytes *bytes, uint64_t value, bool big);
void bytes_clear(struct bytes *bytes);

/* A folder of this process, made on the first call, and the path of a file in it (good until the next call).
 */
const char *scratch_path(const char *name);
void scratch_write(const char *path, const struct bytes *bytes);
void scratch_read(const char *path, struct bytes *bytes);
/* How many entries the folder has. */
int scratch_count(void);
/* Remove the folder with all that is in it. */
void scratch_remove(void);

/* The next of a sequence of random numbers. */
uint64_t random_next(uint64_t *state);

struct gauge_shape {
    int extents[4];
    int colours, rows;
    acre_word word;
    bool big;
    unsigned seed;
};
int gauge_sites(const struct gauge_shape *shape);
/* Number k (row, column, re/im) of the link mu at a site, as the shape's word holds it. */
double gauge_number(const struct gauge_shape *shape, int site, int mu, int k);
void put_payload(struct bytes *bytes, const struct gauge_shape *shape);

uint32_t plain_nersc_sum(const unsigned char *data, size_t size, bool big);
void plain_scidac_sums(const unsigned char *data, size_t site_bytes, int sites, uint32_t sums[2]);
void plain_milc_sums(const unsigned char *data, size_t size, bool big, uint32_t sums[2]);

void put_record(struct bytes *bytes, const char *type, const void *data, size_t size);
/* A record of text with its final NUL, as QIO writes them. */
void put_text_record(struct bytes *bytes, const char *type, const char *text);

/* Whole files in their usual form, with all checks. */
void make_nersc(struct bytes *bytes, const struct gauge_shape *shape);
void make_ildg(struct bytes *bytes, const struct gauge_shape *shape);
void make_scidac(struct bytes *bytes, const struct gauge_shape *shape);
void make_milc(struct bytes *bytes, const struct gauge_shape *shape);
void make_old_milc(struct bytes *bytes, const struct gauge_shape *shape);

/* Parts of the LIME files. */
void put_ildg_format(struct bytes *bytes, const struct gauge_shape *shape);
void put_scidac_file(struct bytes *bytes, const struct gauge_shape *shape);
void put_scidac_description(struct bytes *bytes, const struct gauge_shape *shape);
void put_data(struct bytes *bytes, const char *type, const struct gauge_shape *shape);
void put_sums(struct bytes *bytes, const struct gauge_shape *shape, const char *format);

#endif
