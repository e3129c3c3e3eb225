/* core/base/fail.c: the message of a thread's latest failure. Short ones live in the thread's own storage;
 * long ones on the heap, cut short only when there is no memory left. */
#include "core/base/fail.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef acre_fail

struct message {
    char *heap; /* the text when it is long, else NULL */
    char fixed[256];
};
static _Thread_local struct message latest;

/* The key's only use is that long messages are freed when their thread ends. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool have_key;

static void forget(void *heap)
{
    latest.heap = NULL;
    latest.fixed[0] = 0;
    free(heap);
}

static void make_key(void)
{
    have_key = pthread_key_create(&key, forget) == 0;
}

/* Without this, a thread that outlives an unloaded library would call into nothing. */
static void __attribute__((destructor)) delete_key(void)
{
    if (have_key)
        pthread_key_delete(key);
    have_key = false;
}

/* Memory for a long message that goes away with the thread; NULL when there is none. */
static char *take_heap(size_t bytes)
{
    pthread_once(&once, make_key);
    char *heap = have_key ? malloc(bytes) : NULL;
    if (heap && pthread_setspecific(key, heap) != 0) {
        free(heap);
        heap = NULL;
    }
    return heap;
}

acre_status acre_fail(acre_status status, const char *format, ...)
{
    char text[sizeof(latest.fixed)];
    va_list arguments;

    /* The old message stays whole until the new one is: arguments may point into it. */
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (length < 0)
        length = snprintf(text, sizeof(text), "%s (no message: \"%.100s\" can't be formatted)",
                          acre_status_text(status), format);

    char *old = latest.heap, *heap = NULL;
    if ((size_t)length >= sizeof(text)) {
        heap = take_heap((size_t)length + 1);
        if (heap) {
            va_start(arguments, format);
            vsnprintf(heap, (size_t)length + 1, format, arguments);
            va_end(arguments);
        } else {
            memcpy(text + sizeof(text) - sizeof("..."), "...", sizeof("..."));
        }
    }
    if (!heap) {
        memcpy(latest.fixed, text, sizeof(text));
        if (old)
            pthread_setspecific(key, NULL);
    }
    latest.heap = heap;
    free(old);
    return status;
}

const char *acre_message(void)
{
    return latest.heap ? latest.heap : latest.fixed;
}
