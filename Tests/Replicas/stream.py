"""A reader that is moved from replica to replica, and what it was told."""

import collections
import http.client
import json
import random
import threading
import time

HOST = "127.0.0.1"
# What is told one stream alone, and so has no id; everything else that has a name must have one.
OF_ONE_STREAM = ("heartbeat", "reset", "bye", "limit", "rate")


def blocks(lines):
    """Server-Sent Events from lines, as dictionaries."""
    event = {}
    for raw in lines:
        line = raw.rstrip(b"\r\n").decode()
        if not line:
            if event:
                yield event
            event = {}
            continue
        name, _, value = line.partition(":")
        if name:
            event[name] = value.removeprefix(" ")


class Reader(threading.Thread):
    """Follows topics, on one replica after another, each time from where it was."""

    def __init__(self, replicas, query, is_moving=True, seed=0, most=40):
        super().__init__(daemon=True)
        self.replicas, self.query, self.is_moving = replicas, query, is_moving
        self.random = random.Random(seed)
        self.most = most
        self.events, self.resets, self.moves = [], 0, 0
        self.told, self.doubled = set(), []
        self.error = None
        self.last = None
        self.is_ending = False
        self.connection = None

    def run(self):
        while not self.is_ending:
            replica = self.random.choice(self.replicas) if self.is_moving else self.replicas[0]
            try:
                self._follow(replica)
            except (OSError, http.client.HTTPException, ValueError, AttributeError) as error:
                self.error = error
            self.moves += 1

    def _follow(self, replica):
        self.connection = http.client.HTTPConnection(HOST, replica.port, timeout=5)
        headers = {"Last-Event-ID": self.last} if self.last else {}
        self.connection.request("GET", "/v1/events?" + self.query, headers=headers)
        answer = self.connection.getresponse()
        if answer.status != 200:
            return
        left = self.random.randint(1, self.most)
        for event in blocks(answer):
            if event.get("event") == "reset":
                # What was told before may be told again.
                self.resets += 1
                self.told.clear()
            if "id" in event:
                self.last = event["id"]
            if "id" in event and event["event"] not in ("hello", "reset"):
                self.events.append((event["id"], event["event"], event["data"]))
                if event["id"] in self.told:
                    self.doubled.append(event)
                self.told.add(event["id"])
            if self.is_ending:
                break
            # Who has heard nothing by name yet has nothing to come back with.
            left -= self.last is not None
            if self.is_moving and left <= 0:
                break
        self.connection.close()

    def end(self):
        self.is_ending = True
        if self.connection and self.connection.sock:
            self.connection.sock.close()


class Watcher(threading.Thread):
    """Follows one stream of one replica, and keeps all that it was told."""

    def __init__(self, replica, path):
        super().__init__(daemon=True)
        self.replica, self.path = replica, path
        # Named events as (number, kind, data).
        self.texts, self.motions, self.events = [], [], []
        self.unread, self.known = collections.deque(), {}
        # Named events with when they came.
        self.told = []
        self.epoch = self.farewell = None
        self.has_begun = self.is_ending = False
        self.connection = None
        self.error = None

    def run(self):
        try:
            self.connection = http.client.HTTPConnection(HOST, self.replica.port, timeout=60)
            self.connection.request("GET", self.path)
            answer = self.connection.getresponse()
            if answer.status != 200:
                raise ValueError(f"{answer.status} for {self.path}: {answer.read()}")
            for event in blocks(answer):
                self._take(event)
                if self.is_ending:
                    return
        except (OSError, http.client.HTTPException, ValueError, AttributeError, KeyError) as error:
            if not self.is_ending:
                self.error = error

    @property
    def state(self):
        """How it stands, for whoever looks for what went wrong."""
        return f"{len(self.frames)} frames, {self.events[-1:]}, said {self.farewell}, {self.error or 'no error'}"

    def _take(self, event):
        self.has_begun = True
        kind = event.get("event")
        if kind in ("bye", "limit", "reset"):
            self.farewell = event
        if kind in OF_ONE_STREAM or "data" not in event:
            return
        if kind == "hello":
            self.epoch = json.loads(event["data"])["epoch"]
        elif kind == "motion":
            self.motions.append(event["data"])
        elif kind:
            number = int(event["id"].rpartition("-")[2])
            self.events.append((number, kind, event["data"]))
            self.told.append((number, kind, event["data"], time.time()))
        elif "as=text" in self.path:
            self.texts.append(event["data"])
        else:
            self.unread.append(event["data"])

    @property
    def frames(self):
        """Stamped frames by topic and instant: that of a tick, or of the entry with which a motion ends. Read when they are
        asked for: a stream brings thousands a second."""
        while self.unread:
            text = self.unread.popleft()
            frame = json.loads(text)
            topic = next(f"{field} {frame[field]}" for field in ("ticker", "progress", "schedule") if field in frame)
            if "t" in frame:
                self.known[topic, frame["t"]] = text
        return self.known

    def end(self):
        self.is_ending = True
        if self.connection and self.connection.sock:
            self.connection.sock.close()
