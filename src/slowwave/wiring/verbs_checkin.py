"""Verbs of the check-in and of activities: how a day was, from what is there, or in the person's own words."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from importlib import import_module
from pathlib import Path
from typing import Any

from slowwave.disk.durable import read_whole
from slowwave.facts.capture import Capture
from slowwave.facts.limits import ACTIVITY_REACH_DAYS, MOST_ANSWER_BYTES
from slowwave.facts.refusal import UsageError
from slowwave.records.captures import parse_line
from slowwave.sleep.checkin import SessionSpan, Signs, give_explicit, implicit_of, make_implicit, read_checkin
from slowwave.wake.activities import Taken, from_csv, put_activities
from slowwave.wake.cursor import capture_files
from slowwave.wake.scratch.days import day_of
from slowwave.wiring.premises import Premises
from slowwave.wiring.purses import zone_of

_CALENDARS = "slowwave.wake.calendar_file"
"""Loaded when a calendar is read: its libraries take a tenth of a second."""


def day_asked(text: str | None, house: Premises) -> date:
    """A day by its name, else today in the zone.

    Raises:
        UsageError: It is none.
    """
    if not text:
        return today(house)
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--date takes YYYY-MM-DD, not {text!r}", hint="for example --date 2026-05-01") from None


def today(house: Premises) -> date:
    """The present day in the zone."""
    return house.clock().astimezone(zone_of(house)).date()


def check_in(house: Premises, day: date) -> dict[str, Any]:
    """Make the implicit check-in of a day where no explicit one stands; the check-in, and what was done."""
    outcome = infer_checkin(house, day)
    if outcome == "nothing_known":
        return {"outcome": outcome, "checkin": implicit_of(house.home.day, day, signs_of(house, day))}
    return {"outcome": outcome, "checkin": read_checkin(house.home.day, day)}


def infer_checkin(house: Premises, day: date) -> str:
    """Make the implicit check-in: ``written``, ``unchanged`` or ``explicit``."""
    return make_implicit(house.home.day, house.hold_day, day, signs_of(house, day))


def say_checkin(house: Premises, day: date, *, mood: int | None, energy: int | None, note: str) -> dict[str, Any]:
    """Write what the person says of a day.

    Raises:
        UsageError: Nothing was said, or a level is none.
    """
    moment = house.clock().astimezone(zone_of(house))
    made = give_explicit(
        house.home.day,
        house.hold_day,
        day,
        moment=moment,
        mood=mood,
        energy=energy,
        note=house.secrets.mask(note),
    )
    return {"outcome": "written", "checkin": made}


def signs_of(house: Premises, day: date) -> Signs:
    """What a day left behind: its page, its captures, its sessions."""
    zone = zone_of(house)
    begins, ends = _bounds(day, zone)
    return Signs(
        scratch=_page_of(house, day),
        captures=tuple(_said_on(house, day, zone)),
        sessions=tuple(_spans(house, begins, ends)),
    )


def _bounds(day: date, zone: tzinfo) -> tuple[datetime, datetime]:
    begins = datetime.combine(day, time(0), tzinfo=zone).astimezone(UTC)
    return begins, datetime.combine(day + timedelta(days=1), time(0), tzinfo=zone).astimezone(UTC)


def _page_of(house: Premises, day: date) -> str:
    places = house.home.day
    archived = read_whole(places.scratch_archive / f"{day.isoformat()}.md")
    page = archived if archived is not None else read_whole(places.daily) or b""
    if archived is None and day_of(page) != day:
        return ""
    return page.decode("utf-8", "replace")


def _said_on(house: Premises, day: date, zone: tzinfo) -> Iterator[str]:
    """Captures of the day that the person made; what an agent said is no sign of how the person felt."""
    near = {f"{(day + timedelta(days=n)).isoformat()}.jsonl" for n in (0, 1)}
    for path in capture_files(house.home.day):
        if path.name not in near or path.is_symlink():
            continue
        for raw in (read_whole(path) or b"").split(b"\n"):
            one = parse_line(raw, zone=zone)
            if isinstance(one, Capture) and one.speaker != "agent" and one.ts.astimezone(zone).date() == day:
                yield one.text


def _spans(house: Premises, begins: datetime, ends: datetime) -> Iterator[SessionSpan]:
    zone = zone_of(house)
    for session in house.find().sessions:
        if session.parent is not None or session.started is None or session.ended is None:
            continue
        if session.started < ends and session.ended >= begins:
            began, ended = max(session.started, begins), min(session.ended, ends)
            yield SessionSpan(began=began.astimezone(zone), ended=ended.astimezone(zone))


def import_activities(house: Premises, path: Path) -> dict[str, Any]:
    """Take activities over from a calendar or a table, each once.

    Raises:
        UsageError: The file cannot be read as either.
    """
    zone = zone_of(house)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}", hint="an .ics or .csv file") from error
    if len(content) > MOST_ANSWER_BYTES * 4:
        raise UsageError(f"{path} is too large", hint="export a shorter range")
    if path.suffix.lower() == ".ics" or content.lstrip().startswith(b"BEGIN:VCALENDAR"):
        now = today(house)
        reach = timedelta(days=ACTIVITY_REACH_DAYS)
        calendars = import_module(_CALENDARS)
        taken: Taken = calendars.from_ics(content, source=path.name, zone=zone, since=now - reach, until=now + reach)
    else:
        taken = from_csv(content.decode("utf-8-sig", "replace"), source=path.name, zone=zone)
    new = put_activities(house.home.day, house.hold_day, taken.activities, zone)
    return {"read": len(taken.activities), "new": new, "skipped": taken.skipped}
