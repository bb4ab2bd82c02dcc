// publish.c - posts messages to a server that passes on what others make: one each tick on each of many channels.
//
//     publish --to 127.0.0.1:8080 --path '/pub/ch%d' --channels 1000 --rate 60 --connections 10
//
// A message has its channel's next number ("seq") and the time at which it is sent ("t"). Channels are spread evenly
// over the tick and over the connections, each of which waits for its answer before it posts again. A connection that
// is more than a tick late leaves messages out. One thread does it all: what is due at once is sent at once, and costs
// the server no more wake-ups than it must. It runs until it is ended; then it says what it did as a line of JSON.
#define _GNU_SOURCE
#include "address.h"
#include "clock.h"

#include <getopt.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

// Messages of one length throughout, as the floor's frames are.
static const uint64_t first_number = 1000000000;

enum { text_capacity = 4096, most_connections = 64 };

struct connection {
    int index, socket;
    bool is_waiting; // for an answer
    uint64_t turn;   // how many messages it has sent or left out
    size_t count;    // bytes of the answer that have come
    char text[text_capacity];
};

static struct {
    struct sockaddr_in server;
    const char *host, *path;
    int channels, connections, poller;
    double rate;
    uint64_t began;
    uint64_t *numbers; // of each channel
    uint64_t posted, refused, left_out;
} plan = { .path = "/pub/ch%d", .channels = 1, .connections = 1, .rate = 60 };

static volatile sig_atomic_t has_ended;

static void end(int signal)
{
    (void)signal;
    has_ended = 1;
}

static void give_up(const char *what)
{
    perror(what);
    exit(1);
}

static void open_connection(struct connection *connection)
{
    int on = 1;
    connection->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(connection->socket, (struct sockaddr *)&plan.server, sizeof plan.server))
        give_up("connect");
    setsockopt(connection->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct epoll_event event = { .events = EPOLLIN, .data.ptr = connection };
    epoll_ctl(plan.poller, EPOLL_CTL_ADD, connection->socket, &event);
}

static void post(struct connection *connection, int channel)
{
    char path[512], body[256], request[text_capacity];
    snprintf(path, sizeof path, plan.path, channel);
    plan.numbers[channel] += 1;
    int length = snprintf(
        body, sizeof body, "{\"seq\":%lu,\"t\":%lu,\"label\":\"Loading assets\",\"progress\":0.123456}",
        plan.numbers[channel], nanoseconds(CLOCK_REALTIME));
    length = snprintf(
        request, sizeof request,
        "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path,
        plan.host, length, body);
    if (send(connection->socket, request, (size_t)length, MSG_NOSIGNAL) != length)
        give_up("send");
    connection->is_waiting = true;
}

// How long a whole answer is; 0 while its head has not come.
static size_t length_of_answer(const char *text)
{
    const char *end = strstr(text, "\r\n\r\n");
    if (!end)
        return 0;
    const char *length = strcasestr(text, "content-length:");
    return (size_t)(end - text) + 4 + (length && length < end ? strtoul(length + 15, NULL, 10) : 0);
}

static void take_answer(struct connection *connection)
{
    char *text = connection->text;
    ssize_t more = recv(connection->socket, text + connection->count, text_capacity - 1 - connection->count, 0);
    if (more <= 0)
        give_up("recv");
    connection->count += (size_t)more;
    text[connection->count] = 0;
    size_t length = length_of_answer(text);
    if (length == 0 || connection->count < length)
        return;
    bool is_taken = strncmp(text, "HTTP/1.1 2", 10) == 0;
    *(is_taken ? &plan.posted : &plan.refused) += 1;
    connection->is_waiting = false;
    connection->count = 0;
}

// When a connection's next message is due.
static uint64_t next_due(const struct connection *connection)
{
    double interval = nanoseconds_a_second / (plan.rate * plan.channels);
    uint64_t place = connection->turn * (uint64_t)plan.connections + (uint64_t)connection->index;
    return plan.began + (uint64_t)((double)place * interval);
}

// Sends what is due. Returns when the connection's next message will be.
static uint64_t post_due(struct connection *connection, uint64_t now)
{
    uint64_t tick = (uint64_t)(nanoseconds_a_second / plan.rate);
    int own_channels = plan.channels / plan.connections;
    uint64_t due = next_due(connection);
    for (; due <= now && !connection->is_waiting; due = next_due(connection)) {
        int channel = connection->index + (int)(connection->turn % (uint64_t)own_channels) * plan.connections;
        connection->turn += 1;
        if (now > due + tick)
            plan.left_out += 1;
        else
            post(connection, channel);
    }
    return due;
}

static void run(struct connection *connections)
{
    const uint64_t longest_sleep = nanoseconds_a_second / 10;
    while (!has_ended) {
        uint64_t now = nanoseconds(CLOCK_MONOTONIC), wake = now + longest_sleep;
        for (int i = 0; i < plan.connections; i++) {
            uint64_t due = connections[i].is_waiting ? wake : post_due(&connections[i], now);
            if (due < wake && !connections[i].is_waiting)
                wake = due;
        }
        struct epoll_event events[most_connections];
        struct timespec sleep = timespec_of(wake - now);
        int count = epoll_pwait2(plan.poller, events, most_connections, &sleep, NULL);
        for (int i = 0; i < count; i++)
            take_answer(events[i].data.ptr);
    }
}

static void read_options(int count, char **words)
{
    static const struct option names[] = {
        { "to", 1, 0, 't' }, { "path", 1, 0, 'p' }, { "channels", 1, 0, 'c' }, { "rate", 1, 0, 'r' },
        { "connections", 1, 0, 'C' }, { 0 },
    };
    int name;
    bool is_right = true;
    while ((name = getopt_long(count, words, "", names, NULL)) != -1) {
        switch (name) {
        case 't':
            plan.host = optarg;
            is_right &= read_address(optarg, &plan.server);
            break;
        case 'p': plan.path = optarg; break;
        case 'c': plan.channels = atoi(optarg); break;
        case 'r': plan.rate = atof(optarg); break;
        case 'C': plan.connections = atoi(optarg); break;
        default: is_right = false;
        }
    }
    is_right &= plan.host && is_path_format(plan.path) && plan.rate > 0 && plan.connections > 0;
    is_right &= plan.connections <= most_connections && plan.channels > 0;
    // So that a channel's messages are all sent by one connection, and stay in order.
    if (!is_right || plan.channels % plan.connections != 0) {
        fprintf(stderr, "publish --to ADDRESS:PORT --path PATH --channels N --rate R --connections N (it divides N)\n");
        exit(2);
    }
}

int main(int count, char **words)
{
    static struct connection connections[most_connections];
    read_options(count, words);
    plan.numbers = calloc((size_t)plan.channels, sizeof *plan.numbers);
    if (!plan.numbers)
        give_up("memory");
    for (int i = 0; i < plan.channels; i++)
        plan.numbers[i] = first_number;
    signal(SIGTERM, end);
    signal(SIGINT, end);
    plan.poller = epoll_create1(EPOLL_CLOEXEC);
    for (int i = 0; i < plan.connections; i++) {
        connections[i].index = i;
        open_connection(&connections[i]);
    }
    plan.began = nanoseconds(CLOCK_MONOTONIC);
    run(connections);
    double seconds = (double)(nanoseconds(CLOCK_MONOTONIC) - plan.began) / nanoseconds_a_second;
    printf(
        "{\"seconds\":%.2f,\"posted\":%lu,\"refused\":%lu,\"left_out\":%lu,\"posts_per_s\":%.1f}\n", seconds,
        plan.posted, plan.refused, plan.left_out, (double)plan.posted / seconds);
    return 0;
}
