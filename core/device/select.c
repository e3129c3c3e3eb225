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
    if (selection[0] == ',' || selection[length - 1] == ',' || strstr(selection, ",,"))
        return "a name in the list is empty";
    if (strcmp(selection, "auto") == 0)
        return NULL;
    for (const char *item = selection; item; item = strchr(item, ',')) {
        item += *item == ',';
        if (strncmp(item, "auto", 4) == 0 && (item[4] == ',' || !item[4]))
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

static acre_status fail_with_choices(const char *why, const struct acre_backend_entry *entries, size_t count)
{
    struct acre_buffer text = {0};
    acre_status status = print_choices(&text, entries, count);
    if (status == ACRE_OK)
        status =
            acre_fail(ACRE_ERR_BACKEND, "%s; the choices are auto and %s", why, text.data ? text.data : "");
    acre_buffer_free(&text);
    return status;
}

static const struct acre_backend_entry *best_of(const struct acre_backend_entry *entries, size_t count)
{
    const struct acre_backend_entry *best = NULL;
    for (size_t i = 0; i < count; ++i)
        if (entries[i].device_count > 0 && (!best || entries[i].backend->priority > best->backend->priority))
            best = &entries[i];
    return best;
}

/* The entry of a name that can serve; else NULL, with a line on why appended to `why`. */
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
    return acre_buffer_print(why, "there is no backend named %.*s", (int)length, name);
}

/* Try the names of a list in order. */
static acre_status first_that_serves(const char *selection, const struct acre_backend_entry *entries,
                                     size_t count, const struct acre_backend_entry **entry)
{
    const bool is_list = strchr(selection, ',') != NULL;
    struct acre_buffer why = {0};
    acre_status status = ACRE_OK;

    for (const char *item = selection; *item;) {
        const size_t length = strcspn(item, ","), before = why.size;
        status = serve(item, length, entries, count, entry, &why);
        if (status != ACRE_OK || *entry)
            goto out;
        if (is_list)
            acre_log(ACRE_LOG_WARNING, "ACRE_BACKEND=%s: %s", selection, why.data + before);
        item += length;
        if (*item == ',') {
            ++item;
            status = acre_buffer_print(&why, "; ");
            if (status != ACRE_OK)
                goto out;
        }
    }
    status = fail_with_choices(why.data, entries, count);
out:
    acre_buffer_free(&why);
    return status;
}

acre_status acre_registry_select(const char *selection, const struct acre_backend_entry **entry)
{
    if (!selection || !selection[0])
        selection = acre_env_rows[ACRE_ENV_BACKEND].standard;
    const char *fault = fault_of(selection);
    if (fault)
        return acre_env_fail(ACRE_ENV_BACKEND, selection, fault);

    const struct acre_backend_entry *entries;
    size_t count;
    ACRE_TRY(acre_registry_entries(&entries, &count));
    if (strcmp(selection, "auto") != 0)
        return first_that_serves(selection, entries, count, entry);

    *entry = best_of(entries, count);
    if (!*entry)
        return fail_with_choices("no backend has a device", entries, count);
    acre_log(ACRE_LOG_INFO, "backend %s, the best there is", (*entry)->backend->name);
    return ACRE_OK;
}
