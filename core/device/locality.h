/* core/device/locality.h: which NUMA node a device is near, and threads that are made near it. */
#ifndef ACRE_CORE_DEVICE_LOCALITY_H
#define ACRE_CORE_DEVICE_LOCALITY_H

#include "acre/backend.h"

struct acre_locality {
    int node;      /* NUMA node as the system numbers them, -1: not known, or no one node */
    int nodes;     /* how many there are */
    char cpus[64]; /* of the node, "0-7,16-23", cut with "..." */
};

/* Where device `index` of `count` of a backend is: on a PCI bus near its node, or, where its memory is memory
 * that the host's processor reaches, spread over the nodes; a device that is the host itself is at no one node
 * (but on a machine with one only). Not known is no error. Errors: ACRE_ERR_BACKEND (no topology to be read).
 */
acre_status acre_locality_find(const acre_backend *backend, const acre_device_properties *properties,
                               size_t index, size_t count, struct acre_locality *locality);

/* The binding of a thread, to be restored. */
struct acre_binding;

/* On a machine with several nodes bind the calling thread to the node, as far as the process may use it:
 * threads that it makes from then on are born there. NULL: nothing was bound. */
struct acre_binding *acre_locality_bind(const struct acre_locality *locality);
void acre_locality_unbind(struct acre_binding *binding);

#endif
