"""Settling: which day the items of a run name, seen from a moment; why they name none."""

from dataclasses import dataclass
from datetime import date, timedelta

from slowwave.wake.when.answer import Reason
from slowwave.wake.when.calendar import date_or_none, last_of_month, monday_of, months_on
from slowwave.wake.when.items import Day, Step

_FRIDAY, _SATURDAY = 4, 5
_WEEKS = {"next": 7, "after_next": 14}  # days from this week's Monday to that of the week meant
_MONTHS_AHEAD = 13  # within which every day of the month that a year has comes again


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """The days a phrase may mean, the nearest first.

    Attributes:
        days: One where it is fixed; more where the first that is still to come counts.
    """

    days: tuple[date, ...]


def days_of(named: Day, today: date) -> Days | Reason:
    """The days that one naming means."""
    settled = {
        "offset": _offset,
        "weekday": _weekday,
        "date": _date,
        "of_month": _of_month,
        "last_of_month": _last_of_month,
        "week": _period,
        "month": _period,
        "year": _period,
        "weekend": _weekend,
        "end_of_week": _end_of_week,
    }[named.kind]
    return settled(named, today)


def _offset(named: Day, today: date) -> Days | Reason:
    if named.number < 0:
        return Reason.PAST
    return Days(days=(today + timedelta(days=named.number),))


def _weekday(named: Day, today: date) -> Days | Reason:
    """Spec 05: "next Friday" is Friday of next week; every other one is the first to come."""
    if named.which == "last":
        return Reason.PAST
    if named.which in _WEEKS:
        return Days(days=(monday_of(today) + timedelta(days=_WEEKS[named.which] + named.number),))
    ahead = (named.number - today.weekday()) % 7
    first = today + timedelta(days=ahead)
    if named.which == "coming" and not ahead:
        return Days(days=(first + timedelta(days=7),))
    return Days(days=(first, first + timedelta(days=7)))


def _date(named: Day, today: date) -> Days | Reason:
    """A day and month; without a year the next month of that name decides, so 29 February may not exist."""
    if named.year:
        day = date_or_none(named.year, named.month, named.number)
        return Days(days=(day,)) if day else Reason.NO_TIME
    is_over = (named.month, named.number) < (today.month, today.day)
    year = today.year + 1 if is_over else today.year
    day = date_or_none(year, named.month, named.number)
    return Days(days=(day,)) if day else Reason.NO_TIME


def _of_month(named: Day, today: date) -> Days | Reason:
    """Spec 05: "the 31st" in a short month means the next month that has one."""
    months = (months_on(today.replace(day=1), ahead) for ahead in range(_MONTHS_AHEAD))
    days = (date_or_none(month.year, month.month, named.number) for month in months)
    found = tuple(day for day in days if day is not None and day >= today)
    return Days(days=found[:2]) if found else Reason.NO_TIME


def _last_of_month(named: Day, today: date) -> Days | Reason:
    if named.which == "last":
        return Reason.PAST
    if not named.month:
        return Days(days=(last_of_month(months_on(today, named.which == "next")),))
    year = named.year or today.year + (named.month < today.month)
    return Days(days=(last_of_month(date(year, named.month, 1)),))


def _end_of_week(named: Day, today: date) -> Days | Reason:
    if named.which == "last":
        return Reason.PAST
    weeks = 7 if named.which == "next" else 0
    return Days(days=(monday_of(today) + timedelta(days=weeks + _FRIDAY),))


def _period(named: Day, today: date) -> Days | Reason:
    """A next week begins on its Monday, as "next Friday" lies in it; "this week" names no day."""
    which = "next" if named.which == "coming" else named.which
    if which not in _WEEKS:
        return Reason.AMBIGUOUS
    days = _WEEKS[which]
    if named.kind == "week":
        return Days(days=(monday_of(today) + timedelta(days=days),))
    if named.kind == "month":
        return Days(days=(months_on(today.replace(day=1), days // 7),))
    return Days(days=(date(today.year + days // 7, 1, 1),))


def _weekend(named: Day, today: date) -> Days | Reason:
    """A weekend begins on its Saturday; on a Saturday it is the Sunday too."""
    if named.which == "last":
        return Reason.PAST
    saturday = monday_of(today) + timedelta(days=_SATURDAY)
    if named.which in _WEEKS:
        return Days(days=(saturday + timedelta(days=_WEEKS[named.which]),))
    return Days(days=(saturday, saturday + timedelta(days=1)))


def joined(days: tuple[Day, ...], today: date) -> Days | Reason:
    """The days that several namings mean together: "Friday, 5 March", "Monday next week"."""
    days = tuple(dict.fromkeys(days))
    if len(days) == 1:
        return days_of(days[0], today)
    return _in_next_month(days, today) or _on_weekday(days, today)


def _on_weekday(days: tuple[Day, ...], today: date) -> Days | Reason:
    weekday = next((day for day in days if day.kind == "weekday"), None)
    others = tuple(day for day in days if day is not weekday)
    if weekday is None or len(others) != 1:
        return Reason.AMBIGUOUS
    other = others[0]
    if other.kind == "week":
        if other.which == "last":
            return Reason.PAST
        ahead = _WEEKS.get(other.which, 0 if other.which == "this" else 7)
        return Days(days=(monday_of(today) + timedelta(days=ahead + weekday.number),))
    found = days_of(other, today)
    if isinstance(found, Reason):
        return found
    fitting = tuple(day for day in found.days if day.weekday() == weekday.number)
    return Days(days=fitting) if fitting else Reason.AMBIGUOUS


def _in_next_month(days: tuple[Day, ...], today: date) -> Days | Reason | None:
    """As in "the 5th of next month"."""
    if sorted(day.kind for day in days) != ["month", "of_month"]:
        return None
    month = next(day for day in days if day.kind == "month")
    number = next(day.number for day in days if day.kind == "of_month")
    begins = _period(month, today)
    if isinstance(begins, Reason):
        return begins
    day = date_or_none(begins.days[0].year, begins.days[0].month, number)
    return Days(days=(day,)) if day else Reason.NO_TIME


def stepped(day: date, step: Step) -> date:
    """A day moved by the calendar part of a step.

    Raises:
        OverflowError: There is no such day.
    """
    moved = months_on(day, step.months) + timedelta(days=step.days)
    for _ in range(min(step.working_days, 1_000)):
        moved += timedelta(days=1 if moved.weekday() < _FRIDAY else 7 - moved.weekday())
    return moved
