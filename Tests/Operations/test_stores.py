"""Stores as files: copies are made, put back and looked through; what can't be read is refused in words, and stays as it was."""

import contextlib
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import threading
import unittest
import urllib.request

from figures import PATIENCE, Server, post, until
from supervised import PROGRAM, ROOT

# The layout of this version's stores; those before it are of builds before 1.0.0.
LAYOUT = 7
OTHERS = [1, 2, 3, 4, 5, 6, LAYOUT + 1, 99]
# Nobody's user and groups, where the tests run as root: nothing keeps that from writing.
STRANGER = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
# Runs a command where a folder, the first argument, can be read alone.
READ_ONLY = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-c",
             'mount --bind -o ro "$0" "$0" && exec "$@"']


def run(*arguments: str) -> tuple[int, str, str]:
    """The program run to its end: exit code, output, errors."""
    return ran([PROGRAM, *arguments])


def ran(command: list[str], **how) -> tuple[int, str, str]:
    """A command run to its end: exit code, output, errors."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, cwd=ROOT, **how)
    return done.returncode, done.stdout, done.stderr


def contents(path: str) -> list[str]:
    """All that a store holds, as SQL, with the number of its layout."""
    with contextlib.closing(sqlite3.connect(path)) as store:
        return [f"layout {layout(path)}", *store.iterdump()]


def layout(path: str) -> int:
    with contextlib.closing(sqlite3.connect(path)) as store:
        return store.execute("PRAGMA user_version").fetchone()[0]


def answer(server: Server, path: str):
    with urllib.request.urlopen(server.url + path, timeout=PATIENCE) as found:
        return json.loads(found.read())


class StoreTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name: str = "data") -> str:
        """Where the store of a data folder is."""
        return f"{self.folder}/{name}/tweencast.sqlite"

    def serve(self, name: str = "data", *flags: str) -> Server:
        server = Server("--log-level", "error", *flags, data=f"{self.folder}/{name}")
        self.addCleanup(server.close)
        return server

    def written(self, name: str = "data") -> str:
        """A data folder whose store holds a number, and is in use by nobody; its path."""
        server = Server("--log-level", "error", data=f"{self.folder}/{name}")
        self.assertEqual(post(server, "/v1/tickers/kept", {"to": 17, "duration": 0})[0], 202)
        server.close()
        return self.path(name)


class LayoutTest(StoreTest):
    """A store says which layout it has, and one of another is refused in a sentence."""

    def test_the_server_and_its_store_tell_the_same_layout(self):
        server = self.serve()
        self.assertEqual(answer(server, "/version")["storeLayout"], LAYOUT)
        self.assertEqual(layout(self.path()), LAYOUT)

    def test_a_store_of_another_layout_is_refused_and_stays_as_it_is(self):
        for number in OTHERS:
            with self.subTest(layout=number):
                path = self.written(f"of-{number}")
                with contextlib.closing(sqlite3.connect(path)) as store:
                    store.execute(f"PRAGMA user_version = {number}")
                self.check_refusals(path, number)

    def check_refusals(self, path: str, number: int):
        data = str(pathlib.Path(path).parent)
        writer = "a build before 1.0.0" if number < LAYOUT else "a newer version"
        words = f"{path} has layout {number}, which {writer} wrote, and this program reads layout {LAYOUT} alone; "
        before = contents(path)
        other = f"{self.folder}/other-{number}"
        for code, arguments in (
            (1, ["serve", "--port", "0", "--data", data]),
            (2, ["--check-config", "--data", data]),
            (1, ["check", "--data", data]),
            (1, ["check", path]),
            (1, ["backup", f"{self.folder}/copy.sqlite", "--data", data]),
            (1, ["restore", path, "--data", other]),
            (1, ["copy", "--from", f"sqlite:{data}", "--to", f"sqlite:{other}"]),
        ):
            found, _, errors = run(*arguments)
            self.assertEqual((found, errors.count("\n")), (code, 1), (arguments, errors))
            self.assertIn(words, errors, arguments)
        self.assertFalse(pathlib.Path(f"{other}/tweencast.sqlite").exists())
        self.assertFalse(pathlib.Path(f"{self.folder}/copy.sqlite").exists())
        self.assertEqual(contents(path), before)


class CopyTest(StoreTest):
    """`backup`, `restore` and `check`."""

    def test_a_copy_of_a_store_in_use_is_restored_elsewhere(self):
        server = self.serve()
        ending = threading.Event()
        posting = threading.Thread(target=self.post_until, args=(server, ending))
        posting.start()
        try:
            until(server, lambda _: answer(server, "/v1/tickers")["items"])
            self.assertEqual(run("check", self.path()), (0, *self.well(self.path())))
            # The copy holds at least what was acknowledged by now.
            least = answer(server, "/v1/tickers/count")["target"]
            copy = f"{self.folder}/copy.sqlite"
            self.assertEqual(run("backup", copy, "--data", f"{self.folder}/data"), (0, "", ""))
        finally:
            ending.set()
            posting.join()
        self.assertEqual(run("check", copy)[0], 0)
        self.assertEqual(run("restore", copy, "--data", f"{self.folder}/restored"), (0, "", ""))
        restored = self.serve("restored")
        found = answer(restored, "/v1/tickers/count")["target"]
        self.assertGreaterEqual(found, least)
        self.assertLessEqual(found, answer(server, "/v1/tickers/count")["target"])
        self.assertEqual(post(restored, "/v1/tickers/count", {"by": 1, "duration": 0})[0], 202)

    @staticmethod
    def post_until(server: Server, ending: threading.Event):
        while not ending.is_set():
            assert post(server, "/v1/tickers/count", {"by": 1, "duration": 0})[0] == 202

    def well(self, path: str) -> tuple[str, str]:
        return f"{path} is well: layout {LAYOUT}, {pathlib.Path(path).stat().st_size} bytes\n", ""

    def test_a_client_that_read_beyond_a_restored_backup_gets_a_reset(self):
        server = self.serve()
        early = self.publish(server, self.path(), 1)
        copy = f"{self.folder}/copy.sqlite"
        self.assertEqual(run("backup", copy, "--data", f"{self.folder}/data"), (0, "", ""))
        late = self.publish(server, self.path(), 3)
        self.assertEqual(early.split("-")[0], late.split("-")[0])
        self.assertEqual(run("restore", copy, "--data", f"{self.folder}/restored"), (0, "", ""))
        with contextlib.closing(Server("--log-level", "error", data=f"{self.folder}/restored")) as restored:
            self.check_places(restored, early, late)
            # Where more has happened since than the client had seen, its number means something else.
            own = self.publish(restored, self.path("restored"), 9)
            self.check_places(restored, early, late, own)
        self.check_places(self.serve("restored"), early, late, own)

    def check_places(self, server: Server, known: str, unknown: str, *own: str):
        for place in (known, *own):
            self.assertNotIn("event: reset", self.greeting(server, place))
        told = self.greeting(server, unknown)
        self.assertIn("event: reset", told)
        self.assertIn('data: {"reason":"unknown"}', told)
        self.assertNotIn("event: complete", told)

    def publish(self, server: Server, path: str, number: int) -> str:
        """Changes a ticker until the named event of this number is stored; its id."""
        while self.stored(path) < number:
            before = self.stored(path)
            self.assertEqual(post(server, "/v1/tickers/kept", {"by": 1, "duration": 0})[0], 202)
            until(server, lambda _: self.stored(path) > before)
        return next(line for line in self.greeting(server) if line.startswith("id: "))[4:]

    @staticmethod
    def stored(path: str) -> int:
        """The number of the newest named event in a store."""
        with contextlib.closing(sqlite3.connect(path)) as store:
            return store.execute("SELECT max(last) FROM events").fetchone()[0] or 0

    @staticmethod
    def greeting(server: Server, place: str = "") -> list[str]:
        """What a stream that continues from an id is sent before the first frame, by lines."""
        headers = {"Last-Event-ID": place} if place else {}
        asked = urllib.request.Request(f"{server.url}/v1/events?ticker=kept", headers=headers)
        lines: list[str] = []
        with urllib.request.urlopen(asked, timeout=PATIENCE) as stream:
            while not (lines and lines[-1].startswith('data: {"ticker":"kept","value":')):
                lines.append(stream.readline().decode().rstrip("\n"))
        return lines

    def test_a_restore_over_an_existing_store_or_log_is_refused(self):
        path = self.written()
        before = contents(path)
        copy = f"{self.folder}/copy.sqlite"
        self.assertEqual(run("backup", copy, "--data", f"{self.folder}/data")[0], 0)
        code, _, errors = run("restore", copy, "--data", f"{self.folder}/data")
        self.assertEqual(code, 1)
        self.assertIn(f"nothing was restored: there is a store at {path} already", errors)
        self.assertEqual(contents(path), before)
        # A store that was taken away by its name alone has left a log, which would be taken for the copy's.
        log = pathlib.Path(self.path("elsewhere") + "-wal")
        log.parent.mkdir()
        log.write_bytes(b"of another store")
        code, _, errors = run("restore", copy, "--data", f"{self.folder}/elsewhere")
        self.assertEqual(code, 1)
        self.assertIn(f"{log} is left of an earlier store", errors)
        self.assertEqual([file.name for file in log.parent.iterdir() if "lock" not in file.name], [log.name])
        first = pathlib.Path(copy).read_bytes()
        code, _, errors = run("backup", copy, "--data", f"{self.folder}/data")
        self.assertEqual(code, 1)
        self.assertIn(f"no backup was made: {copy} exists", errors)
        self.assertEqual(pathlib.Path(copy).read_bytes(), first)

    def test_a_place_that_a_server_has_is_not_restored_to(self):
        self.written("source")
        server = self.serve()
        pathlib.Path(self.path()).unlink()
        code, _, errors = run("restore", self.path("source"), "--data", f"{self.folder}/data")
        self.assertEqual(code, 1)
        self.assertIn(f"nothing was restored: a server uses {self.path()}; stop it first", errors)
        self.assertFalse(pathlib.Path(self.path()).exists())
        self.assertEqual(answer(server, "/v1/tickers")["items"], [])

    def test_a_damaged_store_fails_check_and_restore(self):
        path = self.written()
        for name, damage in self.damages(pathlib.Path(path).read_bytes()).items():
            with self.subTest(name):
                damaged = f"{self.folder}/{name}.sqlite"
                pathlib.Path(damaged).write_bytes(damage)
                code, output, errors = run("check", damaged)
                self.assertEqual((code, output), (1, ""))
                self.assertIn("the store reports errors: ", errors)
                code, _, errors = run("restore", damaged, "--data", f"{self.folder}/from-{name}")
                self.assertEqual(code, 1)
                self.assertIn("nothing was restored: ", errors)
                self.assertEqual(list(pathlib.Path(f"{self.folder}/from-{name}").glob("*.sqlite*[!k]")), [])
                self.assertEqual(pathlib.Path(damaged).read_bytes(), damage)

    @staticmethod
    def damages(good: bytes) -> dict[str, bytes]:
        """Ways in which a file is damaged."""
        page = 4_096
        return {
            "overwritten": good[:page] + bytes([0x5A]) * page + good[2 * page:],
            "cut": good[:len(good) - page],
            "another": b"This is no store of anything.\n" * 300,
            "empty": b"",
            "of-another-program": CopyTest.foreign(),
        }

    @staticmethod
    def foreign() -> bytes:
        """A database that no version of the program has made."""
        with contextlib.closing(sqlite3.connect(":memory:")) as books:
            books.executescript("CREATE TABLE books (title TEXT); INSERT INTO books VALUES ('The Waves')")
            return books.serialize()

    def large(self) -> pathlib.Path:
        """A data folder whose store takes a while to be copied; the folder for copies."""
        with contextlib.closing(sqlite3.connect(self.written())) as store:
            answer = "INSERT INTO answers VALUES (?, 1, 200, '', zeroblob(100000), 0)"
            store.executemany(answer, [[f"answer-{number}"] for number in range(200)])
            store.commit()
        copies = pathlib.Path(self.folder) / "copies"
        copies.mkdir()
        return copies

    def backing_up(self, copy: pathlib.Path) -> subprocess.Popen:
        command = [PROGRAM, "backup", str(copy), "--data", f"{self.folder}/data"]
        return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)

    def test_of_two_simultaneous_backups_to_one_file_one_succeeds(self):
        copies = self.large()
        for number in range(5):
            copy = copies / f"copy-{number}.sqlite"
            both = [self.backing_up(copy) for _ in range(2)]
            errors = [process.communicate(timeout=PATIENCE)[1] for process in both]
            self.assertEqual(sorted(process.returncode for process in both), [0, 1], errors)
            self.assertRegex("".join(errors), "^tweencast: no backup was made: (another process makes|.* exists)")
            self.assertEqual(run("check", str(copy)), (0, *self.well(str(copy))))
        self.assertEqual({path.name for path in copies.iterdir()}, {f"copy-{number}.sqlite" for number in range(5)})

    def test_leftovers_of_a_killed_backup_are_removed_by_the_next(self):
        copies = self.large()
        copy = copies / "copy.sqlite"
        process = self.backing_up(copy)
        while process.poll() is None and not list(copies.glob("copy.sqlite.partial*")):
            pass
        process.kill()
        process.communicate()
        # It may have come to its end before.
        copy.unlink(missing_ok=True)
        self.assertEqual(run("backup", str(copy), "--data", f"{self.folder}/data"), (0, "", ""))
        self.assertEqual(run("check", str(copy)), (0, *self.well(str(copy))))
        self.assertEqual([path.name for path in copies.iterdir()], [copy.name])

    def in_the_archive(self) -> list[str]:
        """A copy as it is made, and one as `cp` makes them, in a folder that even its owner can't write to."""
        self.written()
        archive = pathlib.Path(self.folder) / "archive"
        archive.mkdir()
        copies = [str(archive / "copy.sqlite"), str(archive / "in-log-mode.sqlite")]
        self.assertEqual(run("backup", copies[0], "--data", f"{self.folder}/data")[0], 0)
        shutil.copy(copies[0], copies[1])
        with contextlib.closing(sqlite3.connect(copies[1])) as store:
            self.assertEqual(store.execute("PRAGMA journal_mode=WAL").fetchone()[0], "wal")
        for copy in copies:
            os.chmod(copy, 0o444)
        archive.chmod(0o555)
        self.addCleanup(archive.chmod, 0o755)
        os.chmod(self.folder, 0o755)
        return copies

    def check_archive(self, copies: list[str], before: list[str], **how):
        """All copies are well and can be restored, and nothing is made beside them."""
        program = shutil.copy(PROGRAM, f"{self.folder}/tweencast")
        restored = pathlib.Path(self.folder) / "restored"
        restored.mkdir()
        restored.chmod(0o777)
        for number, copy in enumerate(copies):
            with self.subTest(pathlib.Path(copy).name):
                self.assertEqual(ran([*before, program, "check", copy], **how), (0, *self.well(copy)))
                data = str(restored / str(number))
                self.assertEqual(ran([*before, program, "restore", copy, "--data", data], **how), (0, "", ""))
                server = self.serve(f"restored/{number}")
                self.assertEqual(answer(server, "/v1/tickers/kept")["target"], 17)
                with contextlib.closing(sqlite3.connect(f"{data}/tweencast.sqlite")) as store:
                    self.assertEqual(store.execute("PRAGMA journal_mode").fetchone()[0], "wal")
        archive = pathlib.Path(copies[0]).parent
        self.assertEqual(sorted(str(path) for path in archive.iterdir()), sorted(copies))

    def test_a_backup_is_readable_without_write_permission(self):
        self.check_archive(self.in_the_archive(), [], **STRANGER)

    def test_a_log_beside_a_read_only_copy_is_an_error(self):
        copy = self.in_the_archive()[1]
        archive = pathlib.Path(copy).parent
        archive.chmod(0o755)
        pathlib.Path(copy + "-wal").touch(0o444)
        archive.chmod(0o555)
        program = shutil.copy(PROGRAM, f"{self.folder}/tweencast")
        code, _, errors = ran([program, "check", copy], **STRANGER)
        self.assertEqual(code, 1)
        self.assertIn(f"{copy} has a log, copy both to where they can be written", errors)

    def test_a_copy_is_read_from_where_nothing_can_be_written(self):
        if not shutil.which("unshare") or ran([*READ_ONLY, self.folder, "true"])[0] != 0:
            self.skipTest("nothing can be mounted here")
        copies = self.in_the_archive()
        self.check_archive(copies, [*READ_ONLY, str(pathlib.Path(copies[0]).parent)])

    def test_a_missing_store_is_an_error_and_is_not_created(self):
        for arguments in (["check"], ["check", f"{self.folder}/none.sqlite"], ["backup", f"{self.folder}/copy.sqlite"]):
            code, _, errors = run(*arguments, "--data", f"{self.folder}/none")
            self.assertEqual(code, 1)
            self.assertIn("there is no store at", errors)
        code, _, errors = run("restore", f"{self.folder}/none.sqlite", "--data", f"{self.folder}/data")
        self.assertEqual(code, 1)
        self.assertIn("none.sqlite can't be read", errors)
        made = sorted(path.name for path in pathlib.Path(self.folder).rglob("*.sqlite*"))
        self.assertEqual(made, [])


if __name__ == "__main__":
    unittest.main()
