"""Which day a page belongs to: a comment on the page says so, since it moves with the page; and when a day is over."""

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta, tzinfo

from slowwave.facts.capture import Section
from slowwave.wake.scratch.page import BOM, break_of, lines_of

_MARK = re.compile(rb"^(\xef\xbb\xbf)?<!-- slowwave:day (\d{4}-\d{2}-\d{2}) -->[ \t]*(?=\r?$)", re.MULTILINE)
_NOON = time(12)


def fresh_page(day: date) -> bytes:
    """An empty page of a day, with every section in the spec's order."""
    sections = "\n\n".join(f"## {section}" for section in Section)
    return _mark(day) + b"\n\n" + sections.encode() + b"\n"


def day_of(page: bytes) -> date | None:
    """The day a page says it belongs to."""
    for found in _MARK.finditer(page):
        try:
            return date.fromisoformat(found.group(2).decode())
        except ValueError:
            continue
    return None


def with_day(page: bytes, day: date) -> bytes:
    """The page marked with that day, in the place of a former mark, else at its head, behind a front matter."""
    for found in _MARK.finditer(page):
        start = found.end(1) if found.group(1) else found.start()
        return page[:start] + _mark(day) + page[found.end() :]
    lines = lines_of(page)
    at = _behind_front_matter(lines)
    before, rest = b"".join(lines[:at]), b"".join(lines[at:])
    if not at and rest.startswith(BOM):
        before, rest = BOM, rest.removeprefix(BOM)
    return before + _mark(day) + break_of(lines) + rest


def without_day(lines: Sequence[bytes]) -> list[bytes]:
    """The lines without marks of a day."""
    return [line for line in lines if not _MARK.fullmatch(line.rstrip(b"\r\n"))]


def scratch_day(now: datetime, zone: tzinfo, roll_up: str) -> date:
    """The day whose page is written now: it begins when the one before is rolled up.

    A roll-up of the evening ends its own day, one of the morning the day before; 24:00 is midnight.
    """
    local = now.astimezone(zone)
    if roll_up == "24:00":
        return local.date()
    hour = time.fromisoformat(roll_up)
    is_past = local.time().replace(tzinfo=None) >= hour
    if hour >= _NOON:
        return local.date() + timedelta(days=1) if is_past else local.date()
    return local.date() if is_past else local.date() - timedelta(days=1)


def _mark(day: date) -> bytes:
    return f"<!-- slowwave:day {day.isoformat()} -->".encode()


def _behind_front_matter(lines: Sequence[bytes]) -> int:
    if not lines or lines[0].removeprefix(BOM).strip() != b"---":
        return 0
    return next((at + 1 for at in range(1, len(lines)) if lines[at].strip() == b"---"), 0)
