"""A client that listens: it goes away and comes back with the id that it heard last, and keeps each named event."""

import collections
import http.client
import json
import threading
import time
import typing

from server import HOST, Server

KINDS = ("ticker", "progress", "schedule", "notification")
# What is told one stream alone; everything else with a name has an id.
OF_ONE_STREAM = ("hello", "heartbeat", "reset", "bye", "limit", "rate")
RETRY_SECONDS = 0.02


class Event(typing.NamedTuple):
    number: int
    name: str
    text: str
    epoch: str

    @property
    def data(self) -> dict:
        return json.loads(self.text)

    @property
    def topic(self) -> tuple[str, str] | None:
        """What it is about; None where that is every schedule."""
        data = self.data
        return next(((kind, data[kind]) for kind in KINDS if kind in data), None)


class Reader(threading.Thread):
    """Listens to topics until it is told to end."""

    def __init__(self, server: Server, topics: dict[str, list[str]], token: str, once=False):
        super().__init__(daemon=True)
        self.server, self.topics, self.token, self.once = server, topics, token, once
        self.events: list[Event] = []
        self.last = self.wrong = self.connection = None
        self.greetings, self.resets = 0, []
        # What it received and receives again, and how often that happened.
        self.retracted: list[Event] = []
        self.retractions = 0
        self.is_ending, self.has_ended = False, False
        self.present = threading.Event()
        self.present.set()
        self.start()

    def hears(self, event: Event) -> bool:
        """Whether its topics have it."""
        if not event.topic:
            return False
        kind, name = event.topic
        return any(
            name == topic or topic.endswith("*") and name.startswith(topic[:-1]) for topic in self.topics.get(kind, [])
        )

    def go_away(self):
        self.present.clear()
        if (connection := self.connection) and connection.sock:
            connection.sock.shutdown(2)

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
            self._take(name, data, identifier)
            if self.once and name == "complete":
                self.has_ended = True
            if self.is_ending or not self.present.is_set():
                self.connection.close()
                return

    def _take(self, name: str, data: str, identifier: str | None):
        if identifier:
            self.last = identifier
        if name == "hello":
            self.greetings += 1
        if name == "reset":
            self.resets.append(data)
        if name in OF_ONE_STREAM or not name:
            return
        assert identifier, f"{name} without an id: {data}"
        epoch, _, number = identifier.rpartition("-")
        event = Event(int(number), name, data, epoch)
        last = self.events[-1] if self.events else None
        if last and last.epoch != epoch and event.number <= last.number:
            self._retract(event.number)
        else:
            assert not last or event.number > last.number, f"{event} after {last}"
        self.events.append(event)

    def _retract(self, first: int):
        """What a server sent last and had not stored when it was killed is sent again, under numbers of another epoch."""
        self.retracted += [event for event in self.events if event.number >= first]
        self.events = [event for event in self.events if event.number < first]
        self.retractions += 1
        kills = self.server.kills
        assert self.retractions <= kills, f"taken back {self.retractions} times, and it was killed {kills} times"


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
