"""The library: dateparser, for absolute forms and languages that our own words do not cover; only where it is sure.

It reads dates into ordinary words and passes over figures that it cannot place. So it is shown short phrases that have
a figure or a longer word, must understand all of one, must find a day and a month, and is believed about "in so many
hours" only where the figure is the one it counted by.
"""

import re
import warnings
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from slowwave.facts.limits import MOST_LIBRARY_CHARACTERS
from slowwave.wake.when.calendar import elapsed, instant_at, months_on
from slowwave.wake.when.hours import Hour, hours_on, soonest
from slowwave.wake.when.items import Clock

if TYPE_CHECKING:
    from dateparser.date import DateDataParser

_OTHERS = (
    *("it", "pt", "nl", "pl", "ru", "uk", "cs", "sv", "da", "nb"),
    *("fi", "ro", "el", "tr", "he", "ar", "hi", "ko", "ja", "zh"),
)
_LANGUAGES = ("en", "de", "es", "fr", *_OTHERS)
_MARK = 123_457  # microseconds of the moment that it counts from: who has them was counted from it, not written out
_WINDOW = 5  # words at an end of a sentence that may be a time
_YEAR = timedelta(days=366)  # within which a day lies that was named without its year
_ALL_FIGURES = re.compile(r"\d{4}")
_WORD = re.compile(r"[^\W\d_]+")
_SHORT_WORD = re.compile(r"[^\W\d_a-zA-Z]{3}")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}")
_LONG_WORD = re.compile(rf"[^\W\d_]{{4}}|{_UNSPACED.pattern}")
_FIGURES = re.compile(r"\d+")
_HOUR = re.compile(r"(?<![\d.:/-])(\d{1,2})(?:[:.hH](\d{2}))?(?![\d.:/-])")
_UNITS = tuple(timedelta(**{unit: 1}) for unit in ("seconds", "minutes", "hours", "days", "weeks"))


def by_library(phrase: str, at: datetime) -> datetime | None:
    """The instant after ``at`` that a whole phrase names; None where the library is not sure or it is past."""
    is_dated = _FIGURES.search(phrase) and (_ALL_FIGURES.search(phrase) or _SHORT_WORD.search(phrase))
    if len(phrase) > MOST_LIBRARY_CHARACTERS or not (is_dated or _LONG_WORD.search(phrase)):
        return None
    try:
        found = _written(phrase, at) or _counted(phrase, at) or _day_and_hour(phrase, at)
    except (OverflowError, ValueError):
        return None
    return found.replace(microsecond=0) if found is not None and found > at else None


def tail_by_library(text: str, at: datetime) -> tuple[datetime, str] | None:
    """The instant that the last or the first words of a sentence name, with those words."""
    words = text.split()
    for count in range(min(_WINDOW, len(words)), 0, -1):
        for window in (words[-count:], words[:count]):
            phrase = " ".join(window).strip(".,!?;:。")
            found = by_library(phrase, at)
            if found is not None:
                return found, phrase
    return None


def _written(phrase: str, at: datetime) -> datetime | None:
    """A date that is written out; without an hour it is a day (spec 05: 09:00)."""
    has_year = bool(_ALL_FIGURES.search(phrase))
    found = _parsed(phrase, at, _LANGUAGES if has_year else _OTHERS) if _FIGURES.search(phrase) else None
    if found is None or found[0].microsecond == _MARK:
        return None
    moment, has_hour = found
    if not has_year and moment.date() - at.date() > _YEAR:
        return None
    zone = at.tzinfo or UTC
    if moment.tzinfo is not None and has_hour:
        return moment.astimezone(zone)
    return instant_at(moment.date(), moment.time() if has_hour else time(9), zone)


def _counted(phrase: str, at: datetime) -> datetime | None:
    """A step from now by the one figure of the phrase."""
    figures = _FIGURES.findall(phrase)
    is_led = len(_WORD.findall(phrase)) > 1 or _UNSPACED.search(phrase)
    found = _parsed(phrase, at, _OTHERS) if len(figures) == 1 and is_led else None
    if found is None or not _is_counted(found[0]):
        return None
    number, step = int(figures[0]), found[0] - _seen(at)
    rest = _parsed(_FIGURES.sub("", phrase), at, _OTHERS)
    if number == 0 or (rest is not None and rest[0] == found[0]):
        return None  # the figure was passed over
    if step in (number * _UNITS[0], number * _UNITS[1], number * _UNITS[2]):
        return elapsed(at, step)
    day = found[0].date()
    months = (months_on(at.date(), number), months_on(at.date(), 12 * number))
    is_day = step in (number * _UNITS[3], number * _UNITS[4]) or day in months
    return instant_at(day, at.time(), at.tzinfo or UTC) if is_day else None


def _day_and_hour(phrase: str, at: datetime) -> datetime | None:
    """A day with a name, with an hour in figures or without one; "today" needs an hour with minutes."""
    hours = list(_HOUR.finditer(phrase))
    rest = " ".join(_HOUR.sub("", phrase).split())
    found = _parsed(rest, at, _OTHERS) if len(hours) < 2 and not _FIGURES.search(rest) else None
    if found is None or not _is_counted(found[0]) or not _LONG_WORD.search(rest):
        return None
    step = found[0] - _seen(at)
    has_minutes = bool(hours and hours[0].group(2))
    if step % _UNITS[3] or not (step > timedelta() or (step == timedelta() and has_minutes)):
        return None
    return soonest(hours_on(found[0].date(), Hour(clock=_clock_of(hours), part=""), at), at)


def _clock_of(hours: list[re.Match[str]]) -> Clock | None:
    """The hour that was written.

    Raises:
        ValueError: There is no such hour.
    """
    if not hours:
        return None
    written = time(int(hours[0].group(1)), int(hours[0].group(2) or 0))
    return Clock(hour=written.hour, minute=written.minute)


def _is_counted(moment: datetime) -> bool:
    """Whether it was counted from the moment of asking, in that wall time."""
    return moment.tzinfo is None and moment.microsecond == _MARK


def _seen(at: datetime) -> datetime:
    """The moment that the library counts from: wall time, marked."""
    return at.replace(tzinfo=None, fold=0, microsecond=_MARK)


def _parsed(phrase: str, at: datetime, languages: tuple[str, ...]) -> tuple[datetime, bool] | None:
    """What the library reads: wall time, or aware where the phrase names a zone; and whether it names an hour."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = _reader(_seen(at), languages).get_date_data(phrase)
    except Exception:
        return None  # whatever a text does to the library, it has understood nothing
    moment = found.date_obj
    return (moment, found.period == "time") if moment is not None else None


def _reader(seen: datetime, languages: tuple[str, ...]) -> "DateDataParser":
    from dateparser.date import DateDataParser

    return DateDataParser(
        languages=list(languages),
        settings={
            "RELATIVE_BASE": seen,
            "PREFER_DATES_FROM": "future",
            "REQUIRE_PARTS": ["day", "month"],
            "RETURN_TIME_AS_PERIOD": True,
            "DATE_ORDER": "DMY",
            "PARSERS": ["relative-time", "absolute-time"],
        },
    )
