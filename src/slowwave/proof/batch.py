"""A batch: the sessions that were offered, how far each was read, and where its new lines begin."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from slowwave.facts.ids import SessionId
from slowwave.records.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What one answer may rest on.

    Attributes:
        sessions: The sessions offered; nothing else may be cited or claimed as read.
        new_from: For each session the first new line of each file, from 1; 1 where all is new, beyond the end where
            the session is only context. A session without an entry is context; a file without one is all new.
        ends: For each session the byte each of its files ends at; a session without an entry is read whole.
    """

    sessions: Mapping[SessionId, Session]
    new_from: Mapping[SessionId, tuple[int, ...]]
    ends: Mapping[SessionId, tuple[int, ...]] = field(default_factory=dict)

    def is_new(self, session_id: SessionId, file: int, line: int) -> bool:
        """Whether a line of a session's file stands behind the session's watermark."""
        first_lines = self.new_from.get(session_id)
        if first_lines is None:
            return False
        return file >= len(first_lines) or line >= first_lines[file]

    def has_new(self, session_id: SessionId) -> bool:
        """Whether anything of a session stands behind its watermark; nothing does in one that is only context."""
        first_lines = self.new_from.get(session_id)
        if first_lines is None:
            return False
        files = self.sessions[session_id].files
        if not files or len(files) > len(first_lines):
            return True
        return any(first <= file.lines for first, file in zip(first_lines, files, strict=False))


def whole_batch(sessions: Iterable[Session]) -> Batch:
    """A batch in which every line of every session is new, up to the bytes that were read of each file."""
    offered = {session.id: session for session in sessions}
    return Batch(
        sessions=offered,
        new_from={session.id: tuple(1 for _ in (session.path, *session.side_files)) for session in offered.values()},
        ends={
            session.id: tuple(file.bytes_read for file in session.files)
            for session in offered.values()
            if session.files
        },
    )
