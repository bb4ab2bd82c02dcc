"""What is in a store, and what the program says of it."""

import contextlib
import dataclasses
import hashlib
import pathlib
import re
import sqlite3
import subprocess

from tested import program

TABLES = ("records", "parts", "journal", "quarantine", "answers", "events")
EVENT = re.compile(rb"^id: (\S+)\nevent: .*\ndata: .*\n", re.M)
# A record that the program can't read and didn't write.
STRANGER = "stranger-"
UNREADABLE = re.compile(r"records can't be read:\n((?:  .*\n)+)")
CHECK_SECONDS = 60


@dataclasses.dataclass
class Contents:
    # Of all rows.
    digest: str
    # The clients' keys of requests that have an answer.
    names: set[str]
    # The ids of strangers among the records and in the quarantine.
    strangers: list[str]
    # Of the runs that have stored that they began, or an event.
    epochs: set[str]
    # By id, the lines of a named event.
    events: dict[str, str]


@dataclasses.dataclass
class Verdict:
    # What is wrong; empty if the program says that the store is well.
    wrong: str
    contents: Contents | None = None


def examine(store: pathlib.Path) -> Verdict:
    """Has the program check a store, which opens it, and reads what it then has."""
    command = [program(), "check", str(store)]
    check = subprocess.run(command, capture_output=True, text=True, timeout=CHECK_SECONDS)
    if not is_well(check, store):
        return Verdict(f"check: {check.returncode} {check.stdout}{check.stderr}".strip())
    return Verdict("", read(store))


def is_well(check: subprocess.CompletedProcess, store: pathlib.Path) -> bool:
    """Strangers are all that it may complain of."""
    if check.returncode == 0:
        return f"{store} is well: " in check.stdout
    unread = UNREADABLE.search(check.stderr)
    return bool(unread) and all(STRANGER in line for line in unread[1].splitlines())


def read(store: pathlib.Path) -> Contents:
    whole = hashlib.sha256()
    rows: dict[str, list[tuple]] = {}
    with contextlib.closing(sqlite3.connect(store)) as database:
        for table in TABLES:
            rows[table] = database.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
            for row in rows[table]:
                whole.update(repr((table, row)).encode())
    named = [row[1] for row in rows["records"]] + [row[2] for row in rows["quarantine"] if row[3] is None]
    # The journal has events that are not published yet.
    bodies = [row[column] for table, column in (("events", 4), ("journal", 1), ("records", 2)) for row in rows[table]]
    return Contents(
        whole.hexdigest(),
        # Behind the client's name.
        {row[0].rpartition(":")[2] for row in rows["answers"]},
        sorted(name for name in named if name.startswith(STRANGER)),
        {row[2] for row in rows["events"]},
        {found[1].decode(): found[0].decode() for body in bodies for found in EVENT.finditer(body)},
    )
