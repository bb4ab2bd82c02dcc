"""Puts records into a store that the program can't read: strangers.py STORE TICKER OTHER"""

import contextlib
import sqlite3
import sys

TICKER, UNKNOWN = 0, 77

with contextlib.closing(sqlite3.connect(sys.argv[1])) as store:
    store.execute("PRAGMA synchronous=FULL")
    for kind, name in zip((TICKER, UNKNOWN), sys.argv[2:], strict=True):
        store.execute("INSERT INTO records VALUES (?, ?, x'ff00')", (kind, name))
        store.execute("INSERT INTO parts (kind, id, number, body) VALUES (?, ?, 1, zeroblob(600))", (kind, name))
    store.commit()
