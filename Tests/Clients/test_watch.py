"""`tweencast watch`: at a terminal that changes its size, in a pipe that is closed, into a file, and to an end."""

import codecs
import fcntl
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import unittest

from test_command_line import PATIENCE, ROOT, answer, environment
from script import Script

sys.path.insert(0, str(ROOT / "Tests/Browser"))
from server import Server  # noqa: E402
from tested import WITH_SIGNALS, program  # noqa: E402

SEQUENCE = re.compile(r"\x1b\[(\?7|\d*)([A-Za-z])|(.)", re.DOTALL)


class Screen:
    """What a terminal shows of some bytes: lines, a cursor, and the sequences that the program may use."""

    def __init__(self, columns: int):
        self.columns = columns
        self.lines, self.row, self.column = [""], 0, 0
        self.wraps = True

    def feed(self, text: str):
        for match in SEQUENCE.finditer(text):
            number, name, character = match.groups()
            if character is not None:
                self.put(character)
            elif name == "A":
                self.row = max(0, self.row - int(number or 1))
            elif name == "B":
                self.row += int(number or 1)
            elif name == "K":
                self.lines[self.row] = self.lines[self.row][:self.column]
            elif name == "J":
                self.lines[self.row:] = [self.lines[self.row][:self.column]]
            elif number == "?7":
                self.wraps = name == "h"
            elif name != "m":
                raise AssertionError(f"a sequence that nobody expects: {match[0]!r}")

    def put(self, character: str):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.row += 1
            self.lines += [""] * (self.row + 1 - len(self.lines))
        elif not character.isprintable():
            raise AssertionError(f"a control character: {character!r}")
        else:
            line = self.lines[self.row].ljust(self.column)
            self.lines[self.row] = line[:self.column] + character + line[self.column + 1:]
            self.column += 1
            if self.wraps:
                raise AssertionError(f"drawn while lines wrap: {self.lines[self.row]}")
            if self.column > self.columns:
                raise AssertionError(f"wider than {self.columns}: {self.lines[self.row]}")


class Terminal:
    """A command at a terminal of its own. `until` waits for what it shows."""

    def __init__(self, url: str, *words: str, columns: int = 60, rows: int = 10, **more: str):
        self.master, slave = pty.openpty()
        self.columns = columns
        self._set_size(columns, rows)
        self.process = subprocess.Popen(
            [*WITH_SIGNALS, program(), *words], stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
            env=environment(url, **{"TERM": "xterm"} | more), preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(slave)
        self.text, self.came = "", threading.Condition()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _set_size(self, columns: int, rows: int):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns: int, rows: int):
        """Begins a screen of another size: lines that break are the program's to account for, not this one's."""
        with self.came:
            self.text = ""
        self.columns = columns
        self._set_size(columns, rows)

    def _read(self):
        decoder = codecs.getincrementaldecoder("utf-8")()
        while True:
            try:
                piece = os.read(self.master, 65536)
            except OSError:
                piece = b""
            if not piece:
                return
            with self.came:
                self.text += decoder.decode(piece)
                self.came.notify()

    @property
    def lines(self) -> list[str]:
        screen = Screen(self.columns)
        # What has come may end within a sequence.
        screen.feed(re.sub(r"\x1b(\[\??\d*)?\Z", "", self.text))
        return [line.rstrip() for line in screen.lines if line]

    def until(self, condition):
        with self.came:
            if not self.came.wait_for(lambda: condition(self.lines), PATIENCE):
                raise AssertionError(f"not in {PATIENCE} s: {self.lines}")

    def close(self) -> int:
        if self.process.poll() is None:
            self.process.kill()
        code = self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        os.close(self.master)
        return code


class WatchTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.close)

    def terminal(self, *words: str, url: str = "", **options) -> Terminal:
        terminal = Terminal(url or self.server.url, *words, **options)
        self.addCleanup(terminal.close)
        return terminal

    def pipe(self, *words: str, url: str = "", **options) -> subprocess.Popen:
        process = subprocess.Popen(
            [*WITH_SIGNALS, program(), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment(url or self.server.url), **options)
        self.addCleanup(process.wait, PATIENCE)
        self.addCleanup(process.kill)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        return process

    def test_rows_change_in_place(self):
        self.server.post("ticker:place.1", to=5, label="$0", duration=0)
        self.server.post("progress:place-p", current=50, duration=0)
        terminal = self.terminal("watch", "place.1", "place-p", "place-later")
        bar = "▕" + "█" * 11 + "▌" + " " * 11 + "▏"
        terminal.until(lambda lines: lines == ["place.1      $5", f"place-p      {bar} 50%", "place-later  …"])
        self.server.post("ticker:place.1", to=6, duration=0)
        self.server.post("ticker:place-later", to=7, duration=0)
        terminal.until(lambda lines: lines == ["place.1      $6", f"place-p      {bar} 50%", "place-later  7"])
        terminal.process.send_signal(signal.SIGINT)
        self.assertEqual(terminal.process.wait(PATIENCE), -signal.SIGINT)

    def test_rows_without_room_are_counted(self):
        for part in range(3):
            self.server.request("POST", "/v1/batch", [
                {"ticker": f"crowd-{part}-{number}", "to": 1, "duration": 0} for number in range(1000)])
        terminal = self.terminal("watch", "crowd-*", rows=15)
        terminal.until(lambda lines: lines and lines[-1] == "… and 2987 more")

    def test_a_label_controls_no_terminal(self):
        self.server.post("ticker:evil", to=5, label="\x1b]x\x07 0 \x1b[J\n\x9b", duration=0)
        self.terminal("watch", "evil").until(lambda lines: [line.rstrip() for line in lines] == ["evil  ]x 5 [J"])

    def test_lines_wrap_again_after_each_drawing(self):
        """A terminal may count other columns than the program, and what comes after the program needs its lines broken."""
        self.server.post("ticker:wraps", to=5, label="👍🏽 0", duration=0)
        terminal = self.terminal("watch", "wraps")
        terminal.until(lambda lines: lines == ["wraps  👍🏽 5"])
        self.server.post("ticker:wraps", to=6, duration=0)
        terminal.until(lambda lines: lines == ["wraps  👍🏽 6"])
        drawings = terminal.text.split("\x1b[?7l")[1:]
        self.assertTrue(all(drawing.count("\x1b[?7h") == 1 for drawing in drawings), drawings)

    def test_no_colour_means_no_sequences_of_colour(self):
        self.server.post("progress:pale", current=50, duration=0)
        pale = self.terminal("watch", "pale", NO_COLOR="1")
        pale.until(lambda lines: "50%" in "".join(lines))
        self.assertNotRegex(pale.text, "\x1b\\[[0-9]*m")
        bright = self.terminal("watch", "pale")
        bright.until(lambda lines: "50%" in "".join(lines))
        self.assertIn("\x1b[36m", bright.text)

    def test_a_dumb_terminal_gets_lines_without_sequences(self):
        self.server.post("progress:dumb", current=50, duration=0)
        terminal = self.terminal("watch", "dumb", TERM="dumb")
        with terminal.came:
            terminal.came.wait_for(lambda: "50%" in terminal.text, PATIENCE)
        self.assertEqual(terminal.text, "dumb\t50%\r\n")

    def test_watch_redraws_when_the_terminal_is_resized(self):
        self.server.post("progress:size", current=50, label="{percent}% of all that there is", duration=0)
        terminal = self.terminal("watch", "size")
        terminal.until(lambda lines: "▏" in "".join(lines))
        terminal.resize(20, 5)
        terminal.until(lambda lines: lines == ["size  50% of all t…"] or lines == ["size  50% of all th…"])
        terminal.resize(100, 5)
        terminal.until(lambda lines: lines and lines[0].endswith("▏ 50% of all that there is"))

    def test_a_server_that_goes_away_and_returns(self):
        with tempfile.TemporaryDirectory() as folder:
            server = Server(data=folder)
            server.post("ticker:back", to=5, duration=0)
            terminal = self.terminal("watch", "back", url=server.url, columns=120)
            terminal.until(lambda lines: lines == ["back  5"])
            server.kill()
            terminal.until(lambda lines: len(lines) == 2 and "trying again" in lines[1])
            server = Server(port=server.port, data=folder)
            self.addCleanup(server.close)
            server.post("ticker:back", by=1, duration=0)
            terminal.until(lambda lines: lines == ["back  6"])

    def test_a_server_that_knows_nothing_any_more(self):
        """Another one on the same port says `reset`: rows of what it doesn't have are empty, and goals stay open."""
        server = Server()
        server.post("ticker:lost", to=5, duration=0)
        server.post("progress:kept", current=10, duration=0)
        terminal = self.terminal("watch", "lost", "kept", "lo*", url=server.url, columns=120)
        goals = self.pipe("watch", "kept", "--until-done", url=server.url)
        self.assertEqual(goals.stdout.readline(), "kept\t10%\n")
        terminal.until(lambda lines: len(lines) > 1 and lines[0] == "lost  5" and "10%" in lines[1])
        server.kill()
        terminal.until(lambda lines: lines and "trying again" in lines[-1])
        server = Server(port=server.port)
        self.addCleanup(server.close)
        server.post("progress:kept", current=20, duration=0)
        terminal.until(lambda lines: len(lines) == 2 and lines[0] == "lost  …" and "20%" in lines[1])
        self.assertEqual(goals.stdout.readline(), "kept\t20%\n")
        server.post("progress:kept", current=100, duration=0)
        self.assertEqual(goals.wait(PATIENCE), 0)

    def test_a_pipe_has_lines_without_sequences(self):
        self.server.post("ticker:lines", to=5, label="a\n0", duration=0)
        process = self.pipe("watch", "lines")
        self.assertEqual(process.stdout.readline(), "lines\ta 5\n")
        self.server.post("ticker:lines", to=6, duration=0)
        self.assertEqual(process.stdout.readline(), "lines\ta 6\n")

    def test_watch_into_a_closed_pipe_ends_silently(self):
        self.server.post("ticker:closed", to=5, duration=0)
        process = self.pipe("watch", "closed")
        self.assertEqual(process.stdout.readline(), "closed\t5\n")
        process.stdout.close()
        self.assertEqual(process.wait(PATIENCE), -signal.SIGPIPE)
        self.assertEqual(process.stderr.read(), "")

    def test_watch_until_done_ends_when_all_are_done(self):
        self.server.post("progress:done", current=10, duration=0)
        process = self.pipe("watch", "done", "done-t", "--until-done")
        self.assertEqual(process.stdout.readline(), "done\t10%\n")
        self.server.post("ticker:done-t", to=5, duration=0)
        self.server.post("progress:done", current=100, duration=0)
        self.assertEqual(process.wait(PATIENCE), 0)
        self.assertIn("done\t100%\n", process.stdout.read())

    def test_watch_until_done_fails_when_a_resource_is_removed(self):
        self.server.post("ticker:gone", to=5, duration=0)
        process = self.pipe("watch", "gone", "--until-done")
        self.assertEqual(process.stdout.readline(), "gone\t5\n")
        self.server.request("DELETE", "/v1/tickers/gone")
        self.assertEqual(process.wait(PATIENCE), 1)

    def test_a_file_is_replaced_as_a_whole(self):
        """Whoever reads it sees all lines, whenever that is."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "out.txt")
            self.server.post("ticker:file-a", to=5, duration=0)
            self.server.post("ticker:file-b", to=6, duration=0)
            self.pipe("watch", "file-a", "file-b", "--file", str(file), "--fps", "60")
            self.await_text(file, "5\n6\n")
            self.server.post("ticker:file-a", to=1000, duration=1)
            end = time.monotonic() + PATIENCE
            while (text := file.read_text()) != "1000\n6\n" and time.monotonic() < end:
                self.assertRegex(text, r"\A\d+\n6\n\Z")
            self.assertEqual(text, "1000\n6\n")
            self.assertEqual(os.listdir(folder), ["out.txt"])

    def test_the_line_of_what_is_removed_is_empty(self):
        file = pathlib.Path(self.folder(), "out.txt")
        for name in ("short-a", "short-b"):
            self.server.post(f"ticker:{name}", to=5, duration=0)
        self.pipe("watch", "short-a", "short-b", "--file", str(file))
        self.await_text(file, "5\n5\n")
        self.server.request("DELETE", "/v1/tickers/short-a")
        self.await_text(file, "\n5\n")
        self.server.post("ticker:short-a", to=6, duration=0)
        self.await_text(file, "6\n5\n")

    def await_text(self, file: pathlib.Path, text: str):
        end = time.monotonic() + PATIENCE
        while not (file.exists() and file.read_text() == text):
            self.assertLess(time.monotonic(), end, file.exists() and file.read_text())
            time.sleep(0.01)

    def test_a_server_that_is_away_is_reported_once(self):
        """Into a pipe and into a file, which have no row for it."""
        server = Server(data=self.folder())
        server.kill()
        for words in ([], ["--file", str(pathlib.Path(self.folder(), "out.txt"))]):
            process = self.pipe("watch", "away", *words, url=server.url)
            self.assertIn(f"tweencast: no connection to {server.url} (", process.stderr.readline())
            back = Server(port=server.port, data=self.folder())
            back.post("ticker:away", to=5, duration=0)
            if words:
                self.await_text(pathlib.Path(words[1]), "5\n")
            else:
                self.assertEqual(process.stdout.readline(), "away\t5\n")
            back.close()
            self.assertIn("trying again", process.stderr.readline())
            process.kill()
            self.assertEqual(process.stderr.read(), "")

    def folder(self) -> str:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return folder.name

    def test_watch_refuses_the_timeout_flag(self):
        done = subprocess.run(
            [program(), "watch", "a", "--timeout", "5"], capture_output=True, text=True, timeout=PATIENCE,
            env=environment(self.server.url))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("watch has no --timeout", done.stderr)

    def test_a_refused_watch_ends_with_the_servers_reason(self):
        script = Script(answer("401 Unauthorized", '{"status":401,"title":"x","detail":"no such token"}'))
        self.addCleanup(script.close)
        process = subprocess.run(
            [program(), "watch", "a"], capture_output=True, text=True, timeout=PATIENCE, env=environment(script.url))
        self.assertEqual((process.returncode, process.stdout, len(script.requests)), (1, "", 1))
        self.assertEqual(process.stderr, "tweencast: no such token\n")

    def test_a_wrong_token_fails_every_command_with_one_line(self):
        """By a server that asks for tokens, whatever the command."""
        with tempfile.TemporaryDirectory() as folder:
            tokens = pathlib.Path(folder, "tokens.json")
            subprocess.run(
                [program(), "token", "--name", "reader", "--subscribe", "ticker=*", "--into", str(tokens)], check=True,
                stdout=subprocess.DEVNULL)
            server = Server("--auth", f"tokens:{tokens}")
            self.addCleanup(server.close)
            for words in (["watch", "a"], ["set", "a", "1"], ["get", "a"], ["list"]):
                done = subprocess.run(
                    [program(), *words], capture_output=True, text=True, timeout=PATIENCE,
                    env=environment(server.url, TWEENCAST_TOKEN="wrong"))
                self.assertEqual((done.returncode, done.stdout), (1, ""), words)
                self.assertIn("token", done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_watch_reconnects_with_the_last_id_after_the_asked_pause(self):
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n\r\n"
        first = b'{"event":"hello","id":"e-7","retry":300,"data":{}}\n{"event":"bye","retry":500,"data":{"reason":"draining"}}\n'
        script = Script(head + first, answer("503 Busy", "", "Retry-After: 1"), answer("204 No Content"))
        self.addCleanup(script.close)
        process = subprocess.run(
            [program(), "watch", "a"], capture_output=True, text=True, timeout=PATIENCE, env=environment(script.url))
        self.assertEqual((process.returncode, len(script.requests)), (1, 3))
        self.assertGreaterEqual(script.waits[0], 0.49)
        self.assertGreaterEqual(script.waits[1], 0.99)
        self.assertTrue(all("lastEventID=e-7" in path for path in script.paths[1:]), script.paths)


if __name__ == "__main__":
    unittest.main(verbosity=2)
