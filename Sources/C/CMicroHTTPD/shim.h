// libmicrohttpd 0.9.75 for Swift: the header, and what Swift can't import from it: variadic calls, macro constants, and
// unions behind pointers.
#ifndef TWEENCAST_CMICROHTTPD_SHIM_H
#define TWEENCAST_CMICROHTTPD_SHIM_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
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

// gnutls_certificate_retrieve_function2 without GnuTLS's types, so that users of this header don't need GnuTLS.
typedef int (*tweencast_certificate_callback)(
    void *session, const void *authorities, int authority_count, const void *algorithms, int algorithm_count,
    void *chain, unsigned int *chain_count, void *key);

// Called before the library answers a request by itself. It doesn't say which request.
typedef void (*tweencast_refusal_callback)(void *context);

// Must live as long as its daemon.
struct tweencast_log_listener {
    tweencast_refusal_callback refuses;
    void *context;
};

struct tweencast_daemon_settings {
    unsigned int connection_limit;
    size_t connection_memory;
    unsigned int timeout_seconds;
    // The context of each callback.
    void *context;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection_changed;
    tweencast_request_line_callback request_line;
    struct tweencast_log_listener *listener;
    // NULL without TLS.
    tweencast_certificate_callback certificate;
    const char *ciphers;
};

// Receives the library's log. Only one line matters: the one before each response of the library's own.
static inline void tweencast_hear_log(void *context, const char *format, va_list arguments)
{
    const struct tweencast_log_listener *listener = context;
    (void)arguments;
    if (strstr(format, "Error processing request"))
        listener->refuses(listener->context);
}

// Starts a daemon; MHD_start_daemon is variadic. MHD_USE_TURBO omits shutdown() on close, which taking over streams needs.
// Streams over TLS aren't taken over, so there the library sends close_notify on close. The daemon doesn't listen and has no
// thread: one thread of ours adds connections and runs it.
static inline struct MHD_Daemon *tweencast_start(
    const struct tweencast_daemon_settings *settings, MHD_AccessHandlerCallback handler)
{
    unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG
        | (settings->certificate ? MHD_USE_TLS : MHD_USE_TURBO);
    struct MHD_OptionItem options[] = {
        // First, so that it also receives what the other options log.
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

// The descriptor to wait on for a daemon's sockets.
static inline int tweencast_wait_descriptor(struct MHD_Daemon *daemon)
{
    return MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

// Milliseconds after which a daemon must run even if no socket is ready; -1 for never.
static inline int tweencast_timeout(struct MHD_Daemon *daemon)
{
    MHD_UNSIGNED_LONG_LONG milliseconds = 0;
    if (MHD_get_timeout(daemon, &milliseconds) != MHD_YES)
        return -1;
    return milliseconds > INT_MAX ? INT_MAX : (int)milliseconds;
}

// Returns freed memory to the system: the library's memory of connections, and any other.
static inline void tweencast_return_memory(void) { malloc_trim(0); }

// An accepted client.
struct tweencast_client {
    int descriptor;  // The negated errno if there is no client or accepting failed.
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

// Adds a client to a daemon. On failure its descriptor is closed.
static inline void tweencast_add(struct MHD_Daemon *daemon, const struct tweencast_client *client)
{
    MHD_add_connection(daemon, client->descriptor, (const struct sockaddr *)&client->address, client->size);
}

// Writes a client's address as text of at most TWEENCAST_ADDRESS_SIZE bytes. Returns 0 if it has none.
static inline int tweencast_client_address(const struct tweencast_client *client, char *text)
{
    const void *bytes = client->address.ss_family == AF_INET6
        ? (const void *)&((const struct sockaddr_in6 *)&client->address)->sin6_addr
        : (const void *)&((const struct sockaddr_in *)&client->address)->sin_addr;
    return inet_ntop(client->address.ss_family, bytes, text, TWEENCAST_ADDRESS_SIZE) != NULL;
}

static inline int tweencast_descriptor(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// Duplicates a descriptor, closed on exec; -1 on failure. fcntl is variadic.
static inline int tweencast_duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 0); }

// Our data of a connection; NULL before it begins.
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

// Prepares a head after its first line was read, before the library parses the rest. It writes nothing behind that line: what
// is there may not have been received yet, and be what an earlier connection left in memory.
// - The query is cut off, since the library would make a record of each parameter.
// - An empty Cookie is put first, since the library splits the first one into a record and a copy for each pair.
// Returns 0 if there is no memory left.
static inline int tweencast_prepare_head(struct MHD_Connection *connection, const char *target)
{
    if (MHD_set_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_COOKIE, "") != MHD_YES)
        return 0;
    char *mark = strchr((char *)target, '?');
    if (mark)
        mark[1] = '\0';
    return 1;
}

static inline struct MHD_Response *tweencast_buffer_response(size_t size, const void *bytes)
{
    return MHD_create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

static const ssize_t TWEENCAST_BODY_END = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t TWEENCAST_BODY_CUT = MHD_CONTENT_READER_END_WITH_ERROR;

// A response whose body is read in portions; a size of UINT64_MAX is unknown (MHD_SIZE_UNKNOWN). With chunks the library reads
// straight into the connection's own memory; the block is for a known size, and for HTTP/1.0.
static inline struct MHD_Response *tweencast_streamed_response(
    uint64_t size, MHD_ContentReaderCallback reader, void *context, MHD_ContentReaderFreeCallback done)
{
    size_t block = size == MHD_SIZE_UNKNOWN ? 4096 : 16384;
    return MHD_create_response_from_callback(size, block, reader, context, done);
}

static inline ssize_t tweencast_read_nothing(void *context, uint64_t position, char *buffer, size_t size)
{
    (void)context, (void)position, (void)buffer, (void)size;
    return MHD_CONTENT_READER_END_OF_STREAM;
}

// A head without a length. Chunks must be off: after HEAD the library (0.9.75) would send the end of a chunked body.
static inline struct MHD_Response *tweencast_head_response(void)
{
    struct MHD_Response *response
        = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1, tweencast_read_nothing, NULL, NULL);
    if (response)
        MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
    return response;
}

// Ends a body without a length or chunks. With MHD_USE_TURBO the library only does so on close. It (0.9.75) also keeps such
// a connection until all older ones are gone or time out, unless it has a timeout of its own.
static inline void tweencast_finish_unframed(struct MHD_Connection *connection)
{
    shutdown(tweencast_descriptor(connection), SHUT_WR);
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 1u);
}

// Ends a connection that the library (0.9.75) no longer reads. It may be in no epoll set, so only its timeout ends it, which
// is at least a second.
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
    // The first is our own empty Cookie.
    if (search->seen++ && name && value && strcasecmp(name, search->name) == 0)
        search->found(search->context, value);
    return MHD_YES;
}

// Passes on each value of a header, in order.
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

// Returns a header's first value; NULL without one.
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
    int64_t length;  // -1 without a length, or for no number
    size_t size;
    size_t body;  // The address at which a body begins.
    int has_request_id;  // X-Request-ID
};

// A head being examined: the facts found, and the end of its last text.
struct tweencast_head_look {
    struct tweencast_head_facts facts;
    const char *rest;
    size_t seen;
};

// Token characters (RFC 9110, 5.6.2): all visible ones except delimiters. 32 in each word, the lowest first.
static const uint32_t tweencast_token_characters[8] = {
    0, 0x03FF6CFA, 0xC7FFFFFE, 0x57FFFFFF, 0, 0, 0, 0,
};

// Returns the length of a text that is a token, or 0.
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

// Parses a length: only digits, else -1; too large a number becomes the greatest possible.
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
    // The library's (0.9.75) memory for each header: a record of seven words, rounded up.
    TWEENCAST_HEADER_RECORD = 64,
};

// Characters of a host name or a bracketed address (RFC 3986, 3.2.2). 32 in each word, the lowest first.
static const uint32_t tweencast_host_characters[8] = {
    0, 0x2BFF7FF2, 0x87FFFFFE, 0x47FFFFFE, 0, 0, 0, 0,
};

// Returns whether a text is a host with an optional port, without user information, and not a list.
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

// Returns the end of a value, and whether it has a control character (RFC 9110, 5.5).
static inline const char *tweencast_value_end(const char *value, int *has_control)
{
    for (; *value; value++)
        *has_control |= ((unsigned char)*value < ' ' && *value != '\t') || *value == 0x7F;
    return value;
}

// Returns whether the framing of a chunked body has a line that doesn't end with CR and LF, or a control character (RFC
// 9112, 2.2 and 7.1): other servers might see other chunks.
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

// Returns whether the text is followed by exactly this many line ends: zeros in place of CR and LF, or of LF alone.
static inline int tweencast_are_line_ends(const char *from, const char *to, ptrdiff_t lines)
{
    if (to - from < lines || to - from > 2 * lines)
        return 0;
    while (from < to && *from == 0)
        from++;
    return from == to;
}

// Returns whether a name of this length is the header's, in either case. The length alone excludes most.
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
    // The first is our own empty Cookie.
    if (!look->seen++)
        return MHD_YES;
    facts->headers++;
    size_t length = name && value ? tweencast_token(name) : 0;
    if (!length || !tweencast_are_line_ends(look->rest, name, 1)) {
        facts->malformed = 1;
        return MHD_YES;
    }
    const char *end = look->rest = tweencast_value_end(value, &facts->malformed);
    // Compared before blanks are removed, since to the library a trailing blank makes a difference.
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

// Returns the end of a target of `count` bytes, which follows the method and blanks.
static inline const char *tweencast_target_end(const char *start, size_t count)
{
    start += strlen(start) + 1;
    while (*start == ' ')
        start++;
    return start + count;
}

// Returns whether two zeros are followed by a blank.
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

// The size of a head; 0 while it is incomplete.
static inline size_t tweencast_head_size(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info
        = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

// Examines a head from its first byte, given its version and the length of its target. The library has replaced the CR and
// LF of line ends by zeros. A blank after two zeros continues a line (obs-fold), and the library would add it to the name of
// the wrong header. A zero anywhere else was sent by the client. The library (0.9.75) takes it for the end of a text, or of
// the head at the start of a line; to a proxy before us it may be any byte. Only a zero in place of a CR can't be detected.
static inline struct tweencast_head_facts tweencast_head(
    struct MHD_Connection *connection, const char *start, size_t target, const char *version)
{
    struct tweencast_head_look look = { .facts.length = -1, .rest = version + strlen(version) };
    look.facts.size = tweencast_head_size(connection);
    look.facts.body = (size_t)(start + look.facts.size);
    look.facts.malformed = !tweencast_token(start) || tweencast_target_end(start, target) + 1 != version
        || tweencast_has_fold(start, look.facts.size);
    MHD_get_connection_values(connection, MHD_HEADER_KIND, tweencast_look_at_header, &look);
    // The ends of the last line and of the empty line.
    look.facts.malformed |= !tweencast_are_line_ends(look.rest, start + look.facts.size, 2);
    return look.facts;
}

#endif
