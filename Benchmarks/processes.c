// processes.c - CPU time and resident memory from /proc.
#include "processes.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

struct usage usage_of_self(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (struct usage){ .user_seconds = seconds(usage.ru_utime), .system_seconds = seconds(usage.ru_stime) };
}

// CPU time of a process, or else what it is about.
static double exact_seconds(pid_t process, double about)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) || clock_gettime(clock, &time))
        return about;
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void add_times(struct usage *sum, pid_t process)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    // The program's name may hold anything: fields are counted from its end.
    const char *rest = fgets(text, sizeof text, file) ? strrchr(text, ')') : NULL;
    unsigned long user, system;
    if (rest && sscanf(rest + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) == 2) {
        double ticks = (double)sysconf(_SC_CLK_TCK);
        // The file counts in hundredths of a second; what both are together is known to the nanosecond.
        double all = exact_seconds(process, (double)(user + system) / ticks);
        sum->user_seconds += (double)user / ticks;
        sum->system_seconds += all - (double)user / ticks;
    }
    fclose(file);
}

static void add_memory(struct usage *sum, pid_t process)
{
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)process);
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    long kilobytes;
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "Rss: %ld", &kilobytes) == 1)
            sum->resident_kilobytes += kilobytes;
    }
    fclose(file);
}

struct usage usage_of(const struct watched *watched)
{
    struct usage sum = { 0 };
    for (int i = 0; i < watched->count; i++) {
        add_times(&sum, watched->processes[i]);
        add_memory(&sum, watched->processes[i]);
    }
    return sum;
}
