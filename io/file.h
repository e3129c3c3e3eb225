/* io/file.h: a regular file opened for reading, whose size is known and held. */
#ifndef ACRE_IO_FILE_H
#define ACRE_IO_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "acre/status.h"

struct acre_file {
    int fd;
    uint64_t bytes;
    char name[240]; /* the path as messages say it */
};

/* Open a regular file; anything else (a directory, a FIFO) is refused without waiting for it.
 * Errors: ACRE_ERR_FILE; then *file holds nothing. */
acre_status acre_file_open(const char *path, struct acre_file *file);
void acre_file_close(struct acre_file *file);

/* Read exactly the bytes [offset, offset + bytes). Errors: ACRE_ERR_FILE (it can't be read, or it has become
 * shorter than it was). */
acre_status acre_file_read(const struct acre_file *file, uint64_t offset, void *buffer, size_t bytes);

/* ACRE_ERR_FILE if the file no longer has the size it was opened with. */
acre_status acre_file_verify(const struct acre_file *file);

#endif
