"""A server that gives each connection the next of some answers, byte for byte."""

import dataclasses
import socket
import threading

PATIENCE = 60.0


@dataclasses.dataclass(frozen=True)
class Received:
    """A request."""

    target: str
    headers: dict[str, str]
    body: bytes


def answer(status: str, body: bytes = b"", *headers: str) -> bytes:
    """An answer that ends its connection."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def stream(*lines: bytes) -> bytes:
    """The beginning of a stream, which stays open."""
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(line), line) for line in lines)
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks


class Stub:
    """The server. A connection whose answer has no length, or is None, stays open until its client closes it."""

    def __init__(self, *answers: bytes | None):
        self.answers = answers
        self.requests: list[Received] = []
        # Whether a request has come.
        self.asked = threading.Event()
        # How many open connections their clients have closed.
        self.closed = threading.Semaphore(0)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def close(self) -> None:
        """Ends it."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.thread.join(PATIENCE)
        self.listener.close()

    def _serve(self) -> None:
        for one in self.answers:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            with peer:
                peer.settimeout(PATIENCE)
                self._converse(peer, one)
        try:
            peer, _ = self.listener.accept()
        except OSError:
            return
        # One more than there are answers for is noted, and closed.
        with peer:
            peer.settimeout(PATIENCE)
            self._converse(peer, b"")

    def _converse(self, peer: socket.socket, one: bytes | None) -> None:
        with peer.makefile("rb") as lines:
            _, target, _ = lines.readline().decode().split(" ")
            headers = {}
            while (line := lines.readline().decode().strip()):
                name, _, value = line.partition(": ")
                headers[name.lower()] = value
            body = lines.read(int(headers.get("content-length", 0)))
            self.requests.append(Received(target, headers, body))
            self.asked.set()
        peer.sendall(one or b"")
        if one is None or (one and b"Content-Length" not in one):
            try:
                peer.recv(1)
            except ConnectionError:
                pass
            self.closed.release()
