"""A page of metrics, read: by name and labels, in both of its forms; and what drives a server so that figures move."""

import contextlib
import http.server
import json
import pathlib
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Browser"))
from server import Server  # noqa: E402, F401

# For what may be late where the machine has more to do.
PATIENCE = 60
SAMPLE = re.compile(r"^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$")
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"')
OPEN_METRICS = "application/openmetrics-text; version=1.0.0"


class Page:
    """What `/metrics` says at a moment."""

    def __init__(self, text: str):
        self.text = text
        self.samples: dict[tuple[str, frozenset], float] = {}
        for line in text.splitlines():
            if line and not line.startswith("#"):
                name, labels, value = SAMPLE.match(line).groups()
                self.samples[name, frozenset(LABEL.findall(labels or ""))] = float(value)

    def sum(self, name: str, /, **labels: str) -> float:
        """All series of a name that have these labels, together; KeyError where there is none of that name."""
        found = [value for (own, pairs), value in self.samples.items() if own == name and labels.items() <= set(pairs)]
        if not found and not any(own == name for own, _ in self.samples):
            raise KeyError(name)
        return sum(found)

    def names(self) -> set[str]:
        return {line.split()[2] for line in self.text.splitlines() if line.startswith("# TYPE ")}


def page(server: Server, accept: str | None = None) -> Page:
    request = urllib.request.Request(server.url + "/metrics", headers={"Accept": accept} if accept else {})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return Page(answer.read().decode())


def until(server: Server, holds) -> Page:
    """The first page for which something holds; an AssertionError when none does for long."""
    deadline = time.monotonic() + PATIENCE
    while True:
        now = page(server)
        if holds(now):
            return now
        assert time.monotonic() < deadline, now.text


class Stream:
    """A stream's reader by hand: it may read nothing, and leave."""

    def __init__(self, server: Server, path: str, headers=(), receive_buffer: int | None = None):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(("127.0.0.1", server.port))
        head = "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *headers, "", ""])
        self.socket.sendall(head.encode())
        self.text = ""

    def read_until(self, part: str) -> str:
        """Reads until a text has come."""
        while part not in self.text:
            piece = self.socket.recv(65_536)
            assert piece, f"the stream ended before {part!r}: {self.text[-400:]}"
            self.text += piece.decode()
        return self.text

    def close(self):
        self.socket.close()


@contextlib.contextmanager
def receiver(status: int):
    """An address of this machine that takes webhooks, and answers with a status."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        try:
            yield listening.server_port
        finally:
            listening.shutdown()
            thread.join()


def promtool(*arguments: str, given: str | None = None) -> str:
    """What Prometheus' own tool says; an AssertionError where it finds fault."""
    done = subprocess.run(["promtool", *arguments], input=given, capture_output=True, text=True, timeout=PATIENCE)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said


def post(server: Server, path: str, body) -> tuple[int, dict]:
    """Status and answer of a POST, whatever the status is; None has no body."""
    request = urllib.request.Request(server.url + path, b"" if body is None else json.dumps(body).encode(), method="POST")
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, json.loads(answer.read() or b"{}")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"{}")
