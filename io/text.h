/* io/text.h: numbers and words from headers written by others, read strictly and in the C locale whatever the
 * program's locale, and made fit to be quoted in a one-line message. */
#ifndef ACRE_IO_TEXT_H
#define ACRE_IO_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A run of bytes in someone else's memory; not NUL-terminated. */
struct acre_text {
    const char *data;
    size_t size;
};

struct acre_text acre_text_of(const char *string);

/* Without blanks, line ends and NULs at both ends. */
struct acre_text acre_text_trim(struct acre_text text);

bool acre_text_equal(struct acre_text text, const char *string);
bool acre_text_starts(struct acre_text text, const char *string);

/* Take the first blank-separated word off the front of *rest; empty when there is none left. */
struct acre_text acre_text_word(struct acre_text *rest);

/* The whole (trimmed) text as a number; false, and *value untouched, when it is not exactly one. */
bool acre_text_integer(struct acre_text text, int64_t *value);
/* One to eight hexadecimal digits, with or without 0x, leading zeros beyond that allowed. */
bool acre_text_hex32(struct acre_text text, uint32_t *value);
/* Decimal notation, or nan or inf with a sign. */
bool acre_text_double(struct acre_text text, double *value);

/* The value with 17 significant digits and a decimal point, in text[32]; returns text. */
const char *acre_text_print_double(double value, char text[32]);

/* The text fit for a message: printable ASCII, at most 60 characters of it. */
struct acre_quote {
    char text[72];
};
struct acre_quote acre_text_quote(struct acre_text text);

/* A file's name fit for a message: no control characters, and of a very long one only the end. */
void acre_text_path(const char *path, char *name, size_t size);

#endif
