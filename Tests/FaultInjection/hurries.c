// A short time for a successor: loaded with LD_PRELOAD, each wait for a pipe takes a hundredth of its time once something has been
// read from one, as from a successor that can take over. The tests compile it themselves; nothing of it is part of the program.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/stat.h>

int poll(struct pollfd *waited, nfds_t count, int milliseconds)
{
    static int (*next)(struct pollfd *, nfds_t, int);
    static bool has_come;
    if (!next)
        next = (int (*)(struct pollfd *, nfds_t, int))dlsym(RTLD_NEXT, "poll");
    struct stat status;
    bool is_pipe = count == 1 && waited->events == POLLIN && fstat(waited->fd, &status) == 0 && S_ISFIFO(status.st_mode);
    int ready = next(waited, count, is_pipe && has_come && milliseconds > 0 ? (milliseconds + 99) / 100 : milliseconds);
    has_come = has_come || (is_pipe && ready > 0);
    return ready;
}
