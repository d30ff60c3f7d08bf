"""Counting: one pass over a file's lines into its tally and marks."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from slowwave.facts.evidence import Speaker
from slowwave.facts.limits import MARK_BYTES, MOST_LISTED_LOSSES
from slowwave.facts.markers import OWN_RUN_MARK
from slowwave.facts.moment import parse
from slowwave.records.entries import EntryKind
from slowwave.records.formats.codex import CodexReader
from slowwave.records.formats.format import Format
from slowwave.records.headers import TAKES, take_nothing
from slowwave.records.lines import Line
from slowwave.records.marks import Marks
from slowwave.records.shortcuts import ASK, COPY, NAMES, SAID, shortcut
from slowwave.records.tally import Tally

_STAMP_CHARACTERS = 24  # of ``2026-01-31T12:00:00.000Z``, which sorts as text


def count(tally: Tally, marks: Marks, lines: Iterable[Line], read_by: Format) -> Line | None:
    """Count lines into a tally and mark where they begin; answers with the last line, None where there was none."""
    return _Counting(tally, marks, read_by).run(lines)


class _Counting:
    """One pass; what is touched for every record is kept in local names."""

    def __init__(self, tally: Tally, marks: Marks, read_by: Format) -> None:
        self.tally = tally
        self.marks = marks
        reader = read_by.reader()
        self.read = reader.read
        self.lineage = reader.lineage if isinstance(reader, CodexReader) else None
        self.take = TAKES.get(read_by.name, take_nothing)
        self.shortcut = shortcut(read_by.name, self._is_elsewhere)
        self.seen: Counter[tuple[Speaker, EntryKind]] = Counter()

    def run(self, lines: Iterable[Line]) -> Line | None:
        tally, header, take, shortcut = self.tally, self.tally.header, self.take, self.shortcut
        plain = [0] * (COPY + 1)
        next_mark = self.marks.offsets[-1] + MARK_BYTES
        ended = tally.ended
        line = None
        for line in lines:
            if line.offset >= next_mark:
                self.marks.note(line.number, line.offset)
                next_mark = line.offset + MARK_BYTES
            for record in line.records:
                take(header, record)
                stamp = record.get("timestamp")
                if stamp.__class__ is not str or not stamp > ended or len(stamp) != _STAMP_CHARACTERS:
                    self._count_time(stamp)
                elif stamp[-1] == "Z":
                    ended = stamp
                    tally.started = tally.started or stamp
                answer = shortcut(record)
                plain[answer] += 1
                if answer == ASK:
                    self._count_drafts(record)
            if line.losses:
                self._count_losses(line)
        tally.ended = max(ended, tally.ended)
        self._add_up(plain)
        return line

    def _add_up(self, plain: list[int]) -> None:
        tally = self.tally
        tally.records += sum(plain)
        tally.copies += plain[COPY]
        tally.turns += plain[SAID]
        for answer, name in NAMES.items():
            self.seen[name] += plain[answer]
        for (speaker, kind), number in self.seen.items():
            if number:
                key = f"{speaker}/{kind}"
                tally.entries[key] = tally.entries.get(key, 0) + number

    def _count_time(self, value: object) -> None:
        """A moment that is not simply later than all before it: out of order, or written in another way."""
        moment = parse(value)
        if moment is None:
            return
        stamp = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        tally = self.tally
        tally.ended = max(tally.ended, stamp)
        tally.started = min(tally.started or stamp, stamp)

    def _count_drafts(self, record: Mapping[str, Any]) -> None:
        tally, seen = self.tally, self.seen
        drafts = self.read(record)
        is_elsewhere = self._is_elsewhere()
        for draft in drafts:
            if draft.is_copy or is_elsewhere:
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

    def _is_elsewhere(self) -> bool:
        """Whether the file is at history that was copied from another session, where it counts."""
        return self.lineage is not None and self.lineage.current != self.lineage.own

    def _count_losses(self, line: Line) -> None:
        tally = self.tally
        for loss in line.losses:
            tally.losses[loss.reason] = tally.losses.get(loss.reason, 0) + 1
            if len(tally.lost) < MOST_LISTED_LOSSES:
                tally.lost.append((loss.reason, loss.line, loss.offset, loss.length))
