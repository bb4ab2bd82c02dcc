// posts.c - each update has a connection of its own, so that what it takes to get one is in its time.
#include "posts.h"

#include "clock.h"

#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum { patience_seconds = 10 };

static int open_socket(const struct posts_configuration *configuration)
{
    int on = 1;
    struct timeval patience = { .tv_sec = patience_seconds };
    int one = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    setsockopt(one, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    setsockopt(one, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(one, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    setsockopt(one, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (one < 0 || bind(one, (const struct sockaddr *)&configuration->source, sizeof configuration->source)) {
        perror("a socket for an update");
        exit(2);
    }
    return one;
}

// Whether an update was taken. Says when the last of the answer came, or when no more was waited for.
static bool post(const struct posts_configuration *configuration, uint64_t number, uint64_t *answered_at)
{
    char body[64], request[1024], status[12] = "", rest[4096];
    int body_length = snprintf(body, sizeof body, "{\"to\":%lu,\"duration\":0.5}", number);
    int length = snprintf(
        request, sizeof request,
        "POST %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nContent-Type: application/json\r\n"
        "Content-Length: %d\r\n\r\n%s",
        configuration->path, configuration->host, body_length, body);
    int one = open_socket(configuration);
    ssize_t count = -1;
    size_t known = 0;
    if (connect(one, (const struct sockaddr *)&configuration->server, sizeof configuration->server) == 0
        && send(one, request, (size_t)length, MSG_NOSIGNAL) == length) {
        while ((count = recv(one, rest, sizeof rest, 0)) > 0) {
            *answered_at = nanoseconds(CLOCK_MONOTONIC);
            for (ssize_t i = 0; i < count && known < sizeof status - 1; i++)
                status[known++] = rest[i];
        }
    }
    if (count < 0 || known == 0)
        *answered_at = nanoseconds(CLOCK_MONOTONIC);
    close(one);
    return count == 0 && strncmp(status, "HTTP/1.1 2", 10) == 0;
}

static void *run(void *argument)
{
    struct posts *posts = argument;
    uint64_t due = nanoseconds(CLOCK_MONOTONIC), most_between = (uint64_t)(2e9 / posts->configuration.rate);
    for (uint64_t number = 1; !posts->is_over; number++) {
        due += (uint64_t)random() % most_between;
        // What an earlier answer holds an update up counts in its time, or slow answers would come to few. That this
        // thread is woken late doesn't count.
        uint64_t began = due;
        if (nanoseconds(CLOCK_MONOTONIC) < due) {
            struct timespec time = timespec_of(due);
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
            began = nanoseconds(CLOCK_MONOTONIC);
        }
        bool does_count = posts->is_measuring;
        uint64_t answered_at = began;
        bool is_taken = post(&posts->configuration, number, &answered_at);
        if (does_count) {
            posts->failed += !is_taken;
            histogram_add(&posts->latency, answered_at - began);
        }
    }
    return NULL;
}

void posts_begin(struct posts *posts)
{
    if (posts->configuration.path && pthread_create(&posts->thread, NULL, run, posts)) {
        perror("a thread for updates");
        exit(2);
    }
}

void posts_end(struct posts *posts)
{
    posts->is_over = true;
    if (posts->configuration.path)
        pthread_join(posts->thread, NULL);
}
