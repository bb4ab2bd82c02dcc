// libcurl for Swift: its header, and its variadic functions with explicit types.
#ifndef TWEENCAST_CCURL_SHIM_H
#define TWEENCAST_CCURL_SHIM_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>

static inline CURLcode tweencast_curl_set_number(CURL *handle, CURLoption option, long value)
{
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode tweencast_curl_set_text(CURL *handle, CURLoption option, const char *value)
{
    return curl_easy_setopt(handle, option, value);
}

// The library copies the bytes.
static inline CURLcode tweencast_curl_set_body(CURL *handle, const void *bytes, size_t count)
{
    CURLcode code = curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}

// The list must outlive the transfer.
static inline CURLcode tweencast_curl_set_headers(CURL *handle, struct curl_slist *headers)
{
    return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
}

static inline CURLcode tweencast_curl_set_writer(CURL *handle, void *context, curl_write_callback write)
{
    CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, write);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_WRITEDATA, context) : code;
}

static inline CURLcode tweencast_curl_set_callbacks(
    CURL *handle, void *context, curl_opensocket_callback open_socket, curl_write_callback write)
{
    CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    if (code == CURLE_OK)
        code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
    return code == CURLE_OK ? tweencast_curl_set_writer(handle, context, write) : code;
}

// Writes the IP address that is about to be connected to, in network order, and the port. Returns the address' length; 0 for
// another family.
static inline int tweencast_curl_address(
    const struct curl_sockaddr *address, unsigned char bytes[16], unsigned short *port)
{
    // Only the start of the address is declared; the library allocates room for any address.
    if (address->family == AF_INET) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)(const void *)&address->addr;
        memcpy(bytes, &four->sin_addr, 4);
        *port = ntohs(four->sin_port);
        return 4;
    }
    if (address->family == AF_INET6) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)(const void *)&address->addr;
        memcpy(bytes, &six->sin6_addr, 16);
        *port = ntohs(six->sin6_port);
        return 16;
    }
    return 0;
}

static inline long tweencast_curl_status(CURL *handle)
{
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

// Seconds in the response's Retry-After; 0 without one.
static inline curl_off_t tweencast_curl_retry_after(CURL *handle)
{
    curl_off_t seconds = 0;
    curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds);
    return seconds;
}

// The end of a transfer, copied from a message that is only valid until the library's next call.
struct tweencast_curl_end {
    CURL *handle;
    CURLcode code;
};

// Returns the next transfer that has ended; its handle is NULL if there is none.
static inline struct tweencast_curl_end tweencast_curl_next_end(CURLM *transfers)
{
    int waiting = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(transfers, &waiting)))
        if (message->msg == CURLMSG_DONE)
            return (struct tweencast_curl_end){ message->easy_handle, message->data.result };
    return (struct tweencast_curl_end){ NULL, CURLE_OK };
}

static inline CURLMcode tweencast_curl_limit_cache(CURLM *transfers, long connections)
{
    return curl_multi_setopt(transfers, CURLMOPT_MAXCONNECTS, connections);
}

#endif
