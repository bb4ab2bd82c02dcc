// answer.h - Server-Sent Events out of the bytes of an HTTP/1.1 answer, in whatever pieces they come.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the benchmark wants of an event's data: its number ("seq") and when it was made ("t", nanoseconds of Unix time).
struct event {
    uint64_t number, made_at;
    bool has_number, has_time;
    bool is_named; // a frame has no name
};

enum answer_state { answer_head, answer_body, answer_over };

enum { answer_line_capacity = 448 };

struct answer {
    uint64_t chunk_left;
    struct event event;
    uint8_t state, framing;
    bool has_status, is_chunked, has_data;
    uint16_t held; // how much of a line has come whose end has not
    char line[answer_line_capacity];
};

typedef void event_taker(void *owner, const struct event *event);

// Takes bytes of the answer. The state says afterwards how far it has come; over is also what is no stream.
void answer_take(struct answer *answer, const char *bytes, size_t count, event_taker *taker, void *owner);
