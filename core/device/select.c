/* core/device/select.c: which backend serves: auto, one by name, or the first of a list that has a device. */
#include <stdio.h>
#include <string.h>

#include "core/base/buffer.h"
#include "core/base/env.h"
#include "core/base/fail.h"
#include "core/base/log.h"
#include "core/device/registry.h"

enum { MOST_LETTERS = 256 };

/* What makes a selection malformed; NULL: nothing. */
static const char *fault_of(const char *selection)
{
    const size_t length = strnlen(selection, MOST_LETTERS + 1);
    if (length > MOST_LETTERS)
        return "too long (256 characters at most)";
    if (strspn(selection, "abcdefghijklmnopqrstuvwxyz0123456789,_-") != length)
        return "a name has lower-case letters, digits, _ and - only, and there are no blanks";
    if (strcmp(selection, "auto") == 0)
        return NULL;
    const char *rest = selection, *item;
    size_t letters;
    while (acre_env_list_next(&rest, ',', &item, &letters)) {
        if (letters == 0)
            return "a name in the list is empty";
        if (letters == strlen("auto") && strncmp(item, "auto", letters) == 0)
            return "auto stands alone, not in a list";
    }
    return NULL;
}

/* Append "host (1 device), cuda (no driver)". */
static acre_status print_choices(struct acre_buffer *text, const struct acre_backend_entry *entries,
                                 size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        ACRE_TRY(acre_buffer_print(text, "%s%s (", i ? ", " : "", entries[i].backend->name));
        if (entries[i].device_count > 0)
            ACRE_TRY(acre_buffer_print(text, "%zu device%s)", entries[i].device_count,
                                       entries[i].device_count > 1 ? "s" : ""));
        else
            ACRE_TRY(acre_buffer_print(text, "%s)", entries[i].reason));
    }
    return ACRE_OK;
}

static acre_status fail_with_choices(acre_status failure, const char *why, const char *more,
                                     const struct acre_backend_entry *entries, size_t count)
{
    struct acre_buffer text = {0};
    acre_status status = print_choices(&text, entries, count);
    if (status == ACRE_OK)
        status = acre_fail(failure, "%s; the choices are %s%s", why, more, text.data ? text.data : "");
    acre_buffer_free(&text);
    return status;
}

/* The selection that counts, checked. */
static acre_status check(const char **selection)
{
    if (!*selection || !(*selection)[0])
        *selection = acre_env_rows[ACRE_ENV_BACKEND].standard;
    const char *fault = fault_of(*selection);
    if (!fault)
        return ACRE_OK;
    const struct acre_backend_entry *entries;
    size_t count;
    ACRE_TRY(acre_registry_entries(&entries, &count));
    const acre_status failure = acre_env_fail(ACRE_ENV_BACKEND, *selection, fault);
    return fail_with_choices(failure, acre_message(), "auto and ", entries, count);
}

/* A variable of a backend that is malformed is an error, whichever backend is to serve. */
static acre_status check_variables(const struct acre_backend_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        if (entries[i].status == ACRE_ERR_ENVIRONMENT)
            return acre_fail(ACRE_ERR_ENVIRONMENT, "%s", entries[i].reason);
    return ACRE_OK;
}

/* Has it a device that is more than a processor, which the host backend serves better? */
static bool has_accelerator(const struct acre_backend_entry *entry)
{
    for (size_t i = 0; i < entry->device_count; ++i) {
        acre_device_properties properties;
        if (acre_registry_properties(entry->backend, i, &properties) != ACRE_OK)
            acre_log(ACRE_LOG_WARNING, "%s:%zu can't say what it is: %s", entry->backend->name, i,
                     acre_message());
        else if (!properties.is_processor)
            return true;
    }
    if (entry->device_count > 0)
        acre_log(ACRE_LOG_INFO, "backend %s is passed over: its devices are processors", entry->backend->name);
    return false;
}

static const struct acre_backend_entry *best_of(const struct acre_backend_entry *entries, size_t count)
{
    const struct acre_backend_entry *best = NULL;
    for (size_t i = 0; i < count; ++i)
        if ((!best || entries[i].backend->priority > best->backend->priority) && has_accelerator(&entries[i]))
            best = &entries[i];
    return best;
}

/* Append why a name can't serve: what became of the plugins that promise it, or that there is none. */
static acre_status print_unknown(struct acre_buffer *why, const char *name, size_t length)
{
    const struct acre_passed_over *file;
    const size_t before = why->size;
    ACRE_TRY(acre_registry_passed_over(&file));
    for (; file; file = file->next)
        if (strlen(file->name) == length && memcmp(file->name, name, length) == 0)
            ACRE_TRY(acre_buffer_print(why, "%splugin %s is not in use: %s", why->size > before ? "; " : "",
                                       file->path, file->reason));
    if (why->size > before)
        return ACRE_OK;
    return acre_buffer_print(why, "there is no backend named %.*s%s", (int)(length < 40 ? length : 40), name,
                             length > 40 ? "..." : "");
}

/* The entry of a name that can serve; else NULL, with the reason appended to `why`. */
static acre_status serve(const char *name, size_t length, const struct acre_backend_entry *entries,
                         size_t count, const struct acre_backend_entry **entry, struct acre_buffer *why)
{
    *entry = NULL;
    for (size_t i = 0; i < count; ++i) {
        const char *known = entries[i].backend->name;
        if (strlen(known) != length || memcmp(known, name, length) != 0)
            continue;
        if (entries[i].device_count == 0)
            return acre_buffer_print(why, "backend %s can't serve: %s", known, entries[i].reason);
        *entry = &entries[i];
        return ACRE_OK;
    }
    return print_unknown(why, name, length);
}

/* Try the names of a list in order. */
static acre_status first_that_serves(const char *selection, const struct acre_backend_entry *entries,
                                     size_t count, const struct acre_backend_entry **entry)
{
    const bool is_list = strchr(selection, ',') != NULL;
    struct acre_buffer why = {0};
    const char *rest = selection, *item;
    size_t length;
    acre_status status = ACRE_OK;

    while (acre_env_list_next(&rest, ',', &item, &length)) {
        if (why.size > 0)
            status = acre_buffer_print(&why, "; ");
        const size_t before = why.size;
        if (status == ACRE_OK)
            status = serve(item, length, entries, count, entry, &why);
        if (status != ACRE_OK || *entry)
            goto out;
        if (is_list)
            acre_log(ACRE_LOG_WARNING, "ACRE_BACKEND=%s: %s", selection, why.data + before);
    }
    status = fail_with_choices(ACRE_ERR_BACKEND, why.data, "auto and ", entries, count);
out:
    acre_buffer_free(&why);
    return status;
}

acre_status acre_registry_select(const char *selection, const struct acre_backend_entry **entry)
{
    const struct acre_backend_entry *entries;
    size_t count;
    ACRE_TRY(check(&selection));
    ACRE_TRY(acre_registry_entries(&entries, &count));
    ACRE_TRY(check_variables(entries, count));
    if (strcmp(selection, "auto") != 0)
        return first_that_serves(selection, entries, count, entry);

    *entry = best_of(entries, count);
    if (!*entry)
        return fail_with_choices(ACRE_ERR_BACKEND, "no backend has a device", "auto and ", entries, count);
    acre_log(ACRE_LOG_INFO, "backend %s, the best there is", (*entry)->backend->name);
    return ACRE_OK;
}

acre_status acre_registry_find(const char *name, size_t length, const struct acre_backend_entry **entry)
{
    const struct acre_backend_entry *entries;
    size_t count;
    struct acre_buffer why = {0};
    ACRE_TRY(acre_registry_entries(&entries, &count));
    ACRE_TRY(check_variables(entries, count));
    acre_status status = serve(name, length, entries, count, entry, &why);
    if (status == ACRE_OK && !*entry)
        status = fail_with_choices(ACRE_ERR_BACKEND, why.data, "", entries, count);
    acre_buffer_free(&why);
    return status;
}

acre_status acre_registry_allows(const char *selection, const char *name, bool *allows)
{
    const char *rest, *item;
    size_t length;
    ACRE_TRY(check(&selection));
    *allows = strcmp(selection, "auto") == 0;
    for (rest = selection; !*allows && acre_env_list_next(&rest, ',', &item, &length);)
        *allows = strlen(name) == length && memcmp(item, name, length) == 0;
    return ACRE_OK;
}
