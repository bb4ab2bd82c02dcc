// mmap() and munmap() of the program.
#include "blocks.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)

void tweencast_keep_blocks(size_t size) { (void)size; }
void tweencast_return_blocks(void) {}
int tweencast_kept_blocks(void) { return 0; }
int tweencast_keeps_blocks(void) { return 0; }

#else

enum {
    // As many as a burst of clients needs at once. Few of a block's pages are in use.
    most_blocks = 64,
    // Blocks are a multiple of this.
    part_words = 512,
    part_size = part_words * sizeof(uint64_t),
};

static _Thread_local struct {
    // 0 on threads that keep none.
    size_t size;
    void *blocks[most_blocks];
    int count;
} kept;

// Writes only where there is something: reading a page that was never written gives it no memory.
static void clear(uint64_t *words, size_t size)
{
    for (uint64_t *end = words + size / sizeof *words; words < end; words += part_words) {
        uint64_t any = 0;
        for (int i = 0; i < part_words; i++)
            any |= words[i];
        if (any)
            memset(words, 0, part_size);
    }
}

void *mmap(void *address, size_t size, int protection, int flags, int descriptor, off_t offset)
{
    bool is_block = size == kept.size && !address && protection == (PROT_READ | PROT_WRITE)
        && flags == (MAP_PRIVATE | MAP_ANONYMOUS);
    if (is_block && kept.count > 0)
        return kept.blocks[--kept.count];
    return (void *)syscall(SYS_mmap, address, size, protection, flags, descriptor, offset);
}

int munmap(void *address, size_t size)
{
    if (size == 0 || size != kept.size || kept.count == most_blocks)
        return (int)syscall(SYS_munmap, address, size);
    clear(address, size);
    kept.blocks[kept.count++] = address;
    return 0;
}

void tweencast_keep_blocks(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    tweencast_return_blocks();
    kept.size = (size + page - 1) / page * page;
}

void tweencast_return_blocks(void)
{
    while (kept.count > 0)
        syscall(SYS_munmap, kept.blocks[--kept.count], kept.size);
    kept.size = 0;
}

int tweencast_kept_blocks(void) { return kept.count; }
int tweencast_keeps_blocks(void) { return 1; }

#endif
