"""Hours: which instants of a day an hour or a part of it may mean (spec 05, Defaults)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone

from slowwave.wake.when.calendar import instant_at
from slowwave.wake.when.items import Clock

_PART_HOURS = {"": 9, "morning": 9, "noon": 12, "afternoon": 15, "evening": 20, "midnight": 24, "eod": 17}
"""Of parts of the day, and of a day without an hour; an evening is a "tonight"."""
_NIGHT_ENDS = 5  # "tonight at 2" lies in the night that follows
_DAYS_AHEAD = 3  # within which every hour of the clock comes again, in any zone


@dataclass(frozen=True, slots=True, kw_only=True)
class Hour:
    """What is said of the hour: a clock, a part of the day, both, or neither."""

    clock: Clock | None
    part: str

    @property
    def is_open(self) -> bool:
        """Whether nothing is said."""
        return self.clock is None and not self.part


def one_part(parts: Iterable[str]) -> tuple[str, ...]:
    """Parts that are said, each once; "tonight at midnight" is a midnight."""
    found = tuple(dict.fromkeys(parts))
    return ("midnight",) if set(found) == {"evening", "midnight"} else found


def soonest(instants: Iterable[datetime], at: datetime) -> datetime | None:
    """The first instant after ``at``."""
    return min((instant for instant in instants if instant > at), default=None)


def hour_alone(hour: Hour, at: datetime) -> Iterator[datetime]:
    """Instants of an hour that is said without a day; the end of the day is always that of this day."""
    for ahead in range(1 if hour.part == "eod" else _DAYS_AHEAD):
        yield from _instants(at.date() + timedelta(days=ahead), _hours(hour, is_any_half=True), hour, at)


def hours_on(day: date, hour: Hour, at: datetime) -> Iterator[datetime]:
    """Instants of an hour on a day; a bare hour of this day may be of either half."""
    yield from _instants(day, _hours(hour, is_any_half=day == at.date()), hour, at)


def _instants(day: date, hours: tuple[int, ...], hour: Hour, at: datetime) -> Iterator[datetime]:
    clock = hour.clock or Clock(hour=0)
    zone = at.tzinfo or UTC
    for one in hours:
        wall = time(one % 24, clock.minute, clock.second)
        on = day + timedelta(days=one // 24)
        if clock.zone is None:
            yield instant_at(on, wall, zone)
        else:
            there = timezone(timedelta(minutes=clock.zone))
            yield datetime.combine(on, wall, there).astimezone(zone)


def _hours(hour: Hour, *, is_any_half: bool) -> tuple[int, ...]:
    """Hours counted from the day's beginning; 24 and more lie in the next day."""
    clock = hour.clock
    if clock is None:
        return (_PART_HOURS[hour.part],)
    if clock.half:
        return (clock.hour % 12 + (12 if clock.half == "pm" else 0),)
    if hour.part:
        return (_within(hour.part, clock.hour),)
    if not clock.is_bare or not is_any_half or clock.zone is not None:
        return (clock.hour,)
    if clock.is_about and clock.hour == _PART_HOURS["morning"]:
        return (clock.hour,)  # spec 05: "9ish" is 09:00
    return (clock.hour, clock.hour + 12)


def _within(part: str, hour: int) -> int:
    """An hour of the 12-hour clock in a part of the day; one of the 24-hour clock stays."""
    if hour > 12 or part == "morning":
        return hour
    if part in ("evening", "midnight"):
        return hour + (24 if hour < _NIGHT_ENDS else 12)
    if part == "noon":
        return hour + 12 if hour < _NIGHT_ENDS else hour
    return hour if hour == 12 else hour + 12
