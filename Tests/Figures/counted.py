"""A server whose allocations and writes are counted, and moments at which nothing of it runs."""

import mmap
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import typing
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))
from server import Server  # noqa: E402

SOURCE = pathlib.Path(__file__).with_name("counts.c")
# Of each kind of thread one, and no ring, whatever the machine has.
FLAGS = ["--workers", "1", "--send", "epoll", "--log-level", "error"]
# A page of the database in its write-ahead log, with its head.
LOGGED_PAGE = 4096 + 24
PATIENCE = 60
# Seconds within which a tick comes that an update asks for. Longer than one tick at 60 a second.
TICK = 0.025
STATUS = re.compile(r"^State:\t(\w).*?^voluntary_ctxt_switches:\t(\d+)\nnonvoluntary_ctxt_switches:\t(\d+)", re.M | re.S)


class Counts(typing.NamedTuple):
    """Since the start of the program, or between two moments."""

    allocations: int
    sqlite_allocations: int
    log_bytes: int
    switches: int

    def since(self, earlier: "Counts") -> "Counts":
        return Counts(*(now - then for now, then in zip(self, earlier, strict=True)))

    @property
    def pages(self) -> int:
        return self.log_bytes // LOGGED_PAGE


class Counted:
    """A server with a data folder, on which nothing else acts."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tweencast-figures-"))
        library, counts = self.folder / "counts.so", self.folder / "counts"
        # The compiler that comes with Swift.
        command = ["clang", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", SOURCE, "-o", library]
        subprocess.run(command, check=True)
        counts.write_bytes(bytes(24))
        with open(counts, "r+b") as file:
            self.shared = mmap.mmap(file.fileno(), 24)
        # With the same hashes, tables grow at the same moments.
        counting = {"LD_PRELOAD": str(library), "TWEENCAST_COUNTS": str(counts), "SWIFT_DETERMINISTIC_HASHING": "1"}
        with unittest.mock.patch.dict(os.environ, counting):
            self.server = Server(*FLAGS, data=str(self.folder / "data"))
        self.process = self.server.process.pid

    def close(self):
        self.server.close()
        self.shared.close()
        shutil.rmtree(self.folder)

    def threads(self) -> dict[str, tuple[str, int]]:
        """The state of each thread, and how often it has left its processor."""
        found = {}
        for path in pathlib.Path(f"/proc/{self.process}/task").iterdir():
            try:
                state, voluntary, other = STATUS.search((path / "status").read_text()).groups()
            except OSError:
                # It ended meanwhile.
                continue
            found[path.name] = state, int(voluntary) + int(other)
        return found

    def quiet(self) -> Counts:
        """The counts at a moment at which each thread sleeps, and none has run since the others were looked at."""
        end = time.monotonic() + PATIENCE
        known = None
        while time.monotonic() < end:
            threads = self.threads()
            if threads == known and all(state == "S" for state, _ in threads.values()):
                return Counts(*struct.unpack("=3Q", self.shared[:24]), sum(count for _, count in threads.values()))
            known = threads
        raise TimeoutError(f"the program does not rest: {known}")

    def rest(self) -> Counts:
        """The counts once no thread has run for longer than a tick, so that what was asked for has been done to its end."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            known = self.quiet()
            time.sleep(TICK)
            counts = self.quiet()
            if counts.switches == known.switches:
                return counts
        raise TimeoutError("the program does not rest")

    @property
    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.process}/fd"))

    def until_closed(self, descriptors: int):
        """Waits until the program has no more descriptors than that."""
        end = time.monotonic() + PATIENCE
        while self.descriptors > descriptors:
            if time.monotonic() > end:
                raise TimeoutError("a connection is not closed")

    def system_calls(self, action: typing.Callable[[], None]) -> int | None:
        """How many system calls the program makes during an action; None where it can't be traced."""
        report = self.folder / "strace"
        command = ["strace", "-f", "-c", "-U", "calls,name", "-o", report, "-p", str(self.process)]
        try:
            tracer = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        except FileNotFoundError:
            return None
        attached = tracer.stderr.readline()
        if "attached" in attached:
            action()
        tracer.send_signal(signal.SIGINT)
        tracer.communicate(timeout=PATIENCE)
        if "attached" not in attached:
            return None
        return int(re.search(r"^\s*(\d+) total$", report.read_text(), re.M)[1])
