"""What no server may read in two ways: each proxy refuses it, or sends it on as one thing alone."""

import re
import socket
import ssl
import unittest

from proxies import HOST, KINDS, Certificate, wait_until
from strict import StrictServer

POST = b"POST /v1/tickers/a HTTP/1.1\r\nHost: localhost\r\n"
CHUNKS = POST + b"Transfer-Encoding: chunked\r\n\r\n"
GET = b"GET /v1/tickers/a HTTP/1.1\r\nHost: localhost\r\n"
END = b"0\r\n\r\n"
# What it is, what is sent, and whether it must be refused: the rest may come on, made into what is no matter of opinion. What
# the server itself always refuses isn't here.
CASES = [
    ("a length with a sign", POST + b"Content-Length: +8\r\n\r\n" + b'{"to":1}', True),
    ("a length with a letter", POST + b"Content-Length: 8x\r\n\r\n" + b'{"to":1}', True),
    ("a length below 0", POST + b"Content-Length: -1\r\n\r\n", True),
    ("a length of 23 digits", POST + b"Content-Length: 99999999999999999999999\r\n\r\n", True),
    ("two lengths", POST + b"Content-Length: 8\r\nContent-Length: 9\r\n\r\n" + b'{"to":1}x', True),
    ("a blank in the path", b"GET /ver sion HTTP/1.1\r\nHost: localhost\r\n\r\n", False),
    ("a CR in a value", GET + b"X: a\rb\r\n\r\n", False),
    ("a chunk's line ended by LF", CHUNKS + b"8\n" + b'{"to":1}\r\n' + END, False),
    ("a last chunk's line ended by LF", CHUNKS + b"8\r\n" + b'{"to":1}\r\n0\n\n', False),
    ("an extension ended by LF", CHUNKS + b"2;\nxx\r\n8\r\n" + b'{"to":1}\r\n' + END, False),
    ("an extension with a NUL", CHUNKS + b"8;a\0b\r\n" + b'{"to":1}\r\n' + END, False),
    ("an extension of 64 KiB", CHUNKS + b"8;" + b"e" * 65536 + b"\r\n" + b'{"to":1}\r\n' + END, False),
]


class FramingTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = StrictServer()
        cls.addClassCleanup(cls.server.close)
        cls.certificate = Certificate()
        cls.addClassCleanup(cls.certificate.remove)

    def answers(self, proxy, data):
        """The statuses of all that comes back."""
        context = ssl.create_default_context(cafile=str(self.certificate.chain))
        with socket.create_connection((HOST, proxy.port), timeout=20) as bare:
            with context.wrap_socket(bare, server_hostname=HOST) as way:
                way.settimeout(20)
                got = b""
                try:
                    way.sendall(data)
                    while piece := way.recv(65536):
                        got += piece
                        if b"\r\n\r\n" in got:
                            break
                except OSError:
                    pass
        return [int(line.split()[1]) for line in got.split(b"\r\n") if line.startswith(b"HTTP/1.")]

    def test_no_ambiguous_request_passes_a_proxy(self):
        for kind in KINDS:
            proxy = kind(self.server.port, self.certificate)
            self.addCleanup(proxy.close)
            for what, data, must_be_refused in CASES:
                with self.subTest(f"{proxy.name}: {what}"):
                    self.server.odd.clear()
                    before = len(self.server.seen)
                    statuses = self.answers(proxy, data)
                    self.assertEqual(self.server.odd, [])
                    # Broken off without an answer is refused as well, and Caddy's 502 for a line that is too long for it.
                    self.assertTrue(not statuses or 200 <= statuses[0] < 500 or statuses[0] == 502, statuses)
                    if must_be_refused:
                        self.assertNotIn(200, statuses)
                    others = [line for line in self.server.seen[before:] if b"/readyz" not in line]
                    self.assertLessEqual(len(others), 1, f"one request, {others}")
                    print(f"{proxy.name:>8}: {what}: {statuses[0] if statuses else 'broken off'}")

    def test_paths_of_the_operator_are_closed_however_they_are_written(self):
        """The lines that stand in the recipes as comments, for servers without --auth."""
        closed = r"(?m)^(\s*)#(http-request deny|location =|@operator|respond|<LocationMatch|    Require|</LocationMatch)"
        spelt = ["/metrics", "/%6detrics", "/v1/clients?limit=1", "/v1/%63lients", "/v1%2fclients", "/v1%2Fclients"]
        for kind in KINDS:
            edited = []

            def opened(text, edited=edited):
                text, count = re.subn(closed, r"\1\2", text)
                edited.append(count)
                return text

            proxy = kind(self.server.port, self.certificate, opened)
            self.addCleanup(proxy.close)
            self.assertGreater(sum(edited), 0, "no such lines in the recipe")
            for path in spelt:
                with self.subTest(f"{proxy.name}: {path}"):
                    before = len(self.server.seen)
                    status = self.answers(proxy, f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())[0]
                    came = [line.split()[1] for line in self.server.seen[before:] if b"/readyz" not in line]
                    # An encoded slash is none for the server, which answers 404.
                    allowed = [path.encode()] if "%2" in path else []
                    self.assertTrue(status in (400, 403, 404) and not came or came == allowed, f"{status} {came}")

    def test_the_server_itself_is_strict(self):
        """That the test can fail: sent straight to it, none of them passes."""
        for what, data, _ in CASES:
            with self.subTest(what):
                self.server.odd.clear()
                with socket.create_connection(("127.0.0.1", self.server.port)) as bare:
                    bare.sendall(data)
                    bare.shutdown(socket.SHUT_WR)
                    wait_until(lambda: self.server.odd, f"{what} was taken")


if __name__ == "__main__":
    unittest.main(verbosity=2)
