// load.c - listens to event streams with many clients, and says as one line of JSON what they saw.
//
//     load --to 127.0.0.1:8080 --path '/v1/tickers/ch%d/events?stamp' --listeners 1000 --channels 10 --rate 60
//
// It opens all streams, lets them run for a while, then counts over a window: events, how old they were (from "t" in
// their data, nanoseconds of Unix time), the gaps between a stream's events and between its ticks (events with the same
// "t" are of one tick), numbers left out or double (from "seq"), and what CPU time it and the watched processes took. With --post it also updates a ticker meanwhile, each time on a
// new connection, and tells how long that took. Times are microseconds where the name ends in _us.
#include "clock.h"
#include "address.h"
#include "listeners.h"
#include "posts.h"
#include "processes.h"

#include <getopt.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

static const char help[] =
    "load --to ADDRESS:PORT --path PATH   a %d in it is the listener's number modulo the channels\n"
    "  --listeners N      100            --channels N      1\n"
    "  --seconds S        10, the window --warm-up S       1, before it\n"
    "  --rate R           events a second that each should get: adds expected_fraction\n"
    "  --under-way N      256, how many may be connecting at once\n"
    "  --patience S       30, for all to be connected\n"
    "  --first-frame      a stream counts as connected once it has a frame, an event without a name\n"
    "  --sources N        1, loopback addresses to come from\n"
    "  --source ADDRESS   127.0.0.1, the first of them\n"
    "  --header TEXT      'Name: value', any number of times\n"
    "  --watch PID,PID    processes whose CPU time and memory are reported\n"
    "  --slow F           0, share of listeners that read slowly; they are reported apart\n"
    "  --slow-bytes B     0, what each of those reads a second; 0 is never\n"
    "  --slow-buffer B    2048, their receive buffer\n"
    "  --churn R          0, streams a second that are closed and opened anew\n"
    "  --post PATH        a ticker that is updated meanwhile, on a new connection each time\n"
    "  --posts R          50, how often a second, at random moments\n"
    "  --tls              speak TLS, whatever the certificate\n"
    "  --verbose          why connections fail\n";

struct options {
    struct listeners_configuration listeners;
    struct posts_configuration posts;
    struct watched watched;
    double window, warm_up, rate, patience, slow_bytes, churn;
    int under_way;
};

// What was measured over the window beside the listeners' own figures.
struct window {
    double seconds, connect_seconds;
    struct usage client, server, server_connecting;
};

// MARK: - Options

static void refuse(const char *reason)
{
    fprintf(stderr, "load: %s\n%s", reason, help);
    exit(2);
}

static void add_header(char *headers, size_t capacity, const char *header)
{
    size_t used = strlen(headers);
    if (used + strlen(header) + 3 > capacity)
        refuse("too many headers");
    snprintf(headers + used, capacity - used, "%s\r\n", header);
}

static void add_watched(struct watched *watched, char *list)
{
    for (char *word = strtok(list, ","); word && watched->count < most_watched; word = strtok(NULL, ","))
        watched->processes[watched->count++] = (pid_t)atoi(word);
}

static const struct option names[] = {
    { "to", 1, 0, 't' }, { "path", 1, 0, 'p' }, { "listeners", 1, 0, 'l' }, { "channels", 1, 0, 'c' },
    { "seconds", 1, 0, 's' }, { "warm-up", 1, 0, 'w' }, { "rate", 1, 0, 'r' }, { "under-way", 1, 0, 'u' },
    { "patience", 1, 0, 'P' }, { "sources", 1, 0, 'S' }, { "header", 1, 0, 'h' }, { "watch", 1, 0, 'W' },
    { "slow", 1, 0, 'f' }, { "slow-bytes", 1, 0, 'B' }, { "slow-buffer", 1, 0, 'b' }, { "churn", 1, 0, 'C' },
    { "first-frame", 0, 0, 'F' }, { "source", 1, 0, 'a' }, { "post", 1, 0, 'o' }, { "posts", 1, 0, 'O' },
    { "tls", 0, 0, 'T' }, { "verbose", 0, 0, 'v' }, { "help", 0, 0, 'H' }, { 0 },
};

static void take_option(struct options *options, int name, char *value)
{
    static char headers[2048];
    struct listeners_configuration *listeners = &options->listeners;
    switch (name) {
    case 't':
        listeners->host = value;
        if (!read_address(value, &listeners->server))
            refuse("--to takes an IPv4 address and a port");
        break;
    case 'p': listeners->path = value; break;
    case 'l': listeners->count = atoi(value); break;
    case 'c': listeners->channels = atoi(value); break;
    case 's': options->window = atof(value); break;
    case 'w': options->warm_up = atof(value); break;
    case 'r': options->rate = atof(value); break;
    case 'u': options->under_way = atoi(value); break;
    case 'P': options->patience = atof(value); break;
    case 'S': listeners->sources = atoi(value); break;
    case 'a':
        if (inet_pton(AF_INET, value, &listeners->source) != 1)
            refuse("--source takes an IPv4 address");
        break;
    case 'o': options->posts.path = value; break;
    case 'O': options->posts.rate = atof(value); break;
    case 'h': add_header(headers, sizeof headers, value); break;
    case 'W': add_watched(&options->watched, value); break;
    case 'f': listeners->slow_share = atof(value); break;
    case 'B': options->slow_bytes = atof(value); break;
    case 'b': listeners->slow_buffer = atoi(value); break;
    case 'C': options->churn = atof(value); break;
    case 'F': listeners->waits_for_frame = true; break;
    case 'T': listeners->speaks_tls = true; break;
    case 'v': listeners->is_verbose = true; break;
    case 'H':
        printf("%s", help);
        exit(0);
    default: refuse("unknown option");
    }
    listeners->headers = headers;
}

static struct options read_options(int count, char **words)
{
    struct options options = {
        .listeners = {
            .count = 100, .channels = 1, .sources = 1, .source = { htonl(INADDR_LOOPBACK) }, .slow_buffer = 2048,
            .headers = "",
        },
        .posts = { .rate = 50 }, .window = 10, .warm_up = 1, .patience = 30, .under_way = 256,
    };
    int name;
    while ((name = getopt_long(count, words, "", names, NULL)) != -1)
        take_option(&options, name, optarg);
    const struct listeners_configuration *listeners = &options.listeners;
    if (!listeners->host || !listeners->path || !is_path_format(listeners->path))
        refuse("--to and --path are needed, and the path may hold %d once");
    if (listeners->count < 1 || listeners->channels < 1 || listeners->sources < 1 || options.under_way < 1)
        refuse("there must be one of everything at least");
    if (options.posts.rate <= 0)
        refuse("--posts takes a number above 0");
    options.posts.server = listeners->server;
    options.posts.source = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr = listeners->source };
    options.posts.host = listeners->host;
    return options;
}

static void allow_descriptors(int count)
{
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_max < (rlim_t)count + 64)
        fprintf(stderr, "load: only %lu descriptors are allowed\n", (unsigned long)limit.rlim_max);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

// MARK: - Phases

static uint64_t after(double seconds)
{
    return nanoseconds(CLOCK_MONOTONIC) + (uint64_t)(seconds * nanoseconds_a_second);
}

// Opens all streams. Returns how many seconds that took.
static double open_all(struct listeners *listeners, const struct options *options)
{
    uint64_t began = nanoseconds(CLOCK_MONOTONIC), deadline = after(options->patience);
    while (!listeners_are_settled(listeners)) {
        listeners_open_some(listeners, options->under_way);
        bool is_full = listeners->under_way >= options->under_way;
        listeners_wait(listeners, is_full || listeners->started == listeners->configuration.count ? 20 : 0);
        if (nanoseconds(CLOCK_MONOTONIC) > deadline)
            listeners_give_up(listeners);
    }
    return (double)(nanoseconds(CLOCK_MONOTONIC) - began) / nanoseconds_a_second;
}

// Lets the streams run for so many seconds; what is done by the clock is done meanwhile.
static void run(struct listeners *listeners, const struct options *options, double seconds)
{
    const uint64_t sip_interval = nanoseconds_a_second / 10;
    bool does_sip = listeners->configuration.slow_share > 0 && options->slow_bytes > 0;
    bool does_churn = options->churn > 0 && listeners->is_measuring;
    uint64_t churn_interval = does_churn ? (uint64_t)(nanoseconds_a_second / options->churn) : 0;
    uint64_t now = nanoseconds(CLOCK_MONOTONIC), next_sip = now, next_churn = now, end = after(seconds);
    for (; now < end; now = nanoseconds(CLOCK_MONOTONIC)) {
        if (does_sip && now >= next_sip) {
            next_sip = now + sip_interval;
            listeners_sip(listeners, (size_t)(options->slow_bytes / 10) + 1);
        }
        for (; does_churn && now >= next_churn; next_churn += churn_interval)
            listeners_reopen(listeners, rand() % listeners->configuration.count);
        listeners_wait(listeners, does_churn ? 1 : 20);
    }
}

static struct usage difference(struct usage end, struct usage start)
{
    // Memory is what it is in the end.
    end.user_seconds -= start.user_seconds;
    end.system_seconds -= start.system_seconds;
    return end;
}

static struct window measure(struct listeners *listeners, struct posts *posts, const struct options *options)
{
    struct usage server = usage_of(&options->watched), client = usage_of_self();
    uint64_t began = nanoseconds(CLOCK_MONOTONIC);
    listeners->is_measuring = posts->is_measuring = true;
    run(listeners, options, options->window);
    listeners->is_measuring = posts->is_measuring = false;
    return (struct window){
        .seconds = (double)(nanoseconds(CLOCK_MONOTONIC) - began) / nanoseconds_a_second,
        .client = difference(usage_of_self(), client),
        .server = difference(usage_of(&options->watched), server),
    };
}

// MARK: - Report

static void print_quantiles(const char *name, const struct histogram *histogram)
{
    double mean = histogram->count > 0 ? (double)histogram->sum / (double)histogram->count : 0;
    printf(
        ",\"%s\":{\"count\":%lu,\"mean\":%.1f,\"p50\":%.1f,\"p99\":%.1f,\"p999\":%.1f,\"max\":%.1f}", name,
        histogram->count, mean / 1e3, (double)histogram_quantile(histogram, 0.5) / 1e3,
        (double)histogram_quantile(histogram, 0.99) / 1e3, (double)histogram_quantile(histogram, 0.999) / 1e3,
        (double)histogram->most / 1e3);
}

static int by_value(const void *one, const void *other)
{
    uint32_t left = *(const uint32_t *)one, right = *(const uint32_t *)other;
    return (left > right) - (left < right);
}

// The fewest and most events of a listener; slow ones are no part of it. Returns how many are.
static int print_fairness(const struct listeners *listeners)
{
    uint32_t *events = malloc((size_t)listeners->configuration.count * sizeof *events);
    int count = 0;
    for (int i = 0; events && i < listeners->configuration.count; i++) {
        if (!listeners->all[i].is_slow)
            events[count++] = listeners->all[i].events;
    }
    if (count > 0) {
        qsort(events, (size_t)count, sizeof *events, by_value);
        printf(
            ",\"per_listener\":{\"min\":%u,\"median\":%u,\"max\":%u}", events[0], events[count / 2], events[count - 1]);
    }
    free(events);
    return count;
}

static void print_apart(const struct options *options, const struct figures *figures, const struct posts *posts)
{
    if (options->posts.path) {
        print_quantiles("post_us", &posts->latency);
        printf(",\"posts_failed\":%lu", posts->failed);
    }
    if (options->listeners.slow_share > 0)
        printf(
            ",\"slow\":{\"events\":%lu,\"bytes\":%lu,\"missing\":%lu,\"disconnects\":%lu}", figures->slow_events,
            figures->slow_bytes, figures->slow_missing, figures->slow_lost);
    if (options->churn > 0)
        printf(",\"churn\":{\"opened\":%lu,\"failed\":%lu}", figures->reopened, figures->reopen_failed);
}

static void report(
    const struct options *options, const struct listeners *listeners, const struct posts *posts,
    const struct window *window)
{
    const struct figures *figures = &listeners->figures;
    double events = (double)figures->events;
    printf(
        "{\"window_s\":%.3f,\"events\":%lu,\"events_per_s\":%.1f,\"bytes_per_s\":%.0f", window->seconds,
        figures->events, events / window->seconds, (double)figures->bytes / window->seconds);
    printf(
        ",\"conn_ok\":%lu,\"conn_failed\":%lu,\"connect_s\":%.3f,\"connects_per_s\":%.0f,\"disconnects\":%lu",
        figures->opened, figures->failed, window->connect_seconds,
        (double)figures->opened / window->connect_seconds, figures->lost);
    printf(
        ",\"server_connect_cpu_s\":%.6f",
        window->server_connecting.user_seconds + window->server_connecting.system_seconds);
    print_quantiles("connect_us", &figures->connect);
    print_quantiles("latency_us", &figures->latency);
    print_quantiles("gap_us", &figures->gap);
    print_quantiles("tick_gap_us", &figures->tick_gap);
    printf(
        ",\"seq\":{\"checked\":%lu,\"missing\":%lu,\"dup\":%lu,\"out_of_order\":%lu}", figures->numbered,
        figures->missing, figures->doubled, figures->out_of_order);
    int readers = print_fairness(listeners);
    if (options->rate > 0 && readers > 0)
        printf(",\"expected_fraction\":%.4f", events / (options->rate * window->seconds * readers));
    print_apart(options, figures, posts);
    printf(
        ",\"client_cpu_s\":{\"user\":%.3f,\"sys\":%.3f}", window->client.user_seconds,
        window->client.system_seconds);
    printf(
        ",\"server\":{\"cpu_s\":%.3f,\"cpu_user_s\":%.3f,\"rss_kb\":%ld}}\n",
        window->server.user_seconds + window->server.system_seconds, window->server.user_seconds,
        window->server.resident_kilobytes);
}

int main(int count, char **words)
{
    struct options options = read_options(count, words);
    signal(SIGPIPE, SIG_IGN);
    allow_descriptors(options.listeners.count);
    static struct listeners listeners;
    static struct posts posts;
    listeners.configuration = options.listeners;
    posts.configuration = options.posts;
    listeners_prepare(&listeners);
    struct usage before = usage_of(&options.watched);
    double connect_seconds = open_all(&listeners, &options);
    struct usage connecting = difference(usage_of(&options.watched), before);
    posts_begin(&posts);
    run(&listeners, &options, options.warm_up);
    struct window window = measure(&listeners, &posts, &options);
    window.connect_seconds = connect_seconds;
    window.server_connecting = connecting;
    posts_end(&posts);
    report(&options, &listeners, &posts, &window);
    return 0;
}
