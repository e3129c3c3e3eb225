/* backends/host/host.c: the backend that is always there: this machine's processor, computing in the host's
 * own memory, or in ACRE_HOST_DEVICES simulated devices with memory and queues of their own. */
#include "backends/host/host.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

const acre_backend_services *acre_host_services;

static acre_status start(const acre_backend_services *lent)
{
    acre_host_services = lent;
    return ACRE_OK;
}

static acre_status device_count(size_t *count, char *reason, size_t size)
{
    struct acre_host_options options;
    const acre_status status = acre_host_options_read(&options);
    if (status != ACRE_OK)
        return status;
    *count = options.devices > 0 ? options.devices : 1;
    if (size > 0)
        reason[0] = 0;
    return ACRE_OK;
}

/* The processor's name from the kernel's table; false where that has none (as on most ARM machines). */
static bool read_model_name(char *name, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file)
        return false;
    char line[256];
    bool found = false;
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

uint64_t acre_host_physical_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

static acre_status device_properties(size_t index, acre_device_properties *properties)
{
    struct acre_host_options options;
    const acre_status status = acre_host_options_read(&options);
    if (status != ACRE_OK)
        return status;
    const size_t count = options.devices > 0 ? options.devices : 1;
    if (index >= count)
        return acre_host_services->fail(ACRE_ERR_BACKEND, "there is no host:%zu: the host has %zu device%s",
                                        index, count, count > 1 ? "s" : "");
    memset(properties, 0, sizeof(*properties));
    char processor[96];
    struct utsname machine;
    if (!read_model_name(processor, sizeof(processor)))
        snprintf(processor, sizeof(processor), "%.64s processor",
                 uname(&machine) == 0 ? machine.machine : "unknown");
    snprintf(properties->name, sizeof(properties->name), "%s%s", options.devices > 0 ? "simulated on " : "",
             processor);
    properties->memory_bytes = options.devices > 0 ? options.memory_bytes : acre_host_physical_memory();
    properties->workers = acre_host_workers(options.devices);
    properties->is_host_memory = options.devices == 0;
    properties->has_double = true;
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
    .device_open = acre_host_device_open,
    .device_close = acre_host_device_close,
    .device_memory = acre_host_device_memory,
    .queue_create = acre_host_queue_create,
    .queue_destroy = acre_host_queue_destroy,
    .queue_wait = acre_host_queue_wait,
    .event_record = acre_host_event_record,
    .event_query = acre_host_event_query,
    .event_wait = acre_host_event_wait,
    .queue_wait_event = acre_host_queue_wait_event,
    .event_free = acre_host_event_free,
    .event_elapsed = acre_host_event_elapsed,
    .memory_alloc = acre_host_memory_alloc,
    .memory_free = acre_host_memory_free,
    .upload = acre_host_upload,
    .download = acre_host_download,
    .copy = acre_host_copy,
    .peer_reach = acre_host_peer_reach,
    .peer_copy = acre_host_peer_copy,
    .fill = acre_host_fill,
    .host_alloc = acre_host_pinned_alloc,
    .host_free = acre_host_pinned_free,
    .address = acre_host_memory_address,
    .call = acre_host_call,
};
