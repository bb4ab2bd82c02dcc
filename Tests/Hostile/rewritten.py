"""Streams whose events the server rewrites: terminals, plain text and lines of JSON. They must not take frames from others,
whatever they ask for and whatever the labels are.

Their reader is a process of its own, which yields to the server: `rewritten.py PORT COUNT PATH [ACCEPT]` reads that many
streams until its input ends.
"""

import os
import select
import socket
import subprocess
import sys
import time

from program import HOST
from scenario import attack, lines

# What is measured is how many frames an honest reader has in this time.
FRAMES_SECONDS = 6
# Of the frames that a reader of a server without such streams has at the same time.
LEAST_SHARE = {False: 0.75, True: 57 / 60}
# Some characters of four scalars each: 2.8 KB.
LONG_LABEL = "0 " + ("e" + 3 * "\u0301") * 400
WIDE = "as=terminal&width=500&height=500"
TABLE = {
    "64 wide terminals": (64, WIDE, None, 498, "0 km"),
    "64 wide terminals, each of another size": (64, "as=terminal&width=%d&height=500", None, 498, "0 km"),
    "64 of plain text": (64, "", "text/plain", 498, "0 km"),
    "64 of lines of JSON": (64, "as=ndjson", None, 498, "0 km"),
    "4 terminals of 10,000 topics": (4, "as=terminal", None, 10000, "0 km"),
    "4 wide terminals with long labels": (4, WIDE, None, 498, LONG_LABEL),
    "1 wide terminal with long labels": (1, WIDE, None, 498, LONG_LABEL),
    "4 of plain text with long labels": (4, "", "text/plain", 498, LONG_LABEL),
    "200 ordinary terminals": (200, "as=terminal", None, 22, "0 km"),
}


class Readers:
    """Streams that are read as fast as they come."""

    def __init__(self, port, count, path, accept):
        command = [sys.executable, __file__, str(port), str(count), path, *([accept] if accept else [])]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()

    def finish(self) -> int:
        """Ends them; returns the bytes that came."""
        text, _ = self.process.communicate("", timeout=30)
        return int(text or 0)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


def beside(run, what):
    """One row of the table: a server with such streams, and beside it one without."""
    count, query, accept, topics, label = TABLE[what]
    program, control = run.start(ephemeral=True), run.start(ephemeral=True)
    motion = {"label": label, "from": 0, "to": 1000000, "duration": 36000, "decimals": 3}
    for first in range(0, topics, 1000):
        batch = lines({"ticker": f"t{number}"} | motion for number in range(first, min(topics, first + 1000)))
        program.ask("POST", "/v1/batch", batch, timeout=60)
    honest, quiet = run.honest(program), run.honest(control)
    readers = run.keep(Readers(program.port, count, f"/v1/events?ticker=t*&{query}", accept))
    run.wait(program, lambda: program.metric("streams") == count + 1, "all streams")
    run.pass_ticks(program)
    honest.mark()
    quiet.mark()
    time.sleep(FRAMES_SECONDS)
    fired, calm = honest.finish(), quiet.finish()
    read = readers.finish()
    run.figure(f"{what}: {fired}; without: {calm}; {read / 1e6:.0f} MB were read")
    share = fired.frames_per_second / max(calm.frames_per_second, 1)
    run.check(share >= LEAST_SHARE[run.strict], f"{what}: honest frames fall to {share:.0%}")
    run.alive(program)
    program.kill()
    control.kill()


@attack("freezes")
def wide_terminals(run):
    """64 terminals of 500 columns and lines, in which nearly all lines change with each tick."""
    beside(run, "64 wide terminals")


@attack("freezes", slow=True)
def rewritten_streams(run):
    """Terminals, plain text and lines of JSON of all that moves; of many topics, with long labels, of many sizes."""
    for what in TABLE:
        beside(run, what)


def connected(port, path, accept):
    bare = socket.create_connection((HOST, port))
    fields = f"Accept: {accept}\r\n" if accept else ""
    bare.sendall(f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\n{fields}\r\n".encode())
    bare.setblocking(False)
    return bare


def read_all(port, count, path, accept):
    os.nice(10)
    poll, streams, total = select.epoll(), {}, 0
    for number in range(count):
        bare = connected(port, path % (100 + 5 * number) if "%d" in path else path, accept)
        streams[bare.fileno()] = bare
        poll.register(bare, select.EPOLLIN)
    poll.register(sys.stdin, select.EPOLLIN)
    print("ready", flush=True)
    while True:
        for descriptor, _ in poll.poll():
            if descriptor == sys.stdin.fileno():
                print(total)
                return
            try:
                piece = streams[descriptor].recv(1 << 18)
            except OSError:
                continue
            total += len(piece)
            if not piece:
                poll.unregister(descriptor)


if __name__ == "__main__":
    read_all(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], (*sys.argv[4:], None)[0])
