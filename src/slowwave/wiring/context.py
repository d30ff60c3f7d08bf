"""Evidence in its context: what was said before and behind each quote, in windows, the quoted words marked.

Only words count: records of the harness, copies and the agents' own book-keeping are left out. A window shows a text
around the quote in it, however far down its line the quote stands, and quotes near one another share a window.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from slowwave.facts.text import WHITE_SPACE
from slowwave.records.entries import Entry, EntryKind
from slowwave.records.recording import load, strings
from slowwave.records.session import Session
from slowwave.wiring.premises import Premises

NEIGHBOURS = 2  # turns before and behind a quote: enough to judge it, little enough to read
_REACH = 160  # characters beside a quote: the sentence it stands in, and the next one
_HEAD = 240  # characters of a turn without a quote, as much as tells what it is about
_GAP = " … "


def context_of(house: Premises, evidence: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Windows of a transcript around some evidence, secrets masked; none where the transcript is gone.

    Returns:
        For each stretch of a file ``sessionId``, ``file`` and ``lines``, each with ``line``, ``speaker``, ``text`` and
        ``quotes``, the places of quoted words in the text.
    """
    sessions = {session.id: session for session in house.find().sessions}
    places = dict.fromkeys((one["sessionId"], one["file"]) for one in evidence)
    windows: list[dict[str, Any]] = []
    for name, file in places:
        session = sessions.get(name)
        if session is not None and file < len(session.files):
            quotes = [one for one in evidence if (one["sessionId"], one["file"]) == (name, file)]
            windows += _windows(house, session, file, quotes)
    return windows


def _windows(
    house: Premises, session: Session, file: int, evidence: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    turns = [entry for entry in load(session).entries if entry.file == file and _is_worth(entry)]
    quoted = _quoted(session, file, evidence)
    rows = [(entry.line, str(entry.speaker), entry.text) for entry in turns if entry.line not in quoted]
    rows += [(line, speaker, text) for line, (speaker, text, _) in quoted.items()]
    rows.sort(key=lambda row: row[0])
    centres = [at for at, row in enumerate(rows) if row[0] in quoted]
    windows = []
    for first, last in _stretches(centres, len(rows)):
        lines = [_line(house, row, quoted.get(row[0], ("", "", ()))[2]) for row in rows[first : last + 1]]
        windows.append({"sessionId": session.id, "file": file, "lines": lines})
    return windows


def _is_worth(entry: Entry) -> bool:
    return entry.kind is not EntryKind.META and not entry.is_copy and not entry.injected and bool(entry.text.strip())


def _quoted(
    session: Session, file: int, evidence: Sequence[Mapping[str, Any]]
) -> dict[int, tuple[str, str, tuple[str, ...]]]:
    """Each cited line with who spoke it, the decoded text that holds its quotes, and these."""
    wanted: dict[int, list[str]] = {}
    for one in evidence:
        wanted.setdefault(one["line"], []).append(one["quote"])
    found: dict[int, tuple[str, str, tuple[str, ...]]] = {}
    for value in strings(session, only_lines=wanted):
        quotes = wanted.get(value.line, ())
        if value.file == file and any(_places(value.text, quote) for quote in quotes) and value.line not in found:
            found[value.line] = (str(value.speaker), value.text, tuple(quotes))
    return found


def _stretches(centres: Iterable[int], rows: int) -> list[tuple[int, int]]:
    """The rows around some rows, from first to last, those that meet joined into one."""
    joined: list[tuple[int, int]] = []
    for at in centres:
        first, last = max(0, at - NEIGHBOURS), min(rows - 1, at + NEIGHBOURS)
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return joined


def _line(house: Premises, row: tuple[int, str, str], quotes: Sequence[str]) -> dict[str, Any]:
    number, speaker, raw = row
    text = WHITE_SPACE.sub(" ", house.secrets.mask(raw)).strip(" ")
    marks = sorted({place for quote in quotes for place in _places(text, quote)})
    shown, moved = _cut_around(text, marks)
    return {"line": number, "speaker": speaker, "text": shown, "quotes": moved}


def _places(text: str, quote: str) -> list[tuple[int, int]]:
    """Where a quote stands in a text, white space aside; its first place, as evidence names one."""
    folded = WHITE_SPACE.sub(" ", text).strip(" ")
    wanted = WHITE_SPACE.sub(" ", quote).strip(" ")
    at = folded.find(wanted) if wanted else -1
    return [(at, at + len(wanted))] if at >= 0 else []


def _cut_around(text: str, marks: Sequence[tuple[int, int]]) -> tuple[str, list[list[int]]]:
    """The parts of a text around some places, what lies between left out; and where the places are then."""
    if not marks:
        return text if len(text) <= _HEAD else text[:_HEAD].rstrip() + "…", []
    parts: list[tuple[int, int]] = []
    for start, end in marks:
        first, last = max(0, start - _REACH), min(len(text), end + _REACH)
        if parts and first <= parts[-1][1]:
            parts[-1] = (parts[-1][0], max(last, parts[-1][1]))
        else:
            parts.append((first, last))
    shown = "… " if parts[0][0] else ""
    moved: list[list[int]] = []
    for number, (first, last) in enumerate(parts):
        shown += _GAP if number else ""
        moved += [
            [len(shown) + start - first, len(shown) + end - first] for start, end in marks if first <= start < last
        ]
        shown += text[first:last]
    return shown + (" …" if parts[-1][1] < len(text) else ""), moved
