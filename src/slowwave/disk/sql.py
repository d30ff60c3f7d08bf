"""SQLite with one set of settings: every commit is on the disk, no side files in peace, newer schemas refused."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from slowwave.disk.trouble import speaking
from slowwave.facts.refusal import NewerFormatError, NothingToDoError

BUSY_SECONDS = 10.0
_FILES = ("", "-journal", "-wal")


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """Open a database; rows answer to column names, writing transactions begin at once (no late upgrade, no deadlock).

    ``EXTRA`` is ``FULL`` that also flushes the folder when the journal goes, without which a power cut may take an
    acknowledged commit back. The journal mode is ``DELETE``: no ``-wal`` file stands beside a database at rest.

    Raises:
        NothingToDoError: Opened read-only, and there is no such file.
        DamageError: The file is no database.
        DiskError: The system refused.
    """
    if read_only and not path.is_file():
        raise NothingToDoError(f"{path} does not exist", hint="`slowwave sleep` makes it.")
    with speaking(path):
        if not read_only:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600))
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level="IMMEDIATE",
        )
    try:
        with speaking(path):
            _set_up(connection, read_only=read_only)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def at_once(connection: sqlite3.Connection) -> Iterator[None]:
    """One transaction that takes the database's lock first, so that nobody writes beside it: all of it, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.commit()
    except BaseException:
        connection.rollback()
        raise


def is_writable(path: Path) -> bool:
    """Whether a database at a path may be written; its journal needs the folder too."""
    return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))


def connect_derived(path: Path, *, is_anew: bool = False) -> sqlite3.Connection:
    """Open a database that can be rebuilt; where nothing may be written, a copy of it in memory stands in.

    Args:
        path: Where it lies.
        is_anew: Start with an empty one; what lay there is removed where it may be.

    Raises:
        DamageError: The file is no database.
        DiskError: The system refused.
    """
    if is_writable(path):
        for name in _FILES if is_anew else ():
            path.with_name(path.name + name).unlink(missing_ok=True)
        return connect(path)
    return connect_copy(path, is_anew=is_anew)


def connect_copy(path: Path, *, is_anew: bool = False) -> sqlite3.Connection:
    """Open a copy of a database in memory, as it stands now; an empty one where there is none, or with ``is_anew``.

    Raises:
        DamageError: The file is no database.
        DiskError: The system refused.
    """
    memory = sqlite3.connect(":memory:", isolation_level="IMMEDIATE")
    if path.is_file() and not is_anew:
        with speaking(path), closing(connect(path, read_only=not is_writable(path))) as stored:
            stored.backup(memory)
    _set_up(memory, read_only=False)
    return memory


def _set_up(connection: sqlite3.Connection, *, read_only: bool) -> None:
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA user_version").fetchone()
    if not read_only:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA synchronous = EXTRA")


def migrate(connection: sqlite3.Connection, *, name: str, version: int, steps: Sequence[str]) -> None:
    """Bring a schema to a version in one transaction; running it again changes nothing.

    Args:
        connection: An open database, outside any transaction.
        name: What to call the database in an error.
        version: The format this slowwave writes.
        steps: Scripts without a transaction of their own; the one at index ``n`` brings format ``n`` to ``n + 1``.

    Raises:
        NewerFormatError: The database was written by a newer slowwave; nothing was changed.
    """
    found = _format(connection)
    if found > version:
        raise NewerFormatError(
            f"{name} has format {found}; this slowwave knows formats up to {version}",
            hint="Upgrade slowwave; nothing was changed.",
        )
    if found == version:
        return
    with speaking(name), connection:
        connection.execute("BEGIN IMMEDIATE")
        # Asked again now that nobody else writes: of two processes that begin at once, one finds the work done.
        found = _format(connection)
        for script in steps[found:]:
            for statement in _statements(script):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {max(found, version):d}")


def _format(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one, since ``executescript`` would end our transaction."""
    pending = ""
    for piece in script.split(";"):
        pending += piece + ";"
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""
