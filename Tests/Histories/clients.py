"""Clients that change and read tickers at random replicas, and write down what they asked and were told."""

import collections
import http.client
import itertools
import json
import random
import re
import threading
import time

from history import Operation
from model import Answer, Request, State

HOST = "127.0.0.1"
CLIENTS = 20
TICKERS = 10
# Seconds for which a client waits for an answer, and goes on without: less and more than a replica waits for its store.
PATIENCE = [1, 3, 8]
# Before it asks elsewhere, after a refusal.
PAUSE = 0.02
# So often a request without an answer is sent again under its key before it is given up.
ATTEMPTS = 4
# Requests with a key that others may send again.
KEPT = 12
WITH_KEY = 0.5
AGAIN = 0.08
# What clients do, and how often.
MIX = {
    "read": 34,
    "set": 12,
    "set if": 20,
    "make": 7,
    "add": 14,
    "define": 7,
    "remove": 2,
    "remove if": 4,
}
# Of reads so many ask only for what is newer than they know.
NEWER = 0.3
REVISION = re.compile(r"at revision (\d+)")


class Crowd:
    """All clients, what they share, and their history."""

    def __init__(self, ports, seed, name="t"):
        # Where each replica listens; what the names of tickers begin with.
        self.ports, self.seed, self.name = list(ports), seed, name
        self.operations: list[Operation] = []
        self.answered = 0
        # Requests that are refused for certain, or that nobody received.
        self.refused = 0
        self.errors: list[Exception] = []
        # The newest revision that anybody was told of each ticker.
        self.revisions: dict[str, int] = {}
        self.keyed = collections.deque(maxlen=KEPT)
        self.numbers, self.keys = itertools.count(1), itertools.count()
        self.is_ending = False
        self.clients = [Client(self, number) for number in range(CLIENTS)]

    def start(self):
        for client in self.clients:
            client.start()

    def take(self, one: Operation):
        """Writes down what was answered."""
        self.operations.append(one)
        self.answered += 1
        if one.answer.state:
            self.revisions[one.resource] = one.answer.state.revision

    def end(self):
        self.is_ending = True
        for client in self.clients:
            client.join()
        if self.errors:
            raise self.errors[0]


class Client(threading.Thread):
    """One that waits for each answer before it asks again."""

    def __init__(self, crowd: Crowd, number: int):
        super().__init__(daemon=True)
        self.crowd, self.number = crowd, number
        self.random = random.Random(f"{crowd.seed} {number}")
        self.connections: dict[int, http.client.HTTPConnection] = {}

    def run(self):
        try:
            while not self.crowd.is_ending:
                self._act()
        except Exception as error:  # told in the end, where it can fail the run
            self.crowd.errors.append(error)
        for connection in self.connections.values():
            connection.close()

    def _act(self):
        lot, crowd = self.random, self.crowd
        if crowd.keyed and lot.random() < AGAIN:
            resource, request = lot.choice(list(crowd.keyed))
            self.ask(resource, request)
            return
        resource = f"{crowd.name}{lot.randrange(TICKERS)}"
        request = self._request(resource)
        if request.key:
            crowd.keyed.append((resource, request))
        for _ in range(ATTEMPTS):
            if self.ask(resource, request) or not request.key or crowd.is_ending:
                return

    def _request(self, resource: str) -> Request:
        lot, crowd = self.random, self.crowd
        (what,) = lot.choices(list(MIX), MIX.values())
        known = crowd.revisions.get(resource)
        if what == "read":
            return Request("read", match=known if lot.random() < NEWER else None)
        key = f"{crowd.name}-{next(crowd.keys)}" if lot.random() < WITH_KEY else None
        kind, _, condition = what.partition(" ")
        value = next(crowd.numbers)
        if kind == "make":
            return Request("set", value, is_new=True, key=key)
        if kind == "add":
            value = lot.randrange(1, 10) * 10_000
        if kind == "define":
            value = f" x{value}"
        if kind == "remove":
            value = None
        return Request(kind, value, match=known if condition else None, key=key)

    def ask(self, resource: str, request: Request, replica: int | None = None, is_final=False) -> bool:
        """Whether the answer was told."""
        if replica is None:
            replica = self.random.randrange(len(self.crowd.ports))
        try:
            connection = self._connection(self.crowd.ports[replica])
        except OSError:
            return self._refused()
        one = Operation(self.number, replica, resource, request, time.monotonic(), is_final=is_final)
        method, body, headers = sent(request)
        try:
            connection.request(method, f"/v1/tickers/{resource}", body, headers)
            response = connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException):
            connection.close()
            self.crowd.operations.append(one)
            return False
        end = time.monotonic()
        if response.status in (429, 503, 507):
            if b"not known" in text:
                self.crowd.operations.append(one)
            return self._refused()
        one.end, one.answer = end, understood(request, response, text)
        self.crowd.take(one)
        return True

    def _refused(self) -> bool:
        self.crowd.refused += 1
        time.sleep(PAUSE)
        return False

    def _connection(self, port: int) -> http.client.HTTPConnection:
        if port not in self.connections:
            self.connections[port] = http.client.HTTPConnection(HOST, port, timeout=self.random.choice(PATIENCE))
        if not self.connections[port].sock:
            self.connections[port].connect()
        return self.connections[port]


def sent(request: Request) -> tuple[str, str | None, dict[str, str]]:
    """The method, the body and the headers of a request. Nothing takes time: so each answer is the state that it leaves."""
    headers = {}
    if request.key:
        headers["Idempotency-Key"] = request.key
    if request.is_new:
        headers["If-None-Match"] = "*"
    if request.match is not None:
        headers["If-None-Match" if request.is_read else "If-Match"] = f'"{request.match}"'
    method, body = {
        "read": ("GET", None),
        "remove": ("DELETE", None),
        "define": ("PUT", {"prefix": "", "suffix": request.value}),
        "set": ("POST", {"to": request.value, "duration": 0}),
        "add": ("POST", {"by": request.value, "duration": 0}),
    }[request.kind]
    return method, body and json.dumps(body), headers


def understood(request: Request, response, text: bytes) -> Answer:
    """An answer as the model has it; an error where the contract has no such answer."""
    status = response.status
    is_replay = response.headers["Idempotency-Replayed"] == "true"
    words = "\n".join([str(status), *(f"{response.headers[name]}" for name in ("ETag", "Location", "Content-Type"))])
    words += "\n" + text.decode()
    match status, request.kind:
        case 200, "read":
            return Answer("shown", state(response, text))
        case 304, "read":
            return Answer("same")
        case 404, "read" | "remove":
            return Answer("missing")
        case 412, _ if not request.is_read:
            named = REVISION.search(json.loads(text)["detail"])
            return Answer("unmet", revision=int(named[1]) if named else None)
        case 204, "remove":
            return Answer("removed", is_replay=is_replay, words=words)
        case (202, "set" | "add") | (200 | 201, "define"):
            is_created = "Location" in response.headers
            return Answer("changed", state(response, text), is_created, is_replay, words=words)
    raise AssertionError(f"{request}: {status} {text}")


def state(response, text: bytes) -> State:
    body = json.loads(text)
    found = State(int(body["revision"]), body["target"], body.get("suffix", ""))
    assert response.headers["ETag"] == f'"{found.revision}"', f"{response.headers['ETag']} and {text}"
    assert body["value"] == found.target, f"what takes no time has not ended: {text}"
    return found
