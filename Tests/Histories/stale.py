"""A proxy that keeps answers to reads for too long: the fault that a history must show."""

import http.client
import http.server
import threading

from clients import HOST

# Of what a replica answers, all that its clients look at.
HEADERS = ("Content-Type", "ETag", "Location", "Retry-After", "Idempotency-Replayed")


class Stale(http.server.ThreadingHTTPServer):
    """Passes everything on to a port, but answers each read as it was answered first."""

    daemon_threads = True

    def __init__(self, target: int):
        self.target, self.kept = target, {}
        super().__init__((HOST, 0), Passage)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def port(self) -> int:
        return self.server_address[1]


class Passage(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if "If-None-Match" in self.headers:
            self._answer(*self._ask(None))
            return
        self._answer(*self.server.kept.setdefault(self.path, self._ask(None)))

    def do_POST(self):
        self._answer(*self._ask(self.rfile.read(int(self.headers.get("Content-Length", 0)))))

    do_PUT = do_DELETE = do_POST  # noqa: N815

    def _ask(self, body):
        connection = http.client.HTTPConnection(HOST, self.server.target, timeout=10)
        headers = {name: value for name, value in self.headers.items() if name not in ("Host", "Connection")}
        connection.request(self.command, self.path, body, headers)
        answer = connection.getresponse()
        found = answer.status, {name: answer.headers[name] for name in HEADERS if name in answer.headers}, answer.read()
        connection.close()
        return found

    def _answer(self, status, headers, body):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
