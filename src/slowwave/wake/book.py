"""The waking loop's own book, ``wake.db``: what was decided about each capture, what waits, what is to be sent.

A decision is written before it is carried out and marked behind it, so that a crash repeats the same decision and a
destination that knows the capture's id does nothing twice.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from slowwave.disk.sql import at_once, connect, connect_copy, migrate
from slowwave.disk.trouble import speaking
from slowwave.facts.limits import WAKE_FORMAT

_FIRST = """
CREATE TABLE captures (
    id TEXT PRIMARY KEY, file TEXT NOT NULL, decision TEXT NOT NULL, status TEXT NOT NULL, moment TEXT NOT NULL
) STRICT;
CREATE TABLE deferred (
    id TEXT PRIMARY KEY, file TEXT NOT NULL, capture TEXT NOT NULL, since TEXT NOT NULL
) STRICT;
CREATE TABLE reminders (
    id TEXT PRIMARY KEY, capture_id TEXT NOT NULL, text TEXT NOT NULL, due TEXT NOT NULL, is_late INTEGER NOT NULL,
    status TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0, next_try TEXT NOT NULL, sent TEXT NOT NULL DEFAULT '',
    error TEXT NOT NULL DEFAULT '', created TEXT NOT NULL
) STRICT;
CREATE TABLE deliveries (
    reminder_id TEXT NOT NULL, channel TEXT NOT NULL, status TEXT NOT NULL, tries INTEGER NOT NULL,
    next_try TEXT NOT NULL, sent TEXT NOT NULL DEFAULT '', error TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (reminder_id, channel)
) STRICT;
CREATE TABLE shown (id TEXT PRIMARY KEY, moment TEXT NOT NULL) STRICT;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
"""


class Book:
    """An open ``wake.db``.

    Args:
        path: Where it lies.
        is_read_only: Only to look, at a copy; where there is none, an empty one stands in.
    """

    def __init__(self, path: Path, *, is_read_only: bool = False) -> None:
        self._path = path
        self.connection: sqlite3.Connection = connect_copy(path) if is_read_only else connect(path)
        self.connection.execute("PRAGMA secure_delete = ON")
        migrate(self.connection, name="wake", version=WAKE_FORMAT, steps=(_FIRST,))

    @contextmanager
    def step(self) -> Iterator[sqlite3.Connection]:
        """One durable transaction: all of the block, or nothing of it."""
        with speaking(self._path), at_once(self.connection):
            yield self.connection

    def close(self) -> None:
        """Let go of the database."""
        self.connection.close()

    def setting(self, name: str) -> str:
        """A stored setting; empty where none is."""
        row = self.connection.execute("SELECT value FROM settings WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def set_setting(self, name: str, value: str) -> None:
        """Store a setting."""
        with self.step() as sql:
            sql.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, value))
