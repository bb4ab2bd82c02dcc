"""Replicas over a real Redis, each behind a wire of its own that can be cut, slowed and led elsewhere."""

import http.client
import json
import os
import pathlib
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests"))
from ports import free_port  # noqa: E402
from tested import program  # noqa: E402

HOST = "127.0.0.1"
START_SECONDS = 60
FAKETIME = next(iter(pathlib.Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), None)
# What a process gets whose clock is to be an hour ahead.
CLOCK_AHEAD = {
    "LD_PRELOAD": str(FAKETIME),
    "FAKETIME": "+3600",
    "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    "DONT_FAKE_MONOTONIC": "1",
}
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


def wait_until(is_so, seconds=START_SECONDS, what="it"):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if is_so():
                return
        except OSError:
            pass
        time.sleep(0.02)
    raise AssertionError(f"{what() if callable(what) else what} never came")


class Wire:
    """A way to the store: passes bytes on, later or not at all where it is told so."""

    def __init__(self, target: int):
        self.target, self.delay, self.is_cut = target, 0.0, False
        # What answers take beyond that, and what all takes on ways that are opened from now on.
        self.delay_back, self.delay_of_new = 0.0, 0.0
        self.pairs = set()
        self.lock = threading.Lock()
        self.socket = socket.create_server((HOST, 0), backlog=64)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self._pass, args=(near,), daemon=True).start()

    def _pass(self, near):
        try:
            far = socket.create_connection((HOST, self.target), timeout=5)
        except OSError:
            near.close()
            return
        own = self.delay_of_new
        with self.lock:
            self.pairs.add((near, far))
        try:
            while True:
                ready, _, _ = select.select([near, far], [], [], 0.2)
                if self.is_cut:
                    # As a network does that has gone: nothing comes, and nobody says so.
                    time.sleep(0.05)
                    continue
                for one in ready:
                    data = one.recv(1 << 16)
                    if not data:
                        return
                    # It takes as long: nobody can see that it has come, before it has.
                    delay = self.delay + own + (self.delay_back if one is far else 0)
                    if delay:
                        time.sleep(delay)
                    (far if one is near else near).sendall(data)
        except OSError:
            pass
        finally:
            self._drop((near, far))

    def _drop(self, pair):
        with self.lock:
            self.pairs.discard(pair)
        for one in pair:
            one.close()

    def lead_to(self, target: int):
        """All go elsewhere from now on, those that are there too."""
        self.target = target
        self.break_all()

    def break_all(self):
        with self.lock:
            pairs = list(self.pairs)
        for pair in pairs:
            for one in pair:
                try:
                    one.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass


class Redis:
    """A redis-server of its own."""

    def __init__(self, *arguments, folder=None, environment=None):
        self.folder = folder or tempfile.mkdtemp(prefix="tweencast-redis-")
        self.port = free_port()
        self.arguments = arguments
        self.environment = environment or {}
        self.process = None
        self.start()

    @property
    def command(self):
        place = ["--port", str(self.port), "--bind", HOST, "--dir", self.folder, "--logfile", "log"]
        return ["redis-server", *place, "--save", "", "--appendonly", "yes", *self.arguments]

    def start(self):
        self.process = subprocess.Popen(
            self.command, env=dict(os.environ, **self.environment), stdout=subprocess.DEVNULL
        )
        wait_until(lambda: self.call("PING") == "PONG", what="redis")

    def call(self, *words) -> str:
        done = subprocess.run(
            ["redis-cli", "-p", str(self.port), *map(str, words)],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=30,
        )
        return done.stdout.strip()

    def send(self, number):
        os.kill(self.process.pid, number)

    def end(self, number=signal.SIGTERM):
        self.send(signal.SIGCONT)
        self.send(number)
        self.process.wait()

    def clean(self):
        if self.process.poll() is None:
            self.end(signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)


class Replica:
    """A tweencast of its own."""

    host = HOST
    # What it is started by.
    starter = ()

    def __init__(self, wire: Wire | None, environment=None, **options):
        """Without a wire it goes to the `store` among the options."""
        self.wire = wire
        self.options = {"TWEENCAST_" + name.upper(): str(value) for name, value in options.items()}
        self.environment = environment or {}
        self.port = free_port()
        self.log = tempfile.TemporaryFile()
        self.process = None
        self.start()

    @property
    def said(self) -> str:
        """The end of what it wrote to its log."""
        self.log.seek(0)
        return self.log.read()[-4_000:].decode()

    def start(self):
        # By the environment: under libfaketime the program sees no arguments.
        options = {
            "TWEENCAST_PORT": str(self.port),
            "TWEENCAST_WEBHOOK_SECRET": SECRET,
            **self.options,
            **self.environment,
        }
        if self.wire:
            options["TWEENCAST_STORE"] = f"redis://{HOST}:{self.wire.port}?name=chaos"
        self.process = subprocess.Popen(
            [*self.starter, program()],
            cwd=ROOT,
            env=dict(os.environ, **options),
            stdout=subprocess.DEVNULL,
            stderr=self.log,
        )

    def send(self, number):
        os.kill(self.process.pid, number)

    def end(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.send(signal.SIGCONT)
            self.send(number)
            self.process.wait()

    def ask(self, method, path, body=None, headers=None, timeout=10):
        """The status and the body; 0 and why where no answer came."""
        status, _, text = self.answer(method, path, body, headers, timeout)
        return status, text

    def answer(self, method, path, body=None, headers=None, timeout=10):
        """The status, the headers and the body; 0 and why where no answer came."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        try:
            text = body if body is None or isinstance(body, str) else json.dumps(body)
            connection.request(method, path, text, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        except (OSError, http.client.HTTPException) as error:
            return 0, {}, repr(error).encode()
        finally:
            connection.close()

    def read(self, path):
        """What it has to say, which one that is overwhelmed may not do in time: an error that can be tried again."""
        status, body = self.ask("GET", path)
        if status != 200:
            raise ConnectionError(f"{path}: {status} {body}")
        return json.loads(body)

    @property
    def is_ready(self):
        return self.ask("GET", "/readyz", timeout=2)[0] == 200

    @property
    def standing(self):
        """What it says of itself: position, digest and so on."""
        return self.read("/v1/clients?limit=1")["replica"]

    @property
    def is_moving(self):
        """Whether something is under way on the board."""
        tickers = self.read("/v1/tickers?limit=1000")
        return any(ticker.get("motion", {}).get("state") == "running" for ticker in tickers["items"])


class Successors:
    """Processes that were started by a replica to take its place: they end with the scene."""

    def __init__(self, replica):
        self.mark = f"TWEENCAST_PORT={replica.port}".encode()

    def clean(self):
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if self.mark in (process / "environ").read_bytes().split(b"\0"):
                    os.kill(int(process.name), signal.SIGKILL)
            except OSError:
                pass
