/* core/device/rank.h: which of the processes on this node this one is, by what common launchers say. */
#ifndef ACRE_CORE_DEVICE_RANK_H
#define ACRE_CORE_DEVICE_RANK_H

#include <stdbool.h>
#include <stdint.h>

struct acre_rank {
    uint64_t rank;
    const char *variable; /* that says so */
};

/* True when this process is one of several on the node, which one then stands in *rank. */
bool acre_rank_find(struct acre_rank *rank);

#endif
