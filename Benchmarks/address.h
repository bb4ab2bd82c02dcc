// address.h - 127.0.0.1:8080 as the sockets want it.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

// False when it is no IPv4 address with a port.
static inline bool read_address(const char *text, struct sockaddr_in *address)
{
    char host[16];
    unsigned port;
    *address = (struct sockaddr_in){ .sin_family = AF_INET };
    if (sscanf(text, "%15[0-9.]:%u", host, &port) != 2 || port == 0 || port > 65535)
        return false;
    address->sin_port = htons((in_port_t)port);
    return inet_pton(AF_INET, host, &address->sin_addr) == 1;
}

// Whether a path can be the format of a number: it holds %d once at most, and no other %.
static inline bool is_path_format(const char *path)
{
    int formats = 0;
    for (; *path; path++) {
        if (*path == '%' && (path[1] != 'd' || ++formats > 1))
            return false;
    }
    return true;
}
