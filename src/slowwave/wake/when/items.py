"""Items: what the words of a run say, before anybody asks which instant that is."""

from dataclasses import dataclass
from datetime import date, datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """A day.

    Attributes:
        kind: ``offset`` from today, ``weekday``, ``date``, ``of_month``, ``week``, ``month``, ``year``, ``weekend``,
            ``last_of_month``, ``end_of_week``.
        number: The offset, the weekday from Monday 0, or the day of the month.
        month: 1 to 12, where it names one.
        year: Where it names one.
        which: ``this``, ``next``, ``after_next``, ``coming`` or ``last``; empty for none.
    """

    kind: str
    number: int = 0
    month: int = 0
    year: int = 0
    which: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """An hour.

    Attributes:
        hour: 0 to 24.
        minute: 0 to 59.
        second: 0 to 59.
        is_bare: Whether it may mean either half of the day.
        half: ``am``, ``pm``, or empty.
        is_about: Whether it was said with "-ish".
        zone: Minutes from UTC, where it names a zone.
    """

    hour: int
    minute: int = 0
    second: int = 0
    is_bare: bool = False
    half: str = ""
    is_about: bool = False
    zone: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of the day: morning, noon, afternoon, evening, midnight, eod; or ``same``, the hour it is."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """So much from now, or from the day beside it: calendar months and days, working days, and elapsed seconds."""

    months: int = 0
    days: int = 0
    working_days: int = 0
    seconds: int = 0
    is_back: bool = False
    is_from: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A date and hour with its own offset, as machines write them; ``wall`` has no zone where none was written."""

    wall: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """Why there is no instant: recurring, ambiguous, past, no_time; or what stands between: or, range, shifted."""

    name: str


Item = Day | Clock | Part | Step | Moment | Flag


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Words beside one another that name one time.

    Attributes:
        items: What they say, in order.
        start: Offset of the first character.
        end: Offset behind the last one.
        first: Place of the first term.
        behind: Place behind the last term.
    """

    items: tuple[Item, ...]
    start: int
    end: int
    first: int
    behind: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """From where a time is seen: the moment of asking in the zone, and its day."""

    at: datetime

    @property
    def today(self) -> date:
        """The day there."""
        return self.at.date()
