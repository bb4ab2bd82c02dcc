// listeners.h - many clients of event streams on one thread, and what they saw.
#pragma once
#include "answer.h"
#include "histogram.h"

#include <gnutls/gnutls.h>
#include <netinet/in.h>

struct listeners_configuration {
    struct sockaddr_in server;
    const char *host;    // as the Host header says it
    const char *path;    // a %d in it becomes the listener's number modulo channels
    const char *headers; // further lines of the request, each with its end
    int count, channels;
    int sources;         // from how many loopback addresses, as each has 64,000 ports at most
    struct in_addr source; // the first of those addresses
    double slow_share;   // of the listeners: they read only what is asked of them
    int slow_buffer;     // their socket's receive buffer in bytes; 0 for the system's
    bool speaks_tls;     // whatever certificate it is shown
    bool waits_for_frame; // a stream is up with its first frame, not with its answer's head
    bool is_verbose;     // says why connections fail
};

enum listener_state {
    listener_closed, listener_connecting, listener_greeting, listener_asking, listener_streaming
};

struct listener {
    int socket, index;
    uint8_t state;
    bool is_slow, is_reopened, has_frame;
    uint32_t events;        // in the window
    uint64_t opened_at, last_event_at, last_number;
    uint64_t last_made_at, last_tick_at; // of the newest tick, as its events tell it, and when the first of them came
    gnutls_session_t session; // NULL where no TLS is spoken
    struct answer answer;
};

struct figures {
    uint64_t events, bytes, numbered, missing, doubled, out_of_order;
    uint64_t opened, failed, lost;
    uint64_t reopened, reopen_failed;
    uint64_t slow_events, slow_bytes, slow_missing, slow_lost;
    struct histogram connect, latency, gap, tick_gap; // nanoseconds
};

struct listeners {
    struct listeners_configuration configuration;
    struct listener *all;
    int poller;
    gnutls_certificate_credentials_t credentials;
    int under_way;      // connecting or waiting for the answer's head
    int started;        // of all, in order
    bool is_measuring;  // only then events count
    struct figures figures;
};

void listeners_prepare(struct listeners *listeners);

// Opens those not yet opened, a few at a time, while fewer than so many are under way.
void listeners_open_some(struct listeners *listeners, int most_under_way);

// Whether each is up, or has failed.
bool listeners_are_settled(const struct listeners *listeners);

// Gives up those still under way and those not yet opened.
void listeners_give_up(struct listeners *listeners);

// Waits for the sockets up to so many milliseconds, and takes in what came.
void listeners_wait(struct listeners *listeners, int milliseconds);

// Lets each slow listener read so many bytes.
void listeners_sip(struct listeners *listeners, size_t bytes);

// Closes a listener's stream and opens it anew.
void listeners_reopen(struct listeners *listeners, int index);
