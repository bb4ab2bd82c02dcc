"""Ports for servers that can't be asked for the one they were given, or are started again where they were."""

import itertools
import random
import socket

# Below those that the kernel gives to clients and to whoever asks for any (ip_local_port_range): of them another may have
# taken one before its server does, or while that is started again.
RANGE = range(10_000, 32_000)
# Each process begins elsewhere, and is given none twice until all were.
PORTS = itertools.cycle(RANGE)
next(itertools.islice(PORTS, random.randrange(len(RANGE)), None))


def free_port() -> int:
    """A port of the loopback interface that nobody has."""
    return next(port for port in PORTS if _is_free(port))


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # What a server that ended has left of its connections is in nobody's way.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
