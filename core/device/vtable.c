/* core/device/vtable.c: checks of a backend's table. What lies beyond the size it says it has is not looked at.
 */
#include "core/device/vtable.h"

#include <stdbool.h>
#include <string.h>

#include "core/base/fail.h"

struct slot {
    const char *name;
    size_t offset, bytes;
};
/* clang-format off */
#define SLOT(slot) {#slot, offsetof(acre_backend, slot), sizeof(((acre_backend *)0)->slot)}
/* clang-format on */

static const struct slot required_slots[] = {
    SLOT(start),        SLOT(device_count), SLOT(device_properties), SLOT(device_open),
    SLOT(device_close), SLOT(queue_create), SLOT(queue_destroy),     SLOT(queue_wait),
};
static const struct slot memory_slots[] = {
    SLOT(memory_alloc), SLOT(memory_free), SLOT(upload),           SLOT(download),   SLOT(event_record),
    SLOT(event_query),  SLOT(event_wait),  SLOT(queue_wait_event), SLOT(event_free),
};
/* Slots that make sense together only. */
static const struct slot pairs[][2] = {
    {SLOT(peer_reach), SLOT(peer_copy)},
    {SLOT(host_alloc), SLOT(host_free)},
    {SLOT(host_register), SLOT(host_unregister)},
    {SLOT(map), SLOT(unmap)},
};

static bool slot_is_there(const acre_backend *backend, const struct slot *slot)
{
    static const char nothing[sizeof(acre_backend)];
    return slot->offset + slot->bytes <= backend->size &&
           memcmp((const char *)backend + slot->offset, nothing, slot->bytes) != 0;
}

static const char *first_missing(const acre_backend *backend, const struct slot *slots, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (!slot_is_there(backend, &slots[i]))
            return slots[i].name;
    return NULL;
}

const char *acre_vtable_missing_memory_slot(const acre_backend *backend)
{
    const char *missing = first_missing(backend, memory_slots, sizeof(memory_slots) / sizeof(memory_slots[0]));
    return !missing && backend->call && !backend->address ? "address" : missing;
}

static bool name_is_fine(const char *name)
{
    enum { MOST = 31 };
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789");
    return length > 0 && length <= MOST && !name[length] && strcmp(name, "auto") != 0;
}

static acre_status check_head(const acre_backend *backend)
{
    const struct slot name_slot = SLOT(name), description_slot = SLOT(description),
                      priority_slot = SLOT(priority);
    if (backend->abi != ACRE_BACKEND_ABI)
        return acre_fail(ACRE_ERR_BACKEND, "backend has ABI %u, this library has %u", backend->abi,
                         ACRE_BACKEND_ABI);
    if (backend->size < priority_slot.offset + priority_slot.bytes)
        return acre_fail(ACRE_ERR_BACKEND, "backend's table has %u bytes, too few even for its name",
                         backend->size);
    if (!slot_is_there(backend, &name_slot))
        return acre_fail(ACRE_ERR_BACKEND, "backend has no name");
    if (!name_is_fine(backend->name))
        return acre_fail(ACRE_ERR_BACKEND,
                         "backend's name \"%.40s\" is not 1 to 31 lower-case letters and digits (and not auto)",
                         backend->name);
    if (!slot_is_there(backend, &description_slot))
        return acre_fail(ACRE_ERR_BACKEND, "backend %s has no description", backend->name);
    return ACRE_OK;
}

static acre_status check_pairs(const acre_backend *backend)
{
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); ++i) {
        const bool first = slot_is_there(backend, &pairs[i][0]), second = slot_is_there(backend, &pairs[i][1]);
        if (first != second)
            return acre_fail(ACRE_ERR_BACKEND, "backend %s lacks the slot %s, which goes with %s",
                             backend->name, pairs[i][first].name, pairs[i][!first].name);
    }
    const struct slot address_slot = SLOT(address), call_slot = SLOT(call);
    if (slot_is_there(backend, &address_slot) && !slot_is_there(backend, &call_slot))
        return acre_fail(ACRE_ERR_BACKEND, "backend %s lacks the slot call, which goes with address",
                         backend->name);
    return ACRE_OK;
}

acre_status acre_vtable_check(const acre_backend *backend)
{
    if (!backend)
        return acre_fail(ACRE_ERR_BACKEND, "no backend given");
    ACRE_TRY(check_head(backend));
    const char *missing =
        first_missing(backend, required_slots, sizeof(required_slots) / sizeof(required_slots[0]));
    if (missing)
        return acre_fail(ACRE_ERR_BACKEND,
                         "backend %s lacks the required slot %s (its table has %u bytes, this library's %zu)",
                         backend->name, missing, backend->size, sizeof(acre_backend));
    return check_pairs(backend);
}
