/* core/memory/fault.c: ACRE_FAULT, and counting the operations that it speaks of. */
#include "core/memory/fault.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/env.h"
#include "core/base/fail.h"

static const char *const names[ACRE_FAULTS] = {"alloc", "copy", "kernel", "copy-late", "kernel-late"};

enum { MOST_TURNS = 64, MOST_TEXT = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long counts[ACRE_FAULTS];
static struct turn {
    enum acre_fault fault;
    unsigned long n;
} turns[MOST_TURNS];
static size_t turn_count;
static char configured[MOST_TEXT + 1];

/* "copy@7" */
static const char *parse_turn(const char *item, size_t length, struct turn *turn)
{
    const char *at = memchr(item, '@', length);
    if (!at)
        return "an item has no @";
    int fault = 0;
    while (fault < ACRE_FAULTS && (strlen(names[fault]) != (size_t)(at - item) ||
                                   strncmp(names[fault], item, (size_t)(at - item)) != 0))
        ++fault;
    if (fault == ACRE_FAULTS)
        return "an operation that can't fail to order";
    turn->fault = (enum acre_fault)fault;
    turn->n = 0;
    for (const char *digit = at + 1; digit < item + length; ++digit)
        if (!isdigit((unsigned char)*digit) || __builtin_mul_overflow(turn->n, 10ul, &turn->n) ||
            __builtin_add_overflow(turn->n, (unsigned long)(*digit - '0'), &turn->n))
            return "what follows an @ is not a count";
    return turn->n == 0 ? "what follows an @ is not a count from 1 on" : NULL;
}

static acre_status parse(const char *text, struct turn *parsed, size_t *count)
{
    const char *rest = text, *item;
    size_t length;
    *count = 0;
    if (strlen(text) > MOST_TEXT)
        return acre_env_fail(ACRE_ENV_FAULT, text, "too long");
    while (text[0] && acre_env_list_next(&rest, ',', &item, &length)) {
        if (*count == MOST_TURNS)
            return acre_env_fail(ACRE_ENV_FAULT, text, "too many failures");
        const char *fault = parse_turn(item, length, &parsed[(*count)++]);
        if (fault)
            return acre_env_fail(ACRE_ENV_FAULT, text, fault);
    }
    return ACRE_OK;
}

acre_status acre_fault_configure(void)
{
    struct turn parsed[MOST_TURNS];
    size_t count;
    const char *text = acre_env_get(ACRE_ENV_FAULT);
    ACRE_TRY(parse(text, parsed, &count));
    pthread_mutex_lock(&lock);
    if (strcmp(text, configured) != 0) {
        memset(counts, 0, sizeof(counts));
        memcpy(turns, parsed, sizeof(turns));
        turn_count = count;
        snprintf(configured, sizeof(configured), "%s", text);
    }
    pthread_mutex_unlock(&lock);
    return ACRE_OK;
}

bool acre_fault_strikes(enum acre_fault fault)
{
    bool strikes = false;
    pthread_mutex_lock(&lock);
    const unsigned long n = ++counts[fault];
    for (size_t i = 0; i < turn_count; ++i)
        strikes = strikes || (turns[i].fault == fault && turns[i].n == n);
    pthread_mutex_unlock(&lock);
    return strikes;
}

acre_status acre_fault_fail(enum acre_fault fault, acre_status status)
{
    return acre_fail(status, "ACRE_FAULT makes %s %lu of this process fail", names[fault],
                     acre_fault_count(fault));
}

unsigned long acre_fault_count(enum acre_fault fault)
{
    pthread_mutex_lock(&lock);
    const unsigned long count = counts[fault];
    pthread_mutex_unlock(&lock);
    return count;
}
