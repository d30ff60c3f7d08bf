"""Days: "tomorrow", "next Friday", "5 March", "the 31st", "2026-05-01", "03/04", "this weekend", "next week"."""

from datetime import date, datetime, time, timedelta, timezone

from slowwave.wake.when.figures import Terms, has, number_at, ordinal_at, term_at
from slowwave.wake.when.items import Day, Flag, Item, Moment, Part
from slowwave.wake.when.tongue import Term

_WHICH = ("after_next", "coming", "next", "this", "last")
Found = tuple[tuple[Item, ...], int]


def day_at(terms: Terms, place: int, *, is_day_first: bool) -> Found | None:
    """A day there, with the part of it that the same words name, and the place behind it."""
    term = term_at(terms, place)
    if term is None:
        return None
    return (
        _of_figures(term, place, is_day_first=is_day_first)
        or _span(terms, place)
        or _of_month(terms, place)
        or _named(terms, place)
        or _ended(terms, place)
        or _lone(terms, place)
    )


def _of_figures(term: Term, place: int, *, is_day_first: bool) -> Found | None:
    figures = [int(one or 0) for one in term.piece.numbers]
    if term.kind == "moment":
        return (_moment(figures, term.piece.zone),), place + 1
    if term.kind in ("iso", "ymd"):
        year, month, day = figures
        return (Day(kind="date", number=day, month=month, year=year),), place + 1
    if term.kind not in ("dm", "dmy"):
        return None
    first, second, is_dotted = figures[:3]
    year = figures[3] if term.kind == "dmy" else 0
    if is_dotted or is_day_first or first > 12 or first == second:
        return (Day(kind="date", number=first, month=second, year=year),), place + 1
    if second > 12:
        return (Day(kind="date", number=second, month=first, year=year),), place + 1
    return (Flag(name="ambiguous"),), place + 1


def _moment(figures: list[int], offset: int | None) -> Item:
    try:
        year, month, day, hour, minute, second = figures
        zone = None if offset is None else timezone(timedelta(minutes=offset))
        return Moment(wall=datetime.combine(date(year, month, day), time(hour, minute, second), zone))
    except ValueError:
        return Flag(name="no_time")


def _span(terms: Terms, place: int) -> Found | None:
    """Several days of one month, as in "3-5 September", and "the last Friday of June": which one is not said."""
    first = ordinal_at(terms, place) or _whole(terms, place)
    if first and (has(terms, first[1], "range", "or", "and") or _is_dash(terms, first[1])):
        last = ordinal_at(terms, first[1] + 1) or _whole(terms, first[1] + 1)
        behind = _past_joins(terms, last[1]) if last else 0
        return ((Flag(name="ambiguous"),), behind + 1) if last and has(terms, behind, "month") else None
    counts = has(terms, place, "last", "ordinal") and has(terms, place + 1, "weekday", "unit")
    if counts and has(terms, place + 2, "of"):
        behind = _past_joins(terms, place + 2)
        return ((Flag(name="ambiguous"),), behind + 1) if has(terms, behind, "month", "unit", "this", "next") else None
    return None


def _is_dash(terms: Terms, place: int) -> bool:
    return place < len(terms) and terms[place].kind == "dash"


def _of_month(terms: Terms, place: int) -> Found | None:
    """A day and a month in either order, with a year behind them."""
    before = ordinal_at(terms, place) or _whole(terms, place)
    if before:
        behind = _past_joins(terms, before[1])
        month = term_at(terms, behind)
        if month is not None and month.has("month"):
            return _dated(terms, before[0], month, behind + 1)
    month = term_at(terms, place)
    if month is None or not month.has("month"):
        return None
    behind = place + 1 if not has(terms, place + 1, "the") else place + 2
    after = ordinal_at(terms, behind) or _whole(terms, behind)
    if after and not has(terms, after[1], "unit", "am", "pm", "oclock"):
        return _dated(terms, after[0], month, after[1])
    year = _year(terms, place + 1)
    is_led = has(terms, place - 1, "in", "next", "this", "by")
    if (year or is_led) and not has(terms, place - 1, "end_of"):
        return (Flag(name="ambiguous"),), place + 2 if year else place + 1
    return None


def _dated(terms: Terms, day: int, month: Term, behind: int) -> Found:
    if _is_dash(terms, behind) and _whole(terms, behind + 1) and not has(terms, behind + 2, "am", "pm", "oclock"):
        return (Flag(name="ambiguous"),), behind + 2  # "May 5-7"
    place = _past_joins(terms, behind)
    year = _year(terms, place)
    dated = Day(kind="date", number=day, month=int(month.senses["month"]), year=year)
    return (dated,), place + 1 if year else behind


def _past_joins(terms: Terms, place: int) -> int:
    """Behind at most two small words, as in "5 de mayo de 2027" or "the fifth of May"; and a full stop ("5 . Mai")."""
    for _ in range(2):
        place += 1 if has(terms, place, "join") else 0
    return place


def _whole(terms: Terms, place: int) -> tuple[int, int] | None:
    found = number_at(terms, place)
    term = term_at(terms, place)
    if found is None or found[0] != int(found[0]) or not 1 <= found[0] <= 31 or term is None:
        return None
    return None if term.piece.text in ("a", "an") else (int(found[0]), found[1])


def _year(terms: Terms, place: int) -> int:
    term = term_at(terms, place)
    if term is None or term.kind != "number" or len(term.piece.text) != 4:
        return 0
    year = int(term.piece.numbers[0] or 0)
    return year if 1900 <= year <= 2199 else 0


def _named(terms: Terms, place: int) -> Found | None:
    """Days with a name, what stands before or behind it to say which one."""
    which, start = "", place
    term = term_at(terms, place)
    if term is not None and term.has(*_WHICH):
        which, start = next(one for one in _WHICH if term.has(one)), place + 1
        term = term_at(terms, start)
    if term is None:
        return None
    behind = start + 1
    if not which and term.has("weekday", "weekday_part", "unit", "weekend") and not has(terms, place - 1, "number"):
        which, behind = _which_behind(terms, behind)
    if term.has("weekday", "weekday_weak"):
        number = int(term.senses.get("weekday", term.senses.get("weekday_weak", "0")))
        return (Day(kind="weekday", number=number, which=which),), behind
    if term.has("weekday_part"):
        weekday, part = term.senses["weekday_part"].split()
        return (Day(kind="weekday", number=int(weekday), which=which), Part(name=part)), behind
    if term.has("weekend"):
        return (Day(kind="weekend", which=which),), behind
    if which and term.has("unit"):
        return _period(term.senses["unit"], which, behind)
    return None if which else _relative(term, behind)


def _which_behind(terms: Terms, place: int) -> tuple[str, int]:
    term = term_at(terms, place)
    if (
        term is not None
        and term.has("after_next", "coming", "next", "last")
        and not has(terms, place + 1, "unit", "weekday")
    ):
        return next(one for one in _WHICH if term.has(one)), place + 1
    return "", place


def _relative(term: Term, behind: int) -> Found | None:
    if term.has("day_part"):
        offset, part = term.senses["day_part"].split()
        return (Day(kind="offset", number=int(offset)), Part(name=part)), behind
    if term.has("day"):
        return (Day(kind="offset", number=int(term.senses["day"])),), behind
    return None


def _period(unit: str, which: str, behind: int) -> Found | None:
    if which == "last":
        return (Flag(name="past"),), behind
    if unit == "day" and which == "next":
        return (Day(kind="offset", number=1),), behind
    if unit in ("week", "month", "year"):
        return (Day(kind=unit, which=which),), behind
    return None


def _ended(terms: Terms, place: int) -> Found | None:
    """Ends of weeks and months: their last working day or last day, at the end of that day."""
    if has(terms, place, "week_end"):
        return (Day(kind="end_of_week"), Part(name="eod")), place + 1
    if has(terms, place, "month_end"):
        return (Day(kind="last_of_month"), Part(name="eod")), place + 1
    month = term_at(terms, place + 1)
    if not has(terms, place, "end_of") or month is None:
        return None
    if month.has("month"):
        year = _year(terms, place + 2)
        ended = Day(kind="last_of_month", month=int(month.senses["month"]), year=year)
        return (ended, Part(name="eod")), place + 3 if year else place + 2
    which = next((one for one in _WHICH if month.has(one)), "")
    unit = term_at(terms, place + 2) if which else None
    if unit is None or not unit.has("unit"):
        return None
    kind = {"week": "end_of_week", "month": "last_of_month"}.get(unit.senses["unit"])
    return ((Day(kind=kind, which=which), Part(name="eod")), place + 3) if kind else None


def _lone(terms: Terms, place: int) -> Found | None:
    """A day of the month alone: "the 31st", "el 31", "le 31", "am 31."."""
    start, is_said = place, False
    while has(terms, start, "on", "the", "by", "day_word") and start - place <= 2:
        is_said, start = True, start + 1
    term = term_at(terms, start)
    if term is None or not is_said or _of_month(terms, start):
        return None
    is_spelled = term.has("ordinal") and has(terms, start + 1, "of")
    is_marked = term.kind == "ordinal" and not term.piece.text.endswith(".")
    is_figure = term.kind in ("ordinal", "number") and _counts_as_day(terms, start)
    found = ordinal_at(terms, start) if is_spelled or is_marked or is_figure else None
    found = found or (_whole(terms, start) if is_figure else None)
    if found and has(terms, found[1], "of") and has(terms, found[1] + 1, "the") and has(terms, found[1] + 2, "unit"):
        found = found[0], found[1] + (3 if terms[found[1] + 2].senses["unit"] == "month" else 0)
    following = term_at(terms, found[1]) if found else None
    is_german = terms[start - 1].piece.text == "am" and term.kind == "ordinal"  # "Am 28. Strom zahlen" counts nothing
    if found is None or (
        following is not None and ((following.is_unknown and not is_german) or following.has("unit", "oclock", "part"))
    ):
        return None
    return ((Day(kind="of_month", number=found[0]),), found[1]) if 1 <= found[0] <= 31 else None


def _counts_as_day(terms: Terms, place: int) -> bool:
    """German "am 31.", Spanish "el 31", French "le 31": in English a figure alone behind "on the" counts something."""
    before = terms[place - 1]
    return before.has("day_word") or (before.has("on") and before.piece.text in ("am", "den", "el", "le"))
