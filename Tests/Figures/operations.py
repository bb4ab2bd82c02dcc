"""What is counted: a connect, updates, batches and frames, on one connection each, and the sizes of what is sent."""

import contextlib
import re
import socket
import statistics
import time
import typing

from counted import PATIENCE, Counted, Counts

# Operations that are counted, and those before them, in which buffers grow to their size.
SAMPLES, WARM_UP = 40, 20
# The same of frames, of which there are 60 a second.
FRAMES, FIRST_FRAMES = 20, 10
# Operations whose system calls are counted.
TRACED = 20
# Few enough that they are one turn and one commit.
LINES = (10, 20)
LINE = "a line of a batch"
# A number of as many digits throughout.
MOTION = b'{"from":100000,"to":900000,"decimals":2,"duration":3600}'
# By what a stream asks for.
VARIANTS = [
    "tickers", "tickers?as=text", "tickers?stamp", "tickers?wheels", "tickers?wheels=continuous", "tickers?wheels=up",
    "tickers?wheels=down", "tickers?wheels=shortest", "tickers?wheels=strip", "tickers?display",
    "tickers?display=parts", "tickers?locale=de-DE", "tickers?as=ndjson", "tickers?as=terminal", "progress",
    "progress?display",
]  # fmt: skip
# What differs from run to run, and how it is counted: identifiers not at all, each number as one digit.
IDENTIFIERS = re.compile(rb'(?m)^id: [^\n]*|^X-Request-ID: [^\r]*|"(?:epoch|stream|now)":"[^"]*"|^[0-9a-f]+(?=\r$)')
# The line with its length, of which each frame has one.
CHUNK = re.compile(rb"(?m)^[0-9a-f]+\r$")
NUMBER = re.compile(rb"\d+(?:\.\d+)?")


class Figure(typing.NamedTuple):
    """What an operation costs. Only the first three are judged."""

    allocations: float
    bytes: float
    # Of the database, a commit; None where they depend on which rows share a page, or nothing is committed.
    pages: int | None
    mean: Counts
    switches: float
    system_calls: float | None


def size(text: bytes) -> int:
    """The bytes of an answer or a frame that are the same in each run."""
    return len(NUMBER.sub(b"0", IDENTIFIERS.sub(b"", text)))


def usual_least(counts: typing.Iterable[int]) -> int:
    """The least count that a tenth of the samples have. The others have it too, and beside it what comes by the clock or
    now and then: free space is returned four times a second, a buffer grows, a page of the database is full."""
    found = sorted(counts)
    return next((count for count in found if found.count(count) >= len(found) / 10), found[0])


class Connection:
    """One connection, with what has come on it."""

    def __init__(self, program: Counted):
        self.socket = socket.create_connection(("127.0.0.1", program.server.port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.text = b""

    def close(self):
        self.socket.close()

    def send(self, method: str, path: str, body: bytes = b""):
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n"
        if body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        self.socket.sendall(head.encode() + b"\r\n" + body)

    def receive(self):
        piece = self.socket.recv(1 << 16)
        if not piece:
            raise ConnectionError(f"the server closed the connection after {self.text[-200:]}")
        self.text += piece

    def receive_rest(self):
        """What has come already."""
        self.socket.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                self.receive()
        self.socket.settimeout(PATIENCE)

    def drain(self) -> bytes:
        text, self.text = self.text, b""
        return text

    def post(self, path: str, body: bytes) -> bytes:
        """Its answer."""
        self.send("POST", path, body)
        while b"\r\n\r\n" not in self.text:
            self.receive()
        end = self.text.index(b"\r\n\r\n") + 4 + int(re.search(rb"Content-Length: (\d+)", self.text)[1])
        while len(self.text) < end:
            self.receive()
        answer = self.drain()
        if not answer.startswith(b"HTTP/1.1 20"):
            raise RuntimeError(answer)
        return answer


def figure(samples: list[Counts], sizes: list[int], system_calls: int | None = None, choose=usual_least) -> Figure:
    return Figure(
        choose([sample.allocations for sample in samples]), statistics.mode(sizes), None,
        Counts(*(statistics.mean(values) for values in zip(*samples, strict=True))),
        statistics.median(sample.switches for sample in samples),
        None if system_calls is None else system_calls / TRACED,
    )  # fmt: skip


def posts(program: Counted, path: str, body: typing.Callable[[int], bytes], judges_pages: bool) -> Figure:
    """An update or a batch at a time, each begun when the program has done all of the one before."""
    connection = Connection(program)
    numbers = iter(range(100_000, 1_000_000))
    for _ in range(WARM_UP):
        connection.post(path, body(next(numbers)))
    samples, sizes, before = [], [], program.rest()
    for _ in range(SAMPLES):
        sizes.append(size(connection.post(path, body(next(numbers)))))
        after = program.rest()
        samples.append(after.since(before))
        before = after
    system_calls = program.system_calls(lambda: [connection.post(path, body(next(numbers))) for _ in range(TRACED)])
    connection.close()
    pages = usual_least(sample.pages for sample in samples) if judges_pages else None
    return figure(samples, sizes, system_calls)._replace(pages=pages)


def update(program: Counted) -> Figure:
    return posts(program, "/v1/tickers/update", lambda number: b'{"to":%d,"duration":0}' % number, True)


def motion(program: Counted) -> Figure:
    return posts(program, "/v1/tickers/motion", lambda number: b'{"to":%d,"duration":3600}' % number, True)


def batch(program: Counted, lines: int) -> Figure:
    def body(number: int) -> bytes:
        return b"\n".join(b'{"ticker":"line-%02d","to":%d,"duration":0}' % (line, number) for line in range(lines))

    # A row of the journal is a third of a page: how many pages are written depends on the rows before.
    return posts(program, "/v1/batch", body, False)


def line(short: Figure, long: Figure) -> Figure:
    """What each further line of a batch costs."""
    def each(less, more):
        return (more - less) / (LINES[1] - LINES[0])

    traced = None if long.system_calls is None else each(short.system_calls, long.system_calls)
    return Figure(
        each(short.allocations, long.allocations), each(short.bytes, long.bytes), None,
        Counts(*map(each, short.mean, long.mean)), each(short.switches, long.switches), traced)  # fmt: skip


def connect(program: Counted) -> Figure:
    """A connection, its request for a stream, and the stream up to its first frame; not its end."""
    program.server.post("ticker:rest", to=100_000, duration=0)
    open_before = program.descriptors

    def open_stream() -> Connection:
        stream = Connection(program)
        stream.send("GET", "/v1/tickers/rest/events")
        while not re.search(rb"\r\ndata: [^\n]*\n\n", stream.text):
            stream.receive()
        return stream

    def open_streams():
        streams = [open_stream() for _ in range(TRACED)]
        for stream in streams:
            stream.close()

    samples, sizes = [], []
    open_streams()
    program.until_closed(open_before)
    for _ in range(SAMPLES):
        before = program.rest()
        stream = open_stream()
        samples.append(program.rest().since(before))
        stream.receive_rest()
        sizes.append(size(stream.text))
        stream.close()
        program.until_closed(open_before)
    system_calls = program.system_calls(open_streams)
    program.until_closed(open_before)
    return figure(samples, sizes, system_calls)


def frames(program: Counted, variant: str) -> Figure:
    """A frame at a time of one that moves, between moments at which the program has sent what it made."""
    kind, _, options = variant.partition("?")
    stream = Connection(program)
    stream.send("GET", f"/v1/{kind}/moving/events?{options}")
    for _ in range(FIRST_FRAMES):
        stream.receive()
    samples, sizes, before = [], [], None
    end = time.monotonic() + PATIENCE
    while len(samples) < FRAMES:
        if time.monotonic() > end:
            raise TimeoutError(f"{variant}: only {len(samples)} of {FRAMES} frames came alone within {PATIENCE} s")
        stream.drain()
        stream.receive()
        after = settled(program, stream)
        frame = stream.drain()
        # Where the machine has no time for this, several come at once.
        if before and len(CHUNK.findall(frame)) == 1:
            samples.append(after.since(before))
            sizes.append(size(frame))
        before = after
    stream.close()
    # Beside load, what was sent may come only in the next sample, whose frame then cost nothing.
    return figure(samples, sizes, choose=statistics.mode)


def settled(program: Counted, stream: Connection) -> Counts:
    """The counts at a moment at which the program is quiet and all that it sent has been received."""
    while True:
        counts = program.quiet()
        known = len(stream.text)
        stream.receive_rest()
        if len(stream.text) == known:
            return counts


def measure(program: Counted) -> dict[str, Figure]:
    """By name."""
    found = {"a connect": connect(program), "a POST": update(program), "a POST of a motion": motion(program)}
    short, long = (batch(program, lines) for lines in LINES)
    found[f"a batch of {LINES[0]} lines"], found[f"a batch of {LINES[1]} lines"] = short, long
    found[LINE] = line(short, long)
    connection = Connection(program)
    for kind in ("tickers", "progress"):
        body = MOTION if kind == "tickers" else MOTION.replace(b'"to"', b'"maximum":1000000,"current"')
        connection.post(f"/v1/{kind}/moving", body)
    connection.close()
    for variant in VARIANTS:
        found[f"a frame of {variant}"] = frames(program, variant)
    return found
