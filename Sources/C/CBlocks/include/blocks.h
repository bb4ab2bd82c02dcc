// Memory of connections that have ended, kept for the next ones.
//
// libmicrohttpd (0.9.75) maps the memory of each connection and unmaps it at its end, and has no option for another way.
// For a connection with one request that is a sixth of the server's work: each mapping begins with page faults, and each
// unmapping interrupts the other cores. The library finds mmap() and munmap() by their names, and a program's symbols
// precede those of libraries. So this defines both: on a thread that asks for it they keep blocks of one size, and
// everything else goes to the kernel.
#ifndef TWEENCAST_CBLOCKS_BLOCKS_H
#define TWEENCAST_CBLOCKS_BLOCKS_H

#include <stddef.h>

// Keeps blocks of this size, rounded up to pages, for the calling thread. They are zeroed, as the kernel's are.
void tweencast_keep_blocks(size_t size);

// Returns the calling thread's blocks to the kernel, and keeps no more.
void tweencast_return_blocks(void);

// How many blocks the calling thread keeps for later.
int tweencast_kept_blocks(void);

// Whether blocks are kept at all: sanitizers have to see each mapping.
int tweencast_keeps_blocks(void);

#endif
