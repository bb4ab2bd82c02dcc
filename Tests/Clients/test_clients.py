"""The example clients against a server that is killed, drained, frozen and loses its store: each tells every end of a
motion once and none twice, comes back no sooner than it was asked to, and its own updates count once."""

import functools
import json
import os
import pathlib
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from selenium.webdriver.common.by import By
from selenium.webdriver.support import expected_conditions
from selenium.webdriver.support.ui import WebDriverWait

from clients import EXAMPLES, PATIENCE, ROOT, TICKER, Client, Page, Pages, Program, programs
from script import Script
from wire import Wire

sys.path.insert(0, str(ROOT / "Tests/Browser"))
from driver import Chromium  # noqa: E402
from server import Server  # noqa: E402

# The head of a stream that ends where its connection does.
OPEN = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"


class ClientsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.programs = programs(cls.folder)

    def setUp(self):
        pages = Pages(self.folder)
        self.addCleanup(pages.close)
        self.origin = pages.url
        self.clients: dict[str, Client] = {}
        # The number that the ticker goes to.
        self.count = 0
        self.store = tempfile.mkdtemp(dir=self.folder)
        self.start()
        self.addCleanup(lambda: self.server.close())

    def start(self, port: int = 0):
        self.server = Server("--cors-origin", self.origin, "--drain-timeout", "1", port=port, data=self.store)

    def restart(self):
        self.start(self.server.port)

    def move(self, times: int):
        """Motions one after another."""
        for _ in range(times):
            self.server.post(f"ticker:{TICKER}", by=1, duration=0)
        self.count += times

    def until(self, condition, what: str):
        """Waits until something holds of each client."""
        for name, client in self.clients.items():
            end = time.monotonic() + PATIENCE
            while not condition(client):
                if time.monotonic() > end:
                    self.fail(f"{name}, not in {PATIENCE} s: {what}\n{client.words()}")
                time.sleep(0.02)

    def check(self):
        """Each client has told of the end of each motion once, in their order, and shows the last one's number."""
        self.assertEqual(self.server.get(f"ticker:{TICKER}")["target"], self.count)
        expected = list(range(1, self.count + 1))
        self.until(lambda client: len(client.told("complete")) >= self.count, f"{self.count} ends")
        for name, client in self.clients.items():
            ends = [int(end["animation"]) for end in client.told("complete")]
            self.assertEqual(ends, expected, f"{name}: {client.words()}")
        self.until(lambda client: client.shows(str(self.count)), f"shows {self.count}")

    def check_waits(self):
        """Nobody came back sooner than the server had asked, but a page that gave a silent stream up and can't know."""
        for name, client in self.clients.items():
            passages, retry = client.wire.streams, None
            for before, after in zip(passages, passages[1:]):
                retry = before.retry or (None if name == "page" else retry)
                if retry and not (name == "page" and before.by_client):
                    self.assertGreaterEqual(after.began - before.over, retry - 0.01, name)

    def add(self, meanwhile):
        """Has each client post an update, which counts once whatever happens meanwhile."""
        posts = {id(client): client.wire.posts for client in self.clients.values()}
        waits = [client.add() for client in self.clients.values()]
        self.until(lambda client: client.wire.posts > posts[id(client)], "tries to post")
        meanwhile()
        for wait in waits:
            wait()
        self.count += len(waits)
        self.until(lambda _: self.server.get(f"ticker:{TICKER}")["target"] >= self.count, "has posted")

    def is_away(self):
        """Killed, and not there while everybody posts."""
        self.server.kill()
        self.add(self.restart)

    def is_killed_again(self):
        """Killed twice, with motions in between that nobody may have heard of."""
        self.server.kill()
        self.restart()
        self.move(3)
        self.server.kill()
        self.restart()

    def says_farewell(self):
        self.server.close()
        self.until(lambda client: client.told("bye"), "a farewell")
        self.restart()

    def freezes(self):
        """A server that says nothing and keeps its connections, as one behind a cable that was pulled."""
        self.server.process.send_signal(signal.SIGSTOP)
        try:
            passages = {id(client): client.wire.streams[-1] for client in self.clients.values()}
            self.until(lambda client: passages[id(client)].is_ended, "gives the silent stream up")
            for name, client in self.clients.items():
                self.assertTrue(passages[id(client)].by_client, name)
        finally:
            self.server.process.send_signal(signal.SIGCONT)

    def loses_its_store(self):
        self.server.kill()
        self.store = tempfile.mkdtemp(dir=self.folder)
        self.count = 0
        self.restart()
        self.until(lambda client: any(name == "reset" for name, _ in client.events), "told of the loss")

    def test_each_completion_is_reported_once_over_kills_freezes_and_lost_stores(self):
        port = self.server.port
        makers = {name: functools.partial(Program, command) for name, command in self.programs.items()}
        for name, maker in (makers | {"page": functools.partial(Page, self.folder, self.origin)}).items():
            wire = Wire(port)
            self.addCleanup(wire.close)
            self.clients[name] = maker(wire)
            self.addCleanup(self.clients[name].close)
        self.until(lambda client: client.beginnings, "begins")
        self.move(3)
        self.check()
        for client in self.clients.values():
            client.wire.losses = 1
        self.add(lambda: self.until(lambda client: client.wire.losses == 0, "loses its answer"))
        self.check()
        for what in (self.is_away, self.is_killed_again, self.says_farewell, self.freezes, self.loses_its_store):
            with self.subTest(what.__name__):
                before = {id(client): client.beginnings for client in self.clients.values()}
                what()
                self.until(lambda client: client.beginnings > before[id(client)], "comes back")
                self.move(2)
                self.check()
        self.check_waits()

    def test_a_refused_request_is_not_retried(self):
        for name, command in self.programs.items():
            with self.subTest(name):
                for words in (["stream", self.server.url, "tikcer=a"], ["add", self.server.url, "a/b/c", "1"]):
                    run = subprocess.run([*command, *words], capture_output=True, text=True, timeout=PATIENCE)
                    self.assertNotEqual(run.returncode, 0, run.stdout)

    def play(self, *answers: bytes) -> dict[str, tuple[Script, str]]:
        """Has each program listen until it has come back after the last answer; gives what it was asked and it told."""
        runs = {}
        for name, command in self.programs.items():
            script = Script(*answers)
            self.addCleanup(script.close)
            process = subprocess.Popen(
                [*command, "stream", script.url, f"ticker={TICKER}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True)
            runs[name] = script, process
        end = time.monotonic() + PATIENCE
        try:
            while time.monotonic() < end and any(len(script.requests) <= len(answers) for script, _ in runs.values()):
                time.sleep(0.02)
        finally:
            for _, process in runs.values():
                os.killpg(process.pid, signal.SIGTERM)
        return {name: (script, process.communicate()[0].decode()) for name, (script, process) in runs.items()}

    def test_before_the_first_id_none_is_sent(self):
        for name, (script, _) in self.play(OPEN + b"event: hello\nretry: 50\ndata: {\"heartbeat\":15}\n\n").items():
            with self.subTest(name):
                self.assertEqual(script.ids, [None, None])

    def test_an_event_with_unicode_line_separators_is_one_event(self):
        event = "id: e-1\nevent: notification\nretry: 50\ndata: {\"a\":\"b: c\u2028d\u2029e\"}\n\n"
        for name, (script, told) in self.play(OPEN + event.encode()).items():
            with self.subTest(name):
                self.assertEqual(script.ids[1:], ["e-1"])
                self.assertEqual(told, 'notification {"a":"b: c\u2028d\u2029e"}\n')

    def test_an_event_that_was_cut_inside_a_character_comes_again(self):
        first = b"id: e-1\nevent: notification\nretry: 50\ndata: 1\n\n"
        second = "id: e-2\nevent: notification\ndata: \"20 €\"\n\n".encode()
        cut = second[:second.index("€".encode()) + 1]
        for name, (script, told) in self.play(OPEN + first + cut, OPEN + second).items():
            with self.subTest(name):
                self.assertEqual(script.ids[1:], ["e-1", "e-2"])
                self.assertEqual(told, 'notification 1\nnotification "20 €"\n')

    def test_lines_of_data_are_one_text(self):
        event = b"id: e-1\nevent: notification\nretry: 50\ndata: {\ndata:   \"a\": 1\ndata: }\n\n"
        for name, (_, told) in self.play(OPEN + event).items():
            with self.subTest(name):
                self.assertEqual(told.split(), ["notification", "{", '"a":', "1", "}"])

    def test_a_comment_ends_no_event(self):
        event = b": a\nid: e-1\nevent: notification\n:b\nretry: 50\n: c\ndata: 1\n: d: e\ndata: 2\n\n: f\n\n"
        for name, (script, told) in self.play(OPEN + event).items():
            with self.subTest(name):
                self.assertEqual(script.ids[1:], ["e-1"])
                self.assertEqual(told.split(), ["notification", "1", "2"])

    def test_clients_wait_for_the_retry_after_of_a_503_or_429(self):
        hello = OPEN + b"event: hello\nretry: 50\ndata: {\"heartbeat\":15}\n\n"
        full = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n"
        limit = b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 1\r\nContent-Length: 0\r\n\r\n"
        for name, (script, _) in self.play(hello, full, limit).items():
            with self.subTest(name):
                for wait, asked in zip(script.waits, [0.05, 2, 1], strict=True):
                    self.assertGreaterEqual(wait, asked)

    def test_clients_wait_for_the_retry_of_a_bye(self):
        """A server without room asks for up to 40 s, which is longer than the longest wait of a client's own."""
        bye = OPEN + b"event: bye\nretry: 31000\ndata: {\"reason\":\"full\"}\n\n"
        for name, (script, _) in self.play(bye).items():
            with self.subTest(name):
                self.assertGreaterEqual(*script.waits, 31)

    def test_an_update_that_was_sent_again_has_one_answer(self):
        problem, ticker = b'{"status":503}', b'{"ticker":"visitors","target":7}'
        full = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: %d\r\n\r\n%s"
        done = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(ticker), ticker)
        for name, command in self.programs.items():
            with self.subTest(name):
                script = Script(full % (len(problem), problem), done)
                self.addCleanup(script.close)
                # As people type it.
                address = script.url.removeprefix("http://") + "/"
                run = subprocess.run([*command, "add", address, TICKER, "1"], capture_output=True, timeout=PATIENCE)
                self.assertEqual(run.returncode, 0, run.stderr)
                self.assertIn(json.loads(run.stdout), (7, json.loads(ticker)))

    def test_a_webhook_may_be_signed_with_either_secret_while_one_replaces_the_other(self):
        secrets = [f"whsec_{digit * 32}" for digit in "AB"]
        receiver = subprocess.Popen(
            [sys.executable, str(EXAMPLES / "webhook.py"), "--port", "0"], stdout=subprocess.PIPE, text=True,
            env=os.environ | {"TWEENCAST_WEBHOOK_SECRET": ",".join(secrets)})
        self.addCleanup(receiver.stdout.close)
        self.addCleanup(receiver.wait)
        self.addCleanup(receiver.kill)
        host = receiver.stdout.readline().strip().rpartition("/")[2]
        for secret in secrets:
            with self.subTest(secret):
                server = Server("--webhook-secret", secret, "--webhook-host", host)
                self.addCleanup(server.close)
                server.post(f"ticker:{TICKER}", to=1, duration=0, then=[{"webhook": f"http://{host}/{secret}"}])
                self.assertTrue(select.select([receiver.stdout], [], [], PATIENCE)[0], "not taken for the server's")
                self.assertTrue(receiver.stdout.readline().startswith(f"/{secret} "))

    def test_the_page_of_the_first_five_minutes_shows_the_number(self):
        text = (ROOT / "docs/getting-started.md").read_text()
        html = re.search(r"^```html\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[1]
        self.folder.joinpath("first.html").write_text(html.replace("http://localhost:8080", self.server.url))
        driver = Chromium()
        self.addCleanup(driver.quit)
        driver.get(f"{self.origin}/first.html")
        self.server.post(f"ticker:{TICKER}", label="0 visitors", to=1500, duration=0.2)
        WebDriverWait(driver, PATIENCE).until(
            expected_conditions.text_to_be_present_in_element((By.ID, "visitors"), "1500 visitors"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
