"""Readers of streams in every form, who check each event against the grammar and the contract's names."""

import collections
import json
import random
import re
import select
import time

from demands import Requests
from documents import Request
from target import Attacker

STREAMS = 20
UNNUMBERED = {"message", "hello", "heartbeat", "reset", "bye", "rate", "motion", "selftest", "limit"}


def refuse(name):
    raise ValueError(f"{name} is no JSON")


def strict(text):
    return json.loads(text, parse_constant=refuse)


def event_names(contract: str) -> set:
    """The names of the contract's `Events`, by their place in the text."""
    found = re.search(r"^    Events:\n(.*?)(?=^    \w)", contract, re.MULTILINE | re.DOTALL)
    return set(re.findall(r"^        (\w+):", found[1], re.MULTILINE)) if found else set()


class Grammar:
    """One stream as its reader takes it in; `feed` says what is wrong with it."""

    def __init__(self, path, names):
        self.path, self.names = path, names
        self.rest, self.headed, self.status = b"", False, 0
        self.is_chunked = self.has_ended = False
        self.last, self.epoch, self.events = -1, None, 0

    def feed(self, piece):
        self.rest += piece
        if not self.headed:
            if b"\r\n\r\n" not in self.rest:
                return
            head, self.rest = self.rest.split(b"\r\n\r\n", 1)
            self.status, self.headed = int(head.split(b" ", 2)[1]), True
            self.is_chunked = b"\r\nTransfer-Encoding: chunked" in head
        if self.status != 200:
            return
        if self.is_chunked:
            self.take_chunks()
            return
        *events, self.rest = self.rest.split(b"\n\n")
        for event in events:
            self.check(event)

    def take_chunks(self):
        """Each event is a chunk, and nothing follows the last one."""
        while b"\r\n" in self.rest:
            line, rest = self.rest.split(b"\r\n", 1)
            if self.has_ended or not re.fullmatch(rb"0|[1-9a-f][0-9a-f]*", line):
                raise ValueError(f"no length of a chunk: {line[:200]!r}")
            length = int(line, 16)
            if len(rest) < length + 2:
                return
            event, end, self.rest = rest[:length], rest[length : length + 2], rest[length + 2 :]
            if end != b"\r\n" or length and (not event.endswith(b"\n\n") or b"\n\n" in event[:-2]):
                raise ValueError(f"a chunk that is no event: {event[:200]!r}{end!r}")
            self.has_ended = length == 0
            if length:
                self.check(event[:-2])

    def check(self, event):
        fields = collections.defaultdict(list)
        for line in event.decode("utf-8").split("\n"):
            name, colon, value = line.partition(": ")
            if not colon or name not in ("data", "event", "id", "retry") or "\r" in line:
                raise ValueError(f"no line of an event: {line[:200]!r}")
            fields[name].append(value)
        name = fields["event"][0] if fields["event"] else "message"
        if any(len(fields[field]) > 1 for field in ("event", "id", "retry")):
            raise ValueError(f"a field twice: {event[:200]!r}")
        if name not in self.names:
            raise ValueError(f"an event that the contract doesn't know: {name!r}")
        if self.events == 0 and name != "hello":
            raise ValueError(f"begins with {name}")
        self.events += 1
        self.check_number(name, fields["id"])
        if name != "message" or "as=text" not in self.path:
            data = strict("\n".join(fields["data"]))
            if name == "hello":
                self.epoch = data["epoch"]

    def check_number(self, name, identifiers):
        if not identifiers:
            if name not in UNNUMBERED:
                raise ValueError(f"{name} without an id")
            return
        epoch, _, number = identifiers[0].rpartition("-")
        if name in ("hello", "reset"):
            # A place, maybe of another history.
            self.last = int(number)
            return
        if epoch != self.epoch or int(number) <= self.last:
            raise ValueError(f"id {identifiers[0]} after {self.epoch}-{self.last}")
        self.last = int(number)


class Watchers(Attacker):
    """Some dozens of streams, opened and left again; most read on, some dawdle."""

    def __init__(self, target, seed, count=STREAMS):
        super().__init__(daemon=True)
        self.target, self.count = target, count
        self.requests, self.chance = Requests(seed), random.Random(seed)
        contract = target.program.ask("GET", "/openapi.yaml").body.decode()
        self.names = event_names(contract) | {"message"}
        self.streams = {}

    def attack(self):
        while not self.target.over:
            self.open_some()
            for bare in select.select(list(self.streams), [], [], 0.1)[0] if self.streams else ():
                if self.chance.random() > 0.02:
                    self.read(bare)
            now = time.monotonic()
            for bare in [bare for bare, (_, end, _) in self.streams.items() if end < now]:
                self.leave(bare)
        for bare in list(self.streams):
            self.leave(bare)

    def open_some(self):
        if self.target.down or len(self.streams) >= self.count:
            return
        path, headers = self.requests.stream()
        generation = self.target.generation
        fields = dict(header.split(": ", 1) for header in headers)
        self.target.recent_streams.append(Request("GET", path, None, fields))
        try:
            bare = self.target.program.stream(path, headers, timeout=5)
        except (OSError, UnicodeError):
            return
        bare.setblocking(False)
        end = time.monotonic() + self.chance.choice([0.1, 1, 5, 30])
        self.streams[bare] = (Grammar(path, self.names), end, generation)
        self.target.counts["streams"] += 1

    def read(self, bare):
        grammar, _, generation = self.streams[bare]
        try:
            piece = bare.recv(1 << 20)
        except BlockingIOError:
            return
        except OSError:
            piece = b""
        if not piece:
            self.leave(bare)
            return
        before = grammar.events
        try:
            grammar.feed(piece)
        except (ValueError, KeyError, IndexError, UnicodeDecodeError) as error:
            self.target.fail(f"the stream {grammar.path}: {error}")
        if grammar.status >= 500 and not self.target.expected(generation):
            self.target.fail(f"the stream {grammar.path} is answered {grammar.status}")
        self.target.counts["events"] += grammar.events - before

    def leave(self, bare):
        del self.streams[bare]
        bare.close()
