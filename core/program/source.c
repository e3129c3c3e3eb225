/* core/program/source.c: errors that point into a formula. */
#include "core/program/source.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/base/fail.h"

enum { SHOWN = 100 }; /* bytes of the formula's line shown around the column */

#undef acre_fail_at

acre_status acre_fail_at(const struct acre_source *source, acre_status status, size_t column,
                         const char *format, ...)
{
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);

    if (column > source->length)
        column = source->length;
    size_t begin = column, end = column;
    while (begin > 0 && source->text[begin - 1] != '\n' && column - begin < SHOWN / 2)
        --begin;
    while (end < source->length && source->text[end] != '\n' && end - begin < SHOWN)
        ++end;

    unsigned line = 1;
    size_t line_begin = 0;
    for (size_t i = 0; i < column; ++i)
        if (source->text[i] == '\n') {
            ++line;
            line_begin = i + 1;
        }

    char shown[SHOWN + 1], pad[SHOWN + 1];
    size_t n = 0, p = 0;
    for (size_t i = begin; i < end; ++i) {
        unsigned char c = (unsigned char)source->text[i];
        shown[n++] = c < 32 || c == 127 ? ' ' : (char)c;
        if (i < column && (c & 0xC0) != 0x80) /* a UTF-8 character takes one place on the screen */
            pad[p++] = ' ';
    }
    shown[n] = pad[p] = '\0';

    char where[48];
    if (line > 1)
        snprintf(where, sizeof where, "line %u, column %zu", line, column - line_begin + 1);
    else
        snprintf(where, sizeof where, "column %zu", column + 1);
    return acre_fail(status, "%s:%d: formula, %s: %s\n  %s\n  %s^", source->file ? source->file : "?",
                     source->line, where, what, shown, pad);
}
