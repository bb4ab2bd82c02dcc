// processes.h - what processes have taken of the machine: this one, and those whose numbers are given.
#pragma once
#include <sys/types.h>

enum { most_watched = 64 };

struct watched {
    pid_t processes[most_watched];
    int count;
};

struct usage {
    double user_seconds, system_seconds;
    long resident_kilobytes;
};

struct usage usage_of_self(void);

// The sum over processes; those that have ended count nothing.
struct usage usage_of(const struct watched *watched);
