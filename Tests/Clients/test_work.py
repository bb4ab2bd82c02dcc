"""`tweencast pipe` and `exec`: what passes is unchanged and the command's end is its own, whatever the server does."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from test_command_line import PATIENCE, ROOT, answer, environment
from script import Script

sys.path.insert(0, str(ROOT / "Tests/Browser"))
from server import Server  # noqa: E402
from tested import WITH_SIGNALS, program  # noqa: E402


class WorkTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.close)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.state = pathlib.Path(folder.name)

    def run_it(self, *words: str, url: str = "", **options) -> subprocess.CompletedProcess:
        return subprocess.run(
            [program(), *words], capture_output=True, timeout=PATIENCE,
            env=environment(url or self.server.url, XDG_STATE_HOME=str(self.state)), **options)

    def begin(self, *words: str, url: str = "", **options) -> subprocess.Popen:
        process = subprocess.Popen(
            [*WITH_SIGNALS, program(), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment(url or self.server.url, XDG_STATE_HOME=str(self.state)), **options)
        self.addCleanup(process.wait, PATIENCE)
        self.addCleanup(process.kill)
        for stream in (process.stdin, process.stdout, process.stderr):
            self.addCleanup(stream.close)
        return process

    def until(self, name: str, condition) -> dict:
        """Waits until something holds of a progress."""
        end = time.monotonic() + PATIENCE
        while True:
            items = {item["progress"]: item for item in self.server.request("GET", "/v1/progress")["items"]}
            if name in items and condition(items[name]):
                return items[name]
            self.assertLess(time.monotonic(), end, items.get(name))
            time.sleep(0.01)

    # `pipe`

    def test_pipe_passes_its_input_unchanged_and_counts_lines_or_bytes(self):
        data = os.urandom(300_000) + b"\n" * 7 + b"\0no end"
        done = self.run_it("pipe", "p.lines", "--total", "10", input=data)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, data, b""))
        state = self.until("p.lines", lambda state: state["state"] == "done")
        self.assertEqual(state["current"], data.count(b"\n") + 1)
        self.assertEqual(self.run_it("pipe", "p-bytes", "--bytes", input=data).stdout, data)
        self.until("p-bytes", lambda state: state["current"] == len(data) and state["fraction"] == 1)

    def test_a_pipe_that_never_ends_is_shown_on_its_way(self):
        process = self.begin("pipe", "endless", "--total", "4")
        for count in (1, 3):
            while self.until("endless", lambda state: True)["current"] < count:
                process.stdin.write(b"x\n" * (count if count == 1 else 2))
                process.stdin.flush()
                self.until("endless", lambda state, count=count: state["current"] >= count)
        self.assertEqual(self.server.get("progress:endless")["current"], 3)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(PATIENCE), -signal.SIGINT)

    def test_a_server_that_lost_the_bar_gets_it_back_whole(self):
        for name, words, maximum in (("lost", ["--total", "4"], 4), ("lost-unknown", [], None)):
            process = self.begin("pipe", name, *words)
            process.stdin.write(b"x\n")
            process.stdin.flush()
            self.until(name, lambda state: state["current"] == 1)
            self.server.request("DELETE", f"/v1/progress/{name}")
            process.stdin.write(b"x\n")
            process.stdin.flush()
            self.assertEqual(self.until(name, lambda state: state["current"] == 2)["maximum"], maximum)

    def test_a_last_line_may_lack_its_end(self):
        for name, data, count in (("ended", b"a\nb\n", 2), ("unended", b"a\nb", 2), ("alone", b"a", 1)):
            self.assertEqual(self.run_it("pipe", name, input=data).stdout, data)
            self.until(name, lambda state, count=count: state["state"] == "done" and state["current"] == count)

    def test_pipe_with_empty_input_is_done(self):
        self.assertEqual(self.run_it("pipe", "empty", input=b"").returncode, 0)
        self.until("empty", lambda state: state["state"] == "done")

    def test_pipe_into_a_closed_output_ends(self):
        command = f"yes | {program()} pipe closed | head -n 3"
        done = subprocess.run(
            ["bash", "-c", f"{command}; echo ${{PIPESTATUS[1]}}"], capture_output=True, text=True, timeout=PATIENCE,
            env=environment(self.server.url))
        self.assertEqual((done.stdout, done.stderr), ("y\ny\ny\n141\n", ""))
        self.assertEqual(self.server.get("progress:closed")["text"], "0%")

    def test_a_pipe_that_is_cut_off_stops_the_bar(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for words, text in (([], "0%"), (["--total", "4"], "25%")):
                name = f"cut-{number}-{len(words)}"
                process = self.begin("pipe", name, *words)
                process.stdin.write(b"x\n")
                process.stdin.flush()
                self.until(name, lambda state: state["current"] == 1 and state["motion"]["state"] == "idle")
                process.send_signal(number)
                self.assertEqual(process.wait(PATIENCE), -number)
                state = self.server.get(f"progress:{name}")
                self.assertEqual((state["text"], state["motion"]["state"]), (text, "idle"))

    def test_a_pipe_that_ignores_a_signal_goes_on(self):
        command = ["nohup", program(), "pipe", "kept"]
        options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(command, env=environment(self.server.url), **options) as process:
            process.stdin.write(b"x\n")
            process.stdin.flush()
            self.until("kept", lambda state: state["current"] == 1)
            process.send_signal(signal.SIGHUP)
            output, _ = process.communicate(b"y\n", timeout=PATIENCE)
        self.assertEqual((output, process.returncode), (b"x\ny\n", 0))
        self.assertEqual(self.server.get("progress:kept")["current"], 2)

    def test_a_server_that_never_answers_holds_up_no_signal(self):
        script = Script()
        self.addCleanup(script.close)
        process = self.begin("pipe", "p", "--timeout", "600", url=script.url)
        process.stdin.write(b"x\n")
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), b"x\n")
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(PATIENCE), -signal.SIGTERM)

    def test_a_pipe_doesnt_fail_with_its_server(self):
        script = Script(answer("401 Unauthorized", '{"detail":"no such token"}'))
        self.addCleanup(script.close)
        done = self.run_it("pipe", "p", url=script.url, input=b"a\nb\n")
        self.assertEqual((done.returncode, done.stdout), (0, b"a\nb\n"))
        self.assertEqual(done.stderr, b"tweencast: no such token; going on without it\n")
        self.assertEqual(len(script.requests), 1)

    def test_a_server_that_never_answers_holds_up_nothing_that_passes(self):
        script = Script()
        self.addCleanup(script.close)
        process = self.begin("pipe", "p", url=script.url)
        for _ in range(3):
            process.stdin.write(b"x\n")
            process.stdin.flush()
            self.assertEqual(process.stdout.readline(), b"x\n")

    def test_a_server_that_never_answers_is_reported_once(self):
        """Whether the attempt ends by itself or the end of the work gives it up."""
        for words in (["pipe", "p"], ["pipe", "p", "--timeout", "30"], ["exec", "e", "--timeout", "30", "--", "true"]):
            script = Script()
            self.addCleanup(script.close)
            done = self.run_it(*words, url=script.url, input=b"")
            text = done.stderr.decode()
            self.assertEqual((done.returncode, text.count("\n")), (0, 1), text)
            self.assertIn(f"no answer from {script.url}", text)
            self.assertIn("going on without it", text)

    # `exec`

    def test_the_exit_code_is_the_commands(self):
        self.assertEqual(self.run_it("exec", "ok", "--", "true").returncode, 0)
        self.assertEqual(self.run_it("exec", "fails", "--", "sh", "-c", "exit 7").returncode, 7)
        self.assertEqual(self.run_it("exec", "dies", "--", "sh", "-c", "kill -9 $$").returncode, 137)
        missing = self.run_it("exec", "missing", "--", "/no/such/program")
        self.assertEqual((missing.returncode, missing.stdout), (127, b""))
        self.assertIn(b"/no/such/program: No such file", missing.stderr)
        self.assertEqual(self.server.get("progress:fails")["text"], "0%")

    def test_input_and_output_are_the_commands(self):
        done = self.run_it("exec", "cat", "--", "cat", input=b"a\0b")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"a\0b", b""))

    def test_a_run_is_estimated_by_those_before(self):
        """The first is of unknown length; the next one's bar moves for as long as the first took."""
        process = self.begin("exec", "bar", "--", "cat")
        self.until("bar", lambda state: state["maximum"] is None)
        process.stdin.close()
        self.assertEqual(process.wait(PATIENCE), 0)
        self.until("bar", lambda state: state["fraction"] == 1)
        runs = self.state / "tweencast/runs/bar"
        self.assertEqual(len(runs.read_text().splitlines()), 1)
        runs.write_text("100\n")
        process = self.begin("exec", "bar", "--", "cat")
        state = self.until("bar", lambda state: state["motion"]["state"] == "running" and state["current"] == 95)
        self.assertEqual(state["motion"]["duration"], 100)
        process.stdin.close()
        self.assertEqual(process.wait(PATIENCE), 0)
        self.until("bar", lambda state: state["fraction"] == 1)
        self.assertEqual(len(runs.read_text().splitlines()), 2)

    def test_a_failure_stops_the_bar_and_isnt_remembered(self):
        runs = self.state / "tweencast/runs/stops"
        runs.parent.mkdir(parents=True, exist_ok=True)
        runs.write_text("100\n")
        process = self.begin("exec", "stops", "--", "sh", "-c", "read x; exit 3")
        self.until("stops", lambda state: state["motion"]["state"] == "running")
        process.stdin.close()
        self.assertEqual(process.wait(PATIENCE), 3)
        state = self.until("stops", lambda state: state["motion"]["state"] == "idle")
        self.assertLess(state["fraction"], 0.95)
        self.assertEqual(runs.read_text(), "100\n")

    def test_signals_reach_the_command(self):
        script = "trap 'echo caught; exit 9' INT TERM USR1 USR2; echo ready; while :; do sleep 0.05; done"
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2):
            process = self.begin("exec", "signals", "--", "bash", "-c", script)
            self.assertEqual(process.stdout.readline(), b"ready\n")
            process.send_signal(number)
            self.assertEqual(process.stdout.readline(), b"caught\n")
            self.assertEqual(process.wait(PATIENCE), 9)

    def test_a_command_doesnt_wait_for_its_server(self):
        script = Script()
        script.close()
        done = self.run_it("exec", "away", "--", "echo", "done", url=script.url)
        self.assertEqual((done.returncode, done.stdout), (0, b"done\n"))
        self.assertIn(b"going on without it", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
