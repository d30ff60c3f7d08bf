"""Quiet hours: when nothing is sent. What is due meanwhile waits; nothing is lost."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo

_DAY_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class QuietHours:
    """From ``start`` until ``end`` by the clock on the wall of ``zone``; they may go over midnight.

    Attributes:
        start: ``HH:MM``; empty for no quiet hours. ``24:00`` is the day's end.
        end: ``HH:MM``, no longer quiet itself. The same as ``start``, or empty: no quiet hours.
        zone: Whose clock is meant. A day of 23 or 25 hours keeps its hours as the clock shows them.
    """

    start: str
    end: str
    zone: tzinfo

    def cover(self, now: datetime) -> bool:
        """Whether an aware moment lies in them."""
        start, end = _minutes(self.start), _minutes(self.end)
        if start is None or end is None or start == end:
            return False
        local = now.astimezone(self.zone)
        minute = local.hour * 60 + local.minute
        if start < end:
            return start <= minute < end
        return minute >= start or minute < end

    def end_after(self, now: datetime) -> datetime:
        """When those that cover a moment are over: aware, in the zone."""
        end = _minutes(self.end) or 0
        local = now.astimezone(self.zone)
        is_today = local.hour * 60 + local.minute < end
        day = local.date() if is_today else local.date() + timedelta(days=1)
        # A gap of the clock moves the hour by its length, as everywhere: there and back through UTC.
        wall = datetime.combine(day, time(0), tzinfo=self.zone) + timedelta(minutes=end)
        return datetime.fromtimestamp(wall.timestamp(), self.zone)


def _minutes(hour: str) -> int | None:
    """Minutes since midnight; None for no hour."""
    if not hour:
        return None
    hours, _, minutes = hour.partition(":")
    return min(_DAY_MINUTES, int(hours) * 60 + int(minutes))
