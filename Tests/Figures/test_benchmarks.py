"""What make bench does when something goes wrong: other tables are made, and the page keeps what it had."""

import contextlib
import io
import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Benchmarks"))
import run  # noqa: E402
import servers  # noqa: E402
import tables  # noqa: E402

# A stream that opens in the tick of the update whose state it shows: that frame has no number, and no other follows.
BETWEEN_TICKS = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    b'id: 1a-7\nevent: hello\ndata: {"now":5}\n\ndata: {"ticker":"ch0","value":1,"text":"0","t":12}\n\n'
)


def fail(_):
    raise ZeroDivisionError("division by zero")


class TablesTest(unittest.TestCase):
    def test_a_table_that_fails_loses_no_other(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as changes:
            page = pathlib.Path(folder) / "benchmarks.md"
            page.write_text("".join(f"<!-- {name} -->\nold {name}\n<!-- end of {name} -->\n" for name in "abc"))
            made = {"a": lambda _: "new a", "b": fail, "c": lambda _: "new c"}
            for place, name, value in [
                (run, "TABLES", made), (run, "enter_namespace", lambda: None), (servers, "build_tools", lambda: None),
                (servers, "TOOLS", pathlib.Path(folder)), (sys, "argv", ["run.py", "--page", str(page)]),
            ]:  # fmt: skip
                changes.enter_context(unittest.mock.patch.object(place, name, value))
            errors = changes.enter_context(contextlib.redirect_stderr(io.StringIO()))
            changes.enter_context(contextlib.redirect_stdout(io.StringIO()))
            with self.assertRaises(SystemExit) as end:
                run.main()
            text = page.read_text()
        self.assertIn('make bench TABLES="b"', end.exception.code)
        self.assertIn("ZeroDivisionError", errors.getvalue())
        self.assertIn("new a", text)
        self.assertIn("<!-- b -->\nold b\n<!-- end of b -->", text)
        self.assertIn("new c", text)

    def test_without_an_open_stream_a_connect_has_no_cost(self):
        client = {
            "conn_ok": 0, "connects_per_s": 0, "connect_us": {"p50": 0, "p99": 0}, "server_connect_cpu_s": 0.1,
            "server": {"rss_kb": 1},
        }  # fmt: skip
        rows = tables.connects([{"round": 0, "system": "floor", "base_rss_kb": 1, "client": client}]).splitlines()
        self.assertEqual(rows[2], "| floor | 0 | 0 | 0.0 | 0.0 | - | - |")


class ToolsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def compile(self, tool: str) -> pathlib.Path:
        return servers.compile_tool(tool, self.folder, compiler="clang")

    def test_the_tools_agree_with_what_they_say(self):
        subprocess.run([self.compile("check")], check=True)

    def test_a_first_frame_without_a_number_opens_a_stream(self):
        load = self.compile("load")
        with socket.create_server(("127.0.0.1", 0)) as listening:
            streams = []

            def serve():
                with contextlib.suppress(OSError):
                    while True:
                        streams.append(listening.accept()[0])
                        streams[-1].sendall(BETWEEN_TICKS)

            threading.Thread(target=serve, daemon=True).start()
            command = [load, "--to", f"127.0.0.1:{listening.getsockname()[1]}", "--path", "/", "--listeners", "3"]
            command += ["--first-frame", "--seconds", "0.01", "--warm-up", "0", "--patience", "5"]
            seen = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, timeout=60).stdout)
            listening.shutdown(socket.SHUT_RDWR)
        for stream in streams:
            stream.close()
        self.assertEqual((seen["conn_ok"], seen["conn_failed"]), (3, 0))


if __name__ == "__main__":
    unittest.main()
