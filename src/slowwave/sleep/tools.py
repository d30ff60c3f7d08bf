"""The three tools that look into a batch: its index, a literal search, some lines; bounded, masked, nothing else.

They see what the batch was planned on and no byte more, also where a session has grown since.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from errno import EIO
from io import SEEK_END
from typing import Any

from slowwave.disk.fence import open_beneath, relative_to_root
from slowwave.facts.ids import SessionId
from slowwave.facts.refusal import Refusal, SlowwaveError
from slowwave.records.read import BoundError, MarksOf, list_sessions, no_marks, read_lines_of, search_transcript
from slowwave.records.secrets import Secrets
from slowwave.records.session import Session, SessionFile
from slowwave.sleep.arguments import LinesArguments, SearchArguments, read_no_arguments, read_range, read_search
from slowwave.sleep.engine import Reading
from slowwave.sleep.leads import Lead

NO_SESSION = SessionId("")
_COUNT_BLOCK = 1024 * 1024  # bytes read at once where lines have to be counted again


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What one look came to: its result as JSON text, or why not; ``session_id`` is the session it looked into."""

    text: str = ""
    refusals: tuple[Refusal, ...] = ()
    session_id: SessionId = NO_SESSION


class Tools:
    """The looking tools over one batch.

    Args:
        reading: The batch.
        secrets: What masks; nothing leaves unmasked.
        leads: Places to look, by session.
        marks: Where lines of a file begin, as far as somebody knows.
    """

    def __init__(
        self,
        reading: Reading,
        *,
        secrets: Secrets,
        leads: Mapping[SessionId, Sequence[Lead]] | None = None,
        marks: MarksOf = no_marks,
    ) -> None:
        self._reading = reading
        self._secrets = secrets
        self._leads = leads or {}
        self._marks = marks
        ends = reading.batch.ends
        self._sessions = {one.id: cut_to(one, ends.get(one.id)) for one in reading.batch.sessions.values()}

    def list_sessions(self, arguments: str) -> Look:
        """The index of the batch; no text from inside any session."""
        refusals = read_no_arguments(arguments)
        if refusals is not None:
            return Look(refusals=refusals)
        batch = self._reading.batch
        context = frozenset(session for session in self._sessions if not batch.has_new(session))
        rows = list_sessions(tuple(self._sessions.values()), context=context, linked=self._reading.linked)
        return Look(text=_json({"sessions": [self._row(row) for row in rows]}))

    def _row(self, row: Mapping[str, Any]) -> dict[str, Any]:
        session = self._sessions[SessionId(row["id"])]
        known = self._reading.batch.new_from.get(session.id, ())
        first_new = [*known[: len(session.files)], *(1 for _ in session.files[len(known) :])]
        is_grown = not row["context"] and any(line > 1 for line in first_new)
        leads = self._leads.get(session.id, ())
        return {
            **{key: self._masked(value) for key, value in row.items()},
            "id": session.id,
            "lines": [file.lines for file in session.files],
            **({"newSinceLine": first_new} if is_grown else {}),
            **({"leads": [lead.shown() for lead in leads]} if leads else {}),
        }

    def _masked(self, value: Any) -> Any:
        """A value of a row, masked however deep it goes: names of folders and claims come from elsewhere."""
        if isinstance(value, str):
            return self._secrets.mask(value)
        if isinstance(value, Mapping):
            return {key: self._masked(inner) for key, inner in value.items()}
        return [self._masked(inner) for inner in value] if isinstance(value, list | tuple) else value

    def search_transcript(self, arguments: str) -> Look:
        """Every place of a literal phrase in one session."""
        read = read_search(arguments)
        if not isinstance(read, SearchArguments):
            return Look(refusals=read)
        return self._look(read.session_id, lambda session: self._search(session, read))

    def read_lines(self, arguments: str) -> Look:
        """Some lines of one file of a session."""
        read = read_range(arguments)
        if not isinstance(read, LinesArguments):
            return Look(refusals=read)
        return self._look(read.session_id, lambda session: self._read(session, read))

    def _look(self, session_id: SessionId, look: Any) -> Look:
        session = self._sessions.get(session_id)
        if session is None:
            message = "This session is not in the batch; take an id exactly as list_sessions gives it."
            return Look(refusals=(Refusal(code="unknown_session", path="sessionId", message=message),))
        try:
            return Look(text=_json(look(session)), session_id=session_id)
        except BoundError as error:
            message = f"{error.message[:1].upper()}{error.message[1:]}. Change that argument and call again."
            return Look(refusals=(Refusal(code=error.code, path="arguments", message=message),))
        except (OSError, SlowwaveError):
            # What exactly went wrong names a path of this machine, which is none of the caller's business.
            message = "This session cannot be read any more; leave it out of readSessionIds and do not cite it."
            return Look(refusals=(Refusal(code="unreadable", path="sessionId", message=message),))

    def _search(self, session: Session, read: SearchArguments) -> dict[str, Any]:
        _require_whole(session, session.files)
        found = search_transcript(
            session,
            read.phrase,
            secrets=self._secrets,
            max_hits=read.max_hits,
            context=read.context,
            ignore_case=read.ignore_case,
            marks=self._marks,
        )
        hits = [
            {
                "file": hit.file,
                "line": hit.line,
                "column": hit.column,
                "speaker": hit.speaker,
                "text": hit.before + hit.text + hit.after,
            }
            for hit in found.hits
        ]
        return {"sessionId": session.id, "total": found.total, "truncated": found.is_cut, "hits": hits}

    def _read(self, session: Session, read: LinesArguments) -> dict[str, Any]:
        _require_whole(session, session.files[max(0, read.file) : max(0, read.file) + 1])
        found = read_lines_of(
            session,
            read.start,
            read.end,
            secrets=self._secrets,
            width=read.width,
            column=read.column,
            file=read.file,
            marks=self._marks,
        )
        lines = [
            {"line": one.line, "speaker": one.speaker, "text": one.text, "length": one.length, "truncated": one.is_cut}
            for one in found.lines
        ]
        return {
            "sessionId": session.id,
            "file": found.file,
            "totalLines": found.total,
            "nextLine": found.next_line,
            "lines": lines,
        }


def cut_to(session: Session, ends: Sequence[int] | None) -> Session:
    """A session up to the bytes that a batch was planned on; what it grew by since, a file or a line, is not there."""
    if ends is None:
        return session
    files = tuple(_cut(session, file, end) for file, end in zip(session.files, ends, strict=False))
    if files == session.files:
        return session
    return replace(
        session,
        files=files,
        side_files=tuple(file.path for file in files[1:]),
        bytes=sum(file.bytes_read for file in files),
        lines=sum(file.lines for file in files),
    )


def _cut(session: Session, file: SessionFile, end: int) -> SessionFile:
    if file.bytes_read <= end:
        return file
    try:
        lines = _count_lines(session, file, end)
    except (OSError, SlowwaveError):
        lines = 0  # every look at it will fail, or find nothing
    return replace(file, bytes_read=end, lines=lines)


def _require_whole(session: Session, files: Sequence[SessionFile]) -> None:
    """Make sure that files still hold what was planned on; of one that was cut, nothing would be shown as if read.

    Raises:
        FenceError: One is no longer a regular file below its root.
        OSError: One may not be read, or is shorter than it was.
    """
    for file in files:
        with closing(open_beneath(session.root, relative_to_root(session.root, file.path))) as stream:
            if stream.seek(0, SEEK_END) < file.bytes_read:
                raise OSError(EIO, "a session became shorter")


def _count_lines(session: Session, file: SessionFile, end: int) -> int:
    lines, left = 0, end
    with closing(open_beneath(session.root, relative_to_root(session.root, file.path))) as stream:
        while left and (block := stream.read(min(left, _COUNT_BLOCK))):
            lines += block.count(b"\n")
            left -= len(block)
    return lines


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
