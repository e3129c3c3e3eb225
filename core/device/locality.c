/* core/device/locality.c: devices and NUMA nodes, from hwloc. Its topologies are read once in the life of the
 * process; the one with PCI devices, which costs more, only when a device is on PCI. */
#include "core/device/locality.h"

#include <hwloc.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/fail.h"
#include "core/device/topology.h"

struct acre_binding {
    hwloc_topology_t topology;
    hwloc_bitmap_t before;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hwloc_topology_t topologies[2]; /* without and with PCI devices */

static acre_status get_topology(bool with_pci, hwloc_topology_t *topology)
{
    pthread_mutex_lock(&lock);
    const acre_status status =
        topologies[with_pci] ? ACRE_OK : acre_topology_load(with_pci, &topologies[with_pci]);
    *topology = topologies[with_pci];
    pthread_mutex_unlock(&lock);
    return status;
}

static hwloc_obj_t node_near(hwloc_topology_t topology, const char *pci)
{
    const hwloc_obj_t device = hwloc_get_pcidev_by_busidstring(topology, pci);
    const hwloc_obj_t above = device ? hwloc_get_non_io_ancestor_obj(topology, device) : NULL;
    if (!above || !above->nodeset || hwloc_bitmap_weight(above->nodeset) != 1)
        return NULL;
    return hwloc_get_numanode_obj_by_os_index(topology, (unsigned)hwloc_bitmap_first(above->nodeset));
}

static void describe(hwloc_obj_t node, struct acre_locality *locality)
{
    locality->node = (int)node->os_index;
    char text[256];
    const int length = hwloc_bitmap_list_snprintf(text, sizeof(text), node->cpuset);
    const int room = (int)sizeof(locality->cpus) - 4;
    snprintf(locality->cpus, sizeof(locality->cpus), "%.*s%s", room, text, length > room ? "..." : "");
}

acre_status acre_locality_find(const acre_backend *backend, const acre_device_properties *properties,
                               size_t index, size_t count, struct acre_locality *locality)
{
    hwloc_topology_t topology;
    *locality = (struct acre_locality){.node = -1};
    ACRE_TRY(get_topology(properties->pci[0] != 0, &topology));
    const int nodes = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
    locality->nodes = nodes > 0 ? nodes : 0;
    if (nodes <= 0)
        return ACRE_OK;
    hwloc_obj_t node = NULL;
    if (nodes == 1)
        node = hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, 0);
    else if (properties->pci[0])
        node = node_near(topology, properties->pci);
    else if (!properties->is_host_memory && backend->address && count > 0)
        node = hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, (unsigned)(index * (size_t)nodes / count));
    if (node)
        describe(node, locality);
    return ACRE_OK;
}

struct acre_binding *acre_locality_bind(const struct acre_locality *locality)
{
    hwloc_topology_t topology;
    if (locality->node < 0 || locality->nodes < 2 || get_topology(false, &topology) != ACRE_OK)
        return NULL;
    const hwloc_obj_t node = hwloc_get_numanode_obj_by_os_index(topology, (unsigned)locality->node);
    struct acre_binding *binding = calloc(1, sizeof(*binding));
    hwloc_bitmap_t wanted = hwloc_bitmap_alloc();
    if (!node || !binding || !wanted)
        goto out;
    binding->topology = topology;
    binding->before = hwloc_bitmap_alloc();
    if (!binding->before || hwloc_get_cpubind(topology, binding->before, HWLOC_CPUBIND_THREAD) != 0)
        goto out;
    /* A launcher may have given this process a part of the machine only. */
    hwloc_bitmap_and(wanted, node->cpuset, binding->before);
    if (hwloc_bitmap_iszero(wanted) || hwloc_set_cpubind(topology, wanted, HWLOC_CPUBIND_THREAD) != 0)
        goto out;
    hwloc_bitmap_free(wanted);
    return binding;
out:
    hwloc_bitmap_free(wanted);
    if (binding)
        hwloc_bitmap_free(binding->before);
    free(binding);
    return NULL;
}

void acre_locality_unbind(struct acre_binding *binding)
{
    if (!binding)
        return;
    hwloc_set_cpubind(binding->topology, binding->before, HWLOC_CPUBIND_THREAD);
    hwloc_bitmap_free(binding->before);
    free(binding);
}
