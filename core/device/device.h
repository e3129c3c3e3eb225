/* core/device/device.h: an open device of a backend. */
#ifndef ACRE_CORE_DEVICE_DEVICE_H
#define ACRE_CORE_DEVICE_DEVICE_H

#include "acre/backend.h"
#include "acre/context.h"

struct acre_device {
    const acre_backend *backend;
    size_t index;  /* among the backend's devices */
    char name[64]; /* "host:0" */
    acre_device_properties properties;
    int node; /* the NUMA node that it is near; -1: not known */
    acre_backend_device *handle;
    acre_backend_queue *queue;
    acre_place place; /* ACRE_PLACE_HOST when it computes in the host's memory */
};

#endif
