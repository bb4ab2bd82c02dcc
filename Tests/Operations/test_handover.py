"""Hand-overs (SIGUSR2), good and bad, beside clients that connect: every request is answered, no change that was acknowledged is
lost, and no descriptor is closed that isn't open."""

import contextlib
import http.client
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
import unittest.mock

from figures import PATIENCE
from supervised import PROGRAM, ROOT, Supervisor

TIMES = 20
CHANGING, LISTENING = 4, 3


class Crowd:
    """Clients on new connections, until they are told to end: some change tickers of their own, some open streams and leave."""

    def __init__(self, port: int):
        self.port = port
        self.acknowledged = dict.fromkeys(range(CHANGING), 0)
        self.statuses: set[int] = set()
        self.failures: list[str] = []
        self.is_ending = False
        self.streams = 0
        jobs = [(self.change, number) for number in range(CHANGING)] + [(self.listen, 0)] * LISTENING
        self.threads = [threading.Thread(target=self.repeat, args=job, daemon=True) for job in jobs]
        for thread in self.threads:
            thread.start()

    def repeat(self, job, number: int):
        while not self.is_ending:
            try:
                job(number)
            except (OSError, http.client.HTTPException) as error:
                self.failures.append(f"{job.__name__}: {type(error).__name__} {error}")
                time.sleep(0.05)

    def ask(self, method: str, path: str, body: str | None = None) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request(method, path, body, {"Connection": "close"})
        answer = connection.getresponse()
        self.statuses.add(answer.status)
        return answer

    def change(self, number: int):
        with self.ask("POST", f"/v1/tickers/sum-{number}", '{"by":1,"duration":0}') as answer:
            answer.read()
            self.acknowledged[number] += answer.status == 202

    def listen(self, _):
        with self.ask("GET", "/v1/events?ticker=*") as stream:
            if not stream.readline():
                raise http.client.IncompleteRead(b"")
            self.streams += 1

    def end(self):
        self.is_ending = True
        for thread in self.threads:
            thread.join()


def library(name: str, folder: str) -> str:
    """Compiles what is loaded before the program; its path."""
    path, source = f"{folder}/{name}.so", ROOT / f"Tests/FaultInjection/{name}.c"
    subprocess.run(["cc", "-O1", "-Wall", "-Werror", "-shared", "-fPIC", source, "-o", path], check=True)
    return path


class HandoverTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.library = library("closes", folder.name)

    def begin(self, *arguments: str) -> Supervisor:
        """A server whose closes are watched, and settings that can be broken."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.closes, self.settings = (pathlib.Path(folder.name) / name for name in ("closes", "tweencast.toml"))
        self.settings.write_text("drain-timeout = 1\n", encoding="utf-8")
        watched = {"LD_PRELOAD": self.library, "TWEENCAST_CLOSES": str(self.closes)}
        with unittest.mock.patch.dict(os.environ, watched):
            supervisor = Supervisor("--config", str(self.settings), *arguments)
        self.addCleanup(supervisor.close)
        self.server = supervisor.process.pid
        self.addCleanup(lambda: self.server != supervisor.process.pid and os.kill(self.server, signal.SIGKILL))
        return supervisor

    def check(self, supervisor: Supervisor, crowd: Crowd):
        """All were answered, and what was acknowledged is there."""
        crowd.end()
        self.assertEqual(crowd.failures, [])
        # A server that is about to close answers 503 to whoever comes last, and has changed nothing then.
        self.assertLessEqual(crowd.statuses, {200, 202, 503})
        self.assertGreater(crowd.streams, 0)
        for number, count in crowd.acknowledged.items():
            with crowd.ask("GET", f"/v1/tickers/sum-{number}") as answer:
                self.assertIn(f'"target":{count},', answer.read().decode())
        self.assertEqual(self.closes.read_text() if self.closes.exists() else "", "")
        print(f"\n{sum(crowd.acknowledged.values())} changes, {crowd.streams} streams beside {TIMES} hand-overs")

    def test_a_successor_that_can_not_start_leaves_every_connection_alone(self):
        read, write = os.pipe()
        with unittest.mock.patch("sys.stderr"), open(read, encoding="utf-8") as errors:
            kept = os.dup(2)
            os.dup2(write, 2)
            try:
                supervisor = self.begin("--log-level", "error")
            finally:
                os.dup2(kept, 2)
                os.close(kept)
                os.close(write)
            crowd = Crowd(supervisor.port)
            self.addCleanup(crowd.end)
            self.settings.write_text("drain-timeout = broken\n", encoding="utf-8")
            for _ in range(TIMES):
                supervisor.process.send_signal(signal.SIGUSR2)
                for line in errors:
                    if "handover failed: no successor" in line:
                        break
                self.assertIsNone(supervisor.process.poll())
            self.check(supervisor, crowd)
            self.assertEqual(supervisor.end(), 0)
            self.assertEqual(self.closes.read_text() if self.closes.exists() else "", "")

    def test_handovers_under_load_leave_no_request_unanswered(self):
        supervisor = self.begin("--log-level", "warning")
        crowd = Crowd(supervisor.port)
        self.addCleanup(crowd.end)
        for _ in range(TIMES):
            os.kill(self.server, signal.SIGUSR2)
            before, self.server = self.server, supervisor.notices.wait_for_successor()
            supervisor.notices.wait_for("READY=1")
            if before == supervisor.process.pid:
                self.assertEqual(supervisor.process.wait(PATIENCE), 0)
        self.check(supervisor, crowd)


class FailureTest(unittest.TestCase):
    """A successor that ends, or hangs, when it is too late for the old process to stay as it is."""

    def test_the_old_program_begins_anew_where_the_next_one_ends_after_it_has_let_go(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        program, kept = pathlib.Path(folder.name, "tweencast"), pathlib.Path(folder.name, "kept")
        shutil.copy(PROGRAM, program)
        supervisor = Supervisor("--drain-timeout", "1", "--log-level", "warning", program=str(program))
        self.addCleanup(supervisor.close)
        pid = supervisor.process.pid
        for number in (1, 2):
            self.change(supervisor.port)
            # What takes over, says that the old one can go, and ends.
            shutil.copy(PROGRAM, kept)
            program.unlink()
            program.write_text("#!/bin/sh\nprintf '\\001' >&4\nexit 1\n")
            program.chmod(0o755)
            supervisor.process.send_signal(signal.SIGUSR2)
            self.assertNotEqual(supervisor.notices.wait_for_successor(), pid)
            self.assertEqual(supervisor.notices.wait_for_successor(), pid)
            supervisor.notices.wait_for("READY=1")
            with self.ask(supervisor.port, "GET") as answer:
                self.assertIn(f'"target":{number},', answer.read().decode())
            kept.replace(program)
        # What has begun anew hands over as ever.
        supervisor.process.send_signal(signal.SIGUSR2)
        successor = supervisor.notices.wait_for_successor()
        self.addCleanup(os.kill, successor, signal.SIGKILL)
        supervisor.notices.wait_for("READY=1")
        self.assertEqual(supervisor.process.wait(PATIENCE), 0)
        self.assertEqual(os.readlink(f"/proc/{successor}/exe"), str(program))
        self.change(supervisor.port)

    def test_the_old_program_begins_anew_where_the_next_one_hangs(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with unittest.mock.patch.dict(os.environ, LD_PRELOAD=library("hurries", folder.name)):
            supervisor = Supervisor("--drain-timeout", "1", "--log-level", "warning")
        self.addCleanup(supervisor.close)
        pid = supervisor.process.pid
        self.change(supervisor.port)
        # A request that doesn't end: the store is released when the drain is over, so the next one can't serve before.
        with socket.create_connection(("127.0.0.1", supervisor.port), PATIENCE) as slow:
            slow.sendall(b"POST /v1/tickers/t HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{")
            self.change(supervisor.port)
            supervisor.process.send_signal(signal.SIGUSR2)
            successor = supervisor.notices.wait_for_successor()
            os.kill(successor, signal.SIGSTOP)
            self.addCleanup(self.kill, successor)
            self.assertEqual(supervisor.notices.wait_for_successor(), pid)
        supervisor.notices.wait_for("READY=1")
        self.assertFalse(os.path.exists(f"/proc/{successor}"))
        with self.ask(supervisor.port, "GET") as answer:
            self.assertIn('"target":2,', answer.read().decode())
        self.change(supervisor.port)

    @staticmethod
    def kill(pid: int):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    def test_a_server_that_is_terminated_ends_its_hanging_successor(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        program = pathlib.Path(folder.name, "tweencast")
        shutil.copy(PROGRAM, program)
        supervisor = Supervisor("--log-level", "error", program=str(program))
        self.addCleanup(supervisor.close)
        program.unlink()
        # One that reads its settings for ever, as far as anybody can tell.
        program.write_text("#!/bin/sh\necho $$ >\"${0%/*}/pid\"\nexec sleep 3600\n")
        program.chmod(0o755)
        supervisor.process.send_signal(signal.SIGUSR2)
        pid = pathlib.Path(folder.name, "pid")
        while not pid.exists() or not pid.read_text():
            time.sleep(0.01)
        self.change(supervisor.port)
        self.assertEqual(supervisor.end(), 0)
        self.assertFalse(os.path.exists(f"/proc/{int(pid.read_text())}"))

    def change(self, port: int):
        with self.ask(port, "POST", '{"by":1,"duration":0}') as answer:
            self.assertEqual(answer.status, 202)
            answer.read()

    @staticmethod
    def ask(port: int, method: str, body: str | None = None) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        connection.request(method, "/v1/tickers/t", body, {"Connection": "close"})
        return connection.getresponse()


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main()
