/* backends/host/host_options.c: what the ACRE_HOST_ variables ask for. */
#include "backends/host/host.h"

#include <string.h>

enum { MOST_DELAY = 1000000 };

acre_status acre_host_options_read(struct acre_host_options *options)
{
    const acre_backend_services *services = acre_host_services;
    uint64_t devices, peer;
    *options = (struct acre_host_options){0};
    acre_status status = services->option_number("ACRE_HOST_DEVICES", 0, ACRE_HOST_MOST_DEVICES, &devices);
    if (status == ACRE_OK)
        status = services->option_number("ACRE_HOST_PEER", 0, 1, &peer);
    if (status == ACRE_OK)
        status = services->option_range("ACRE_HOST_DELAY", MOST_DELAY, options->delay);
    if (status != ACRE_OK)
        return status;
    options->devices = (size_t)devices;
    options->peer = peer == 1;
    if (strcmp(services->option("ACRE_HOST_MEMORY"), "auto") != 0)
        return services->option_size("ACRE_HOST_MEMORY", 1, UINT64_MAX, &options->memory_bytes);
    options->memory_bytes = acre_host_physical_memory() / (devices > 0 ? devices : 1);
    return ACRE_OK;
}
