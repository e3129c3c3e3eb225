/* core/base/log.c: lines of log, each a single write to stderr so that threads don't mix theirs. */
#include "core/base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/env.h"
#include "core/base/fail.h"

static const char *const level_names[] = {
    [ACRE_LOG_ERROR] = "error",
    [ACRE_LOG_WARNING] = "warning",
    [ACRE_LOG_INFO] = "info",
    [ACRE_LOG_DEBUG] = "debug",
    NULL,
};

/* The most talkative level that passes; -1 until ACRE_LOG was read. */
static atomic_int threshold = -1;

acre_status acre_log_configure(void)
{
    int level;
    ACRE_TRY(acre_env_choice(ACRE_ENV_LOG, level_names, &level));
    atomic_store(&threshold, level);
    return ACRE_OK;
}

/* Before acre_log_configure a malformed ACRE_LOG counts as the default: the error comes from there. */
static int current_threshold(void)
{
    int level = atomic_load(&threshold);
    if (level >= 0)
        return level;
    const char *value = acre_env_get(ACRE_ENV_LOG);
    for (level = 0; level_names[level]; ++level)
        if (strcmp(value, level_names[level]) == 0)
            return level;
    return ACRE_LOG_WARNING;
}

static void write_all(const char *text, size_t bytes)
{
    while (bytes > 0) {
        ssize_t written = write(STDERR_FILENO, text, bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return;
        text += written;
        bytes -= (size_t)written;
    }
}

void acre_log(enum acre_log_level level, const char *format, ...)
{
    if ((int)level > current_threshold())
        return;
    const int saved = errno;
    char fixed[512], *line = fixed;
    size_t capacity = sizeof(fixed);
    const int prefix = snprintf(fixed, capacity, "acre: %s: ", level_names[level]);

    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(fixed + prefix, capacity - (size_t)prefix, format, arguments);
    va_end(arguments);
    if (length < 0)
        goto out;

    const size_t wanted = (size_t)prefix + (size_t)length + 1;
    if (wanted > capacity) {
        char *heap = malloc(wanted);
        if (heap) {
            line = heap;
            capacity = wanted;
            memcpy(line, fixed, (size_t)prefix);
            va_start(arguments, format);
            vsnprintf(line + prefix, capacity - (size_t)prefix, format, arguments);
            va_end(arguments);
        }
    }
    const size_t end = strlen(line);
    for (size_t i = 0; i < end; ++i)
        if (line[i] == '\n' || line[i] == '\r')
            line[i] = ' ';
    line[end] = '\n';
    write_all(line, end + 1);
    if (line != fixed)
        free(line);
out:
    errno = saved;
}
