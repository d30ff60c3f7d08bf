"""Days and hours of a zone: calendar steps at the same wall time, gaps, overlaps and short months (spec 05)."""

from calendar import monthrange
from datetime import UTC, date, datetime, time, timedelta, tzinfo


def instant_at(day: date, hour: time, zone: tzinfo) -> datetime:
    """The instant of a wall time: moved forward by its length in a gap, the first pass of an overlap.

    Raises:
        OverflowError: It lies outside the years 1 to 9999.
    """
    wall = datetime.combine(day, hour.replace(tzinfo=None, fold=0))
    # In a gap the offset of ``fold=0`` is the one before it, so the way over UTC moves the hour by the gap's length.
    return wall.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)


def elapsed(at: datetime, step: timedelta) -> datetime:
    """So much later, by the clock that never jumps; in the zone of ``at``."""
    return (at.astimezone(UTC) + step).astimezone(at.tzinfo)


def months_on(day: date, months: int) -> date:
    """The same day of a later month; its last day where it has no such day.

    Raises:
        OverflowError: There is no such year.
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        raise OverflowError("no such year")
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def last_of_month(day: date) -> date:
    """The last day of the month that a day lies in."""
    return day.replace(day=monthrange(day.year, day.month)[1])


def monday_of(day: date) -> date:
    """The Monday of a day's ISO week."""
    return day - timedelta(days=day.weekday())


def date_or_none(year: int, month: int, day: int) -> date | None:
    """A date, where there is such a day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None
