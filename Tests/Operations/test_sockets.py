"""Sockets that are handed over (LISTEN_FDS): which are taken and which refused, and handovers (SIGUSR2) that fail, or take long."""

import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import unittest

from figures import PATIENCE, Stream, post
from supervised import PROGRAM, ROOT, Supervisor

# The program under the number that it is told of, and what stands in as descriptor 3.
OWN = 'exec 3<&0 0</dev/null; export LISTEN_PID=$$; exec "$0" "$@"'
TWO = 'exec 3<&0 4<&0 0</dev/null; export LISTEN_PID=$$; exec "$0" "$@"'
FOREIGN = 'exec 3<&0 0</dev/null; export LISTEN_PID=1; exec "$0" "$@"'
CLOSED = 'exec 3<&- 0</dev/null; export LISTEN_PID=$$; exec "$0" "$@"'


class SocketTest(unittest.TestCase):
    """What is handed over, and what the server makes of it."""

    def start(self, handed, *flags: str, shell: str = OWN, count: str = "1", **variables: str) -> subprocess.Popen:
        command = ["sh", "-c", shell, PROGRAM, "--ephemeral", "--port", "0", *flags]
        process = subprocess.Popen(
            command, stdin=handed, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
            env=dict(os.environ, LISTEN_FDS=count, **variables))
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process: subprocess.Popen):
        process.kill()
        process.communicate()

    def check_refused(self, words: str, *arguments, **options):
        """The program says why, and ends with 2: a setting is wrong."""
        process = self.start(*arguments, **options)
        output, errors = process.communicate(timeout=PATIENCE)
        self.assertIn(f"tweencast: the socket that was handed over can't be used: {words}", errors)
        self.assertEqual((process.returncode, output), (2, ""))

    def test_a_listening_socket_that_is_passed_in_is_served(self):
        for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
            with socket.create_server((host, 0), family=family) as listening:
                process = self.start(listening)
                line = process.stdout.readline()
                self.assertEqual(int(line.rsplit(":", 1)[1]), listening.getsockname()[1])
                process.terminate()
                self.assertEqual(process.wait(PATIENCE), 0)

    def test_a_socket_passed_to_another_process_is_not_used(self):
        with socket.create_server(("127.0.0.1", 0)) as listening:
            process = self.start(listening, shell=FOREIGN)
            line = process.stdout.readline()
            self.assertRegex(line, "^listening on ")
            self.assertNotEqual(int(line.rsplit(":", 1)[1]), listening.getsockname()[1])

    def test_a_descriptor_that_is_no_listening_tcp_socket_is_refused(self):
        words = "what was handed over is no TCP socket that listens"
        with tempfile.TemporaryFile() as file:
            self.check_refused(words, file)
        with socket.socket() as idle:
            idle.bind(("127.0.0.1", 0))
            self.check_refused(words, idle)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
            datagrams.bind(("127.0.0.1", 0))
            self.check_refused(words, datagrams)
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as local:
            local.bind(f"{folder}/socket")
            local.listen()
            self.check_refused(words, local)

    def test_two_passed_sockets_or_none_are_refused(self):
        with socket.create_server(("127.0.0.1", 0)) as listening:
            self.check_refused("2 sockets were handed over, and one can be served", listening, shell=TWO, count="2")
            self.check_refused("Invalid argument", listening, count="many")
        self.check_refused("", subprocess.DEVNULL, shell=CLOSED)

    def test_a_passed_socket_without_libsystemd_is_refused(self):
        with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listening:
            pathlib.Path(folder, "libsystemd.so.0").touch()
            words = "libsystemd.so.0 can't be loaded, and is needed for it"
            self.check_refused(words, listening, LD_LIBRARY_PATH=folder)

    def test_a_passed_socket_open_to_other_machines_requires_auth(self):
        with socket.create_server(("0.0.0.0", 0)) as listening:
            self.check_refused("--host 0.0.0.0 lets other machines in: set --auth", listening)
            process = self.start(listening, "--insecure")
            self.assertRegex(process.stdout.readline(), "^listening on ")


class HandoverTest(unittest.TestCase):
    """A successor that fails to start changes nothing, one that doesn't goes on, and nobody gives up too early."""

    def test_streams_go_on_and_the_next_one_takes_over(self):
        supervisor = Supervisor("--log-level", "error")
        self.addCleanup(supervisor.close)
        supervisor.end()
        settings = pathlib.Path(supervisor.folder.name) / "tweencast.toml"
        good = "drain-timeout = 5\n"
        settings.write_text(good, encoding="utf-8")
        supervisor.arguments += ("--config", str(settings))
        errors = self.start(supervisor)
        self.addCleanup(errors.close)
        stream = Stream(supervisor, "/v1/events?ticker=t")
        self.addCleanup(stream.close)
        stream.read_until("event: hello")
        settings.write_text("drain-timeout = -1\n", encoding="utf-8")
        for number in (1, 2):
            supervisor.process.send_signal(signal.SIGUSR2)
            # The one that failed says why; then the one that stays does.
            self.assertIn(":1: drain-timeout: must be", self.line(errors, "drain-timeout"))
            self.line(errors, "handover failed: no successor")
            self.assertEqual(post(supervisor, "/v1/tickers/t", {"to": number, "duration": 0})[0], 202)
            stream.read_until(f'"value":{number},')
        settings.write_text(good, encoding="utf-8")
        supervisor.process.send_signal(signal.SIGUSR2)
        stream.read_until("event: bye")
        supervisor.notices.wait_for("READY=1")
        self.assertEqual(supervisor.process.wait(PATIENCE), 0)
        self.addCleanup(os.kill, self.successor(supervisor), signal.SIGKILL)
        again = Stream(supervisor, "/v1/events?ticker=t")
        self.addCleanup(again.close)
        again.read_until('"value":2,')

    def test_a_server_stays_where_the_next_one_could_not_serve(self):
        """A folder of pages that has gone, a trail that can't be written any more, a store that an older program doesn't know, and
        a board that is nowhere but in its memory."""
        folder, trail = tempfile.TemporaryDirectory(), tempfile.TemporaryDirectory()
        self.addCleanup(trail.cleanup)

        def replace_by_folder():
            os.rename(f"{trail.name}/audit", f"{trail.name}/audit.1")
            os.mkdir(f"{trail.name}/audit")

        cases = [
            (("--public", folder.name), folder.cleanup, f"--public: the folder {folder.name} can't be read"),
            (("--audit", f"{trail.name}/audit"), replace_by_folder, f"--audit: {trail.name}/audit can't be written"),
            ((), lambda: self.set_layout(supervisor, 99), "has layout 99, which a newer version wrote"),
            (("--ephemeral",), lambda: None, "the board is in memory"),
        ]
        for arguments, change, words in cases:
            with self.subTest(words):
                supervisor = Supervisor(*arguments, "--log-level", "error")
                self.addCleanup(supervisor.close)
                supervisor.end()
                errors = self.start(supervisor)
                self.addCleanup(errors.close)
                self.assertEqual(post(supervisor, "/v1/tickers/t", {"to": 7, "duration": 0})[0], 202)
                change()
                supervisor.process.send_signal(signal.SIGUSR2)
                self.line(errors, words)
                self.assertEqual(post(supervisor, "/v1/tickers/t", {"by": 1, "duration": 0})[1]["target"], 8)
                self.assertEqual(supervisor.end(), 0)

    def test_the_program_that_has_come_in_its_place_goes_on(self):
        """As an upgrade leaves it: the file is another one, and the process' own has no name any more."""
        with tempfile.TemporaryDirectory() as folder:
            program = f"{folder}/tweencast"
            shutil.copy(PROGRAM, program)
            supervisor = Supervisor(program=program)
            self.addCleanup(supervisor.close)
            shutil.copy(PROGRAM, program + ".new")
            os.replace(program + ".new", program)
            supervisor.process.send_signal(signal.SIGUSR2)
            successor = supervisor.notices.wait_for_successor()
            self.addCleanup(os.kill, successor, signal.SIGKILL)
            supervisor.notices.wait_for("READY=1")
            self.assertEqual(os.readlink(f"/proc/{successor}/exe"), program)

    def test_a_link_leads_to_the_release_that_is_in_force_then(self):
        with tempfile.TemporaryDirectory() as folder:
            link = f"{folder}/current"
            for release in ("1", "2"):
                os.mkdir(f"{folder}/{release}")
                shutil.copy(PROGRAM, f"{folder}/{release}/tweencast")
            os.symlink("1", link)
            supervisor = Supervisor(program=f"{link}/tweencast")
            self.addCleanup(supervisor.close)
            os.symlink("2", link + ".new")
            os.replace(link + ".new", link)
            supervisor.process.send_signal(signal.SIGUSR2)
            successor = supervisor.notices.wait_for_successor()
            self.addCleanup(os.kill, successor, signal.SIGKILL)
            supervisor.notices.wait_for("READY=1")
            self.assertEqual(os.readlink(f"/proc/{successor}/exe"), f"{folder}/2/tweencast")

    def test_a_long_farewell_is_waited_for(self):
        """A client that takes nothing holds up the server that leaves for longer than the next one's own drain would take."""
        with tempfile.TemporaryDirectory() as folder:
            settings = pathlib.Path(folder) / "tweencast.toml"
            settings.write_text("drain-timeout = 9\n", encoding="utf-8")
            supervisor = Supervisor("--config", str(settings), "--stall-timeout", "3600", watchdog=2)
            self.addCleanup(supervisor.close)
            supervisor.url = f"http://127.0.0.1:{supervisor.port}"
            stream = Stream(supervisor, "/v1/events?notification=heavy", receive_buffer=4_096)
            self.addCleanup(stream.close)
            stream.read_until("event: hello")
            for _ in range(200):
                self.assertEqual(post(supervisor, "/v1/notifications/heavy", "x" * 50_000)[0], 204)
            settings.write_text("drain-timeout = 0\n", encoding="utf-8")
            supervisor.process.send_signal(signal.SIGUSR2)
            self.addCleanup(os.kill, supervisor.notices.wait_for_successor(), signal.SIGKILL)
            # Meanwhile who watches hears that all is well.
            supervisor.notices.wait_for("WATCHDOG=1")
            supervisor.notices.wait_for("READY=1")
            self.assertEqual(supervisor.process.wait(PATIENCE), 0)
            self.assertEqual(post(supervisor, "/v1/tickers/t", {"to": 1})[0], 202)

    @staticmethod
    def set_layout(supervisor: Supervisor, layout: int):
        store = sqlite3.connect(supervisor.folder.name + "/data/tweencast.sqlite")
        store.execute(f"PRAGMA user_version = {layout}")
        store.close()

    @staticmethod
    def start(supervisor: Supervisor):
        """Starts its server; what that writes to standard error."""
        supervisor.url = f"http://127.0.0.1:{supervisor.port}"
        read, write = os.pipe()
        kept = os.dup(2)
        os.dup2(write, 2)
        try:
            supervisor.start()
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            os.close(write)
        return os.fdopen(read, encoding="utf-8")

    def line(self, errors, part: str) -> str:
        """The next line with a text in it."""
        for line in errors:
            if part in line:
                return line
        return self.fail(f"no line has {part!r}")

    @staticmethod
    def successor(supervisor: Supervisor) -> int:
        """The process that holds the data folder's lock."""
        name = os.path.realpath(supervisor.folder.name + "/data/tweencast.sqlite.lock")
        inode = os.stat(name).st_ino
        for line in pathlib.Path("/proc/locks").read_text(encoding="utf-8").splitlines():
            if re.search(rf" (\d+) \S+:{inode} ", line) and "FLOCK" in line:
                return int(line.split()[4])
        raise AssertionError("nobody has the store")


if __name__ == "__main__":
    unittest.main()
