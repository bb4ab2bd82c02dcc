"""A client that does nothing wrong, in a process of its own: what others do to it is what an attack is measured by.

It posts every 50 ms on a connection of its own, and reads one 60 Hz stream. `honest.py PORT` runs until its input ends,
then prints when each answer and frame came.
"""

import itertools
import json
import re
import socket
import subprocess
import sys
import threading
import time

PERIOD = 0.05
# Its first answers and frames are a young server's, and don't count.
WARM_UP = 0.3
PATIENCE = 60


class Client:
    def __init__(self, port):
        self.port, self.stop = port, threading.Event()
        self.posts, self.frames, self.failures = [], [], []

    def exchange(self, path, body):
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as bare:
            bare.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            head = (
                f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            bare.sendall(head.encode() + body)
            got = b""
            while piece := bare.recv(65536):
                got += piece
        return int(got.split(b" ", 2)[1])

    def post(self):
        count = 0
        while not self.stop.is_set():
            count += 1
            start = time.monotonic()
            try:
                status = self.exchange("/v1/tickers/honest", b'{"to":%d,"duration":0.5}' % count)
                if status != 202:
                    self.failures.append([start, f"POST {status}"])
            except (OSError, IndexError, ValueError) as error:
                self.failures.append([start, f"POST {error!r}"[:80]])
            self.posts.append([start, time.monotonic() - start])
            self.stop.wait(max(0, PERIOD - (time.monotonic() - start)))

    def read(self):
        while not self.stop.is_set():
            try:
                self.read_stream()
            except OSError as error:
                self.failures.append([time.monotonic(), f"stream {error!r}"[:80]])
                self.stop.wait(0.2)

    def read_stream(self):
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as bare:
            bare.sendall(b"GET /v1/tickers/honest-frames/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            bare.settimeout(0.5)
            tail = b""
            while not self.stop.is_set():
                try:
                    piece = bare.recv(65536)
                except TimeoutError:
                    continue
                if not piece:
                    raise ConnectionError("ended")
                if re.search(rb"(^|\n)data: \{\"ticker", tail + piece):
                    self.frames.append(time.monotonic())
                tail = piece[-20:]

    def run(self):
        self.exchange("/v1/tickers/honest-frames", b'{"from":0,"to":1000000000,"duration":36000,"decimals":2}')
        threads = [threading.Thread(target=work, daemon=True) for work in (self.post, self.read)]
        for thread in threads:
            thread.start()
        print("ready", flush=True)
        sys.stdin.read()
        ended = time.monotonic()
        # A POST that hangs now counts as long as it has hung by then.
        self.stop.set()
        for thread in threads:
            thread.join(2)
        json.dump({"posts": self.posts, "frames": self.frames, "failures": self.failures, "ended": ended}, sys.stdout)


def part(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] if values else 0.0


class Figures:
    """What the client saw in a span of time, in milliseconds."""

    def __init__(self, record, start, end, without=()):
        def outside(moment):
            return not any(first <= moment <= last for first, last in without)

        inside = [[at, took] for at, took in record["posts"] if start - took <= at <= end and outside(at)]
        posts = [took * 1000 for at, took in inside]
        # The last answer may never have come: since then it hangs.
        answered = max([at + took for at, took in record["posts"]], default=start)
        silent = max(0.0, min(end, record["ended"]) - max(answered, start)) * 1000
        frames = [at for at in record["frames"] if start <= at <= end]
        edges = [start, *frames, end]
        pairs = itertools.pairwise(edges)
        gaps = [(later - sooner) * 1000 for sooner, later in pairs if outside(sooner) and outside(later)]
        self.post_p50, self.post_p99 = part(posts, 0.5), part(posts, 0.99)
        self.post_max = max([*posts, silent])
        self.gap_p99, self.gap_max = part(gaps, 0.99), max([*gaps, 0.0])
        self.frames_per_second = len(frames) / max(end - start, 0.001)
        self.failures = [what for at, what in record["failures"] if start <= at <= end and outside(at)]

    @property
    def freeze(self):
        """The longest that the client waited for an answer or a frame."""
        return max(self.post_max, self.gap_max)

    def __str__(self):
        return (
            f"POST p99 {self.post_p99:.1f} max {self.post_max:.0f} ms, "
            f"frame gap p99 {self.gap_p99:.1f} max {self.gap_max:.0f} ms, {self.frames_per_second:.0f} frames/s"
        )


class Honest:
    """The client beside an attack: `quiet` is what it saw before `fire`, `fired` what it saw from then on."""

    def __init__(self, port, quiet=1.0):
        command = [sys.executable, __file__, str(port)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()
        self.start = time.monotonic() + WARM_UP
        # What is measured is a server that nobody attacks, in that time.
        time.sleep(WARM_UP + quiet)
        self.fire = time.monotonic()

    def mark(self):
        """From now on it counts as under fire: what was prepared before doesn't."""
        self.fire = time.monotonic()

    def finish(self, without=()):
        """Ends it; `without` are spans that don't count."""
        end = time.monotonic()
        text, _ = self.process.communicate("", timeout=30)
        record = json.loads(text)
        self.quiet = Figures(record, self.start, self.fire)
        self.fired = Figures(record, self.fire, end, without)
        return self.fired

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            pipe.close()


if __name__ == "__main__":
    Client(int(sys.argv[1])).run()
