"""A server that gives each request the next of some answers, byte for byte, and cuts the connection there."""

import dataclasses
import email.message
import http.server
import threading
import time


@dataclasses.dataclass
class Request:
    # By the monotonic clock, in seconds: when it came, and when its answer was about to go out.
    came: float
    path: str
    headers: email.message.Message
    answered: float | None = None


class Reader(http.server.BaseHTTPRequestHandler):
    server: "Script"

    def do_GET(self):
        request = Request(time.monotonic(), self.path, self.headers)
        number = len(self.server.requests)
        # One more than there are answers shows how its client came back after the last. That one, and any that it
        # gives up waiting for and sends again, is held to the end of the test.
        if number <= len(self.server.answers):
            self.server.requests.append(request)
        if number >= len(self.server.answers):
            self.server.is_over.wait()
            return
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        request.answered = time.monotonic()
        self.wfile.write(self.server.answers[number])

    do_POST = do_GET

    def log_message(self, *_):
        pass


class Script(http.server.ThreadingHTTPServer):
    """For one client, which asks for one thing after another."""

    def __init__(self, *answers: bytes):
        super().__init__(("127.0.0.1", 0), Reader)
        self.answers = answers
        self.requests: list[Request] = []
        self.is_over = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def waits(self) -> list[float]:
        """What its client let pass after each answer, at most."""
        return [after.came - before.answered for before, after in zip(self.requests, self.requests[1:])]

    @property
    def paths(self) -> list[str]:
        """What it asked for, with the options."""
        return [request.path for request in self.requests]

    @property
    def ids(self) -> list[str | None]:
        """What its client went on from, request by request."""
        return [request.headers["Last-Event-ID"] for request in self.requests]

    def close(self):
        self.is_over.set()
        self.shutdown()
        self.server_close()
