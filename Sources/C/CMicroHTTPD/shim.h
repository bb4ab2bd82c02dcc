// What Swift sees of libmicrohttpd 0.9.75: the header, and what Swift can't import from it: variadic calls, constants
// made by macros, and unions behind pointers.
#ifndef TWEENCAST_CMICROHTTPD_SHIM_H
#define TWEENCAST_CMICROHTTPD_SHIM_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <microhttpd.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

enum { TWEENCAST_ADDRESS_SIZE = INET6_ADDRSTRLEN };

typedef void *(*tweencast_request_line_callback)(
    void *context, const char *target, struct MHD_Connection *connection);

// gnutls_certificate_retrieve_function2, by the size of its arguments: whoever includes this need not know GnuTLS.
typedef int (*tweencast_certificate_callback)(
    void *session, const void *authorities, int authority_count, const void *algorithms, int algorithm_count,
    void *chain, unsigned int *chain_count, void *key);

// Told that the library is about to answer a request by itself, before it does; not which one.
typedef void (*tweencast_refusal_callback)(void *context);

// Kept for as long as its daemon lasts.
struct tweencast_log_listener {
    tweencast_refusal_callback refuses;
    void *context;
};

struct tweencast_daemon_settings {
    unsigned int connection_limit;
    size_t connection_memory;
    unsigned int timeout_seconds;
    // That of each callback.
    void *context;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection_changed;
    tweencast_request_line_callback request_line;
    struct tweencast_log_listener *listener;
    // NULL without TLS.
    tweencast_certificate_callback certificate;
    const char *ciphers;
};

// The library's log. Of what stands in it one line matters: the one that comes before each answer of its own.
static inline void tweencast_hear_log(void *context, const char *format, va_list arguments)
{
    const struct tweencast_log_listener *listener = context;
    (void)arguments;
    if (strstr(format, "Error processing request"))
        listener->refuses(listener->context);
}

// MHD_start_daemon is variadic. MHD_USE_TURBO leaves out shutdown() on close, which the take-over of streams needs; over TLS
// none is taken over, and without it the library says goodbye (close_notify) on close. The daemon doesn't listen, and has no
// thread: connections are added to it, and it is run, by one thread of ours.
static inline struct MHD_Daemon *tweencast_start(
    const struct tweencast_daemon_settings *settings, MHD_AccessHandlerCallback handler)
{
    unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG
        | (settings->certificate ? MHD_USE_TLS : MHD_USE_TURBO);
    struct MHD_OptionItem options[] = {
        // The first: what others log belongs there, too.
        { MHD_OPTION_EXTERNAL_LOGGER, (intptr_t)tweencast_hear_log, settings->listener },
        { MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)settings->completed, settings->context },
        { MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)settings->connection_changed, settings->context },
        { MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit, NULL },
        { MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)settings->connection_memory, NULL },
        { MHD_OPTION_CONNECTION_TIMEOUT, settings->timeout_seconds, NULL },
        { MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)settings->request_line, settings->context },
        { MHD_OPTION_END, 0, NULL },
        { MHD_OPTION_END, 0, NULL },
        { MHD_OPTION_END, 0, NULL },
    };
    size_t last = 7;
    if (settings->certificate) {
        options[last++] = (struct MHD_OptionItem){ MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)settings->ciphers };
        options[last++] = (struct MHD_OptionItem){ MHD_OPTION_HTTPS_CERT_CALLBACK, 0, (void *)settings->certificate };
    }
    return MHD_start_daemon(flags, 0, NULL, NULL, handler, settings->context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

// What to wait on for a daemon's sockets.
static inline int tweencast_wait_descriptor(struct MHD_Daemon *daemon)
{
    return MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

// Milliseconds after which a daemon must be run though no socket is ready; -1 for never.
static inline int tweencast_timeout(struct MHD_Daemon *daemon)
{
    MHD_UNSIGNED_LONG_LONG milliseconds = 0;
    if (MHD_get_timeout(daemon, &milliseconds) != MHD_YES)
        return -1;
    return milliseconds > INT_MAX ? INT_MAX : (int)milliseconds;
}

// A client that was accepted.
struct tweencast_client {
    int descriptor;  // The negated errno when there is none or it can't be had.
    socklen_t size;
    struct sockaddr_storage address;
};

// Accepts the next client.
static inline struct tweencast_client tweencast_accept(int listening)
{
    struct tweencast_client client = { .size = sizeof client.address };
    client.descriptor
        = accept4(listening, (struct sockaddr *)&client.address, &client.size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (client.descriptor < 0)
        client.descriptor = -errno;
    return client;
}

// Gives a daemon a client; on failure its descriptor is closed.
static inline void tweencast_add(struct MHD_Daemon *daemon, const struct tweencast_client *client)
{
    MHD_add_connection(daemon, client->descriptor, (const struct sockaddr *)&client->address, client->size);
}

// An address as text of at most TWEENCAST_ADDRESS_SIZE bytes; 0 when it has none.
static inline int tweencast_address_text(const struct sockaddr *address, char *text)
{
    const void *bytes = address->sa_family == AF_INET6
        ? (const void *)&((const struct sockaddr_in6 *)address)->sin6_addr
        : (const void *)&((const struct sockaddr_in *)address)->sin_addr;
    return inet_ntop(address->sa_family, bytes, text, TWEENCAST_ADDRESS_SIZE) != NULL;
}

static inline int tweencast_client_address(const struct tweencast_client *client, char *text)
{
    return tweencast_address_text((const struct sockaddr *)&client->address, text);
}

static inline int tweencast_descriptor(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// A duplicate, closed on exec; -1 on failure. fcntl is variadic.
static inline int tweencast_duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 0); }

// What we keep with a connection from its begin to its end; NULL before.
static inline void *tweencast_kept(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

// The connection's gnutls_session_t; NULL without TLS.
static inline void *tweencast_session(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    return info ? info->tls_session : NULL;
}

static inline int tweencast_is_blank(char c) { return c == ' ' || c == '\t'; }

// Moves the blanks at the end of a header's value to its front, where the library (0.9.75) passes them over: behind a value
// they are no part of it either (RFC 9110, 5.5), but for the library no length is one then.
static inline void tweencast_move_blanks(char *line, char *end)
{
    char *value = memchr(line, ':', (size_t)(end - line));
    char *last = end;
    while (value && last > value + 1 && tweencast_is_blank(last[-1]))
        last--;
    if (!value || last == end || last == value + 1)
        return;
    value++;
    memmove(value + (end - last), value, (size_t)(last - value));
    memset(value, ' ', (size_t)(end - last));
}

// Prepares a head whose first line was read, before the library takes the rest apart, in memory into which it writes itself
// just after. Behind what has come there are zeros: the connection's memory is the kernel's own, or was cleared after the
// request before, and ends with the record that is made here.
// - The query is taken away: of parameters the library would make records, too.
// - An empty Cookie stands before all others: the first one the library takes apart, into a record and a copy for each pair.
// - Blanks behind values are moved, in the lines that have come: in one that comes later, a length is refused.
// Returns 0 where there is no memory left for that.
static inline int tweencast_prepare_head(struct MHD_Connection *connection, const char *target)
{
    if (MHD_set_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_COOKIE, "") != MHD_YES)
        return 0;
    char *version = (char *)target + strlen(target) + 1;
    char *mark = strchr(target, '?');
    if (mark)
        mark[1] = '\0';
    char *line = version + strlen(version) + 1;
    if (!*line)
        line++;
    for (char *next; (next = strchr(line, '\n')); line = next + 1) {
        char *end = next > line && next[-1] == '\r' ? next - 1 : next;
        if (end == line)
            break;
        tweencast_move_blanks(line, end);
    }
    return 1;
}

static inline struct MHD_Response *tweencast_buffer_response(size_t size, const void *bytes)
{
    return MHD_create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

static const ssize_t TWEENCAST_BODY_END = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t TWEENCAST_BODY_CUT = MHD_CONTENT_READER_END_WITH_ERROR;

// A response of unknown length. In chunks the library reads straight into the connection's own memory; the block is for
// HTTP/1.0.
static inline struct MHD_Response *tweencast_streamed_response(
    MHD_ContentReaderCallback reader, void *context, MHD_ContentReaderFreeCallback done)
{
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, reader, context, done);
}

static inline ssize_t tweencast_read_nothing(void *context, uint64_t position, char *buffer, size_t size)
{
    (void)context, (void)position, (void)buffer, (void)size;
    return MHD_CONTENT_READER_END_OF_STREAM;
}

// A head that says no length. Chunks have to be off: to HEAD the library (0.9.75) would send the end of a chunked body.
static inline struct MHD_Response *tweencast_head_response(void)
{
    struct MHD_Response *response
        = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1, tweencast_read_nothing, NULL, NULL);
    if (response)
        MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
    return response;
}

// Ends a body that has neither a length nor chunks. With MHD_USE_TURBO the library doesn't, before it closes; and it keeps
// such a connection (0.9.75) until all that are older are gone or time out, unless it has a timeout of its own.
static inline void tweencast_finish_unframed(struct MHD_Connection *connection)
{
    shutdown(tweencast_descriptor(connection), SHUT_WR);
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 1u);
}

// Ends a connection of which the library (0.9.75) reads no further: such a one it may have in no epoll set, and looks at no
// end of it, but for its timeout, which is a second at least.
static inline void tweencast_give_up(struct MHD_Connection *connection)
{
    shutdown(tweencast_descriptor(connection), SHUT_RDWR);
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 1u);
}

static inline int tweencast_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response)
{
    return MHD_queue_response(connection, status, response) == MHD_YES;
}

static inline int tweencast_add_header(struct MHD_Response *response, const char *name, const char *value)
{
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

typedef void (*tweencast_header_callback)(void *context, const char *value);

struct tweencast_header_search {
    const char *name;
    tweencast_header_callback found;
    void *context;
    size_t seen;
};

static inline enum MHD_Result tweencast_compare_header(
    void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    struct tweencast_header_search *search = context;
    (void)kind;
    // The first is the Cookie that isn't the client's.
    if (search->seen++ && name && value && strcasecmp(name, search->name) == 0)
        search->found(search->context, value);
    return MHD_YES;
}

// Each value of a header in their order.
static inline void tweencast_each_header(
    struct MHD_Connection *connection, const char *name, tweencast_header_callback found, void *context)
{
    struct tweencast_header_search search = { name, found, context, 0 };
    MHD_get_connection_values(connection, MHD_HEADER_KIND, tweencast_compare_header, &search);
}

static inline void tweencast_keep_first(void *context, const char *value)
{
    const char **first = context;
    if (!*first)
        *first = value;
}

// A header's first value; NULL where it has none.
static inline const char *tweencast_header(struct MHD_Connection *connection, const char *name)
{
    const char *value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
    if (value && !*value && strcasecmp(name, MHD_HTTP_HEADER_COOKIE) == 0) {
        value = NULL;
        tweencast_each_header(connection, name, tweencast_keep_first, &value);
    }
    return value;
}

struct tweencast_head_facts {
    unsigned int headers, hosts, lengths, codings;
    int malformed;
    int has_malformed_host;
    int is_chunked;
    int awaits_leave;
    int64_t length;  // -1 when none is said, or no number
    size_t size;
    size_t body;  // The address at which a body begins.
    int has_request_id;  // X-Request-ID
};

// A head that is being looked at: what is found, and where the last text of it ends.
struct tweencast_head_look {
    struct tweencast_head_facts facts;
    const char *rest;
    size_t seen;
};

// The characters of a token (RFC 9110, 5.6.2), 32 in each word, the lowest first: all that are visible but delimiters.
static const uint32_t tweencast_token_characters[8] = {
    0, 0x03FF6CFA, 0xC7FFFFFE, 0x57FFFFFF, 0, 0, 0, 0,
};

// The length of a text that is a token, or 0.
static inline size_t tweencast_token(const char *text)
{
    const char *end = text;
    for (; *end; end++) {
        unsigned char c = (unsigned char)*end;
        if (!(tweencast_token_characters[c / 32] >> (c % 32) & 1))
            return 0;
    }
    return (size_t)(end - text);
}

// What a length says: digits alone, or -1; beyond what fits the largest there is.
static inline int64_t tweencast_length(const char *text)
{
    int64_t value = 0;
    if (!*text)
        return -1;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return -1;
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, *text - '0', &value))
            value = INT64_MAX / 10;
    }
    return value;
}

enum {
    // What the library (0.9.75) takes from a connection's memory for each header: a record of seven words, rounded up.
    TWEENCAST_HEADER_RECORD = 64,
};

// The characters of a host's name, or of an address in brackets (RFC 3986, 3.2.2), 32 in each word, the lowest first.
static const uint32_t tweencast_host_characters[8] = {
    0, 0x2BFF7FF2, 0x87FFFFFE, 0x47FFFFFE, 0, 0, 0, 0,
};

// Whether a text is a host, with or without a port: nobody's name, and no list.
static inline int tweencast_is_host(const char *text)
{
    const char *end = text + (*text == '[');
    const char *start = end;
    for (; *end; end++) {
        unsigned char c = (unsigned char)*end;
        if (!(tweencast_host_characters[c / 32] >> (c % 32) & 1) && !(*text == '[' && c == ':'))
            break;
    }
    if (end == start || (*text == '[' && *end++ != ']'))
        return 0;
    if (!*end)
        return 1;
    const char *port = end + 1;
    long number = 0;
    for (end = port; *end >= '0' && *end <= '9' && number <= 65535; end++)
        number = number * 10 + (*end - '0');
    return port[-1] == ':' && !*end && number <= 65535;
}

// The end of a value, and whether there is a control character in it (RFC 9110, 5.5).
static inline const char *tweencast_value_end(const char *value, int *has_control)
{
    for (; *value; value++)
        *has_control |= ((unsigned char)*value < ' ' && *value != '\t') || *value == 0x7F;
    return value;
}

// Whether what stands around the pieces of a body in chunks has a line that ends otherwise than by CR and LF, or a control
// character (RFC 9112, 2.2 and 7.1): other readers may see other pieces.
static inline int tweencast_has_odd_line(size_t from, size_t to)
{
    const char *text = (const char *)from;
    int has_control = 0;
    for (; text < (const char *)to; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '\n')
            has_control |= text[-1] != '\r';
        else if (c == '\r')
            has_control |= text + 1 < (const char *)to && text[1] != '\n';
        else
            has_control |= (c < ' ' && c != '\t') || c == 0x7F;
    }
    return has_control;
}

// Whether from a text's end on there is nothing but the ends of so many lines: zeros in place of CR and LF, or of LF alone.
static inline int tweencast_are_line_ends(const char *from, const char *to, ptrdiff_t lines)
{
    if (to - from < lines || to - from > 2 * lines)
        return 0;
    while (from < to && *from == 0)
        from++;
    return from == to;
}

// Whether a name of so many bytes is a header's, in either case. Most differ in their length already.
static inline int tweencast_is_name(const char *name, size_t length, const char *header)
{
    return length == strlen(header) && strcasecmp(name, header) == 0;
}

static inline enum MHD_Result tweencast_look_at_header(
    void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    struct tweencast_head_look *look = context;
    struct tweencast_head_facts *facts = &look->facts;
    (void)kind;
    // The first is the Cookie that isn't the client's.
    if (!look->seen++)
        return MHD_YES;
    facts->headers++;
    size_t length = name && value ? tweencast_token(name) : 0;
    if (!length || !tweencast_are_line_ends(look->rest, name, 1)) {
        facts->malformed = 1;
        return MHD_YES;
    }
    const char *end = look->rest = tweencast_value_end(value, &facts->malformed);
    // As the library has read it: to that a blank behind it makes a difference.
    int is_chunked = strcasecmp(value, "chunked") == 0;
    while (end > value && tweencast_is_blank(end[-1]))
        *(char *)--end = '\0';
    if (tweencast_is_name(name, length, MHD_HTTP_HEADER_HOST)) {
        facts->hosts++;
        facts->has_malformed_host |= !tweencast_is_host(value);
    } else if (tweencast_is_name(name, length, MHD_HTTP_HEADER_CONTENT_LENGTH)) {
        facts->lengths++;
        facts->length = tweencast_length(value);
    } else if (tweencast_is_name(name, length, MHD_HTTP_HEADER_TRANSFER_ENCODING)) {
        facts->codings++;
        facts->is_chunked = is_chunked;
    } else if (tweencast_is_name(name, length, MHD_HTTP_HEADER_EXPECT)) {
        facts->awaits_leave = 1;
    } else if (tweencast_is_name(name, length, "X-Request-ID")) {
        facts->has_request_id = 1;
    }
    return MHD_YES;
}

// Where a target ends that had so many bytes when its line was read, behind the method and blanks.
static inline const char *tweencast_target_end(const char *start, size_t count)
{
    start += strlen(start) + 1;
    while (*start == ' ')
        start++;
    return start + count;
}

// Whether a blank follows two zeros somewhere.
static inline int tweencast_has_fold(const char *start, size_t size)
{
    const char *end = start + size;
    const char *zero = start;
    while (zero < end && (zero = memchr(zero, 0, (size_t)(end - zero)))) {
        if (end - zero > 2 && zero[1] == 0 && (zero[2] == ' ' || zero[2] == '\t'))
            return 1;
        zero++;
    }
    return 0;
}

// Bytes of a head; 0 while it isn't complete.
static inline size_t tweencast_head_size(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info
        = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

// A head that was read, from its first byte on, with its version and the length of its target. Where a line ended, the
// library has put zeros in place of CR and LF: a blank after two of them begins a line, and so goes on with the one before
// (obs-fold), which the library would add to the name of the wrong header. A zero anywhere else was sent. For the library
// (0.9.75) it ends a text, and at a line's begin the head; for whoever passed it on, it may be one byte among others. Only
// one in the place of a CR can't be told from it.
static inline struct tweencast_head_facts tweencast_head(
    struct MHD_Connection *connection, const char *start, size_t target, const char *version)
{
    struct tweencast_head_look look = { .facts.length = -1, .rest = version + strlen(version) };
    look.facts.size = tweencast_head_size(connection);
    look.facts.body = (size_t)(start + look.facts.size);
    look.facts.malformed = !tweencast_token(start) || tweencast_target_end(start, target) + 1 != version
        || tweencast_has_fold(start, look.facts.size);
    MHD_get_connection_values(connection, MHD_HEADER_KIND, tweencast_look_at_header, &look);
    // That of the last line, and the empty line's.
    look.facts.malformed |= !tweencast_are_line_ends(look.rest, start + look.facts.size, 2);
    return look.facts;
}

// The client's address as text of at most TWEENCAST_ADDRESS_SIZE bytes; 0 when it is not known.
static inline int tweencast_peer(struct MHD_Connection *connection, char *text)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info && info->client_addr && tweencast_address_text(info->client_addr, text);
}

#endif
