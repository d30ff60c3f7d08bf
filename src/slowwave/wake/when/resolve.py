"""Resolving: the instant that the items of a run name, seen from a moment in a zone; never one that is past."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from slowwave.wake.when.answer import Reason
from slowwave.wake.when.calendar import elapsed, instant_at, monday_of
from slowwave.wake.when.hours import Hour, hour_alone, hours_on, one_part, soonest
from slowwave.wake.when.items import Clock, Day, Flag, Item, Moment, Part, Step
from slowwave.wake.when.settle import joined, stepped

_REASONS = {reason.value: reason for reason in Reason}
Resolved = datetime | Reason


def resolve(items: Sequence[Item], at: datetime) -> Resolved:
    """The instant after ``at``, in its zone; or why there is none."""
    try:
        return _resolve(tuple(items), at)
    except (OverflowError, ValueError):
        return Reason.NO_TIME


def _resolve(items: tuple[Item, ...], at: datetime) -> Resolved:
    reason = _unsettled(items)
    if reason is not None:
        return reason
    moment = next((item for item in items if isinstance(item, Moment)), None)
    if moment is not None:
        return _later(_instant_of(moment, at), at)
    clocks = tuple(dict.fromkeys(item for item in items if isinstance(item, Clock)))
    parts = one_part(item.name for item in items if isinstance(item, Part))
    if len(clocks) > 1 and Flag(name="range") in items:
        clocks = (_begin(clocks[0], clocks[1]),)
    if len(clocks) > 1 or len(parts) > 1:
        return Reason.AMBIGUOUS
    if parts == ("same",):
        clocks, parts = (Clock(hour=at.hour, minute=at.minute, second=at.second),), ()
    return _at_hour(items, Hour(clock=(clocks or (None,))[0], part=(parts or ("",))[0]), at)


def _at_hour(items: tuple[Item, ...], hour: Hour, at: datetime) -> Resolved:
    days = tuple(item for item in items if isinstance(item, Day))
    steps = tuple(item for item in items if isinstance(item, Step))
    if len(steps) > 1:
        return Reason.AMBIGUOUS
    if steps:
        is_step_first = not days or items.index(steps[0]) < items.index(days[0])
        return _by_step(days, steps[0], hour, at, is_step_first=is_step_first)
    if not days:
        return soonest(hour_alone(hour, at), at) or Reason.PAST
    found = joined(days, at.date())
    if isinstance(found, Reason):
        return found
    # Who names this very weekday without an hour means the next one.
    is_lone_weekday = hour.is_open and {day.kind for day in days} == {"weekday"}
    return _first(tuple(day for day in found.days if not (is_lone_weekday and day == at.date())), hour, at)


def _unsettled(items: tuple[Item, ...]) -> Reason | None:
    flags = [item.name for item in items if isinstance(item, Flag)]
    for name in ("recurring", "past", "ambiguous", "no_time"):
        if name in flags:
            return _REASONS[name]
    days = {item for item in items if isinstance(item, Day)}
    clocks = {item for item in items if isinstance(item, Clock)}
    if ("or" in flags and (len(days) > 1 or len(clocks) > 1)) or ("range" in flags and len(days) > 1):
        return Reason.AMBIGUOUS
    return None


def _begin(first: Clock, last: Clock) -> Clock:
    """Where a range of hours begins; "3-5pm" is both in the afternoon."""
    if first.half or not last.half or not first.is_bare or first.hour > last.hour:
        return first
    return replace(first, half=last.half, is_bare=False)


def _instant_of(moment: Moment, at: datetime) -> datetime:
    wall, zone = moment.wall, at.tzinfo or UTC
    if wall.tzinfo is not None:
        return wall.astimezone(zone)
    return instant_at(wall.date(), wall.time(), zone)


def _later(instant: datetime, at: datetime) -> Resolved:
    return instant if instant > at else Reason.PAST


def _first(days: Sequence[date], hour: Hour, at: datetime) -> Resolved:
    """The first instant to come on one of these days."""
    for day in days:
        if hour.part == "midnight" and day != at.date():
            return Reason.AMBIGUOUS
        found = soonest(hours_on(day, hour, at), at)
        if found is not None:
            return found
    return Reason.PAST


def _by_step(days: tuple[Day, ...], step: Step, hour: Hour, at: datetime, *, is_step_first: bool) -> Resolved:
    if step.is_back:
        return Reason.PAST
    is_calendar = bool(step.months or step.days or step.working_days)
    if not is_calendar and not days:
        return _later(elapsed(at, timedelta(seconds=step.seconds)), at) if hour.is_open else Reason.AMBIGUOUS
    if step.seconds and (days or not hour.is_open):
        return Reason.AMBIGUOUS
    if days:
        day = _beside(days, step, at.date(), is_step_first=is_step_first and not step.is_from)
        return day if isinstance(day, Reason) else _first((day,), hour, at)
    day = stepped(at.date(), step)
    if not hour.is_open:
        return _first((day,), hour, at)
    reached = instant_at(day, at.time(), at.tzinfo or UTC)
    return _later(elapsed(reached, timedelta(seconds=step.seconds)), at)


def _beside(days: tuple[Day, ...], step: Step, today: date, *, is_step_first: bool) -> date | Reason:
    """As in "a week from Friday" and "heute in einer Woche"; "in two weeks on Monday" is in the week then reached."""
    if is_step_first and step.days >= 7 and [day.kind for day in days] == ["weekday"]:
        return monday_of(stepped(today, step)) + timedelta(days=days[0].number)
    found = joined(days, today)
    if isinstance(found, Reason):
        return found
    if is_step_first:
        return found.days[0] if found.days[0] == stepped(today, step) else Reason.AMBIGUOUS
    is_weekday = days[0].kind == "weekday" and found.days[0] == today
    return stepped(found.days[1 if is_weekday and len(found.days) > 1 else 0], step)
