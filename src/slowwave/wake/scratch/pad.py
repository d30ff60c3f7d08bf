"""The scratch of the day: entries added once, a running summary in its place, old days put away (spec 05, seed 001).

Every change is made on what the page holds at that moment, whoever wrote it, and is put in place only over what it was
made on (``disk/shared``). The lock of the day is held around each short write, never around a judge's answer.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo
from enum import StrEnum
from typing import Protocol

from slowwave.disk.durable import clear_leftovers, read_whole
from slowwave.disk.places import Places
from slowwave.disk.shared import edit_shared, union
from slowwave.facts.capture import Section
from slowwave.facts.limits import MOST_SUMMARISED_CHARACTERS, MOST_SUMMARY_CHARACTERS
from slowwave.facts.moment import Clock
from slowwave.facts.refusal import UsageError
from slowwave.facts.text import cut
from slowwave.records.secrets import Secrets
from slowwave.wake.holding import Hold
from slowwave.wake.judging import Judged, Waits
from slowwave.wake.scratch.days import day_of, fresh_page, scratch_day, with_day, without_day
from slowwave.wake.scratch.entry import Entry, ids_in, inert, line_of, read_id, written_id
from slowwave.wake.scratch.known import KnownIds
from slowwave.wake.scratch.page import body_of, lines_of, with_lines, with_summary, without, words_of
from slowwave.wake.scratch.rolling import finish, roll
from slowwave.wake.scratch.summaries import PERSON, Summary, append_summary, read_summaries

SUMMARY = Section.RUNNING_SUMMARY


class Summariser(Protocol):
    """The part of a ``Judge`` that is needed here."""

    def summarise(self, text: str) -> Judged[str] | Waits:
        """One paragraph over a day's scratch."""
        ...


class Outcome(StrEnum):
    """How a synthesis ended."""

    WRITTEN = "written"
    UNCHANGED = "unchanged"  # nothing was written since the last one; nobody was asked
    EMPTY = "empty"  # there is nothing to sum up; nobody was asked
    WAITS = "waits"  # nobody may be asked now
    ROLLED_UP = "rolled_up"  # the day ended meanwhile; the summary is in the history alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesis:
    """What a synthesis did: how it ended, who decided, what the page says now, and why where it was not written."""

    outcome: Outcome
    decided_by: str = ""
    text: str = ""
    reason: str = ""


class Scratch:
    """The scratch of one home.

    Args:
        places: The files of the day.
        hold: The lock of the day.
        clock: The present.
        zone: Whose days and hours the page is in.
        roll_up: When a day ends, HH:MM in that zone.
        secrets: What is masked before it is written or shown to a judge.
    """

    def __init__(
        self,
        places: Places,
        hold: Hold,
        clock: Clock,
        zone: tzinfo,
        *,
        roll_up: str = "00:05",
        secrets: Secrets | None = None,
    ) -> None:
        self._places = places
        self._hold = hold
        self._clock = clock
        self._zone = zone
        self._roll_up = roll_up
        self._secrets = secrets or Secrets()
        self._archived = KnownIds(places.scratch_archive)

    def page(self) -> bytes:
        """The page as it stands; empty where there is none."""
        return read_whole(self._places.daily) or b""

    def ids(self) -> frozenset[str]:
        """Ids of all captures that stand on this page or a past one; one too long stands by its hash."""
        return frozenset(read_id(written) for written in ids_in(self.page()) | self._archived.all())

    def add(self, entries: Sequence[Entry]) -> tuple[str, ...]:
        """Put entries on the page; the ids of those that were not on this or a past page before."""
        if not entries:
            return ()
        unique: dict[str, Entry] = {}
        for entry in entries:
            unique.setdefault(written_id(entry.id), entry)
        with self._hold("scratch"):
            now = self._clock()
            self._settle(now)
            known = self._archived.all()
            new = {name: entry for name, entry in unique.items() if name not in known}
            standing = ids_in(self.page())
            edit_shared(self._places.daily, lambda content: self._added(content, new, now), merge=merge_pages)
        return tuple(entry.id for name, entry in new.items() if name not in standing)

    def _added(self, content: bytes | None, new: dict[str, Entry], now: datetime) -> bytes | None:
        known = ids_in(content or b"")
        missing = [entry for name, entry in new.items() if name not in known]
        if not missing:
            return None
        page = content or fresh_page(self._day(now))
        day = day_of(page) or self._day(now)
        lines = lines_of(page)
        for section in Section:
            own = [entry for entry in missing if entry.section is section]
            rows = [line_of(entry, day=day, zone=self._zone, mask=self._secrets.mask) for entry in own]
            lines = with_lines(lines, section, rows) if rows else lines
        return b"".join(lines)

    def synthesise(self, judge: Summariser) -> Synthesis:
        """Sum the page up and put that in its place; a summary on the page is never summed up again."""
        with self._hold("scratch synthesis"):
            self._settle(self._clock())
            page = self.page()
        day = day_of(page) or self._day(self._clock())
        text = self._secrets.mask(words_of(without_day(without(lines_of(page), SUMMARY))))
        if not text.strip():
            return Synthesis(outcome=Outcome.EMPTY, reason="there is nothing on the page yet")
        last = self._last()
        source = _source_of(page)
        if last is not None and (last.source, last.day) == (source, day.isoformat()):
            return self._unchanged(last, day)
        judged = judge.summarise(cut(text, MOST_SUMMARISED_CHARACTERS))
        if isinstance(judged, Waits):
            return Synthesis(outcome=Outcome.WAITS, reason=judged.message)
        return self._written(judged, day, source)

    def _unchanged(self, last: Summary, day: date) -> Synthesis:
        """Ask nobody; a summary that a crash kept from the page is put there now, a person's own wording is left."""
        with self._hold("scratch synthesis"):
            standing = self._standing()
            former = {summary.text for summary in read_summaries(self._places) if summary.decided_by != PERSON}
            if standing != last.text and (not standing or standing in former):
                self._put(last.text, day)
        reason = "nothing was written since the last summary"
        return Synthesis(outcome=Outcome.UNCHANGED, decided_by=last.decided_by, text=last.text, reason=reason)

    def _written(self, judged: Judged[str], day: date, source: str) -> Synthesis:
        text = cut(inert(self._secrets.mask(judged.value)), MOST_SUMMARY_CHARACTERS)
        if not text:
            return Synthesis(outcome=Outcome.EMPTY, decided_by=judged.decided_by, reason="nothing was said about it")
        summary = Summary(
            ts=self._stamp(),
            day=day.isoformat(),
            text=text,
            decided_by=judged.decided_by,
            reason=judged.reason,
            source=source,
        )
        with self._hold("scratch synthesis"):
            self._keep_own_wording(day)
            append_summary(self._places, summary)
            is_there = self._put(text, day)
        outcome = Outcome.WRITTEN if is_there else Outcome.ROLLED_UP
        return Synthesis(outcome=outcome, decided_by=judged.decided_by, text=text, reason=judged.reason)

    def history(self) -> tuple[Summary, ...]:
        """Every running summary, the oldest first, numbered from 1."""
        return read_summaries(self._places)

    def restore(self, number: int) -> Summary:
        """Put a former summary back on the page; it stays until the page changes and is summed up again.

        Raises:
            UsageError: No summary has that number, or there is no page.
        """
        with self._hold("scratch restore"):
            found = next((one for one in self.history() if one.number == number), None)
            if found is None:
                raise UsageError(f"there is no summary {number}", hint="`slowwave scratch history` numbers them")
            page = self.page()
            day = day_of(page) or self._day(self._clock())
            self._keep_own_wording(day)
            restored = replace(found, ts=self._stamp(), day=day.isoformat(), source=_source_of(page), restored=number)
            append_summary(self._places, restored)
            self._put(found.text, day)
            return restored

    def roll_up(self, now: datetime) -> dict[str, int] | None:
        """End the page's day where its hour has passed, however many nights ago; what was counted, None for nothing."""
        with self._hold("scratch roll-up"):
            counts = self._settle(now)
        return counts if counts["days"] else None

    def _settle(self, now: datetime) -> dict[str, int]:
        """Finish what a crash left, end a day that is over, and mark a page that does not say whose day it is."""
        scratch = self._places.daily.parent
        clear_leftovers(scratch)
        today = self._day(now)
        counts = finish(self._places, next_day=today, merge=merge_pages)
        page = self.page()
        day = day_of(page)
        if day is not None and day < today:
            ended = roll(self._places, day=day, next_day=today, merge=merge_pages)
            return {name: count + ended[name] for name, count in counts.items()}
        # A day far ahead was written by a clock that is right again; a day by a zone further east.
        if page and (day is None or day > today + timedelta(days=1)):
            edit_shared(self._places.daily, lambda content: with_day(content or b"", today), merge=merge_pages)
        return counts

    def _put(self, text: str, day: date) -> bool:
        """Write a summary in its place; False where the page is another day's by now."""
        is_there = True

        def change(content: bytes | None) -> bytes | None:
            nonlocal is_there
            page = content or fresh_page(day)
            is_there = (day_of(page) or day) == day
            return b"".join(with_summary(lines_of(page), text)) if is_there else None

        edit_shared(self._places.daily, change, merge=merge_pages)
        return is_there

    def _keep_own_wording(self, day: date) -> None:
        """Keep what a person wrote in the place of the summary, before another takes it."""
        standing = self._standing()
        if not standing or any(summary.text == standing for summary in read_summaries(self._places)):
            return
        text = self._secrets.mask(standing)
        append_summary(self._places, Summary(ts=self._stamp(), day=day.isoformat(), text=text, decided_by=PERSON))

    def _standing(self) -> str:
        return body_of(lines_of(self.page()), SUMMARY).decode("utf-8", "replace")

    def _last(self) -> Summary | None:
        return next((one for one in reversed(read_summaries(self._places)) if one.decided_by != PERSON), None)

    def _day(self, now: datetime) -> date:
        return scratch_day(now, self._zone, self._roll_up)

    def _stamp(self) -> str:
        return self._clock().astimezone(self._zone).isoformat(timespec="seconds")


def merge_pages(current: bytes, late: bytes) -> bytes:
    """Both pages' lines, with the summary and the day of the first, and each entry once."""
    standing = ids_in(current)
    lines = without_day(without(lines_of(late), SUMMARY))
    return union(current, b"".join(line for line in lines if not ids_in(line) & standing))


def _source_of(page: bytes) -> str:
    """What a summary was made from: the page without any, white space at line ends and blank lines apart."""
    lines = without_day(without(lines_of(page), SUMMARY))
    return hashlib.sha256(b"\n".join(line.rstrip() for line in lines if line.strip())).hexdigest()
