"""The program under attack: started, asked, measured, killed and started again. Knows nothing of what is asked."""

import ctypes
import http.client
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import typing

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests"))
from ports import free_port  # noqa: E402

START_SECONDS = 60
HOST = "127.0.0.1"
LIBC = ctypes.CDLL(None)
PR_SET_PDEATHSIG = 1
MEMORY = "/dev/shm"
# What a folder in memory must have room for.
MEMORY_BYTES = 1 << 30
# What a client posts as its own data comes back as it was, numbers of thousands of digits included.
sys.set_int_max_str_digits(0)


def raise_descriptor_limit():
    """Takes as many descriptors as the machine gives: attackers need one a connection."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def folder_in_memory() -> str | None:
    """For stores whose commits are timed: a disk that others use takes seconds for one now and then. None without room."""
    try:
        room = os.statvfs(MEMORY)
    except OSError:
        return None
    return MEMORY if room.f_bavail * room.f_frsize >= MEMORY_BYTES else None


class Answer(typing.NamedTuple):
    """What a request came to; status 0 when no answer came, `body` then says why."""

    status: int
    headers: dict
    body: bytes
    seconds: float

    @property
    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    @property
    def pointer(self):
        return (self.json or {}).get("pointer", "")


def encode(body) -> bytes | None:
    if body is None or isinstance(body, bytes):
        return body
    return body.encode("utf-8", "surrogatepass") if isinstance(body, str) else json.dumps(body).encode()


class Connection:
    """One keep-alive connection; an answer that doesn't come is an `Answer` too. For one thread."""

    def __init__(self, port: int, timeout: float = 20, source: str | None = None):
        self.port, self.timeout, self.http = port, timeout, None
        self.source = (source, 0) if source else None

    def ask(self, method, path, body=None, headers=None) -> Answer:
        start = time.monotonic()
        for attempt in (1, 2):
            fresh = self.http is None
            try:
                self.http = self.http or http.client.HTTPConnection(
                    HOST, self.port, timeout=self.timeout, source_address=self.source)
                self.http.request(method, path, encode(body), headers or {})
                answer = self.http.getresponse()
                fields = {name.lower(): value for name, value in answer.getheaders()}
                if fields.get("content-type") == "text/event-stream":
                    # It has no end: that it begins is the answer.
                    self.close()
                    return Answer(answer.status, fields, b"", time.monotonic() - start)
                return Answer(answer.status, fields, answer.read(), time.monotonic() - start)
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.close()
                # A connection that had idled may have been closed meanwhile: once more on a new one.
                if fresh or attempt == 2 or isinstance(error, TimeoutError):
                    return Answer(0, {}, repr(error).encode(), time.monotonic() - start)
        raise AssertionError("unreachable")

    def close(self):
        if self.http:
            self.http.close()
        self.http = None


class Program:
    """One `tweencast` on a port of its own; its folder outlives its restarts and goes with `close`."""

    def __init__(
        self, binary, *flags, ephemeral=False, environment=None, descriptors=None, stderr=None, launcher=(), folder=None
    ):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="tweencast-hostile-", dir=folder))
        self.data = self.work / "data"
        # By flag or by environment: under libfaketime the program sees no arguments.
        store = ["--ephemeral"] if ephemeral else []
        self.command = [str(binary), *store, *flags]
        self.launcher = list(launcher)
        self.environment, self.descriptors, self.stderr = environment or {}, descriptors, stderr
        self.base = {"TWEENCAST_PORT": str(free_port()), "TWEENCAST_PUBLIC": str(ROOT / "public")}
        self.base |= {} if ephemeral else {"TWEENCAST_DATA": str(self.data)}
        self.process = self.port = None
        self.starts = 0
        self.start()

    def start(self) -> bool:
        """Starts it; False (and `log` says why) when it doesn't say that it listens."""
        self.starts += 1
        self.out = self.work / f"out.{self.starts}"
        self.err = self.work / f"err.{self.starts}"
        with open(self.out, "wb") as out, open(self.err, "wb") as err:
            self.process = subprocess.Popen(
                self.launcher + self.command, stdout=out, stderr=self.stderr or err, stdin=subprocess.DEVNULL,
                env=os.environ | self.base | self.environment, preexec_fn=self.prepare)  # fmt: skip
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self.process.poll() is None:
            if found := re.search(rb"listening on http://\S*:(\d+)", self.out.read_bytes()):
                self.port = int(found[1])
                return True
            time.sleep(0.01)
        return False

    def prepare(self):
        """In the child: it goes when the test goes, however that ends."""
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if self.descriptors:
            resource.setrlimit(resource.RLIMIT_NOFILE, (self.descriptors, self.descriptors))

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    @property
    def log(self) -> str:
        return self.err.read_bytes().decode("utf-8", "replace")

    @property
    def last_words(self) -> str:
        """What it said when it ended: the reason of a crash where there is one."""
        found = re.search(r"(Swift runtime failure: |Fatal error|ERROR: |WARNING: ThreadSanitizer)[^*\n]*", self.log)
        said = found[0] if found else " ".join(self.log.split())[-160:]
        return f"exit {self.process.poll()}: {said[:200]}"

    def ask(self, method, path, body=None, headers=None, timeout=20, source=None) -> Answer:
        """One request on a connection of its own, from an address."""
        connection = Connection(self.port, timeout, source)
        try:
            return connection.ask(method, path, body, headers)
        finally:
            connection.close()

    def metric(self, name, source=None) -> float:
        """One number of `/metrics`; it raises where there is none of that name."""
        answer = self.ask("GET", "/metrics", source=source)
        if answer.status != 200:
            raise ConnectionError(f"/metrics is answered {answer.status} {answer.body[:80]}")
        found = re.search(rf"^(?:tweencast_)?{re.escape(name)} (\S+)$", answer.body.decode(), re.MULTILINE)
        return float(found[1])

    def connect(self, data=b"", receive_buffer=None, timeout=10) -> socket.socket:
        """A bare socket with `data` sent."""
        bare = socket.socket()
        if receive_buffer:
            bare.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        bare.settimeout(timeout)
        bare.connect((HOST, self.port))
        bare.sendall(data)
        return bare

    def stream(self, path, headers=(), **options) -> socket.socket:
        """A bare socket on which a GET was sent; nothing is read."""
        lines = [f"GET {path} HTTP/1.1", f"Host: {HOST}", *headers, "", ""]
        return self.connect("\r\n".join(lines).encode(), **options)

    def raw(self, data: bytes, seconds=5.0, until=b"\r\n\r\n") -> bytes:
        """Sends bytes and returns what comes until `until`, the end, or the time is up."""
        got = b""
        end = time.monotonic() + seconds
        try:
            with self.connect(data) as bare:
                while until not in got and (left := end - time.monotonic()) > 0:
                    bare.settimeout(left)
                    if not (piece := bare.recv(65536)):
                        break
                    got += piece
        except OSError:
            pass
        return got

    def proc(self, name, field) -> int:
        try:
            text = pathlib.Path(f"/proc/{self.process.pid}/{name}").read_text()
        except OSError:
            return 0
        found = re.search(rf"^{field}:\s*(\d+)", text, re.MULTILINE)
        return int(found[1]) if found else 0

    @property
    def rss(self) -> float:
        """Resident memory in MB."""
        return self.proc("status", "VmRSS") / 1024

    @property
    def written(self) -> float:
        """MB that it has handed to write calls so far."""
        return self.proc("io", "wchar") / 1e6

    @property
    def stored(self) -> float:
        """MB in its folder."""
        return sum(file.stat().st_size for file in self.data.glob("*")) / 1e6

    @property
    def open_descriptors(self) -> int:
        try:
            return len(os.listdir(f"/proc/{self.process.pid}/fd"))
        except OSError:
            return 0

    def kill(self):
        """SIGKILL, as a power cut would."""
        if self.alive:
            self.process.kill()
        self.process.wait()

    def restart(self) -> bool:
        self.kill()
        return self.start()

    def terminate(self, seconds=20) -> int | None:
        """SIGTERM; its exit code, or None when it is still there after `seconds`."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def close(self):
        self.kill()
        shutil.rmtree(self.work, ignore_errors=True)
