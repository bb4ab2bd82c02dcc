"""A random session whose server's disk is recorded, with what was acknowledged and heard at each length of the tape."""

import collections
import contextlib
import copy
import dataclasses
import fcntl
import http.client
import os
import pathlib
import random
import signal
import subprocess
import sys
import typing

import tape
from contents import STRANGER
from disk import INDEX, KEPT, Disk
from model import OF_ONE_STREAM
from reader import Reader
from server import Answer, Server, wait_until
from session import REST_SECONDS, Session, tokens
from tested import program

STRANGERS = pathlib.Path(__file__).with_name("strangers.py")
DATA = "data/tweencast.sqlite"
# Of a model, what a cut goes back to.
MODEL = ("tracks", "schedules", "present", "pending", "are_paused", "notifications", "marks", "totals", "large")
COMMAND_SECONDS = 60
# The number of the last operation of a server that dies is below one of these: a start has some forty, a request about ten.
# The very first makes the folder, whose name isn't synced yet.
DEATHS, FIRST_DEATHS = (60, 250), (2, 4, 50)


class HeardEvent(typing.NamedTuple):
    """How long the tape was when an event had been heard, and what that was."""

    length: int
    name: str
    data: str
    id: str | None

    @property
    def is_shared(self) -> bool:
        """Whether all streams are told this under this id."""
        return bool(self.id) and self.name not in OF_ONE_STREAM

    @property
    def text(self) -> str:
        return f"id: {self.id}\nevent: {self.name}\ndata: {self.data}\n"


@dataclasses.dataclass
class Asked:
    """A request. Lengths of the tape; the answer's is None while there is none."""

    begun: int
    key: str
    # What was known before it.
    model: dict
    answered: int | None = None
    # Whether the store keeps its answer.
    is_kept: bool = False


@dataclasses.dataclass
class Copy:
    """A backup, or what was restored from one."""

    path: str
    begun: int
    made: int
    is_restored: bool = False


@dataclasses.dataclass
class Recording:
    """All that a cut needs."""

    tape: bytes
    asked: list[Asked]
    heard: list[HeardEvent]
    copies: list[Copy]
    # When strangers were put into the store, and their names.
    strangers: list[tuple[int, list[str]]]
    # When processes had died.
    deaths: list[int]
    # The last model.
    model: dict


class Listener(Reader):
    """Notes when it heard what. `told`: what it has heard before."""

    def __init__(self, server: Server, topics: dict[str, list[str]], token: str, told=()):
        self.before, self.told = told, []
        super().__init__(server, topics, token)

    def start(self):
        for event in self.before:
            self.hear(event.name, event.data, event.id)
        super().start()

    def hear(self, name: str, data: str, identifier: str | None):
        super().hear(name, data, identifier)
        self.told.append(HeardEvent(self.server.position, name, data, identifier))


class RecordedServer(Server):
    """Its data folder lies on a disk that is recorded. It may die at an operation of its own."""

    recorder: pathlib.Path

    def __init__(self, tokens: dict, death: int):
        # Operations until it dies; 0 for none.
        self.death = death
        super().__init__(tokens)

    @property
    def disk(self) -> pathlib.Path:
        return self.folder / "disk"

    @property
    def tape(self) -> pathlib.Path:
        return self.folder / "tape"

    @property
    def position(self) -> int:
        return self.tape.stat().st_size

    @property
    def recording(self) -> dict[str, str]:
        return {
            "LD_PRELOAD": str(self.recorder),
            "POWER_CUTS_DISK": str(self.disk),
            "POWER_CUTS_TAPE": str(self.tape),
            "POWER_CUTS_DEATH": str(self.death),
        }

    @property
    def environment(self):
        return super().environment | self.recording | {"TWEENCAST_DATA": str(self.disk / "data")}

    def start(self):
        if not self.disk.exists():
            self.recorder = tape.library(self.folder)
            self.disk.mkdir()
            self.tape.touch()
            self.deaths: list[int] = []
        try:
            super().start()
        except AssertionError:
            if not self.has_died():
                raise
            self.start()

    def kill(self):
        """Between two operations, so that none takes place that is not on the tape."""
        if self.has_died():
            return
        with open(self.tape, "rb") as turns:
            fcntl.flock(turns, fcntl.LOCK_EX)
            os.kill(self.pid, signal.SIGKILL)
            wait_until(lambda: not self.is_alive, REST_SECONDS, "an end by SIGKILL")
        assert self.has_died()

    def terminate(self):
        if self.has_died():
            return
        try:
            super().terminate()
        except AssertionError:
            if not self.has_died():
                raise

    def has_died(self) -> bool:
        """Whether an operation was its last; that is noted."""
        if self.ended(self.pid) != -signal.SIGKILL:
            return False
        self.kills += 1
        self.deaths.append(self.position)
        self.death = 0
        return True

    def revive(self):
        """Starts it again when it has died."""
        wait_until(lambda: not self.is_alive, REST_SECONDS, "its death")
        assert self.has_died(), f"it has ended by itself: {self.last_words}"
        self.start()

    def run(self, *command: str):
        """A command whose disk is recorded, too."""
        environment = super().environment | self.recording | {"POWER_CUTS_DEATH": "0"}
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=COMMAND_SECONDS)
        assert ran.returncode == 0, f"{command} ended with {ran.returncode}: {ran.stdout}{ran.stderr}"


class RecordedSession(Session):
    """Each change has a key. If the server dies, it is started again, and asked again."""

    def __init__(self, seed: int, log, large_bytes: int):
        self.large_bytes = large_bytes
        self.totals: collections.Counter = collections.Counter()
        # By name, the text of a long definition.
        self.large: dict[str, str] = {}
        self.asked: list[Asked] = []
        self.copies: list[Copy] = []
        self.strangers: list[tuple[int, list[str]]] = []
        chance = random.Random(f"death {seed}")
        death = chance.choice([0, chance.randrange(1, chance.choice(FIRST_DEATHS))])
        super().__init__(seed, log, RecordedServer(tokens(), death), Listener)

    def model(self) -> dict:
        return copy.deepcopy({name: getattr(self, name) for name in MODEL})

    def ask(self, method, path, body=None, token="root", **headers) -> Answer:
        if method == "GET":
            return super().ask(method, path, body, token, **headers)
        key = headers.setdefault("Idempotency_Key", f"cut-{len(self.asked)}")
        asked = Asked(self.server.position, key, self.model())
        self.asked.append(asked)
        while True:
            try:
                answer = super().ask(method, path, body, token, **headers)
                break
            except (OSError, http.client.HTTPException):
                self.server.revive()
        asked.answered = self.server.position
        asked.is_kept = answer.status < 300
        return answer

    def die_soon(self):
        """The server is started again, and dies at an operation of the next."""
        self.server.kill()
        self.server.death = self.random.randrange(1, self.random.choice(DEATHS))
        self.server.start()

    def restart(self):
        self.server.terminate()
        self.server.start()

    def add_strangers(self):
        """Records that nobody can read, beside those of the store."""
        names = [f"{STRANGER}{len(self.strangers)}-{number}" for number in range(2)]
        self.server.terminate()
        self.server.run(sys.executable, str(STRANGERS), str(self.server.disk / DATA), *names)
        self.strangers.append((self.server.position, names))
        self.server.start()

    def back_up(self):
        """A copy, and sometimes what is restored from it."""
        path = f"copy-{len(self.copies)}.sqlite"
        begun = self.server.position
        self.server.run(program(), "backup", str(self.server.disk / path), "--data", str(self.server.disk / "data"))
        self.copies.append(Copy(path, begun, self.server.position))
        if self.random.random() < 0.5:
            return
        folder, begun = f"restored-{len(self.copies)}", self.server.position
        self.server.run(program(), "restore", str(self.server.disk / path), "--data", str(self.server.disk / folder))
        self.copies.append(Copy(f"{folder}/tweencast.sqlite", begun, self.server.position, is_restored=True))

    def recording(self) -> Recording:
        """The server has ended."""
        self.check_tape()
        heard = list(self.journal.told)
        whole = self.server.tape.read_bytes()
        return Recording(whole, self.asked, heard, self.copies, self.strangers, self.server.deaths, self.model())

    def check_tape(self):
        """The disk is what the tape says, to the byte: nothing was changed by a call that is not recorded."""
        disk = Disk()
        for operation in tape.Tape(self.server.tape.read_bytes()).operations:
            disk.take(operation)
        known = disk.after_cut(KEPT, random.Random(0)).files
        files = [path for path in self.server.disk.rglob("*") if path.is_file()]
        found = {str(path.relative_to(self.server.disk)): path.read_bytes() for path in files}
        differ = {path for path in known | found if known.get(path) != found.get(path) and not path.endswith(INDEX)}
        assert not differ, f"the tape lacks changes of {differ}"

    def close(self):
        with contextlib.suppress(AssertionError, OSError):
            super().close()
