// libsystemd's side of a service: the sockets that it is given, and what it tells whoever started it.

#pragma once

#include <systemd/sd-daemon.h>

// The first descriptor that is given; the header has it as a macro with a cast.
static inline int tweencast_first_listener(void) { return SD_LISTEN_FDS_START; }
