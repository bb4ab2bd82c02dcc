"""Clients of event streams as browsers are: they go on from their last event, after the delay that they were told, and stop for
ever on any answer that is no event stream."""

import asyncio
import time

HOST = "127.0.0.1"


class Stopped(Exception):
    """An answer that ends a browser's EventSource for good."""


class Reader:
    """One EventSource."""

    def __init__(self, port, query):
        self.port, self.query = port, query
        self.last = None
        self.retry = 1.0
        self.connections, self.resets = 0, 0
        self.notifications = []
        self.frames = []

    async def run(self):
        """Reads until it is cancelled, through as many connections as it takes."""
        while True:
            await self._follow()
            await asyncio.sleep(self.retry)

    async def _follow(self):
        reader, writer = await asyncio.open_connection(HOST, self.port)
        try:
            last = f"Last-Event-ID: {self.last}\r\n" if self.last else ""
            head = f"GET /v1/events?{self.query} HTTP/1.0\r\nHost: {HOST}\r\nAccept: text/event-stream\r\n{last}\r\n"
            writer.write(head.encode())
            head = await reader.readuntil(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 200") or b"text/event-stream" not in head:
                raise Stopped(head.decode())
            self.connections += 1
            await self._read(reader)
        finally:
            writer.close()

    async def _read(self, reader):
        event = {}
        while line := await reader.readline():
            text = line.decode().rstrip("\n")
            if text:
                name, _, value = text.partition(":")
                event[name] = value.removeprefix(" ")
                continue
            self._take(event)
            event = {}

    def _take(self, event):
        if "retry" in event:
            self.retry = int(event["retry"]) / 1000
        if "id" in event:
            self.last = event["id"]
        match event.get("event"):
            case None:
                self.frames.append(time.monotonic())
            case "notification":
                self.notifications.append(event["data"])
            case "reset":
                self.resets += 1


async def post(port, path, body, key):
    """Posts until it is taken: a connection that ends without an answer, and a 503 that asks for patience, are tried again under
    the same key."""
    request = (
        f"POST {path} HTTP/1.1\r\nHost: {HOST}\r\nIdempotency-Key: {key}\r\nContent-Length: {len(body)}\r\n"
        f"Connection: close\r\n\r\n{body}"
    )
    while True:
        # Not tried again: whoever is refused here was refused by a server that is only being restarted.
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            writer.write(request.encode())
            line = await reader.readline()
            if line and (status := int(line.split()[1])) != 503:
                return status
        except ConnectionError:
            pass
        finally:
            writer.close()
        await asyncio.sleep(0.1)
