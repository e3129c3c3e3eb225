/* backends/host/host_device.c: the host's devices, and the memory of the simulated ones: blocks of their own,
 * counted, and poisoned when they come and go. */
#include "backends/host/host.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Bytes allocated at each simulated device, over all contexts that have it open. */
static _Atomic uint64_t used[ACRE_HOST_MOST_DEVICES];

unsigned acre_host_workers(size_t devices)
{
    const int threads = omp_get_max_threads();
    const size_t share = (size_t)(threads > 1 ? threads : 1) / (devices > 0 ? devices : 1);
    return share > 1 ? (unsigned)share : 1;
}

acre_status acre_host_device_open(size_t index, acre_backend_device **device)
{
    struct acre_host_options options;
    const acre_status status = acre_host_options_read(&options);
    if (status != ACRE_OK)
        return status;
    if (index >= (options.devices > 0 ? options.devices : 1))
        return acre_host_services->fail(ACRE_ERR_BACKEND, "there is no host:%zu: the host has %zu", index,
                                        options.devices > 0 ? options.devices : 1);
    acre_backend_device *made = calloc(1, sizeof(*made));
    if (!made)
        return acre_host_services->fail(ACRE_ERR_OUT_OF_MEMORY, "out of host memory: %zu bytes", sizeof(*made));
    if (pthread_mutex_init(&made->calling, NULL) != 0) {
        free(made);
        return acre_host_services->fail(ACRE_ERR_OUT_OF_MEMORY, "no mutex to be had for host:%zu", index);
    }
    made->index = index;
    made->options = options;
    made->workers = acre_host_workers(options.devices);
    *device = made;
    return ACRE_OK;
}

void acre_host_device_close(acre_backend_device *device)
{
    pthread_mutex_destroy(&device->calling);
    free(device);
}

acre_status acre_host_device_memory(acre_backend_device *device, uint64_t *free_bytes, uint64_t *total_bytes)
{
    const uint64_t taken = atomic_load(&used[device->index]);
    *total_bytes = device->options.memory_bytes;
    *free_bytes = taken < *total_bytes ? *total_bytes - taken : 0;
    return ACRE_OK;
}

/* Count `bytes` more; false: that is more than the device has. */
static bool take(const acre_backend_device *device, size_t bytes)
{
    uint64_t before = atomic_load(&used[device->index]);
    do {
        if (before > device->options.memory_bytes || bytes > device->options.memory_bytes - before)
            return false;
    } while (!atomic_compare_exchange_weak(&used[device->index], &before, before + bytes));
    return true;
}

acre_status acre_host_memory_alloc(acre_backend_device *device, size_t bytes, acre_backend_memory **memory)
{
    if (!take(device, bytes)) {
        uint64_t left, total;
        acre_host_device_memory(device, &left, &total);
        return acre_host_services->fail(ACRE_ERR_OUT_OF_MEMORY,
                                        "host:%zu is out of memory: %zu bytes wanted, %llu of %llu are free",
                                        device->index, bytes, (unsigned long long)left,
                                        (unsigned long long)total);
    }
    void *data = NULL;
    acre_backend_memory *made = malloc(sizeof(*made));
    if (!made || posix_memalign(&data, ACRE_HOST_ALIGNMENT, bytes > 0 ? bytes : 1) != 0) {
        free(made);
        atomic_fetch_sub(&used[device->index], bytes);
        return acre_host_services->fail(ACRE_ERR_OUT_OF_MEMORY,
                                        "out of host memory: %zu bytes for simulated device host:%zu", bytes,
                                        device->index);
    }
    memset(data, ACRE_HOST_POISON, bytes);
    *made = (acre_backend_memory){.device = device->index, .bytes = bytes, .data = data};
    *memory = made;
    return ACRE_OK;
}

void acre_host_memory_free(acre_backend_device *device, acre_backend_memory *memory)
{
    memset(memory->data, ACRE_HOST_POISON, memory->bytes);
    /* The compiler must not find out that nobody may look at these bytes any more. */
    __asm__ volatile("" : : "r"(memory->data) : "memory");
    atomic_fetch_sub(&used[device->index], memory->bytes);
    free(memory->data);
    free(memory);
}

acre_status acre_host_pinned_alloc(acre_backend_device *device, size_t bytes, void **memory)
{
    if (posix_memalign(memory, ACRE_HOST_ALIGNMENT, bytes > 0 ? bytes : 1) == 0)
        return ACRE_OK;
    *memory = NULL;
    return acre_host_services->fail(ACRE_ERR_OUT_OF_MEMORY,
                                    "out of host memory: %zu bytes to copy from and to host:%zu", bytes,
                                    device->index);
}

void acre_host_pinned_free(acre_backend_device *device, void *memory)
{
    (void)device;
    free(memory);
}

void *acre_host_memory_address(const acre_backend_memory *memory)
{
    return memory->data;
}
