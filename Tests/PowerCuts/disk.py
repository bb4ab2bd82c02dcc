"""A disk as it may be after a power cut. What was synced is there. Of everything else, any part may be there: the rules are
those that SQLite expects of a disk (https://sqlite.org/atomiccommit.html).

- `fsync` of a file makes its contents and its size durable, but not its name. `fsync` of a folder makes its names durable.
- Names change in order, but a cut may come before any of the changes that were not synced.
- Each page of a file has the contents that it had after any of its unsynced writes, or before all of them. One of these
  writes may be torn: each sector is then old or new. Bytes beside a written range don't change.
- A file may have grown with or without what was written there: instead there are zeros, or any bytes.
"""

import collections
import dataclasses
import hashlib
import random
import typing

from tape import CREATE, FOLDER, REMOVE, RENAME, RESIZE, SYNC, SYNC_FOLDER, WRITE, Operation

PAGE, SECTOR = 4096, 512
# SQLite's index of its log, which is shared memory: whatever it holds is made anew.
INDEX = "-shm"
INDEX_BYTES = random.Random(0).randbytes(32_768)
# What befalls everything that was not synced.
KEPT, LOST, BY_FILE, BY_PAGE, TORN = "kept", "lost", "by file", "by page", "torn"
FATES = (KEPT, LOST, BY_FILE, BY_PAGE, TORN)
# By which an unsynced page is as it was last, as it was synced, or as it was in between.
SHARES = ((5, 4, 1), (1, 8, 1), (8, 1, 1))
NOISE_SHARE = 0.3


@dataclasses.dataclass(eq=False)
class File:
    synced: bytearray = dataclasses.field(default_factory=bytearray)
    # Writes and resizes since.
    pending: list[Operation] = dataclasses.field(default_factory=list)

    def sync(self):
        self.synced = self.contents()
        self.pending.clear()

    def contents(self) -> bytearray:
        """With all that is pending."""
        found = bytearray(self.synced)
        for change in self.pending:
            if change.kind == RESIZE:
                del found[change.offset :]
                found.extend(bytes(change.offset - len(found)))
            else:
                found.extend(bytes(max(0, change.offset - len(found))))
                found[change.offset : change.offset + len(change.data)] = change.data
        return found

    def after_cut(self, fate: str, chance: random.Random) -> bytes:
        if not self.pending or fate == LOST or fate == BY_FILE and chance.random() < 0.5:
            return bytes(self.synced)
        if fate in (KEPT, BY_FILE):
            return bytes(self.contents())
        return _Pages(self, chance).contents(fate == TORN)


class _Pages:
    """An unsynced file, page by page."""

    def __init__(self, file: File, chance: random.Random):
        self.chance = chance
        pending = file.pending
        # So many changes of its size are durable; writes are whether or not those behind them are.
        self.sized = chance.choice([0, len(pending), chance.randrange(len(pending) + 1)])
        self.base, self.size = bytearray(file.synced), len(file.synced)
        # By page: offset and bytes of each write.
        self.writes: dict[int, list[tuple[int, bytes]]] = collections.defaultdict(list)
        # What is written behind the end that a resize has made needs that resize.
        self.least = None
        for number, change in enumerate(pending):
            if change.kind == WRITE:
                self._take(number, change)
            elif number < self.sized:
                self._resize(change.offset)
            else:
                self.least = change.offset if self.least is None else min(self.least, change.offset)
        self._fill()

    def _take(self, number: int, change: Operation):
        if number < self.sized:
            self.size = max(self.size, change.offset + len(change.data))
        place, end = change.offset, change.offset + len(change.data)
        if self.least is not None:
            end = min(end, self.least)
        while place < end:
            following = min(end, (place // PAGE + 1) * PAGE)
            piece = change.data[place - change.offset : following - change.offset]
            self.writes[place // PAGE].append((place, piece))
            place = following

    def _resize(self, size: int):
        if size < self.size:
            del self.base[size:]
            for page in [page for page in self.writes if page >= size // PAGE]:
                kept = [(place, piece[: size - place]) for place, piece in self.writes[page] if place < size]
                self.writes[page] = kept
        self.size = size

    def _fill(self):
        grown = self.size - len(self.base)
        if grown > 0:
            self.base += self.chance.randbytes(grown) if self.chance.random() < NOISE_SHARE else bytes(grown)

    def contents(self, is_torn: bool) -> bytes:
        shares = self.chance.choice(SHARES)
        for page in sorted(self.writes):
            writes = self.writes[page]
            (count,) = self.chance.choices([len(writes), 0, self.chance.randrange(len(writes) + 1)], shares)
            for place, piece in writes[:count]:
                self._put(place, piece)
            if is_torn and count < len(writes):
                self._tear(*writes[count])
        return bytes(self.base[: self.size])

    def _put(self, place: int, piece: bytes):
        piece = piece[: max(0, self.size - place)]
        self.base[place : place + len(piece)] = piece

    def _tear(self, place: int, piece: bytes):
        end, begin = place + len(piece), place
        while begin < end:
            following = min(end, (begin // SECTOR + 1) * SECTOR)
            if self.chance.random() < 0.5:
                self._put(begin, piece[begin - place : following - place])
            begin = following


class Image(typing.NamedTuple):
    """What a start finds: the bytes of each file, and folders, by path."""

    files: dict[str, bytes]
    folders: list[str]

    def store(self, path: str) -> dict[str, bytes]:
        """The files of a database."""
        names = [path + end for end in ("", "-wal", "-journal", INDEX)]
        return {name: self.files[name] for name in names if name in self.files}

    @staticmethod
    def digest(files: dict[str, bytes]) -> str:
        whole = hashlib.sha256()
        for path in sorted(files):
            whole.update(f"{path} {len(files[path])}\n".encode() + files[path])
        return whole.hexdigest()


class Disk:
    """- Parameter deaf: Says of which paths a sync does nothing: a fault that must be found."""

    def __init__(self, deaf: typing.Callable[[Operation], bool] = lambda _: False):
        self.deaf = deaf
        # By inode.
        self.files: dict[int, File] = {}
        # By path: a file, or None for a folder. Those that are durable, and the changes since.
        self.names: dict[str, File | None] = {}
        self.renames: list[tuple[Operation, File | None]] = []

    def take(self, operation: Operation):
        kind = operation.kind
        if kind in (WRITE, RESIZE):
            self.files[operation.file].pending.append(operation)
        elif kind == SYNC:
            if not self.deaf(operation):
                self.files[operation.file].sync()
        elif kind == SYNC_FOLDER:
            if not self.deaf(operation):
                self._sync_names(operation.path)
        else:
            file = None
            if kind == CREATE:
                file = self.files[operation.file] = File()
            self.renames.append((operation, file))

    def _sync_names(self, folder: str):
        waiting = []
        for change in self.renames:
            if all(path.rpartition("/")[0] == folder for path in change[0].paths):
                _rename(self.names, *change)
            else:
                waiting.append(change)
        self.renames = waiting

    def after_cut(self, fate: str, chance: random.Random) -> Image:
        count = {KEPT: len(self.renames), LOST: 0}.get(fate)
        if count is None:
            count = chance.choice([0, len(self.renames), chance.randrange(len(self.renames) + 1)])
        names = dict(self.names)
        for change in self.renames[:count]:
            _rename(names, *change)
        there = {path for path in names if _is_reached(path, names)}
        folders = sorted(path for path in there if names[path] is None)
        files = {}
        for path in sorted(there - set(folders)):
            file = typing.cast(File, names[path])
            files[path] = INDEX_BYTES if path.endswith(INDEX) else file.after_cut(fate, chance)
        return Image(files, folders)


def _rename(names: dict[str, File | None], operation: Operation, file: File | None):
    if operation.kind == REMOVE:
        names.pop(operation.path, None)
    elif operation.kind == RENAME:
        old, new = operation.paths
        if old in names:
            names[new] = names.pop(old)
    elif operation.kind in (CREATE, FOLDER):
        names[operation.path] = file


def _is_reached(path: str, names: dict[str, File | None]) -> bool:
    """Whether its folder has a name, and that folder's."""
    folder = path.rpartition("/")[0]
    return not folder or folder in names and _is_reached(folder, names)
