/* io/file.c: opening and reading regular files. */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fail.h"
#include "io/text.h"

static const char *kind_of(mode_t mode)
{
    return S_ISDIR(mode)    ? "a directory"
           : S_ISFIFO(mode) ? "a FIFO"
           : S_ISSOCK(mode) ? "a socket"
           : S_ISCHR(mode)  ? "a character device"
           : S_ISBLK(mode)  ? "a block device"
                            : "something else";
}

acre_status acre_file_open(const char *path, struct acre_file *file)
{
    acre_text_path(path, file->name, sizeof file->name);
    /* Not blocking: a FIFO without a writer would wait for ever. Regular files don't mind. */
    file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file->fd < 0)
        return acre_fail(ACRE_ERR_FILE, "%s: can't open: %s", file->name, strerror(errno));
    acre_status status = ACRE_OK;
    struct stat information;
    if (fstat(file->fd, &information) != 0)
        status = acre_fail(ACRE_ERR_FILE, "%s: can't find its size: %s", file->name, strerror(errno));
    else if (!S_ISREG(information.st_mode))
        status =
            acre_fail(ACRE_ERR_FILE, "%s: not a regular file but %s", file->name, kind_of(information.st_mode));
    else
        file->bytes = (uint64_t)information.st_size;
    if (status != ACRE_OK)
        acre_file_close(file);
    return status;
}

void acre_file_close(struct acre_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

acre_status acre_file_read(const struct acre_file *file, uint64_t offset, void *buffer, size_t bytes)
{
    if (offset > file->bytes || bytes > file->bytes - offset)
        return acre_fail(ACRE_ERR_FILE, "%s: %zu bytes wanted from byte %llu on, the file has %llu", file->name,
                         bytes, (unsigned long long)offset, (unsigned long long)file->bytes);
    for (size_t done = 0; done < bytes;) {
        ssize_t got = pread(file->fd, (char *)buffer + done, bytes - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return acre_fail(ACRE_ERR_FILE, "%s: can't read %zu bytes at byte %llu: %s", file->name,
                             bytes - done, (unsigned long long)(offset + done), strerror(errno));
        if (got == 0)
            return acre_fail(ACRE_ERR_FILE, "%s: ends at byte %llu, it had %llu bytes when it was opened",
                             file->name, (unsigned long long)(offset + done), (unsigned long long)file->bytes);
        done += (size_t)got;
    }
    return ACRE_OK;
}

acre_status acre_file_verify(const struct acre_file *file)
{
    struct stat information;
    if (fstat(file->fd, &information) != 0)
        return acre_fail(ACRE_ERR_FILE, "%s: can't find its size: %s", file->name, strerror(errno));
    if ((uint64_t)information.st_size != file->bytes)
        return acre_fail(ACRE_ERR_FILE, "%s: has %llu bytes, it had %llu when it was opened", file->name,
                         (unsigned long long)information.st_size, (unsigned long long)file->bytes);
    return ACRE_OK;
}
