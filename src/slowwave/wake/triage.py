"""Triage: captures read, decided about and carried to where the seed wants them, at most fifty a run.

In this order, so that a crash at any instant loses and doubles nothing: what a former run decided is carried out; what
waits for a new day is taken first; lines are read; decisions are written down; destinations are written; decisions are
marked; and only then the cursor moves.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, tzinfo

from slowwave.disk.places import Places
from slowwave.facts.capture import Capture, Tag
from slowwave.facts.limits import CAPTURES_A_TICK, LINES_A_TICK
from slowwave.records.captures import BLANK, Rejected, parse_line
from slowwave.records.secrets import Secrets
from slowwave.wake.classifying import classify
from slowwave.wake.cursor import RawLine, unread_lines
from slowwave.wake.decisions import (
    Decision,
    adopt,
    count_deferred,
    decision_of,
    defer,
    deferred,
    known_ids,
    open_decisions,
    put_decisions,
    read_stats,
)
from slowwave.wake.holding import Hold
from slowwave.wake.judging import RULES, Judge, Waits
from slowwave.wake.landing import Stores, land
from slowwave.wake.rejects import Reject, keep_rejects
from slowwave.wake.state import STATS, FileMark, LoopState

_NEEDS_NOBODY = (Tag.NOTE_TO_SELF, Tag.ASK_NEXT_SESSION)
"""Tags that decide by themselves where a capture goes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Triaged:
    """What a run did: the state as it is to be written, and counts for people."""

    state: LoopState
    counts: Mapping[str, int]
    reason: str = ""


@dataclass(slots=True)
class _Run:
    """One run while it goes on."""

    decisions: list[Decision] = field(default_factory=list)
    waiting: list[tuple[Capture, str]] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    marks: dict[str, FileMark] = field(default_factory=dict)
    last_file: str = ""
    taken: set[str] = field(default_factory=set)
    counts: Counter[str] = field(default_factory=Counter)
    reason: str = ""
    lines: int = 0

    @property
    def accepted(self) -> int:
        """Captures that count among the fifty."""
        return len(self.taken)


@dataclass(frozen=True, slots=True, kw_only=True)
class Triage:
    """Triage over one home.

    Attributes:
        places: The files of the day.
        stores: Where captures land.
        judge: Who decides.
        hold: The lock of the day.
        zone: The loop's.
        secrets: Masks what is kept of rejected lines.
        is_over: Whether the loop was told to end: then no more captures are taken.
    """

    places: Places
    stores: Stores
    judge: Judge
    hold: Hold
    zone: tzinfo
    secrets: Secrets
    is_over: Callable[[], bool] = lambda: False

    def run(self, state: LoopState, now: datetime) -> Triaged:
        """One run; the caller writes the state that comes back, which moves the cursor."""
        book = self.stores.book
        if not book.setting("adopted"):
            adopt(book, self.stores.known_ids(), now)
        read_stats(book, state.stats)
        run = _Run()
        run.counts.update(land(self.stores, open_decisions(book), now))
        self._take_waiting(run, now)
        self._read(run, state, now)
        keep_rejects(self.places, self.hold, run.rejects, self.secrets)
        put_decisions(book, run.decisions, now)
        defer(book, run.waiting, now)
        run.counts.update(land(self.stores, open_decisions(book), now))
        run.counts["waiting"] = count_deferred(book)
        stats = read_stats(book, state.stats)
        after = replace(
            state,
            file=run.last_file or state.file,
            files={**state.files, **run.marks},
            stats={**state.stats, **{name: stats.get(name, 0) for name in STATS if name != "coaching_refreshes"}},
        )
        return Triaged(state=after, counts=dict(+run.counts), reason=run.reason)

    def _take_waiting(self, run: _Run, now: datetime) -> None:
        """Those that a spent budget left over come first, until it is spent again."""
        for capture, file in deferred(self.stores.book, CAPTURES_A_TICK):
            if self.is_over() or not self._decide(run, capture, file, now):
                return

    def _read(self, run: _Run, state: LoopState, now: datetime) -> None:
        lines: list[RawLine] = []
        for line in unread_lines(self.places, state, _day(now, self.zone)):
            lines.append(line)
            if len(lines) >= CAPTURES_A_TICK:
                if not self._consume(run, lines, now):
                    return
                lines.clear()
        self._consume(run, lines, now)

    def _consume(self, run: _Run, lines: list[RawLine], now: datetime) -> bool:
        """Consume lines up to the bounds of a run; whether there is room for more."""
        parsed = [(line, _parsed(line, self.zone)) for line in lines]
        known = known_ids(self.stores.book, (one.id for _, one in parsed if isinstance(one, Capture)))
        for line, one in parsed:
            if run.accepted >= CAPTURES_A_TICK or run.lines >= LINES_A_TICK or self.is_over():
                return False
            run.lines += 1
            if isinstance(one, Rejected):
                self._reject(run, line, one)
            elif one.id in known or one.id in run.taken:
                run.counts["duplicates"] += 1
            elif not self._decide(run, one, line.file, now):
                run.waiting.append((one, line.file))
                run.taken.add(one.id)
            run.marks[line.file], run.last_file = line.mark, line.file
        return True

    def _reject(self, run: _Run, line: RawLine, one: Rejected) -> None:
        run.counts["rejected"] += one.reason != BLANK
        run.counts["blank"] += one.reason == BLANK
        if one.reason != BLANK:
            digest = line.sha256 or one.sha256
            run.rejects.append(
                Reject(file=line.file, line=line.number, reason=one.reason, sha256=digest, head=one.head)
            )

    def _decide(self, run: _Run, capture: Capture, file: str, now: datetime) -> bool:
        """Decide about a capture; False where it waits, since nobody may be asked any more today."""
        if run.reason and capture.tag not in _NEEDS_NOBODY:
            return False
        found = classify(capture, self.judge, zone=self.zone)
        if isinstance(found, Waits):
            run.reason = found.message
            return False
        decision = decision_of(capture, file, found)
        run.taken.add(capture.id)
        if decision.decided_by.startswith(RULES) or capture.tag in _NEEDS_NOBODY:
            run.decisions.append(decision)
        else:
            # An answer that was paid for is on the disk before the next question.
            put_decisions(self.stores.book, [decision], now)
        return True


def _parsed(line: RawLine, zone: tzinfo) -> Capture | Rejected:
    return parse_line(line.content, zone=zone)


def _day(now: datetime, zone: tzinfo) -> date:
    return now.astimezone(UTC).astimezone(zone).date()
