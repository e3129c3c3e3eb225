/* core/base/env.c: reading the environment variables of the table. */
#include "core/base/env.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"

const struct acre_env_row acre_env_rows[ACRE_ENV_COUNT] = {
#define ROW(suffix, name, standard, takes, meaning) {name, standard, takes, meaning},
    ACRE_ENV_TABLE(ROW)
#undef ROW
};

const char *acre_env_get(enum acre_env_variable variable)
{
    const char *value = getenv(acre_env_rows[variable].name);
    return value && value[0] ? value : acre_env_rows[variable].standard;
}

acre_status acre_env_fail(enum acre_env_variable variable, const char *value, const char *why)
{
    /* Cut, and without what would upset a terminal. */
    char shown[44];
    size_t length = 0;
    for (; length < sizeof(shown) - 4 && value[length]; ++length)
        shown[length] = isprint((unsigned char)value[length]) ? value[length] : '?';
    snprintf(shown + length, sizeof(shown) - length, "%s", value[length] ? "..." : "");

    const struct acre_env_row *row = &acre_env_rows[variable];
    return acre_fail(ACRE_ERR_ENVIRONMENT, "%s is \"%s\": %s; it takes %s", row->name, shown, why, row->takes);
}

acre_status acre_env_choice(enum acre_env_variable variable, const char *const *choices, int *index)
{
    const char *value = acre_env_get(variable);
    for (int i = 0; choices[i]; ++i) {
        if (strcmp(value, choices[i]) == 0) {
            *index = i;
            return ACRE_OK;
        }
    }
    return acre_env_fail(variable, value, "not one of its values");
}

/* The whole number that begins the text, *rest at what follows; false: there is none, or it is too large. */
static bool read_number(const char *text, const char **rest, uint64_t *value)
{
    *value = 0;
    for (*rest = text; isdigit((unsigned char)**rest); ++*rest)
        if (__builtin_mul_overflow(*value, 10u, value) ||
            __builtin_add_overflow(*value, (unsigned)(**rest - '0'), value))
            return false;
    return *rest != text;
}

acre_status acre_env_number(enum acre_env_variable variable, uint64_t least, uint64_t most, uint64_t *value)
{
    const char *text = acre_env_get(variable), *rest;
    uint64_t number;
    if (!read_number(text, &rest, &number) || *rest)
        return acre_env_fail(variable, text, "not a whole number");
    if (number < least || number > most)
        return acre_env_fail(variable, text, number < least ? "too small" : "too large");
    *value = number;
    return ACRE_OK;
}

acre_status acre_env_size(enum acre_env_variable variable, uint64_t least, uint64_t most, uint64_t *bytes)
{
    static const char units[] = "KMGT";
    const char *text = acre_env_get(variable), *rest;
    uint64_t number;
    if (!read_number(text, &rest, &number))
        return acre_env_fail(variable, text, "not a size");
    const char *unit = *rest ? strchr(units, *rest) : NULL;
    if (*rest && (!unit || rest[1]))
        return acre_env_fail(variable, text, "not a size: K, M, G or T, or nothing, stands after the number");
    if (unit && __builtin_mul_overflow(number, UINT64_C(1) << 10 * (unit - units + 1), &number))
        return acre_env_fail(variable, text, "too large");
    if (number < least || number > most)
        return acre_env_fail(variable, text, number < least ? "too small" : "too large");
    *bytes = number;
    return ACRE_OK;
}

acre_status acre_env_range(enum acre_env_variable variable, uint64_t most, uint64_t range[2])
{
    const char *text = acre_env_get(variable), *rest;
    uint64_t low, high;
    bool good = read_number(text, &rest, &low);
    high = low;
    if (good && *rest == '-')
        good = read_number(rest + 1, &rest, &high);
    if (!good || *rest)
        return acre_env_fail(variable, text, "neither a whole number nor a range of them");
    if (high < low)
        return acre_env_fail(variable, text, "a range that ends before it begins");
    if (high > most)
        return acre_env_fail(variable, text, "too large");
    range[0] = low;
    range[1] = high;
    return ACRE_OK;
}

bool acre_env_list_next(const char **rest, char separator, const char **item, size_t *length)
{
    if (!*rest)
        return false;
    *item = *rest;
    const char *end = strchr(*rest, separator);
    *length = end ? (size_t)(end - *rest) : strlen(*rest);
    *rest = end ? end + 1 : NULL;
    return true;
}

bool acre_env_find(const char *name, enum acre_env_variable *variable)
{
    for (int i = 0; i < ACRE_ENV_COUNT; ++i) {
        if (strcmp(acre_env_rows[i].name, name) == 0) {
            *variable = (enum acre_env_variable)i;
            return true;
        }
    }
    return false;
}
