"""Calendars: events of an ICS file as activities, each time of a recurring one, within a range of days.

The only file that uses the calendar libraries; it is imported when a calendar is read.
"""

from collections.abc import Iterator
from datetime import date, datetime, time, tzinfo
from itertools import islice
from typing import Any

import recurring_ical_events
from icalendar import Calendar

from slowwave.facts.limits import MOST_ACTIVITIES
from slowwave.facts.refusal import UsageError
from slowwave.wake.activities import Activity, Taken, activity

_UNREADABLE = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError)
"""What the libraries raise for a file that is no calendar, or an event that is none."""


def from_ics(content: bytes, *, source: str, zone: tzinfo, since: date, until: date) -> Taken:
    """The events of a calendar within a range of days; moments without a zone are the loop's.

    Raises:
        UsageError: It is no calendar.
    """
    try:
        calendars = Calendar.from_ical(content.decode("utf-8-sig", "replace"), multiple=True)
        events = [event for calendar in calendars for event in _events(calendar, since, until)]
    except _UNREADABLE as error:
        raise UsageError("this is no calendar that can be read", hint="an .ics file, as calendars export it") from error
    if not calendars:
        raise UsageError("there is no calendar in this file", hint="an .ics file, as calendars export it")
    found: list[Activity] = []
    skipped = 0
    for event in events:
        if str(event.get("STATUS", "")).upper() == "CANCELLED":
            continue
        try:
            found.append(_activity(event, source=source, zone=zone))
        except _UNREADABLE:
            skipped += 1
    return Taken(activities=tuple(found), skipped=skipped)


def _events(calendar: Any, since: date, until: date) -> Iterator[Any]:
    """Each time of each event that lies in the range; an event that cannot be read is left out by the library."""
    query = recurring_ical_events.of(calendar, skip_bad_series=True)
    within = query.after(datetime.combine(since, time(0)))
    for event in islice(within, MOST_ACTIVITIES):
        start = event.start
        if (start.date() if isinstance(start, datetime) else start) > until:
            return
        yield event


def _activity(event: Any, *, source: str, zone: tzinfo) -> Activity:
    start, end = _aware(event.start, zone), _aware(event.end, zone)
    named = event.get("CATEGORIES")
    kinds = [str(one) for one in getattr(named, "cats", [])]
    return activity(
        start,
        max(start, end),
        kind=kinds[0] if kinds else "event",
        title=str(event.get("SUMMARY", "")),
        source=source,
    )


def _aware(value: date, zone: tzinfo) -> datetime:
    """A moment with a zone; a day begins at its midnight."""
    moment = value if isinstance(value, datetime) else datetime.combine(value, time(0))
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)
