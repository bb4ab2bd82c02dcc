// check.c - holds what the tools rest on to what it says of itself; run.py runs it before it measures. An answer gives
// the same events however its bytes are cut, and a quantile is off by 3 % at most.
#include "answer.h"
#include "histogram.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char chunked[] =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: Chunked\r\n\r\n"
    "3;a=1f\r\n: c\r\nb\r\nomment\n\ndat\r\n1D\r\na: {\"seq\":7,\"t\": \"12\"}\n\ndata:\r\n"
    "1a\r\n {}\r\nid: 9\r\n\r\nevent: end\n\n\r\n13\r\ndata:{\"seq\":8}\ndata\r\n2\r\n\n\n\r\n0\r\n\r\n";
static const char plain[] = "HTTP/1.1 200 OK\r\n\r\ndata: {\"seq\":7,\"t\":12}\n\ndata: {}\n\ndata: {\"seq\":8}\n\n";
// A frame that was sent between ticks has no number, and is the first one all the same; what has a name is no frame.
static const char between_ticks[] =
    "HTTP/1.1 200 OK\r\n\r\nid: 1a-7\nevent: hello\ndata: {\"now\":5}\n\ndata: {\"t\":12}\n\n";

static void require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "check: %s\n", what);
    exit(1);
}

static void note(void *text, const struct event *event)
{
    char one[64];
    snprintf(
        one, sizeof one, "%s%d:%lu/%d:%lu ", event->is_named ? "named " : "", event->has_number, event->number,
        event->has_time, event->made_at);
    strcat(text, one);
}

// The events of an answer that comes in two pieces.
static void expect_events(const char *answer_text, size_t cut, const char *expected, enum answer_state end)
{
    char seen[512] = "";
    static struct answer answer;
    answer = (struct answer){ 0 };
    answer_take(&answer, answer_text, cut, note, seen);
    answer_take(&answer, answer_text + cut, strlen(answer_text) - cut, note, seen);
    require(strcmp(seen, expected) == 0, "the events of an answer");
    require(answer.state == end, "the end of an answer");
}

int main(void)
{
    for (size_t cut = 0; cut < sizeof chunked; cut++)
        expect_events(chunked, cut, "1:7/1:12 0:0/0:0 1:8/0:0 ", answer_over);
    for (size_t cut = 0; cut < sizeof plain; cut++)
        expect_events(plain, cut, "1:7/1:12 0:0/0:0 1:8/0:0 ", answer_body);
    for (size_t cut = 0; cut < sizeof between_ticks; cut++)
        expect_events(between_ticks, cut, "named 0:0/0:0 0:0/1:12 ", answer_body);
    expect_events("HTTP/1.1 503 Busy\r\n\r\ndata: {\"seq\":7}\n\n", 9, "", answer_over);
    for (uint64_t value = 1; value < 1ull << 62; value += value / 7 + 1) {
        struct histogram histogram = { 0 };
        histogram_add(&histogram, value);
        histogram_add(&histogram, value * 2);
        double median = (double)histogram_quantile(&histogram, 0.5);
        require(median >= 0.97 * (double)value && median <= 1.03 * (double)value, "a quantile");
        require(histogram_quantile(&histogram, 1) <= value * 2, "the largest quantile");
    }
    return 0;
}
