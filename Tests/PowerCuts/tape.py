"""The tape that `recorder.c` writes: what a program asked of its disk, in order."""

import bisect
import pathlib
import struct
import subprocess
import typing

SOURCE = pathlib.Path(__file__).with_name("recorder.c")
# As in recorder.c.
HEAD = struct.Struct("=IIQQQ")
WRITE, RESIZE, SYNC, SYNC_FOLDER, CREATE, FOLDER, RENAME, REMOVE = "wtsScmru"


class Operation(typing.NamedTuple):
    """A call that succeeded. A path is relative to the disk's root; a file is its inode."""

    kind: str
    file: int
    # Where a write begins; the new size of a resized file.
    offset: int
    path: str
    data: bytes
    # Bytes of the tape up to its end.
    end: int

    @property
    def paths(self) -> list[str]:
        """The old name and the new one."""
        return self.path.split("\0")


class Tape:
    def __init__(self, tape: bytes):
        self.operations: list[Operation] = []
        place = 0
        while place < len(tape):
            kind, path_length, file, offset, length = HEAD.unpack_from(tape, place)
            place += HEAD.size
            path = tape[place : place + path_length].decode()
            place += path_length
            self.operations.append(
                Operation(chr(kind), file, offset, path, tape[place : place + length], place + length)
            )
            place += length
        self._ends = [operation.end for operation in self.operations]

    def count_at(self, length: int) -> int:
        """How many operations had ended when the tape was so long."""
        return bisect.bisect_right(self._ends, length)


def library(folder: pathlib.Path) -> pathlib.Path:
    """Compiles what is loaded before the program."""
    path = folder / "recorder.so"
    # The compiler that comes with Swift.
    command = ["clang", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", SOURCE, "-o", path]
    subprocess.run(command, check=True)
    return path
