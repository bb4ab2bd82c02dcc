"""Raw streams: the lines of one, as Server-Sent Events or as lines of JSON, with what each says."""

import http.client
import json
import threading
import time
import typing
import urllib.parse

KINDS = ("ticker", "progress")
# Told to one stream, about itself.
OF_THE_STREAM = ("hello", "heartbeat", "reset", "bye", "limit", "rate")
RETRY_SECONDS = 0.02


class Told(typing.NamedTuple):
    """An event or, where `name` is `frame`, a frame; `data` is text where a stream's frames are."""

    at: float
    name: str
    data: typing.Any
    id: str | None = None

    @property
    def epoch(self) -> str:
        return self.id.rpartition("-")[0]

    @property
    def number(self) -> int:
        return int(self.id.rpartition("-")[2])

    @property
    def topic(self) -> str | None:
        return next((f"{kind}:{self.data[kind]}" for kind in KINDS if kind in self.data), None)


class Reader(threading.Thread):
    """Listens until it is told to end; where a connection breaks it comes back with the last id."""

    def __init__(self, url: str, path: str):
        super().__init__(daemon=True)
        self.url, self.path = urllib.parse.urlsplit(url), path
        self.told: list[Told] = []
        self.by_topic: dict[str, list[Told]] = {}
        self.last, self.wrong = None, ""
        # When it was greeted, and how often what it had been told was taken back.
        self.greeted: list[float] = []
        self.retractions = 0
        self.connection: http.client.HTTPConnection | None = None
        self.is_ending = False
        self.start()

    def cut(self):
        """Breaks the connection off."""
        if (connection := self.connection) and connection.sock:
            connection.sock.shutdown(2)

    def end(self):
        self.is_ending = True
        self.cut()

    def run(self):
        while not self.is_ending and not self.wrong:
            try:
                self._listen()
            except (OSError, http.client.HTTPException, AttributeError, ValueError):
                # It has been cut off, or the server is away.
                pass
            time.sleep(RETRY_SECONDS)

    def _listen(self):
        self.connection = http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=40)
        headers = {"Last-Event-ID": self.last} if self.last else {}
        self.connection.request("GET", self.path, headers=headers)
        answer = self.connection.getresponse()
        if answer.status != 200:
            self.wrong = f"{self.path} is answered {answer.status}: {answer.read()}"
            return
        is_json = answer.headers["Content-Type"].startswith("application/x-ndjson")
        for name, data, identifier in _lines(answer) if is_json else _events(answer, "as=text" in self.path):
            self._take(Told(time.time(), name, data, identifier))
            if self.is_ending:
                return

    def _take(self, told: Told):
        if told.name == "hello":
            self.greeted.append(told.at)
        if told.name == "reset":
            self.wrong = f"{self.path} was reset: {told.data}"
        self.last = told.id or self.last
        if told.name in OF_THE_STREAM:
            return
        if told.id:
            last = next((one for one in reversed(self.told) if one.id), told)
            if last.epoch != told.epoch and last.number >= told.number:
                self._retract(told.number)
        self.told.append(told)
        if not isinstance(told.data, str) and told.topic:
            self.by_topic.setdefault(told.topic, []).append(told)

    def _retract(self, first: int):
        """What a server sent last and had not stored when it was killed is sent again, under numbers of another epoch."""
        self.retractions += 1
        for told in [self.told, *self.by_topic.values()]:
            told[:] = [one for one in told if not one.id or one.number < first]


def _lines(answer) -> typing.Iterator[tuple]:
    for line in answer:
        event = json.loads(line, parse_float=str)
        yield event["event"], event["data"], event.get("id")


def _events(answer, is_text: bool) -> typing.Iterator[tuple]:
    fields: dict[str, str] = {}
    for raw in answer:
        line = raw.decode().rstrip("\r\n")
        name, _, value = line.partition(":")
        if line:
            fields[name] = value.removeprefix(" ")
        elif "data" in fields:
            name = fields.get("event", "frame")
            data = fields["data"] if is_text and name == "frame" else json.loads(fields["data"], parse_float=str)
            yield name, data, fields.get("id")
            fields = {}
