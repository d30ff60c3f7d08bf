"""The bounded tools: list sessions, search one for a phrase, read some of its lines.

Nothing leaves them unmasked, nothing is cut before it is masked, and what a search finds inside a secret is not
counted, so that no number of searches can spell one out.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from slowwave.disk.fence import open_beneath, relative_to_root
from slowwave.facts.evidence import Speaker
from slowwave.facts.ids import SessionId
from slowwave.facts.limits import LINE_WIDTH, MOST_LINE_BYTES, MOST_READ_BYTES, SEARCH_CONTEXT, SEARCH_HITS
from slowwave.facts.moment import stamp
from slowwave.records.bounds import BoundError, check_file, check_lines, check_search, check_start
from slowwave.records.marks import Marks
from slowwave.records.matching import LineNumbers, line_number, line_offset, matching_lines
from slowwave.records.needles import Needles, make_needles
from slowwave.records.secrets import Secrets
from slowwave.records.session import Session
from slowwave.records.showing import MaskedLine, pieces_of, places

__all__ = [
    "BoundError",
    "LinesResult",
    "MarksOf",
    "SearchHit",
    "SearchResult",
    "ShownLine",
    "first_new_line",
    "list_sessions",
    "no_marks",
    "read_lines_of",
    "search_transcript",
]

MarksOf = Callable[[Path], Marks]
"""Answers where lines of a file begin, as far as somebody knows; ``SessionIndex.marks`` is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """One place of a phrase: file, line, column in the line's rendering, whose words, and what stands around it."""

    file: int
    line: int
    column: int
    speaker: Speaker
    before: str
    text: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """All places of a phrase, counted; the first of them, shown. ``is_cut``: there are more than are shown."""

    session_id: SessionId
    phrase: str
    total: int
    hits: tuple[SearchHit, ...]
    is_cut: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownLine:
    """A line's rendering from ``column`` on, at most ``width`` characters; ``length`` is how long it is whole."""

    line: int
    speaker: Speaker
    text: str
    length: int
    is_cut: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LinesResult:
    """Lines of one file of a session, and where to go on when they did not all fit; None when they did."""

    session_id: SessionId
    file: int
    lines: tuple[ShownLine, ...]
    total: int
    next_line: int | None


def no_marks(path: Path) -> Marks:
    """Where nobody knows: lines are counted from the start."""
    del path
    return Marks()


def list_sessions(
    sessions: Sequence[Session],
    *,
    context: frozenset[SessionId] = frozenset(),
    linked: Mapping[SessionId, Sequence[Mapping[str, Any]]] | None = None,
    new_since: Mapping[SessionId, int] | None = None,
) -> list[dict[str, Any]]:
    """The sessions as the tool lists them; no text from inside any of them.

    Args:
        sessions: In the order to list.
        context: Sessions that are history, not new.
        linked: Memories that cite a session: path, kind, status and, for reviewed ones, the claim.
        new_since: First new line of a session that was read on an earlier night.
    """
    return [
        {
            "id": session.id,
            "agent": session.agent,
            "slug": session.project,
            "cwd": session.cwd,
            "started": stamp(session.started) if session.started else None,
            "ended": stamp(session.ended) if session.ended else None,
            "prompts": session.prompts,
            "turns": session.turns,
            "bytes": session.bytes,
            "context": session.id in context,
            "linkedMemories": [dict(memory) for memory in (linked or {}).get(session.id, ())],
            **({"newSinceLine": new_since[session.id]} if new_since and session.id in new_since else {}),
        }
        for session in sessions
    ]


def search_transcript(
    session: Session,
    phrase: str,
    *,
    secrets: Secrets,
    max_hits: int = SEARCH_HITS,
    context: int = SEARCH_CONTEXT,
    ignore_case: bool = False,
    marks: MarksOf = no_marks,
) -> SearchResult:
    """Every place of a literal phrase in a session's files, in whatever spelling it stands.

    The total is exact; a phrase is looked for within one decoded string at a time.

    Raises:
        BoundError: An argument is out of bounds.
        FenceError: A file is no longer a regular file below its root.
        OSError: A file may not be read.
    """
    check_search(phrase, max_hits, context)
    needles = make_needles(phrase, ignore_case=ignore_case)
    total = 0
    hits: list[SearchHit] = []
    for file, known in enumerate(session.files):
        with closing(_open(session, file)) as stream:
            numbers = LineNumbers(stream, partial(marks, known.path))
            for offset, raw in _lines_with(stream, needles, known.bytes_read):
                pieces = pieces_of(raw, session.agent)
                found = [(at, span) for at, piece in enumerate(pieces) for span in places(piece, needles, secrets)]
                total += len(found)
                if found and len(hits) < max_hits:
                    line = MaskedLine(pieces, secrets)
                    where = (file, numbers.at(offset), context)
                    shown = found[: max_hits - len(hits)]
                    hits += [_hit(line, line.place(at, span), pieces[at].speaker, where) for at, span in shown]
    return SearchResult(session_id=session.id, phrase=phrase, total=total, hits=tuple(hits), is_cut=total > len(hits))


def read_lines_of(
    session: Session,
    start: int,
    end: int,
    *,
    secrets: Secrets,
    width: int = LINE_WIDTH,
    column: int = 1,
    file: int = 0,
    marks: MarksOf = no_marks,
) -> LinesResult:
    """Lines ``start`` to ``end`` of one of a session's files, each as its rendering; at most 32 KiB of text in all.

    Raises:
        BoundError: An argument is out of bounds, or the file has fewer lines than ``start``.
        FenceError: The file is no longer a regular file below its root.
        OSError: The file may not be read.
    """
    check_lines(start, end, width, column)
    check_file(file, len(session.files))
    known = session.files[file]
    check_start(start, known.lines)
    shown: list[ShownLine] = []
    left = MOST_READ_BYTES
    with closing(_open(session, file)) as stream:
        stream.seek(line_offset(stream, start, marks(known.path)))
        for number in range(start, min(end, known.lines) + 1):
            one = _show(number, MaskedLine(pieces_of(_read_raw(stream), session.agent), secrets), column, width)
            left -= len(one.text.encode("utf-8", "replace"))
            if left < 0:
                break
            shown.append(one)
    last = shown[-1].line if shown else start - 1
    goes_on = last < min(end, known.lines)
    return LinesResult(
        session_id=session.id,
        file=file,
        lines=tuple(shown),
        total=known.lines,
        next_line=last + 1 if goes_on else None,
    )


def first_new_line(session: Session, file: int, read_bytes: int, *, marks: MarksOf = no_marks) -> int:
    """The line that begins where an earlier reading of a session's file ended, byte ``read_bytes``."""
    if not read_bytes:
        return 1
    with closing(_open(session, file)) as stream:
        return line_number(stream, read_bytes, marks(session.files[file].path))


def _open(session: Session, file: int) -> BinaryIO:
    return open_beneath(session.root, relative_to_root(session.root, session.files[file].path))


def _lines_with(stream: BinaryIO, needles: Needles, end: int) -> Iterator[tuple[int, bytes]]:
    """Offset and bytes of the lines that hold a spelling of the phrase."""
    for offset, raw in matching_lines(stream, needles.scanned, end=end, is_folded=needles.is_folded):
        if needles.may_stand_in(raw):
            yield offset, raw


def _hit(line: MaskedLine, place: tuple[int, int], speaker: Speaker, where: tuple[int, int, int]) -> SearchHit:
    file, number, context = where
    start, end = place
    return SearchHit(
        file=file,
        line=number,
        column=start + 1,
        speaker=speaker,
        before=line.text[max(0, start - context) : start],
        text=line.text[start:end],
        after=line.text[end : end + context],
    )


def _show(number: int, line: MaskedLine, column: int, width: int) -> ShownLine:
    text = line.text[column - 1 : column - 1 + width]
    return ShownLine(
        line=number, speaker=line.speaker, text=text, length=len(line.text), is_cut=len(text) < len(line.text)
    )


def _read_raw(stream: BinaryIO) -> bytes:
    """The next line without its LF; of one that is too long only that much, and the stream stands behind it."""
    raw = stream.readline(MOST_LINE_BYTES)
    more = raw
    while len(more) == MOST_LINE_BYTES and not more.endswith(b"\n"):
        more = stream.readline(MOST_LINE_BYTES)
    return raw.removesuffix(b"\n")
