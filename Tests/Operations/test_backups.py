"""What cannot be read of a store is named before the day of need; why a copy cannot be made is told; deletions give space back."""

import contextlib
import json
import os
import pathlib
import resource
import shutil
import sqlite3
import subprocess
import unittest
import urllib.request

from figures import PATIENCE, Server, post, until
from supervised import PROGRAM
from test_stores import LAYOUT, STRANGER, StoreTest, answer, contents, ran, run

# Runs a command where a folder, the first argument, has as much room as the second says.
SMALL_DISK = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-c",
              'mount -t tmpfs -o size="$1" none "$0" && shift && "$@"; code=$?; ls -A "$0"; exit $code']
TICKERS = 300
# And what clock the store was written by.
RECORDS = TICKERS + 1
SECRET = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
# Of a record: the tag of a short text, and one that no value has.
TEXT, NO_TAG = 0x80, 0x47


def ask(server: Server, method: str, path: str, body: str) -> int:
    """The status of an answer."""
    request = urllib.request.Request(server.url + path, body.encode(), method=method)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answered:
        answered.read()
        return answered.status


def lines(server: Server, *batch: dict):
    assert ask(server, "POST", "/v1/batch", "\n".join(map(json.dumps, batch))) == 200


class FindingTest(StoreTest):
    """`check`, `backup`, `restore` and `copy` read each record as a start does."""

    def filled(self, name: str = "data") -> str:
        """A store of tickers, each with a label of its own; its path."""
        server = Server("--log-level", "error", data=f"{self.folder}/{name}")
        for number in range(TICKERS):
            body = {"to": number, "duration": 0, "label": self.label(number)}
            self.assertEqual(post(server, f"/v1/tickers/t{number}", body)[0], 202)
        server.close()
        return self.path(name)

    @staticmethod
    def label(number: int) -> str:
        return f"label-{number}-of-it 0"

    def damage(self, path: str, numbers) -> list[str]:
        """Overwrites the byte before the labels of some, wherever in the file their records lie; the names of those."""
        file = pathlib.Path(path)
        content = file.read_bytes()
        for number in numbers:
            text = self.label(number).encode()
            written = bytes([TEXT + len(text)]) + text
            self.assertGreaterEqual(content.count(written), 1)
            content = content.replace(written, bytes([NO_TAG]) + text)
        file.write_bytes(content)
        return [f"ticker t{number}: " for number in numbers]

    def check_told(self, told: tuple[int, str, str], names: list[str], of: int, words: str):
        code, output, errors = told
        self.assertEqual((code, output), (1, ""), errors)
        first, *rest = errors.splitlines()
        self.assertIn(words, first)
        self.assertIn(f"{len(names)} of {of} records can't be read", first)
        self.assertEqual(len(rest), len(names), errors)
        for name in names:
            self.assertTrue(any(line.startswith(f"  {name}") for line in rest), (name, errors))

    def test_records_that_a_start_could_not_read_are_counted_and_named(self):
        path = self.filled()
        names = self.damage(path, [3, 50, 77, 120, 121, 199, 250, 299])
        before = contents(path)
        data, copy = f"{self.folder}/data", f"{self.folder}/copy.sqlite"
        for told in (run("check", path), run("check", "--data", data)):
            self.check_told(told, names, RECORDS, "the store reports errors: ")
        # Most of it is there: a copy of that is better than none, and nobody takes it for a good one.
        self.check_told(run("backup", copy, "--data", data), names, RECORDS, f"{copy} was made, but ")
        self.check_told(run("check", copy), names, RECORDS, "the store reports errors: ")
        restored = f"{self.folder}/restored"
        self.check_told(run("restore", copy, "--data", restored), names, RECORDS, f"{copy} was restored, but ")
        copied = f"{self.folder}/copied"
        told = run("copy", "--from", f"sqlite:{data}", "--to", f"sqlite:{copied}")
        self.check_told(told, names, RECORDS, "nothing was copied: --from: ")
        self.assertFalse(pathlib.Path(copied).exists())
        self.assertEqual(contents(path), before)
        # A start goes on with the rest, and sets those aside that were named.
        server = Server("--log-level", "error", data=restored)
        self.assertEqual(answer(server, "/v1/tickers?prefix=t298")["items"][0]["target"], 298)
        server.close()
        self.assertIn(f"{len(names)} unreadable records set aside", run("check", "--data", restored)[1])

    def test_a_store_in_use_is_read_while_it_changes(self):
        server = self.serve()
        post(server, "/v1/tickers/steady", {"to": 1, "duration": 0, "ttl": 3_600})
        writer = subprocess.Popen(
            ["sh", "-c", f"while curl -so /dev/null {server.url}/v1/tickers/t -d '{{\"by\":1,\"duration\":0}}'; do :; done"])
        self.addCleanup(writer.wait)
        self.addCleanup(writer.kill)
        for _ in range(10):
            code, output, errors = run("check", "--data", f"{self.folder}/data")
            self.assertEqual((code, errors), (0, ""))
            self.assertIn(f"is well: layout {LAYOUT}", output)

    def test_each_kind_of_what_is_kept_is_read(self):
        """What a start makes of a record says a change of it here, and its name is told."""
        server = Server(
            "--log-level", "error", "--webhook-secret", SECRET, "--webhook-host", "hooks.example",
            data=f"{self.folder}/data")
        long = "x" * 600
        post(server, "/v1/tickers/heavy", {"to": 1, "duration": 3_600, "then": [{"notify": "n", "data": long}]})
        ask(server, "PUT", "/v1/schedules/hourly", '{"every": 3600, "do": [{"notify": "n"}]}')
        post(server, "/v1/progress/load", {"current": 1})
        post(server, "/v1/schedules/pause", None)
        post(server, "/v1/tickers/hook", {
            "to": 1, "duration": 0, "then": [{"webhook": "https://hooks.example/x"}, {"notify": "n"}]})
        server.close()
        path = self.path()
        self.assertEqual(run("check", path)[0], 0)
        moved = self.moved(path)
        for name, damage in {
            "ticker heavy: ": "UPDATE parts SET body = zeroblob(9)",
            "ticker hook: ": "UPDATE records SET body = zeroblob(9) WHERE id = 'hook'",
            "progress load: ": "UPDATE records SET body = substr(body, 1, 9) WHERE id = 'load'",
            "schedule hourly: ": "UPDATE records SET body = x'7B7D' WHERE id = 'hourly'",
            "setting schedules: ": "UPDATE records SET body = x'70' WHERE id = 'schedules'",
            "setting clock: ": "UPDATE records SET body = x'70' WHERE id = 'clock'",
            "webhook wh-": "UPDATE records SET body = x'0200' WHERE kind = 4",
            "ticker \\u{FFFD}: ": "UPDATE records SET id = CAST(x'FF' AS TEXT) WHERE id = 'hook'",
            "hook of kind 9: ": "UPDATE records SET kind = 9 WHERE id = 'hook'",
            "named events up to number ": "UPDATE events SET body = x'00' WHERE first = (SELECT min(first) FROM events)",
        }.items():
            with self.subTest(name):
                damaged = shutil.copy(moved, f"{self.folder}/damaged.sqlite")
                with contextlib.closing(sqlite3.connect(damaged)) as store:
                    self.assertEqual(store.execute(damage).rowcount, 1, damage)
                    store.commit()
                code, output, errors = run("check", damaged)
                self.assertEqual((code, output), (1, ""))
                self.assertIn(f"\n  {name}", errors)

    def moved(self, path: str) -> str:
        """A copy of a store whose records lie in their table, where they can be changed one by one."""
        copy = shutil.copy(path, f"{self.folder}/moved.sqlite")
        with contextlib.closing(sqlite3.connect(copy)) as store:
            for (row,) in store.execute("SELECT body FROM journal ORDER BY row").fetchall():
                place = 0
                while place < len(row):
                    kind, form = row[place:place + 2]
                    start = place + 10
                    name, body = (int.from_bytes(row[place + at:place + at + 4], "little") for at in (2, 6))
                    place = start + name + body
                    identifier = row[start:start + name].decode()
                    store.execute("DELETE FROM records WHERE kind = ? AND id = ?", [kind, identifier])
                    if form == 1:
                        store.execute("INSERT INTO records VALUES (?, ?, ?)", [kind, identifier, row[start + name:place]])
            store.execute("DELETE FROM journal")
            store.commit()
        self.assertEqual(run("check", copy)[0], 0)
        return copy

    def test_a_damaged_journal_fails_check_and_backup(self):
        path = self.written()
        with contextlib.closing(sqlite3.connect(path)) as store:
            store.execute("INSERT INTO journal VALUES (1000000, x'0901')")
            store.commit()
        for told in (run("check", path), run("backup", f"{self.folder}/copy.sqlite", "--data", f"{self.folder}/data")):
            self.assertEqual(told[0], 1)
            self.assertIn("a row of the journal can't be read", told[2])
        self.assertFalse(pathlib.Path(f"{self.folder}/copy.sqlite").exists())


class ReasonTest(StoreTest):
    """Why no copy was made."""

    def setUp(self):
        super().setUp()
        self.source = self.written()
        self.copies = pathlib.Path(self.folder) / "copies"
        self.copies.mkdir()
        os.chmod(self.folder, 0o755)

    def check_reason(self, told: tuple[int, str, str], reason: str):
        code, output, errors = told
        self.assertEqual((code, output), (1, ""), errors)
        self.assertEqual(errors, f"tweencast: {reason}\n")
        self.assertEqual(list(self.copies.iterdir()), [])

    def test_a_full_disk(self):
        if not shutil.which("unshare") or ran([*SMALL_DISK, str(self.copies), "1m", "true"])[0] != 0:
            self.skipTest("nothing can be mounted here")
        copy = self.copies / "copy.sqlite"
        small = [*SMALL_DISK, str(self.copies), "16k", PROGRAM]
        told = ran([*small, "backup", str(copy), "--data", f"{self.folder}/data"])
        self.check_reason(told, f"no backup was made: {copy} can't be written: database or disk is full")
        told = ran([*small, "restore", self.source, "--data", str(self.copies)])
        self.assertIn("nothing was restored: ", told[2])
        self.assertIn("database or disk is full", told[2])
        self.assertEqual(told[0], 1)

    def test_a_limit_of_files(self):
        copy = self.copies / "copy.sqlite"
        told = ran(
            [PROGRAM, "backup", str(copy), "--data", f"{self.folder}/data"],
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (33_000, 33_000)))
        self.assertEqual(told[0], 1)
        self.assertIn(f"no backup was made: {copy} can't be written: ", told[2])
        self.assertIn("File too large", told[2])
        self.assertEqual(list(self.copies.iterdir()), [])

    def test_a_folder_without_rights_or_that_is_not_there(self):
        program = shutil.copy(PROGRAM, f"{self.folder}/tweencast")
        data = pathlib.Path(f"{self.folder}/data")
        data.chmod(0o755)
        pathlib.Path(self.source).chmod(0o644)
        self.copies.chmod(0o555)
        self.addCleanup(self.copies.chmod, 0o755)
        copy = self.copies / "copy.sqlite"
        command = [program, "backup", str(copy), "--data", str(data)]
        self.check_reason(ran(command, **STRANGER), f"no backup was made: {copy} can't be written: Permission denied")
        pathlib.Path(self.source).chmod(0)
        reason = f"no backup was made: {self.source} can't be read: Permission denied"
        self.check_reason(ran(command, **STRANGER), reason)
        pathlib.Path(self.source).chmod(0o644)
        copy = self.copies / "none" / "copy.sqlite"
        command = [program, "backup", str(copy), "--data", str(data)]
        self.check_reason(ran(command), f"no backup was made: {copy} can't be written: No such file or directory")
        command = [program, "restore", self.source, "--data", f"{self.folder}/none/data"]
        reason = f"nothing was restored: the folder {self.folder}/none/data can't be made: No such file or directory"
        self.check_reason(ran(command), reason)

    def test_a_folder_that_takes_files_and_shows_none(self):
        program = shutil.copy(PROGRAM, f"{self.folder}/tweencast")
        pathlib.Path(f"{self.folder}/data").chmod(0o777)
        pathlib.Path(self.source).chmod(0o644)
        self.copies.chmod(0o333)
        self.addCleanup(self.copies.chmod, 0o755)
        copy = self.copies / "copy.sqlite"
        made = ran([program, "backup", str(copy), "--data", f"{self.folder}/data"], **STRANGER)
        self.assertEqual(made, (0, "", ""))
        self.assertEqual(run("check", str(copy))[0], 0)

    def test_a_medium_that_can_only_be_read(self):
        if not shutil.which("unshare") or ran([*SMALL_DISK, str(self.copies), "1m", "true"])[0] != 0:
            self.skipTest("nothing can be mounted here")
        copy = self.copies / "copy.sqlite"
        script = 'mount --bind -o ro "$0" "$0" && exec "$@"'
        command = [*SMALL_DISK[:-3], "sh", "-c", script, str(self.copies), PROGRAM, "backup", str(copy)]
        told = ran([*command, "--data", f"{self.folder}/data"])
        self.check_reason(told, f"no backup was made: {copy} can't be written: Read-only file system")


class SpaceTest(StoreTest):
    """Deletions give space back while the server runs, and a copy has no space that is free."""

    def test_deletions_give_space_back(self):
        server = self.serve("data", "--history", "10")
        label = "x" * 400
        for start in range(0, 6_000, 1_000):
            batch = [
                {"ticker": f"t{number}", "to": 1, "duration": 0, "label": f"0 {label}"}
                for number in range(start, start + 1_000)]
            lines(server, *batch)
        path = self.path()
        full = server_bytes(path)
        for start in range(10, 6_000, 1_000):
            batch = [{"op": "delete", "ticker": f"t{number}"} for number in range(start, min(start + 1_000, 6_000))]
            lines(server, *batch)
        copy = f"{self.folder}/copy.sqlite"
        self.assertEqual(run("backup", copy, "--data", f"{self.folder}/data"), (0, "", ""))
        with contextlib.closing(sqlite3.connect(copy)) as store:
            self.assertEqual(store.execute("PRAGMA freelist_count").fetchone()[0], 0)
        until(server, lambda _: pathlib.Path(path).stat().st_size < full / 10)
        self.assertEqual(answer(server, "/v1/tickers")["items"][0]["target"], 1)
        self.assertEqual(run("check", "--data", f"{self.folder}/data")[0], 0)


def server_bytes(path: str) -> int:
    """Of a store and its log."""
    return sum(os.stat(path + ending).st_size for ending in ("", "-wal"))


if __name__ == "__main__":
    unittest.main()
