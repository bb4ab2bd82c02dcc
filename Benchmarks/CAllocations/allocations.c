// Counts the allocations of each thread.
#include "allocations.h"

#include <malloc.h>

static _Thread_local uint64_t allocations;

#define COUNT_ALLOCATION allocations++
#include "wrappers.h"

uint64_t tweencast_allocations(void) { return allocations; }

uint64_t tweencast_allocated_bytes(void)
{
    struct mallinfo2 all = mallinfo2();
    return all.uordblks + all.hblkhd;
}
