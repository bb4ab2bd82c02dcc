"""Stores as files: those that earlier versions wrote are opened and hold what they held; copies are made, put back and looked
through; what can't be read is refused in words, and stays as it was."""

import contextlib
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

from figures import PATIENCE, Server, Stream, post, until
from supervised import PROGRAM, ROOT

# Made by the versions of then, and told by them: layout-N.sql is the store, layout-N.json what they answered of it.
STORES = pathlib.Path(__file__).parent / "Stores"
LAYOUTS = sorted(int(path.stem.split("-")[1]) for path in STORES.glob("layout-*.sql"))
NEWEST = LAYOUTS[-1]
NANOSECONDS = 1_000_000_000
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

    def make(self, number: int, name: str = "data") -> str:
        """A data folder with the store of an earlier version, as if that had been stopped just now; its path."""
        path = self.path(name)
        pathlib.Path(path).parent.mkdir()
        with contextlib.closing(sqlite3.connect(path)) as store:
            store.executescript((STORES / f"layout-{number}.sql").read_text(encoding="utf-8"))
            now = time.time_ns()
            store.execute("UPDATE answers SET expires = ?", [now + 3_600 * NANOSECONDS])
            if number > 1:
                store.execute("UPDATE events SET time = ?", [now])
            store.commit()
        return path

    def written(self, name: str = "data") -> str:
        """A data folder whose store holds a number, and is in use by nobody; its path."""
        server = Server("--log-level", "error", data=f"{self.folder}/{name}")
        self.assertEqual(post(server, "/v1/tickers/kept", {"to": 17, "duration": 0})[0], 202)
        server.close()
        return self.path(name)


class LayoutTest(StoreTest):
    """Every version opens what any earlier one wrote."""

    def test_there_is_a_store_of_each_layout(self):
        path = self.written()
        self.assertEqual(layout(path), NEWEST)
        self.assertEqual(LAYOUTS, list(range(1, NEWEST + 1)))
        for number in LAYOUTS:
            self.make(number, f"of-{number}")
            self.assertEqual(layout(self.path(f"of-{number}")), number)

    def test_each_holds_what_it_held(self):
        for number in LAYOUTS:
            with self.subTest(layout=number):
                self.check_board(number)

    def check_board(self, number: int):
        name = f"of-{number}"
        path = self.make(number, name)
        self.assertEqual(run("check", path)[0], 0)
        held = json.loads((STORES / f"layout-{number}.json").read_text(encoding="utf-8"))
        for _ in range(2):
            server = Server("--log-level", "error", data=f"{self.folder}/{name}")
            try:
                for address, fields in held["resources"].items():
                    found = answer(server, address)
                    self.assertEqual({key: found.get(key) for key in fields}, fields, address)
                self.assertEqual(answer(server, "/v1/tickers/forever")["motion"]["state"], "running")
                self.check_retry(server, held["answer"])
                if number > 1:
                    self.check_replay(server, *held["events"])
                if number > 2:
                    self.check_webhook(server)
                self.assertEqual(answer(server, "/version")["storeLayout"], NEWEST)
            finally:
                server.close()
            # The second time it is one of the newest layout.
            self.assertEqual(layout(path), NEWEST)
        with contextlib.closing(sqlite3.connect(path)) as store:
            self.assertEqual(store.execute("SELECT count(*) FROM quarantine").fetchone()[0], 0)

    def check_retry(self, server: Server, first: str):
        """A retry of a request that the earlier version answered gets that answer again, and does nothing."""
        request = urllib.request.Request(
            server.url + "/v1/tickers/once", b'{"by": 5, "duration": 0}', {"Idempotency-Key": "order-17"}, method="POST")
        with urllib.request.urlopen(request, timeout=PATIENCE) as again:
            self.assertEqual(again.read().decode(), first)

    def check_replay(self, server: Server, epoch: str, first: int, last: int):
        """Who saw the first event is told of all others."""
        stream = Stream(server, f"/v1/events?ticker=*&schedule=*&progress=*&lastEventID={epoch}-{first}")
        self.addCleanup(stream.close)
        text = stream.read_until(f"id: {epoch}-{last}\n")
        self.assertNotIn("event: reset", text)
        for number in range(first + 1, last + 1):
            self.assertIn(f"id: {epoch}-{number}\n", text)

    def check_webhook(self, server: Server):
        """A webhook that waited for its receiver is tried again: here it may not be called, and is kept with the reason."""
        until(server, lambda _: answer(server, "/v1/webhooks/failed")["items"])
        [webhook] = answer(server, "/v1/webhooks/failed")["items"]
        self.assertEqual((webhook["url"], webhook["data"]), ("http://127.0.0.1:9/hook", {"order": 17}))
        self.assertEqual(webhook["failure"], "webhooks are off: no host is allowed")

    def test_a_motion_goes_on_from_where_it_was_paused(self):
        for number in LAYOUTS:
            with self.subTest(layout=number):
                self.make(number, f"of-{number}")
                server = self.serve(f"of-{number}")
                stream = Stream(server, "/v1/events?ticker=paused&notification=There")
                self.addCleanup(stream.close)
                stream.read_until("event: hello")
                self.assertEqual(post(server, "/v1/tickers/paused/resume", None)[0], 200)
                text = stream.read_until("event: notification")
                self.assertIn('"finished":true', text)
                # What waited behind it has its turn: two more than a hundred.
                stream.read_until('"value":102,"text":"queued behind')

    def test_a_later_layout_is_refused_and_stays_as_it_is(self):
        path = self.written()
        with contextlib.closing(sqlite3.connect(path)) as store:
            store.execute(f"PRAGMA user_version = {NEWEST + 3}")
        before = contents(path)
        words = f"layout {NEWEST + 3}, this program knows those up to {NEWEST}"
        for arguments in (["serve", "--port", "0"], ["check"]):
            code, _, errors = run(*arguments, "--data", f"{self.folder}/data")
            self.assertEqual(code, 1, errors)
            self.assertIn(words, errors)
        code, _, errors = run("restore", path, "--data", f"{self.folder}/other")
        self.assertEqual(code, 1)
        self.assertIn(words, errors)
        self.assertFalse(pathlib.Path(self.path("other")).exists())
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
        return f"{path} is well: layout {NEWEST}, {pathlib.Path(path).stat().st_size} bytes\n", ""

    def test_nothing_is_written_over(self):
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
        self.assertIn("another process has", errors)
        self.assertFalse(pathlib.Path(self.path()).exists())
        self.assertEqual(answer(server, "/v1/tickers")["items"], [])

    def test_damage_is_named_and_nothing_is_made_of_it(self):
        path = self.written()
        for name, damage in self.damages(pathlib.Path(path).read_bytes()).items():
            with self.subTest(name):
                damaged = f"{self.folder}/{name}.sqlite"
                pathlib.Path(damaged).write_bytes(damage)
                code, output, errors = run("check", damaged)
                self.assertEqual((code, output), (1, ""))
                self.assertIn("the store is not well: ", errors)
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
        with contextlib.closing(sqlite3.connect(self.make(NEWEST))) as store:
            columns = "key, fingerprint, status, body, expires"
            answer = f"INSERT INTO answers ({columns}) VALUES (?, 1, 200, zeroblob(100000), 0)"
            store.executemany(answer, [[f"answer-{number}"] for number in range(200)])
            store.commit()
        copies = pathlib.Path(self.folder) / "copies"
        copies.mkdir()
        return copies

    def backing_up(self, copy: pathlib.Path) -> subprocess.Popen:
        command = [PROGRAM, "backup", str(copy), "--data", f"{self.folder}/data"]
        return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)

    def test_of_two_copies_to_one_name_at_a_time_one_is_made(self):
        copies = self.large()
        for number in range(5):
            copy = copies / f"copy-{number}.sqlite"
            both = [self.backing_up(copy) for _ in range(2)]
            errors = [process.communicate(timeout=PATIENCE)[1] for process in both]
            self.assertEqual(sorted(process.returncode for process in both), [0, 1], errors)
            self.assertRegex("".join(errors), "^tweencast: no backup was made: (another process has|.* exists)")
            self.assertEqual(run("check", str(copy)), (0, *self.well(str(copy))))
        self.assertEqual({path.name for path in copies.iterdir()}, {f"copy-{number}.sqlite" for number in range(5)})

    def test_what_a_killed_backup_left_goes_with_the_next(self):
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
        """A copy as it is made, and one as earlier programs made them, in a folder that even its owner can't write to."""
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

    def test_a_copy_is_read_by_who_cannot_write_to_it(self):
        self.check_archive(self.in_the_archive(), [], **STRANGER)

    def test_a_log_that_cannot_be_read_is_told(self):
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

    def test_what_is_not_there_is_named_and_not_made(self):
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
