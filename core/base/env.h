/* core/base/env.h: the environment variables acre reads, in one table that documents itself. */
#ifndef ACRE_CORE_BASE_ENV_H
#define ACRE_CORE_BASE_ENV_H

#include <stddef.h>

#include "acre/status.h"

/* Each variable: enum suffix, name, default, what it takes, what it is for. */
#define ACRE_ENV_TABLE(X)                                                                                      \
    X(BACKEND, "ACRE_BACKEND", "auto", "auto, a backend's name, or a list of names, separated by commas",      \
      "the backend to compute on; a list is tried in order")                                                   \
    X(LOG, "ACRE_LOG", "warning", "error, warning, info or debug", "how much goes to the log on stderr")

enum acre_env_variable {
#define ACRE_ENV_ENUM(suffix, name, standard, takes, meaning) ACRE_ENV_##suffix,
    ACRE_ENV_TABLE(ACRE_ENV_ENUM)
#undef ACRE_ENV_ENUM
        ACRE_ENV_COUNT
};

struct acre_env_row {
    const char *name, *standard, *takes, *meaning;
};
extern const struct acre_env_row acre_env_rows[ACRE_ENV_COUNT];

/* The variable's value, its default when it is unset or empty. Never NULL. */
const char *acre_env_get(enum acre_env_variable variable);

/* The index of the variable's value among `choices` (NULL at the end); ACRE_ERR_ENVIRONMENT, naming the
 * variable, its value (cut to a few dozen characters) and what it takes, when it is none. */
acre_status acre_env_choice(enum acre_env_variable variable, const char *const *choices, int *index);

/* Fail with ACRE_ERR_ENVIRONMENT: the variable, its value (cut), what is wrong with it and what it takes. */
acre_status acre_env_fail(enum acre_env_variable variable, const char *value, const char *why);

#endif
