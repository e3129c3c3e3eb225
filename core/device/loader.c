/* core/device/loader.c: finding plugins and loading them, with a reason kept for each that can't be used. */
#include "core/device/loader.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/buffer.h"
#include "core/base/env.h"
#include "core/base/fail.h"
#include "core/device/vtable.h"

#define TEXT_OF(name) #name
#define TEXT(name)    TEXT_OF(name)

static const char prefix[] = "acre_", suffix[] = ".so";

struct scan {
    acre_loader_taker *take;
    void *user;
    struct acre_passed_over **last;
};

/* The NAME of acre_NAME.so, "" when the file is not called so or the name is none a backend can have. */
static void name_of(const char *file, char name[32])
{
    const size_t length = strlen(file), around = strlen(prefix) + strlen(suffix);
    name[0] = 0;
    if (length <= around || length - around > 31 || strncmp(file, prefix, strlen(prefix)) != 0)
        return;
    const size_t inside = length - around;
    if (strspn(file + strlen(prefix), "abcdefghijklmnopqrstuvwxyz0123456789") != inside)
        return;
    memcpy(name, file + strlen(prefix), inside);
    name[inside] = 0;
}

static acre_status pass_over(struct scan *scan, const char *name, const char *path, const char *format, ...)
    ACRE_PRINTF(4, 5);

static acre_status pass_over(struct scan *scan, const char *name, const char *path, const char *format, ...)
{
    struct acre_buffer reason = {0};
    va_list arguments;
    va_start(arguments, format);
    const acre_status status = acre_buffer_vprint(&reason, format, arguments);
    va_end(arguments);
    ACRE_TRY(status);
    struct acre_passed_over *made = calloc(1, sizeof(*made));
    char *kept = strdup(path);
    if (!made || !kept) {
        free(made);
        free(kept);
        acre_buffer_free(&reason);
        return acre_fail_memory(sizeof(*made));
    }
    snprintf(made->name, sizeof(made->name), "%s", name);
    made->path = kept;
    made->reason = reason.data;
    *scan->last = made;
    scan->last = &made->next;
    return ACRE_OK;
}

void acre_loader_free(struct acre_passed_over *passed_over)
{
    while (passed_over) {
        struct acre_passed_over *next = passed_over->next;
        free(passed_over->path);
        free(passed_over->reason);
        free(passed_over);
        passed_over = next;
    }
}

/* dlsym's object pointer as the function it is. */
static acre_backend_entry_function *entry_of(void *plugin)
{
    union {
        void *object;
        acre_backend_entry_function *function;
    } symbol = {dlsym(plugin, TEXT(ACRE_BACKEND_ENTRY))};
    return symbol.function;
}

/* Have a loaded plugin's table taken. Errors: its message is why not. */
static acre_status offer(const struct scan *scan, void *plugin, const char *name, const char *path)
{
    acre_backend_entry_function *entry = entry_of(plugin);
    if (!entry)
        return acre_fail(ACRE_ERR_BACKEND, "it has no function " TEXT(ACRE_BACKEND_ENTRY));
    const acre_backend *backend = entry();
    if (!backend)
        return acre_fail(ACRE_ERR_BACKEND, TEXT(ACRE_BACKEND_ENTRY) " hands out no table");
    ACRE_TRY(acre_vtable_check(backend));
    if (strcmp(backend->name, name) != 0)
        return acre_fail(ACRE_ERR_BACKEND, "its backend is named %s, and its file for %s", backend->name, name);
    return scan->take(scan->user, backend, path);
}

static acre_status load(struct scan *scan, const char *name, const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return pass_over(scan, name, path, "not a file");
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!plugin) {
        const char *why = dlerror();
        const size_t length = strlen(path);
        /* Most of the loader's messages begin with the path, which is shown anyway. */
        if (why && strncmp(why, path, length) == 0 && strncmp(why + length, ": ", 2) == 0)
            why += length + 2;
        return pass_over(scan, name, path, "it can't be loaded: %s", why ? why : "no reason given");
    }
    const acre_status status = offer(scan, plugin, name, path);
    if (status == ACRE_OK)
        return ACRE_OK;
    const acre_status noted = pass_over(scan, name, path, "%s", acre_message());
    dlclose(plugin);
    return noted;
}

static int is_plugin(const struct dirent *file)
{
    const size_t length = strlen(file->d_name);
    return length > strlen(prefix) + strlen(suffix) && strncmp(file->d_name, prefix, strlen(prefix)) == 0 &&
           strcmp(file->d_name + length - strlen(suffix), suffix) == 0;
}

static acre_status load_file(struct scan *scan, const char *folder, const char *file)
{
    struct acre_buffer path = {0};
    char name[32];
    name_of(file, name);
    acre_status status = acre_buffer_print(&path, "%s/%s", folder, file);
    if (status == ACRE_OK)
        status = name[0]
                     ? load(scan, name, path.data)
                     : pass_over(scan, "", path.data,
                                 "between acre_ and .so there must be 1 to 31 lower-case letters and digits");
    acre_buffer_free(&path);
    return status;
}

/* A folder that isn't there is worth a word only when somebody asked for it. */
static acre_status scan_folder(struct scan *scan, const char *folder, bool is_asked_for)
{
    struct dirent **files = NULL;
    const int count = scandir(folder, &files, is_plugin, alphasort);
    if (count < 0)
        return is_asked_for || (errno != ENOENT && errno != ENOTDIR)
                   ? pass_over(scan, "", folder, "the folder can't be read: %s", strerror(errno))
                   : ACRE_OK;
    acre_status status = ACRE_OK;
    for (int i = 0; i < count; ++i) {
        if (status == ACRE_OK)
            status = load_file(scan, folder, files[i]->d_name);
        free(files[i]);
    }
    free(files);
    return status;
}

static acre_status scan_list(struct scan *scan, const char *folders)
{
    const char *rest = folders, *item;
    size_t length;
    while (acre_env_list_next(&rest, ':', &item, &length)) {
        char *folder = strndup(item, length);
        if (!folder)
            return acre_fail_memory(length + 1);
        const acre_status status =
            folder[0] == '/' ? scan_folder(scan, folder, true)
                             : pass_over(scan, "", folder,
                                         "not an absolute folder: what is in the current one may be anybody's");
        free(folder);
        ACRE_TRY(status);
    }
    return ACRE_OK;
}

acre_status acre_loader_scan(const char *folders, const char *own, acre_loader_taker *take, void *user,
                             struct acre_passed_over **passed_over)
{
    struct scan scan = {.take = take, .user = user, .last = passed_over};
    while (*scan.last)
        scan.last = &(*scan.last)->next;
    if (folders[0])
        ACRE_TRY(scan_list(&scan, folders));
    return own ? scan_folder(&scan, own, false) : ACRE_OK;
}

static bool is_file(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

char *acre_loader_own_folder(void)
{
    static const char here;
    Dl_info library;
    if (!dladdr(&here, &library) || !library.dli_fname)
        return NULL;
    char *path = realpath(library.dli_fname, NULL);
    char *end = path ? strrchr(path, '/') : NULL;
    struct acre_buffer folder = {0};
    if (!end)
        goto out;
    *end = 0;
    if (acre_buffer_print(&folder, "%s/acre", path) == ACRE_OK && is_file(folder.data)) {
        folder.size = 0;
        (void)acre_buffer_print(&folder, "%s/plugins", path);
    }
out:
    free(path);
    return folder.data;
}
