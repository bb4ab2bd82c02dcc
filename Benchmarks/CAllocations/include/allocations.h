// How often the process has asked for memory, and what it has. Linked into benchmarks and tests alone.
#ifndef TWEENCAST_ALLOCATIONS_H
#define TWEENCAST_ALLOCATIONS_H

#include <stdint.h>

// Calls of malloc, calloc, realloc and their aligned kin on this thread since it began.
uint64_t tweencast_allocations(void);

// Bytes that the process has of its allocator now. Pages that it has of the kernel are another matter.
uint64_t tweencast_allocated_bytes(void);

#endif
