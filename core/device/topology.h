/* core/device/topology.h: the machine as hwloc sees it. */
#ifndef ACRE_CORE_DEVICE_TOPOLOGY_H
#define ACRE_CORE_DEVICE_TOPOLOGY_H

#include <stdint.h>

#include "acre/status.h"

struct acre_topology {
    int packages, numa_nodes, cores, threads; /* threads: hardware threads this process may use */
    uint64_t memory_bytes;
    uint64_t cache_bytes[3]; /* of one L1d, L2, L3; 0: none or not known */
    char cpu[128];           /* the processor's name, "" when not known */
};

/* Read the topology of this machine. hwloc's I/O objects and its "opencl" component stay off: they would
 * load OpenCL drivers into the process. Errors: ACRE_ERR_BACKEND. */
acre_status acre_topology_read(struct acre_topology *topology);

#endif
