"""A server that takes nothing but what RFC 9112 says, and remembers what it was sent besides."""

import re
import socket
import threading

LINE = re.compile(rb"[A-Z]+ /[!-~]* HTTP/1\.[01]")
FIELD = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([!-~\x80-\xff]?(?:[\t !-~\x80-\xff]*[!-~\x80-\xff])?)[ \t]*")
HOST = re.compile(rb"[A-Za-z0-9.-]+(:\d+)?")
CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})")
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"


class Odd(Exception):
    """Something that others could read otherwise."""


class StrictServer:
    def __init__(self):
        self.odd, self.seen = [], []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                bare = self.listener.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.serve, args=(bare,), daemon=True).start()

    def serve(self, bare):
        with bare, bare.makefile("rb") as source:
            try:
                while self.take(source):
                    bare.sendall(ANSWER)
            except Odd as odd:
                self.odd.append(str(odd))
            except OSError:
                pass

    def take(self, source):
        """Reads a request; False where none comes any more."""
        first = source.readline()
        if not first:
            return False
        line = self.line(first)
        if not LINE.fullmatch(line):
            raise Odd(f"a first line {line}")
        fields = {}
        while field := self.line(source.readline()):
            parts = FIELD.fullmatch(field)
            if not parts:
                raise Odd(f"a field {field}")
            name = parts[1].lower()
            if name in (b"host", b"content-length", b"transfer-encoding") and name in fields:
                raise Odd(f"two of {name}")
            fields[name] = parts[2]
        if not HOST.fullmatch(fields.get(b"host", b"")):
            raise Odd(f"a host {fields.get(b'host')}")
        self.seen.append(line)
        self.body(source, fields)
        return True

    def body(self, source, fields):
        length, coding = fields.get(b"content-length"), fields.get(b"transfer-encoding")
        if length is not None and coding is not None:
            raise Odd("a length and chunks")
        if length is not None:
            if not re.fullmatch(rb"\d{1,10}", length):
                raise Odd(f"a length {length}")
            source.read(int(length))
        elif coding is not None:
            if coding.lower() != b"chunked":
                raise Odd(f"a coding {coding}")
            while size := int(self.chunk(source), 16):
                source.read(size)
                if self.line(source.readline()):
                    raise Odd("something behind a chunk")
            while self.line(source.readline()):
                pass

    def chunk(self, source):
        line = self.line(source.readline())
        if not CHUNK.fullmatch(line):
            raise Odd(f"a chunk's line {line[:80]}")
        return line

    @staticmethod
    def line(text):
        if not text:
            raise OSError("broken off")
        if not text.endswith(b"\r\n") or b"\r" in text[:-2] or b"\0" in text:
            raise Odd(f"a line {text[:80]}")
        return text[:-2]

    def close(self):
        self.listener.close()
