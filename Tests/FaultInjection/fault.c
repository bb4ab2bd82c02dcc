// A disk that fails on request, and a wall clock that can be set: loaded with LD_PRELOAD, this stands between SQLite and
// the kernel. While the file named by TWEENCAST_FAULT exists, its first letter says what happens to the store's files:
// N no space, I input/output error, S every write stops half-way, F syncing fails, R the disk is read-only, H a write
// hangs for ever, D the database alone can't be written, its log can, P a
// folder can't be synced. The file named by TWEENCAST_WALL_CLOCK holds the
// seconds by which the clock is wrong. TWEENCAST_HTTP_LIBRARY is the version that libmicrohttpd says it is. The tests compile it themselves; nothing of it is part of the program.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static char fault(void)
{
    const char *path = getenv("TWEENCAST_FAULT");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return 0;
    char letter = 0;
    if (read(file, &letter, 1) != 1)
        letter = 0;
    close(file);
    return letter;
}

static int names(int descriptor, const char *part)
{
    char link[64], path[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0)
        return 0;
    path[length] = 0;
    return strstr(path, part) != NULL;
}

static int is_of_the_store(int descriptor)
{
    return names(descriptor, ".sqlite");
}

static int is_the_log(int descriptor)
{
    return names(descriptor, "-wal");
}

static ssize_t write_at(int descriptor, const void *bytes, size_t count, off64_t offset)
{
    static ssize_t (*next)(int, const void *, size_t, off64_t);
    if (!next)
        next = dlsym(RTLD_NEXT, "pwrite64");
    char letter = is_of_the_store(descriptor) ? fault() : 0;
    switch (letter) {
    case 'H':
        for (;;)
            pause();
    case 'N':
        errno = ENOSPC;
        return -1;
    case 'D':
        if (is_the_log(descriptor))
            return next(descriptor, bytes, count, offset);
        // fall through
    case 'I':
        errno = EIO;
        return -1;
    case 'R':
        errno = EROFS;
        return -1;
    case 'S':
        // The disk takes half, then nothing.
        if (count > 1)
            next(descriptor, bytes, count / 2, offset);
        errno = ENOSPC;
        return -1;
    default:
        return next(descriptor, bytes, count, offset);
    }
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset)
{
    return write_at(descriptor, bytes, count, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset)
{
    return write_at(descriptor, bytes, count, offset);
}

static int sync_file(int descriptor, const char *name)
{
    struct stat status;
    bool is_folder = fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode);
    if ((is_folder && fault() == 'P') || (is_of_the_store(descriptor) && fault() == 'F')) {
        errno = EIO;
        return -1;
    }
    int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    return next(descriptor);
}

int fsync(int descriptor) { return sync_file(descriptor, "fsync"); }
int fdatasync(int descriptor) { return sync_file(descriptor, "fdatasync"); }

int clock_gettime(clockid_t clock, struct timespec *time)
{
    static int (*next)(clockid_t, struct timespec *);
    if (!next)
        next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = next(clock, time);
    const char *path = clock == CLOCK_REALTIME ? getenv("TWEENCAST_WALL_CLOCK") : NULL;
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return result;
    char text[32] = { 0 };
    if (read(file, text, sizeof text - 1) > 0)
        time->tv_sec += atol(text);
    close(file);
    return result;
}

const char *MHD_get_version(void)
{
    const char *version = getenv("TWEENCAST_HTTP_LIBRARY");
    const char *(*next)(void) = dlsym(RTLD_NEXT, "MHD_get_version");
    return version || !next ? version : next();
}
