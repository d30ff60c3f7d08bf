"""Phase 3, the check-in: how a day was, from what is there already; a person's own word is never written over.

Each value names its source; what nothing says is null, never invented (spec 04, seed 001).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from slowwave.disk.durable import make_folder, read_whole, write_atomic
from slowwave.disk.places import Places
from slowwave.facts.refusal import UsageError
from slowwave.facts.text import fold
from slowwave.sleep.feelings import feeling_in
from slowwave.sleep.health import health_of

EXPLICIT, IMPLICIT = "explicit", "implicit"
LEVELS = range(1, 6)
"""Mood and energy, 1 low to 5 high."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSpan:
    """A session of a day: when it began and ended, aware."""

    began: datetime
    ended: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What a day left behind.

    Attributes:
        scratch: The day's page, in words.
        captures: What was captured on the day, in order.
        sessions: Agent sessions on the day.
    """

    scratch: str
    captures: Sequence[str]
    sessions: Sequence[SessionSpan]


Hold = Callable[[str], AbstractContextManager[object]]


def read_checkin(places: Places, day: date) -> dict[str, Any] | None:
    """The check-in of a day; None where there is none, or none that can be read."""
    try:
        tree = json.loads(read_whole(_path(places, day)) or b"null")
    except (ValueError, RecursionError):
        return None
    return tree if isinstance(tree, dict) else None


def is_explicit(places: Places, day: date) -> bool:
    """Whether a file stands there that nothing inferred may replace."""
    standing = read_checkin(places, day)
    return _path(places, day).exists() and (standing is None or standing.get("depth") != IMPLICIT)


def make_implicit(places: Places, hold: Hold, day: date, signs: Signs) -> str:
    """Write the day's implicit check-in, where anything is known of the day.

    A file that cannot be read may be the person's own, so it counts as explicit.

    Returns:
        ``written``, ``unchanged``, ``nothing_known``, or ``explicit`` where the person gave their own.
    """
    made = implicit_of(places, day, signs)
    if not any(value for name, value in made.items() if name not in ("date", "depth")):
        return EXPLICIT if is_explicit(places, day) else "nothing_known"
    with hold("checkin"):
        if is_explicit(places, day):
            return EXPLICIT
        if read_checkin(places, day) == made:
            return "unchanged"
        _write(places, day, made)
    return "written"


def give_explicit(
    places: Places, hold: Hold, day: date, *, moment: datetime, mood: int | None, energy: int | None, note: str
) -> dict[str, Any]:
    """Write what the person says of a day, over anything that was only inferred.

    Raises:
        UsageError: Nothing was said, or a level is none.
    """
    for name, level in (("mood", mood), ("energy", energy)):
        if level is not None and level not in LEVELS:
            raise UsageError(f"--{name} takes 1 (low) to 5 (high)", hint=f"for example --{name} 4")
    if mood is None and energy is None and not fold(note):
        raise UsageError("a check-in says something", hint='for example --mood 4 --energy 3 --note "slept well"')
    own = {"source": "you"}
    made = {
        "date": day.isoformat(),
        "depth": EXPLICIT,
        "ts": moment.isoformat(timespec="seconds"),
        "mood": {"value": mood, **own} if mood is not None else None,
        "energy": {"value": energy, **own} if energy is not None else None,
        "note": fold(note) or None,
    }
    with hold("checkin"):
        before = read_checkin(places, day) or {}
        if before.get("depth") == EXPLICIT:
            made = {**before, **{name: value for name, value in made.items() if value is not None}}
        _write(places, day, made)
    return made


def implicit_of(places: Places, day: date, signs: Signs) -> dict[str, Any]:
    """The implicit check-in of a day, from its files and signs; writes nothing."""
    source = f"health/{day.isoformat()}.json"
    health = health_of(_tree(places.health / f"{day.isoformat()}.json"))
    made: dict[str, Any] = {"date": day.isoformat(), "depth": IMPLICIT}
    for name, value in health.items():
        made[name] = {"value": value, "source": source} if value is not None else None
    for kind in ("mood", "energy"):
        made[kind] = _felt(kind, signs)
    made["activities"] = activities_of(places, day)
    made["work"] = _work(signs.sessions)
    return made


def _felt(kind: str, signs: Signs) -> dict[str, Any] | None:
    for source, texts in (("captures", signs.captures), ("scratch", (signs.scratch,))):
        feeling = feeling_in(kind, texts)
        if feeling is not None:
            return {"value": feeling.level, "source": source, "words": feeling.words}
    return None


def _work(sessions: Sequence[SessionSpan]) -> dict[str, Any] | None:
    if not sessions:
        return None
    return {
        "sessions": len(sessions),
        "from": min(one.began for one in sessions).isoformat(timespec="minutes"),
        "until": max(one.ended for one in sessions).isoformat(timespec="minutes"),
        "source": "sessions",
    }


def activities_of(places: Places, day: date) -> list[dict[str, str]]:
    """The day's activities, by their start; rows that are none are left out."""
    tree = _tree(places.activities / f"{day.isoformat()}.json")
    rows = tree if isinstance(tree, list) else []
    kept = [{name: str(row.get(name) or "") for name in _ACTIVITY} for row in rows if isinstance(row, dict)]
    return sorted((row for row in kept if row["start"]), key=lambda row: (row["start"], row["title"]))


_ACTIVITY = ("start", "end", "kind", "title", "source")


def _tree(path: Any) -> object:
    try:
        return json.loads(read_whole(path) or b"null")
    except (ValueError, RecursionError):
        return None


def _path(places: Places, day: date) -> Any:
    return places.checkins / f"{day.isoformat()}.json"


def _write(places: Places, day: date, made: Mapping[str, Any]) -> None:
    make_folder(places.checkins)
    write_atomic(_path(places, day), json.dumps(made, ensure_ascii=False, indent=2).encode("utf-8", "replace") + b"\n")
