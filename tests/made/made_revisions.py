"""Made-up sessions, curations of them, and a revision log in which they are written down."""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from slowwave.disk.lock import WriterLock
from slowwave.hygiene.entries import Cause, Entry
from slowwave.hygiene.keeper import Change
from slowwave.hygiene.revise import Revisions

MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
OLD = MOMENT.timestamp() - 86_400
FIRST, SECOND, THIRD = "aaaa-1", "bbbb-2", "cccc-3"
"""Session ids."""


def line(session: str, text: str) -> bytes:
    """One record of a session."""
    return b'{"sessionId":"%s","text":"%s"}\n' % (session.encode(), text.encode())


def lines(session: str, *texts: str) -> bytes:
    """Records, one a line."""
    return b"".join(line(session, text) for text in texts)


def renamed(raw: bytes, now: str, wanted: str) -> bytes:
    """A record with another session id."""
    return raw.replace(b'"sessionId":"%s"' % now.encode(), b'"sessionId":"%s"' % wanted.encode())


def write(path: Path, content: bytes, *, at: float = OLD) -> Path:
    """A session's file that nobody has written to for a day."""
    path.write_bytes(content)
    os.utime(path, (at, at))
    return path


def grow(path: Path, content: bytes) -> None:
    """An agent goes on, a day ago."""
    with path.open("ab") as stream:
        stream.write(content)
    os.utime(path, (OLD, OLD))


def sha(content: bytes) -> str:
    """A revision."""
    return hashlib.sha256(content).hexdigest()


def revisions(home: Path, *, is_locked: bool = True) -> Revisions:
    """The log of a home, at a fixed moment."""

    def clock() -> datetime:
        return MOMENT

    lock: Callable[[], Any] = (
        (lambda: WriterLock(home / "locks", command="the test", clock=clock)) if is_locked else nullcontext
    )
    return Revisions(home / "revisions", clock=clock, lock=lock, pause=lambda _: None)


def change(source: Path, target: Path, new: bytes, **more: Any) -> Change:
    """A change of a file as it stands now."""
    content = source.read_bytes()
    facts: dict[str, Any] = {
        "is_in_place": source == target,
        "digest": sha(content),
        "length": len(content),
        "content": lambda: pieces(new),
        "cause": Cause.APPLY,
        "actor": "ann",
    }
    return Change(source=source, target=target, **{**facts, **more})


def pieces(content: bytes, size: int = 7) -> Iterator[bytes]:
    """Bytes in small pieces."""
    return (content[at : at + size] for at in range(0, len(content), size))


def stubbed(content: bytes, word: str = "long") -> bytes:
    """A curation: records that hold a word are cut to a stub, all others keep their bytes."""
    kept = []
    for raw in content.splitlines(keepends=True):
        whole = raw.endswith(b"\n")
        kept.append(raw.split(b'"text"')[0] + b'"text":"-"}\n' if word.encode() in raw and whole else raw)
    return b"".join(kept)


def curate(log: Revisions, source: Path, target: Path, *, old: str = "", new: str = "", word: str = "long") -> Entry:
    """Curate a file: in place, or as a fork with a session id of its own."""
    content = source.read_bytes()
    changed = stubbed(content, word)
    if new:
        changed = b"".join(renamed(raw, old, new) for raw in changed.splitlines(keepends=True))
    return log.commit(change(source, target, changed, session_old=old, session_new=new or old))
