// listeners.c - a wait for all sockets that have something, then one read each: epoll is edge-triggered, and a read
// that doesn't fill its buffer was the last one.
#define _GNU_SOURCE
#include "listeners.h"

#include "clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { read_capacity = 256 * 1024, events_a_wait = 1024, opened_at_once = 64 };

struct reading {
    struct listeners *listeners;
    struct listener *listener;
    uint64_t now, wall_now;
};

static void give_up_program(const char *what)
{
    perror(what);
    exit(2);
}

void listeners_prepare(struct listeners *listeners)
{
    const struct listeners_configuration *configuration = &listeners->configuration;
    listeners->poller = epoll_create1(EPOLL_CLOEXEC);
    listeners->all = calloc((size_t)configuration->count, sizeof *listeners->all);
    if (listeners->poller < 0 || !listeners->all)
        give_up_program("listeners");
    if (configuration->speaks_tls && gnutls_certificate_allocate_credentials(&listeners->credentials) < 0)
        give_up_program("credentials");
    for (int i = 0; i < configuration->count; i++) {
        struct listener *listener = &listeners->all[i];
        listener->index = i;
        listener->socket = -1;
        // Slow ones are spread evenly.
        listener->is_slow = (long)(configuration->slow_share * (i + 1)) > (long)(configuration->slow_share * i);
    }
}

// MARK: - Ends

static bool is_under_way(const struct listener *listener)
{
    return listener->state == listener_connecting || listener->state == listener_greeting
        || listener->state == listener_asking;
}

static void close_listener(struct listeners *listeners, struct listener *listener)
{
    if (is_under_way(listener))
        listeners->under_way -= 1;
    if (listener->session)
        gnutls_deinit(listener->session);
    listener->session = NULL;
    if (listener->socket >= 0)
        close(listener->socket);
    listener->socket = -1;
    listener->state = listener_closed;
}

// It did not come up.
static void fail(struct listeners *listeners, struct listener *listener, const char *reason)
{
    if (listeners->configuration.is_verbose)
        fprintf(stderr, "listener %d: %s\n", listener->index, reason);
    *(listener->is_reopened ? &listeners->figures.reopen_failed : &listeners->figures.failed) += 1;
    close_listener(listeners, listener);
}

// It was up, and the server ended it.
static void lose(struct listeners *listeners, struct listener *listener)
{
    if (listeners->is_measuring)
        *(listener->is_slow ? &listeners->figures.slow_lost : &listeners->figures.lost) += 1;
    close_listener(listeners, listener);
}

// MARK: - Beginnings

static void watch(struct listeners *listeners, struct listener *listener, int operation, uint32_t for_what)
{
    struct epoll_event event = { .events = for_what | EPOLLRDHUP | EPOLLET, .data.ptr = listener };
    if (epoll_ctl(listeners->poller, operation, listener->socket, &event))
        give_up_program("epoll_ctl");
}

// Several addresses of this machine have more ports between them than one.
static void bind_source(const struct listeners_configuration *configuration, const struct listener *listener)
{
    int on = 1;
    struct sockaddr_in source = { .sin_family = AF_INET };
    uint32_t first = ntohl(configuration->source.s_addr);
    source.sin_addr.s_addr = htonl(first + (uint32_t)(listener->index % configuration->sources));
    setsockopt(listener->socket, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    if (bind(listener->socket, (struct sockaddr *)&source, sizeof source))
        give_up_program("bind");
}

static void open_listener(struct listeners *listeners, struct listener *listener)
{
    const struct listeners_configuration *configuration = &listeners->configuration;
    listener->socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener->socket < 0)
        give_up_program("socket");
    if (listener->is_slow && configuration->slow_buffer > 0)
        setsockopt(listener->socket, SOL_SOCKET, SO_RCVBUF, &configuration->slow_buffer, sizeof(int));
    if (configuration->sources > 1 || configuration->source.s_addr != htonl(INADDR_LOOPBACK))
        bind_source(configuration, listener);
    listener->answer = (struct answer){ 0 };
    listener->last_event_at = listener->last_number = 0;
    listener->last_made_at = listener->last_tick_at = 0;
    listener->has_frame = false;
    listener->opened_at = nanoseconds(CLOCK_MONOTONIC);
    listener->state = listener_connecting;
    listeners->under_way += 1;
    const struct sockaddr *server = (const struct sockaddr *)&configuration->server;
    if (connect(listener->socket, server, sizeof configuration->server) && errno != EINPROGRESS)
        fail(listeners, listener, strerror(errno));
    else
        watch(listeners, listener, EPOLL_CTL_ADD, EPOLLIN | EPOLLOUT);
}

static void ask(struct listeners *listeners, struct listener *listener)
{
    const struct listeners_configuration *configuration = &listeners->configuration;
    char path[1024], request[4096];
    snprintf(path, sizeof path, configuration->path, listener->index % configuration->channels);
    int length = snprintf(
        request, sizeof request, "GET %s HTTP/1.1\r\nHost: %s\r\nAccept: text/event-stream\r\n%s\r\n", path,
        configuration->host, configuration->headers);
    ssize_t sent = listener->session ? gnutls_record_send(listener->session, request, (size_t)length)
                                     : send(listener->socket, request, (size_t)length, MSG_NOSIGNAL);
    if (sent != length) {
        fail(listeners, listener, "the request could not be sent");
        return;
    }
    listener->state = listener_asking;
    watch(listeners, listener, EPOLL_CTL_MOD, EPOLLIN);
}

// Goes on with a handshake as far as that is possible now.
static void greet(struct listeners *listeners, struct listener *listener)
{
    int code = gnutls_handshake(listener->session);
    if (code == 0)
        ask(listeners, listener);
    else if (gnutls_error_is_fatal(code))
        fail(listeners, listener, gnutls_strerror(code));
}

static void begin(struct listeners *listeners, struct listener *listener)
{
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(listener->socket, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error) {
        fail(listeners, listener, strerror(error));
    } else if (!listeners->configuration.speaks_tls) {
        ask(listeners, listener);
    } else {
        // One cipher, so that servers with favourites of their own are measured at the same.
        if (gnutls_init(&listener->session, GNUTLS_CLIENT | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL) < 0
            || gnutls_priority_set_direct(listener->session, "NORMAL:-CIPHER-ALL:+AES-128-GCM", NULL) < 0
            || gnutls_credentials_set(listener->session, GNUTLS_CRD_CERTIFICATE, listeners->credentials) < 0)
            give_up_program("TLS");
        gnutls_transport_set_int(listener->session, listener->socket);
        listener->state = listener_greeting;
        greet(listeners, listener);
    }
}

static void begin_stream(const struct reading *reading)
{
    struct figures *figures = &reading->listeners->figures;
    struct listener *listener = reading->listener;
    listener->state = listener_streaming;
    reading->listeners->under_way -= 1;
    *(listener->is_reopened ? &figures->reopened : &figures->opened) += 1;
    histogram_add(&figures->connect, reading->now - listener->opened_at);
    if (listener->is_slow) // it is not woken by what it doesn't want to read
        watch(reading->listeners, listener, EPOLL_CTL_MOD, 0);
}

void listeners_open_some(struct listeners *listeners, int most_under_way)
{
    for (int i = 0; i < opened_at_once; i++) {
        if (listeners->started == listeners->configuration.count || listeners->under_way >= most_under_way)
            return;
        open_listener(listeners, &listeners->all[listeners->started]);
        listeners->started += 1;
    }
}

bool listeners_are_settled(const struct listeners *listeners)
{
    return listeners->started == listeners->configuration.count && listeners->under_way == 0;
}

void listeners_give_up(struct listeners *listeners)
{
    for (int i = 0; i < listeners->started; i++) {
        if (is_under_way(&listeners->all[i]))
            fail(listeners, &listeners->all[i], "no answer in time");
    }
    listeners->figures.failed += (uint64_t)(listeners->configuration.count - listeners->started);
    listeners->started = listeners->configuration.count;
}

void listeners_reopen(struct listeners *listeners, int index)
{
    struct listener *listener = &listeners->all[index];
    if (is_under_way(listener))
        return;
    close_listener(listeners, listener);
    listener->is_reopened = true;
    open_listener(listeners, listener);
}

// MARK: - Events

static void check_number(struct figures *figures, struct listener *listener, uint64_t number, bool is_measuring)
{
    if (listener->last_number > 0 && is_measuring) {
        figures->numbered += 1;
        if (number > listener->last_number)
            *(listener->is_slow ? &figures->slow_missing : &figures->missing) += number - listener->last_number - 1;
        else
            *(number == listener->last_number ? &figures->doubled : &figures->out_of_order) += 1;
    }
    if (number > listener->last_number)
        listener->last_number = number;
}

// Of a stream with many topics most events come together: between ticks there is a gap.
static void note_tick(struct figures *figures, struct listener *listener, uint64_t made_at, uint64_t now)
{
    if (made_at == listener->last_made_at)
        return;
    if (listener->last_tick_at > 0)
        histogram_add(&figures->tick_gap, now - listener->last_tick_at);
    listener->last_made_at = made_at;
    listener->last_tick_at = now;
}

static void take_event(void *owner, const struct event *event)
{
    const struct reading *reading = owner;
    struct listener *listener = reading->listener;
    struct figures *figures = &reading->listeners->figures;
    listener->has_frame |= !event->is_named;
    if (event->has_number)
        check_number(figures, listener, event->number, reading->listeners->is_measuring);
    if (!reading->listeners->is_measuring)
        return;
    if (listener->is_slow) { // by its own doing: in no other figure
        figures->slow_events += 1;
        return;
    }
    figures->events += 1;
    listener->events += 1;
    if (event->has_time) {
        histogram_add(&figures->latency, reading->wall_now > event->made_at ? reading->wall_now - event->made_at : 0);
        note_tick(figures, listener, event->made_at, reading->now);
    }
    if (listener->last_event_at > 0)
        histogram_add(&figures->gap, reading->now - listener->last_event_at);
    listener->last_event_at = reading->now;
}

static void count_bytes(struct listeners *listeners, const struct listener *listener, size_t count)
{
    if (!listeners->is_measuring)
        return;
    listeners->figures.bytes += count;
    if (listener->is_slow)
        listeners->figures.slow_bytes += count;
}

static bool has_begun(const struct listeners *listeners, const struct listener *listener)
{
    return listener->state == listener_asking && listener->answer.state == answer_body
        && (listener->has_frame || !listeners->configuration.waits_for_frame);
}

// Reads up to so many bytes once. Returns how many; 0 when there are none now or the stream has ended.
static size_t read_once(struct listeners *listeners, struct listener *listener, size_t most)
{
    static char buffer[read_capacity];
    size_t wanted = most < read_capacity ? most : read_capacity;
    ssize_t count;
    if (listener->session) {
        // A message of the session itself (a ticket) is no end.
        do
            count = gnutls_record_recv(listener->session, buffer, wanted);
        while (count < 0 && count != GNUTLS_E_AGAIN && !gnutls_error_is_fatal((int)count));
        if (count == GNUTLS_E_AGAIN)
            return 0;
    } else {
        count = recv(listener->socket, buffer, wanted, 0);
        if (count < 0 && (errno == EAGAIN || errno == EINTR))
            return 0;
    }
    if (count <= 0) {
        if (listener->state == listener_streaming)
            lose(listeners, listener);
        else
            fail(listeners, listener, count < 0 ? strerror(errno) : "closed before the answer");
        return 0;
    }
    // When it was read is when it came, as far as a client can tell: one look at the clocks for all events in it.
    struct reading reading = { listeners, listener, nanoseconds(CLOCK_MONOTONIC), nanoseconds(CLOCK_REALTIME) };
    count_bytes(listeners, listener, (size_t)count);
    answer_take(&listener->answer, buffer, (size_t)count, take_event, &reading);
    if (has_begun(listeners, listener))
        begin_stream(&reading);
    if (listener->answer.state != answer_over)
        return (size_t)count;
    if (listener->state == listener_asking)
        fail(listeners, listener, "the answer is no stream");
    else
        lose(listeners, listener);
    return 0;
}

static void read_all(struct listeners *listeners, struct listener *listener, bool has_hung_up)
{
    size_t count;
    do {
        count = read_once(listeners, listener, SIZE_MAX);
        if (listener->is_slow && listener->state == listener_streaming)
            return;
        // A hang-up is told once: everything is read up to the end. Of a session, a record at a time.
    } while (count == read_capacity || ((has_hung_up || listener->session) && count > 0));
}

void listeners_sip(struct listeners *listeners, size_t bytes)
{
    for (int i = 0; i < listeners->started; i++) {
        struct listener *listener = &listeners->all[i];
        if (listener->is_slow && listener->state == listener_streaming)
            read_once(listeners, listener, bytes);
    }
}

void listeners_wait(struct listeners *listeners, int milliseconds)
{
    static struct epoll_event events[events_a_wait];
    int count = epoll_wait(listeners->poller, events, events_a_wait, milliseconds);
    for (int i = 0; i < count; i++) {
        struct listener *listener = events[i].data.ptr;
        if (listener->state == listener_connecting)
            begin(listeners, listener);
        else if (listener->state == listener_greeting)
            greet(listeners, listener);
        else if (listener->state == listener_streaming && listener->is_slow)
            lose(listeners, listener);
        else if (listener->state != listener_closed)
            read_all(listeners, listener, (events[i].events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0);
    }
}
