"""A wire between one client and the server: passes bytes on, notes when streams begin and end and on whose side, and
loses answers where it is told to."""

import dataclasses
import re
import socket
import threading
import time


@dataclasses.dataclass
class Passage:
    """A request's time on the wire. Times are of the monotonic clock, in seconds."""

    began: float
    # When the last piece of the answer was about to be passed on.
    passed: float | None = None
    # Since when the client may have known that it is over: a farewell was about to be passed on, or nothing more came. Where the
    # client has ended it, that is seen later than it was done, and the last piece is what it may have gone by.
    over: float | None = None
    is_ended: bool = False
    by_client: bool = False
    # What the server has asked its client to wait before it comes back, in seconds.
    retry: float | None = None
    # Its answer doesn't arrive.
    is_lost: bool = False


class Connection:
    """A client's connection, and the one to the server that it was joined with."""

    def __init__(self, client: socket.socket):
        self.client = client
        self.server: socket.socket | None = None
        # The last request's.
        self.passage: Passage | None = None

    def end(self, by_client: bool):
        passage = self.passage
        if passage and not passage.is_ended:
            passage.is_ended, passage.by_client = True, by_client
            passage.over = passage.over or (passage.passed if by_client else None) or time.monotonic()
        for side in (self.client, self.server):
            try:
                side and side.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.client.close()
        self.server and self.server.close()


class Wire:
    def __init__(self, port: int):
        self.target = port
        self.streams: list[Passage] = []
        # Attempts to post an update.
        self.posts = 0
        # Of so many of them the server's answers are still to be lost.
        self.losses = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        # Closing alone would leave the thread waiting.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._join, args=(Connection(client),), daemon=True).start()

    def _join(self, connection: Connection):
        try:
            head = connection.client.recv(65536)
            self._note(head, connection)
            connection.server = socket.create_connection(("127.0.0.1", self.target))
            connection.server.sendall(head)
        except OSError:
            connection.end(by_client=False)
            connection.close()
            return
        upward = threading.Thread(target=self._pass_requests, args=(connection,), daemon=True)
        upward.start()
        self._pass_answers(connection)
        upward.join()
        connection.close()

    def _note(self, data: bytes, connection: Connection):
        """Clients send a request's head in one piece."""
        if not re.match(rb"[A-Z]+ /\S* HTTP/1.1\r\n", data):
            return
        connection.passage = Passage(time.monotonic())
        if data.startswith(b"GET /v1/events"):
            self.streams.append(connection.passage)
        # A browser asks first whether it may post.
        elif re.match(rb"(OPTIONS|POST) /v1/tickers/", data):
            self.posts += 1
            if data.startswith(b"POST") and self.losses > 0:
                self.losses -= 1
                connection.passage.is_lost = True

    def _pass_requests(self, connection: Connection):
        try:
            while data := connection.client.recv(65536):
                self._note(data, connection)
                connection.server.sendall(data)
        except OSError:
            pass
        connection.end(by_client=True)

    def _pass_answers(self, connection: Connection):
        rest = b""
        try:
            while (data := connection.server.recv(65536)) and not connection.passage.is_lost:
                rest = (rest + data)[-100_000:]
                if told := re.findall(rb"(?m)^retry: (\d+)\n", rest):
                    connection.passage.retry = int(told[-1]) / 1000
                connection.passage.passed = time.monotonic()
                if b"event: bye\n" in rest:
                    connection.passage.over = connection.passage.over or connection.passage.passed
                connection.client.sendall(data)
        except OSError:
            pass
        connection.end(by_client=False)
