"""A recording: one session read whole, as entries for mining and as strings for proof."""

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from slowwave.disk.fence import open_beneath, relative_to_root
from slowwave.facts.evidence import Speaker
from slowwave.facts.refusal import SlowwaveError
from slowwave.records.entries import Entry, EntryKind
from slowwave.records.formats import FORMATS
from slowwave.records.lines import Line, Loss, Record, read_lines
from slowwave.records.queued import settle_queued
from slowwave.records.session import Session
from slowwave.records.taint import spread_taint
from slowwave.records.walk import held_json, strings_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A session's entries.

    Attributes:
        session: The session that was read.
        entries: Main file first, then side files in order of name, each in file order.
        losses: What could not be read, each with the number of its file.
        ends: Bytes read of each file.
    """

    session: Session
    entries: tuple[Entry, ...]
    losses: tuple[tuple[int, Loss], ...]
    ends: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StringValue:
    """One decoded string of a record, with whose words it is; a string that no entry owns is the harness's.

    Attributes:
        file: 0 for the main file, then side files in order of name.
        line: Physical line, from 1.
        part: Which record on the line, from 0.
        field: Path of the string in its record.
        text: The whole text, not cut. Where several speakers share a string, the piece of one of them.
        start: Where the piece begins in its string; 0 for a whole one and for the first piece of a shared one.
        speaker: Whose words.
        kind: Of the entry that owns it, or None.
        injected: Why nobody typed it; ``harness`` for a string that no entry owns.
        via: Where a person's words were found when not in a prompt.
        is_tainted: The text came from outside.
        origin: Identity of the observation.
        record_id: Of its record; empty where no entry stands for it.
        is_sidechain: Spoken in a sub-agent's session.
    """

    file: int
    line: int
    part: int
    field: str
    text: str
    start: int = 0
    speaker: Speaker
    kind: EntryKind | None
    injected: str
    via: str
    is_tainted: bool
    origin: str
    record_id: str
    is_sidechain: bool


def load(session: Session, *, ends: Sequence[int] | None = None) -> Recording:
    """A session's entries, each file read once.

    Args:
        session: From the index or a folder scan; ``agent`` names the format.
        ends: Read each file up to this byte; files behind the last one given are not read.

    Returns:
        The recording. A file that cannot be opened is a loss, not an error.
    """
    entries: list[Entry] = []
    losses: list[tuple[int, Loss]] = []
    reached: list[int] = []
    for file, path in enumerate(_files(session, ends)):
        end = ends[file] if ends is not None else None
        lines = _Counted(session.root, path, end)
        entries += FORMATS[session.agent].entries(lines, file=file)
        losses += [(file, loss) for loss in lines.losses]
        reached.append(lines.reached)
    settled = spread_taint(settle_queued(entries))
    return Recording(session=session, entries=tuple(settled), losses=tuple(losses), ends=tuple(reached))


def strings(
    session: Session, *, ends: Sequence[int] | None = None, only_lines: Container[int] | None = None
) -> Iterator[StringValue]:
    """Every string value of every record, and those inside strings that hold JSON, each once, in file order.

    Args:
        session: The session.
        ends: As in ``load``.
        only_lines: Physical lines to look at, in whichever file; all when None.
    """
    owners: dict[tuple[int, int, int], list[Entry]] = {}
    for entry in load(session, ends=ends).entries:
        if only_lines is None or entry.line in only_lines:
            owners.setdefault((entry.file, entry.line, entry.part), []).append(entry)
    for file, path in enumerate(_files(session, ends)):
        for line in _Counted(session.root, path, ends[file] if ends is not None else None):
            if only_lines is not None and line.number not in only_lines:
                continue
            for part, record in enumerate(line.records, line.first_part):
                place = (file, line.number, part)
                yield from _record_strings(record, place, owners.get(place, []))


def _files(session: Session, ends: Sequence[int] | None) -> tuple[Path, ...]:
    paths = (session.path, *session.side_files)
    return paths if ends is None else paths[: len(ends)]


class _Counted:
    """The lines of a file, noting what was lost and how far they reached."""

    def __init__(self, root: Path, path: Path, end: int | None) -> None:
        self._root = root
        self._path = path
        self._end = end
        self.losses: list[Loss] = []
        self.reached = 0

    def __iter__(self) -> Iterator[Line]:
        try:
            stream = open_beneath(self._root, str(relative_to_root(self._root, self._path)))
        except (OSError, SlowwaveError):
            self.losses.append(Loss("unreadable", 0, 0, 0))
            return
        with closing(stream):
            for line in read_lines(stream, end=self._end):
                self.losses += line.losses
                self.reached = line.offset + line.length
                yield line


def _record_strings(record: Record, place: tuple[int, int, int], entries: list[Entry]) -> Iterator[StringValue]:
    by_field: dict[str, list[Entry]] = {}
    for entry in entries:
        for field in entry.fields:
            by_field.setdefault(field, []).append(entry)
    for field, text in strings_of(record):
        for start, piece, owner in _owned(text, field, by_field):
            yield _value(piece, start, field, place, owner)
        for inner_field, inner in strings_of(held_json(text), field):
            for start, piece, owner in _owned(inner, inner_field, by_field):
                yield _value(piece, start, inner_field, place, owner)


def _owned(text: str, field: str, by_field: Mapping[str, list[Entry]]) -> list[tuple[int, str, Entry | None]]:
    """A string as the pieces of those who own it: the entries that name the longest path above it."""
    at = field
    while at and at not in by_field:
        at = at[: max(at.rfind("."), at.rfind("["), 0)]
    owners = by_field.get(at, [])
    if len(owners) < 2:
        return [(0, text, owners[0] if owners else None)]
    starts: list[tuple[int, Entry]] = []
    behind = 0
    for owner in owners:
        found = text.find(owner.text, behind) if owner.text else -1
        if found >= 0:
            starts.append((found, owner))
            behind = found + len(owner.text)
    if not starts:
        return [(0, text, next((owner for owner in owners if text in owner.text), owners[0]))]
    starts[0] = (0, starts[0][1])
    stops = [start for start, _ in starts[1:]] + [len(text)]
    return [(start, text[start:stop], owner) for (start, owner), stop in zip(starts, stops, strict=True)]


def _value(text: str, start: int, field: str, place: tuple[int, int, int], owner: Entry | None) -> StringValue:
    file, line, part = place
    return StringValue(
        file=file,
        line=line,
        part=part,
        field=field,
        text=text,
        start=start,
        speaker=owner.speaker if owner else Speaker.SYSTEM,
        kind=owner.kind if owner else None,
        injected=owner.injected if owner else "harness",
        via=owner.via if owner else "",
        is_tainted=owner.is_tainted if owner else False,
        origin=owner.origin if owner else "",
        record_id=owner.record_id if owner else "",
        is_sidechain=owner.is_sidechain if owner else False,
    )
