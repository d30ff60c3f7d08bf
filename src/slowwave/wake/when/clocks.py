"""Clocks: "at 9", "5:30pm", "half past eight", "halb neun", "a las ocho y media", "14h30", "quarter to ten"."""

from slowwave.wake.when.figures import Terms, has, hour_number_at, number_at, term_at
from slowwave.wake.when.items import Clock, Flag, Item
from slowwave.wake.when.tongue import Term

_LEADS = ("at", "by", "about", "between")
_FEWEST_SAID = 10  # minutes that are said behind an hour without a word between
_FOUR = 4  # figures of an hour with minutes and nothing between, as "0900"
_BARE = frozenset(range(1, 13))
Found = tuple[Item, int]


def clock_at(terms: Terms, place: int, *, is_led: bool, is_day_first: bool) -> Found | None:
    """An hour there, and the place behind it.

    ``is_led`` says that what stands before it makes a lone number an hour, as "tomorrow 9" does. Where
    ``is_day_first``, hours with minutes are those of the 24-hour clock, as they are written in those languages.
    """
    start = place
    while start - place < 3 and has(terms, start, *_LEADS) and not _is_hour_word(terms, start):
        start += 1
    is_at = start > place
    found = _written(terms, start, is_day_first=is_day_first, is_at=is_at)
    found = found or _spoken(terms, start, is_led=is_at or is_led)
    found = found or _lone(terms, start, is_led=is_led, lead=term_at(terms, start - 1) if is_at else None)
    return _tailed(terms, *found) if found else None


def _is_hour_word(terms: Terms, place: int) -> bool:
    """Spanish "la una": the article is a lead, the number is none."""
    return has(terms, place, "number")


def _written(terms: Terms, place: int, *, is_day_first: bool, is_at: bool) -> Found | None:
    """Hours in figures with minutes."""
    term = term_at(terms, place)
    if term is not None and is_at and term.kind == "number" and len(term.piece.text) == _FOUR:
        hours, minutes = divmod(int(term.piece.numbers[0] or 0), 100)
        return _checked(hours, minutes, is_bare=False), place + 1  # "at 1730"
    if term is None or term.kind not in ("time", "dotted"):
        return None
    is_dotted = term.kind == "dotted"
    if is_dotted and not (is_at or has(terms, place + 1, "am", "pm", "oclock")):
        return None
    numbers = [int(one or 0) for one in term.piece.numbers]
    second = numbers[2] if len(numbers) > 2 else 0
    is_bare = not is_day_first and not term.piece.is_padded and "h" not in term.piece.text.lower()
    return _checked(numbers[0], numbers[1], second, is_bare=is_bare, zone=term.piece.zone), place + 1


def _checked(hour: int, minute: int, second: int = 0, *, is_bare: bool, zone: int | None = None) -> Item:
    is_real = minute < 60 and second < 60 and (hour < 24 or (hour == 24 and not minute and not second))
    if not is_real:
        return Flag(name="no_time")
    return Clock(hour=hour, minute=minute, second=second, is_bare=is_bare and hour in _BARE, zone=zone)


def _spoken(terms: Terms, place: int, *, is_led: bool) -> Found | None:
    """Hours said with quarters and halves."""
    for sense, minutes in (("half_past", 30), ("quarter_past", 15), ("quarter_to", -15), ("half_to", -30)):
        if has(terms, place, sense):
            found = _hour_or_noon(terms, place + 1)
            return (_shifted(found[0], minutes), found[1]) if found else None
    for sense, minutes in (("three_quarters", -15), ("half_of", 30)):
        found = hour_number_at(terms, place + 1) if has(terms, place, sense) else None
        if found and not has(terms, found[1], "unit"):
            return _shifted(found[0], minutes), found[1]
    return _minutes_past(terms, place, is_led=is_led)


def _hour_or_noon(terms: Terms, place: int) -> tuple[int, int] | None:
    term = term_at(terms, place)
    if term is not None and term.senses.get("part") in ("noon", "midnight"):
        return (12 if term.senses["part"] == "noon" else 0), place + 1
    return hour_number_at(terms, place)


def _minutes_past(terms: Terms, place: int, *, is_led: bool) -> Found | None:
    """Minutes before or past an hour: "ten past nine", "20 to 5", "fünf vor zwölf"."""
    found = number_at(terms, place)
    if found is None or found[0] not in (5, 10, 15, 20, 25):
        return None
    minutes, behind = int(found[0]), found[1]
    sign = 1 if has(terms, behind, "past") else -1 if has(terms, behind, "to") and (is_led or place == 0) else 0
    hour = _hour_or_noon(terms, behind + 1) if sign else None
    following = term_at(terms, hour[1]) if hour else None
    if hour is None or (following is not None and (following.is_unknown or following.has("unit"))):
        return None
    return _shifted(hour[0], sign * minutes), hour[1]


def _shifted(hour: int, minutes: int) -> Item:
    """An hour moved by minutes; one before it is still the same half of the day, where it is bare."""
    is_bare = hour in _BARE
    total = hour * 60 + minutes
    if total < 0:
        total += 24 * 60
    moved = Clock(hour=total // 60 % 24, minute=total % 60, is_bare=is_bare)
    # A quarter to one is 12:45, and half of one 12:30: of either half of the day.
    return Clock(hour=12, minute=moved.minute, is_bare=True) if is_bare and moved.hour == 0 else moved


def _lone(terms: Terms, place: int, *, is_led: bool, lead: Term | None) -> Found | None:
    """A number that is an hour by what stands around it."""
    found = hour_number_at(terms, place)
    if found is None:
        return None
    if has(terms, place - 1, "since") and _ends_range(terms, found[1]):
        return Clock(hour=found[0], is_bare=found[0] in _BARE), found[1]
    said = _marked(terms, found) or _minutes_in_words(terms, place, found, is_led=is_led or lead is not None)
    if said is not None:
        return said
    hour, behind = found
    if has(terms, behind, "oclock") and not (has(terms, behind, "unit") and lead is None and not is_led):
        return _with_minutes(terms, hour, behind + 1)
    is_at = lead is not None and lead.has("at")
    added = _added(terms, hour, behind) if is_at else None
    return added or _bare(terms, place, found, is_at=is_at, is_led=is_led or lead is not None)


def _marked(terms: Terms, found: tuple[int, int]) -> Found | None:
    """A figure with "ish", "am" or "pm" behind it, or the first one of "3-5pm"."""
    hour, behind = found
    if has(terms, behind, "ish"):
        return Clock(hour=hour, is_bare=hour in _BARE, is_about=True), behind + 1
    is_marked = has(terms, behind, "am", "pm") or _shares_half(terms, behind)
    return (Clock(hour=hour, is_bare=True), behind) if hour in _BARE and is_marked else None


def _minutes_in_words(terms: Terms, place: int, hour: tuple[int, int], *, is_led: bool) -> Found | None:
    """As in "nine thirty": both in words."""
    minutes = number_at(terms, hour[1])
    is_said = all(has(terms, one, "number") and terms[one].kind == "word" for one in (place, hour[1]))
    if minutes is None or not is_said or not _FEWEST_SAID <= minutes[0] < 60 or has(terms, minutes[1], "unit"):
        return None
    is_clock = is_led or has(terms, minutes[1], "am", "pm")
    return (_checked(hour[0], int(minutes[0]), is_bare=True), minutes[1]) if is_clock else None


def _ends_range(terms: Terms, place: int) -> bool:
    """Whether a range of hours ends behind there, as in "von 9 bis 12 Uhr" and "de 9h à 12h"."""
    place += 1 if has(terms, place, "oclock") else 0
    if not (place < len(terms) and (terms[place].kind == "dash" or terms[place].has("range"))):
        return False
    last = hour_number_at(terms, place + 1)
    following = term_at(terms, last[1]) if last else None
    is_counting = following is not None and (following.is_unknown or following.has("month"))
    return (last is not None and not is_counting) or (place + 1 < len(terms) and terms[place + 1].kind == "time")


def _shares_half(terms: Terms, place: int) -> bool:
    """The first hour of "3-5pm": a range whose end says which half of the day both lie in."""
    is_range = place < len(terms) and (terms[place].kind == "dash" or terms[place].has("range"))
    last = hour_number_at(terms, place + 1) if is_range else None
    return last is not None and has(terms, last[1], "am", "pm")


def _bare(terms: Terms, place: int, found: tuple[int, int], *, is_at: bool, is_led: bool) -> Found | None:
    """A figure with nothing behind it that says what it counts."""
    hour, behind = found
    if has(terms, behind, "unit", "month", "half_more") or has(terms, place - 1, "number", "in"):
        return None
    following = term_at(terms, behind)
    is_free = following is None or not following.is_unknown
    if following is not None and following.is_unknown and following.start == terms[behind - 1].end:
        return None  # "15k"
    return (Clock(hour=hour, is_bare=hour in _BARE), behind) if is_at or (is_led and is_free) else None


def _with_minutes(terms: Terms, hour: int, place: int) -> Found:
    """Minutes behind "Uhr" or "heures"; else what is added in words."""
    minutes = number_at(terms, place)
    if (
        minutes
        and 0 < minutes[0] < 60
        and minutes[0] == int(minutes[0])
        and not has(terms, minutes[1], "unit", "month")
    ):
        following = term_at(terms, minutes[1])
        if following is None or not following.is_unknown:
            return Clock(hour=hour, minute=int(minutes[0])), minutes[1]
    return _added(terms, hour, place) or (Clock(hour=hour, is_bare=hour in _BARE), place)


def _added(terms: Terms, hour: int, place: int) -> Found | None:
    """What Spanish and French add to an hour or take from it."""
    for sense, minutes in (("half_more", 30), ("quarter_more", 15), ("quarter_less", -15)):
        if has(terms, place, sense) and not has(terms, place + 1, "unit"):
            return _shifted(hour, minutes), place + 1
    sign = 1 if has(terms, place, "more") else -1 if has(terms, place, "less") else 0
    found = number_at(terms, place + 1) if sign else None
    if found and found[0] in (5, 10, 15, 20, 25) and not has(terms, found[1], "unit"):
        return _shifted(hour, sign * int(found[0])), found[1]
    return None


def _tailed(terms: Terms, item: Item, place: int) -> Found:
    """What stands behind an hour: "o'clock", "am" and "pm", a zone."""
    if not isinstance(item, Clock):
        return item, place
    if has(terms, place, "oclock") and not has(terms, place, "am", "pm"):
        place += 1
    half = next((one for one in ("am", "pm") if has(terms, place, one)), "")
    if half and item.hour > 12:
        half, place = "", place + 1
    elif half:
        place += 1
    if has(terms, place, "zone"):
        return Flag(name="ambiguous"), place + 1
    zone = 0 if has(terms, place, "utc") else item.zone
    place += 1 if has(terms, place, "utc") else 0
    clock = Clock(
        hour=item.hour,
        minute=item.minute,
        second=item.second,
        is_bare=item.is_bare and not half,
        half=half,
        is_about=item.is_about,
        zone=zone,
    )
    return clock, place
