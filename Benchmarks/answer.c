// answer.c - the head of an answer, its chunks, and the lines of its events. A line that lies whole in what was read is
// looked at where it is; only one that two reads share is copied.
#define _GNU_SOURCE
#include "answer.h"

#include <string.h>
#include <strings.h>

// Where in a chunk the next byte belongs; an answer that isn't chunked is all data.
enum framing { chunk_data, chunk_size, chunk_extension, chunk_end };

struct span {
    const char *start;
    size_t length;
};

static void hold(struct answer *answer, struct span part)
{
    // What goes beyond the room is cut off: the fields looked for stand at an event's beginning.
    size_t room = answer_line_capacity - answer->held;
    size_t count = part.length < room ? part.length : room;
    memcpy(answer->line + answer->held, part.start, count);
    answer->held += (uint16_t)count;
}

static struct span without_return(struct span line)
{
    if (line.length > 0 && line.start[line.length - 1] == '\r')
        line.length -= 1;
    return line;
}

// Takes the next line off the bytes; false when its end has not come.
static bool next_line(struct answer *answer, struct span *bytes, struct span *line)
{
    const char *feed = memchr(bytes->start, '\n', bytes->length);
    struct span part = { bytes->start, feed ? (size_t)(feed - bytes->start) : bytes->length };
    size_t taken = part.length + (feed ? 1 : 0);
    bytes->start += taken;
    bytes->length -= taken;
    if (!feed || answer->held > 0)
        hold(answer, part);
    if (!feed)
        return false;
    *line = without_return(answer->held > 0 ? (struct span){ answer->line, answer->held } : part);
    answer->held = 0;
    return true;
}

// The digits behind a name; a number may stand in quotes.
static bool find_number(struct span text, const char *name, size_t name_length, uint64_t *number)
{
    const char *found = memmem(text.start, text.length, name, name_length);
    if (!found)
        return false;
    const char *end = text.start + text.length;
    const char *at = found + name_length;
    while (at < end && (*at == ' ' || *at == '"'))
        at++;
    *number = 0;
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        *number = *number * 10 + (uint64_t)(*at - '0');
    return true;
}

static void take_event_line(struct answer *answer, struct span line, event_taker *taker, void *owner)
{
    struct event *event = &answer->event;
    if (line.length == 0) {
        if (answer->has_data)
            taker(owner, event);
        *event = (struct event){ 0 };
        answer->has_data = false;
    } else if (line.length >= 5 && memcmp(line.start, "data:", 5) == 0) {
        answer->has_data = true;
        event->has_number |= find_number(line, "\"seq\":", 6, &event->number);
        event->has_time |= find_number(line, "\"t\":", 4, &event->made_at);
    } else if (line.length > 6 && memcmp(line.start, "event:", 6) == 0) {
        event->is_named = true;
    }
}

static void take_data(struct answer *answer, struct span bytes, event_taker *taker, void *owner)
{
    struct span line;
    while (bytes.length > 0 && next_line(answer, &bytes, &line))
        take_event_line(answer, line, taker, owner);
}

static int hexadecimal(char letter)
{
    if (letter >= '0' && letter <= '9')
        return letter - '0';
    letter |= 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

// One byte of what stands between two chunks' data.
static void take_framing(struct answer *answer, char byte)
{
    if (answer->framing == chunk_end) {
        if (byte == '\n')
            answer->framing = chunk_size;
        return;
    }
    int digit = hexadecimal(byte);
    if (byte == '\n') {
        answer->framing = chunk_data;
        if (answer->chunk_left == 0) // the last chunk is empty
            answer->state = answer_over;
    } else if (digit >= 0 && answer->framing == chunk_size) {
        answer->chunk_left = answer->chunk_left * 16 + (uint64_t)digit;
    } else if (byte == ';') {
        answer->framing = chunk_extension;
    }
}

static void take_body(struct answer *answer, struct span bytes, event_taker *taker, void *owner)
{
    if (!answer->is_chunked) {
        take_data(answer, bytes, taker, owner);
        return;
    }
    while (bytes.length > 0 && answer->state == answer_body) {
        if (answer->framing != chunk_data) {
            take_framing(answer, *bytes.start);
            bytes.start += 1;
            bytes.length -= 1;
            continue;
        }
        size_t count = bytes.length < answer->chunk_left ? bytes.length : (size_t)answer->chunk_left;
        take_data(answer, (struct span){ bytes.start, count }, taker, owner);
        bytes.start += count;
        bytes.length -= count;
        answer->chunk_left -= count;
        if (answer->chunk_left == 0)
            answer->framing = chunk_end;
    }
}

static void take_head_line(struct answer *answer, struct span line)
{
    static const char name[] = "transfer-encoding:", status[] = "HTTP/1.1 200";
    if (line.length == 0) {
        answer->state = answer_body;
    } else if (!answer->has_status) {
        answer->has_status = true;
        if (line.length < sizeof status - 1 || memcmp(line.start, status, sizeof status - 1) != 0)
            answer->state = answer_over;
    } else if (line.length > sizeof name - 1 && strncasecmp(line.start, name, sizeof name - 1) == 0) {
        // Of several codings it is the last one.
        answer->is_chunked = strncasecmp(line.start + line.length - 7, "chunked", 7) == 0;
        answer->framing = answer->is_chunked ? chunk_size : chunk_data;
    }
}

void answer_take(struct answer *answer, const char *start, size_t count, event_taker *taker, void *owner)
{
    struct span bytes = { start, count }, line;
    while (answer->state == answer_head && bytes.length > 0 && next_line(answer, &bytes, &line))
        take_head_line(answer, line);
    if (answer->state == answer_body && bytes.length > 0)
        take_body(answer, bytes, taker, owner);
}
