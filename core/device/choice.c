/* core/device/choice.c: the devices that the environment asks for: by name in ACRE_DEVICES, else those of the
 * selected backend, shared out among the processes of a node. */
#include "core/device/choice.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/env.h"
#include "core/base/fail.h"
#include "core/base/log.h"
#include "core/device/rank.h"
#include "core/device/registry.h"

enum { MOST_LETTERS = 4096, SHOWN_LETTERS = 40 };

/* One item of ACRE_DEVICES: name:index, name:*, or with a platform name:platform:index. */
struct wish {
    const char *text, *name;
    size_t length, name_length;
    bool wants_all, has_platform;
    uint64_t platform, index;
};

/* The number at *at, which moves past it; false: there is none, or it has more than nine digits. */
static bool read_index(const char **at, const char *end, uint64_t *number)
{
    const char *first = *at;
    for (*number = 0; *at < end && isdigit((unsigned char)**at) && *at - first < 9; ++*at)
        *number = 10 * *number + (uint64_t)(**at - '0');
    return *at > first && (*at == end || !isdigit((unsigned char)**at));
}

/* Is the item of the form that ACRE_DEVICES takes? */
static bool read_wish(struct wish *wish)
{
    const char *at = wish->text, *end = wish->text + wish->length;
    while (at < end && (islower((unsigned char)*at) || isdigit((unsigned char)*at)))
        ++at;
    wish->name = wish->text;
    wish->name_length = (size_t)(at - wish->text);
    if (wish->name_length == 0 || at == end || *at++ != ':')
        return false;
    if (end - at == 1 && *at == '*') {
        wish->wants_all = true;
        return true;
    }
    if (!read_index(&at, end, &wish->index))
        return false;
    if (at < end && *at == ':') {
        ++at;
        wish->has_platform = true;
        wish->platform = wish->index;
        if (!read_index(&at, end, &wish->index))
            return false;
    }
    return at == end;
}

/* Fail with the devices that there are: "host:0, cuda:0 to cuda:3". */
static acre_status fail_with_devices(acre_status failure, const char *why)
{
    char kept[512]; /* asking for the entries may leave messages of its own */
    snprintf(kept, sizeof(kept), "%s", why);
    const struct acre_backend_entry *entries;
    size_t count;
    struct acre_buffer text = {0};
    acre_status status = acre_registry_entries(&entries, &count);
    for (size_t i = 0; status == ACRE_OK && i < count; ++i) {
        const char *name = entries[i].backend->name;
        if (entries[i].device_count == 0)
            continue;
        status = acre_buffer_print(&text, "%s%s:0", text.size ? ", " : "", name);
        if (status == ACRE_OK && entries[i].device_count > 1)
            status = acre_buffer_print(&text, " to %s:%zu", name, entries[i].device_count - 1);
    }
    if (status == ACRE_OK)
        status = acre_fail(failure, "%s; the choices are %s", kept, text.data ? text.data : "none");
    acre_buffer_free(&text);
    return status;
}

/* Fail with what is wrong with the variable. */
static acre_status fail_malformed(const char *devices, const char *why)
{
    const acre_status failure = acre_env_fail(ACRE_ENV_DEVICES, devices, why);
    return fail_with_devices(failure, acre_message());
}

static acre_status fail_item(const char *devices, const struct wish *wish, const char *why)
{
    char text[256], item[SHOWN_LETTERS + 1];
    const size_t shown = wish->length < SHOWN_LETTERS ? wish->length : SHOWN_LETTERS;
    for (size_t i = 0; i < shown; ++i)
        item[i] = isprint((unsigned char)wish->text[i]) ? wish->text[i] : '?';
    item[shown] = 0;
    snprintf(text, sizeof(text), "\"%s%s\" %s", item, shown < wish->length ? "..." : "", why);
    return fail_malformed(devices, text);
}

static acre_status add(struct acre_buffer *choices, const struct acre_backend_entry *entry, size_t index)
{
    const struct acre_choice choice = {entry->backend, index, entry->device_count};
    return acre_buffer_append(choices, &choice, sizeof(choice));
}

static bool is_chosen(const struct acre_buffer *choices, const struct acre_backend_entry *entry, size_t index)
{
    const struct acre_choice *chosen = (const struct acre_choice *)choices->data;
    for (size_t i = 0; i < choices->size / sizeof(*chosen); ++i)
        if (chosen[i].backend == entry->backend && chosen[i].index == index)
            return true;
    return false;
}

/* Is there such a device? */
static acre_status check_wish(const struct wish *wish, const struct acre_backend_entry *entry)
{
    char why[256];
    const char *name = entry->backend->name, *plural = entry->device_count > 1 ? "s" : "";
    if (wish->has_platform) {
        snprintf(why, sizeof(why),
                 "ACRE_DEVICES: there is no device %s:%" PRIu64 ":%" PRIu64
                 ": backend %s numbers its %zu device%s without platforms",
                 name, wish->platform, wish->index, name, entry->device_count, plural);
        return fail_with_devices(ACRE_ERR_BACKEND, why);
    }
    if (!wish->wants_all && wish->index >= entry->device_count) {
        snprintf(why, sizeof(why),
                 "ACRE_DEVICES: there is no device %s:%" PRIu64 ": backend %s has %zu device%s", name,
                 wish->index, name, entry->device_count, plural);
        return fail_with_devices(ACRE_ERR_BACKEND, why);
    }
    return ACRE_OK;
}

static acre_status grant(const char *selection, const char *devices, const struct wish *wish,
                         struct acre_buffer *choices)
{
    char name[SHOWN_LETTERS + 1];
    snprintf(name, sizeof(name), "%.*s", (int)wish->name_length, wish->name);
    bool allowed;
    ACRE_TRY(acre_registry_allows(selection, name, &allowed));
    if (!allowed) {
        char why[128];
        snprintf(why, sizeof(why), "does not go with ACRE_BACKEND=%.40s", selection);
        return fail_item(devices, wish, why);
    }
    const struct acre_backend_entry *entry;
    const acre_status status = acre_registry_find(wish->name, wish->name_length, &entry);
    if (status != ACRE_OK)
        return acre_fail(status, "ACRE_DEVICES: %s", acre_message());
    ACRE_TRY(check_wish(wish, entry));
    const size_t begin = wish->wants_all ? 0 : (size_t)wish->index;
    const size_t end = wish->wants_all ? entry->device_count : begin + 1;
    for (size_t i = begin; i < end; ++i) {
        if (is_chosen(choices, entry, i))
            return fail_item(devices, wish, "names a device that the list has already");
        ACRE_TRY(add(choices, entry, i));
    }
    return ACRE_OK;
}

/* All items are read before any is granted: what is malformed comes first. */
static acre_status grant_list(const char *selection, const char *devices, struct acre_buffer *choices)
{
    if (strnlen(devices, MOST_LETTERS + 1) > MOST_LETTERS)
        return fail_malformed(devices, "too long (4096 characters at most)");
    for (int pass = 0; pass < 2; ++pass) {
        const char *rest = devices;
        struct wish wish = {0};
        while (acre_env_list_next(&rest, ',', &wish.text, &wish.length)) {
            wish = (struct wish){.text = wish.text, .length = wish.length};
            if (!read_wish(&wish))
                return fail_item(devices, &wish, "is no device");
            if (pass == 1)
                ACRE_TRY(grant(selection, devices, &wish, choices));
        }
    }
    return ACRE_OK;
}

/* The devices of a backend that are more than processors; all of them when none is. */
static acre_status add_devices_of(const struct acre_backend_entry *entry, struct acre_buffer *choices)
{
    acre_device_properties properties;
    for (size_t i = 0; i < entry->device_count; ++i) {
        ACRE_TRY(acre_registry_properties(entry->backend, i, &properties));
        if (!properties.is_processor)
            ACRE_TRY(add(choices, entry, i));
    }
    const bool none = choices->size == 0;
    for (size_t i = 0; none && i < entry->device_count; ++i)
        ACRE_TRY(add(choices, entry, i));
    return ACRE_OK;
}

/* Of several devices the one of this process, when it is one of several on the node. */
static void keep_own(struct acre_buffer *choices)
{
    struct acre_choice *chosen = (struct acre_choice *)choices->data;
    const size_t count = choices->size / sizeof(*chosen);
    struct acre_rank rank;
    if (count < 2 || !acre_rank_find(&rank))
        return;
    chosen[0] = chosen[rank.rank % count];
    choices->size = sizeof(*chosen);
    acre_log(ACRE_LOG_INFO, "%s is %" PRIu64 ": of %zu devices this process takes %s:%zu", rank.variable,
             rank.rank, count, chosen[0].backend->name, chosen[0].index);
}

acre_status acre_choices_make(const char *selection, const char *devices, struct acre_buffer *choices)
{
    if (devices && devices[0] && strcmp(devices, "auto") != 0)
        return grant_list(selection, devices, choices);
    const struct acre_backend_entry *entry;
    ACRE_TRY(acre_registry_select(selection, &entry));
    ACRE_TRY(add_devices_of(entry, choices));
    keep_own(choices);
    return ACRE_OK;
}
