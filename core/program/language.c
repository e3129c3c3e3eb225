/* core/program/language.c: looking up the words of the formula language. */
#include "core/program/language.h"

#include <string.h>

const struct acre_function_row acre_function_rows[ACRE_FUNCTION_COUNT] = {
#define ROW(suffix, name, fewest, most, usage, meaning) {name, fewest, most, usage, meaning},
    ACRE_FUNCTION_TABLE(ROW)
#undef ROW
};

const struct acre_word_row acre_word_rows[ACRE_WORD_COUNT] = {
#define ROW(suffix, name, meaning) {name, meaning},
    ACRE_WORD_TABLE(ROW)
#undef ROW
};

static bool same(const char *known, const char *name, size_t length)
{
    return strncmp(known, name, length) == 0 && known[length] == '\0';
}

int acre_function_find(const char *name, size_t length)
{
    for (int f = 0; f < ACRE_FUNCTION_COUNT; ++f)
        if (same(acre_function_rows[f].name, name, length))
            return f;
    return -1;
}

int acre_word_find(const char *name, size_t length)
{
    for (int w = 0; w < ACRE_WORD_COUNT; ++w)
        if (same(acre_word_rows[w].name, name, length))
            return w;
    return -1;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool acre_name_is_identifier(const char *name)
{
    if (!name || !is_letter(*name))
        return false;
    for (const char *c = name; *c; ++c)
        if (!is_letter(*c) && !(*c >= '0' && *c <= '9'))
            return false;
    return true;
}

bool acre_name_is_reserved(const char *name)
{
    return acre_function_find(name, strlen(name)) >= 0 || acre_word_find(name, strlen(name)) >= 0;
}
