"""When something that recurs each day is due. Pure.

Hours are those on the wall of a zone. One that a change of the clock leaves out comes later by as much; one that comes
twice is meant the first time (spec 05).
"""

from datetime import UTC, date, datetime, time, timedelta, tzinfo

_DAY_MINUTES = 24 * 60
_A_DAY = timedelta(days=1)


def clock_of(hour: str) -> tuple[int, int]:
    """Hour and minute of ``HH:MM``; 24:00 is the next day's first minute, 0:00."""
    hours, minutes = hour.split(":")
    return divmod((int(hours) * 60 + int(minutes)) % _DAY_MINUTES, 60)


def moment_on(day: date, hour: str, zone: tzinfo) -> datetime:
    """The moment of an hour on a local day, in UTC."""
    hours, minutes = clock_of(hour)
    return datetime.combine(day, time(hours, minutes), tzinfo=zone).astimezone(UTC)


def last_due(hour: str, zone: tzinfo, now: datetime) -> datetime:
    """The latest moment of an hour that is not after ``now``."""
    today = now.astimezone(zone).date()
    moments = (moment_on(today + _A_DAY * step, hour, zone) for step in (1, 0, -1, -2))
    return next(moment for moment in moments if moment <= now)


def next_due(hour: str, zone: tzinfo, now: datetime) -> datetime:
    """The first moment of an hour after ``now``."""
    today = now.astimezone(zone).date()
    moments = (moment_on(today + _A_DAY * step, hour, zone) for step in (-1, 0, 1, 2))
    return next(moment for moment in moments if moment > now)
