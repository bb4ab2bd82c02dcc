"""The scripts of docs/examples/feeds, with what feeds them: each number arrives, and counts once."""

import hashlib
import hmac
import http.server
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest
import urllib.error
import urllib.request

from script import Script

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))
from server import Server  # noqa: E402

FEEDS = ROOT / "docs/examples/feeds"
PATIENCE = 30
SECRET = "secret-of-the-tests"


class Prometheus(http.server.ThreadingHTTPServer):
    """Answers each query with `samples`: pairs of a time and a text."""

    def __init__(self):
        self.samples: list[tuple[float, str]] = []
        samples = self.samples

        class Answer(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                result = [{"metric": {}, "value": [moment, text]} for moment, text in samples]
                self.send_response(200)
                self.end_headers()
                answer = {"status": "success", "data": {"resultType": "vector", "result": result}}
                self.wfile.write(json.dumps(answer).encode())

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Answer)
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def close(self):
        self.shutdown()
        self.server_close()


class FeedsTest(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.close)

    def environment(self, url: str | None = None) -> dict[str, str]:
        return os.environ | {"TWEENCAST_URL": url or self.server.url, "GITHUB_WEBHOOK_SECRET": SECRET}

    def feed(self, name: str, *words: str, text: str = "") -> subprocess.CompletedProcess:
        return subprocess.run([sys.executable, str(FEEDS / name), *words], input=text, capture_output=True, text=True,
                              timeout=PATIENCE, env=self.environment())

    def start(self, name: str, *words: str, url: str | None = None) -> int:
        """Starts one that listens, and gives its port."""
        process = subprocess.Popen([sys.executable, str(FEEDS / name), "--port", "0", *words], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=self.environment(url))
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.send_signal, signal.SIGKILL)
        return int(re.search(r":(\d+)$", process.stdout.readline().strip())[1])

    def target(self, key: str):
        try:
            return self.server.get(key).get("target")
        except urllib.error.HTTPError as error:
            error.close()
            return None

    def until(self, condition, what: str):
        end = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.02)

    def test_prometheus_totals_arrive_in_the_order_of_their_samples(self):
        prometheus = Prometheus()
        self.addCleanup(prometheus.close)
        # The third is older than the second; at the second the counter began again.
        for sample, expected in (((10.5, "1.5e+06"), 1_500_000), ((20.25, "3"), 3), ((15, "1500000"), 3)):
            with self.subTest(sample):
                prometheus.samples[:] = [sample]
                run = self.feed("prometheus.py", prometheus.url, "sum(requests)", "requests")
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertEqual(self.target("ticker:requests"), expected)
        for samples, reason in (([], "no result yet"), ([(30, "NaN")], "NaN"), ([(30, "+Inf")], "+Inf")):
            with self.subTest(reason):
                prometheus.samples[:] = samples
                run = self.feed("prometheus.py", prometheus.url, "sum(requests)", "requests")
                self.assertNotEqual(run.returncode, 0)
                self.assertIn(reason, run.stderr)
        self.assertEqual(self.target("ticker:requests"), 3)

    def test_statsd_counters_add_up_and_gauges_go_where_they_say(self):
        port = self.start("statsd.py", "--interval", "0.1")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            for datagram in ("visits:2|c\nload:7|g\nbroken|c\nvisits:3|c", "visits:1|c|@0.5", "load:-2|g", "time:9|ms"):
                sender.sendto(datagram.encode(), ("127.0.0.1", port))
        self.until(lambda: (self.target("ticker:visits"), self.target("ticker:load")) == (7, 5), "7 visits, load 5")
        self.assertEqual(len(self.server.request("GET", "/v1/tickers")["items"]), 2)

    def test_a_batch_of_statsd_that_is_sent_again_has_the_same_key(self):
        script = Script(b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n",
                        b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        self.addCleanup(script.close)
        port = self.start("statsd.py", "--interval", "0.1", url=script.url)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(b"visits:2|c", ("127.0.0.1", port))
            self.until(lambda: len(script.requests) == 2, "sent again")
            sender.sendto(b"visits:3|c", ("127.0.0.1", port))
            self.until(lambda: len(script.requests) == 3, "the next batch")
        first, again, second = [request.headers["Idempotency-Key"] for request in script.requests]
        self.assertEqual(first, again)
        self.assertNotEqual(first, second)

    def deliver(self, port: int, event: str, delivery: str, payload: dict, secret: str = SECRET) -> int:
        body = json.dumps(payload).encode()
        headers = {"X-GitHub-Event": event, "X-GitHub-Delivery": delivery,
                   "X-Hub-Signature-256": "sha256=" + hmac.digest(secret.encode(), body, hashlib.sha256).hex()}
        try:
            with urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/", body, headers)) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            with error:
                return error.code

    def test_a_refused_batch_of_statsd_ends_it_with_the_reason(self):
        script = Script(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 8\r\n\r\nno token")
        self.addCleanup(script.close)
        command = [sys.executable, str(FEEDS / "statsd.py"), "--port", "0", "--interval", "0.1"]
        with subprocess.Popen(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=self.environment(script.url)) as process:
            port = int(process.stdout.readline().rsplit(":", 1)[1])
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
                sender.sendto(b"visits:2|c", ("127.0.0.1", port))
            self.assertEqual(process.communicate(timeout=PATIENCE)[1], "401 no token\n")
            self.assertEqual(process.returncode, 1)

    def test_a_delivery_of_github_counts_once(self):
        port = self.start("github.py")
        push = {"commits": [{}, {}, {}]}
        self.assertEqual([self.deliver(port, "push", "a", push) for _ in range(2)], [204, 204])
        self.assertEqual(self.deliver(port, "push", "b", push), 204)
        self.assertEqual(self.target("ticker:commits"), 6)
        self.assertEqual(self.deliver(port, "star", "c", {"repository": {"stargazers_count": 41}}), 204)
        self.assertEqual(self.target("ticker:stars"), 41)
        self.assertEqual(self.deliver(port, "ping", "d", {}), 204)

    def test_a_delivery_that_github_did_not_sign_changes_nothing(self):
        port = self.start("github.py")
        self.assertEqual(self.deliver(port, "push", "a", {"commits": [{}]}, secret="another"), 401)
        self.assertIsNone(self.target("ticker:commits"))

    def test_a_delivery_that_the_server_did_not_take_has_failed(self):
        busy = Script(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n",
                      b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
        self.addCleanup(busy.close)
        port = self.start("github.py", url=busy.url)
        self.assertEqual([self.deliver(port, "push", "a", {"commits": [{}]}) for _ in range(2)], [502, 502])

    def test_lines_pass_and_are_counted_anew_by_each_run(self):
        for count in (40, 3):
            lines = "".join(f"step {number}\n" for number in range(count))
            for words, key in ((["tickers/log"], "ticker:log"), (["progress/build", "80"], "progress:build")):
                with self.subTest(f"{count} {key}"):
                    run = self.feed("lines.py", *words, text=lines)
                    self.assertEqual((run.returncode, run.stdout), (0, lines), run.stderr)
                    resource = self.server.get(key)
                    self.assertEqual(resource.get("target", resource.get("current")), count)
        self.assertEqual(self.server.get("progress:build")["maximum"], 80)

    def test_lines_without_a_target_say_how_they_are_called(self):
        run = self.feed("lines.py")
        self.assertEqual((run.returncode, run.stderr.startswith("usage: lines.py")), (2, True), run.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
