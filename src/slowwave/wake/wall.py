"""Hours of the day as the clock on the wall shows them: ``HH:MM``, ``24:00`` for the day's end."""

from datetime import date, datetime, time, timedelta, tzinfo

_DAY_MINUTES = 24 * 60


def minutes_of(hour: str) -> int:
    """Minutes since midnight."""
    hours, _, minutes = hour.partition(":")
    return min(_DAY_MINUTES, int(hours) * 60 + int(minutes))


def lies_between(start: int, end: int, local: datetime) -> bool:
    """Whether a local moment lies from ``start`` until ``end``, in minutes; over midnight where the end is earlier.

    What the same minute twice means, the whole day or no time at all, is the caller's to say.
    """
    minute = local.hour * 60 + local.minute
    return start <= minute < end if start < end else minute >= start or minute < end


def moment_on(day: date, minutes: int, zone: tzinfo) -> datetime:
    """The moment that many minutes into a day: aware, in the zone.

    A gap of the clock moves the hour by its length, as everywhere: there and back through UTC.
    """
    wall = datetime.combine(day, time(0), tzinfo=zone) + timedelta(minutes=minutes)
    return datetime.fromtimestamp(wall.timestamp(), zone)
