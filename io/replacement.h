/* io/replacement.h: a file written under a temporary name beside its own, so that it appears whole or not at
 * all. */
#ifndef ACRE_IO_REPLACEMENT_H
#define ACRE_IO_REPLACEMENT_H

#include <stddef.h>
#include <stdint.h>

#include "acre/status.h"

struct acre_replacement {
    char *path; /* where it goes: behind symbolic links */
    char *temporary;
    int fd;
    char name[240]; /* the path as messages say it */
};

/* Make the temporary file. `path` may exist if it is a regular file, and must stay in place till the end.
 * Errors: ACRE_ERR_FILE, ACRE_ERR_OUT_OF_MEMORY; then there is nothing to commit or abandon. */
acre_status acre_replacement_begin(const char *path, struct acre_replacement *replacement);

acre_status acre_replacement_write(const struct acre_replacement *replacement, uint64_t offset,
                                   const void *data, size_t bytes);

/* Bring the file to the disk and put it in its place. After an error it is as if abandoned. */
acre_status acre_replacement_commit(struct acre_replacement *replacement);

/* Remove the temporary file; what was at `path` is untouched. */
void acre_replacement_abandon(struct acre_replacement *replacement);

#endif
