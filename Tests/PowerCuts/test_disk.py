"""The disk after a cut: what was synced is there, everything else may be, and each of that is drawn."""

import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from disk import BY_PAGE, FATES, KEPT, LOST, PAGE, SECTOR, TORN, Disk, Image  # noqa: E402
from tape import (  # noqa: E402
    CREATE, FOLDER, HEAD, REMOVE, RENAME, RESIZE, SYNC, SYNC_FOLDER, WRITE, Operation, Tape, library,
)  # fmt: skip

DRAWS = 200
OLD, NEW = b"o" * 2 * PAGE, b"n" * 2 * PAGE


def on(*steps: tuple) -> Disk:
    """A disk after steps: a kind, a file, an offset, a path and data."""
    disk = Disk()
    for kind, file, offset, path, data in steps:
        disk.take(Operation(kind, file, offset, path, data, 0))
    return disk


def made(path: str, file: int = 1) -> tuple:
    return CREATE, file, 0, path, b""


def written(data: bytes, offset: int = 0, file: int = 1) -> tuple:
    return WRITE, file, offset, "", data


def synced(file: int = 1) -> tuple:
    return SYNC, file, 0, "", b""


ROOT_SYNCED = (SYNC_FOLDER, 0, 0, "", b"")


def drawn(disk: Disk, *fates: str) -> list[Image]:
    return [disk.after_cut(fate, random.Random(number)) for number in range(DRAWS) for fate in fates or FATES]


class DiskTest(unittest.TestCase):
    def test_synced_data_survives_every_cut(self):
        disk = on(made("a"), written(OLD), synced(), ROOT_SYNCED)
        self.assertEqual({bytes(image.files["a"]) for image in drawn(disk)}, {OLD})

    def test_a_synced_file_without_a_synced_name_may_be_missing(self):
        disk = on(made("a"), written(OLD), synced())
        self.assertEqual({"a" in image.files for image in drawn(disk)}, {True, False})
        self.assertNotIn("a", disk.after_cut(LOST, random.Random(0)).files)

    def test_a_file_that_got_its_name_before_a_sync_may_be_empty_there(self):
        disk = on(made("a.partial"), written(OLD), (RENAME, 0, 0, "a.partial\0a", b""), ROOT_SYNCED)
        sizes = {len(image.files["a"]) for image in drawn(disk)}
        self.assertTrue({0, len(OLD)} <= sizes, sizes)

    def test_pages_are_old_or_new_each_by_itself(self):
        disk = on(made("a"), written(OLD), synced(), ROOT_SYNCED, written(NEW))
        found = {image.files["a"] for image in drawn(disk, BY_PAGE)}
        halves = (OLD[:PAGE], NEW[:PAGE])
        self.assertEqual(found, {one + other for one in halves for other in halves})

    def test_each_sector_of_a_torn_page_is_old_or_new(self):
        disk = on(made("a"), written(OLD), synced(), ROOT_SYNCED, written(NEW))
        found = {image.files["a"] for image in drawn(disk, TORN)}
        sectors = {data[place : place + SECTOR] for data in found for place in range(0, len(data), SECTOR)}
        self.assertEqual(sectors, {OLD[:SECTOR], NEW[:SECTOR]})
        self.assertTrue(any(len(set(data[:PAGE])) == 2 for data in found))

    def test_bytes_beside_what_is_written_stay(self):
        disk = on(made("a"), written(OLD), synced(), ROOT_SYNCED, written(b"new", 100))
        for image in drawn(disk):
            self.assertEqual(image.files["a"][:100] + image.files["a"][103:], OLD[:100] + OLD[103:])

    def test_a_page_does_not_go_back_behind_a_later_write_of_it(self):
        disk = on(made("a"), written(OLD), synced(), ROOT_SYNCED, written(b"1"), written(b"2", 1))
        self.assertEqual({image.files["a"][:2] for image in drawn(disk)}, {b"oo", b"1o", b"12"})

    def test_a_file_may_have_grown_without_what_was_written(self):
        disk = on(made("a"), synced(), ROOT_SYNCED, written(NEW))
        found = {image.files["a"] for image in drawn(disk)}
        self.assertTrue({b"", NEW, bytes(len(NEW))} <= found)
        self.assertTrue(any(set(data) - {0, ord("n")} for data in found), "no noise")

    def test_a_truncation_may_be_lost_and_later_writes_need_it(self):
        cut = (RESIZE, 1, 0, "", b"")
        disk = on(made("a"), written(OLD), synced(), ROOT_SYNCED, cut, written(b"new"))
        found = {image.files["a"] for image in drawn(disk, KEPT, LOST, BY_PAGE)}
        self.assertTrue({OLD, b"new"} <= found)
        for data in found - {OLD}:
            self.assertLessEqual(len(data), 3)

    def test_names_change_in_order(self):
        disk = on(made("a"), synced(), ROOT_SYNCED, (RENAME, 0, 0, "a\0b", b""), made("c", 2), (REMOVE, 0, 0, "b", b""))
        found = {tuple(sorted(image.files)) for image in drawn(disk)}
        self.assertEqual(found, {("a",), ("b",), ("b", "c"), ("c",)})

    def test_a_folder_that_is_lost_takes_its_files_with_it(self):
        disk = on((FOLDER, 0, 0, "d", b""), made("d/a"), synced(), (SYNC_FOLDER, 0, 0, "d", b""))
        self.assertEqual({tuple(image.files) for image in drawn(disk)}, {(), ("d/a",)})


class RecorderTest(unittest.TestCase):
    def test_the_tape_records_every_way_to_change_a_file(self):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            (folder / "disk").mkdir()
            (folder / "tape").touch()
            environment = {
                "LD_PRELOAD": str(library(folder)),
                "POWER_CUTS_DISK": str(folder / "disk"),
                "POWER_CUTS_TAPE": str(folder / "tape"),
            }
            subprocess.run([sys.executable, "-c", CHANGES, str(folder / "disk")], env=environment, check=True)
            operations = Tape((folder / "tape").read_bytes()).operations
            disk = Disk()
            for operation in operations:
                disk.take(operation)
            known = disk.after_cut(KEPT, random.Random(0))
            found = {str(path.relative_to(folder / "disk")) for path in (folder / "disk").rglob("*") if path.is_file()}
            self.assertEqual(set(known.files), found)
            for path, data in known.files.items():
                self.assertEqual(data, (folder / "disk" / path).read_bytes(), path)
        kinds = {operation.kind for operation in operations}
        self.assertEqual(kinds, {WRITE, RESIZE, SYNC, SYNC_FOLDER, CREATE, FOLDER, RENAME, REMOVE})

    def test_a_tape_that_still_grows_has_whole_operations_only(self):
        one = HEAD.pack(ord(SYNC), 1, 7, 0, 0) + b"a"
        tape = Tape(one * 2)
        self.assertEqual([tape.count_at(length) for length in (0, len(one) - 1, len(one), 2 * len(one))], [0, 0, 1, 2])
        with self.assertRaises(struct.error):
            Tape(one + one[:5])


# What a program does to a folder, by every call that the recorder knows.
CHANGES = """
import os, sys
os.chdir(sys.argv[1])
os.mkdir("d")
file = os.open("d/a", os.O_RDWR | os.O_CREAT)
os.write(file, b"write")
os.writev(file, [b"wri", b"tev"])
os.pwrite(file, b"pwrite", 4000)
os.pwritev(file, [b"pwri", b"tev"], 9000)
os.fsync(file)
os.fdatasync(file)
os.ftruncate(file, 5000)
os.posix_fallocate(file, 5000, 3000)
os.close(file)
with open("d/a", "ab") as appended:
    appended.write(b"appended")
with open("b", "wb") as other:
    other.write(b"first")
with open("b", "wb") as other:
    other.write(b"again")
folder = os.open("d", os.O_RDONLY)
os.rename("b", "c", src_dir_fd=None, dst_dir_fd=None)
os.rename("c", "e", dst_dir_fd=folder)
os.fsync(folder)
os.open("d/f", os.O_WRONLY | os.O_CREAT)
os.unlink("d/f")
os.mkdir("g")
os.rmdir("g")
"""


if __name__ == "__main__":
    unittest.main()
