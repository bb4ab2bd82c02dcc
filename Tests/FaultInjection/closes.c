// A watch over descriptors: loaded with LD_PRELOAD, this notes each close of one that isn't open in the file named by
// TWEENCAST_CLOSES. A number that was closed isn't given to anybody else for the next so many closes: something that nobody
// reads stands in its place, so that a second close is found whatever other threads open meanwhile. The tests compile it
// themselves; nothing of it is part of the program.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HELD = 64, NUMBERS = 65536 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int (*close_it)(int);
static int nothing = -1;
static int held[HELD];
static unsigned next_held;
static char is_held[NUMBERS];

// Before main: other programs that inherit it, such as a shell, are left alone.
__attribute__((constructor)) static void begin(void)
{
    close_it = dlsym(RTLD_NEXT, "close");
    if (strcmp(program_invocation_short_name, "tweencast") != 0 || !getenv("TWEENCAST_CLOSES"))
        return;
    int opened = open("/dev/null", O_RDONLY | O_CLOEXEC);
    nothing = fcntl(opened, F_DUPFD_CLOEXEC, 512);
    close_it(opened);
    for (int place = 0; place < HELD; place++)
        held[place] = -1;
}

static void note(int descriptor, const char *what)
{
    char line[128];
    int length = snprintf(line, sizeof line, "%d: close(%d): %s\n", (int)getpid(), descriptor, what);
    int file = open(getenv("TWEENCAST_CLOSES"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0 || write(file, line, (size_t)length) < 0)
        abort();
    close_it(file);
}

static int close_watched(int descriptor)
{
    if (descriptor < 0 || fcntl(descriptor, F_GETFD) < 0) {
        note(descriptor, "not open");
        errno = EBADF;
        return -1;
    }
    if (descriptor >= NUMBERS || descriptor == nothing)
        return close_it(descriptor);
    if (is_held[descriptor]) {
        note(descriptor, "closed already");
        errno = EBADF;
        return -1;
    }
    // Closes it, and takes its number, at once.
    if (dup3(nothing, descriptor, O_CLOEXEC) < 0)
        return close_it(descriptor);
    int oldest = held[next_held % HELD];
    held[next_held++ % HELD] = descriptor;
    is_held[descriptor] = 1;
    if (oldest >= 0) {
        is_held[oldest] = 0;
        close_it(oldest);
    }
    return 0;
}

int close(int descriptor)
{
    if (nothing < 0)
        return close_it ? close_it(descriptor) : -1;
    pthread_mutex_lock(&lock);
    int code = close_watched(descriptor);
    int error = errno;
    pthread_mutex_unlock(&lock);
    errno = error;
    return code;
}
