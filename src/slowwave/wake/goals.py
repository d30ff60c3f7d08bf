"""Goals: what the person works towards, a file each in ``goals/active``; traits are held against them."""

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from slowwave.disk.durable import make_folder, read_whole, remove, write_atomic
from slowwave.disk.places import Places
from slowwave.facts.limits import GOAL_CHARACTERS, MOST_GOALS
from slowwave.facts.moment import Clock, stamp
from slowwave.facts.refusal import UsageError
from slowwave.facts.text import cut, fold
from slowwave.wake.holding import Hold
from slowwave.wake.judging import Goal

_NOT_NAME = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalFault:
    """A file that is no goal, and why."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Goals:
    """Active goals in order of their ids, and files that are none."""

    goals: tuple[Goal, ...]
    faults: tuple[GoalFault, ...]


def read_goals(places: Places) -> Goals:
    """Every active goal; a damaged file is a fault, never an error. The first of two with one id stands."""
    goals: dict[str, Goal] = {}
    faults: list[GoalFault] = []
    paths = sorted(places.goals.glob("*.json")) if places.goals.is_dir() else []
    for path in paths:
        goal = _goal(path)
        if isinstance(goal, GoalFault):
            faults.append(goal)
        elif goal.id in goals:
            faults.append(GoalFault(file=path.name, reason=f"another file has the id {goal.id} too"))
        elif len(goals) >= MOST_GOALS:
            faults.append(GoalFault(file=path.name, reason=f"only {MOST_GOALS} active goals are looked at"))
        else:
            goals[goal.id] = goal
    return Goals(goals=tuple(goals[name] for name in sorted(goals)), faults=tuple(faults))


def _goal(path: Path) -> Goal | GoalFault:
    if path.is_symlink() or not path.is_file():
        return GoalFault(file=path.name, reason="it is no file of its own")
    try:
        row = json.loads(read_whole(path) or b"")
    except (ValueError, RecursionError):
        return GoalFault(file=path.name, reason="it is no JSON")
    if not isinstance(row, dict):
        return GoalFault(file=path.name, reason="it holds no object")
    title, description = _text(row, "title"), _text(row, "description")
    if not title and not description:
        return GoalFault(file=path.name, reason="it has neither title nor description")
    canonical = json.dumps(row, sort_keys=True, ensure_ascii=True).encode()
    return Goal(
        id=_text(row, "id") or path.stem,
        title=cut(fold(title or description), GOAL_CHARACTERS),
        description=cut(fold(description), GOAL_CHARACTERS),
        revision=hashlib.sha256(canonical).hexdigest()[:16],
    )


def _text(row: dict[str, Any], name: str) -> str:
    value = row.get(name)
    return value.encode("utf-8", "replace").decode("utf-8").strip() if isinstance(value, str) else ""


def add_goal(places: Places, hold: Hold, clock: Clock, *, title: str, description: str) -> Goal:
    """Begin a goal; its id is made from its title.

    Raises:
        UsageError: The title is empty, or a goal of that name stands.
    """
    words = fold(title)
    name = _NOT_NAME.sub("-", words.casefold()).strip("-")[:60].strip("-")
    if not words:
        raise UsageError("a goal needs a title", hint='for example slowwave goals add "Run a marathon"')
    name = name or "goal-" + hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()[:8]
    path = places.goals / f"{name}.json"
    row = {"id": name, "title": words, "description": fold(description), "created": stamp(clock())}
    with hold("goals add"):
        if path.exists() or any(goal.id == name for goal in read_goals(places).goals):
            raise UsageError(f"a goal {name} stands already", hint="choose another title, or edit its file")
        make_folder(places.goals)
        write_atomic(path, json.dumps(row, ensure_ascii=False, indent=2).encode("utf-8", "replace") + b"\n")
    goal = _goal(path)
    assert isinstance(goal, Goal)
    return goal


def finish_goal(places: Places, hold: Hold, clock: Clock, name: str) -> Goal:
    """A goal is reached: its file moves to ``goals/done`` with the time, all else of it as it was.

    Raises:
        UsageError: No active goal has that id.
    """
    with hold("goals done"):
        for path in sorted(places.goals.glob("*.json")) if places.goals.is_dir() else []:
            goal = _goal(path)
            if not isinstance(goal, Goal) or goal.id != name:
                continue
            row = json.loads(path.read_bytes()) | {"done": stamp(clock())}
            done = places.goals.parent / "done"
            make_folder(done)
            write_atomic(_free(done / path.name), json.dumps(row, ensure_ascii=False, indent=2).encode() + b"\n")
            remove(path)
            return goal
    raise UsageError(f"no active goal is called {name}", hint="`slowwave goals list` shows their ids")


def _free(path: Path) -> Path:
    """The path, or one with a number where that stands already."""
    number = 1
    free = path
    while free.exists():
        number += 1
        free = path.with_stem(f"{path.stem}-{number}")
    return free
