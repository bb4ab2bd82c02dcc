"""A client that listens: it goes away and comes back with the id that it heard last, and keeps each named event."""

import collections
import contextlib
import http.client
import threading
import time
import typing

from model import Heard
from server import HOST, Server

RETRY_SECONDS = 0.02


class Reader(Heard, threading.Thread):
    """Listens to topics until it is told to end."""

    def __init__(self, server: Server, topics: dict[str, list[str]], token: str, once=False):
        Heard.__init__(self, topics)
        threading.Thread.__init__(self, daemon=True)
        self.server, self.token, self.once = server, token, once
        self.wrong = self.connection = None
        self.is_ending, self.has_ended = False, False
        self.present = threading.Event()
        self.present.set()
        self.start()

    def go_away(self):
        self.present.clear()
        # Its own thread may close the connection meanwhile.
        with contextlib.suppress(OSError, AttributeError):
            self.connection.sock.shutdown(2)

    def come_back(self):
        self.present.set()

    def end(self):
        self.is_ending = True
        self.go_away()
        self.present.set()
        self.join(20)

    def run(self):
        while not self.is_ending and not self.has_ended:
            self.present.wait()
            try:
                self._listen()
            except (OSError, http.client.HTTPException, AttributeError, ValueError):
                # The server has gone, or this reader: it comes back.
                pass
            except Exception as error:
                self.wrong = f"{self.topics}: {error!r}"
                return
            time.sleep(RETRY_SECONDS)

    def _listen(self):
        self.connection = http.client.HTTPConnection(HOST, self.server.port, timeout=40)
        query = "&".join(f"{kind}={name}" for kind, names in self.topics.items() for name in names)
        headers = {"Authorization": f"Bearer {self.token}"}
        if self.last:
            headers["Last-Event-ID"] = self.last
        self.connection.request("GET", f"/v1/events?{query}&heartbeat=1{'&once' if self.once else ''}", headers=headers)
        answer = self.connection.getresponse()
        if answer.status != 200:
            raise AssertionError(f"{answer.status} for {query}: {answer.read()}")
        for name, data, identifier in _events(answer):
            self.hear(name, data, identifier)
            kills = self.server.kills
            assert self.retractions <= kills, f"taken back {self.retractions} times, and it was killed {kills} times"
            if self.once and name == "complete":
                self.has_ended = True
            if self.is_ending or not self.present.is_set():
                self.connection.close()
                return


def _events(lines) -> typing.Iterator[tuple[str, str, str | None]]:
    """Name, data and id of each event; one that was cut off isn't one."""
    fields = collections.defaultdict(str)
    for raw in lines:
        line = raw.decode().rstrip("\r\n")
        name, _, value = line.partition(":")
        if line:
            fields[name] = value.removeprefix(" ")
        elif fields:
            yield fields["event"], fields["data"], fields.get("id")
            fields.clear()
