"""What bare sockets can be asked that nobody reads."""

import array
import fcntl
import select
import termios


def unread(bares) -> int:
    """The bytes that have come on all of them and wait to be read."""
    count, total = array.array("i", [0]), 0
    for bare in bares:
        fcntl.ioctl(bare.fileno(), termios.FIONREAD, count)
        total += count[0]
    return total


def answered(bares) -> bool:
    """Whether each has something to read, or has ended."""
    poll = select.poll()
    for bare in bares:
        poll.register(bare, select.POLLIN)
    return len(poll.poll(0)) == len(bares)


def ended(bare) -> bool:
    """Whether the other side has let go of it; an answer such as 408 counts as well."""
    try:
        bare.setblocking(False)
        bare.recv(4096)
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True
