// hiredis 0.14 for Swift: connections and replies. Times are in microseconds, since several modules have timeval.
#ifndef TWEENCAST_CHIREDIS_SHIM_H
#define TWEENCAST_CHIREDIS_SHIM_H

#include <errno.h>
#include <hiredis/hiredis.h>
#include <netdb.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

static inline struct timeval tweencast_redis_time(int64_t microseconds)
{
    return (struct timeval){ .tv_sec = microseconds / 1000000, .tv_usec = microseconds % 1000000 };
}

// Connects to the first of a host's addresses that accepts. The library itself gives up at the first that refuses, and tries
// IPv6 only without IPv4. The context may hold an error; NULL with the reason if there is no context.
static inline redisContext *tweencast_redis_connect(
    const char *host, const char *port, int port_number, int64_t microseconds, const char **reason)
{
    struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM };
    struct addrinfo *found = NULL;
    int code = getaddrinfo(host, port, &hints, &found);
    *reason = code == 0 ? "out of memory" : gai_strerror(code);
    if (code != 0)
        return NULL;
    redisContext *context = NULL;
    for (struct addrinfo *next = found; next; next = next->ai_next) {
        char address[NI_MAXHOST];
        if (getnameinfo(next->ai_addr, next->ai_addrlen, address, sizeof address, NULL, 0, NI_NUMERICHOST) != 0)
            continue;
        redisFree(context);
        context = redisConnectWithTimeout(address, port_number, tweencast_redis_time(microseconds));
        if (!context || !context->err)
            break;
    }
    freeaddrinfo(found);
    return context;
}

static inline redisContext *tweencast_redis_connect_unix(const char *path, int64_t microseconds)
{
    return redisConnectUnixWithTimeout(path, tweencast_redis_time(microseconds));
}

// The timeout of reads and writes; 0 waits for ever.
static inline int tweencast_redis_set_timeout(redisContext *context, int64_t microseconds)
{
    return redisSetTimeout(context, tweencast_redis_time(microseconds));
}

// Why a context has failed; valid as long as the context.
static inline const char *tweencast_redis_reason(const redisContext *context) { return context->errstr; }

// Reads one reply, which the caller frees. After a failure `number` is the call's errno, if it set one.
static inline int tweencast_redis_receive(redisContext *context, redisReply **answer, int *number)
{
    void *reply = NULL;
    errno = 0;
    int code = redisGetReply(context, &reply);
    *number = errno;
    *answer = reply;
    return code;
}

// Bytes that the reader keeps for later replies after one that needed more.
static inline void tweencast_redis_keep(redisContext *context, size_t bytes) { context->reader->maxbuf = bytes; }

#endif
