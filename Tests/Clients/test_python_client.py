"""The Python package as its users have it: built, installed in an environment of its own, typed, and at work with a
server that is killed and asks for tokens."""

import asyncio
import functools
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

import aiohttp
from aiohttp_sse_client import client as aiohttp_sse

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "clients/python"
sys.path.insert(0, str(ROOT / "Tests/Browser"))
from server import Server  # noqa: E402
from tested import program  # noqa: E402

PATIENCE = 60
FORMS = {"sync": [], "asyncio": ["async"]}

TYPED = """
from decimal import Decimal
from tweencast import AsyncClient, Client, Event, Frame, Item, Motion, Progress, State, Topic

def total(client: Client) -> Decimal | None:
    state: State = client.ticker("a").add(Decimal("1.5"), duration=2.0)
    client.progress("b").set(1, of=Progress.UNKNOWN)
    return state.target

def texts(client: Client) -> list[str]:
    items: list[Item] = list(client.items([Topic("ticker", "a"), "progress:b"]))
    return [item.text for item in items if isinstance(item, Frame)]

async def names(client: AsyncClient) -> list[str]:
    return [item.name async for item in client.items(["ticker:a"]) if isinstance(item, Event)]

def half(motion: Motion) -> float:
    return motion.value(0.5)
"""
UNTYPED = {
    "client.ticker('a').set('7')": "arg-type",
    "client.ticker('a').get().txt": "attr-defined",
    "client.items('ticker:a', motion=True)": "call-arg",
}


class Reader:
    """A client's program on its way, and the items that it has printed."""

    def __init__(self, command: list[str], **environment: str):
        usual = {name: value for name, value in os.environ.items() if not name.startswith(("TWEENCAST_", "PYTHONPATH"))}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=usual | environment)
        self.items: list[dict] = []
        self.came = threading.Condition()
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        for line in self.process.stdout:
            with self.came:
                self.items.append(json.loads(line))
                self.came.notify_all()

    def until(self, condition) -> bool:
        with self.came:
            return self.came.wait_for(lambda: condition(self.items), PATIENCE)

    def close(self):
        self.process.kill()
        self.process.wait()
        self.thread.join()
        self.process.stdout.close()


def names(items: list[dict]) -> list[str]:
    return [item.get("name", item["item"]) for item in items]


class PythonClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        # The wheel is built from the source archive, which therefore has all that it needs.
        cls.run_quietly(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(cls.folder), str(PACKAGE))
        cls.run_quietly(sys.executable, "-m", "venv", str(cls.folder / "venv"))
        cls.python = str(cls.folder / "venv/bin/python")
        wheel, = cls.folder.glob("*.whl")
        constraints = str(ROOT / "Tests/requirements.txt")
        cls.run_quietly(
            cls.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--constraint", constraints,
            str(wheel))
        cls.program = [cls.python, str(PACKAGE / "tests/program.py")]

    @classmethod
    def run_quietly(cls, *command: str):
        run = subprocess.run(command, capture_output=True, text=True, cwd=cls.folder)
        if run.returncode:
            raise RuntimeError(f"{command}: {run.stdout}{run.stderr}")

    def serve(self, *flags: str, **options) -> Server:
        server = Server(*flags, **options)
        self.addCleanup(lambda: server.process.poll() is None and server.close())
        return server

    def run_text(self, text: str, server: Server) -> str:
        """Runs a user's program, and gives what it prints."""
        text = text.replace("http://localhost:8080", server.url)
        run = subprocess.run(
            [self.python, "-c", text], capture_output=True, text=True, timeout=PATIENCE, cwd=self.folder)
        self.assertEqual((run.returncode, run.stderr), (0, ""), text)
        return run.stdout

    def read(self, form: str, server: Server, *topics: str, **environment: str) -> Reader:
        reader = Reader([*self.program, *FORMS[form], "items", server.url, *topics], **environment)
        self.addCleanup(reader.close)
        return reader

    def test_the_archive_has_its_own_tests_and_the_package_passes_them(self):
        archive, = self.folder.glob("*.tar.gz")
        sources = self.folder / "sources"
        sources.mkdir()
        subprocess.run(["tar", "-xzf", archive, "-C", sources], check=True)
        tests, = self.folder.glob("sources/*/tests")
        run = subprocess.run(
            [self.python, "-m", "unittest", "discover", "-s", str(tests)], capture_output=True, text=True,
            timeout=PATIENCE, cwd=self.folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stderr, r"Ran [1-9]\d+ tests")

    def test_the_package_has_the_version_it_declares(self):
        text = "import tweencast, importlib.metadata as data; print(data.version('tweencast'), tweencast.__version__)"
        printed = subprocess.check_output([self.python, "-c", text], text=True, cwd=self.folder)
        self.assertEqual(printed, "1.0.0 1.0.0\n")

    def mypy(self, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--python-executable", self.python, *arguments],
            capture_output=True, text=True, cwd=self.folder)

    def test_types_accept_the_guides_code_and_refuse_wrong_use(self):
        users = []
        for number, text in enumerate((TYPED, *self.blocks("python"))):
            users.append(self.folder / f"user{number}.py")
            users[-1].write_text(text)
        for check in (self.mypy(*map(str, users)), self.mypy(str(PACKAGE / "src"))):
            self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
        wrong = self.folder / "wrong.py"
        wrong.write_text(f"{TYPED}\ndef wrong(client: Client) -> None:\n    " + "\n    ".join(UNTYPED))
        found = self.mypy(str(wrong)).stdout
        for line, kind in UNTYPED.items():
            self.assertIn(f"[{kind}]", found, line)

    @staticmethod
    def blocks(kind: str) -> list[str]:
        """The blocks of the package's page."""
        return re.findall(rf"^```{kind}\n(.*?)^```$", (PACKAGE / "README.md").read_text(), re.MULTILINE | re.DOTALL)

    def test_the_page_of_the_package(self):
        page = (PACKAGE / "README.md").read_text()
        shown = re.findall(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", page, re.MULTILINE | re.DOTALL)
        self.assertEqual(len(shown), len(self.blocks("python")))
        server = self.serve()
        for text, expected in shown:
            with self.subTest(text):
                printed = self.run_text(text, server)
                self.assertEqual(printed, expected or printed)
                self.assertTrue(printed)

    def test_numbers_keep_their_digits(self):
        server = self.serve()
        digits = "-1234567890123456789012345678901234567.8"
        text = f"""
from decimal import Decimal
from tweencast import Client
with Client("http://localhost:8080") as client:
    ticker = client.ticker("digits")
    ticker.set(Decimal("{digits}"), duration=0)
    print(ticker.get().target, ticker.add(Decimal("0.3"), duration=0).target)
"""
        self.assertEqual(self.run_text(text, server), f"{digits} {digits[:-1]}5\n")

    def test_each_event_comes_once_however_often_the_server_is_killed(self):
        store = str(self.folder / "store")
        server = self.serve(data=store)
        readers = {form: self.read(form, server, "ticker:visitors") for form in FORMS}
        for count in range(1, 4):
            self.until(readers, lambda items, count=count: names(items).count("connected") >= count)
            if count == 2:
                # The update is on its way while there is no server.
                server.kill()
            adding = subprocess.Popen(
                [*self.program, "add", server.url, "visitors", "1"], stdout=subprocess.PIPE, text=True)
            if count == 2:
                server = self.serve(port=server.port, data=store)
            self.assertEqual(adding.communicate(timeout=PATIENCE)[0], f"{count}\n")
            server.post("ticker:visitors", "finish")
            self.until(readers, lambda items, count=count: names(items).count("complete") >= count)
            if count == 1:
                server.kill()
                server = self.serve(port=server.port, data=store)
        for form, reader in readers.items():
            self.assertEqual(names(reader.items).count("complete"), 3, form)
            frames = [item["text"] for item in reader.items if item["item"] == "frame"]
            self.assertEqual(frames[-1], "3", form)

    def until(self, readers: dict[str, Reader], condition):
        """Waits until something holds of what each reader has."""
        for form, reader in readers.items():
            self.assertTrue(reader.until(condition), f"{form}: {reader.items[-10:]}")

    def test_a_client_is_refused_without_a_valid_token_and_reads_with_one(self):
        tokens = self.folder / "tokens.json"
        rights = ["--publish", "ticker=shop-*", "--subscribe", "ticker=shop-*"]
        token = subprocess.check_output(
            [program(), "token", "--name", "shop", *rights, "--into", str(tokens)], text=True).strip()
        server = self.serve("--auth", f"tokens:{tokens}")
        for form in FORMS:
            with self.subTest(form):
                for environment in ({}, {"TWEENCAST_TOKEN": "wrong"}):
                    reader = self.read(form, server, "ticker:shop-1", **environment)
                    self.assertEqual(reader.process.wait(PATIENCE), 0)
                    self.assertTrue(reader.until(lambda items: items))
                    self.assertEqual((reader.items[0]["item"], reader.items[0]["status"]), ("refused", 401))
                reader = self.read(form, server, "ticker:shop-1", TWEENCAST_TOKEN=token)
                self.assertTrue(reader.until(lambda items: items))
                self.assertEqual(reader.items[0], {"item": "connected"})
        text = """
from tweencast import Client, ForbiddenError, UnauthorizedError
for token, name in ((None, "shop-1"), ("TOKEN", "other")):
    with Client("http://localhost:8080", token) as client:
        try:
            client.ticker(name).set(1)
        except (ForbiddenError, UnauthorizedError) as error:
            print(error.status, error.detail)
""".replace("TOKEN", token)
        self.assertEqual(
            self.run_text(text, server),
            "401 a token is needed to change ticker shop-1\n403 this token may not change ticker other\n")

    def tls(self, name: str) -> tuple[str, list[str]]:
        """A certificate, and a server's flags for it."""
        certificate, key = str(self.folder / f"{name}.pem"), str(self.folder / f"{name}-key.pem")
        self.run_quietly(
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-keyout", key, "-out", certificate)
        return certificate, ["--tls-cert", certificate, "--tls-key", key]

    def test_a_frozen_server_is_left_with_and_without_tls(self):
        certificate, flags = self.tls("known")
        servers = {"plain": self.serve(), "tls": self.serve(*flags)}
        environment = {"AUTHORITIES": certificate, "HEARTBEAT": "1"}
        readers = {
            f"{form}, {kind}": self.read(form, server, "ticker:a", **environment)
            for form in FORMS for kind, server in servers.items()
        }
        self.until(readers, lambda items: items)
        for server in servers.values():
            server.process.send_signal(signal.SIGSTOP)
        try:
            self.until(readers, lambda items: "disconnected" in names(items))
        finally:
            for server in servers.values():
                server.process.send_signal(signal.SIGCONT)
        self.until(readers, lambda items: names(items)[-1] == "connected")

    def test_a_client_that_is_closed_ends_its_loops_with_and_without_tls(self):
        certificate, flags = self.tls("closed")
        text = f"""
import asyncio, threading
from tweencast import AsyncClient, Client, ClosedError, Connected
client = Client("http://localhost:8080", authorities={certificate!r})
came, items = threading.Event(), []
def read():
    for item in client.items(["ticker:never"], heartbeat=60):
        items.append(item)
        came.set()
thread = threading.Thread(target=read)
thread.start()
came.wait()
client.close()
thread.join()
print(items == [Connected()])

async def main():
    client = AsyncClient("http://localhost:8080", authorities={certificate!r})
    came, items = asyncio.Event(), []
    async def read():
        async for item in client.items(["ticker:never"], heartbeat=60):
            items.append(item)
            came.set()
    task = asyncio.create_task(read())
    await came.wait()
    await client.close()
    await task
    print(items == [Connected()])
    try:
        await client.ticker("never").get()
    except ClosedError as error:
        print(error)
asyncio.run(main())
"""
        for server in (self.serve(), self.serve(*flags)):
            with self.subTest(server.url):
                self.assertEqual(self.run_text(text, server), "True\nTrue\nthe client is closed\n")

    def test_a_server_that_its_authorities_dont_know_is_no_server(self):
        _, flags = self.tls("unknown")
        server = self.serve(*flags)
        text = """
from tweencast import Client, UnreachableError
def refuse(*_):
    raise AssertionError("it is asked again")
with Client("http://localhost:8080", on_retry=refuse) as client:
    for ask in (lambda: client.ticker("a").set(1), lambda: list(client.items(["ticker:a"]))):
        try:
            ask()
        except UnreachableError as error:
            print("certificate" in error.reason.lower())
"""
        self.assertEqual(self.run_text(text, server), "True\nTrue\n")

    def test_the_client_sees_the_same_events_as_another_reader(self):
        server = self.serve()
        readers = {form: self.read(form, server, "ticker:both", "notification:both") for form in FORMS}
        self.until(readers, lambda items: items)
        seen = asyncio.run(self.beside(server, readers))
        for form, reader in readers.items():
            items = [(item["topic"], item.get("value")) for item in reader.items if "topic" in item]
            self.assertEqual(items, seen, form)

    async def beside(self, server: Server, readers: dict[str, Reader]) -> list[tuple[str, float | None]]:
        """What aiohttp's reader sees of some changes, each of which all have seen before the next."""
        seen: list[tuple[str, float | None]] = []
        url = f"{server.url}/v1/events?ticker=both&notification=both"
        async with aiohttp.ClientSession() as session, aiohttp_sse.EventSource(url, session=session) as source:
            came = asyncio.Condition()
            reading = asyncio.create_task(self.collect(source, seen, came))
            count = 0
            for number in range(10):
                if number == 5:
                    await asyncio.to_thread(server.request, "POST", "/v1/notifications/both", {"a": 1})
                    count += 1
                else:
                    await asyncio.to_thread(functools.partial(server.post, "ticker:both", to=number + 0.5, duration=0))
                    # A frame, and the end of the motion.
                    count += 2
                has_all = functools.partial(self.has_topics, count=count)
                async with came:
                    await asyncio.wait_for(came.wait_for(functools.partial(has_all, seen)), PATIENCE)
                await asyncio.to_thread(self.until, readers, has_all)
            reading.cancel()
            return seen

    @staticmethod
    def has_topics(items: list, count: int) -> bool:
        """Whether so many items are about something."""
        return sum(isinstance(item, tuple) or "topic" in item for item in items) >= count

    @staticmethod
    async def collect(source, seen: list, came: asyncio.Condition):
        async for event in source:
            data = json.loads(event.data)
            kind = next((kind for kind in ("ticker", "notification") if kind in data), None)
            if kind:
                async with came:
                    # An event of this package's program has no value.
                    value = None if event.message else data.get("value")
                    seen.append((f"{kind}:{data[kind]}", value))
                    came.notify_all()


if __name__ == "__main__":
    unittest.main(verbosity=2)
