/* core/device/loader.h: plugins: the files acre_NAME.so in the folders where they are looked for. */
#ifndef ACRE_CORE_DEVICE_LOADER_H
#define ACRE_CORE_DEVICE_LOADER_H

#include "acre/backend.h"

/* A file or folder that is not in use, and why. */
struct acre_passed_over {
    struct acre_passed_over *next;
    char name[32]; /* the backend that a file's name promises; "": none */
    char *path, *reason;
};

/* Called with each table that a plugin hands out, checked. An error means that it is not taken: its
 * message is the reason, and the plugin is unloaded again. */
typedef acre_status acre_loader_taker(void *user, const acre_backend *backend, const char *path);

/* Look into each folder of a list with colons, then into the library's own (NULL: none), in order of their
 * files' names. Relative folders are passed over: the current folder may be anybody's. What is not taken is
 * appended to the list at *passed_over, which the caller has to free. Errors: ACRE_ERR_OUT_OF_MEMORY only. */
acre_status acre_loader_scan(const char *folders, const char *own, acre_loader_taker *take, void *user,
                             struct acre_passed_over **passed_over);

void acre_loader_free(struct acre_passed_over *passed_over);

/* The library's own folder for plugins, `acre` beside libacre.so (beside it there is a command of that name in
 * a build folder: then it is `plugins`). NULL: it can't be found. To be freed. */
char *acre_loader_own_folder(void);

#endif
