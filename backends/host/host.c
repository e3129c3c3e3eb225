/* backends/host/host.c: the backend that is always there: this machine's processor, computing in the host's
 * own memory, in the caller's thread and those OpenMP adds to it. */
#include "acre/backend.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

struct acre_backend_device {
    unsigned workers;
};

/* Nothing is ever left over to wait for: work is done when `call` returns. */
struct acre_backend_queue {
    unsigned workers;
};

static const acre_backend_services *services;

static acre_status start(const acre_backend_services *lent)
{
    services = lent;
    return ACRE_OK;
}

static acre_status device_count(size_t *count, char *reason, size_t size)
{
    *count = 1;
    if (size > 0)
        reason[0] = 0;
    return ACRE_OK;
}

static unsigned most_workers(void)
{
    const int threads = omp_get_max_threads();
    return threads > 1 ? (unsigned)threads : 1;
}

/* The processor's name from the kernel's table; false where that has none (as on most ARM machines). */
static int read_model_name(char *name, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file)
        return 0;
    char line[256];
    int found = 0;
    while (!found && fgets(line, sizeof(line), file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", strlen("model name")) != 0 || !colon)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(name, size, "%.*s", (int)strcspn(colon, "\n"), colon);
        found = name[0] != 0;
    }
    fclose(file);
    return found;
}

static acre_status device_properties(size_t index, acre_device_properties *properties)
{
    if (index != 0)
        return services->fail(ACRE_ERR_BACKEND, "the host has one device, there is no host:%zu", index);
    memset(properties, 0, sizeof(*properties));
    struct utsname machine;
    if (!read_model_name(properties->name, sizeof(properties->name)))
        snprintf(properties->name, sizeof(properties->name), "%s processor",
                 uname(&machine) == 0 ? machine.machine : "unknown");
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    properties->memory_bytes = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
    properties->workers = most_workers();
    properties->is_host_memory = true;
    properties->has_double = true;
    return ACRE_OK;
}

static acre_status device_open(size_t index, acre_backend_device **device)
{
    if (index != 0)
        return services->fail(ACRE_ERR_BACKEND, "the host has one device, there is no host:%zu", index);
    *device = malloc(sizeof(**device));
    if (!*device)
        return services->fail(ACRE_ERR_OUT_OF_MEMORY, "out of host memory: %zu bytes", sizeof(**device));
    (*device)->workers = most_workers();
    return ACRE_OK;
}

static void device_close(acre_backend_device *device)
{
    free(device);
}

static acre_status queue_create(acre_backend_device *device, acre_backend_queue **queue)
{
    *queue = malloc(sizeof(**queue));
    if (!*queue)
        return services->fail(ACRE_ERR_OUT_OF_MEMORY, "out of host memory: %zu bytes", sizeof(**queue));
    (*queue)->workers = device->workers;
    return ACRE_OK;
}

static void queue_destroy(acre_backend_queue *queue)
{
    free(queue);
}

static acre_status queue_wait(acre_backend_queue *queue)
{
    (void)queue;
    return ACRE_OK;
}

/* Contiguous shares, the same ones for the same count and team: what a worker touched first, it gets again. */
static acre_status call(acre_backend_queue *queue, acre_backend_function *function, void *argument,
                        size_t count)
{
    if (count == 0)
        return ACRE_OK;
    const unsigned wanted = count < queue->workers ? (unsigned)count : queue->workers;
    if (wanted == 1) {
        function(argument, 0, count, 0);
        return ACRE_OK;
    }
#pragma omp parallel num_threads(wanted) default(none) shared(function, argument, count)
    {
        /* OpenMP may give fewer threads than wanted (one, inside another team), never more. */
        const size_t team = (size_t)omp_get_num_threads(), worker = (size_t)omp_get_thread_num();
        const size_t share = count / team, rest = count % team;
        const size_t begin = worker * share + (worker < rest ? worker : rest);
        const size_t end = begin + share + (worker < rest);
        if (begin < end)
            function(argument, begin, end, (unsigned)worker);
    }
    return ACRE_OK;
}

extern const acre_backend acre_backend_host;
const acre_backend acre_backend_host = {
    .abi = ACRE_BACKEND_ABI,
    .size = sizeof(acre_backend),
    .name = "host",
    .description = "this machine's processor, by the built-in interpreter",
    .priority = 0,
    .start = start,
    .device_count = device_count,
    .device_properties = device_properties,
    .device_open = device_open,
    .device_close = device_close,
    .queue_create = queue_create,
    .queue_destroy = queue_destroy,
    .queue_wait = queue_wait,
    .call = call,
};
