// libsystemd for a service: the sockets that it inherits, and its notifications to the service manager. The library is loaded
// when a service manager has announced itself: five others come with it, and each command of the client would wait for them.

#pragma once

#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <systemd/sd-daemon.h>

// The first inherited descriptor; the header has it as a macro with a cast.
static inline int tweencast_first_listener(void) { return SD_LISTEN_FDS_START; }

// A function of the library; NULL if it isn't installed.
static inline void *tweencast_systemd_function(const char *name)
{
    void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, name) : NULL;
}

// sd_listen_fds(3), which removes the variables that it read; -ELIBACC without the library.
static inline int tweencast_take_listeners(void)
{
    if (!getenv("LISTEN_FDS"))
        return 0;
    __typeof__(sd_listen_fds) *listen_fds = tweencast_systemd_function("sd_listen_fds");
    return listen_fds ? listen_fds(1) : -ELIBACC;
}

// Whether a descriptor is a TCP socket that listens.
static inline int tweencast_is_listener(int descriptor)
{
    __typeof__(sd_is_socket) *is_socket = tweencast_systemd_function("sd_is_socket");
    return is_socket && is_socket(descriptor, AF_UNSPEC, SOCK_STREAM, 1) > 0;
}

// sd_notify(3); does nothing without a service manager.
static inline int tweencast_notify(const char *state)
{
    if (!getenv("NOTIFY_SOCKET"))
        return 0;
    __typeof__(sd_notify) *notify = tweencast_systemd_function("sd_notify");
    return notify ? notify(0, state) : -ELIBACC;
}

// Microseconds of the watchdog's interval; 0 if there is none.
static inline uint64_t tweencast_watchdog_interval(void)
{
    uint64_t interval = 0;
    if (!getenv("WATCHDOG_USEC"))
        return 0;
    __typeof__(sd_watchdog_enabled) *watchdog_enabled = tweencast_systemd_function("sd_watchdog_enabled");
    return watchdog_enabled && watchdog_enabled(0, &interval) > 0 ? interval : 0;
}
