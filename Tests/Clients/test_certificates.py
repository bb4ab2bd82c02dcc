"""Servers whose certificate no public authority has signed, as commands and webhooks meet them."""

import base64
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import urllib.request
from unittest import mock

from test_command_line import ROOT, run

sys.path.insert(0, str(ROOT / "Tests/Browser"))
from server import Server  # noqa: E402

SIGNED = ("--webhook-secret", "whsec_" + base64.b64encode(bytes(24)).decode())


class CertificateTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        key, certificate = (str(pathlib.Path(folder.name, name)) for name in ("key.pem", "certificate.pem"))
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
            check=True, stderr=subprocess.DEVNULL)
        self.authorities = {"SSL_CERT_FILE": certificate}
        self.missing = {"SSL_CERT_FILE": str(pathlib.Path(folder.name, "missing.pem"))}
        self.server = Server("--tls-cert", certificate, "--tls-key", key)
        self.addCleanup(self.server.close)

    def test_a_command_knows_the_authorities_that_are_named(self):
        done = run(self.server.url, "set", "a", "5", "--duration", "0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("the server's certificate can't be verified", done.stderr)
        done = run(self.server.url, "set", "a", "5", "--duration", "0", **self.authorities)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(run(self.server.url, "get", "a", **self.authorities).stdout, "5\n")

    def test_a_file_that_cannot_be_read_is_named(self):
        done = run(self.server.url, "get", "a", **self.missing)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"SSL_CERT_FILE: {self.missing['SSL_CERT_FILE']} can't be read", done.stderr)

    def test_over_plain_http_the_file_does_not_matter(self):
        plain = Server()
        self.addCleanup(plain.close)
        plain.post("ticker:a", to=5, duration=0)
        done = run(plain.url, "get", "a", **self.missing)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "5\n", ""))

    def test_a_webhook_knows_them_too(self):
        """It posts to the server with that certificate, where it moves a ticker."""
        with mock.patch.dict(os.environ, self.authorities):
            sender = Server("--webhook-host", self.server.url.removeprefix("https://"), *SIGNED)
            self.addCleanup(sender.close)
            call = {"webhook": f"{self.server.url}/v1/tickers/called", "data": {"to": 7, "duration": 0}}
            sender.post("ticker:a", to=1, duration=0, then=[call])
            # Where the ticker isn't there yet, this waits for it.
            texts = urllib.request.Request(
                f"{self.server.url}/v1/events?ticker=called&once", headers={"Accept": "text/plain"})
            with urllib.request.urlopen(texts, timeout=60) as stream:
                self.assertEqual(stream.read().decode(), "7\n")

    def test_a_server_says_that_it_cannot_read_them(self):
        with mock.patch.dict(os.environ, self.missing):
            sender = Server("--webhook-host", "127.0.0.1:1", *SIGNED)
        self.addCleanup(sender.close)
        sender.log.seek(0)
        self.assertIn(f"SSL_CERT_FILE: {self.missing['SSL_CERT_FILE']} can't be read", sender.log.read().decode())


if __name__ == "__main__":
    unittest.main(verbosity=2)
