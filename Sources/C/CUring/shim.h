// io_uring for sends that never wait. liburing is mostly macros and inline functions over its own memory, which Swift can't
// call.
#ifndef TWEENCAST_CURING_SHIM_H
#define TWEENCAST_CURING_SHIM_H

#include <errno.h>
#include <liburing.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

// Returns 0 if this process may use rings as below, else the negated errno. Linux before 6.4 keeps a descriptor up to a
// second after it leaves the table, which would delay the end of closed connections. The first flag that identifies a later
// kernel is from 6.6.
static inline int tweencast_ring_probe(void)
{
    enum { NO_SQARRAY = 1U << 16 };
    struct io_uring_params parameters = { .flags = NO_SQARRAY };
    int descriptor = io_uring_setup(1, &parameters);
    if (descriptor < 0)
        return descriptor == -EINVAL ? -ENOSYS : descriptor;
    close(descriptor);
    return 0;
}

// Returns the size of a ring's table: at most the process's limit of descriptors.
static inline unsigned tweencast_ring_places(unsigned wanted)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < wanted ? (unsigned)limit.rlim_cur : wanted;
}

// Opens a ring for the calling thread, with a table of `places` descriptors. Returns the negated errno on failure: -ENOMEM
// if its 100 KB exceed RLIMIT_MEMLOCK in a process without CAP_IPC_LOCK.
static inline int tweencast_ring_open(struct io_uring *ring, unsigned entries, unsigned places)
{
    // One thread submits, and a rejected send doesn't stop the others.
    int code = io_uring_queue_init(entries, ring, IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_SUBMIT_ALL);
    if (code < 0)
        return code;
    code = io_uring_register_files_sparse(ring, places);
    if (code < 0)
        io_uring_queue_exit(ring);
    return code;
}

// Puts a descriptor into the table, or clears its place with -1. Nonzero on success. The table keeps the file open.
static inline int tweencast_ring_place(struct io_uring *ring, unsigned place, int descriptor)
{
    return io_uring_register_files_update(ring, place, &descriptor, 1) == 1;
}

// Queues a send to a place of the table or to a descriptor. An entry must be free.
static inline void tweencast_ring_send(
    struct io_uring *ring, int target, int is_place, const void *bytes, size_t count, unsigned number)
{
    struct io_uring_sqe *entry = io_uring_get_sqe(ring);
    io_uring_prep_send(entry, target, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    entry->flags |= is_place ? IOSQE_FIXED_FILE : 0;
    entry->user_data = number;
}

// Submits the `count` queued sends. Returns how many the kernel took. Each of these has been tried, since none may wait.
static inline unsigned tweencast_ring_submit(struct io_uring *ring, unsigned count)
{
    enum { MOST_ATTEMPTS = 8 };
    unsigned tried = 0;
    for (int attempt = 0; tried < count && attempt < MOST_ATTEMPTS; attempt++) {
        int submitted = io_uring_submit_and_get_events(ring);
        if (submitted > 0)
            tried += (unsigned)submitted;
    }
    return tried;
}

// Collects the results of the last sends, numbered from 0, into `results`: bytes sent or a negated errno. Returns how many
// there were. It doesn't wait: a send's result is there when the call that submits it returns.
static inline unsigned tweencast_ring_take(struct io_uring *ring, unsigned count, int *results)
{
    struct io_uring_cqe *completion;
    unsigned head, seen = 0, told = 0;
    io_uring_for_each_cqe(ring, head, completion) {
        seen++;
        if (completion->user_data >= count)
            continue;
        results[completion->user_data] = completion->res;
        told++;
    }
    io_uring_cq_advance(ring, seen);
    return told;
}

#endif
