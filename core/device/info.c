/* core/device/info.c: the registry, the topology and the table of variables, as the public sees them. */
#include "acre/info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/env.h"
#include "core/base/fail.h"
#include "core/device/locality.h"
#include "core/device/registry.h"
#include "core/device/topology.h"

acre_status acre_info_backend_count(size_t *count)
{
    const struct acre_backend_entry *entries;
    return acre_registry_entries(&entries, count);
}

static acre_status entry_at(size_t i, const struct acre_backend_entry **entry)
{
    const struct acre_backend_entry *entries;
    size_t count;
    ACRE_TRY(acre_registry_entries(&entries, &count));
    if (i >= count)
        return acre_fail(ACRE_ERR_ARGUMENT, "there is no backend %zu: there are %zu, counted from 0", i, count);
    *entry = &entries[i];
    return ACRE_OK;
}

acre_status acre_info_backend(size_t i, acre_backend_info *info)
{
    const struct acre_backend_entry *entry;
    ACRE_TRY(entry_at(i, &entry));
    *info = (acre_backend_info){
        .name = entry->backend->name,
        .description = entry->backend->description,
        .priority = entry->backend->priority,
        .device_count = entry->device_count,
        .reason = entry->reason,
        .file = entry->file,
    };
    return ACRE_OK;
}

acre_status acre_info_plugin_count(size_t *count)
{
    const struct acre_passed_over *file;
    ACRE_TRY(acre_registry_passed_over(&file));
    for (*count = 0; file; file = file->next)
        ++*count;
    return ACRE_OK;
}

acre_status acre_info_plugin(size_t i, acre_plugin_info *info)
{
    const struct acre_passed_over *file;
    size_t at = 0;
    ACRE_TRY(acre_registry_passed_over(&file));
    for (; file && at < i; file = file->next)
        ++at;
    if (!file)
        return acre_fail(ACRE_ERR_ARGUMENT, "there is no plugin %zu out of use: there are %zu, counted from 0",
                         i, at);
    *info = (acre_plugin_info){.file = file->path, .name = file->name, .reason = file->reason};
    return ACRE_OK;
}

/* Not knowing where a device is is no error. */
static void fill_locality(const struct acre_backend_entry *entry, const acre_device_properties *properties,
                          size_t device, acre_device_info *info)
{
    struct acre_locality locality = {.node = -1};
    info->numa_node = -1;
    if (acre_locality_find(entry->backend, properties, device, entry->device_count, &locality) != ACRE_OK)
        return;
    info->numa_node = locality.node;
    info->binds = locality.node >= 0 && locality.nodes > 1 && !properties->is_host_memory;
    memcpy(info->cpus, locality.cpus, sizeof(info->cpus));
}

acre_status acre_info_device(size_t i, size_t device, acre_device_info *info)
{
    const struct acre_backend_entry *entry;
    ACRE_TRY(entry_at(i, &entry));
    const char *name = entry->backend->name;
    if (device >= entry->device_count)
        return acre_fail(ACRE_ERR_ARGUMENT, "there is no device %s:%zu: backend %s has %zu, counted from 0",
                         name, device, name, entry->device_count);

    acre_device_properties properties;
    ACRE_TRY(acre_registry_properties(entry->backend, device, &properties));
    *info = (acre_device_info){
        .memory_bytes = properties.memory_bytes,
        .workers = properties.workers,
        .is_host_memory = properties.is_host_memory,
        .is_processor = properties.is_processor,
        .has_double = properties.has_double,
    };
    snprintf(info->name, sizeof(info->name), "%s:%zu", name, device);
    memcpy(info->hardware, properties.name, sizeof(info->hardware));
    memcpy(info->pci, properties.pci, sizeof(info->pci));
    fill_locality(entry, &properties, device, info);
    return ACRE_OK;
}

acre_status acre_info_machine(acre_machine_info *info)
{
    struct acre_topology topology;
    ACRE_TRY(acre_topology_read(&topology));
    *info = (acre_machine_info){
        .packages = topology.packages,
        .numa_nodes = topology.numa_nodes,
        .cores = topology.cores,
        .threads = topology.threads,
        .memory_bytes = topology.memory_bytes,
    };
    memcpy(info->cache_bytes, topology.cache_bytes, sizeof(info->cache_bytes));
    snprintf(info->processor, sizeof(info->processor), "%s", topology.cpu);
    return ACRE_OK;
}

size_t acre_info_variable_count(void)
{
    return ACRE_ENV_COUNT;
}

acre_status acre_info_variable(size_t i, acre_variable_info *info)
{
    if (i >= ACRE_ENV_COUNT)
        return acre_fail(ACRE_ERR_ARGUMENT, "there is no variable %zu: there are %d, counted from 0", i,
                         (int)ACRE_ENV_COUNT);
    const struct acre_env_row *row = &acre_env_rows[i];
    *info = (acre_variable_info){
        .name = row->name,
        .value = getenv(row->name),
        .standard = row->standard,
        .takes = row->takes,
        .meaning = row->meaning,
    };
    return ACRE_OK;
}
