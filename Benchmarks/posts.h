// posts.h - updates posted one by one beside the streams, on a thread of their own, and how long their answers took.
#pragma once
#include "histogram.h"

#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>

struct posts_configuration {
    struct sockaddr_in server, source;
    const char *host; // as the Host header says it
    const char *path; // of what is updated; NULL when nothing is posted
    double rate;      // a second, at random moments
};

struct posts {
    struct posts_configuration configuration;
    pthread_t thread;
    atomic_bool is_measuring; // only then posts count
    atomic_bool is_over;
    uint64_t failed;          // of those that count: no answer in time, or none of 2xx
    struct histogram latency; // nanoseconds, of all that count
};

void posts_begin(struct posts *posts);

// Waits for the last answer; the figures may be read then.
void posts_end(struct posts *posts);
