// floor.c - the least that a server can do to stream events, as what other servers are measured against: one thread,
// one send() of a ready-made frame for each listener and tick.
//
//     floor --port 9000 --rate 60 --channels 1000
//
// A GET is a stream of the channel whose number ends its path. A frame's number ("seq") and time ("t") are put in place
// once a channel and tick. Sockets have TCP_NODELAY, as those of HTTP servers do. A full socket drops frames, but a
// frame that was sent in part is finished first. At rate 0 there are no frames, only streams; with --greet a stream begins
// with one. It is no server: a request must come in one piece.
#define _GNU_SOURCE
#include "clock.h"

#include <errno.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

enum { frame_capacity = 192, request_capacity = 4096, events_a_wait = 256, backlog = 4096, most_slots = 16 };

// Numbers begin where their digits don't grow in number, so that every frame is as long as the first.
static const uint64_t first_number = 1000000000;

struct listener {
    int socket;
    struct channel *channel; // nil until it has asked for its stream
    int place;               // in its channel's list
    int rest;                // bytes of a frame that is sent in part, the last ones of `frame`
    char *frame;             // only of those that once had a rest
};

struct channel {
    uint64_t number;
    int count, capacity;
    struct listener **listeners;
    char frame[frame_capacity];
};

static struct {
    struct channel *channels;
    int channel_count, frame_length, number_place, time_place;
    int poller, acceptor, timer;
    int slot, slots;
    bool does_greet; // with the channel's frame, behind the answer's head
} server;

static void give_up(const char *what)
{
    perror(what);
    exit(1);
}

static void *allocated(void *memory)
{
    if (!memory)
        give_up("memory");
    return memory;
}

// MARK: - Frames

static void prepare_frames(void)
{
    char event[frame_capacity], frame[frame_capacity];
    int length = snprintf(
        event, sizeof event,
        "data: {\"seq\":%lu,\"t\":1700000000000000000,\"label\":\"Loading assets\",\"progress\":0.123456}\n\n",
        first_number);
    server.frame_length = snprintf(frame, sizeof frame, "%x\r\n%s\r\n", (unsigned)length, event);
    server.number_place = (int)(strstr(frame, "\"seq\":") - frame) + 6;
    server.time_place = (int)(strstr(frame, "\"t\":") - frame) + 4;
    for (int i = 0; i < server.channel_count; i++) {
        server.channels[i].number = first_number;
        memcpy(server.channels[i].frame, frame, sizeof frame);
    }
}

static void put_digits(char *first, int count, uint64_t number)
{
    for (char *digit = first + count; digit > first; number /= 10)
        *--digit = (char)('0' + number % 10);
}

// Sends a frame, or what is left of it. Returns how many bytes the socket didn't take; all where it is full or gone.
static int send_rest(const struct listener *listener, const char *frame, int rest)
{
    const char *start = frame + server.frame_length - rest;
    ssize_t count = send(listener->socket, start, (size_t)rest, MSG_NOSIGNAL | MSG_DONTWAIT);
    return rest - (count > 0 ? (int)count : 0);
}

static void send_frame(struct listener *listener, const char *frame)
{
    if (listener->rest > 0) {
        listener->rest = send_rest(listener, listener->frame, listener->rest);
        if (listener->rest > 0)
            return;
    }
    int rest = send_rest(listener, frame, server.frame_length);
    if (rest == 0 || rest == server.frame_length)
        return;
    if (!listener->frame)
        listener->frame = allocated(malloc(frame_capacity));
    memcpy(listener->frame, frame, frame_capacity);
    listener->rest = rest;
}

static void tick(struct channel *channel)
{
    channel->number += 1;
    put_digits(channel->frame + server.number_place, 10, channel->number);
    put_digits(channel->frame + server.time_place, 19, nanoseconds(CLOCK_REALTIME));
    for (int i = 0; i < channel->count; i++)
        send_frame(channel->listeners[i], channel->frame);
}

// Many channels don't tick all at once: a tick is cut into slots, each with its share of them.
static void tick_slots(uint64_t due)
{
    if (due > (uint64_t)server.slots) // more than a tick late: what was missed is left out
        due = (uint64_t)server.slots;
    for (; due > 0; due--) {
        for (int i = server.slot; i < server.channel_count; i += server.slots)
            tick(&server.channels[i]);
        server.slot = (server.slot + 1) % server.slots;
    }
}

// MARK: - Listeners

static void watch(int operation, int descriptor, uint32_t for_what, void *owner)
{
    struct epoll_event event = { .events = for_what, .data.ptr = owner };
    if (epoll_ctl(server.poller, operation, descriptor, &event))
        give_up("epoll_ctl");
}

static void accept_all(void)
{
    int socket, on = 1;
    while ((socket = accept4(server.acceptor, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        struct listener *listener = allocated(calloc(1, sizeof *listener));
        listener->socket = socket;
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        watch(EPOLL_CTL_ADD, socket, EPOLLIN | EPOLLRDHUP, listener);
    }
}

static void drop(struct listener *listener)
{
    struct channel *channel = listener->channel;
    if (channel) {
        struct listener *last = channel->listeners[--channel->count];
        channel->listeners[listener->place] = last;
        last->place = listener->place;
    }
    close(listener->socket);
    free(listener->frame);
    free(listener);
}

static void join(struct listener *listener, struct channel *channel)
{
    if (channel->count == channel->capacity) {
        channel->capacity = channel->capacity > 0 ? channel->capacity * 2 : 4;
        size_t bytes = (size_t)channel->capacity * sizeof *channel->listeners;
        channel->listeners = allocated(realloc(channel->listeners, bytes));
    }
    listener->channel = channel;
    listener->place = channel->count;
    channel->listeners[channel->count++] = listener;
    // All that it can still tell is that it has gone.
    watch(EPOLL_CTL_MOD, listener->socket, EPOLLRDHUP, listener);
}

// The number that ends a request's path.
static unsigned long number_of(const char *request)
{
    const char *space = strchr(request + 4, ' ');
    const char *digits = space ? space : request;
    while (digits > request && digits[-1] >= '0' && digits[-1] <= '9')
        digits--;
    return strtoul(digits, NULL, 10);
}

static void answer(struct listener *listener)
{
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
                               "Transfer-Encoding: chunked\r\n\r\n";
    char request[request_capacity];
    ssize_t count = recv(listener->socket, request, sizeof request - 1, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN)
        return;
    request[count > 0 ? count : 0] = 0;
    struct channel *channel = &server.channels[number_of(request) % (unsigned)server.channel_count];
    struct iovec parts[] = {
        { (char *)head, sizeof head - 1 }, { channel->frame, server.does_greet ? (size_t)server.frame_length : 0 },
    };
    bool is_whole = strncmp(request, "GET ", 4) == 0 && strstr(request, "\r\n\r\n");
    if (!is_whole || writev(listener->socket, parts, 2) < 0) // SIGPIPE is ignored
        drop(listener);
    else
        join(listener, channel);
}

// MARK: - Running

static void listen_on(int port)
{
    int on = 1;
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((in_port_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    server.acceptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    setsockopt(server.acceptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(server.acceptor, (struct sockaddr *)&address, sizeof address) || listen(server.acceptor, backlog))
        give_up("listen");
    watch(EPOLL_CTL_ADD, server.acceptor, EPOLLIN, &server.acceptor);
}

// A timer of its own, since epoll's milliseconds are too coarse for 60 Hz.
static void start_timer(double rate)
{
    server.slots = server.channel_count < most_slots ? 1 : most_slots;
    server.timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (server.timer < 0)
        give_up("timerfd");
    if (rate <= 0)
        return;
    struct timespec interval = timespec_of((uint64_t)(nanoseconds_a_second / (rate * server.slots)));
    struct itimerspec times = { .it_interval = interval, .it_value = interval };
    timerfd_settime(server.timer, 0, &times, NULL);
    watch(EPOLL_CTL_ADD, server.timer, EPOLLIN, &server.timer);
}

static void serve(void)
{
    static struct epoll_event events[events_a_wait];
    for (;;) {
        uint64_t due = 0;
        int count = epoll_wait(server.poller, events, events_a_wait, -1);
        for (int i = 0; i < count; i++) {
            void *owner = events[i].data.ptr;
            struct listener *listener = owner;
            if (owner == &server.timer) {
                if (read(server.timer, &due, sizeof due) != sizeof due)
                    due = 0;
            } else if (owner == &server.acceptor) {
                accept_all();
            } else if (listener->channel) {
                drop(listener);
            } else {
                answer(listener);
            }
        }
        tick_slots(due);
    }
}

int main(int count, char **words)
{
    static const struct option names[] = {
        { "port", 1, 0, 'p' }, { "rate", 1, 0, 'r' }, { "channels", 1, 0, 'c' }, { "greet", 0, 0, 'g' }, { 0 },
    };
    int name, port = 9000;
    double rate = 60;
    server.channel_count = 1;
    while ((name = getopt_long(count, words, "", names, NULL)) != -1) {
        switch (name) {
        case 'p': port = atoi(optarg); break;
        case 'r': rate = atof(optarg); break;
        case 'c': server.channel_count = atoi(optarg); break;
        case 'g': server.does_greet = true; break;
        default: return 2;
        }
    }
    if (server.channel_count < 1)
        return 2;
    signal(SIGPIPE, SIG_IGN);
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    server.channels = allocated(calloc((size_t)server.channel_count, sizeof *server.channels));
    prepare_frames();
    server.poller = epoll_create1(EPOLL_CLOEXEC);
    listen_on(port);
    start_timer(rate);
    serve();
}
