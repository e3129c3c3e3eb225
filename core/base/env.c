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
