/* core/base/services.c: the table of functions that backends are lent. */
#include "core/base/services.h"

#include "core/base/env.h"
#include "core/base/fail.h"
#include "core/base/log.h"

static const char *option(const char *name)
{
    enum acre_env_variable variable;
    return acre_env_find(name, &variable) ? acre_env_get(variable) : NULL;
}

static acre_status no_such(const char *name)
{
    return acre_fail(ACRE_ERR_ARGUMENT, "acre has no environment variable %s", name);
}

static acre_status option_number(const char *name, uint64_t least, uint64_t most, uint64_t *value)
{
    enum acre_env_variable variable;
    return acre_env_find(name, &variable) ? acre_env_number(variable, least, most, value) : no_such(name);
}

static acre_status option_size(const char *name, uint64_t least, uint64_t most, uint64_t *bytes)
{
    enum acre_env_variable variable;
    return acre_env_find(name, &variable) ? acre_env_size(variable, least, most, bytes) : no_such(name);
}

static acre_status option_range(const char *name, uint64_t most, uint64_t range[2])
{
    enum acre_env_variable variable;
    return acre_env_find(name, &variable) ? acre_env_range(variable, most, range) : no_such(name);
}

const acre_backend_services acre_services = {
    .size = sizeof(acre_backend_services),
    .log = acre_log,
    .fail = acre_fail,
    .message = acre_message,
    .option = option,
    .option_number = option_number,
    .option_size = option_size,
    .option_range = option_range,
};
