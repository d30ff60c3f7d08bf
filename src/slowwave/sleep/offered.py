"""What a night was offered: written down when consolidation begins, so that a night taken up again stays that night."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from slowwave.facts.ids import SessionId
from slowwave.records.session import Session
from slowwave.sleep.attempts import read_attempts
from slowwave.sleep.batch_plan import BatchPlan, read_plan
from slowwave.sleep.batches import Grouping, Offer, group, offer
from slowwave.sleep.marks import first_new_lines, read_marks
from slowwave.sleep.plan import Night


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """The sessions a night may work on, by id, and where all the others stand; the counts add up."""

    sessions: tuple[SessionId, ...]
    counts: Mapping[str, int]

    def written(self) -> str:
        """It as JSON."""
        return json.dumps({"sessions": self.sessions, "counts": dict(self.counts)}, sort_keys=True)


def read_offered(text: str) -> Offered:
    """It back from its JSON."""
    read = json.loads(text)
    return Offered(sessions=tuple(SessionId(session) for session in read["sessions"]), counts=read["counts"])


def offer_sessions(night: Night) -> Offer:
    """The sessions this night may work on, as they lie there now."""
    record = night.record
    marks = read_marks(night.state, record.profile, of_all=record.any_marks)

    def first_new(session: Session) -> tuple[int, ...]:
        is_again = record.again and (not record.since or day_of(session) >= record.since)
        return tuple(1 for _ in session.files) if is_again else first_new_lines(session, marks)

    attempts = {} if record.again else read_attempts(night.state, record.profile)
    return offer(night.sessions, first_new, night.present, attempts=attempts)


def day_of(session: Session) -> str:
    """The day a session ended on, as YYYY-MM-DD in UTC; empty where its record has no moment."""
    return session.ended.date().isoformat() if session.ended else ""


def offered_by(found: Offer, total: int) -> Offered:
    """An offer as it is written down; ``total`` is how many sessions were found."""
    counts = {
        "sessions_found": total,
        "sessions_eligible": len(found.sessions),
        "sessions_known": len(found.known),
        "sessions_unsettled": found.unsettled,
        "sessions_copies": found.copies,
        "sessions_empty": found.empty,
        "sessions_small": found.small,
        "sessions_set_aside": len(found.aside),
    }
    return Offered(sessions=tuple(session.id for session, _ in found.sessions), counts=counts)


def plan_batches(night: Night, phase: str, found: Offer, offered: Offered) -> tuple[BatchPlan, ...]:
    """The batches this night wrote down before it was killed, then those for what is left of its offer."""
    rows = night.state.connection.execute(
        "SELECT plan FROM steps WHERE run_id = ? AND name = ? AND number > 0 ORDER BY number",
        (night.record.run_id, phase),
    )
    begun = tuple(read_plan(str(row[0])) for row in rows)
    open_ids = set(offered.sessions) - {session for plan in begun for session in plan.new}
    rest = replace(found, sessions=tuple(pair for pair in found.sessions if pair[0].id in open_ids))
    how = Grouping(
        now=night.present,
        least_bytes=night.engine.least_bytes,
        attempts={} if night.record.again else read_attempts(night.state, night.record.profile),
        has_backlog=not night.record.is_first,
    )
    fresh = tuple(replace(plan, number=len(begun) + plan.number) for plan in group(rest, how))
    return (*begun, *fresh)
