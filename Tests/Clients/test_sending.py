"""What the example clients send, to whom, and how long they wait before they send it again."""

import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from selenium.webdriver.support.ui import WebDriverWait

from clients import PATIENCE, ROOT, TICKER, Files, Page, Pages, programs
from script import Script
from wire import Wire

sys.path.insert(0, str(ROOT / "Tests/Browser"))
from server import Server  # noqa: E402

OPEN = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
TOKEN = "worker-token-of-the-tests"


class SendingTest(unittest.TestCase):
    """What the clients send and when: tokens, keys, and how long they wait before they send again."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.programs = programs(cls.folder)

    def run_all(self, words: list[str], **environment: str) -> dict[str, subprocess.CompletedProcess]:
        """Has each program do something, one after another, with nothing of the environment but this."""
        usual = {name: value for name, value in os.environ.items() if not name.startswith("TWEENCAST_")}
        return {name: subprocess.run([*command, *words], capture_output=True, text=True, timeout=PATIENCE,
                                     env=usual | environment)
                for name, command in self.programs.items()}  # fmt: skip

    def start(self, command: list[str], **environment: str) -> subprocess.Popen:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   start_new_session=True, env=os.environ | environment)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(os.killpg, process.pid, signal.SIGKILL)
        return process

    def first_line(self, process: subprocess.Popen) -> str:
        self.assertTrue(select.select([process.stdout], [], [], PATIENCE)[0], process.args)
        return process.stdout.readline()

    def serve(self, *flags: str) -> Server:
        server = Server(*flags)
        self.addCleanup(server.close)
        return server

    def guarded(self, *flags: str) -> Server:
        """A server that lets nobody in without the token."""
        tokens = self.folder / "tokens.json"
        tokens.write_text(json.dumps({"tokens": [{"name": "worker", "token": TOKEN, "admin": True}]}))
        server = self.serve("--auth", f"tokens:{tokens}", *flags)
        server.token = TOKEN
        return server

    def test_the_token_of_the_environment_lets_a_client_in(self):
        server = self.guarded()
        add = ["add", server.url, TICKER, "1"]
        for name, run in self.run_all(add).items():
            with self.subTest(name):
                self.assertNotEqual(run.returncode, 0)
                self.assertIn("401", run.stderr)
        for name, run in self.run_all(add, TWEENCAST_TOKEN=TOKEN).items():
            with self.subTest(name):
                self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(server.get(f"ticker:{TICKER}")["target"], len(self.programs))
        for name, command in self.programs.items():
            with self.subTest(name):
                stream = self.start([*command, "stream", server.url, f"ticker={TICKER}"], TWEENCAST_TOKEN=TOKEN)
                self.assertIn("hello", self.first_line(stream))

    def test_a_redirect_is_not_followed_and_gets_no_token(self):
        for words in (["add", TICKER, "1"], ["stream", f"ticker={TICKER}"]):
            other = Script(OPEN)
            self.addCleanup(other.close)
            head = f"HTTP/1.1 307 Temporary Redirect\r\nLocation: {other.url}/\r\nContent-Length: 0\r\n\r\n"
            script = Script(*[head.encode()] * len(self.programs))
            self.addCleanup(script.close)
            runs = self.run_all([words[0], script.url, *words[1:]], TWEENCAST_TOKEN=TOKEN)
            self.assertEqual([request.headers["Authorization"] for request in script.requests],
                             [f"Bearer {TOKEN}"] * len(runs))
            self.assertEqual(other.requests, [])
            for name, run in runs.items():
                with self.subTest(f"{name} {words[0]}"):
                    self.assertNotEqual(run.returncode, 0)
                    self.assertIn("307", run.stderr)

    def test_a_job_that_runs_twice_under_one_key_counts_once(self):
        server = self.serve()
        for name, command in self.programs.items():
            with self.subTest(name):
                for key in ("", f"{name}-monday", f"{name}-monday", f"{name}-tuesday"):
                    subprocess.run([*command, "add", server.url, name, "1"], check=True, timeout=PATIENCE,
                                   stdout=subprocess.DEVNULL, env=os.environ | {"TWEENCAST_KEY": key})
                self.assertEqual(server.get(f"ticker:{name}")["target"], 3)

    def test_a_client_asked_to_wait_for_hours_reports_its_next_attempt(self):
        server = self.serve("--idempotency-keys", "8")
        # One client gets at most half of the room.
        for _ in range(4):
            run = subprocess.run([*self.programs["python"], "add", server.url, TICKER, "1"], timeout=PATIENCE,
                                 stdout=subprocess.DEVNULL)
            self.assertEqual(run.returncode, 0)
        for name, command in self.programs.items():
            with self.subTest(name):
                line = self.first_line(self.start([*command, "add", server.url, TICKER, "1"]))
                self.assertRegex(line, r"^503: the server asks for 14[34]\d\d s, trying again in 60 s$")

    def test_a_retry_after_of_hours_is_capped_at_a_minute(self):
        full = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 14400\r\nContent-Length: 0\r\n\r\n"
        scripts = {}
        for name, command in self.programs.items():
            for words in (["add", TICKER, "1"], ["stream", f"ticker={TICKER}"]):
                script = scripts[f"{name} {words[0]}"] = Script(full)
                self.addCleanup(script.close)
                self.start([*command, words[0], script.url, *words[1:]])
        end = time.monotonic() + 2 * PATIENCE
        while any(len(script.requests) < 2 for script in scripts.values()) and time.monotonic() < end:
            time.sleep(0.02)
        for name, script in scripts.items():
            with self.subTest(name):
                self.assertGreaterEqual(*script.waits, 60)

    def test_a_page_reads_by_tickets_and_posts_by_the_cookie_of_who_signed_in(self):
        class Tickets(Files):
            def do_POST(self):
                topics = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                body = json.dumps(server.request("POST", "/v1/tickets", topics)).encode()
                self.send_response(200)
                self.end_headers()
                self.wfile.write(body)

        pages = Pages(self.folder, Tickets)
        self.addCleanup(pages.close)
        server = self.guarded("--cors-origin", pages.url)
        server.post(f"ticker:{TICKER}", to=5, duration=0)
        wire = Wire(server.port)
        self.addCleanup(wire.close)
        page = Page(self.folder, pages.url, wire, ticket="/tickets")
        self.addCleanup(page.close)
        wait = WebDriverWait(page.driver, PATIENCE)
        wait.until(lambda _: page.shows("5"))
        page.driver.get(f"{wire.url}/healthz")
        signed_in = page.driver.execute_async_script("""
            const [token, done] = arguments;
            fetch("/v1/session", { method: "POST", headers: { Authorization: `Bearer ${token}` } })
                .then(({ status }) => done(status))""", TOKEN)
        self.assertEqual(signed_in, 204)
        page.driver.back()
        wait.until(lambda _: page.shows("5"))
        page.add()
        wait.until(lambda _: page.shows("6"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
