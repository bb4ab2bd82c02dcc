// A record of what a program asks of its disk: loaded with LD_PRELOAD, this appends each call that changes a file below
// the folder POWER_CUTS_DISK, or syncs one, to the file POWER_CUTS_TAPE, in the order in which they took place. Threads and
// processes that share a tape take turns: a call and its record are one step. POWER_CUTS_DEATH is the number of the record
// after which the process dies. `tape.py` reads the tape. The tests compile this themselves; nothing of it is part of the
// program.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

// Before the path and the data of a record; `tape.py` has the same.
struct head {
    uint32_t kind, path_length;
    uint64_t file, offset, data_length;
};

enum kind { WRITE = 'w', RESIZE = 't', SYNC = 's', SYNC_FOLDER = 'S', CREATE = 'c', FOLDER = 'm', RENAME = 'r', REMOVE = 'u' };

enum { MOST_PARTS = 64 };

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static size_t root_length;
static int tape = -1;
static long records, death;

#define NEXT(name)                                            \
    ({                                                        \
        static __typeof__(&name) next;                        \
        if (!next)                                            \
            next = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
        next;                                                 \
    })

__attribute__((constructor)) static void begin(void)
{
    const char *folder = getenv("POWER_CUTS_DISK"), *file = getenv("POWER_CUTS_TAPE"), *last = getenv("POWER_CUTS_DEATH");
    if (!folder || !file || !realpath(folder, root))
        return;
    root_length = strlen(root);
    death = last ? atol(last) : 0;
    tape = NEXT(open)(file, O_WRONLY | O_APPEND | O_CLOEXEC);
    if (tape < 0)
        abort();
}

static void enter(void)
{
    pthread_mutex_lock(&turn);
    if (tape >= 0 && flock(tape, LOCK_EX) != 0)
        abort();
}

static void leave(void)
{
    int error = errno;
    if (tape >= 0)
        flock(tape, LOCK_UN);
    pthread_mutex_unlock(&turn);
    errno = error;
}

// Part of an open file's path behind the root; NULL for what is elsewhere.
static const char *behind_root(const char *path)
{
    return strncmp(path, root, root_length) == 0 && path[root_length] == '/' ? path + root_length + 1 : NULL;
}

static bool is_recorded(int descriptor, mode_t type, struct stat *status)
{
    if (tape < 0 || fstat(descriptor, status) != 0 || (status->st_mode & S_IFMT) != type)
        return false;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0)
        return false;
    path[length] = 0;
    return behind_root(path) || (type == S_IFDIR && strcmp(path, root) == 0);
}

// The place of a name below the root: the real path of its folder, and its last part. Empty for what is elsewhere.
static void find_place(int folder, const char *name, char place[PATH_MAX])
{
    char full[2 * PATH_MAX], real[PATH_MAX], link[64];
    place[0] = 0;
    if (tape < 0 || !name)
        return;
    if (name[0] == '/' || folder == AT_FDCWD) {
        snprintf(full, sizeof full, "%s%s", name[0] == '/' ? "" : "./", name);
    } else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        ssize_t length = readlink(link, real, sizeof real - 1);
        if (length <= 0)
            return;
        real[length] = 0;
        snprintf(full, sizeof full, "%s/%s", real, name);
    }
    char *last = strrchr(full, '/');
    *last = 0;
    if (!realpath(last == full ? "/" : full, real))
        return;
    const char *slash = strrchr(name, '/');
    snprintf(full, sizeof full, "%.*s/%s", PATH_MAX - 1, real, slash ? slash + 1 : name);
    const char *part = behind_root(full);
    if (part)
        snprintf(place, PATH_MAX, "%s", part);
}

// With the turn. Its caller's call has taken place.
static void record(enum kind kind, uint64_t file, uint64_t offset, const char *path, size_t path_length,
                   const struct iovec *data, int parts, size_t length)
{
    int error = errno;
    struct head head = { kind, path_length, file, offset, length };
    struct iovec all[MOST_PARTS + 2] = { { &head, sizeof head }, { (void *)path, path_length } };
    size_t left = length;
    int used = 2;
    for (int part = 0; part < parts && left > 0; part++) {
        if (used == MOST_PARTS + 2)
            abort();
        size_t taken = data[part].iov_len < left ? data[part].iov_len : left;
        all[used++] = (struct iovec){ data[part].iov_base, taken };
        left -= taken;
    }
    if (NEXT(writev)(tape, all, used) != (ssize_t)(sizeof head + path_length + length))
        abort();
    if (++records == death)
        kill(getpid(), SIGKILL);
    errno = error;
}

static void record_name(enum kind kind, uint64_t file, const char *path)
{
    record(kind, file, 0, path, strlen(path), NULL, 0, 0);
}

static void record_size(uint64_t file, uint64_t size) { record(RESIZE, file, size, NULL, 0, NULL, 0, 0); }

// Writing

typedef ssize_t write_call(int, const struct iovec *, int, off64_t);

// A negative offset is the file's own.
static ssize_t write_recorded(int descriptor, const struct iovec *data, int parts, off64_t offset, write_call *call)
{
    struct stat status;
    if (!is_recorded(descriptor, S_IFREG, &status))
        return call(descriptor, data, parts, offset);
    enter();
    off64_t place = offset;
    if (offset < 0) {
        place = lseek64(descriptor, 0, SEEK_CUR);
        if (fcntl(descriptor, F_GETFL) & O_APPEND && fstat(descriptor, &status) == 0)
            place = status.st_size;
    }
    ssize_t count = call(descriptor, data, parts, offset);
    if (count > 0)
        record(WRITE, status.st_ino, place, NULL, 0, data, parts, count);
    leave();
    return count;
}

static ssize_t by_write(int descriptor, const struct iovec *data, int parts, off64_t offset)
{
    (void)parts, (void)offset;
    return NEXT(write)(descriptor, data->iov_base, data->iov_len);
}

static ssize_t by_writev(int descriptor, const struct iovec *data, int parts, off64_t offset)
{
    (void)offset;
    return NEXT(writev)(descriptor, data, parts);
}

static ssize_t by_pwrite(int descriptor, const struct iovec *data, int parts, off64_t offset)
{
    (void)parts;
    return NEXT(pwrite64)(descriptor, data->iov_base, data->iov_len, offset);
}

static ssize_t by_pwritev(int descriptor, const struct iovec *data, int parts, off64_t offset)
{
    return NEXT(pwritev64)(descriptor, data, parts, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    struct iovec data = { (void *)bytes, count };
    return write_recorded(descriptor, &data, 1, -1, by_write);
}

ssize_t writev(int descriptor, const struct iovec *data, int parts)
{
    return write_recorded(descriptor, data, parts, -1, by_writev);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset)
{
    struct iovec data = { (void *)bytes, count };
    return write_recorded(descriptor, &data, 1, offset, by_pwrite);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset)
{
    return pwrite64(descriptor, bytes, count, offset);
}

ssize_t pwritev64(int descriptor, const struct iovec *data, int parts, off64_t offset)
{
    return write_recorded(descriptor, data, parts, offset, by_pwritev);
}

ssize_t pwritev(int descriptor, const struct iovec *data, int parts, off_t offset)
{
    return pwritev64(descriptor, data, parts, offset);
}

int ftruncate64(int descriptor, off64_t size)
{
    struct stat status;
    if (!is_recorded(descriptor, S_IFREG, &status))
        return NEXT(ftruncate64)(descriptor, size);
    enter();
    int code = NEXT(ftruncate64)(descriptor, size);
    if (code == 0)
        record_size(status.st_ino, size);
    leave();
    return code;
}

int ftruncate(int descriptor, off_t size) { return ftruncate64(descriptor, size); }

// Space that is asked for and not written: the file grows by zeros.
int posix_fallocate64(int descriptor, off64_t offset, off64_t length)
{
    struct stat before, after;
    if (!is_recorded(descriptor, S_IFREG, &before))
        return NEXT(posix_fallocate64)(descriptor, offset, length);
    enter();
    int code = NEXT(posix_fallocate64)(descriptor, offset, length);
    if (code == 0 && fstat(descriptor, &after) == 0)
        record_size(after.st_ino, after.st_size);
    leave();
    return code;
}

int posix_fallocate(int descriptor, off_t offset, off_t length) { return posix_fallocate64(descriptor, offset, length); }

// Syncing

static int sync_recorded(int descriptor, int (*call)(int))
{
    struct stat status;
    bool is_file = is_recorded(descriptor, S_IFREG, &status);
    if (!is_file && !is_recorded(descriptor, S_IFDIR, &status))
        return call(descriptor);
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    enter();
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    const char *part = behind_root(path);
    int code = call(descriptor);
    if (code == 0)
        record_name(is_file ? SYNC : SYNC_FOLDER, status.st_ino, part ? part : "");
    leave();
    return code;
}

int fsync(int descriptor) { return sync_recorded(descriptor, NEXT(fsync)); }
int fdatasync(int descriptor) { return sync_recorded(descriptor, NEXT(fdatasync)); }

// Names

static int open_recorded(int folder, const char *name, int flags, mode_t mode)
{
    char place[PATH_MAX];
    if (tape < 0 || !(flags & (O_CREAT | O_TRUNC)))
        return NEXT(openat64)(folder, name, flags, mode);
    enter();
    find_place(folder, name, place);
    struct stat before, after;
    bool was_there = fstatat(folder, name, &before, 0) == 0;
    int descriptor = NEXT(openat64)(folder, name, flags, mode);
    if (place[0] && descriptor >= 0 && fstat(descriptor, &after) == 0 && S_ISREG(after.st_mode)) {
        if (!was_there)
            record_name(CREATE, after.st_ino, place);
        else if (flags & O_TRUNC)
            record_size(after.st_ino, 0);
    }
    leave();
    return descriptor;
}

#define MODE_OF(flags)                                      \
    mode_t mode = 0;                                        \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                  \
        va_list arguments;                                  \
        va_start(arguments, flags);                         \
        mode = va_arg(arguments, mode_t);                   \
        va_end(arguments);                                  \
    }

int open(const char *name, int flags, ...)
{
    MODE_OF(flags)
    return open_recorded(AT_FDCWD, name, flags, mode);
}

int open64(const char *, int, ...) __attribute__((alias("open")));

int openat(int folder, const char *name, int flags, ...)
{
    MODE_OF(flags)
    return open_recorded(folder, name, flags, mode);
}

int openat64(int, const char *, int, ...) __attribute__((alias("openat")));

int creat(const char *name, mode_t mode) { return open_recorded(AT_FDCWD, name, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *name, mode_t mode) { return creat(name, mode); }

static int rename_recorded(int from_folder, const char *from, int to_folder, const char *to)
{
    char both[2 * PATH_MAX + 1], old[PATH_MAX], new[PATH_MAX];
    enter();
    find_place(from_folder, from, old);
    find_place(to_folder, to, new);
    int code = NEXT(renameat)(from_folder, from, to_folder, to);
    if (code == 0 && (old[0] || new[0])) {
        // What comes from elsewhere, or leaves, can't be replayed.
        if (!old[0] || !new[0])
            abort();
        size_t length = (size_t)snprintf(both, sizeof both, "%s%c%s", old, 0, new);
        record(RENAME, 0, 0, both, length, NULL, 0, 0);
    }
    leave();
    return code;
}

int rename(const char *from, const char *to) { return rename_recorded(AT_FDCWD, from, AT_FDCWD, to); }

int renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    return rename_recorded(from_folder, from, to_folder, to);
}

static int remove_recorded(int folder, const char *name, int flags)
{
    char place[PATH_MAX];
    enter();
    find_place(folder, name, place);
    int code = NEXT(unlinkat)(folder, name, flags);
    if (code == 0 && place[0])
        record_name(REMOVE, 0, place);
    leave();
    return code;
}

int unlink(const char *name) { return remove_recorded(AT_FDCWD, name, 0); }
int rmdir(const char *name) { return remove_recorded(AT_FDCWD, name, AT_REMOVEDIR); }
int unlinkat(int folder, const char *name, int flags) { return remove_recorded(folder, name, flags); }

int mkdir(const char *name, mode_t mode)
{
    char place[PATH_MAX];
    enter();
    find_place(AT_FDCWD, name, place);
    int code = NEXT(mkdir)(name, mode);
    if (code == 0 && place[0])
        record_name(FOLDER, 0, place);
    leave();
    return code;
}

// A link would be a second name of a file, which `disk.py` does not know.
int link(const char *from, const char *to)
{
    char place[PATH_MAX];
    find_place(AT_FDCWD, to, place);
    if (place[0])
        abort();
    return NEXT(link)(from, to);
}
