// What Swift sees of libmicrohttpd 0.9.75: the header, and what Swift can't import from it: variadic calls, constants
// made by macros, and unions behind pointers.
#ifndef TWEENCAST_CMICROHTTPD_SHIM_H
#define TWEENCAST_CMICROHTTPD_SHIM_H

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <microhttpd.h>
#include <stdint.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/socket.h>

enum { TWEENCAST_ADDRESS_SIZE = INET6_ADDRSTRLEN };

typedef size_t (*tweencast_unescape_callback)(void *context, struct MHD_Connection *connection, char *text);

struct tweencast_daemon_settings {
    unsigned int workers;
    unsigned int connection_limit;
    size_t connection_memory;
    unsigned int timeout_seconds;
    void *context;
    MHD_RequestCompletedCallback completed;
    void *connection_context;
    MHD_NotifyConnectionCallback connection_changed;
    tweencast_unescape_callback unescape;
};

// MHD_start_daemon is variadic. MHD_USE_TURBO leaves out shutdown() on close, which the take-over of streams needs. The
// daemon doesn't listen: connections are added to it.
static inline struct MHD_Daemon *tweencast_start(
    const struct tweencast_daemon_settings *settings, MHD_AccessHandlerCallback handler)
{
    unsigned int flags = MHD_USE_EPOLL | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO
        | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC;
    struct MHD_OptionItem options[] = {
        { MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)settings->completed, settings->context },
        { MHD_OPTION_NOTIFY_CONNECTION, (intptr_t)settings->connection_changed, settings->connection_context },
        { MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit, NULL },
        { MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)settings->connection_memory, NULL },
        { MHD_OPTION_CONNECTION_TIMEOUT, settings->timeout_seconds, NULL },
        { MHD_OPTION_UNESCAPE_CALLBACK, (intptr_t)settings->unescape, NULL },
        // A pool of one is refused: one worker is the daemon's own thread.
        { settings->workers > 1 ? MHD_OPTION_THREAD_POOL_SIZE : MHD_OPTION_END, settings->workers, NULL },
        { MHD_OPTION_END, 0, NULL },
    };
    return MHD_start_daemon(flags, 0, NULL, NULL, handler, settings->context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

// Takes the next client in and gives it to a worker; the negated errno when there is none or it can't be had. The library
// makes the descriptor non-blocking and closed on exec.
static inline int tweencast_accept(struct MHD_Daemon *daemon, int listening)
{
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    int client = accept(listening, (struct sockaddr *)&address, &size);
    if (client < 0)
        return -errno;
    // On failure the library has closed the descriptor.
    return MHD_add_connection(daemon, client, (struct sockaddr *)&address, size) == MHD_YES ? client : -ECONNABORTED;
}

// A duplicate of a connection's descriptor, closed on exec; -1 on failure.
static inline int tweencast_duplicate(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? fcntl(info->connect_fd, F_DUPFD_CLOEXEC, 0) : -1;
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
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (info)
        shutdown(info->connect_fd, SHUT_WR);
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

static inline enum MHD_Result tweencast_count_lengths(
    void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    (void)kind, (void)value;
    int *fields = context;
    fields[0] += strcasecmp(name, MHD_HTTP_HEADER_CONTENT_LENGTH) == 0;
    fields[1] += strcasecmp(name, MHD_HTTP_HEADER_TRANSFER_ENCODING) == 0;
    return MHD_YES;
}

static inline const char *tweencast_header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

// Whether the body's length is said once, in one way, in one that the library reads.
static inline int tweencast_has_plain_length(struct MHD_Connection *connection)
{
    const char *coding = tweencast_header(connection, MHD_HTTP_HEADER_TRANSFER_ENCODING);
    const char *length = tweencast_header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
    if (!coding && !length)
        return 1;
    int fields[2] = { 0, 0 };
    MHD_get_connection_values(connection, MHD_HEADER_KIND, tweencast_count_lengths, fields);
    return fields[0] + fields[1] == 1 && (!coding || strcasecmp(coding, "chunked") == 0);
}

// The client's address as text of at most TWEENCAST_ADDRESS_SIZE bytes; 0 when it is not known.
static inline int tweencast_peer(struct MHD_Connection *connection, char *text)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (!info || !info->client_addr)
        return 0;
    const struct sockaddr *address = info->client_addr;
    const void *bytes = address->sa_family == AF_INET6
        ? (const void *)&((const struct sockaddr_in6 *)address)->sin6_addr
        : (const void *)&((const struct sockaddr_in *)address)->sin_addr;
    return inet_ntop(address->sa_family, bytes, text, TWEENCAST_ADDRESS_SIZE) != NULL;
}

static inline void tweencast_query(struct MHD_Connection *connection, MHD_KeyValueIterator each, void *context)
{
    MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, each, context);
}

#endif
