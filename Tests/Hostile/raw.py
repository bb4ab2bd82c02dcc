"""Raw fuzz: bytes on sockets that hardly any HTTP client would send, beside one that does nothing wrong.

    raw.py [--binary PATH] [--seed N] [--requests N] [--patience N]

Nothing may end the process or make it say 5xx (but 501 and 505, and 503 with Retry-After); the honest client is served
all the while; and when all have left, as many descriptors are open as before.
"""

import argparse
import random
import re
import select
import socket
import struct
import sys
import time

from program import raise_descriptor_limit
import tested
from replay import add_seed, replay
from scenario import until
from target import Attacker, Failure, Target

CONNECTIONS = 48
# A connection on which nothing more is expected is left after this long.
LINGER = 0.3
# The library's own answer where a chunk's extension finds no room beside a large head: no request of ours yet, and none
# that anybody else sends.
LIBRARY_OUT_OF_ROOM = b"GNU libmicrohttpd documentation about connection management"
# As long it goes on before it lets others have it quiet.
TURN = 1.0
# As often the honest client asks, and it is looked at whether all still holds.
HONEST_SECONDS = 0.2
RESET = struct.pack("ii", 1, 0)
METHODS = [b"GET", b"POST", b"PUT", b"DELETE", b"HEAD", b"OPTIONS"]
ODD_METHODS = [b"PATCH", b"TRACE", b"CONNECT", b"get", b"G\x00T", b"", b"A" * 300, b"PRI", b"\xff\xfe", b"GET GET"]
IDS = [
    b"a", b"b1", b"%61", b"%00", b"a%00b", b"..", b"%2e%2e", b"%2F", b"a/b", b"%c3%a9", b"\xc3\xa9", b"%ff", b"a" * 128,
    b"a" * 129, b"*", b"a*", b"%2A", b".", b"~", b"a%", b"%4", b"%zz", b"pause", b"resume", b"", b"\xe2\x80\xa8",
    b"a b", b"a+b", b"events", b"a;b", b"a?b", b"a#b", b"%0d%0aX:%20y",
]  # fmt: skip
PATHS = [
    b"/", b"/index.html", b"/../../etc/passwd", b"/js/../../etc/passwd", b"/%2e%2e/%2e%2e/etc/passwd",
    b"/js/%2e%2e%2findex.html", b"//", b"///etc/passwd", b"/v1", b"/v1/", b"/v1/tickers", b"/v1/tickers/",
    b"/v1/schedules/pause", b"/v1/schedules/resume", b"/v1/schedules", b"/v1/batch", b"/v1/clients",
    b"/v1/webhooks/failed", b"/v1/webhooks", b"/metrics", b"/healthz", b"/readyz", b"/openapi.yaml", b"*",
    b"/asyncapi.yaml",
    b"http://127.0.0.1/v1/tickers/a", b"http://evil.example/v1/tickers/a", b"https://127.0.0.1/v1/tickers",
    b"127.0.0.1:80", b"", b"\x00", b"/\x01\x02", b"/index.html%00.png", b"/js/", b"/.git/config", b"/v1/events",
]  # fmt: skip
PLACES = [b"/v1/tickers/", b"/v1/progress/", b"/v1/schedules/"]
KEYS = [
    b"ticker", b"progress", b"schedule", b"notification", b"fps", b"as", b"mode", b"once", b"stamp", b"wheels",
    b"display", b"lastEventID", b"x", b"TICKER", b"tic%6ber", b"limit", b"after", b"preview",
]  # fmt: skip
VALUES = [
    b"*", b"a*", b"**", b"1", b"60", b"0.5", b"1e308", b"1e-300", b"nan", b"inf", b"-1", b"0x10", b"text", b"json",
    b"motion", b"up", b"frames", b"odometer", b"continuous", b"down", b"shortest", b"true", b"0", b"1a-5",
    b"x-9223372036854775807", b"0-0", b"1000", b"x-99999999999999999999", b"%0d%0aid:%201", b"\xff", b"1001",
    b"18446744073709551616", b"+5", b"%",
]  # fmt: skip
HEADERS = [
    b"Accept: text/event-stream", b"Origin: null", b"Origin: http://evil.example", b"Content-Type: application/json",
    b"Content-Type: text/plain", b"Content-Type: multipart/form-data; boundary=x",
    b"Content-Type: application/x-www-form-urlencoded", b"Idempotency-Key: k1", b"Idempotency-Key: " + b"k" * 300,
    b"Idempotency-Key:", b'If-Match: "1"', b"If-Match: *", b'If-Match: ""', b'If-Match: "99999999999999999999"',
    b'If-Match: W/"1"', b"Last-Event-ID: 1-1", b"Last-Event-ID: \xff\xfe", b"X: a\r\n\tb",
    b"Last-Event-ID: a-9223372036854775807", b"Connection: close", b"Connection: upgrade", b"Upgrade: websocket",
    b"Upgrade: h2c", b"HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA", b"Expect: 100-continue", b"Expect: 200-ok",
    b"X: " + b"y" * 9000, b"X\x00Y: z", b": novalue", b"NoColon", b" folded: x", b"X: a\r\n b",
    b'Cookie: a=b; c; =d; "', b"Host: evil.example", b"Host: ", b"Host : a", b"Host: 127.0.0.1:1", b"host: [::1]",
    b"Range: bytes=0-1", b"TE: trailers", b"Trailer: X", b"If-None-Match: *", b"\xff\xff: \xff",
    b"X-Forwarded-For: 1.2.3.4", b"X: " + b"z" * 40000, b"Authorization: Basic " + b"A" * 500,
    b"Sec-Fetch-Site: cross-site",
]  # fmt: skip
BODIES = [
    b"{}", b'{"to":1}', b'{"to":7,"duration":0}', b'{"current":5}', b'{"fraction":0.5}', b'{"rate":2}', b"[", b"\x00",
    b"to=5&x=1", b'{"in":0.01,"do":[{"notify":"n"}]}', b'{"to":1}\n{"ticker":"a","to":2}\n',
    b'{"ticker":"a","to":2}\n\xff\n', b"a" * 70000, b'{"ticker":["a","b*"]}', b"a" * 300000, b"--x\r\n\r\n--x--",
]  # fmt: skip
LENGTHS = [
    b"-1", b"+5", b"abc", b"18446744073709551616", b"9223372036854775807", b"9999999999", b"0x10", b"5, 5", b" ",
    b"1e3", b"5 5", b"00000000000000000005", b"",
]  # fmt: skip
CODINGS = [
    b"gzip", b"identity", b"gzip, chunked", b"CHUNKED", b"chunked, chunked", b"xchunked", b"\x0bchunked",
    b"chunked;a=b", b"",
]  # fmt: skip
BAD_CHUNKS = [
    b"f" * 17 + b"\r\n", b"-5\r\n", b"zz\r\n", b"5\r\nab\r\n", b"ffffffff\r\n", b"\r\n", b"5\nab", b"0x5\r\n",
    b"5 ;\r\nhello",
]  # fmt: skip
VERSIONS = [
    b"HTTP/1.0", b"HTTP/0.9", b"HTTP/2.0", b"HTTP/9.9", b"http/1.1", b"", b"HTTP/1.1 x", b"HTTP/1." + b"1" * 50,
    b"HTTP/1.2",
]  # fmt: skip


class Bytes:
    """Requests as bytes, well formed, odd and broken; with lines of headers that go on on the next one, or without."""

    def __init__(self, seed, folds=True):
        self.chance, self.folds = random.Random(seed), folds

    def one(self, usual, odd=(), share=0.15):
        return self.chance.choice(odd if odd and self.chance.random() < share else usual)

    def query(self) -> bytes:
        count = self.one([1, 2, 3, 8], [60, 200, 215, 250, 1000, 5000], 0.06)
        pairs = (
            self.chance.choice(KEYS) + self.one([b"="], [b"", b"=="]) + self.chance.choice(VALUES + IDS)
            for _ in range(count)
        )
        return b"?" + b"&".join(pairs)

    def path(self) -> bytes:
        kind = self.chance.random()
        if kind < 0.4:
            return self.chance.choice(PATHS)
        if kind < 0.45:
            return b"/" + b"A" * self.chance.choice([100, 1000, 8000, 15000, 17000, 40000, 200000])
        place = self.chance.choice(PLACES) + self.one(IDS[:2], IDS, 0.5)
        if kind < 0.6:
            return place
        if kind < 0.75:
            return (
                place
                + b"/"
                + self.chance.choice(
                    [b"pause", b"seek", b"rate", b"resume", b"cancel", b"finish", b"bogus", b"", b"events?once"]
                )
            )
        return self.chance.choice([b"/v1/events", b"/v1/tickers", place + b"/events"]) + self.query()

    def chunked(self, body) -> bytes:
        pieces, place = [], 0
        while place < len(body):
            size = self.chance.randint(1, max(1, len(body) // 3))
            piece = body[place : place + size]
            pieces.append(
                b"%x%s\r\n%s\r\n" % (len(piece), self.one([b""], [b";ext=1", b" ", b";" + b"e" * 3000]), piece)
            )
            place += size
        tail = (
            b"0\r\n"
            + self.one([b""], [b"X: y\r\n", b"Content-Length: 5\r\n", b"T: " + b"t" * 20000 + b"\r\n"])
            + b"\r\n"
        )
        broken = self.chance.choice(BAD_CHUNKS) if self.chance.random() < 0.2 else b""
        return broken + b"".join(pieces) + tail

    def framed(self, body) -> tuple:
        """The headers that say how long a body is, truly or not, and the body as it is sent."""
        kind = self.chance.random()
        length = b"Content-Length: %d" % len(body)
        if kind < 0.65:
            return [length], body
        if kind < 0.8:
            return [b"Transfer-Encoding: chunked"], self.chunked(body)
        if kind < 0.85:
            return [length, b"Transfer-Encoding: chunked"], self.chance.choice([body, self.chunked(body)])
        if kind < 0.88:
            return [length, self.chance.choice([length, b"Content-Length: 1"])], body
        if kind < 0.95:
            return [b"Content-Length: " + self.chance.choice(LENGTHS)], body
        return [b"Transfer-Encoding: " + self.chance.choice(CODINGS)], body

    def request(self) -> bytes:
        method = self.one(METHODS, ODD_METHODS)
        headers = [b"Host: 127.0.0.1"] if self.chance.random() < 0.93 else []
        headers += [self.chance.choice(HEADERS) for _ in range(self.one([0, 0, 1, 2], [3, 12, 100]))]
        body = b""
        if method in (b"POST", b"PUT") or self.chance.random() < 0.1:
            framing, body = self.framed(self.one(BODIES, [self.chance.randbytes(200), b""]))
            headers += framing
        self.chance.shuffle(headers)
        end = self.one([b"\r\n"], [b"\n", b"\r", b"\n\r"], 0.1)
        start = method + b" " + self.path() + b" " + self.one([b"HTTP/1.1"], VERSIONS)
        data = start + end + b"".join(header + end for header in headers) + end + body
        data = self.mutated(data) if self.chance.random() < 0.12 else data
        return data if self.folds else re.sub(rb"([\r\n])[ \t]+", rb"\1", data)

    def mutated(self, data: bytes) -> bytes:
        data = bytearray(data)
        for _ in range(self.chance.randint(1, 6)):
            place, kind = self.chance.randrange(len(data) + 1), self.chance.random()
            if kind < 0.4:
                data[place : place + 1] = self.chance.randbytes(1)
            elif kind < 0.6:
                del data[place : place + self.chance.randint(1, 9)]
            elif kind < 0.8:
                data[place:place] = self.chance.randbytes(self.chance.randint(1, 5))
            else:
                data[place:place] = data[max(0, place - 20) : place]
        return bytes(data)


class Exchange:
    """One connection: what it sent, what it still sends, and what came."""

    def __init__(self, bare, sent, generation):
        self.bare, self.sent, self.generation = bare, sent, generation
        self.rest, self.got, self.since = b"".join(sent), b"", time.monotonic()
        self.drips = False

    def write(self):
        size = 1 if self.drips else 65536
        try:
            count = self.bare.send(self.rest[:size])
        except BlockingIOError:
            return
        except OSError:
            self.rest = b""
            return
        self.rest = self.rest[count:]
        self.since = time.monotonic()

    def asked(self, number) -> str:
        """The request that an answer belongs to, as far as its number tells; long runs of a byte are cut."""
        request = self.sent[min(number, len(self.sent) - 1)]
        return re.sub(rb"(.)\1{50,}", lambda run: b"%b(%d times)" % (run[1], len(run[0])), request)[:1500]

    def read(self) -> bool:
        """False when nothing more will come."""
        try:
            piece = self.bare.recv(262144)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.got = (self.got + piece)[-200000:]
        return bool(piece)


class RawFuzz(Attacker):
    """Some dozens of connections at a time, until the target is over."""

    def __init__(self, target, seed, folds=True):
        super().__init__(daemon=True)
        self.target, self.bytes = target, Bytes(seed, folds)
        self.exchanges = []

    def attack(self):
        while not self.target.over:
            with self.target.holding():
                end = time.monotonic() + TURN
                while time.monotonic() < end and not self.target.over:
                    self.fill()
                    self.step()
                # Nothing of it is under way when others want it quiet.
                while self.exchanges:
                    self.step()

    def fill(self):
        while len(self.exchanges) < CONNECTIONS and not self.target.down:
            if not self.open():
                # It is on its way up again, or has no place: the next turn tries anew.
                time.sleep(0.02)
                return

    def open(self) -> bool:
        generation, chance = self.target.generation, self.bytes.chance
        requests = [self.bytes.request() for _ in range(chance.choice([1, 1, 1, 2, 4, 10]))]
        self.target.counts["raw requests"] += len(requests)
        try:
            bare = self.target.program.connect(timeout=5)
        except OSError as error:
            if not self.target.expected(generation):
                self.target.fail(f"it takes no connection: {error!r}; {self.target.program.last_words}")
            return False
        bare.setblocking(False)
        exchange = Exchange(bare, requests, generation)
        mode = chance.random()
        exchange.drips = mode > 0.97 and len(exchange.rest) < 400
        if mode < 0.15:
            # Never the whole of it.
            exchange.rest = exchange.rest[: chance.randrange(len(exchange.rest) + 1)]
        exchange.write()
        if mode < 0.05:
            bare.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            bare.close()
        elif 0.15 < mode < 0.2:
            try:
                bare.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            exchange.rest = b""
            self.exchanges.append(exchange)
        else:
            self.exchanges.append(exchange)
        return True

    def step(self):
        waiting = [exchange.bare for exchange in self.exchanges if exchange.rest]
        bares = [exchange.bare for exchange in self.exchanges]
        if not bares:
            return
        readable, writable, _ = map(set, select.select(bares, waiting, [], 0.01))
        now, kept = time.monotonic(), []
        for exchange in self.exchanges:
            if exchange.bare in writable:
                exchange.write()
            goes_on = exchange.bare not in readable or exchange.read()
            if goes_on and now - exchange.since < LINGER:
                kept.append(exchange)
            else:
                self.finish(exchange)
        self.exchanges = kept

    def finish(self, exchange):
        exchange.bare.close()
        # Heads only: a body may quote anything.
        heads = re.finditer(rb"(?:^|[\r\n}])HTTP/1\.[01] (\d{3}) [^\r]*\r\n(.*?)\r\n\r\n", exchange.got, re.DOTALL)
        answered = 0
        for head in heads:
            status = int(head[1])
            self.target.counts[f"raw {status}"] += 1
            later = status == 503 and b"retry-after" in head[2].lower()
            if (
                status >= 500
                and status not in (501, 505)
                and not later
                and not self.target.expected(exchange.generation)
            ):
                said = exchange.got[head.start() : head.end() + 300]
                self.target.fail(f"answered {said}\n    for {exchange.asked(answered)}")
            answered += status >= 200


def served(target):
    """An honest request is answered; a kill meanwhile is no failure."""
    generation = target.generation
    answer = target.program.ask("POST", "/v1/tickers/honest", {"to": time.time()}, timeout=5 * target.patience)
    target.counts["honest"] += 1
    if answer.status != 202 and not target.expected(generation):
        target.hung(f"an honest client is answered {answer.status} after {answer.seconds:.1f} s: {answer.body[:200]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=tested.PROGRAM, type=tested.program)
    add_seed(parser)
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--patience", type=float, default=1.0, help="times longer may anything take: debug builds")
    options = parser.parse_args()
    print(f"raw fuzz of {options.requests} requests, --seed {options.seed}", flush=True)
    raise_descriptor_limit()
    try:
        target = Target(options.binary, patience=options.patience)
    except Failure as failure:
        sys.exit(str(failure))
    served(target)
    base = target.program.open_descriptors
    fuzz = RawFuzz(target, options.seed)
    fuzz.start()
    while target.counts["raw requests"] < options.requests and not target.over:
        time.sleep(HONEST_SECONDS)
        target.look()
        served(target)
    target.over = True
    fuzz.join()
    # A connection that was left open half-way is closed when its time is up.
    if not target.failures and not until(lambda: target.program.open_descriptors <= base + 1, 90, pause=0.5):
        target.fail(f"{target.program.open_descriptors} descriptors are open, and {base} before")
    for failure in target.failures:
        print(f"✘ {failure}")
    print(target.summary(), flush=True)
    target.program.close()
    if target.failures:
        print(replay(options.seed))
    return 1 if target.failures else 0


if __name__ == "__main__":
    sys.exit(main())
