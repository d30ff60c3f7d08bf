"""The session index: the facts of every transcript file in SQLite, so that a scan reads only what changed.

It is derived: an index of another format, or one that does not read, is made again from the transcripts. It holds no
text of a session but its masked title.
"""

import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from slowwave.disk.sql import connect_derived
from slowwave.facts.limits import INDEX_FORMAT
from slowwave.facts.refusal import DamageError
from slowwave.records.finding import Progress, make_report, offered, scan_sources
from slowwave.records.marks import Marks, unpack
from slowwave.records.report import ScanReport
from slowwave.records.scan import ScannedFile
from slowwave.records.secrets import Secrets
from slowwave.records.session import FileIdentity, Session
from slowwave.records.sources import Exclusions, Source
from slowwave.records.tally import unpack as unpack_tally

_SCHEMA = """
CREATE TABLE file (
    path BLOB PRIMARY KEY,
    root BLOB NOT NULL,
    agent TEXT NOT NULL,
    reason TEXT NOT NULL,
    device INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    head_digest TEXT NOT NULL,
    head_bytes INTEGER NOT NULL,
    tail_digest TEXT NOT NULL,
    bytes_read INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    facts BLOB NOT NULL,
    marks BLOB NOT NULL,
    is_gone INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID
"""
_SELECT = "SELECT * FROM file"
_KEEP = "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)"
_MARK_GONE = "UPDATE file SET is_gone = ? WHERE path = ?"
_SIGNED, _UNSIGNED = 2**63, 2**64  # SQLite's integers are signed; some file systems number inodes past that


class SessionIndex:
    """Sessions of the sources, kept up to date by ``refresh``.

    Args:
        db: The database file; its folder exists.
        secrets: What masks titles before they are stored.
    """

    def __init__(self, db: Path, *, secrets: Secrets | None = None) -> None:
        self._db = db
        self._secrets = secrets or Secrets()
        self._sessions: tuple[Session, ...] | None = None
        self._connection = _open(db)

    def refresh(
        self, sources: Sequence[Source], exclusions: Exclusions | None = None, *, progress: Progress | None = None
    ) -> ScanReport:
        """Look at the sources, read what is new, and mark what is gone."""
        exclusions = exclusions or Exclusions()
        known = {file.path: (file, was_gone) for file, was_gone in self._rows()}
        kept: list[ScannedFile] = []
        memory = _Memory({path: file for path, (file, _) in known.items()}, kept)
        passed = scan_sources(sources, exclusions, self._secrets, memory, progress=progress)
        here = {file.path for file in passed.files}
        roots = {source.root for source in sources}
        gone = {
            path: file
            for path, (file, _) in known.items()
            if file.root in roots and path not in here and not exclusions.has_path(path)
        }
        back = [path for path, (_, was_gone) in known.items() if was_gone and path in here]
        self._save(kept, gone=list(gone), back=back)
        held = {file.root for file, _ in known.values() if file.agent}
        self._sessions, gathered, excluded = offered(passed.files, exclusions)
        return make_report(
            passed,
            gathered,
            self._sessions,
            excluded=excluded,
            gone=sum(bool(file.agent) for file in gone.values()),
            emptied=tuple(sorted(root for root in roots & held if not passed.present[root])),
        )

    def sessions(self) -> tuple[Session, ...]:
        """The sessions as of the last refresh, newest first.

        Opened afresh, the index answers from what it holds, and exclusions are the caller's to apply.
        """
        if self._sessions is None:
            present = [file for file, is_gone in self._rows() if not is_gone]
            self._sessions, _, _ = offered(present, Exclusions())
        return self._sessions

    def marks(self, path: Path) -> Marks:
        """Where lines of a file begin; only line 1 for a file the index does not hold."""
        row = self._connection.execute("SELECT marks FROM file WHERE path = ?", (os.fsencode(path),)).fetchone()
        return unpack(row[0]) if row else Marks()

    def close(self) -> None:
        """Close the database."""
        self._connection.close()

    def _rows(self) -> list[tuple[ScannedFile, bool]]:
        """Every file with whether it is gone; none where the index proves damaged, which makes it anew."""
        try:
            rows = self._connection.execute(f"{_SELECT} ORDER BY path").fetchall()
            return [(_file(row), bool(row["is_gone"])) for row in rows]
        except (sqlite3.DatabaseError, ValueError):
            self._connection.close()
            self._connection = _make_anew(self._db)
            return []

    def _save(self, kept: Sequence[ScannedFile], *, gone: Sequence[Path], back: Sequence[Path]) -> None:
        with self._connection:
            self._connection.executemany(_KEEP, (_row(file) for file in kept))
            self._connection.executemany(_MARK_GONE, [(1, os.fsencode(path)) for path in gone])
            self._connection.executemany(_MARK_GONE, [(0, os.fsencode(path)) for path in back])


class _Memory:
    """The index during a pass: answers from what it held, collects what is new."""

    def __init__(self, known: Mapping[Path, ScannedFile], kept: list[ScannedFile]) -> None:
        self.recall: Callable[[Path], ScannedFile | None] = known.get
        self.keep: Callable[[ScannedFile], None] = kept.append


def _open(db: Path) -> sqlite3.Connection:
    """The database, made again where it is damaged or of another format."""
    try:
        connection = connect_derived(db)
        if connection.execute("PRAGMA user_version").fetchone()[0] == INDEX_FORMAT:
            connection.execute(f"{_SELECT} LIMIT 1").fetchone()
            return connection
        connection.close()
    except (sqlite3.DatabaseError, DamageError):
        pass
    return _make_anew(db)


def _make_anew(db: Path) -> sqlite3.Connection:
    connection = connect_derived(db, is_anew=True)
    with connection:
        connection.execute(_SCHEMA)
        connection.execute(f"PRAGMA user_version = {INDEX_FORMAT:d}")
    return connection


def _row(file: ScannedFile) -> tuple[object, ...]:
    known = file.identity
    return (
        os.fsencode(file.path),
        os.fsencode(file.root),
        file.agent,
        file.reason,
        _signed(known.device),
        _signed(known.inode),
        known.size,
        known.mtime_ns,
        known.prefix_digest,
        file.head_bytes,
        file.tail_digest,
        file.bytes_read,
        file.lines,
        file.tally.pack(),
        file.marks.pack(),
    )


def _file(row: sqlite3.Row) -> ScannedFile:
    return ScannedFile(
        path=Path(os.fsdecode(row["path"])),
        root=Path(os.fsdecode(row["root"])),
        agent=row["agent"],
        reason=row["reason"],
        identity=FileIdentity(
            device=row["device"] % _UNSIGNED,
            inode=row["inode"] % _UNSIGNED,
            size=row["size"],
            mtime_ns=row["mtime_ns"],
            prefix_digest=row["head_digest"],
        ),
        head_bytes=row["head_bytes"],
        tail_digest=row["tail_digest"],
        bytes_read=row["bytes_read"],
        lines=row["lines"],
        tally=unpack_tally(row["facts"]),
        marks=unpack(row["marks"]),
    )


def _signed(number: int) -> int:
    return number if number < _SIGNED else number - _UNSIGNED
