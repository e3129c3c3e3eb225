/* io/lime.c: walking the records of a LIME file. */
#include "io/lime.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "io/byteorder.h"

enum { HEADER_BYTES = 144, TYPE_OFFSET = 16, LENGTH_OFFSET = 8, TEXT_LIMIT = 1 << 20 };

acre_status acre_lime_next(const struct acre_file *file, uint64_t *position, struct acre_lime_record *record,
                           bool *found)
{
    uint64_t left = file->bytes - *position;
    *found = false;
    if (left == 0)
        return ACRE_OK;
    if (left < HEADER_BYTES)
        return acre_fail(ACRE_ERR_FILE_FORMAT,
                         "%s: %llu bytes left at byte %llu, a LIME record's header takes %d", file->name,
                         (unsigned long long)left, (unsigned long long)*position, HEADER_BYTES);
    unsigned char header[HEADER_BYTES];
    ACRE_TRY(acre_file_read(file, *position, header, sizeof header));
    if (acre_load32(header, true) != ACRE_LIME_MAGIC)
        return acre_fail(ACRE_ERR_FILE_FORMAT, "%s: no LIME record at byte %llu: magic %08x instead of %08x",
                         file->name, (unsigned long long)*position, (unsigned)acre_load32(header, true),
                         ACRE_LIME_MAGIC);
    memcpy(record->type, header + TYPE_OFFSET, sizeof record->type - 1);
    record->type[sizeof record->type - 1] = '\0';
    record->offset = *position + HEADER_BYTES;
    record->bytes = acre_load64(header + LENGTH_OFFSET, true);
    left -= HEADER_BYTES;
    if (record->bytes > left)
        return acre_fail(ACRE_ERR_FILE_FORMAT,
                         "%s: LIME record '%s' at byte %llu announces %llu bytes, the file has %llu left",
                         file->name, acre_text_quote(acre_text_of(record->type)).text,
                         (unsigned long long)*position, (unsigned long long)record->bytes,
                         (unsigned long long)left);
    uint64_t padding = -record->bytes & 7; /* missing behind the last record of some files */
    *position = record->bytes + padding > left ? file->bytes : record->offset + record->bytes + padding;
    *found = true;
    return ACRE_OK;
}

acre_status acre_lime_read_text(const struct acre_file *file, const struct acre_lime_record *record,
                                struct acre_text *text)
{
    *text = (struct acre_text){NULL, 0};
    if (record->bytes > TEXT_LIMIT)
        return acre_fail(ACRE_ERR_FILE_FORMAT, "%s: LIME record '%s' has %llu bytes, more than %d of XML",
                         file->name, acre_text_quote(acre_text_of(record->type)).text,
                         (unsigned long long)record->bytes, TEXT_LIMIT);
    size_t bytes = (size_t)record->bytes;
    char *data = malloc(bytes + 1);
    if (!data)
        return acre_fail_memory(bytes + 1);
    acre_status status = acre_file_read(file, record->offset, data, bytes);
    if (status != ACRE_OK) {
        free(data);
        return status;
    }
    data[bytes] = '\0';
    *text = (struct acre_text){data, bytes};
    return ACRE_OK;
}
