// libsystemd for a service: the sockets that it inherits, and its notifications to the service manager.

#pragma once

#include <systemd/sd-daemon.h>

// The first inherited descriptor; the header has it as a macro with a cast.
static inline int tweencast_first_listener(void) { return SD_LISTEN_FDS_START; }
