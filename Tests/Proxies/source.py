"""A reader that does what a browser's EventSource does, by curl: HTTP/2, and an end for ever with whatever isn't a stream."""

import json
import subprocess
import threading
import time

# What is told one stream alone, and so has no id.
KINDS_OF_ONE_STREAM = ("hello", "heartbeat", "reset", "bye", "limit", "rate")
NETWORK_ERROR_RETRY = 1.0


class Source(threading.Thread):
    """Follows a stream from where it was, over and over: in the standard's words it reestablishes the connection when that
    ends, after the stream's own `retry`, and fails it for another status than 200 and for another type."""

    def __init__(self, url: str, *options: str, last: str = ""):
        super().__init__(daemon=True)
        self.url, self.options, self.last = url, options, last
        # Status, content type and encoding of each answer; HTTP's version of the last.
        self.answers: list[tuple[int, str, str]] = []
        self.version = ""
        # Named events by id, in their order, as (id, kind, data); frames as (when it came, data).
        self.events: list[tuple[str, str, str]] = []
        self.frames: list[tuple[float, str]] = []
        self.greetings, self.byes, self.resets = 0, 0, 0
        # Answers that ended without a greeting: somebody else's than the server's.
        self.turned_away = 0
        self.has_failed = False
        self.retry = NETWORK_ERROR_RETRY
        self.ending = threading.Event()
        self.process: subprocess.Popen | None = None
        self.start()

    def run(self):
        while not self.ending.is_set() and not self.has_failed:
            self._follow()
            self.ending.wait(self.retry)

    def _follow(self):
        headers = ["-H", "Accept: text/event-stream", "-H", "Accept-Encoding: gzip"]
        if self.last:
            headers += ["-H", f"Last-Event-ID: {self.last}"]
        greetings = self.greetings
        command = ["curl", "-sNi", *headers, *self.options, self.url]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as process:
            self.process = process
            # Whoever ends it meanwhile finds this one or is found.
            if self.ending.is_set():
                process.kill()
            head = self._read_head(process.stdout)
            if not head:
                return
            self.answers.append(head)
            if head[:2] != (200, "text/event-stream"):
                self.has_failed = True
                process.kill()
                return
            self._read(process.stdout)
        self.turned_away += self.greetings == greetings

    def _read_head(self, lines) -> tuple[int, str, str] | None:
        first = next(lines, None)
        if not first:
            return None
        self.version, status = first.split()[:2]
        fields = {}
        for line in lines:
            if not line.strip():
                break
            name, _, value = line.partition(":")
            fields[name.lower()] = value.strip()
        kind = fields.get("content-type", "").partition(";")[0]
        return int(status), kind, fields.get("content-encoding", "")

    def _read(self, lines):
        event = {}
        for line in lines:
            name, _, value = line.rstrip("\n").partition(": ")
            if name:
                event[name] = value
                continue
            self._take(event)
            event = {}

    def _take(self, event):
        if "retry" in event:
            self.retry = int(event["retry"]) / 1000
        kind = event.get("event")
        if "id" in event:
            self.last = event["id"]
            if kind not in KINDS_OF_ONE_STREAM:
                self.events.append((event["id"], kind, event["data"]))
        if kind == "hello":
            self.greetings += 1
        elif kind == "bye":
            self.byes += 1
        elif kind == "reset":
            self.resets += 1
        elif kind is None and "data" in event:
            self.frames.append((time.monotonic(), event["data"]))

    def has_been_notified(self, name: str) -> bool:
        told = [json.loads(data) for _, kind, data in self.events if kind == "notification"]
        return any(fields["notification"] == name for fields in told)

    def end(self):
        self.ending.set()
        if self.process:
            self.process.kill()
        self.join()

    def __repr__(self):
        return f"<{self.url} {self.version} {self.answers[-3:]} {self.greetings} greetings, {len(self.events)} events>"
