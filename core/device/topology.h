/* core/device/topology.h: the machine as hwloc sees it. */
#ifndef ACRE_CORE_DEVICE_TOPOLOGY_H
#define ACRE_CORE_DEVICE_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

#include "acre/status.h"

struct acre_topology {
    int packages, numa_nodes, cores, threads; /* threads: hardware threads this process may use */
    uint64_t memory_bytes;
    uint64_t cache_bytes[3]; /* of one L1d, L2, L3; 0: none or not known */
    char cpu[128];           /* the processor's name, "" when not known */
};

struct hwloc_topology;

/* Have hwloc read this machine's topology, with PCI devices or without. Its components for vendors' devices
 * stay off: they would load drivers into the process. To be destroyed by hwloc_topology_destroy. Errors:
 * ACRE_ERR_BACKEND. */
acre_status acre_topology_load(bool with_pci, struct hwloc_topology **topology);

/* What there is to say of this machine. Errors: ACRE_ERR_BACKEND. */
acre_status acre_topology_read(struct acre_topology *topology);

#endif
