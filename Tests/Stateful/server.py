"""A server of a session: started, killed, ended, handed over, with a wall clock that can be set."""

import contextlib
import ctypes
import decimal
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import typing

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests"))
from ports import free_port  # noqa: E402
from tested import program  # noqa: E402

HOST = "127.0.0.1"
START_SECONDS = 30
# A hand-over waits for open requests and ends streams; the flag below makes that short.
HAND_OVER_SECONDS = 30
# What it logs when it stays after SIGUSR2.
REFUSED = "handover failed: no successor"
FAKETIME = next(iter(pathlib.Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), None)
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
LIBC = ctypes.CDLL(None)


class Answer(typing.NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self):
        # Numbers are exact, and may have more digits than a double.
        return json.loads(self.body, parse_float=decimal.Decimal)

    @property
    def revision(self) -> int:
        return int(self.headers["etag"].strip('"'))


def adopt_orphans():
    """After a hand-over the new process is a child of this one: it is waited for, and ends with it."""
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1)


def wait_until(condition, seconds, what):
    """Until it holds; it returns what the condition did."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, f"not within {seconds} s: {what() if callable(what) else what}"
        time.sleep(0.01)
    return found


class Server:
    """One server on a port and a folder of its own, and whichever process serves it now."""

    def __init__(self, tokens: dict):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tweencast-stateful-"))
        self.port, self.pid = free_port(), None
        self.kills = 0
        self.clock, self.configuration, self.log = (self.folder / name for name in ("clock", "c.toml", "log"))
        self.output = self.folder / "output"
        (self.folder / "tokens.json").write_text(json.dumps(tokens))
        self.set_clock(0)
        self.configure(is_good=True)
        self.start()

    def configure(self, is_good: bool):
        self.configuration.write_text("history-minutes = 1440\n" if is_good else "history-minutes = ['\n")

    def set_clock(self, seconds: int):
        """By how much the server's wall clock is ahead of this machine's."""
        new = self.clock.with_suffix(".new")
        new.write_text(f"{seconds:+d}\n")
        new.replace(self.clock)

    @property
    def environment(self):
        # Not by arguments: under libfaketime the program sees none.
        return os.environ | {
            "TWEENCAST_PORT": str(self.port),
            "TWEENCAST_DATA": str(self.folder / "data"),
            "TWEENCAST_PUBLIC": str(ROOT / "public"),
            "TWEENCAST_CONFIG": str(self.configuration),
            "TWEENCAST_AUTH": f"tokens:{self.folder / 'tokens.json'}",
            "TWEENCAST_DRAIN_TIMEOUT": "2",
            "LD_PRELOAD": str(FAKETIME),
            "FAKETIME_TIMESTAMP_FILE": str(self.clock),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
        }

    def start(self):
        before = self.said("listening on")
        with open(self.output, "ab") as output, open(self.log, "ab") as log:
            self.pid = subprocess.Popen(
                [program()], stdin=subprocess.DEVNULL, stdout=output, stderr=log, env=self.environment,
                preexec_fn=lambda: LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)).pid  # fmt: skip
        wait_until(lambda: self.said("listening on") > before or not self.is_alive, START_SECONDS, "a start")
        assert self.is_alive, f"it doesn't start: {self.last_words}"

    def said(self, words: str) -> int:
        """How often it has printed that."""
        return self.output.read_text().count(words) if self.output.exists() else 0

    @property
    def logged(self) -> str:
        return self.log.read_text(errors="replace")

    @property
    def last_words(self) -> str:
        found = re.findall(r"Fatal error[^\n]*|Swift runtime failure[^\n]*", self.logged)
        return (found or [self.logged[-300:]])[-1]

    @property
    def is_alive(self) -> bool:
        return self.ended(self.pid) is None

    def ended(self, pid: int) -> int | None:
        """The exit code of a process that has ended; a signal's number below 0."""
        try:
            found, status = os.waitpid(pid, os.WNOHANG)
        except ChildProcessError:
            return self.codes[pid]
        if found:
            self.codes[pid] = os.waitstatus_to_exitcode(status)
        return self.codes.get(pid)

    # By process: one can be waited for once.
    codes: typing.ClassVar[dict[int, int]] = {}

    def kill(self):
        """As a power cut ends it."""
        assert self.is_alive, f"it has ended by itself: {self.last_words}"
        self.kills += 1
        os.kill(self.pid, signal.SIGKILL)
        wait_until(lambda: not self.is_alive, START_SECONDS, "an end by SIGKILL")

    def terminate(self):
        assert self.is_alive, f"it has ended by itself: {self.last_words}"
        os.kill(self.pid, signal.SIGTERM)
        wait_until(lambda: not self.is_alive, HAND_OVER_SECONDS, "an end by SIGTERM")
        assert self.ended(self.pid) == 0, f"SIGTERM ended it with {self.ended(self.pid)}: {self.last_words}"

    def hand_over(self):
        """SIGUSR2: the next process serves, and the old one ends well."""
        old, known = self.pid, self._children()
        os.kill(old, signal.SIGUSR2)
        wait_until(lambda: self.ended(old) is not None, HAND_OVER_SECONDS, "the old process' end after SIGUSR2")
        assert self.ended(old) == 0, f"SIGUSR2 ended the old process with {self.ended(old)}: {self.last_words}"
        (self.pid,) = [pid for pid in self._children() - known if self._is_ours(pid)]

    def refuse_hand_over(self):
        """SIGUSR2 with a configuration that can't be read: the old process stays."""
        self.configure(is_good=False)
        before = self.logged.count(REFUSED)
        os.kill(self.pid, signal.SIGUSR2)
        wait_until(
            lambda: not self.is_alive or self.logged.count(REFUSED) > before, HAND_OVER_SECONDS, f"a line: {REFUSED}"
        )
        self.configure(is_good=True)
        assert self.is_alive, f"a refused hand-over ended it with {self.ended(self.pid)}: {self.last_words}"

    def _children(self) -> set[int]:
        return {
            int(pid)
            for task in pathlib.Path("/proc/self/task").iterdir()
            for pid in (task / "children").read_text().split()
        }

    def _is_ours(self, pid: int) -> bool:
        try:
            return f"TWEENCAST_PORT={self.port}".encode() in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(
                b"\0"
            )
        except OSError:
            return False

    def ask(self, method, path, body=None, token=None, **headers) -> Answer:
        """One request on a connection of its own."""
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        with contextlib.closing(http.client.HTTPConnection(HOST, self.port, timeout=20)) as connection:
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())

    def close(self):
        if self.is_alive:
            os.kill(self.pid, signal.SIGKILL)
            wait_until(lambda: not self.is_alive, START_SECONDS, "an end by SIGKILL")
        shutil.rmtree(self.folder, ignore_errors=True)
