"""Cuts of a recorded session: what a disk may hold after each, and what must be there."""

import bisect
import collections
import copy
import dataclasses
import pathlib
import random
import shutil
import sqlite3
import tempfile
import typing

from contents import Contents, Verdict, examine, read
from disk import FATES, KEPT, Disk, Image
from recorded import DATA, Copy, HeardEvent, Recording
from tape import SYNC, WRITE, Operation, Tape

LOG, PARTIAL = "-wal", ".partial"


class Plant(typing.NamedTuple):
    """A loss of syncs, and words that a failure by it has."""

    loses: typing.Callable[[Operation], bool]
    words: str


PLANTS = {
    # Of SQLite's log, in which our journal, parts and quarantine are committed.
    "log": Plant(lambda one: one.kind == SYNC and one.path.endswith(LOG), "acknowledged requests are missing"),
    # Of the database, before its log is restarted or removed.
    "database": Plant(lambda one: one.kind == SYNC and one.path.endswith(".sqlite"), "check: 1 "),
    # Of a copy, before it gets its name.
    "copies": Plant(lambda one: one.kind == SYNC and one.path.endswith(PARTIAL), "copy-"),
    # Of what was made and renamed in folders.
    "folders": Plant(lambda one: one.kind != SYNC, " is missing"),
}
# So many of all cuts come right behind a change of a name or of a size, which are rare.
RARE_SHARE = 0.3


@dataclasses.dataclass(order=True)
class Cut:
    # Operations before it.
    place: int
    number: int
    fate: str

    def chance(self, seed: int) -> random.Random:
        return random.Random(f"{seed} {self.number}")


def cuts(tape: Tape, seed: int, numbers: typing.Iterable[int]) -> list[Cut]:
    """In the order of the tape; each is drawn by its number alone."""
    rare = [place for place, one in enumerate(tape.operations) if one.kind not in (WRITE, SYNC)]
    found = []
    for number in numbers:
        chance = random.Random(f"place {seed} {number}")
        place = chance.randrange(len(tape.operations)) + 1
        if chance.random() < RARE_SHARE:
            place = chance.choice(rare) + chance.randrange(3)
        found.append(Cut(max(1, min(place, len(tape.operations))), number, chance.choice(FATES)))
    return sorted(found)


class Workshop:
    """Builds what a cut left, and looks at each store once."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tweencast-cuts-"))
        # By the digest of a store's files.
        self.known: dict[str, Verdict] = {}
        # How often what was done.
        self.counts: collections.Counter = collections.Counter()

    def build(self, files: dict[str, bytes]) -> pathlib.Path:
        """A new folder; the caller removes it."""
        built = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        for path, data in files.items():
            (built / path).parent.mkdir(parents=True, exist_ok=True)
            (built / path).write_bytes(data)
        return built

    def verdict(self, image: Image, path: str) -> Verdict:
        files = image.store(path)
        digest = Image.digest(files)
        if digest not in self.known:
            self.counts["stores"] += 1
            built = self.build(files)
            self.known[digest] = examine(built / path)
            shutil.rmtree(built)
        return self.known[digest]

    def contents(self, image: Image, path: str) -> Contents | None:
        """What a program reads that was only killed; None where there is no store yet."""
        if not image.files.get(path):
            return None
        built = self.build(image.store(path))
        try:
            return read(built / path)
        except sqlite3.Error:
            return None
        finally:
            shutil.rmtree(built)

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Expectations:
    """What a recording says of each cut."""

    def __init__(self, recording: Recording, tape: Tape, shop: Workshop):
        self.recording, self.tape, self.shop = recording, tape, shop
        self.ends = [one.end for one in tape.operations]
        self.answers = [asked.answered for asked in recording.asked]
        self.heard = [length for length, *_ in recording.heard]
        # Operations with which a commit of the store may end: a sync of one of its files, or the last before a death.
        synced = enumerate(tape.operations, 1)
        syncs = [place for place, one in synced if one.kind == SYNC and one.path.startswith(DATA)]
        self.points = sorted({*syncs, *map(tape.count_at, recording.deaths), len(tape.operations)})
        self.durable = [place for place in syncs if tape.operations[place - 1].path == DATA + LOG]
        # Digests of stores with which a server has started.
        self.begun: set[str] = set()
        # By point, the contents; by copy, those that it must have.
        self.states: dict[int, Contents | None] = {}
        self.copied: dict[str, Contents | None] = {}

    def length(self, place: int) -> int:
        return self.ends[place - 1]

    def acknowledged(self, place: int) -> int:
        """How many requests were answered before a cut; one more may be under way."""
        return bisect.bisect_right(self.answers, self.length(place))

    def heard_before(self, cut: Cut) -> list[HeardEvent]:
        return self.recording.heard[: bisect.bisect_right(self.heard, self.length(cut.place))]

    def candidates(self, place: int, end: int | None = None) -> list[int]:
        """The points at one of which the store had what it has after a cut; or what it had until another one."""
        first, last = (bisect.bisect_right(self.durable, one) for one in (place, end or place))
        least = self.durable[first - 1] if first else 0
        most = self.durable[last] if last < len(self.durable) else len(self.tape.operations)
        begin = bisect.bisect_left(self.points, least)
        return self.points[begin : bisect.bisect_right(self.points, most)]

    def candidates_of(self, one: Copy) -> list[int]:
        return self.candidates(self.tape.count_at(one.begun), self.tape.count_at(one.made))

    def prepare(self, chosen: list[Cut]):
        """Reads the contents at the points that these cuts need."""
        needed = {point for cut in chosen for point in self.candidates(cut.place)}
        needed |= {point for one in self.recording.copies for point in self.candidates_of(one)}
        needed -= set(self.states)
        copies = {self.tape.count_at(one.made): one.path for one in self.recording.copies if one.is_restored}
        disk = Disk()
        for place, operation in enumerate(self.tape.operations, 1):
            disk.take(operation)
            if place in needed:
                image = disk.after_cut(KEPT, random.Random(0))
                self.states[place] = self.shop.contents(image, DATA)
            if place in copies and copies[place] not in self.copied:
                self.copied[copies[place]] = self.shop.contents(disk.after_cut(KEPT, random.Random(0)), copies[place])

    def verdict(self, image: Image) -> Verdict:
        return self.shop.verdict(image, DATA) if image.files.get(DATA) else Verdict("there is no store")

    def check(self, cut: Cut, image: Image) -> list[str]:
        """What is wrong with what the cut left."""
        wrong = self._check_store(cut, self.verdict(image))
        for one in self.recording.copies:
            wrong += self._check_copy(cut, image, one)
        return wrong

    def _check_store(self, cut: Cut, verdict: Verdict) -> list[str]:
        count = self.acknowledged(cut.place)
        contents = verdict.contents
        if contents is None:
            # Before the first answer, a start makes a store; `recovery.py` has it do so.
            return [verdict.wrong] if count else []
        wrong = []
        kept = {asked.key for asked in self.recording.asked[:count] if asked.is_kept}
        if missing := kept - contents.names:
            wrong.append(f"{len(missing)} of {len(kept)} acknowledged requests are missing: {sorted(missing)[:3]}")
        wrong += self._check_strangers(cut, contents)
        for event in self.heard_before(cut):
            if event.is_shared and contents.events.get(event.id, event.text) != event.text:
                wrong.append(f"{event.text} was heard, and is now {contents.events[event.id]}")
        if not self._was_committed(contents, self.candidates(cut.place)):
            wrong.append("its contents are none that were committed at that time")
        return wrong

    def _check_strangers(self, cut: Cut, contents: Contents) -> list[str]:
        lengths = [length for length, _ in self.recording.strangers]
        count = bisect.bisect_right(lengths, self.length(cut.place))
        there = sorted(name for _, names in self.recording.strangers[:count] for name in names)
        # Those that are put there meanwhile, all or none.
        more = sorted(there + (self.recording.strangers[count][1] if count < len(lengths) else []))
        known = contents.strangers in (there, more)
        return [] if known else [f"among the records and in the quarantine are {contents.strangers}, not {there}"]

    def _check_copy(self, cut: Cut, image: Image, one: Copy) -> list[str]:
        if one.path not in image.files:
            return [f"{one.path} is missing"] if one.made <= self.length(cut.place) else []
        verdict = self.shop.verdict(image, one.path)
        contents = verdict.contents
        if contents is None:
            return [f"{one.path}: {verdict.wrong}"]
        if one.is_restored:
            state = self.copied[one.path]
            return [] if state and state.digest == contents.digest else [f"{one.path} has not what was restored"]
        is_known = self._was_committed(contents, self.candidates_of(one))
        return [] if is_known else [f"{one.path} has not what was committed when it was made"]

    def _was_committed(self, contents: Contents, points: list[int]) -> bool:
        states = [self.states[point] for point in points]
        return any(state and state.digest == contents.digest for state in states)

    def model(self, cut: Cut, image: Image) -> dict:
        """What the clients knew at a cut, and what its store has of a request under way."""
        count, requests = self.acknowledged(cut.place), self.recording.asked
        contents = self.verdict(image).contents
        if contents and count < len(requests) and requests[count].key in contents.names:
            count += 1
        return copy.deepcopy(requests[count].model if count < len(requests) else self.recording.model)


def images(tape: Tape, seed: int, chosen: list[Cut], plant: str | None) -> typing.Iterator[tuple[Cut, Image]]:
    """What each of these cuts left."""
    disk = Disk(PLANTS[plant].loses if plant else lambda _: False)
    waiting = collections.deque(chosen)
    for place, operation in enumerate(tape.operations, 1):
        disk.take(operation)
        while waiting and waiting[0].place == place:
            cut = waiting.popleft()
            yield cut, disk.after_cut(cut.fate, cut.chance(seed))
