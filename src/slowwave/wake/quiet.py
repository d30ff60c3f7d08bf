"""Quiet hours: when nothing is sent. What is due meanwhile waits; nothing is lost."""

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from slowwave.wake.wall import lies_between, minutes_of, moment_on


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
        if not self.start or not self.end:
            return False
        start, end = minutes_of(self.start), minutes_of(self.end)
        return start != end and lies_between(start, end, now.astimezone(self.zone))

    def end_after(self, now: datetime) -> datetime:
        """When those that cover a moment are over: aware, in the zone."""
        end = minutes_of(self.end) if self.end else 0
        local = now.astimezone(self.zone)
        is_today = local.hour * 60 + local.minute < end
        return moment_on(local.date() + timedelta(days=0 if is_today else 1), end, self.zone)
