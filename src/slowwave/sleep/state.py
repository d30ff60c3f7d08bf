"""The night's own book-keeping in ``state.db``: runs, steps, marks, attempts, items, promises, consents, settings.

Never committed to git. It holds no transcript text but the quotes of promises that no task carries yet. One
transaction is one step of a night, so that a crash leaves a step done or not done.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from slowwave.disk.sql import at_once, connect, connect_copy, migrate
from slowwave.disk.trouble import speaking
from slowwave.facts.limits import STATE_FORMAT

_FIRST = """
CREATE TABLE runs (
    run_id TEXT PRIMARY KEY, moment TEXT NOT NULL, profile TEXT NOT NULL, options TEXT NOT NULL,
    status TEXT NOT NULL, report TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE steps (
    run_id TEXT NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL, base TEXT NOT NULL, plan TEXT NOT NULL,
    outcome TEXT NOT NULL DEFAULT '', PRIMARY KEY (run_id, name, number)
) STRICT;
CREATE TABLE marks (
    session_id TEXT NOT NULL, file TEXT NOT NULL, profile TEXT NOT NULL, byte INTEGER NOT NULL, line INTEGER NOT NULL,
    prefix TEXT NOT NULL, run_id TEXT NOT NULL, PRIMARY KEY (session_id, file, profile)
) STRICT;
CREATE TABLE items (
    item_id TEXT PRIMARY KEY, run_id TEXT NOT NULL, type TEXT NOT NULL, kind TEXT NOT NULL, path TEXT NOT NULL,
    claim TEXT NOT NULL, status TEXT NOT NULL, created TEXT NOT NULL, decided TEXT NOT NULL DEFAULT '',
    channel TEXT NOT NULL DEFAULT '', why TEXT NOT NULL DEFAULT '', landed TEXT NOT NULL DEFAULT '',
    sessions TEXT NOT NULL DEFAULT '[]', records TEXT NOT NULL DEFAULT '[]'
) STRICT;
CREATE TABLE promises (
    source_key TEXT PRIMARY KEY, run_id TEXT NOT NULL, statement TEXT NOT NULL, actor TEXT NOT NULL,
    due TEXT NOT NULL, resolved INTEGER NOT NULL, project TEXT NOT NULL, evidence TEXT NOT NULL,
    status TEXT NOT NULL, reason TEXT NOT NULL DEFAULT '', item TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE sources (root TEXT PRIMARY KEY, sessions INTEGER NOT NULL) STRICT;
CREATE TABLE vetted (path TEXT PRIMARY KEY, blob TEXT NOT NULL) STRICT;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
"""

_SECOND = """
CREATE TABLE attempts (
    session_id TEXT NOT NULL, profile TEXT NOT NULL, failures INTEGER NOT NULL, alone INTEGER NOT NULL,
    size INTEGER NOT NULL, bytes INTEGER NOT NULL, code TEXT NOT NULL, PRIMARY KEY (session_id, profile)
) STRICT;
CREATE TABLE consents (
    destination TEXT PRIMARY KEY, moment TEXT NOT NULL, channel TEXT NOT NULL
) STRICT;
"""

BEGUN_ANEW = "begun_anew"
"""Setting: when this book was begun beside a corpus that was there already, since the one before it was lost."""


def _open(path: Path, *, is_read_only: bool) -> sqlite3.Connection:
    # A book that may only be read is read from a copy in memory, where an older one can be brought up to date.
    return connect_copy(path) if is_read_only else connect(path)


class State:
    """An open ``state.db``; every method that writes is one durable transaction.

    Args:
        path: Where it lies.
        is_read_only: Nothing may be written; where there is no such file, an empty one in memory stands in.
    """

    def __init__(self, path: Path, *, is_read_only: bool = False) -> None:
        self._path = path
        self.connection = _open(path, is_read_only=is_read_only)
        self.connection.execute("PRAGMA secure_delete = ON")  # a quote that was dropped is gone from the file too
        migrate(self.connection, name="state", version=STATE_FORMAT, steps=(_FIRST, _SECOND))

    @contextmanager
    def step(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of the block, or nothing of it.

        Raises:
            DiskError: The disk refused; nothing of the block was kept.
        """
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
