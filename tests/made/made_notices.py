"""A notifier of made channels that take, refuse, or end the world, and reminders for it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from slowwave.wake.notices import Notice, NotSent, Sent
from slowwave.wake.quiet import QuietHours
from slowwave.wake.reminders import Reminder

DUE = datetime(2026, 2, 1, 9, 0, tzinfo=UTC)
NEVER_QUIET = QuietHours(start="", end="", zone=UTC)


class KilledError(BaseException):
    """Stands for the end of the process while a message leaves."""


@dataclass(slots=True)
class MadeNotifier:
    """Channels by name; those in ``broken`` refuse, those in ``deadly`` take and then end the process."""

    channels: Sequence[str] = ("mail", "file")
    broken: dict[str, NotSent] = field(default_factory=dict)
    deadly: set[str] = field(default_factory=set)
    taken: dict[str, list[Notice]] = field(default_factory=lambda: defaultdict(list))
    tried: list[str] = field(default_factory=list)

    def send(self, channel: str, notice: Notice) -> Sent | NotSent:
        """Take it, or not."""
        self.tried.append(channel)
        if channel in self.broken:
            return self.broken[channel]
        self.taken[channel].append(notice)
        if channel in self.deadly:
            raise KilledError
        return Sent()


def reminder(name: str = "c-1", *, text: str = "call Ann", due: datetime = DUE, is_late: bool = False) -> Reminder:
    """A reminder of a capture."""
    return Reminder(capture_id=name, text=text, due=due, created=DUE, is_late=is_late)
