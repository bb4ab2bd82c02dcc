// clock.h - the system's clocks in nanoseconds.
#pragma once
#include <stdint.h>
#include <time.h>

enum { nanoseconds_a_second = 1000000000 };

static inline uint64_t nanoseconds(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * nanoseconds_a_second + (uint64_t)time.tv_nsec;
}

static inline struct timespec timespec_of(uint64_t nanoseconds)
{
    return (struct timespec){
        .tv_sec = (time_t)(nanoseconds / nanoseconds_a_second),
        .tv_nsec = (long)(nanoseconds % nanoseconds_a_second),
    };
}
