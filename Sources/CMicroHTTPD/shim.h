// What Swift sees of libmicrohttpd 0.9.75: the header, and what Swift can't import from it: variadic calls, constants
// made by macros, and unions behind pointers.
#ifndef TWEENCAST_CMICROHTTPD_SHIM_H
#define TWEENCAST_CMICROHTTPD_SHIM_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <microhttpd.h>
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

struct tweencast_daemon_settings {
    unsigned int connection_limit;
    size_t connection_memory;
    unsigned int timeout_seconds;
    // That of each callback.
    void *context;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection_changed;
    tweencast_request_line_callback request_line;
    // NULL without TLS.
    tweencast_certificate_callback certificate;
    const char *ciphers;
};

// MHD_start_daemon is variadic. MHD_USE_TURBO leaves out shutdown() on close, which the take-over of streams needs; over TLS
// none is taken over, and without it the library says goodbye (close_notify) on close. The daemon doesn't listen, and has no
// thread: connections are added to it, and it is run, by one thread of ours.
static inline struct MHD_Daemon *tweencast_start(
    const struct tweencast_daemon_settings *settings, MHD_AccessHandlerCallback handler)
{
    unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET
        | (settings->certificate ? MHD_USE_TLS : MHD_USE_TURBO);
    struct MHD_OptionItem options[] = {
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
    size_t last = 6;
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

// Ends a target at its query, of which the library then sees nothing: it writes into this memory itself just after.
static inline void tweencast_cut_query(const char *target)
{
    char *mark = strchr(target, '?');
    if (mark)
        mark[1] = '\0';
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

static inline int tweencast_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response)
{
    return MHD_queue_response(connection, status, response) == MHD_YES;
}

static inline int tweencast_add_header(struct MHD_Response *response, const char *name, const char *value)
{
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

static inline const char *tweencast_header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

typedef void (*tweencast_header_callback)(void *context, const char *value);

struct tweencast_header_search {
    const char *name;
    tweencast_header_callback found;
    void *context;
};

static inline enum MHD_Result tweencast_compare_header(
    void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    const struct tweencast_header_search *search = context;
    (void)kind;
    if (name && value && strcasecmp(name, search->name) == 0)
        search->found(search->context, value);
    return MHD_YES;
}

// Each value of a header in their order.
static inline void tweencast_each_header(
    struct MHD_Connection *connection, const char *name, tweencast_header_callback found, void *context)
{
    struct tweencast_header_search search = { name, found, context };
    MHD_get_connection_values(connection, MHD_HEADER_KIND, tweencast_compare_header, &search);
}

struct tweencast_head_facts {
    unsigned int hosts, lengths, codings;
    int malformed;
    int is_chunked;
    int awaits_leave;
    int64_t length;  // -1 when none is said, or no number
    size_t memory;
    int has_request_id;  // X-Request-ID
};

// A head that is being looked at: what is found, and where the last text of it ends.
struct tweencast_head_look {
    struct tweencast_head_facts facts;
    const char *rest;
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
    facts->memory += TWEENCAST_HEADER_RECORD;
    if (kind != MHD_HEADER_KIND)
        return MHD_YES;
    size_t length = name && value ? tweencast_token(name) : 0;
    if (!length || !tweencast_are_line_ends(look->rest, name, 1)) {
        facts->malformed = 1;
        return MHD_YES;
    }
    look->rest = value + strlen(value);
    if (tweencast_is_name(name, length, MHD_HTTP_HEADER_HOST)) {
        facts->hosts++;
    } else if (tweencast_is_name(name, length, MHD_HTTP_HEADER_CONTENT_LENGTH)) {
        facts->lengths++;
        facts->length = tweencast_length(value);
    } else if (tweencast_is_name(name, length, MHD_HTTP_HEADER_TRANSFER_ENCODING)) {
        facts->codings++;
        facts->is_chunked = strcasecmp(value, "chunked") == 0;
    } else if (tweencast_is_name(name, length, MHD_HTTP_HEADER_EXPECT)) {
        facts->awaits_leave = 1;
    } else if (tweencast_is_name(name, length, MHD_HTTP_HEADER_COOKIE)) {
        facts->memory += strlen(value) + 1;  // The library copies it.
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

// A head that was read, from its first byte on, with its version and the length of its target. Where a line ended, the
// library has put zeros in place of CR and LF: a blank after two of them begins a line, and so goes on with the one before
// (obs-fold), which the library would add to the name of the wrong header. A zero anywhere else was sent. For the library
// (0.9.75) it ends a text, and at a line's begin the head; for whoever passed it on, it may be one byte among others. Only
// one in the place of a CR can't be told from it.
static inline struct tweencast_head_facts tweencast_head(
    struct MHD_Connection *connection, const char *start, size_t target, const char *version)
{
    struct tweencast_head_look look = { .facts.length = -1, .rest = version + strlen(version) };
    look.facts.malformed = tweencast_target_end(start, target) + 1 != version;
    MHD_get_connection_values(
        connection, MHD_HEADER_KIND | MHD_COOKIE_KIND, tweencast_look_at_header, &look);
    const union MHD_ConnectionInfo *info
        = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    size_t size = info ? info->header_size : 0;
    look.facts.memory += size;
    // That of the last line, and the empty line's.
    look.facts.malformed |= !tweencast_are_line_ends(look.rest, start + size, 2) || tweencast_has_fold(start, size);
    return look.facts;
}

// The client's address as text of at most TWEENCAST_ADDRESS_SIZE bytes; 0 when it is not known.
static inline int tweencast_peer(struct MHD_Connection *connection, char *text)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info && info->client_addr && tweencast_address_text(info->client_addr, text);
}

#endif
