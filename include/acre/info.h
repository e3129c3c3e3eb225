/* acre/info.h: what there is to compute on and what can be set: backends, devices, the machine, variables. */
#ifndef ACRE_INFO_H
#define ACRE_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acre/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Text in these structures belongs to the library and stays. */

typedef struct acre_backend_info {
    const char *name;        /* as ACRE_BACKEND takes it */
    const char *description; /* one line */
    int priority;            /* with ACRE_BACKEND=auto the highest that has a device wins */
    size_t device_count;
    const char *reason; /* why it has no device; "" when it has */
    const char *file;   /* the plugin it comes from; "" for a backend that is built in */
} acre_backend_info;

/* A plugin file that is not in use, or a folder that was not looked into. */
typedef struct acre_plugin_info {
    const char *file;
    const char *name;   /* of the backend that the file's name promises, "" for a folder */
    const char *reason; /* why it is not in use */
} acre_plugin_info;

typedef struct acre_device_info {
    char name[64];         /* "host:0" */
    char hardware[128];    /* in words */
    uint64_t memory_bytes; /* 0: not known */
    unsigned workers;      /* the most functions it runs at a time */
    bool is_host_memory;   /* it computes in the host's own memory */
    bool is_processor;     /* a processor that the host backend serves better */
    bool has_double;
    char pci[32];  /* where on the PCI bus, "" when not on one */
    int numa_node; /* that it is near; -1: not known, or no one node */
    char cpus[64]; /* the processors of that node, "0-7"; "" */
    bool binds;    /* threads that are made for it are bound to these */
} acre_device_info;

typedef struct acre_machine_info {
    char processor[128]; /* "" when not known */
    int packages, numa_nodes, cores;
    int threads; /* hardware threads that this process may use */
    uint64_t memory_bytes;
    uint64_t cache_bytes[3]; /* of one L1 (data), L2 and L3; 0: none, or not known */
} acre_machine_info;

typedef struct acre_variable_info {
    const char *name;
    const char *value;    /* as it is now; NULL when unset. Good until the environment changes. */
    const char *standard; /* what counts when it is unset or empty */
    const char *takes, *meaning;
} acre_variable_info;

/* How many backends the library knows, with or without devices. They are probed on the first call.
 * Errors: ACRE_ERR_OUT_OF_MEMORY, ACRE_ERR_BACKEND. */
ACRE_API acre_status acre_info_backend_count(size_t *count);

/* Backend i. Errors: ACRE_ERR_ARGUMENT (there is no such one), and those of acre_info_backend_count. */
ACRE_API acre_status acre_info_backend(size_t i, acre_backend_info *info);

/* How many plugin files and folders are not in use. Errors: as acre_info_backend_count. */
ACRE_API acre_status acre_info_plugin_count(size_t *count);
/* The i-th of them. Errors: ACRE_ERR_ARGUMENT, and the same. */
ACRE_API acre_status acre_info_plugin(size_t i, acre_plugin_info *info);

/* Device `device` of backend i. It is not opened. Errors: ACRE_ERR_ARGUMENT, ACRE_ERR_BACKEND. */
ACRE_API acre_status acre_info_device(size_t i, size_t device, acre_device_info *info);

/* The machine this process runs on. Errors: ACRE_ERR_BACKEND. */
ACRE_API acre_status acre_info_machine(acre_machine_info *info);

/* The environment variables that acre reads. */
ACRE_API size_t acre_info_variable_count(void);
/* Variable i. Errors: ACRE_ERR_ARGUMENT. */
ACRE_API acre_status acre_info_variable(size_t i, acre_variable_info *info);

#ifdef __cplusplus
}
#endif
#endif
