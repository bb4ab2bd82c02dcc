"""A server that plays one scenario of streams.json to a client, and finds fault with what the client does."""

import http.client
import io
import json
import socket
import struct
import threading
import time
import urllib.parse
from collections.abc import Callable

# Seconds within which a client must do what comes next.
PATIENCE = 60.0
# Timers of some systems fire a moment early.
EARLY = 0.01
HEAD_BYTES = 65_536
TOPIC_KINDS = ("ticker", "progress", "schedule", "notification")


def encoded(event: dict, is_ndjson: bool) -> bytes:
    """An event as a server sends it."""
    fields = {name: event[name] for name in ("event", "id", "retry", "data") if name in event}
    if is_ndjson:
        return json.dumps(fields, ensure_ascii=False).encode() + b"\n"
    if fields["event"] == "frame":
        del fields["event"]
    fields["data"] = json.dumps(fields["data"], ensure_ascii=False)
    return "".join(f"{name}: {value}\n" for name, value in fields.items()).encode() + b"\n"


def cut(bytes_: bytes, is_ndjson: bool) -> bytes:
    """An event without its end: an event lacks its empty line, a line its bracket too."""
    return bytes_[:-3] if is_ndjson else bytes_[:-1]


class Request:
    """What a client asked for, in the address, in headers or in a body."""

    def __init__(self, connection: socket.socket):
        data = bytearray()
        while b"\r\n\r\n" not in data:
            piece = connection.recv(4096)
            if not piece or len(data) > HEAD_BYTES:
                raise ConnectionError("no whole request came")
            data += piece
        head, _, body = bytes(data).partition(b"\r\n\r\n")
        first, _, rest = head.partition(b"\r\n")
        self.method, target, _ = first.decode().split(" ")
        self.headers = http.client.parse_headers(io.BytesIO(rest + b"\r\n\r\n"))
        while len(body) < int(self.headers["Content-Length"] or 0):
            piece = connection.recv(4096)
            if not piece:
                raise ConnectionError("no whole body came")
            body += piece
        self.path, _, query = target.partition("?")
        self.query = urllib.parse.parse_qs(query)
        self.body = json.loads(body) if body else {}

    @property
    def is_ndjson(self) -> bool:
        return self.query.get("as") == ["ndjson"] or "application/x-ndjson" in (self.headers["Accept"] or "")

    @property
    def last_event_id(self) -> str | None:
        asked = self.query.get("lastEventId") or self.query.get("lastEventID") or [None]
        return asked[0] or self.headers["Last-Event-ID"] or self.body.get("lastEventID")

    @property
    def topics(self) -> list[str]:
        parts = [self.query, self.body, *self.body.get("parts", [])]
        return sorted(f"{kind}:{name}" for part in parts for kind in TOPIC_KINDS for name in part.get(kind, []))


class Server:
    """Plays a scenario on a port of its own.

    It ends a connection only when the client has passed on what came before, so that no end overtakes an event:
    `wait_for_items` is called with the items that the client yields until then.
    """

    def __init__(self, scenario: dict, wait_for_items: Callable[[list[dict]], None]):
        self.scenario = scenario
        self.wait_for_items = wait_for_items
        # What the client did wrong, a sentence each.
        self.faults: list[str] = []
        self.port = 0
        self.listener = self._listen()
        self.port = self.listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        # When the connection before ended.
        self.ended: float | None = None
        self.is_closed = False
        self.thread = threading.Thread(target=self._play, daemon=True)
        self.thread.start()

    def close(self):
        """Ends the server, when the client has ended."""
        self.is_closed = True
        # A connection of its own wakes the thread.
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            pass
        self.thread.join(PATIENCE)
        self.listener.close()

    def _listen(self) -> socket.socket:
        return socket.create_server(("127.0.0.1", self.port), reuse_port=False)

    def _play(self):
        connections = self.scenario["connections"]
        for index, connection in enumerate(connections):
            if connection["end"] == "none":
                # An attempt that is refused can't be observed here.
                time.sleep(connection["seconds"])
                self.listener = self._listen()
                continue
            peer = self._accept(f"connection {index + 1}")
            if peer is None:
                return
            with peer:
                try:
                    self._answer(peer, index, connection)
                except (OSError, http.client.HTTPException, ValueError) as error:
                    self.faults.append(f"connection {index + 1}: {error!r}")
        while not self.is_closed:
            peer = self._accept("")
            if peer and not self.is_closed:
                self.faults.append("a request came after the last one")
            if peer:
                peer.close()

    def _accept(self, what: str) -> socket.socket | None:
        self.listener.settimeout(0 if self.is_closed else PATIENCE)
        try:
            peer, _ = self.listener.accept()
        except (TimeoutError, BlockingIOError):
            if what:
                self.faults.append(f"{what} doesn't come")
            return None
        if self.is_closed and what:
            peer.close()
            self.faults.append(f"{what} doesn't come")
            return None
        peer.settimeout(PATIENCE)
        # Some clients connect before they have a request; some close such a connection unused.
        try:
            is_used = bool(peer.recv(1, socket.MSG_PEEK))
        except OSError:
            is_used = False
        if not is_used:
            peer.close()
            return None if self.is_closed else self._accept(what)
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return peer

    def _answer(self, peer: socket.socket, index: int, connection: dict):
        came = time.monotonic()
        request = Request(peer)
        self._check(request, connection, came, f"connection {index + 1}")
        answer = connection["answer"]
        is_refused_next = any(one["end"] == "none" for one in self.scenario["connections"][index + 1:index + 2])
        if answer["status"] != 200:
            self.ended = time.monotonic()
            peer.sendall(self._head(answer, answer.get("body")) + answer.get("body", "").encode())
            return
        kind = "application/x-ndjson" if request.is_ndjson else "text/event-stream"
        peer.sendall(self._head({"status": 200, "headers": {"Content-Type": kind}}, None))
        self._send(peer, connection, request.is_ndjson)
        # Both `bye` and silence end a connection by the client.
        self.ended = time.monotonic()
        if connection["end"] == "silence":
            self._await_close(peer, connection, f"connection {index + 1}")
            return
        self.wait_for_items(self._items_until_end(index))
        if connection["events"][-1]["event"] != "bye":
            self.ended = time.monotonic()
        if is_refused_next:
            self.listener.close()
        self._end(peer, connection["end"])

    def _check(self, request: Request, connection: dict, came: float, what: str):
        if request.path != "/v1/events":
            self.faults.append(f"{what} asks for {request.path}")
        if request.topics != sorted(self.scenario["topics"]):
            self.faults.append(f"{what} asks for the topics {request.topics}")
        if request.last_event_id != connection["lastEventID"]:
            self.faults.append(f"{what} has the id {request.last_event_id}, not {connection['lastEventID']}")
        token = self.scenario.get("token")
        if request.headers["Authorization"] != (f"Bearer {token}" if token else None):
            self.faults.append(f"{what} has another token")
        least = connection.get("after", {}).get("atLeast", 0)
        if self.ended is not None and came - self.ended < least - EARLY:
            self.faults.append(f"{what} comes after {came - self.ended:.3f} s, not {least} s")

    @staticmethod
    def _head(answer: dict, body: str | None) -> bytes:
        status = answer["status"]
        headers = {"Connection": "close", **answer.get("headers", {})}
        if body is not None:
            headers["Content-Length"] = str(len(body.encode()))
        elif status != 204:
            headers["Transfer-Encoding"] = "chunked"
        lines = [f"HTTP/1.1 {status} {http.client.responses[status]}", *(f"{n}: {v}" for n, v in headers.items())]
        return "\r\n".join([*lines, "", ""]).encode()

    @staticmethod
    def _send(peer: socket.socket, connection: dict, is_ndjson: bool):
        events = connection["events"]
        for index, event in enumerate(events):
            # The time between events is part of the scenario.
            time.sleep(event.get("delay", 0))
            data = encoded(event, is_ndjson)
            if connection["end"] == "cut" and index == len(events) - 1:
                data = cut(data, is_ndjson)
            size = connection.get("pieces", len(data))
            for start in range(0, len(data), size):
                piece = data[start:start + size]
                peer.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))

    def _items_until_end(self, index: int) -> list[dict]:
        """What the client yields before the connection of an index ends."""
        items, ends = [], 0
        for item in self.scenario["items"]:
            if item["item"] == "disconnected":
                ends += 1
                if ends > index:
                    break
            items.append(item)
        return items

    def _await_close(self, peer: socket.socket, connection: dict, what: str):
        began = time.monotonic()
        try:
            while peer.recv(4096):
                pass
        except ConnectionError:
            pass
        except TimeoutError:
            self.faults.append(f"{what} is silent, and not closed in {PATIENCE} s")
            return
        held, least = time.monotonic() - began, connection.get("heldFor", {}).get("atLeast", 0)
        if held < least:
            self.faults.append(f"{what} is closed after {held:.3f} s of silence, not {least} s")

    @staticmethod
    def _end(peer: socket.socket, end: str):
        if end == "reset":
            # Closing then resets the connection.
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif end == "close":
            try:
                peer.sendall(b"0\r\n\r\n")
            except ConnectionError:
                pass  # after `bye` the client closes, too
