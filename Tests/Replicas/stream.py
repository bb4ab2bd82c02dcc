"""A reader that is moved from replica to replica, and what it was told."""

import http.client
import random
import threading

HOST = "127.0.0.1"


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

    def __init__(self, replicas, query, is_moving=True, seed=0):
        super().__init__(daemon=True)
        self.replicas, self.query, self.is_moving = replicas, query, is_moving
        self.random = random.Random(seed)
        self.events, self.resets, self.moves = [], 0, 0
        self.last = None
        self.is_ending = False
        self.connection = None

    def run(self):
        while not self.is_ending:
            replica = self.random.choice(self.replicas) if self.is_moving else self.replicas[0]
            try:
                self._follow(replica)
            except (OSError, http.client.HTTPException, ValueError, AttributeError):
                pass
            self.moves += 1

    def _follow(self, replica):
        self.connection = http.client.HTTPConnection(HOST, replica.port, timeout=5)
        headers = {"Last-Event-ID": self.last} if self.last else {}
        self.connection.request("GET", "/v1/events?" + self.query, headers=headers)
        answer = self.connection.getresponse()
        if answer.status != 200:
            return
        left = self.random.randint(1, 40)
        for event in blocks(answer):
            if event.get("event") == "reset":
                self.resets += 1
            if "id" in event:
                self.events.append((event["id"], event["event"], event["data"]))
                self.last = event["id"]
            if self.is_ending:
                break
            left -= 1
            if self.is_moving and left <= 0:
                break
        self.connection.close()

    def end(self):
        self.is_ending = True
        if self.connection and self.connection.sock:
            self.connection.sock.close()
