"""Whether a date is written in a text: in figures or with a month's name, not as a relative word.

Day and month must both stand there; a year that stands beside them must be the same. "Tomorrow" names no date.
"""

import re
from datetime import date
from functools import cache

from slowwave.facts.text import fold
from slowwave.proof.lexicons import tables


def names_date(text: str, day: date) -> bool:
    """Whether the text writes this very date, in any of the common forms."""
    folded = fold(text).casefold()
    return any(_is_same(found, day) for pattern in _patterns() for found in pattern.finditer(folded))


@cache
def _months() -> dict[str, int]:
    return {
        name: number
        for table in tables("months")
        for number, names in enumerate(table["months"], start=1)
        for name in names
    }


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    month = "|".join(re.escape(name) for name in sorted(_months(), key=lambda name: (-len(name), name)))
    ordinal = r"(?:st|nd|rd|th|er|º)?"
    year = r"(?:[ ,./-]{1,2}(?:of |de |del |di )?'?(?P<year>\d{4}|\d{2}))?(?![\d:])"
    return tuple(
        re.compile(pattern)
        for pattern in (
            r"(?<!\d)(?P<year>\d{4})(?P<s>[-/.])(?P<month>\d{1,2})(?P=s)(?P<day>\d{1,2})(?!\d)",
            r"(?<!\d)(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})(?!\d)",
            r"(?<![\d/.-])(?P<one>\d{1,2})(?P<s>[-/.])(?P<two>\d{1,2})(?:(?P=s)(?P<year>\d{4}|\d{2}))?(?!(?P=s)?\d)",
            rf"(?<!\w)(?P<name>{month})\.? (?:the )?(?P<day>\d{{1,2}}){ordinal}(?!\w){year}",
            rf"(?<!\d)(?P<day>\d{{1,2}}){ordinal}\.?[ -]?(?:of |de |di )?(?P<name>{month})(?!\w)\.?{year}",
            r"(?:(?P<year>\d{4}|\d{2})[年년] ?)?(?<!\d)(?P<month>\d{1,2})[月월] ?(?P<day>\d{1,2})[日일号]?(?!\d)",
        )
    )


def _is_same(found: re.Match[str], day: date) -> bool:
    parts = found.groupdict()
    if (year := parts.get("year")) and int(year) not in (day.year, day.year % 100 if len(year) == 2 else day.year):
        return False
    if "one" in parts:
        return {(int(parts["one"]), int(parts["two"]))} <= {(day.day, day.month), (day.month, day.day)}
    month = _months()[parts["name"]] if parts.get("name") else int(parts["month"])
    return (month, int(parts["day"])) == (day.month, day.day)
