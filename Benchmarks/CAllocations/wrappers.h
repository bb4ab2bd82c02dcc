// Stands in for glibc's allocation functions: each runs COUNT_ALLOCATION, which the including file defines, and passes on to
// the name that glibc keeps for this. For one file of a program or library.
#include <errno.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size)
{
    COUNT_ALLOCATION;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    COUNT_ALLOCATION;
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    COUNT_ALLOCATION;
    return __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    COUNT_ALLOCATION;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    COUNT_ALLOCATION;
    *block = __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}
