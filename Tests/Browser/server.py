"""The server under test, the requests a test sends to it, and a proxy that sees what the browser sends."""

import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests"))
from ports import free_port  # noqa: E402
from tested import program  # noqa: E402

LISTS = {"ticker": "tickers", "progress": "progress", "schedule": "schedules"}


class Server:
    """One process on a port of its own. `demo` fills the board; a data folder outlives a kill."""

    def __init__(self, *flags: str, port: int = 0, data: str | None = None):
        binary = program()
        store = ["--data", data] if data else ["--ephemeral"]
        # Whoever gives a folder may start another server where this one was.
        if data and port == 0:
            port = free_port()
        command = [binary, *store, "--port", str(port), "--public", str(ROOT / "public"), *flags]
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            self.log.seek(0)
            raise RuntimeError(f"{binary} did not start: {line}{self.log.read().decode()}")
        self.url = line.split()[-1].strip()
        # Goes with every request where one is given.
        self.token: str | None = None
        self.port = int(self.url.rsplit(":", 1)[1])

    def request(self, method: str, path: str, body=None):
        """Sends JSON (NDJSON for a list) and gives the decoded answer."""
        data = None
        kind = "application/json"
        if isinstance(body, list):
            data, kind = "\n".join(map(json.dumps, body)).encode(), "application/x-ndjson"
        elif body is not None:
            data = json.dumps(body).encode()
        headers = {"Content-Type": kind} if data else {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=10) as answer:
            text = answer.read().decode()
        return json.loads(text) if text and not isinstance(body, list) else text

    def get(self, key: str):
        kind, name = key.split(":", 1)
        return self.request("GET", f"/v1/{LISTS[kind]}/{name}")

    def post(self, key: str, operation: str = "", **fields):
        kind, name = key.split(":", 1)
        return self.request("POST", f"/v1/{LISTS[kind]}/{name}{operation and '/' + operation}", fields or None)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.log.close()

    def close(self):
        """Stops it; one that is gone already, or does not leave cleanly, is a failure with its last words."""
        died = self.process.poll()
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.log.seek(0)
        words = self.log.read().decode(errors="replace")[-4000:]
        self.log.close()
        if died is not None or self.process.returncode != 0:
            raise RuntimeError(f"the server ended with {self.process.returncode}: {words}")


class Proxy:
    """Passes bytes on and keeps the request lines; `streams` counts event streams that are open now, `drop` cuts them off.
    What answers a request whose line has `held` in it waits for `release`."""

    def __init__(self, port: int, held: str = ""):
        self.target = port
        self.held = held
        self.waiting: set[int] = set()
        self.release = threading.Event()
        self.lines: list[str] = []
        self.open: dict[int, socket.socket] = {}
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def streams(self) -> int:
        return len(self.open)

    def writes(self) -> list[str]:
        reads = re.compile("(GET|HEAD|OPTIONS) |POST /v1/events |PUT /v1/streams/")
        return [line for line in self.lines if not reads.match(line)]

    def drop(self):
        for client in list(self.open.values()):
            client.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.release.set()
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            threading.Thread(target=self._pump, args=(client, server, True), daemon=True).start()
            threading.Thread(target=self._pump, args=(server, client, False), daemon=True).start()

    def _pump(self, source: socket.socket, sink: socket.socket, requests: bool):
        try:
            while data := source.recv(65536):
                first = data.split(b"\r\n", 1)[0].decode("latin-1")
                if requests and " HTTP/1." in first:
                    self.lines.append(first)
                    if "/events" in first:
                        self.open[id(source)] = source
                    if self.held and self.held in first:
                        self.waiting.add(id(source))
                if id(sink) in self.waiting:
                    self.release.wait()
                sink.sendall(data)
        except OSError:
            pass
        self.open.pop(id(source), None)
        self.open.pop(id(sink), None)
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
