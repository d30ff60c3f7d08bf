"""``wake classify``: what triage would make of the captures in a file, without a home being made or anything written.

Looser than triage about what stands around a capture: a line needs a tag and a text; without a moment it is said now.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from typing import Any, BinaryIO

from slowwave.disk.config import read_config
from slowwave.facts.capture import Capture, Tag
from slowwave.facts.limits import MOST_CAPTURE_BYTES, MOST_CLASSIFIED_LINES
from slowwave.facts.moment import Clock
from slowwave.facts.refusal import UsageError
from slowwave.records.captures import BLANK, INVALID, Rejected, parse_line
from slowwave.wake.classifying import NOBODY, Classified, Destination, classify
from slowwave.wake.judging import Judge, Judged, Waits
from slowwave.wake.rules.judge import RulesJudge
from slowwave.wiring.house import open_house
from slowwave.wiring.judges import judge_of, why_rules
from slowwave.wiring.premises import home_folder
from slowwave.wiring.verbs_when import zone_asked

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
            _skip_line(lines, raw)
            found = _capture(raw, zone=zone, clock=clock)
            if isinstance(found, Capture):
                yield found
            elif found.reason != BLANK:
                yield Unread(line=number, reason=found.reason)


def _skip_line(lines: BinaryIO, raw: bytes) -> None:
    while raw and not raw.endswith(b"\n"):
        raw = lines.readline(MOST_CAPTURE_BYTES)


def _capture(raw: bytes, *, zone: tzinfo, clock: Clock) -> Capture | Rejected:
    """The capture of a line; one that is said at no moment is said now."""
    found = parse_line(raw, zone=zone)
    if isinstance(found, Capture) or found.reason != INVALID:
        return found
    value = json.loads(raw.decode("utf-8-sig"))
    value = json.loads(value) if isinstance(value, str) else value
    if "ts" in value:
        return found
    now = {**value, "ts": clock().astimezone(zone).isoformat()}
    return parse_line(json.dumps(now).encode(), zone=zone)


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
