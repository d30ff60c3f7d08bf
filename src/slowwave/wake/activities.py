"""Activities of days: rows ``{start, end, kind, title, source}`` in ``data/activities``, taken over from files."""

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any

from slowwave.disk.durable import make_folder, read_whole, write_atomic
from slowwave.disk.places import Places
from slowwave.facts.limits import ACTIVITY_CHARACTERS, MOST_ACTIVITIES, MOST_ACTIVITY_DAYS
from slowwave.facts.refusal import UsageError
from slowwave.facts.text import cut, fold, showable
from slowwave.wake.holding import Hold

_COLUMNS = {
    "start": ("start", "start time", "begin", "from", "date", "activity date"),
    "end": ("end", "end time", "until", "to"),
    "kind": ("kind", "type", "activity type", "category"),
    "title": ("title", "name", "summary", "activity name", "subject"),
}
"""Each key with the headings it may stand under, folded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """One activity: aware moments, the end after the start."""

    start: datetime
    end: datetime
    kind: str
    title: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What was read of a file: activities, and rows that are none."""

    activities: tuple[Activity, ...]
    skipped: int


def from_csv(text: str, *, source: str, zone: tzinfo) -> Taken:
    """Activities of a table with headings; moments without offset are the zone's.

    Raises:
        UsageError: There is no heading for a start.
    """
    rows = csv.DictReader(io.StringIO(text))
    names = {fold(name).casefold(): name for name in rows.fieldnames or ()}
    columns = {key: next((names[one] for one in spelled if one in names), "") for key, spelled in _COLUMNS.items()}
    if not columns["start"]:
        raise UsageError("the table has no column for a start", hint="name one of its headings `start`")
    found: list[Activity] = []
    skipped = 0
    for row in rows:
        words = {key: str(row.get(column) or "") if column else "" for key, column in columns.items()}
        start = _moment(words["start"], zone)
        end = _moment(words["end"], zone) or start
        if start is None or end is None or end < start or len(found) >= MOST_ACTIVITIES:
            skipped += 1
            continue
        found.append(activity(start, end, kind=words["kind"], title=words["title"], source=source))
    return Taken(activities=tuple(found), skipped=skipped)


def activity(start: datetime, end: datetime, *, kind: str, title: str, source: str) -> Activity:
    """An activity with its words folded and bounded."""
    return Activity(start=start, end=end, kind=_words(kind).casefold(), title=_words(title), source=source)


def _words(text: str) -> str:
    return cut(fold(showable(text)), ACTIVITY_CHARACTERS)


def _moment(text: str, zone: tzinfo) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text.strip())
        moment = moment if moment.tzinfo else moment.replace(tzinfo=zone)
        moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment


def put_activities(places: Places, hold: Hold, taken: Iterable[Activity], zone: tzinfo) -> int:
    """Write activities into the files of their days, each once; how many were new."""
    by_day: dict[date, list[Activity]] = {}
    for one in taken:
        for day in _days(one, zone):
            by_day.setdefault(day, []).append(one)
    new = 0
    with hold("activities import"):
        for day, some in sorted(by_day.items()):
            path = places.activities / f"{day.isoformat()}.json"
            standing = _standing(path)
            known = {json.dumps(row, sort_keys=True) for row in standing}
            rows = {json.dumps(_row(one), sort_keys=True): _row(one) for one in some}
            missing = [row for key, row in rows.items() if key not in known]
            if missing:
                make_folder(places.activities)
                ordered = sorted([*standing, *missing], key=lambda row: str(row.get("start", "")))
                write_atomic(path, json.dumps(ordered, ensure_ascii=False, indent=2).encode("utf-8", "replace") + b"\n")
                new += len(missing)
    return new


def _days(one: Activity, zone: tzinfo) -> Sequence[date]:
    first = one.start.astimezone(zone).date()
    # An end at midnight belongs to the day before it.
    last = max(first, (one.end - timedelta(microseconds=1)).astimezone(zone).date())
    return [first + timedelta(days=n) for n in range(min((last - first).days + 1, MOST_ACTIVITY_DAYS))]


def _row(one: Activity) -> dict[str, str]:
    return {
        "start": one.start.isoformat(),
        "end": one.end.isoformat(),
        "kind": one.kind,
        "title": one.title,
        "source": one.source,
    }


def _standing(path: Any) -> list[dict[str, Any]]:
    """The day's rows; a file that is no list of any is no place to write into.

    Raises:
        UsageError: Somebody wrote something else there.
    """
    try:
        rows = json.loads(read_whole(path) or b"[]")
    except (ValueError, RecursionError):
        rows = None
    if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
        return rows
    raise UsageError(f"{path} holds no list of activities", hint="mend or remove it, then import again")
