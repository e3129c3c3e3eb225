/* core/device/context.c: contexts: opening devices, counting who still needs them, and taking them down. */
#include "core/device/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/env.h"
#include "core/base/fail.h"
#include "core/base/log.h"
#include "core/device/choice.h"
#include "core/device/locality.h"
#include "core/device/registry.h"
#include "core/device/vtable.h"

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
        device->properties.is_host_memory ? NULL : acre_vtable_missing_memory_slot(device->backend);
    if (missing)
        return acre_fail(ACRE_ERR_BACKEND,
                         "device %s has memory of its own, but backend %s lacks the required slot %s",
                         device->name, device->backend->name, missing);
    return ACRE_OK;
}

/* Open the device and make its queue, from a thread that is near it: so are the threads that this makes. */
static acre_status open_near(struct acre_device *device, const struct acre_locality *locality)
{
    struct acre_binding *binding = acre_locality_bind(locality);
    acre_status status = device->backend->device_open(device->index, &device->handle);
    if (status != ACRE_OK) {
        device->handle = NULL;
        goto out;
    }
    status = device->backend->queue_create(device->handle, &device->queue);
    if (status != ACRE_OK) {
        device->queue = NULL;
        close_device(device);
    }
out:
    acre_locality_unbind(binding);
    return status;
}

static acre_status open_device(const struct acre_choice *choice, struct acre_device *device)
{
    struct acre_locality locality = {.node = -1};
    device->backend = choice->backend;
    device->index = choice->index;
    snprintf(device->name, sizeof(device->name), "%s:%zu", choice->backend->name, choice->index);
    ACRE_TRY(acre_registry_properties(choice->backend, choice->index, &device->properties));
    ACRE_TRY(check_properties(device));
    if (!device->properties.is_host_memory &&
        acre_locality_find(choice->backend, &device->properties, choice->index, choice->count, &locality) !=
            ACRE_OK)
        acre_log(ACRE_LOG_WARNING, "%s: no telling what it is near: %s", device->name, acre_message());
    device->node = locality.node;
    return open_near(device, &locality);
}

static void free_context(acre_context *context)
{
    acre_memory_close(context);
    while (context->device_count > 0)
        close_device(&context->devices[--context->device_count]);
    free(context->devices);
    free(context->backends);
    pthread_mutex_destroy(&context->lock);
    free(context);
}

/* The names of the backends, each once, in order. */
static acre_status name_backends(const struct acre_choice *choices, size_t count, char **names)
{
    struct acre_buffer text = {0};
    for (size_t i = 0; i < count; ++i) {
        size_t earlier = 0;
        while (earlier < i && choices[earlier].backend != choices[i].backend)
            ++earlier;
        if (earlier < i)
            continue;
        const acre_status status =
            acre_buffer_print(&text, "%s%s", text.size ? "+" : "", choices[i].backend->name);
        if (status != ACRE_OK) {
            acre_buffer_free(&text);
            return status;
        }
    }
    *names = text.data;
    return ACRE_OK;
}

static acre_status allocate_context(const struct acre_choice *choices, size_t count, acre_context **context)
{
    acre_status status;
    acre_context *made = calloc(1, sizeof(*made));
    if (!made)
        return acre_fail_memory(sizeof(*made));
    made->devices = calloc(count, sizeof(*made->devices));
    status = made->devices ? name_backends(choices, count, &made->backends)
                           : acre_fail_memory(count * sizeof(*made->devices));
    if (status == ACRE_OK && pthread_mutex_init(&made->lock, NULL) != 0)
        status = acre_fail(ACRE_ERR_OUT_OF_MEMORY, "no mutex to be had for a context");
    if (status != ACRE_OK) {
        free(made->backends);
        free(made->devices);
        free(made);
        return status;
    }
    acre_process_watch();
    made->generation = atomic_load(&acre_process_generation);
    made->place_count = 1;
    atomic_init(&made->holds, 1);
    atomic_init(&made->seed, 0);
    atomic_init(&made->draw, 0);
    *context = made;
    return ACRE_OK;
}

acre_status acre_context_open_choices(const struct acre_choice *choices, size_t count, acre_context **context)
{
    *context = NULL;
    acre_context *made = NULL;
    ACRE_TRY(allocate_context(choices, count, &made));
    for (size_t i = 0; i < count; ++i) {
        struct acre_device *device = &made->devices[i];
        const acre_status status = open_device(&choices[i], device);
        if (status != ACRE_OK) {
            free_context(made);
            return status;
        }
        made->device_count = i + 1;
        device->place = device->properties.is_host_memory ? ACRE_PLACE_HOST : made->place_count++;
    }
    const acre_status status = acre_memory_open(made);
    if (status != ACRE_OK) {
        free_context(made);
        return status;
    }
    *context = made;
    return ACRE_OK;
}

acre_status acre_context_open(const acre_backend *backend, size_t device_count, acre_context **context)
{
    struct acre_buffer choices = {0};
    *context = NULL;
    ACRE_TRY(acre_registry_start(backend, &backend));
    if (device_count == 0)
        return acre_fail(ACRE_ERR_BACKEND, "backend %s has no device to open", backend->name);
    acre_status status = ACRE_OK;
    for (size_t i = 0; i < device_count && status == ACRE_OK; ++i) {
        const struct acre_choice choice = {backend, i, device_count};
        status = acre_buffer_append(&choices, &choice, sizeof(choice));
    }
    if (status == ACRE_OK)
        status = acre_context_open_choices((const struct acre_choice *)choices.data, device_count, context);
    acre_buffer_free(&choices);
    return status;
}

acre_status acre_context_create(acre_context **context)
{
    struct acre_buffer choices = {0};
    if (!context)
        return acre_fail(ACRE_ERR_ARGUMENT, "acre_context_create: context is NULL");
    *context = NULL;
    ACRE_TRY(acre_log_configure());
    acre_status status =
        acre_choices_make(acre_env_get(ACRE_ENV_BACKEND), acre_env_get(ACRE_ENV_DEVICES), &choices);
    if (status == ACRE_OK)
        status = acre_context_open_choices((const struct acre_choice *)choices.data,
                                           choices.size / sizeof(struct acre_choice), context);
    acre_buffer_free(&choices);
    return status;
}

acre_status acre_context_fail_forked(const acre_context *context)
{
    return acre_fail(ACRE_ERR_BACKEND,
                     "a context of %s was made before this process was forked: threads and devices don't come "
                     "along into a child, which has to make a context of its own",
                     context->backends);
}

void acre_context_destroy(acre_context *context)
{
    if (!context)
        return;
    if (acre_context_check(context) != ACRE_OK) {
        acre_log(ACRE_LOG_WARNING, "nothing is destroyed: %s", acre_message());
        return;
    }
    for (size_t i = 0; i < context->device_count; ++i) {
        struct acre_device *device = &context->devices[i];
        /* What failed in it was told by the memory manager, or will be. */
        (void)device->backend->queue_wait(device->queue);
    }
    acre_memory_settle(context);
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
    if (atomic_fetch_sub(&context->holds, 1) == 1 && !acre_context_is_foreign(context))
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
    return context->backends;
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
