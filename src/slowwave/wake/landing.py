"""Landing: decisions carried out, each destination written once for all of them, and each knowing what it holds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from slowwave.facts.capture import Section
from slowwave.wake.book import Book
from slowwave.wake.classifying import COMMITMENTS, DAILY, OBSERVATIONS, REFUSED
from slowwave.wake.commitments import Commitments, commitment_of
from slowwave.wake.decisions import QUEUE, Decision, mark_landed
from slowwave.wake.observations import NewTrait, Observations, RefusedTrait
from slowwave.wake.reminders import Reminder, enqueue_message
from slowwave.wake.scratch.entry import Entry
from slowwave.wake.scratch.pad import Scratch


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """Where captures land."""

    book: Book
    scratch: Scratch
    observations: Observations
    commitments: Commitments

    def known_ids(self) -> frozenset[str]:
        """Captures that any of them holds, for a book that was lost."""
        traits = {trait.capture_id for trait in self.observations.read().traits}
        owed = {one.capture_id for one in self.commitments.read()}
        return (self.scratch.ids() | traits | self.observations.refused_captures() | owed) - {""}


def land(stores: Stores, decisions: Sequence[Decision], now: datetime) -> Mapping[str, int]:
    """Carry decisions out and mark them; doing so again after a crash changes nothing.

    Returns:
        How many went where, and the seed's counters.
    """
    if not decisions:
        return {}
    by_place: dict[str, list[Decision]] = {}
    for one in decisions:
        by_place.setdefault(one.destination, []).append(one)
    counts: Counter[str] = Counter(captures_triaged=len(decisions))
    stores.scratch.add([_entry(one) for one in by_place.get(DAILY, [])])
    counts["observations_added"] = _observe(stores, by_place.get(OBSERVATIONS, []))
    stores.observations.refuse([_refused(one) for one in by_place.get(REFUSED, [])])
    counts["observations_refused"] = len(by_place.get(REFUSED, []))
    counts["commitments_extracted"] = _owe(stores, by_place.get(COMMITMENTS, []))
    counts["reminders_created"] = _remind(stores, by_place.get(QUEUE, []), now)
    mark_landed(stores.book, decisions, +counts)
    return +counts


def _entry(one: Decision) -> Entry:
    section = one.section or Section.NOTES
    return Entry(id=one.capture.id, section=section, moment=one.capture.ts, text=one.capture.text)


def _observe(stores: Stores, decisions: Sequence[Decision]) -> int:
    new = [NewTrait(capture_id=one.capture.id, ts=one.capture.ts, text=one.capture.text) for one in decisions]
    return sum(outcome != "known" for outcome in stores.observations.add(new))


def _refused(one: Decision) -> RefusedTrait:
    return RefusedTrait(
        capture_id=one.capture.id,
        ts=one.capture.ts,
        text=one.capture.text,
        reason=one.reason,
        decided_by=one.decided_by,
    )


def _owe(stores: Stores, decisions: Sequence[Decision]) -> int:
    owed = [commitment_of(one.capture, one.due, decided_by=one.decided_by) for one in decisions]
    if owed:
        stores.commitments.add(owed)
    return len(owed)


def _remind(stores: Stores, decisions: Sequence[Decision], now: datetime) -> int:
    for one in decisions:
        assert one.due is not None
        reminder = Reminder(
            capture_id=one.capture.id, text=one.capture.text, due=one.due, created=now, is_late=one.due <= now
        )
        enqueue_message(stores.book, reminder)
    return len(decisions)
