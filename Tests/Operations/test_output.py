"""What the program writes, where that fails: its trail of changes, its log, and what it prints."""

import contextlib
import json
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import unittest

from figures import PATIENCE, post, until
from supervised import PROGRAM, ROOT


class Running:
    """A server with a log that can be read; files that it writes may be bounded."""

    def __init__(self, *flags: str, file_bytes: int | None = None, stderr=subprocess.PIPE):
        def bound():
            # Written in part up to the limit, and then not at all: as on a disk that is full.
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, resource.RLIM_INFINITY))

        self.process = subprocess.Popen(
            [PROGRAM, "--ephemeral", "--port", "0", *flags], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=stderr,
            preexec_fn=bound if file_bytes else None)
        self.url = self.process.stdout.readline().split()[-1]
        self.port = int(self.url.rsplit(":", 1)[1])

    def change(self, name: str):
        assert post(self, f"/v1/tickers/{name}", {"to": 1, "duration": 0})[0] == 202

    def line(self, part: str) -> str:
        """The next line of the log with a text in it."""
        return next(line for line in self.process.stderr if part in line)

    def end(self) -> int:
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE)
        return self.process.returncode


class OutputTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def running(self, *flags: str, **options) -> Running:
        server = Running(*flags, **options)
        self.addCleanup(server.end)
        return server

    def test_a_line_of_the_trail_that_was_cut_leaves_the_next_one_whole(self):
        """A full disk takes a piece of a line; once there is room again the next begins at a line's start."""
        trail = self.folder / "audit"
        server = self.running("--audit", str(trail), file_bytes=1_000)
        for number in range(20):
            server.change(f"t{number}")
        until(server, lambda page: page.sum("tweencast_audit_lines_dropped_total") > 1)
        self.assertEqual(trail.stat().st_size, 1_000)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        server.change("last")
        dropped = until(server, lambda _: "ticker/last" in trail.read_text()).sum("tweencast_audit_lines_dropped_total")
        self.assertEqual(server.end(), 0)
        whole = [json.loads(line) for line in trail.read_text().splitlines() if line.endswith("}")]
        self.assertEqual(whole[-1]["target"], "ticker/last")
        self.assertEqual(len(whole) + dropped, 21)

    def test_an_audit_file_that_cannot_be_reopened_is_logged_and_kept(self):
        trail = self.folder / "audit"
        server = self.running("--audit", str(trail))
        trail.rename(self.folder / "audit.1")
        trail.mkdir()
        server.process.send_signal(signal.SIGHUP)
        self.assertIn(" error service: ", server.line("can't reopen the audit file; the previous one stays in use"))
        server.change("t")
        self.assertEqual(server.end(), 0)
        self.assertIn("ticker/t", (self.folder / "audit.1").read_text())

    def test_a_trail_that_could_not_be_written_is_no_good_configuration(self):
        for place in ("/proc/none/audit", str(self.folder)):
            checked = subprocess.run(
                [PROGRAM, "--check-config", "--ephemeral", "--audit", place], cwd=ROOT, capture_output=True, text=True)
            self.assertEqual(checked.returncode, 2)
            self.assertIn(f"--audit: {place} can't be written", checked.stderr)
        good = subprocess.run(
            [PROGRAM, "--check-config", "--ephemeral", "--audit", str(self.folder / "new")], cwd=ROOT, stdout=subprocess.DEVNULL)
        self.assertEqual(good.returncode, 0)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_lines_that_a_full_disk_does_not_take_are_counted(self):
        with open("/dev/full", "wb") as full:
            server = self.running(stderr=full)
            figures = until(server, lambda page: page.sum("tweencast_log_lines_dropped_total") > 0)
            self.assertGreaterEqual(
                figures.sum("tweencast_log_lines_total"), figures.sum("tweencast_log_lines_dropped_total"))

    def test_a_command_that_cannot_write_its_output_fails(self):
        for command in (["token"], ["config"], ["manual"], ["completion", "zsh"], ["version"], ["--help"]):
            with open("/dev/full", "wb") as full:
                printed = subprocess.run([PROGRAM, *command], stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual((printed.returncode, command), (1, command))
            self.assertIn("cannot write to standard output", printed.stderr)

    def test_a_command_with_full_pipes_ends_with_an_error(self):
        """Standard output and standard error are a pipe that is full, and says so."""
        read, write = os.pipe()
        self.addCleanup(os.close, read)
        self.addCleanup(os.close, write)
        os.set_blocking(write, False)
        with contextlib.suppress(BlockingIOError):
            while os.write(write, bytes(65_536)):
                pass
        ended = subprocess.run([PROGRAM, "version"], stdout=write, stderr=write, timeout=PATIENCE)
        self.assertEqual(ended.returncode, 1)

    def test_why_it_does_not_start_is_an_error_of_the_journal(self):
        read, write = os.pipe()
        place = os.fstat(write)
        environment = dict(os.environ, JOURNAL_STREAM=f"{place.st_dev}:{place.st_ino}")
        for flags in (["--tick-rate", "0"], ["--data", "/proc/none"]):
            subprocess.run([PROGRAM, *flags], stderr=write, stdout=subprocess.DEVNULL, cwd=ROOT, env=environment)
        os.close(write)
        with os.fdopen(read) as lines:
            complaints = [line for line in lines if "tweencast: " in line]
        self.assertEqual(len(complaints), 2)
        for line in complaints:
            self.assertTrue(line.startswith("<3>tweencast: "), line)


if __name__ == "__main__":
    os.chdir(ROOT)
    unittest.main()
