"""The example clients as tests run them: programs at the end of a wire, and the page in Chromium."""

import functools
import http.server
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading

from wire import Wire

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))
from driver import Chromium  # noqa: E402

EXAMPLES = ROOT / "docs/examples/clients"
PATIENCE = 60
# The ticker that all listen to; the page's is fixed.
TICKER = "visitors"


def programs(folder: pathlib.Path) -> dict[str, list[str]]:
    """The commands of those that are programs; what needs a compiler is built into a folder."""
    commands = {
        "sh": ["sh", str(EXAMPLES / "client.sh")],
        "python": [sys.executable, str(EXAMPLES / "client.py")],
        "node": ["node", str(EXAMPLES / "client.mjs")],
        "go": [str(folder / "go-client")],
        "swift": [str(folder / "swift-client")],
    }
    for command in (
        ["go", "build", "-o", *commands["go"], str(EXAMPLES / "client.go")],
        ["swiftc", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors", "-o", *commands["swift"],
         str(EXAMPLES / "client.swift")],
    ):
        subprocess.run(command, check=True)
    return commands


class Client:
    """One of the examples, at the end of a wire. `events` are the names and data of those that it has told of."""

    wire: Wire
    events: list[tuple[str, str]]

    def told(self, *names: str) -> list[dict]:
        """What it has told since the server lost its store."""
        events = self.events
        start = max((n for n, (name, _) in enumerate(events) if name == "reset"), default=0)
        return [json.loads(data) for name, data in events[start:] if name in names]

    @property
    def beginnings(self) -> int:
        return sum(name == "hello" for name, _ in self.events)


class Program(Client):
    """A client that is a program: each line that it prints is an event."""

    def __init__(self, command: list[str], wire: Wire):
        self.command, self.wire, self.events = command, wire, []
        self.log = tempfile.TemporaryFile("w+")
        # The server's heartbeat comes after 15 s, which nobody waits for here; some ask for one of their own.
        heartbeat = "" if command[-1].endswith(("client.sh", "swift-client")) else "&heartbeat=1"
        self.process = subprocess.Popen(
            [*command, "stream", wire.url, f"ticker={TICKER}{heartbeat}"], stdout=subprocess.PIPE, stderr=self.log,
            text=True, start_new_session=True, env=os.environ | {"HEARTBEAT": "1"})
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        for line in self.process.stdout:
            name, _, data = line.rstrip("\n").partition(" ")
            self.events.append((name, data))

    def add(self):
        """Has it post an update, and gives a function that waits for its end."""
        process = subprocess.Popen(
            [*self.command, "add", self.wire.url, TICKER, "1"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True)

        def wait():
            _, errors = process.communicate(timeout=PATIENCE)
            if process.returncode:
                raise AssertionError(f"{self.command}: {process.returncode} {errors}")

        return wait

    def shows(self, text: str) -> bool:
        frames = self.told("message")
        return bool(frames) and frames[-1]["text"] == text

    def words(self) -> str:
        self.log.seek(0)
        return f"{self.events[-20:]}\n{self.log.read()[-2000:]}"

    def close(self):
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        self.process.stdout.close()
        self.log.close()


class Page(Client):
    """The client that is a page, in Chromium."""

    def __init__(self, folder: pathlib.Path, url: str, wire: Wire, ticket: str = ""):
        self.wire = wire
        text = (EXAMPLES / "page.html").read_text().replace("http://localhost:8080", wire.url)
        if ticket:
            text = text.replace("<tween-ticker ", f'<tween-ticker ticket="{ticket}" ')
        folder.joinpath("page.html").write_text(text)
        self.driver = Chromium()
        self.driver.get(f"{url}/page.html")

    @property
    def events(self) -> list[tuple[str, str]]:
        script = "return [...document.querySelectorAll('#events li')].map((one) => one.textContent)"
        return [tuple(text.split(" ", 1)) for text in self.driver.execute_script(script)]

    def add(self):
        self.driver.execute_script("document.getElementById('add').click()")
        return lambda: None

    def shows(self, text: str) -> bool:
        """Both by its own script and by the server's element."""
        script = "return [document.getElementById('text').textContent, document.querySelector('tween-ticker').text]"
        return self.driver.execute_script(script) == [text, text]

    def words(self) -> str:
        return f"{self.events[-20:]}\n{self.driver.get_log('browser')}"

    def close(self):
        self.driver.quit()


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Pages(http.server.ThreadingHTTPServer):
    """The pages' own server: another origin."""

    def __init__(self, folder: pathlib.Path, handler: type | None = None):
        super().__init__(("127.0.0.1", 0), functools.partial(handler or Files, directory=str(folder)))
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def close(self):
        self.shutdown()
        self.server_close()
