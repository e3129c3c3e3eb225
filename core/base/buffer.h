/* core/base/buffer.h: a growing run of bytes, for lists and text. */
#ifndef ACRE_CORE_BASE_BUFFER_H
#define ACRE_CORE_BASE_BUFFER_H

#include <stdarg.h>
#include <stddef.h>

#include "acre/status.h"

/* {0} is empty. Text kept in one is always NUL-terminated beyond `size`. */
struct acre_buffer {
    char *data;
    size_t size, capacity;
};

/* Append `bytes` bytes (zeros when `data` is NULL). On failure the buffer is as before. */
acre_status acre_buffer_append(struct acre_buffer *buffer, const void *data, size_t bytes);
/* Append formatted text. */
acre_status acre_buffer_print(struct acre_buffer *buffer, const char *format, ...) ACRE_PRINTF(2, 3);
acre_status acre_buffer_vprint(struct acre_buffer *buffer, const char *format, va_list arguments);
void acre_buffer_free(struct acre_buffer *buffer);

#endif
