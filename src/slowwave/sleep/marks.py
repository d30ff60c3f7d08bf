"""Watermarks: how far each file of each session was consolidated, kept for each engine profile.

A mark moves last, after the work it stands for is durable (law 3). It holds the byte and line where the batch ended
and a digest of the bytes before it: a file that was rewritten no longer agrees and is offered whole again.
"""

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from slowwave.disk.fence import open_beneath, relative_to_root
from slowwave.facts.ids import RunId, SessionId
from slowwave.facts.refusal import SlowwaveError
from slowwave.records.session import Session
from slowwave.sleep.state import State

_DIGEST_BYTES = 4_096  # of the file's head, and as many before the mark: an append keeps both, a rewrite hardly can


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """How far one file was consolidated: ``line`` lines, ``byte`` bytes."""

    byte: int
    line: int
    prefix: str


MarkTable = Mapping[tuple[str, str], Mark]
"""Marks by session id and file name."""


def read_marks(state: State, profile: str, *, of_all: bool = False) -> MarkTable:
    """Every mark of one engine profile; with ``of_all`` the furthest of any profile."""
    rows = state.connection.execute(
        "SELECT session_id, file, byte, line, prefix FROM marks WHERE profile = ? OR ? ORDER BY byte", (profile, of_all)
    )
    return {(str(r[0]), str(r[1])): Mark(byte=int(r[2]), line=int(r[3]), prefix=str(r[4])) for r in rows}


def file_key(session: Session, file: int) -> str:
    """How a file is named in a mark: its path below the session's root."""
    path = session.files[file].path
    return path.relative_to(session.root).as_posix() if path.is_relative_to(session.root) else path.name


def first_new_lines(session: Session, marks: MarkTable) -> tuple[int, ...]:
    """For each file of a session the first line no night has consolidated: 1 where all is new."""
    return tuple(_first_new_line(session, file, marks) for file in range(len(session.files)))


def has_new(session: Session, lines: Sequence[int]) -> bool:
    """Whether any file holds a line at or past its first new one."""
    return any(first <= file.lines for first, file in zip(lines, session.files, strict=True))


def _first_new_line(session: Session, file: int, marks: MarkTable) -> int:
    mark = marks.get((session.id, file_key(session, file)))
    if mark is None or mark.byte > session.files[file].bytes_read:
        return 1
    return mark.line + 1 if prefix_digest(session.root, session.files[file].path, mark.byte) == mark.prefix else 1


def prefix_digest(root: Path, path: Path, byte: int) -> str:
    """A digest of what stands before ``byte``: the file's head and the bytes next to the mark; empty if unreadable."""
    try:
        with open_beneath(root, relative_to_root(root, path)) as stream:
            head = stream.read(min(_DIGEST_BYTES, byte))
            stream.seek(max(0, byte - _DIGEST_BYTES))
            tail = stream.read(min(_DIGEST_BYTES, byte))
    except (OSError, SlowwaveError):
        return ""
    return hashlib.sha256(b"%d\n" % byte + head + tail).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMark:
    """A mark to be written when the work it stands for is durable."""

    session_id: SessionId
    file: str
    mark: Mark


def put_marks(sql: sqlite3.Connection, marks: Sequence[NewMark], *, profile: str, run_id: RunId) -> None:
    """Move marks within the caller's transaction."""
    sql.executemany(
        "INSERT OR REPLACE INTO marks VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(m.session_id, m.file, profile, m.mark.byte, m.mark.line, m.mark.prefix, run_id) for m in marks],
    )


def release_marks(sql: sqlite3.Connection, sessions: Sequence[str]) -> int:
    """Forget the marks of sessions, so that they are offered again; how many sessions that were."""
    released = 0
    for session in sorted(set(sessions)):
        released += sql.execute("DELETE FROM marks WHERE session_id = ?", (session,)).rowcount > 0
    return released


def profiles_marked(state: State) -> Mapping[str, int]:
    """How many sessions each engine profile has marks of."""
    rows = state.connection.execute("SELECT profile, COUNT(DISTINCT session_id) FROM marks GROUP BY profile")
    return {str(row[0]): int(row[1]) for row in rows}
