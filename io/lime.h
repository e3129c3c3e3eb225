/* io/lime.h: the LIME container: a file as a row of named records. */
#ifndef ACRE_IO_LIME_H
#define ACRE_IO_LIME_H

#include <stdbool.h>

#include "io/file.h"
#include "io/text.h"

#define ACRE_LIME_MAGIC 0x456789abu

struct acre_lime_record {
    char type[129];
    uint64_t offset, bytes; /* its data, without the padding */
};

/* Go to the record that begins at *position and move *position to the next one; *found is false at the end
 * of the file. Records are walked by their lengths alone: writers disagree on the message flags.
 * Errors: ACRE_ERR_FILE_FORMAT (no record there, or it reaches beyond the file), ACRE_ERR_FILE. */
acre_status acre_lime_next(const struct acre_file *file, uint64_t *position, struct acre_lime_record *record,
                           bool *found);

static inline bool acre_lime_is(const struct acre_lime_record *record, const char *type)
{
    return acre_text_equal(acre_text_of(record->type), type);
}

/* The data of a record of text, at most 1 MiB, in new memory that the caller frees with free(text->data).
 * Errors: ACRE_ERR_FILE_FORMAT (larger), ACRE_ERR_FILE, ACRE_ERR_OUT_OF_MEMORY. */
acre_status acre_lime_read_text(const struct acre_file *file, const struct acre_lime_record *record,
                                struct acre_text *text);

#endif
