"""``wake classify``: what triage would make of the captures in a file, without a home being made or anything written.

Looser than triage about what stands around a capture: a line needs a tag and a text; without a moment it is said now.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

from slowwave.disk.config import read_config
from slowwave.facts.capture import Capture, Tag
from slowwave.facts.limits import MOST_CAPTURE_BYTES, MOST_CLASSIFIED_LINES
from slowwave.facts.moment import Clock
from slowwave.facts.refusal import UsageError
from slowwave.wake.classifying import NOBODY, Classified, Destination, classify
from slowwave.wake.judging import Judge, Judged, Waits
from slowwave.wake.rules.judge import RulesJudge
from slowwave.wiring.house import open_house
from slowwave.wiring.judges import judge_of, why_rules
from slowwave.wiring.premises import home_folder
from slowwave.wiring.verbs_when import zone_asked

_BLANK = b" \t\r\n"
_NAMES = {Tag.FILE_THIS: "class", Tag.OBSERVATION: "durable"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """A line that is no capture."""

    line: int
    reason: str


def classify_file(path: Path, *, home: Path | None, environment: Mapping[str, str], clock: Clock) -> dict[str, Any]:
    """What each line of a file is.

    Args:
        path: JSON Lines, a capture a line.
        home: Whose settings say who judges; none is made where there is none.
        environment: The process's environment.
        clock: The present, for captures without a moment.

    Raises:
        UsageError: There is no such file, or it has more than ``MOST_CLASSIFIED_LINES`` lines.
    """
    if not path.is_file():
        raise UsageError(f"there is no file {path}", hint="a file of JSON lines, each with tag and text")
    zone = zone_asked(None, home=home, environment=environment)
    models = read_config(home_folder(home, environment)).models
    if not (models.provider and models.model):
        return _classified(path, RulesJudge(), zone=zone, clock=clock, note="")
    with closing(open_house(home=home, environment=environment, clock=clock)) as house:
        return _classified(path, judge_of(house), zone=zone, clock=clock, note=why_rules(house))


def _classified(path: Path, judge: Judge, *, zone: tzinfo, clock: Clock, note: str) -> dict[str, Any]:
    results: list[dict[str, Any]] = []
    rejected: list[dict[str, Any]] = []
    for one in _captures(path, zone=zone, clock=clock):
        if isinstance(one, Unread):
            rejected.append({"line": one.line, "reason": one.reason})
        else:
            results.append(_row(one, classify(one, judge, zone=zone)))
    return {"results": results, "rejected": rejected, "judge": judge.name, "note": note}


def _captures(path: Path, *, zone: tzinfo, clock: Clock) -> Iterator[Capture | Unread]:
    with path.open("rb") as lines:
        for number in range(1, MOST_CLASSIFIED_LINES + 2):
            raw = lines.readline(MOST_CAPTURE_BYTES + 2)
            if not raw:
                return
            if number > MOST_CLASSIFIED_LINES:
                raise UsageError(f"{path} has more than {MOST_CLASSIFIED_LINES:,} lines", hint="give it in parts")
            if len(raw.rstrip(b"\r\n")) > MOST_CAPTURE_BYTES:
                yield Unread(line=number, reason="too_long")
                _skip_line(lines.readline, raw)
            elif raw.removeprefix(b"\xef\xbb\xbf").strip(_BLANK):
                yield _capture(raw, number=number, zone=zone, clock=clock)


def _skip_line(read: Any, raw: bytes) -> None:
    while raw and not raw.endswith(b"\n"):
        raw = read(MOST_CAPTURE_BYTES)


def _capture(raw: bytes, *, number: int, zone: tzinfo, clock: Clock) -> Capture | Unread:
    try:
        value = json.loads(raw.removeprefix(b"\xef\xbb\xbf"))
        value = json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return Unread(line=number, reason="malformed")
    if not isinstance(value, dict):
        return Unread(line=number, reason="non_object")
    tag, text, ts = value.get("tag"), value.get("text"), value.get("ts")
    moment = clock().astimezone(zone) if ts is None else _moment(ts)
    is_known = isinstance(tag, str) and tag.strip().lower() in set(Tag)
    if not (is_known and isinstance(text, str) and text.strip() and moment is not None):
        return Unread(line=number, reason="invalid")
    named = value.get("id")
    return Capture(
        id=str(named) if isinstance(named, str | int) else f"line-{number}",
        ts=moment,
        tag=Tag(str(tag).strip().lower()),
        text=text.encode("utf-8", "replace").decode("utf-8"),
        source=_text(value, "source"),
        zone=_text(value, "zone"),
    )


def _moment(given: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(given) if isinstance(given, str) else None
    except ValueError:
        return None
    return moment if moment is not None and moment.tzinfo is not None else None


def _text(value: Mapping[str, Any], name: str) -> str:
    given = value.get(name)
    return given if isinstance(given, str) else ""


def _row(capture: Capture, found: Classified | Waits) -> dict[str, Any]:
    """One result: what it is under the name that its tag has, or ``none``."""
    row: dict[str, Any] = {"id": capture.id, "tag": str(capture.tag)}
    if isinstance(found, Waits):
        return row | {"destination": None, "due": None, "decided_by": NOBODY, "waits": found.message}
    return {
        **row,
        **_value(capture.tag, found),
        "destination": _place(found.destination),
        "due": found.due.isoformat() if found.due else None,
        "decided_by": found.judged.decided_by if found.judged else NOBODY,
        "reason": found.reason,
        **({"due_reason": found.due_reason} if found.due_reason else {}),
    }


def _value(tag: Tag, found: Classified) -> dict[str, Any]:
    if found.kind is not None:
        return {"kind": str(found.kind)}
    if not isinstance(found.judged, Judged):
        return {NOBODY: True}
    value = found.judged.value
    return {_NAMES[tag]: value if isinstance(value, bool) else str(value)}


def _place(destination: Destination | None) -> dict[str, str] | None:
    """The file in the words of spec 05, with its section; a reminder stands in the book's queue."""
    if destination is None:
        return None
    if destination.is_queue:
        return {"file": "wake.db", "queue": "reminders"}
    place = {"file": f"data/{destination.file}"}
    return place | ({"section": str(destination.section)} if destination.section else {})
