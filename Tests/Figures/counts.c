// Counts what a program does: loaded with LD_PRELOAD, this adds up its allocations, those of SQLite apart, and the bytes that
// it writes to SQLite's write-ahead log, in the file named by TWEENCAST_COUNTS, which others map. figures.py compiles it;
// nothing of it is part of the program.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// In this order in the file, 8 bytes each.
enum { ALLOCATIONS, SQLITE_ALLOCATIONS, LOG_BYTES, COUNTS };

static uint64_t early[COUNTS];
static uint64_t *counts = early;
// Where SQLite's code lies; empty until it is found.
static uintptr_t sqlite_start, sqlite_end;

static void add(int name, size_t count) { __atomic_fetch_add(&counts[name], count, __ATOMIC_RELAXED); }

// How often SQLite allocates depends on which rows share a page.
static void add_allocation(const void *caller)
{
    uintptr_t place = (uintptr_t)caller;
    add(place >= sqlite_start && place < sqlite_end ? SQLITE_ALLOCATIONS : ALLOCATIONS, 1);
}

#define COUNT_ALLOCATION add_allocation(__builtin_return_address(0))
#include "../../Benchmarks/CAllocations/wrappers.h"

static int find_sqlite(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size, (void)unused;
    if (!strstr(object->dlpi_name, "libsqlite3."))
        return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
            continue;
        sqlite_start = object->dlpi_addr + segment->p_vaddr;
        sqlite_end = sqlite_start + segment->p_memsz;
    }
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
    dl_iterate_phdr(find_sqlite, NULL);
    const char *path = getenv("TWEENCAST_COUNTS");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    void *shared = mmap(NULL, sizeof early, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared != MAP_FAILED)
        counts = shared;
    close(file);
}

// SQLite writes with pwrite64() alone.
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset)
{
    ssize_t (*next)(int, const void *, size_t, off64_t) = dlsym(RTLD_NEXT, "pwrite64");
    ssize_t written = next(descriptor, bytes, count, offset);
    char link[64], path[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = written > 0 ? readlink(link, path, sizeof path) : 0;
    if (length > 4 && memcmp(path + length - 4, "-wal", 4) == 0)
        add(LOG_BYTES, (size_t)written);
    return written;
}
