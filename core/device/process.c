/* core/device/process.c: counting the forks that this process came through. */
#include "core/device/process.h"

#include <pthread.h>

atomic_uint acre_process_generation;

static void count_fork(void)
{
    atomic_fetch_add(&acre_process_generation, 1);
}

static void watch(void)
{
    pthread_atfork(NULL, NULL, count_fork);
}

void acre_process_watch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch);
}
