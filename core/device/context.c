/* core/device/context.c: contexts: opening devices, counting who still needs them, and taking them down. */
#include "core/device/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/env.h"
#include "core/base/fail.h"
#include "core/base/log.h"
#include "core/device/registry.h"

static void close_device(struct acre_device *device)
{
    if (device->queue)
        device->backend->queue_destroy(device->queue);
    if (device->handle)
        device->backend->device_close(device->handle);
    *device = (struct acre_device){0};
}

static acre_status check_properties(const struct acre_device *device)
{
    if (device->properties.workers == 0)
        return acre_fail(ACRE_ERR_BACKEND, "device %s says it has no worker", device->name);
    const char *missing =
        device->properties.is_host_memory ? NULL : acre_registry_missing_memory_slot(device->backend);
    if (missing)
        return acre_fail(ACRE_ERR_BACKEND,
                         "device %s has memory of its own, but backend %s lacks the required slot %s",
                         device->name, device->backend->name, missing);
    return ACRE_OK;
}

static acre_status open_device(const acre_backend *backend, size_t index, struct acre_device *device)
{
    device->backend = backend;
    device->index = index;
    snprintf(device->name, sizeof(device->name), "%s:%zu", backend->name, index);
    ACRE_TRY(backend->device_properties(index, &device->properties));
    device->properties.name[sizeof(device->properties.name) - 1] = 0;
    ACRE_TRY(check_properties(device));

    acre_status status = backend->device_open(index, &device->handle);
    if (status != ACRE_OK) {
        device->handle = NULL;
        return status;
    }
    status = backend->queue_create(device->handle, &device->queue);
    if (status != ACRE_OK) {
        device->queue = NULL;
        close_device(device);
    }
    return status;
}

static void free_context(acre_context *context)
{
    while (context->device_count > 0)
        close_device(&context->devices[--context->device_count]);
    free(context->devices);
    pthread_mutex_destroy(&context->lock);
    free(context);
}

static acre_status allocate_context(const acre_backend *backend, size_t device_count, acre_context **context)
{
    acre_context *made = calloc(1, sizeof(*made));
    if (!made)
        return acre_fail_memory(sizeof(*made));
    made->devices = calloc(device_count, sizeof(*made->devices));
    if (!made->devices) {
        free(made);
        return acre_fail_memory(device_count * sizeof(*made->devices));
    }
    if (pthread_mutex_init(&made->lock, NULL) != 0) {
        free(made->devices);
        free(made);
        return acre_fail(ACRE_ERR_OUT_OF_MEMORY, "no mutex to be had for a context");
    }
    made->backend = backend;
    made->place_count = 1;
    atomic_init(&made->holds, 1);
    atomic_init(&made->seed, 0);
    atomic_init(&made->draw, 0);
    *context = made;
    return ACRE_OK;
}

acre_status acre_context_open(const acre_backend *backend, size_t device_count, acre_context **context)
{
    *context = NULL;
    ACRE_TRY(acre_registry_start(backend, &backend));
    if (device_count == 0)
        return acre_fail(ACRE_ERR_BACKEND, "backend %s has no device to open", backend->name);
    acre_context *made = NULL;
    ACRE_TRY(allocate_context(backend, device_count, &made));
    for (size_t i = 0; i < device_count; ++i) {
        struct acre_device *device = &made->devices[i];
        const acre_status status = open_device(backend, i, device);
        if (status != ACRE_OK) {
            free_context(made);
            return status;
        }
        made->device_count = i + 1;
        device->place = device->properties.is_host_memory ? ACRE_PLACE_HOST : made->place_count++;
    }
    *context = made;
    return ACRE_OK;
}

acre_status acre_context_create(acre_context **context)
{
    if (!context)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_context_create: context is NULL");
    *context = NULL;
    ACRE_TRY(acre_log_configure());
    const struct acre_backend_entry *entry;
    ACRE_TRY(acre_registry_select(acre_env_get(ACRE_ENV_BACKEND), &entry));
    return acre_context_open(entry->backend, entry->device_count, context);
}

void acre_context_destroy(acre_context *context)
{
    if (!context)
        return;
    for (size_t i = 0; i < context->device_count; ++i) {
        struct acre_device *device = &context->devices[i];
        if (device->backend->queue_wait(device->queue) != ACRE_OK)
            acre_log(ACRE_LOG_ERROR, "%s: work failed before its context was destroyed: %s", device->name,
                     acre_message());
    }
    pthread_mutex_lock(&context->lock);
    for (const struct acre_live *live = context->live; live; live = live->next)
        acre_log(ACRE_LOG_WARNING, "context destroyed while array '%s' of %zu bytes is alive",
                 live->label && live->label[0] ? live->label : "(no label)", live->bytes);
    pthread_mutex_unlock(&context->lock);
    acre_context_drop(context);
}

void acre_context_hold(acre_context *context)
{
    atomic_fetch_add(&context->holds, 1);
}

void acre_context_drop(acre_context *context)
{
    if (atomic_fetch_sub(&context->holds, 1) == 1)
        free_context(context);
}

void acre_context_enter(acre_context *context, struct acre_live *live)
{
    pthread_mutex_lock(&context->lock);
    live->previous = NULL;
    live->next = context->live;
    if (live->next)
        live->next->previous = live;
    context->live = live;
    pthread_mutex_unlock(&context->lock);
}

void acre_context_leave(acre_context *context, struct acre_live *live)
{
    pthread_mutex_lock(&context->lock);
    if (live->previous)
        live->previous->next = live->next;
    else
        context->live = live->next;
    if (live->next)
        live->next->previous = live->previous;
    live->previous = live->next = NULL;
    pthread_mutex_unlock(&context->lock);
}

const char *acre_context_backend(const acre_context *context)
{
    return context->backend->name;
}

size_t acre_context_device_count(const acre_context *context)
{
    return context->device_count;
}

const char *acre_context_device_name(const acre_context *context, size_t i)
{
    return i < context->device_count ? context->devices[i].name : NULL;
}

void acre_context_seed(acre_context *context, uint64_t seed)
{
    atomic_store(&context->seed, seed);
    atomic_store(&context->draw, 0);
}

struct acre_device *acre_context_device_at(const acre_context *context, acre_place place)
{
    if (place == ACRE_PLACE_HOST)
        return NULL;
    for (size_t i = 0; i < context->device_count; ++i)
        if (context->devices[i].place == place)
            return &context->devices[i];
    return NULL;
}

const char *acre_context_place_name(const acre_context *context, acre_place place)
{
    if (place == ACRE_PLACE_HOST)
        return "host";
    const struct acre_device *device = acre_context_device_at(context, place);
    return device ? device->name : "(no such place)";
}
