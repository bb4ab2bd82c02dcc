// reach.c - how long an update takes from one server to those who listen to another, one update at a time.
//
//     reach --to HOST:PORT --stream HOST:PORT --count 500       from a POST to its answer, to the end of a motion of no
//                                                               length, and to the first frame of a long one
//     reach --redis HOST:PORT --count 500                       the same of a PING, and of a SET
//     reach --stream HOST:PORT --beside HOST:PORT --count 500   how far apart two send the same frame
//
// One line of JSON; times are microseconds. Updates come at random moments, so that the wait for a tick is in it.
#define _GNU_SOURCE
#include "address.h"
#include "clock.h"
#include "histogram.h"

#include <getopt.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum { capacity = 1 << 16, patience = 10000, known_frames = 4096 };

struct connection {
    int socket;
    size_t count; // bytes that have come and are not taken
    char text[capacity];
};

static struct {
    struct sockaddr_in to, stream, beside, redis;
    bool has_to, has_stream, has_beside, has_redis;
    int count;
} plan = { .count = 500 };

static void give_up(const char *what)
{
    perror(what);
    exit(1);
}

static uint64_t now(void) { return nanoseconds(CLOCK_MONOTONIC); }

static void open_connection(struct connection *connection, const struct sockaddr_in *address)
{
    int on = 1;
    connection->count = 0;
    connection->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(connection->socket, (const struct sockaddr *)address, sizeof *address))
        give_up("connect");
    setsockopt(connection->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

__attribute__((format(printf, 2, 3))) static void say(struct connection *connection, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (send(connection->socket, text, (size_t)length, MSG_NOSIGNAL) != length)
        give_up("send");
}

// Takes in what has come; waits for nothing.
static void take_in(struct connection *connection)
{
    if (connection->count == capacity - 1)
        connection->count = 0;
    ssize_t more =
        recv(connection->socket, connection->text + connection->count, capacity - 1 - connection->count, 0);
    if (more <= 0)
        give_up("recv");
    connection->count += (size_t)more;
    connection->text[connection->count] = 0;
}

// Forgets the beginning of what has come.
static void drop(struct connection *connection, size_t count)
{
    memmove(connection->text, connection->text + count, connection->count - count + 1);
    connection->count -= count;
}

// Whether a whole answer of HTTP has come; it is taken then.
static bool take_answer(struct connection *connection)
{
    const char *end = strstr(connection->text, "\r\n\r\n");
    if (connection->count == 0 || !end)
        return false;
    const char *length = strcasestr(connection->text, "content-length:");
    size_t whole = (size_t)(end - connection->text) + 4;
    if (length && length < end)
        whole += strtoul(length + 15, NULL, 10);
    if (connection->count < whole)
        return false;
    if (strncmp(connection->text, "HTTP/1.1 2", 10) != 0) {
        fprintf(stderr, "reach: %.*s\n", (int)whole, connection->text);
        exit(1);
    }
    drop(connection, whole);
    return true;
}

// Takes a line of what has come; false where none is whole.
static bool take_line(struct connection *connection, char *line, size_t room)
{
    char *end = connection->count ? memchr(connection->text, '\n', connection->count) : NULL;
    if (!end)
        return false;
    size_t length = (size_t)(end - connection->text), kept = length < room ? length : room - 1;
    memcpy(line, connection->text, kept);
    line[kept] = 0;
    drop(connection, length + 1);
    return true;
}

static void post(struct connection *connection, const char *body)
{
    say(connection,
        "POST /v1/tickers/reach HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        "Content-Length: %zu\r\n\r\n%s",
        strlen(body), body);
}

static void listen_to(struct connection *connection, const struct sockaddr_in *address)
{
    open_connection(connection, address);
    say(connection, "GET /v1/events?ticker=reach&stamp HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n");
}

static void tell(const char *name, const struct histogram *times)
{
    printf("\"%s\":{\"count\":%lu,\"p50\":%.1f,\"p99\":%.1f,\"most\":%.1f}", name, times->count,
        (double)histogram_quantile(times, 0.5) / 1e3, (double)histogram_quantile(times, 0.99) / 1e3,
        (double)times->most / 1e3);
}

// MARK: - From a POST to a stream

// Whether a line of a stream shows the value, or one beyond it.
static bool shows(const char *line, double value)
{
    const char *member = strstr(line, "\"value\":");
    return strncmp(line, "data: ", 6) == 0 && member && strtod(member + 8, NULL) >= value;
}

// Sends an update, and notes when its answer came and when the stream showed the value.
static void reach(
    struct connection *poster, struct connection *listener, const char *body, double value, struct histogram *answers,
    struct histogram *sights)
{
    uint64_t began = now();
    bool is_answered = false, is_seen = false;
    char line[2048];
    post(poster, body);
    while (!is_answered || !is_seen) {
        struct pollfd both[2] = { { poster->socket, POLLIN, 0 }, { listener->socket, POLLIN, 0 } };
        if (poll(both, 2, patience) <= 0)
            give_up("nothing came");
        if (both[0].revents)
            take_in(poster);
        if (both[1].revents)
            take_in(listener);
        uint64_t taken = now() - began;
        if (!is_answered && take_answer(poster)) {
            is_answered = true;
            histogram_add(answers, taken);
        }
        while (take_line(listener, line, sizeof line)) {
            if (!is_seen && shows(line, value)) {
                is_seen = true;
                histogram_add(sights, taken);
            }
        }
    }
}

static void measure_reach(void)
{
    static struct connection poster, listener;
    static struct histogram answers, ends, frames;
    char body[256];
    open_connection(&poster, &plan.to);
    post(&poster, "{\"to\":0,\"duration\":0}");
    while (!take_answer(&poster))
        take_in(&poster);
    listen_to(&listener, &plan.stream);
    for (int i = 1; i <= plan.count; i++) {
        usleep((useconds_t)(random() % 40000));
        bool is_end = i % 2;
        double value = 1000.0 * i;
        snprintf(body, sizeof body, "{\"%s\":%.0f,%s}", is_end ? "to" : "from", value,
            is_end ? "\"duration\":0" : "\"to\":1e9,\"duration\":1e6");
        reach(&poster, &listener, body, value, &answers, is_end ? &ends : &frames);
    }
    printf("{");
    tell("answer", &answers);
    printf(",");
    tell("end", &ends);
    printf(",");
    tell("frame", &frames);
    printf("}\n");
}

// MARK: - Redis

static void measure_redis(void)
{
    static struct connection connection;
    static struct histogram looks, writes;
    char line[256];
    open_connection(&connection, &plan.redis);
    for (int i = 0; i < 2 * plan.count; i++) {
        usleep((useconds_t)(random() % 2000));
        uint64_t began = now();
        say(&connection, i % 2 ? "*1\r\n$4\r\nPING\r\n" : "*3\r\n$3\r\nSET\r\n$5\r\nreach\r\n$1\r\n1\r\n");
        do
            take_in(&connection);
        while (!take_line(&connection, line, sizeof line));
        histogram_add(i % 2 ? &looks : &writes, now() - began);
    }
    printf("{");
    tell("ping", &looks);
    printf(",");
    tell("set", &writes);
    printf("}\n");
}

// MARK: - Two streams of the same

struct sight {
    uint64_t tick, at;
    char frame[256];
};

// Notes a frame, or compares it with the other stream's of that tick.
static void compare(
    struct sight *known, int side, const char *line, uint64_t at, struct histogram *apart, uint64_t *different)
{
    const char *tick = strstr(line, "\"seq\":");
    if (strncmp(line, "data: ", 6) != 0 || !tick)
        return;
    uint64_t number = strtoull(tick + 6, NULL, 10);
    struct sight *sight = &known[number % known_frames];
    struct sight *own = sight + side * known_frames, *other = sight + (1 - side) * known_frames;
    own->tick = number;
    own->at = at;
    size_t length = strlen(line), most = sizeof own->frame - 1;
    memcpy(own->frame, line, length < most ? length : most);
    own->frame[length < most ? length : most] = 0;
    if (other->tick != number)
        return;
    histogram_add(apart, at - other->at);
    *different += strcmp(own->frame, other->frame) != 0;
}

static void measure_skew(void)
{
    static struct connection sides[2];
    static struct sight known[2 * known_frames];
    static struct histogram apart;
    uint64_t different = 0;
    char line[2048];
    listen_to(&sides[0], &plan.stream);
    listen_to(&sides[1], &plan.beside);
    while (apart.count < (uint64_t)plan.count) {
        struct pollfd both[2] = { { sides[0].socket, POLLIN, 0 }, { sides[1].socket, POLLIN, 0 } };
        if (poll(both, 2, patience) <= 0)
            give_up("nothing came");
        for (int side = 0; side < 2; side++) {
            if (!both[side].revents)
                continue;
            take_in(&sides[side]);
            uint64_t at = now();
            while (take_line(&sides[side], line, sizeof line))
                compare(known, side, line, at, &apart, &different);
        }
    }
    printf("{\"different\":%lu,", different);
    tell("apart", &apart);
    printf("}\n");
}

// MARK: - Options

static void read_options(int count, char **words)
{
    static const struct option names[] = {
        { "to", 1, 0, 't' }, { "stream", 1, 0, 's' }, { "beside", 1, 0, 'b' }, { "redis", 1, 0, 'r' },
        { "count", 1, 0, 'c' }, { 0 },
    };
    int name;
    bool is_right = true;
    while ((name = getopt_long(count, words, "", names, NULL)) != -1) {
        switch (name) {
        case 't': is_right &= plan.has_to = read_address(optarg, &plan.to); break;
        case 's': is_right &= plan.has_stream = read_address(optarg, &plan.stream); break;
        case 'b': is_right &= plan.has_beside = read_address(optarg, &plan.beside); break;
        case 'r': is_right &= plan.has_redis = read_address(optarg, &plan.redis); break;
        case 'c': plan.count = atoi(optarg); break;
        default: is_right = false;
        }
    }
    is_right &= plan.has_redis || (plan.has_stream && plan.has_to != plan.has_beside);
    if (!is_right || plan.count < 1) {
        fprintf(stderr, "reach --to HOST:PORT --stream HOST:PORT | --redis HOST:PORT | "
                        "--stream HOST:PORT --beside HOST:PORT, and --count N\n");
        exit(2);
    }
}

int main(int count, char **words)
{
    read_options(count, words);
    if (plan.has_redis)
        measure_redis();
    else if (plan.has_to)
        measure_reach();
    else
        measure_skew();
    return 0;
}
