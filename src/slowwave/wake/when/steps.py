"""Steps: "in two hours", "three weeks from now", "vor zwei Tagen"; calendar units and elapsed ones (spec 05)."""

from dataclasses import replace

from slowwave.wake.when.figures import Terms, has, number_at, term_at
from slowwave.wake.when.items import Flag, Step

_ELAPSED = {"second": 1, "minute": 60, "hour": 3600}
_DAYS = {"day": 1, "week": 7, "fortnight": 14}
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_WEEK = 7
_MOST_PARTS = 4  # as in "one year, two months, three days and four hours"
_MOST = 100_000  # of any unit: what lies further off is no reminder
Found = tuple[Step | Flag, int]


def step_at(terms: Terms, place: int) -> Found | None:
    """A step there, and the place behind it."""
    if has(terms, place, "in"):
        found = _led(terms, place + 1)
        if found:
            return found
    if has(terms, place, "soon"):
        return _amount(terms, place + 1) or (
            (Flag(name="ambiguous"), place + 2) if has(terms, place + 1, "unit") else None
        )
    is_week_behind = (
        has(terms, place - 1, "weekday") and has(terms, place, "unit") and terms[place].piece.text == "week"
    )
    if has(terms, place, "week_on") or is_week_behind:
        return Step(days=7), place + 1
    if has(terms, place, "ago_before"):
        found = _amount(terms, place + 1)
        if found and isinstance(found[0], Step):
            return replace(found[0], is_back=True), found[1]
    return _followed(terms, place)


def _led(terms: Terms, place: int) -> Found | None:
    start = place + 1 if has(terms, place, "about") else place
    if has(terms, start, "few") and has(terms, start + 1, "unit"):
        return Flag(name="ambiguous"), start + 2
    clock = term_at(terms, start)
    if clock is not None and clock.kind == "time" and "h" in clock.piece.text.lower():
        hours, minutes = clock.piece.numbers[:2]
        return Step(seconds=int((hours or 0) * 3600 + (minutes or 0) * 60)), start + 1
    return _amount(terms, start)


def _followed(terms: Terms, place: int) -> Found | None:
    found = _amount(terms, place)
    if found is None or isinstance(found[0], Flag):
        return None
    step, behind = found[0], found[1]
    if has(terms, behind, "hence"):
        return step, behind + 1
    if has(terms, behind, "ago"):
        return replace(step, is_back=True), behind + 1
    if (
        has(terms, behind, "condition")
        and terms[behind].senses["condition"] == "soft"
        and not _counts_on(terms, behind)
    ):
        return Flag(name="shifted"), behind
    return _beside_day(terms, step, behind)


def _counts_on(terms: Terms, place: int) -> bool:
    """As in "a week after Friday"."""
    return has(terms, place, "from") and has(terms, place + 1, "day", "weekday", "weekday_weak")


def _beside_day(terms: Terms, step: Step, place: int) -> Found | None:
    """A step that is counted from the day behind it."""
    if step.seconds:
        return None
    if step.days >= _WEEK and has(terms, place, "day", "weekday"):
        return replace(step, is_from=True), place  # "a week tomorrow"
    is_day = has(terms, place + 1, "day", "weekday", "weekday_weak")
    return (replace(step, is_from=True), place + 1) if is_day and _leads_on(terms, place, step) else None


def _leads_on(terms: Terms, place: int, step: Step) -> bool:
    """Whether a day follows that the step counts from: "from Friday"; with weeks "on Friday" too."""
    return has(terms, place, "from") or (step.days >= _WEEK and has(terms, place, "week_from"))


def _amount(terms: Terms, place: int) -> Found | None:
    total: Step | None = None
    for _ in range(_MOST_PARTS):
        part = _part(terms, place)
        if part is None:
            break
        item, place = part
        if isinstance(item, Flag):
            return item, place
        total = item if total is None else _added(total, item)
        is_joined = has(terms, place, "join") and _part(terms, place + 1) is not None
        place = place + 1 if is_joined else place
    return None if total is None else (total, place)


def _part(terms: Terms, place: int) -> Found | None:
    found = number_at(terms, place)
    if found is None:
        return None
    value, behind = found
    if has(terms, behind, "half_more"):
        value, behind = value + 0.5, behind + 1
    unit = term_at(terms, behind)
    if unit is None or not unit.has("unit"):
        return None
    behind += 1
    if has(terms, behind, "half_more"):
        value, behind = value + 0.5, behind + 1
    return _step(value, unit.senses["unit"]), behind


def _step(value: float, unit: str) -> Step | Flag:
    if value > _MOST:
        return Flag(name="no_time")
    if unit in _ELAPSED:
        return Step(seconds=round(value * _ELAPSED[unit]))
    if unit == "weekday":
        return Step(working_days=int(value)) if value == int(value) else Flag(name="ambiguous")
    if unit in _MONTHS:
        months = value * _MONTHS[unit]
        return Step(months=int(months)) if months == int(months) else Flag(name="ambiguous")
    days = value * _DAYS[unit]
    return Step(days=int(days), seconds=round((days - int(days)) * 86_400))


def _added(one: Step, other: Step) -> Step:
    return Step(
        months=one.months + other.months,
        days=one.days + other.days,
        working_days=one.working_days + other.working_days,
        seconds=one.seconds + other.seconds,
    )
