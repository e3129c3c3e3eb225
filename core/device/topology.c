/* core/device/topology.c: the machine's packages, cores, caches and memory, read from hwloc. */
#include "core/device/topology.h"

#include <hwloc.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/fail.h"

/* Components of hwloc that would load a vendor's driver into the process. */
static const char *const kept_out[] = {"opencl", "cuda", "nvml", "rsmi", "levelzero", "gl"};

static int count_of(hwloc_topology_t topology, hwloc_obj_type_t type)
{
    const int count = hwloc_get_nbobjs_by_type(topology, type);
    return count > 0 ? count : 0;
}

/* Hardware threads that are both allowed to and bound to this process. */
static int usable_threads(hwloc_topology_t topology)
{
    const hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_cpuset(topology);
    int threads = hwloc_bitmap_weight(allowed);
    hwloc_bitmap_t bound = hwloc_bitmap_alloc();
    if (bound && hwloc_get_cpubind(topology, bound, HWLOC_CPUBIND_PROCESS) == 0) {
        hwloc_bitmap_and(bound, bound, allowed);
        const int both = hwloc_bitmap_weight(bound);
        if (both > 0)
            threads = both;
    }
    hwloc_bitmap_free(bound);
    return threads;
}

static uint64_t cache_of(hwloc_topology_t topology, hwloc_obj_type_t type)
{
    const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, 0);
    return cache && cache->attr ? cache->attr->cache.size : 0;
}

/* Not hwloc's sum over NUMA nodes: that misses memory which a virtual machine was given later. */
static uint64_t physical_memory(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && bytes > 0 ? (uint64_t)pages * (uint64_t)bytes : 0;
}

static void read_loaded(hwloc_topology_t topology, struct acre_topology *found)
{
    found->packages = count_of(topology, HWLOC_OBJ_PACKAGE);
    found->numa_nodes = count_of(topology, HWLOC_OBJ_NUMANODE);
    found->cores = count_of(topology, HWLOC_OBJ_CORE);
    found->threads = usable_threads(topology);
    found->memory_bytes = physical_memory();
    found->cache_bytes[0] = cache_of(topology, HWLOC_OBJ_L1CACHE);
    found->cache_bytes[1] = cache_of(topology, HWLOC_OBJ_L2CACHE);
    found->cache_bytes[2] = cache_of(topology, HWLOC_OBJ_L3CACHE);
    const hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    const char *cpu = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
    snprintf(found->cpu, sizeof(found->cpu), "%s", cpu ? cpu : "");
}

acre_status acre_topology_load(bool with_pci, struct hwloc_topology **topology)
{
    *topology = NULL;
    hwloc_topology_t made;
    if (hwloc_topology_init(&made) != 0)
        return acre_fail(ACRE_ERR_BACKEND, "hwloc can't start: %s", strerror(errno));
    /* A component that this hwloc doesn't have can't be kept out, and need not. */
    for (size_t i = 0; i < sizeof(kept_out) / sizeof(kept_out[0]); ++i)
        hwloc_topology_set_components(made, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, kept_out[i]);
    const enum hwloc_type_filter_e filter = with_pci ? HWLOC_TYPE_FILTER_KEEP_ALL : HWLOC_TYPE_FILTER_KEEP_NONE;
    if (hwloc_topology_set_io_types_filter(made, filter) != 0 || hwloc_topology_load(made) != 0) {
        const int error = errno;
        hwloc_topology_destroy(made);
        return acre_fail(ACRE_ERR_BACKEND, "hwloc can't read this machine's topology: %s", strerror(error));
    }
    *topology = made;
    return ACRE_OK;
}

acre_status acre_topology_read(struct acre_topology *topology)
{
    hwloc_topology_t loaded;
    ACRE_TRY(acre_topology_load(false, &loaded));
    *topology = (struct acre_topology){0};
    read_loaded(loaded, topology);
    hwloc_topology_destroy(loaded);
    return ACRE_OK;
}
