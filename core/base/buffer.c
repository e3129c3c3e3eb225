/* core/base/buffer.c: a growing run of bytes. One byte beyond its size is always there and zero. */
#include "core/base/buffer.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "core/base/size.h"

/* Make room for `bytes` more bytes and the zero after them. */
static acre_status grow(struct acre_buffer *buffer, size_t bytes)
{
    size_t needed;
    if (!acre_size_add(buffer->size, bytes, &needed) || !acre_size_add(needed, 1, &needed))
        return acre_fail_memory(SIZE_MAX);
    if (buffer->data && needed <= buffer->capacity)
        return ACRE_OK;
    size_t capacity = buffer->capacity > SIZE_MAX / 2 ? SIZE_MAX : 2 * buffer->capacity;
    if (capacity < 64)
        capacity = 64;
    if (capacity < needed)
        capacity = needed;
    char *data = realloc(buffer->data, capacity);
    if (!data)
        return acre_fail_memory(capacity);
    buffer->data = data;
    buffer->capacity = capacity;
    return ACRE_OK;
}

acre_status acre_buffer_append(struct acre_buffer *buffer, const void *data, size_t bytes)
{
    /* The bytes may be the buffer's own. */
    const char *from = data;
    const bool own = from && buffer->data && from >= buffer->data && from <= buffer->data + buffer->size;
    const size_t at = own ? (size_t)(from - buffer->data) : 0;
    ACRE_TRY(grow(buffer, bytes));
    if (own)
        from = buffer->data + at;
    if (from)
        memcpy(buffer->data + buffer->size, from, bytes);
    else
        memset(buffer->data + buffer->size, 0, bytes);
    buffer->size += bytes;
    buffer->data[buffer->size] = 0;
    return ACRE_OK;
}

acre_status acre_buffer_vprint(struct acre_buffer *buffer, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        return acre_fail(ACRE_ERR_ARGUMENT, "\"%.100s\" can't be formatted", format);
    ACRE_TRY(grow(buffer, (size_t)length));
    vsnprintf(buffer->data + buffer->size, (size_t)length + 1, format, arguments);
    buffer->size += (size_t)length;
    return ACRE_OK;
}

acre_status acre_buffer_print(struct acre_buffer *buffer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const acre_status status = acre_buffer_vprint(buffer, format, arguments);
    va_end(arguments);
    return status;
}

void acre_buffer_free(struct acre_buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct acre_buffer){0};
}
