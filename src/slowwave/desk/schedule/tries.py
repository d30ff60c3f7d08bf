"""Tries: what became of each scheduled task, so that a missed one is made up for and none runs twice."""

import json
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from slowwave.disk.durable import make_folder, read_whole, write_atomic
from slowwave.facts.limits import MOST_CLOCK_STEP_DAYS, RETRY_SCHEDULED_SECONDS, SCHEDULED_TRIES
from slowwave.facts.moment import parse, stamp

FINE = frozenset({0, 3})
"""Exit statuses with which a task is done: it ran, or there was nothing to work on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """The last time a task was due.

    Attributes:
        since: From when on moments count as missed: what lies before, nobody had asked for.
        due: Which moment was tried; empty for none yet.
        tries: How often.
        began: When the last try began.
        ended: When it ended; empty while it runs, and after a crash.
        status: Its exit status; below zero for a signal or a start that failed.
    """

    since: str
    due: str = ""
    tries: int = 0
    began: str = ""
    ended: str = ""
    status: int = 0

    @property
    def is_done(self) -> bool:
        """Whether it came to a good end."""
        return bool(self.ended) and self.status in FINE


def is_to_run(tried: Tried, due: datetime, now: datetime) -> bool:
    """Whether the task that was last due at ``due`` is to run now."""
    since, before, began = parse(tried.since), parse(tried.due), parse(tried.began)
    if since is not None and due <= since <= now:
        return False
    if before is None or before < due or before > now + timedelta(days=MOST_CLOCK_STEP_DAYS):
        return True  # one that was tried in a far future was tried by a wrong clock
    if before > due or tried.is_done or tried.tries >= SCHEDULED_TRIES:
        return False
    if not tried.ended:
        return True  # a crash, or the machine went off: the night goes on where it was
    return began is None or not timedelta() <= now - began < timedelta(seconds=RETRY_SCHEDULED_SECONDS)


def begun(tried: Tried, due: datetime, now: datetime) -> Tried:
    """A try that begins."""
    again = tried.tries + 1 if tried.due == stamp(due) else 1
    return Tried(since=tried.since, due=stamp(due), tries=again, began=stamp(now))


def ended(tried: Tried, status: int, now: datetime) -> Tried:
    """A try that ended."""
    return replace(tried, ended=stamp(now), status=status)


def read_tried(root: Path, name: str) -> Tried | None:
    """What is known of a task in a home; None for nothing, or nothing that can be read."""
    try:
        value = json.loads(read_whole(_path(root, name)) or b"null")
    except (ValueError, RecursionError):
        return None
    return _parsed(value) if isinstance(value, dict) else None


def write_tried(root: Path, name: str, tried: Tried) -> None:
    """Keep what is known of a task."""
    path = _path(root, name)
    make_folder(path.parent)
    write_atomic(path, json.dumps(asdict(tried)).encode("ascii") + b"\n")


def _path(root: Path, name: str) -> Path:
    return root / "schedule" / f"{name}.json"


def _parsed(value: dict[str, Any]) -> Tried | None:
    words = {key: value.get(key, "") for key in ("since", "due", "began", "ended")}
    figures = {key: value.get(key, 0) for key in ("tries", "status")}
    if not all(isinstance(word, str) for word in words.values()) or parse(words["since"]) is None:
        return None
    if not all(isinstance(figure, int) for figure in figures.values()):
        return None
    return Tried(**words, **figures)
