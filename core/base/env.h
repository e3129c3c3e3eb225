/* core/base/env.h: the environment variables acre reads, in one table that documents itself. */
#ifndef ACRE_CORE_BASE_ENV_H
#define ACRE_CORE_BASE_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acre/status.h"

/* Each variable: enum suffix, name, default, what it takes, what it is for. */
#define ACRE_ENV_TABLE(X)                                                                                      \
    X(BACKEND, "ACRE_BACKEND", "auto", "auto, a backend's name, or a list of names, separated by commas",      \
      "the backend to compute on; a list is tried in order")                                                   \
    X(DEVICES, "ACRE_DEVICES", "auto", "auto, or a list of devices such as cuda:0,cuda:1 or host:*",           \
      "the devices to compute on, in this order")                                                              \
    X(PLUGIN_PATH, "ACRE_PLUGIN_PATH", "", "absolute folders with colons between them",                        \
      "where plugins acre_NAME.so are looked for before the library's own folder")                             \
    X(HOST_DEVICES, "ACRE_HOST_DEVICES", "0", "0 to 64",                                                       \
      "simulated devices of the host backend, with memory and queues of their own; 0: the host itself")        \
    X(HOST_MEMORY, "ACRE_HOST_MEMORY", "auto", "a size such as 512M, or auto",                                 \
      "memory of each simulated device; auto: the machine's memory, shared out")                               \
    X(HOST_PEER, "ACRE_HOST_PEER", "1", "0 or 1", "whether simulated devices copy to each other directly")     \
    X(HOST_DELAY, "ACRE_HOST_DELAY", "0", "microseconds up to 1000000, or a range of them such as 0-300",      \
      "how long simulated devices wait before each operation")                                                 \
    X(DEVICE_MEMORY, "ACRE_DEVICE_MEMORY", "90%",                                                              \
      "a size such as 512M, or a part of what is free such as 90%",                                            \
      "how much memory of each device arrays may take; beyond that the least recently used ones make room")    \
    X(CHECK, "ACRE_CHECK", "0", "0 or 1",                                                                      \
      "whether memory is poisoned, host views are fenced and maps verified, for finding errors")               \
    X(FAULT, "ACRE_FAULT", "", "a list such as alloc@3,copy@7,kernel@2,kernel-late@5,copy-late@4",             \
      "failures to order, for tests: the n-th operation of the kind fails")                                    \
    X(STATS, "ACRE_STATS", "0", "0 or 1", "whether a context prints what it copied when it is taken down")     \
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

/* The variable's value as a whole number from `least` to `most`. Errors: ACRE_ERR_ENVIRONMENT. */
acre_status acre_env_number(enum acre_env_variable variable, uint64_t least, uint64_t most, uint64_t *value);

/* As bytes: a whole number with K, M, G or T (powers of 1024) or nothing after it. Errors: the same. */
acre_status acre_env_size(enum acre_env_variable variable, uint64_t least, uint64_t most, uint64_t *bytes);

/* As one number, or two with a dash between them, the second not the smaller one; none above `most`. Errors:
 * the same. */
acre_status acre_env_range(enum acre_env_variable variable, uint64_t most, uint64_t range[2]);

/* The next item of a list, which begins at *rest: it and its length; *rest moves past it. False at the end. A
 * list of nothing has one item, which is empty. Start with *rest at the list's text. */
bool acre_env_list_next(const char **rest, char separator, const char **item, size_t *length);

/* The variable of that name; false: there is none. */
bool acre_env_find(const char *name, enum acre_env_variable *variable);

/* Fail with ACRE_ERR_ENVIRONMENT: the variable, its value (cut), what is wrong with it and what it takes. */
acre_status acre_env_fail(enum acre_env_variable variable, const char *value, const char *why);

#endif
