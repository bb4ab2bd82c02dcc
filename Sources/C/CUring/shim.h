// io_uring for sends that never wait: liburing is mostly macros and inline functions over its own memory, which Swift can't
// call.
#ifndef TWEENCAST_CURING_SHIM_H
#define TWEENCAST_CURING_SHIM_H

#include <errno.h>
#include <liburing.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

// 0, or the negated errno, when this process may use rings as they are used here. Before Linux 6.4 a registered descriptor
// is let go of up to a second after it was taken out, and a connection that is closed would end as late; the first flag that
// tells a younger kernel came with 6.6.
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

// How many descriptors a ring's table may have: no more than the process.
static inline unsigned tweencast_ring_places(unsigned wanted)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < wanted ? (unsigned)limit.rlim_cur : wanted;
}

// A ring for the calling thread, with a table of as many descriptors; the negated errno on failure, which is -ENOMEM where its
// 100 KB are more than RLIMIT_MEMLOCK leaves a process without CAP_IPC_LOCK.
static inline int tweencast_ring_open(struct io_uring *ring, unsigned entries, unsigned places)
{
    // One thread submits, and one send that is refused holds up no other.
    int code = io_uring_queue_init(entries, ring, IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_SUBMIT_ALL);
    if (code < 0)
        return code;
    code = io_uring_register_files_sparse(ring, places);
    if (code < 0)
        io_uring_queue_exit(ring);
    return code;
}

// Puts a descriptor in a place of the table, -1 to clear it: nonzero on success. Until then the file is held open.
static inline int tweencast_ring_place(struct io_uring *ring, unsigned place, int descriptor)
{
    return io_uring_register_files_update(ring, place, &descriptor, 1) == 1;
}

// Notes a send, to a place of the table or to a descriptor. There must be an entry left.
static inline void tweencast_ring_send(
    struct io_uring *ring, int target, int is_place, const void *bytes, size_t count, unsigned number)
{
    struct io_uring_sqe *entry = io_uring_get_sqe(ring);
    io_uring_prep_send(entry, target, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    entry->flags |= is_place ? IOSQE_FIXED_FILE : 0;
    entry->user_data = number;
}

// Has the kernel take all that was noted: `count` sends. Returns how many it took; each of them was tried by then, since none
// may wait.
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

// Takes what the kernel tells of the sends that were tried last, numbered from 0: what each came to, bytes or a negated errno,
// is in `results`. Returns how many it told of. It does not wait: what came of a send is told before the call that tries it
// returns.
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
