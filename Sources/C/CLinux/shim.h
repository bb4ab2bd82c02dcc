// Linux calls that the Glibc module omits: epoll, eventfd, thread names, timer slack and listening sockets.
#ifndef TWEENCAST_CLINUX_SHIM_H
#define TWEENCAST_CLINUX_SHIM_H

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <linux/sockios.h>
#include <linux/stat.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// At most 15 characters. prctl is variadic.
static inline void tweencast_name_thread(const char *name) { prctl(PR_SET_NAME, (unsigned long)name, 0, 0, 0); }

// Nanoseconds that the kernel may delay this thread's timers; 50,000 unless set.
static inline void tweencast_set_timer_slack(unsigned long nanoseconds)
{
    prctl(PR_SET_TIMERSLACK, nanoseconds, 0, 0, 0);
}

enum {
    TWEENCAST_READABLE = EPOLLIN,
    TWEENCAST_WRITABLE = EPOLLOUT,
    TWEENCAST_HANGUP = EPOLLRDHUP | EPOLLHUP | EPOLLERR,
};

static inline int tweencast_epoll_add(int set, int descriptor, uint64_t mark, int edge_triggered)
{
    struct epoll_event event = { .data.u64 = mark };
    event.events = edge_triggered ? EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET : EPOLLIN;
    return epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event);
}

// Checks an edge-triggered descriptor again: what it is ready for now counts as an edge.
static inline int tweencast_epoll_rearm(int set, int descriptor, uint64_t mark)
{
    struct epoll_event event = { .data.u64 = mark, .events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET };
    return epoll_ctl(set, EPOLL_CTL_MOD, descriptor, &event);
}

static inline void tweencast_epoll_remove(int set, int descriptor)
{
    struct epoll_event event = { 0 };
    epoll_ctl(set, EPOLL_CTL_DEL, descriptor, &event);
}

static inline int tweencast_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

// Bytes that a TCP socket has accepted but not sent for the first time; 0 if unknown. ioctl is variadic.
static inline int tweencast_unsent(int descriptor)
{
    int bytes = 0;
    return ioctl(descriptor, SIOCOUTQNSD, &bytes) == 0 ? bytes : 0;
}

// Bytes that a TCP socket has accepted and its peer has not acknowledged; 0 if unknown.
static inline int tweencast_outstanding(int descriptor)
{
    int bytes = 0;
    return ioctl(descriptor, SIOCOUTQ, &bytes) == 0 ? bytes : 0;
}

// Reads a byte counter of a TCP socket; 0 if unknown. glibc's tcp_info ends before these fields, and linux/tcp.h conflicts
// with glibc's header. The kernel only appends fields.
static inline int tweencast_tcp_count(int descriptor, size_t offset, uint64_t *bytes)
{
    enum { TCP_INFO_OPTION = 11 };
    unsigned char info[256];
    socklen_t size = sizeof info;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO_OPTION, info, &size) != 0 || size < offset + sizeof *bytes)
        return 0;
    memcpy(bytes, info + offset, sizeof *bytes);
    return 1;
}

// The number of clients waiting in a listening TCP socket; 0 if unknown. For such sockets the kernel returns it in the field
// of unacknowledged segments (net/ipv4/tcp.c, tcp_get_info).
static inline int tweencast_waiting_clients(int listening)
{
    enum { TCP_INFO_OPTION = 11, UNACKNOWLEDGED_OFFSET = 24 };
    unsigned char info[256];
    socklen_t size = sizeof info;
    uint32_t count;
    if (getsockopt(listening, IPPROTO_TCP, TCP_INFO_OPTION, info, &size) != 0
        || size < UNACKNOWLEDGED_OFFSET + sizeof count)
        return 0;
    memcpy(&count, info + UNACKNOWLEDGED_OFFSET, sizeof count);
    return count > INT32_MAX ? INT32_MAX : (int)count;
}

// All bytes that a TCP socket's peer has acknowledged.
static inline int tweencast_acknowledged(int descriptor, uint64_t *bytes)
{
    return tweencast_tcp_count(descriptor, 120, bytes);
}

// All bytes that a TCP socket has received.
static inline int tweencast_received(int descriptor, uint64_t *bytes)
{
    return tweencast_tcp_count(descriptor, 128, bytes);
}

// Bytes that a TCP socket has received but that were not read yet; 0 if unknown.
static inline int tweencast_unread(int descriptor)
{
    int bytes = 0;
    return ioctl(descriptor, FIONREAD, &bytes) == 0 ? bytes : 0;
}

// Shuts down sending, so that further sends fail. Which module owns the constant depends on what the compiler loads first.
static inline void tweencast_shut_sending(int descriptor) { shutdown(descriptor, SHUT_WR); }

// Shuts down sending and receiving. Which module owns the constant depends on what the compiler loads first.
static inline void tweencast_shut(int descriptor) { shutdown(descriptor, SHUT_RDWR); }

// Raises the soft limit of descriptors to the hard one. Returns the limit.
static inline int64_t tweencast_raise_descriptor_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 1024;
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
        limit.rlim_cur = before;
    return limit.rlim_cur > INT32_MAX ? INT32_MAX : (int64_t)limit.rlim_cur;
}

// The process's limit of descriptors; 0 if unknown.
static inline int64_t tweencast_descriptor_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 0;
    return limit.rlim_cur > INT64_MAX ? INT64_MAX : (int64_t)limit.rlim_cur;
}

// The number of open descriptors; 0 if unknown. Since Linux 6.2 it is the folder's size. Before, the entries are counted,
// except `.`, `..`, and the descriptor that reads the folder.
static inline int64_t tweencast_descriptor_count(void)
{
    struct stat folder;
    if (stat("/proc/self/fd", &folder) == 0 && folder.st_size > 0)
        return folder.st_size;
    DIR *entries = opendir("/proc/self/fd");
    if (!entries)
        return 0;
    int64_t count = -3;
    while (readdir(entries))
        count++;
    closedir(entries);
    return count > 0 ? count : 0;
}

// Reads which file a path means: its device and inode, and nothing that changes with a write. Returns whether there is one.
// Which module owns statx depends on what the compiler loads first.
static inline _Bool tweencast_file_identity(const char *path, uint64_t *device, uint64_t *number)
{
    struct statx facts;
    if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_INO, &facts) == 0) {
        *device = (uint64_t)facts.stx_dev_major << 32 | facts.stx_dev_minor;
        *number = facts.stx_ino;
        return 1;
    }
    return 0;
}

// Seconds of processor time in user and kernel mode. Which module owns timeval depends on what the compiler loads first.
static inline double tweencast_processor_seconds(void)
{
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0)
        return 0;
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

// Nanoseconds of the monotonic clock, which counts from boot: 64 bits last for centuries. Which module owns timespec depends
// on what the compiler loads first.
static inline int64_t tweencast_monotonic_now(int is_coarse)
{
    struct timespec time = { 0 };
    clock_gettime(is_coarse ? CLOCK_MONOTONIC_COARSE : CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static inline int tweencast_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline void tweencast_signal(int descriptor)
{
    uint64_t one = 1;
    if (write(descriptor, &one, sizeof one) < 0) { } // Full: it is already signalled.
}

static inline void tweencast_clear(int descriptor)
{
    uint64_t value;
    if (read(descriptor, &value, sizeof value) < 0) { } // Empty: it is already cleared.
}

// Waits until one of two descriptors is readable, or for these milliseconds; -1 waits for ever. Returns whether the second
// is.
static inline int tweencast_await(int first, int second, int milliseconds)
{
    struct pollfd waits[] = { { .fd = first, .events = POLLIN }, { .fd = second, .events = POLLIN } };
    return poll(waits, 2, milliseconds) > 0 && waits[1].revents != 0;
}

// Opens a non-blocking TCP socket that listens on an address. Returns the negated errno on failure. SO_REUSEPORT stays off:
// with it a second server could open the same port and take some of the clients.
static inline int tweencast_listen(const struct sockaddr *address, int takes_both, int backlog)
{
    int descriptor = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0)
        return -errno;
    int on = 1, six_only = !takes_both;
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    socklen_t size = sizeof(struct sockaddr_in);
    if (address->sa_family == AF_INET6) {
        size = sizeof(struct sockaddr_in6);
        setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &six_only, sizeof six_only);
    }
    if (bind(descriptor, address, size) == 0 && listen(descriptor, backlog) == 0)
        return descriptor;
    int code = errno;
    close(descriptor);
    return -code;
}

// Configures an inherited listening socket like one of tweencast_listen. Returns a negative error on failure.
static inline int tweencast_adopt_listener(int descriptor, int backlog)
{
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0 || fcntl(descriptor, F_SETFD, FD_CLOEXEC) < 0
        || listen(descriptor, backlog) < 0)
        return -errno;
    return descriptor;
}

static inline uint16_t tweencast_bound_port(int descriptor)
{
    struct sockaddr_storage address = { 0 };
    socklen_t size = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &size) != 0)
        return 0;
    return ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                               : ((struct sockaddr_in *)&address)->sin_port);
}

enum { TWEENCAST_ADDRESS_LENGTH = INET6_ADDRSTRLEN };

// Writes the peer's address as text of at most TWEENCAST_ADDRESS_LENGTH bytes. Returns 0 if it is unknown.
static inline int tweencast_peer_address(int descriptor, char *text)
{
    struct sockaddr_storage address = { 0 };
    socklen_t size = sizeof address;
    if (getpeername(descriptor, (struct sockaddr *)&address, &size) != 0)
        return 0;
    const void *bytes = address.ss_family == AF_INET6
        ? (const void *)&((struct sockaddr_in6 *)&address)->sin6_addr
        : (const void *)&((struct sockaddr_in *)&address)->sin_addr;
    return inet_ntop(address.ss_family, bytes, text, TWEENCAST_ADDRESS_LENGTH) != NULL;
}

// Ends the process from a signal handler, without locks or allocations, and without waiting for a blocked standard error.
static inline void tweencast_break_off(int signal)
{
    (void)signal;
    static const char line[] = "tweencast: the shutdown took too long and was broken off\n";
    struct pollfd error = { .fd = 2, .events = POLLOUT };
    if (poll(&error, 1, 0) == 1 && (error.revents & POLLOUT) && write(2, line, sizeof line - 1) < 0) { }
    _exit(1);
}

// Ends the process with status 1 after these seconds, unless it ends before. Nonzero on failure. The calling thread unblocks
// the signal, which the parent process may have blocked.
static inline int tweencast_end_within(long seconds)
{
    struct sigaction action = { .sa_handler = tweencast_break_off };
    struct itimerval timer = { .it_value = { .tv_sec = seconds } };
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    return sigaction(SIGALRM, &action, NULL) || pthread_sigmask(SIG_UNBLOCK, &alarm, NULL)
        || setitimer(ITIMER_REAL, &timer, NULL);
}

// Whether a signal is ignored: nohup has it so for SIGHUP, and a shell without job control for SIGINT in the background.
static inline _Bool tweencast_ignores(int signal)
{
    struct sigaction present;
    return !sigaction(signal, NULL, &present) && present.sa_handler == SIG_IGN;
}

// Opens /dev/null for each of the first three descriptors that is closed. Otherwise a file opened later would get its
// number, and with it the log's output.
static inline void tweencast_fill_standard_descriptors(void)
{
    for (int descriptor = 0; descriptor < 3; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) < 0)
            return;
}

enum { TWEENCAST_SUCCESSOR_LISTENER = 3, TWEENCAST_SUCCESSOR_REPORT = 4 };

// Opens a pipe whose ends are closed on exec. Nonzero on failure. The Glibc module omits pipe2, and between pipe and fcntl
// another thread could start a program.
static inline int tweencast_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

// The descriptor for a successor's report, closed on exec; -1 if it is no pipe.
static inline int tweencast_successor_report(void)
{
    struct stat status;
    if (fstat(TWEENCAST_SUCCESSOR_REPORT, &status) != 0 || !S_ISFIFO(status.st_mode)
        || fcntl(TWEENCAST_SUCCESSOR_REPORT, F_SETFD, FD_CLOEXEC) < 0)
        return -1;
    return TWEENCAST_SUCCESSOR_REPORT;
}

// Executes this process's own program again, even if its file was replaced, with a listening socket as the only inherited
// descriptor. No other thread may run. Returns the errno on failure.
static inline int tweencast_begin_anew(char *const arguments[], char *const environment[], int listener)
{
    if (listener != TWEENCAST_SUCCESSOR_LISTENER && dup2(listener, TWEENCAST_SUCCESSOR_LISTENER) < 0)
        return errno;
    if (fcntl(TWEENCAST_SUCCESSOR_LISTENER, F_SETFD, 0) < 0)
        return errno;
    execve("/proc/self/exe", arguments, environment);
    return errno;
}

// Starts a program that inherits only the first three descriptors and these two, neither of which may be 3 or 4, and that
// blocks or ignores no signal. Returns 0 or an errno.
static inline int tweencast_spawn_successor(
    pid_t *child, const char *program, char *const arguments[], char *const environment[], int listener, int report)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int code = posix_spawn_file_actions_init(&actions);
    if (code != 0)
        return code;
    code = posix_spawnattr_init(&attributes);
    if (code == 0) {
        (void)((code = posix_spawn_file_actions_adddup2(&actions, listener, TWEENCAST_SUCCESSOR_LISTENER)) != 0
               || (code = posix_spawn_file_actions_adddup2(&actions, report, TWEENCAST_SUCCESSOR_REPORT)) != 0
               || (code = posix_spawn_file_actions_addclosefrom_np(&actions, TWEENCAST_SUCCESSOR_REPORT + 1)) != 0
               || (code = posix_spawnattr_setsigmask(&attributes, &none)) != 0
               || (code = posix_spawnattr_setsigdefault(&attributes, &all)) != 0
               || (code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)) != 0
               || (code = posix_spawn(child, program, &actions, &attributes, arguments, environment)) != 0);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

// Starts a program, found on the path, that blocks and ignores no signal. Returns 0 or an errno.
static inline int tweencast_run(pid_t *child, char *const arguments[])
{
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int code = posix_spawnattr_init(&attributes);
    if (code != 0)
        return code;
    (void)((code = posix_spawnattr_setsigmask(&attributes, &none)) != 0
           || (code = posix_spawnattr_setsigdefault(&attributes, &all)) != 0
           || (code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)) != 0
           || (code = posix_spawnp(child, arguments[0], NULL, &attributes, arguments, __environ)) != 0);
    posix_spawnattr_destroy(&attributes);
    return code;
}

// Columns and rows of a terminal; zeros if the descriptor is none. ioctl is variadic.
static inline void tweencast_terminal_size(int descriptor, int *columns, int *rows)
{
    struct winsize size = { 0 };
    ioctl(descriptor, TIOCGWINSZ, &size);
    *columns = size.ws_col;
    *rows = size.ws_row;
}

#endif
