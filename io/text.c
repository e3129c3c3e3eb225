/* io/text.c: numbers and words from headers written by others. */
#include "io/text.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f' || c == '\0';
}

struct acre_text acre_text_of(const char *string)
{
    return (struct acre_text){string, strlen(string)};
}

struct acre_text acre_text_trim(struct acre_text text)
{
    while (text.size && is_blank(text.data[0])) {
        ++text.data;
        --text.size;
    }
    while (text.size && is_blank(text.data[text.size - 1]))
        --text.size;
    return text;
}

bool acre_text_equal(struct acre_text text, const char *string)
{
    return text.size == strlen(string) && memcmp(text.data, string, text.size) == 0;
}

bool acre_text_starts(struct acre_text text, const char *string)
{
    size_t size = strlen(string);
    return text.size >= size && memcmp(text.data, string, size) == 0;
}

struct acre_text acre_text_word(struct acre_text *rest)
{
    *rest = acre_text_trim(*rest);
    struct acre_text word = {rest->data, 0};
    while (word.size < rest->size && !is_blank(rest->data[word.size]))
        ++word.size;
    rest->data += word.size;
    rest->size -= word.size;
    return word;
}

bool acre_text_integer(struct acre_text text, int64_t *value)
{
    text = acre_text_trim(text);
    size_t i = 0;
    bool negative = text.size && text.data[0] == '-';
    if (text.size && (text.data[0] == '-' || text.data[0] == '+'))
        ++i;
    if (i == text.size)
        return false;
    int64_t result = 0;
    for (; i < text.size; ++i) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return false;
        int64_t digit = text.data[i] - '0';
        if (__builtin_mul_overflow(result, (int64_t)10, &result) ||
            __builtin_add_overflow(result, negative ? -digit : digit, &result))
            return false;
    }
    *value = result;
    return true;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool acre_text_hex32(struct acre_text text, uint32_t *value)
{
    text = acre_text_trim(text);
    if (acre_text_starts(text, "0x") || acre_text_starts(text, "0X")) {
        text.data += 2;
        text.size -= 2;
    }
    uint64_t result = 0;
    for (size_t i = 0; i < text.size; ++i) {
        int digit = hex_digit(text.data[i]);
        if (digit < 0)
            return false;
        result = 16 * result + (uint64_t)digit;
        if (result > UINT32_MAX)
            return false;
    }
    if (!text.size)
        return false;
    *value = (uint32_t)result;
    return true;
}

/* strtod and printf follow the thread's locale: the C locale for the time of one call. */
static locale_t c_locale_begin(locale_t *mine)
{
    *mine = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    return *mine ? uselocale(*mine) : (locale_t)0;
}

static void c_locale_end(locale_t mine, locale_t before)
{
    if (mine) {
        uselocale(before);
        freelocale(mine);
    }
}

/* The words for what is not a finite number, as printf writes them. */
static bool special_double(struct acre_text text, double *value)
{
    bool negative = acre_text_starts(text, "-");
    if (negative || acre_text_starts(text, "+")) {
        ++text.data;
        --text.size;
    }
    double special;
    if (acre_text_equal(text, "nan") || acre_text_equal(text, "NaN") || acre_text_equal(text, "NAN"))
        special = (double)NAN;
    else if (acre_text_equal(text, "inf") || acre_text_equal(text, "Inf") || acre_text_equal(text, "INF"))
        special = (double)INFINITY;
    else
        return false;
    *value = negative ? -special : special;
    return true;
}

bool acre_text_double(struct acre_text text, double *value)
{
    text = acre_text_trim(text);
    if (special_double(text, value))
        return true;
    char copy[128], *end;
    if (!text.size || text.size >= sizeof copy)
        return false;
    memcpy(copy, text.data, text.size);
    copy[text.size] = '\0';
    /* strtod would also take hexadecimal numbers and leading blanks. */
    if (strspn(copy, "0123456789+-.eE") != text.size)
        return false;
    locale_t mine, before = c_locale_begin(&mine);
    double result = strtod(copy, &end);
    c_locale_end(mine, before);
    if (end != copy + text.size)
        return false;
    *value = result;
    return true;
}

const char *acre_text_print_double(double value, char text[32])
{
    if (isnan(value))
        return strcpy(text, "nan");
    locale_t mine, before = c_locale_begin(&mine);
    snprintf(text, 32, "%.17g", value);
    c_locale_end(mine, before);
    return text;
}

struct acre_quote acre_text_quote(struct acre_text text)
{
    struct acre_quote quote;
    size_t n = 0;
    for (; n < text.size && n < 60; ++n)
        quote.text[n] = text.data[n] >= ' ' && text.data[n] <= '~' ? text.data[n] : '?';
    strcpy(quote.text + n, text.size > n ? "..." : "");
    return quote;
}

void acre_text_path(const char *path, char *name, size_t size)
{
    size_t length = strlen(path);
    size_t skipped = length < size ? 0 : length - (size - 1) + 3;
    snprintf(name, size, "%s%s", skipped ? "..." : "", path + skipped);
    for (char *c = name; *c; ++c)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = '?';
}
