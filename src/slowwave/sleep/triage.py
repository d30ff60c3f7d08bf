"""Phase 4, commitment triage: how urgent each open commitment is, and what to do about it. Pure (spec 04, seed 001).

Days are calendar days of the person's zone. The first category that fits wins.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from enum import StrEnum

from slowwave.facts.commitment import Commitment, CommitmentStatus
from slowwave.facts.text import cut, fold, showable

LONG_OVERDUE_DAYS = 7  # overdue by more is critical
SOON_DAYS = 3  # due within so many days is moderate
STALE_DAYS = 14  # undated and older is moderate
BLOCKING_HOURS = 24  # a blocking one due at an hour this near today is critical
_LISTED = 10  # of a category in the brief; the rest is counted
_STATEMENT_CHARACTERS = 200  # in a line of the brief


class Category(StrEnum):
    """How urgent, the most urgent first."""

    CRITICAL = "critical"
    HIGH = "high"
    TODAY = "today"
    MODERATE = "moderate"
    UPCOMING = "upcoming"


class Action(StrEnum):
    """What is suggested."""

    DO = "do"
    DELEGATE = "delegate"
    RESCHEDULE = "reschedule"
    CLOSE = "close"
    ASK = "ask"


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """When a commitment is due: its day in the zone, and its instant where an hour is stated."""

    day: date
    instant: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Triaged:
    """One commitment with its category, why it is in it, what is suggested, until when, and why that."""

    commitment: Commitment
    category: Category
    reason: str
    action: Action
    until: date | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitmentTriage:
    """All open ones, the most urgent first, and what could not be understood."""

    items: tuple[Triaged, ...]
    warnings: tuple[str, ...] = ()

    def of(self, category: Category) -> tuple[Triaged, ...]:
        """Those of one category."""
        return tuple(item for item in self.items if item.category is category)


def triage_commitments(
    commitments: Iterable[Commitment], *, now: datetime, zone: tzinfo, settled: Mapping[str, str] | None = None
) -> CommitmentTriage:
    """Sort open commitments by urgency.

    Args:
        commitments: All; those that are done or dropped are left out.
        now: The present.
        zone: Whose days count.
        settled: For commitments that seem done, by id, the evidence for it in a few words.
    """
    warnings: list[str] = []
    items = []
    for one in commitments:
        if one.status is not CommitmentStatus.PENDING:
            continue
        due = due_of(one.due, zone)
        if one.due and due is None:
            warnings.append(f"{showable(one.id)}: its due date cannot be read, so it counts as undated")
        items.append(_triaged(one, due, now, zone, (settled or {}).get(one.id, "")))
    order = list(Category)
    items.sort(key=lambda item: (order.index(item.category), _sortable(item, zone), item.commitment.id))
    return CommitmentTriage(items=tuple(items), warnings=tuple(warnings))


def _sortable(item: Triaged, zone: tzinfo) -> str:
    due = due_of(item.commitment.due, zone)
    return due.day.isoformat() if due else "9999"


def due_of(text: str, zone: tzinfo) -> Due | None:
    """A due date or instant; None for none, and for what cannot be read. An instant without offset is the zone's."""
    try:
        if len(text) == len("2026-01-01"):
            return Due(day=date.fromisoformat(text))
        moment = datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=zone)
        return Due(day=moment.astimezone(UTC).astimezone(zone).date(), instant=moment.astimezone(UTC))
    except (ValueError, OverflowError):
        return None


def _triaged(one: Commitment, due: Due | None, now: datetime, zone: tzinfo, settled: str) -> Triaged:
    today = now.astimezone(UTC).astimezone(zone).date()
    days = (due.day - today).days if due else None
    category, reason = _category(one, due, days, now, zone)
    action, until, why = _action(one, category, days, today, settled)
    return Triaged(commitment=one, category=category, reason=reason, action=action, until=until, why=why)


def _category(one: Commitment, due: Due | None, days: int | None, now: datetime, zone: tzinfo) -> tuple[Category, str]:
    """The first category that fits, and why."""
    if one.priority == "critical" and not (days is not None and days < -LONG_OVERDUE_DAYS):
        return Category.CRITICAL, "its priority is critical"
    if days is None:
        return _undated(_age(one.ts, now, zone))
    if days == 0 and one.blocking and due is not None and _is_near(due.instant, now):
        return Category.CRITICAL, "somebody waits for it, and its hour is today"
    return _dated(days)


def _dated(days: int) -> tuple[Category, str]:
    if days < 0:
        long = days < -LONG_OVERDUE_DAYS
        return Category.CRITICAL if long else Category.HIGH, f"overdue by {_days(-days)}"
    if days == 0:
        return Category.TODAY, "due today"
    return Category.MODERATE if days <= SOON_DAYS else Category.UPCOMING, f"due in {_days(days)}"


def _undated(age: int | None) -> tuple[Category, str]:
    if age is not None and age > STALE_DAYS:
        return Category.MODERATE, f"undated, and {age} days old"
    return Category.UPCOMING, "undated"


def _days(number: int) -> str:
    return f"{number} {'day' if number == 1 else 'days'}"


def _is_near(instant: datetime | None, now: datetime) -> bool:
    """Whether a stated hour lies ahead within a day of elapsed time."""
    return instant is not None and timedelta(0) <= instant - now.astimezone(UTC) <= timedelta(hours=BLOCKING_HOURS)


def _age(ts: str, now: datetime, zone: tzinfo) -> int | None:
    """Calendar days since it was made; None where that is not known."""
    made = due_of(ts, zone)
    return (now.astimezone(UTC).astimezone(zone).date() - made.day).days if made else None


def _action(
    one: Commitment, category: Category, days: int | None, today: date, settled: str
) -> tuple[Action, date | None, str]:
    """What to suggest: evidence that it is done first, then whose it is, then what its date says."""
    if settled:
        return Action.CLOSE, None, f"evidence seen: {settled}"
    if one.actor.strip().lower() not in _SELF:
        return Action.DELEGATE, None, f"{one.actor} said they would; ask how it stands"
    if days is None:
        return (Action.DO, today, "it cannot wait") if category is Category.CRITICAL else _ask(category)
    if days < -LONG_OVERDUE_DAYS and one.priority != "critical" and not one.blocking:
        return Action.RESCHEDULE, _next_workday(today), "long overdue and nobody waits: give it a day that holds"
    if category in (Category.CRITICAL, Category.HIGH, Category.TODAY):
        return Action.DO, today, "it cannot wait" if category is Category.CRITICAL else "it is its day"
    return Action.DO, today + timedelta(days=days), "there is time until then"


_SELF = ("", "me", "user", "i", "ich", "yo")


def _ask(category: Category) -> tuple[Action, None, str]:
    why = "without a date for two weeks: is it still wanted?" if category is Category.MODERATE else "it has no date"
    return Action.ASK, None, why


def _next_workday(today: date) -> date:
    after = today + timedelta(days=1)
    while after.weekday() >= 5:
        after += timedelta(days=1)
    return after


def format_triage_for_brief(triage: CommitmentTriage) -> str:
    """The triage as Markdown for a brief; empty where nothing is open. Bounded, and safe to show."""
    parts = []
    for category in Category:
        items = triage.of(category)
        if not items:
            continue
        lines = [f"**{category.value}** ({len(items)})", *(_line(item) for item in items[:_LISTED])]
        if len(items) > _LISTED:
            lines.append(f"- and {len(items) - _LISTED} more")
        parts.append("\n".join(lines))
    return "\n\n".join([*parts, *_warned(triage.warnings)])


def _line(item: Triaged) -> str:
    said = cut(fold(showable(item.commitment.statement)), _STATEMENT_CHARACTERS)
    until = f" {item.until.isoformat()}" if item.until and item.action is Action.RESCHEDULE else ""
    return f"- {said} ({item.reason}; {item.action.value}{until}: {showable(item.why)})"


def _warned(warnings: Sequence[str]) -> list[str]:
    return ["\n".join(f"- {warning}" for warning in warnings[:_LISTED])] if warnings else []
