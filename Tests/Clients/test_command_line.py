"""The program as a client, at a pipe and at a terminal, of servers that go away, refuse and send what they shouldn't."""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from script import Script

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))
from server import Server  # noqa: E402
from tested import program  # noqa: E402

PATIENCE = 60


def environment(url: str, **more: str) -> dict[str, str]:
    """That of this process without settings of Tweencast's, and with a server's address."""
    usual = {name: value for name, value in os.environ.items() if not name.startswith("TWEENCAST_")}
    return usual | {"TWEENCAST_URL": url, "LANG": "C.UTF-8"} | more


def run(url: str, *words: str, **more: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [program(), *words], capture_output=True, text=True, timeout=PATIENCE, env=environment(url, **more))


def answer(status: str, body: str = "", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers, "", body]
    return "\r\n".join(lines).encode()


class CommandTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.close)

    def tell(self, *words: str, **more: str) -> str:
        """Runs a command that succeeds, and gives what it prints."""
        done = run(self.server.url, *words, **more)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout

    def test_a_ticker_is_set_and_added_to(self):
        self.assertEqual(self.tell("set", "till.no.1", "250", "--duration", "0", "--label", "$0.00"), "")
        self.assertEqual(self.tell("add", "till.no.1", "-0.50", "--duration", "0"), "")
        self.assertEqual(self.tell("get", "till.no.1"), "$249.50\n")
        self.assertEqual(json.loads(self.tell("get", "ticker:till.no.1", "--json"))["target"], 249.5)

    def test_a_progress_has_a_total(self):
        self.tell("progress", "build", "42/200", "--duration", "0")
        self.assertEqual(self.tell("get", "build"), "21%\n")

    def test_a_number_may_be_negative(self):
        self.tell("set", "below", "-5", "--duration", "0")
        self.assertEqual(self.tell("get", "below"), "-5\n")
        self.tell("progress", "below-p", "-5/200", "--duration", "0", "--label", "0")
        self.assertEqual(json.loads(self.tell("get", "below-p", "--json"))["current"], -5)

    def test_a_list_has_all_that_begin_alike(self):
        for number in range(3):
            self.tell("set", f"list-{number}", str(number), "--duration", "0")
        self.tell("progress", "list-p", "1/2", "--duration", "0")
        self.assertEqual(
            self.tell("list", "list-"), "ticker\tlist-0\t0\nticker\tlist-1\t1\nticker\tlist-2\t2\nprogress\tlist-p\t50%\n")

    def test_a_command_takes_the_kind_that_get_takes(self):
        self.tell("set", "ticker:mix", "5", "--duration", "0")
        self.tell("add", "ticker:mix", "1", "--duration", "0")
        self.tell("progress", "progress:mix", "1/2", "--duration", "0")
        self.tell("set", "mix:colon", "7", "--duration", "0")
        self.assertEqual(self.tell("list", "mix*"), "ticker\tmix\t6\nticker\tmix:colon\t7\nprogress\tmix\t50%\n")
        self.assertEqual(self.tell("list", "ticker:"), "")

    def test_a_label_controls_no_terminal(self):
        self.tell("set", "evil", "5", "--duration", "0", "--label", "\x1b]0;x\x07\x9b a 0 \x7f\r")
        for words in (["get", "evil"], ["list", "evil"]):
            shown = self.tell(*words).replace("\n", "").replace("\t", "")
            self.assertTrue(shown.isprintable(), shown)

    def test_a_key_counts_once(self):
        for key in ["one", "one", "two"]:
            self.tell("add", "counted", "1", "--duration", "0", "--key", key)
        self.tell("add", "counted", "1", "--duration", "0", TWEENCAST_KEY="two")
        self.assertEqual(self.tell("get", "counted"), "2\n")

    def test_refusals_are_one_sentence_and_a_code(self):
        for words, code, text in [
            (["get", "nothing"], 3, "there is no ticker, progress or schedule nothing"),
            (["get", "ticker:nothing"], 3, "there is no ticker nothing"),
            (["set", "a", "9" * 60], 1, "/to"),
            (["set", "a", "five"], 2, "five is no number"),
            (["set", "a b", "5"], 2, "a b is no id"),
            (["set", "progress:a", "5"], 2, "progress:a is a progress, and set changes a ticker"),
            (["exec", "ticker:a", "--", "true"], 2, "ticker:a is a ticker, and exec changes a progress"),
            (["exec", "a", "echo", "hello", "--", "world"], 2, "the id comes before --"),
            (["set", "a"], 2, "usage: tweencast set ID NUMBER"),
            (["get", "a", "--server", "ftp://b"], 2, "ftp://b is no address"),
            (["get", "a", "--server", "http://localhost:99999"], 2, "http://localhost:99999 is no address"),
            (["watch", "a", "--server", "http://localhost:abc"], 2, "http://localhost:abc is no address"),
            (["pipe", "a", "--server", ":9400"], 2, ":9400 is no address of a server, such as http://localhost:8080"),
            (["exec", "a", "--server", "", "--", "echo", "a"], 2, "--server: an empty text is no address"),
            (["add", "a", "1", "--key", "é"], 2, "--key: an Idempotency-Key has"),
        ]:
            done = run(self.server.url, *words)
            self.assertEqual((done.returncode, done.stdout), (code, ""), words)
            self.assertIn(text, done.stderr)
            self.assertTrue(done.stderr.startswith("tweencast: "))

    def test_a_token_that_cannot_be_sent_is_not_printed(self):
        for words in (["get", "a"], ["watch", "a"], ["pipe", "a"]):
            for token in ("secret-é", "secret\n"):
                done = run(self.server.url, *words, TWEENCAST_TOKEN=token)
                self.assertEqual((done.returncode, done.stdout), (2, ""), words)
                self.assertIn("TWEENCAST_TOKEN: a token has only", done.stderr)
                self.assertNotIn("secret", done.stderr)

    def test_a_full_disk_is_a_failure(self):
        self.tell("set", "full", "5", "--duration", "0")
        for command in ("get", "watch"):
            with open("/dev/full", "w") as full:
                done = subprocess.run(
                    [program(), command, "full"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=PATIENCE,
                    env=environment(self.server.url))
            self.assertEqual((done.returncode, done.stderr), (1, "tweencast: cannot write to standard output\n"))


class RetryTest(unittest.TestCase):
    """What becomes of a request while a server doesn't answer."""

    def script(self, *answers: bytes) -> Script:
        script = Script(*answers)
        self.addCleanup(script.close)
        return script

    def test_retries_of_a_command_have_one_idempotency_key(self):
        state = answer("200 OK", '{"ticker":"a","value":1,"text":"1"}')
        script = self.script(b"", answer("503 Busy", "", "Retry-After: 1"), answer("429 Slow"), state)
        done = run(script.url, "add", "a", "1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        keys = {request.headers["Idempotency-Key"] for request in script.requests}
        self.assertEqual((len(script.requests), len(keys)), (4, 1))
        self.assertGreaterEqual(script.waits[1], 0.99)

    def test_a_server_that_asks_for_longer_than_the_command_waits(self):
        script = self.script(answer("503 Busy", "", "Retry-After: 3600"))
        done = run(script.url, "add", "a", "1", "--timeout", "5")
        self.assertEqual((done.returncode, len(script.requests)), (4, 1))

    def test_a_final_answer_is_not_asked_for_again(self):
        script = self.script(answer("401 Unauthorized", '{"status":401,"title":"x","detail":"no such token"}'))
        done = run(script.url, "add", "a", "1", TWEENCAST_TOKEN="wrong")
        self.assertEqual((done.returncode, done.stderr), (1, "tweencast: no such token\n"))
        self.assertEqual([request.headers["Authorization"] for request in script.requests], ["Bearer wrong"])

    def test_a_redirect_gets_no_token(self):
        script = self.script(answer("302 Found", "", "Location: /elsewhere"))
        self.assertEqual(run(script.url, "get", "ticker:a", TWEENCAST_TOKEN="t").returncode, 1)
        self.assertEqual(len(script.requests), 1)

    def test_a_server_that_goes_away_and_returns(self):
        """Several add while it is killed and started again; each counts once."""
        with tempfile.TemporaryDirectory() as folder:
            server = Server(data=folder)
            words = ["add", "sum", "1", "--duration", "0", "--timeout", "30"]
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                runs = []
                for _ in range(3):
                    runs += [pool.submit(run, server.url, *words) for _ in range(4)]
                    server.kill()
                    runs += [pool.submit(run, server.url, *words) for _ in range(4)]
                    server = Server(port=server.port, data=folder)
                codes = [job.result().returncode for job in runs]
            self.addCleanup(server.close)
            self.assertEqual(codes, [0] * len(runs))
            self.assertEqual(run(server.url, "get", "sum").stdout, f"{len(runs)}\n")

    def test_a_server_that_never_answers_outlasts_no_patience(self):
        """It is asked again under the same key, and given up in time: without a bound, each attempt took half a minute."""
        for patience in ("0", "2"):
            script = self.script()
            begin = time.monotonic()
            done = run(script.url, "add", "a", "1", "--timeout", patience)
            self.assertLess(time.monotonic() - begin, 20)
            self.assertEqual((done.returncode, done.stdout), (4, ""))
            self.assertIn(f"no answer from {script.url}", done.stderr)

    def test_a_command_without_a_server_fails_after_its_timeout(self):
        script = self.script()
        script.close()
        done = run(script.url, "get", "a", "--timeout", "1")
        self.assertEqual(done.returncode, 4)
        self.assertIn(f"no answer from {script.url}", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
