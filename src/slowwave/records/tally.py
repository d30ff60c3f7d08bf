"""The facts of one transcript file: what a scan counts while it reads, and how they are kept in the index."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import orjson

from slowwave.facts.evidence import Speaker
from slowwave.facts.limits import MOST_LISTED_LOSSES
from slowwave.facts.markers import OWN_RUN_MARK
from slowwave.facts.moment import parse
from slowwave.records.entries import EntryKind
from slowwave.records.formats.format import Format
from slowwave.records.headers import TAKES, Header, take_nothing
from slowwave.records.lines import Line
from slowwave.records.marks import Marks

_STAMP_CHARACTERS = 24  # of ``2026-01-31T12:00:00.000Z``, which sorts as text


@dataclass(slots=True)
class Tally:
    """What was counted in one file.

    Attributes:
        header: What its records say about the session.
        started: First moment, ISO 8601 in UTC; empty for none.
        ended: Last moment.
        records: Records read.
        copies: Entries that repeat an earlier one of the file; they are in no other count.
        prompts: Texts that a person typed.
        turns: Texts that the agent said.
        entries: Entries by ``speaker/kind``.
        losses: Losses by reason.
        lost: The first of them: reason, line, offset, length.
        is_own: It is the session of a consolidator that slowwave started.
    """

    header: Header = field(default_factory=Header)
    started: str = ""
    ended: str = ""
    records: int = 0
    copies: int = 0
    prompts: int = 0
    turns: int = 0
    entries: dict[str, int] = field(default_factory=dict)
    losses: dict[str, int] = field(default_factory=dict)
    lost: list[tuple[str, int, int, int]] = field(default_factory=list)
    is_own: bool = False

    def pack(self) -> bytes:
        """The facts as JSON for the index; a broken character becomes a question mark."""
        return orjson.dumps(_encodable(asdict(self)))


def unpack(packed: bytes) -> Tally:
    """Facts that ``pack`` made.

    Raises:
        ValueError: The bytes are something else.
    """
    try:
        value = orjson.loads(packed)
        header = Header(**value.pop("header"))
        lost = [(str(reason), int(line), int(at), int(size)) for reason, line, at, size in value.pop("lost")]
        return Tally(header=header, lost=lost, **value)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError("the facts of a file do not read") from error


def count(tally: Tally, marks: Marks, lines: Iterable[Line], read_by: Format) -> Line | None:
    """Count lines into a tally and mark where they begin; answers with the last line, None where there was none."""
    return _Counting(tally, marks, read_by).run(lines)


class _Counting:
    """One pass over the lines of a file; local names keep the loop over records cheap."""

    def __init__(self, tally: Tally, marks: Marks, read_by: Format) -> None:
        self.tally = tally
        self.marks = marks
        self.read = read_by.reader().read
        self.take = TAKES.get(read_by.name, take_nothing)
        self.seen: Counter[tuple[Speaker, EntryKind]] = Counter()

    def run(self, lines: Iterable[Line]) -> Line | None:
        tally, header, note = self.tally, self.tally.header, self.marks.note
        line = None
        for line in lines:
            note(line.number, line.offset)
            for record in line.records:
                tally.records += 1
                self.take(header, record)
                self._count_time(record.get("timestamp"))
                self._count_drafts(record)
            if line.losses:
                self._count_losses(line)
        for (speaker, kind), number in self.seen.items():
            name = f"{speaker}/{kind}"
            tally.entries[name] = tally.entries.get(name, 0) + number
        return line

    def _count_time(self, value: object) -> None:
        if value.__class__ is not str:
            return
        stamp = str(value)
        if len(stamp) != _STAMP_CHARACTERS or stamp[-1] != "Z":
            moment = parse(stamp)
            if moment is None:
                return
            stamp = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        tally = self.tally
        tally.ended = max(tally.ended, stamp)
        if stamp < tally.started or not tally.started:
            tally.started = stamp

    def _count_drafts(self, record: Mapping[str, Any]) -> None:
        tally, seen = self.tally, self.seen
        for draft in self.read(record):
            if draft.is_copy:
                tally.copies += 1
                continue
            speaker, kind = draft.speaker, draft.kind
            seen[speaker, kind] += 1
            if kind is not EntryKind.TEXT:
                continue
            if speaker is Speaker.AGENT:
                tally.turns += 1
            elif draft.is_person:
                tally.prompts += 1
                tally.header.offer_title("prompt", draft.text)
            elif OWN_RUN_MARK in draft.text:
                tally.is_own = True

    def _count_losses(self, line: Line) -> None:
        tally = self.tally
        for loss in line.losses:
            tally.losses[loss.reason] = tally.losses.get(loss.reason, 0) + 1
            if len(tally.lost) < MOST_LISTED_LOSSES:
                tally.lost.append((loss.reason, loss.line, loss.offset, loss.length))


def _encodable(value: Any) -> Any:
    """The value with every text fit for UTF-8; containers are ours and shallow."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(item) for item in value]
    return value
