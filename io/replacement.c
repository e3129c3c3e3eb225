/* io/replacement.c: files that appear whole or not at all. */
#include "io/replacement.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/base/fail.h"
#include "io/text.h"

enum { ATTEMPTS = 100, NAME_BYTES = 64 };

/* Create ".acre-<process>-<time>.tmp" in the folder of `path`. Not mkstemp, which would leave the file private
 * to its owner whatever the umask. */
static int create_temporary(const char *path, char *temporary, size_t size)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_REALTIME, &now);
    for (int i = 0; i < ATTEMPTS; ++i) {
        snprintf(temporary, size, "%.*s.acre-%ld-%09ld-%d.tmp", folder, path, (long)getpid(), (long)now.tv_nsec,
                 i);
        int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* The file behind `path` if that is a symbolic link, and its mode if it is there. */
static acre_status find_target(const char *path, struct acre_replacement *replacement, mode_t *mode)
{
    struct stat information;
    const bool is_link = lstat(path, &information) == 0 && S_ISLNK(information.st_mode);
    replacement->path = is_link ? realpath(path, NULL) : strdup(path);
    if (!replacement->path && errno == ENOMEM)
        return acre_fail_memory(strlen(path) + 1);
    if (!replacement->path)
        return acre_fail(ACRE_ERR_FILE, "%s: a symbolic link that leads nowhere: %s", replacement->name,
                         strerror(errno));
    if (stat(replacement->path, &information) != 0)
        return ACRE_OK;
    if (!S_ISREG(information.st_mode))
        return acre_fail(ACRE_ERR_FILE, "%s: can't write: it is there and not a regular file",
                         replacement->name);
    *mode = information.st_mode & 07777;
    return ACRE_OK;
}

acre_status acre_replacement_begin(const char *path, struct acre_replacement *replacement)
{
    mode_t mode = 0;
    *replacement = (struct acre_replacement){.fd = -1};
    acre_text_path(path, replacement->name, sizeof replacement->name);
    acre_status status = find_target(path, replacement, &mode);
    if (status != ACRE_OK)
        goto fail;
    const size_t size = strlen(replacement->path) + NAME_BYTES;
    replacement->temporary = malloc(size);
    if (!replacement->temporary) {
        status = acre_fail_memory(size);
        goto fail;
    }
    replacement->fd = create_temporary(replacement->path, replacement->temporary, size);
    if (replacement->fd < 0) {
        status = acre_fail(ACRE_ERR_FILE, "%s: can't make a temporary file beside it: %s", replacement->name,
                           strerror(errno));
        goto fail;
    }
    if (mode)
        (void)!fchmod(replacement->fd, mode); /* as the file had that is replaced; no reason to fail */
    return ACRE_OK;
fail:
    free(replacement->temporary);
    free(replacement->path);
    return status;
}

acre_status acre_replacement_write(const struct acre_replacement *replacement, uint64_t offset,
                                   const void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t put = pwrite(replacement->fd, (const char *)data + done, bytes - done, (off_t)(offset + done));
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return acre_fail(ACRE_ERR_FILE, "%s: can't write %zu bytes at byte %llu: %s", replacement->name,
                             bytes - done, (unsigned long long)(offset + done),
                             put < 0 ? strerror(errno) : "nothing was taken");
        done += (size_t)put;
    }
    return ACRE_OK;
}

/* Make the new name itself last. A folder that can't be synchronised is no reason to fail. */
static void sync_folder(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash)
        slash[slash == path] = '\0';
    int fd = open(slash ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

acre_status acre_replacement_commit(struct acre_replacement *replacement)
{
    const char *step = NULL;
    if (fsync(replacement->fd) != 0)
        step = "bring it to the disk";
    int error = errno;
    if (close(replacement->fd) != 0 && !step) {
        step = "close it";
        error = errno;
    }
    replacement->fd = -1;
    if (!step && rename(replacement->temporary, replacement->path) != 0) {
        step = "put it in its place";
        error = errno;
    }
    if (step) {
        acre_replacement_abandon(replacement);
        return acre_fail(ACRE_ERR_FILE, "%s: can't %s: %s", replacement->name, step, strerror(error));
    }
    sync_folder(replacement->temporary);
    free(replacement->temporary);
    free(replacement->path);
    return ACRE_OK;
}

void acre_replacement_abandon(struct acre_replacement *replacement)
{
    if (replacement->fd >= 0)
        close(replacement->fd);
    unlink(replacement->temporary);
    free(replacement->temporary);
    free(replacement->path);
}
