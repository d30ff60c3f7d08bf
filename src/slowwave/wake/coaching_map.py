"""The coaching map as a value and as ``goal-identity-map.json``; keys that others wrote into the file are kept."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from slowwave.disk.durable import keep_damaged, make_folder, read_whole, write_atomic
from slowwave.disk.places import Places
from slowwave.facts.moment import stamp
from slowwave.wake.judging import Goal, Relevance
from slowwave.wake.traits import Trait

_OWN = ("version", "goals", "examined")
_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearing:
    """A trait that bears on a goal: why, how much (0 to 1), who said so, when, and when the trait was said."""

    trait_id: str
    obs: str
    reason: str
    score: float
    decided_by: str
    moment: str
    ts: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """Which traits, by id with the hash of their words, a revision of a goal was held against."""

    revision: str
    traits: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoachingMap:
    """The whole map.

    Attributes:
        bearings: For each goal its relevant traits, by their ids.
        examined: For each goal what was looked at.
        titles: Of each goal, for readers of the file.
        others: Keys of the file that are not ours.
    """

    bearings: Mapping[str, Mapping[str, Bearing]] = field(default_factory=dict)
    examined: Mapping[str, Examined] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    others: Mapping[str, Any] = field(default_factory=dict)

    @property
    def goal_ids(self) -> frozenset[str]:
        """Every goal it speaks of."""
        return frozenset(self.examined) | frozenset(self.bearings)

    def has_examined(self, goal: Goal, trait: Trait) -> bool:
        """Whether a trait, as it reads now, was held against a goal as it is now."""
        seen = self.examined.get(goal.id)
        return seen is not None and seen.revision == goal.revision and seen.traits.get(trait.id) == trait.hash

    def without_gone(self, goals: Mapping[str, Goal], traits: Mapping[str, Trait]) -> "CoachingMap":
        """The map without goals that are no longer active and traits that are gone or read differently."""
        examined = {name: _current(seen, traits) for name, seen in self.examined.items() if name in goals}
        bearings = {
            name: {one: row for one, row in rows.items() if name in examined and one in examined[name].traits}
            for name, rows in self.bearings.items()
            if name in goals
        }
        titles = {name: title for name, title in self.titles.items() if name in goals}
        return replace(self, examined=examined, bearings=bearings, titles=titles)

    def with_answer(
        self, trait: Trait, rows: Sequence[Relevance], goals: Mapping[str, Goal], moment: datetime
    ) -> "CoachingMap":
        """The map with what was said of one trait; a goal that changed begins anew."""
        examined, bearings, titles = dict(self.examined), dict(self.bearings), dict(self.titles)
        for row in rows:
            goal = goals[row.goal_id]
            seen = examined.get(goal.id)
            is_same = seen is not None and seen.revision == goal.revision
            examined[goal.id] = Examined(
                revision=goal.revision, traits={**(seen.traits if seen and is_same else {}), trait.id: trait.hash}
            )
            kept = dict(bearings.get(goal.id, {})) if is_same else {}
            kept.pop(trait.id, None)
            if row.is_relevant:
                kept[trait.id] = _bearing(trait, row, moment)
            bearings[goal.id], titles[goal.id] = kept, goal.title
        return replace(self, examined=examined, bearings=bearings, titles=titles)


def _current(seen: Examined, traits: Mapping[str, Trait]) -> Examined:
    kept = {one: words for one, words in seen.traits.items() if one in traits and traits[one].hash == words}
    return replace(seen, traits=kept)


def _bearing(trait: Trait, row: Relevance, moment: datetime) -> Bearing:
    return Bearing(
        trait_id=trait.id,
        obs=trait.obs,
        reason=row.reason,
        score=row.score,
        decided_by=row.decided_by,
        moment=stamp(moment),
        ts=trait.ts,
    )


def read_map(places: Places, *, keep_damaged_at: datetime | None = None) -> CoachingMap:
    """The map; an empty one where there is none or it cannot be understood: then everything is looked at again.

    With ``keep_damaged_at`` a file that cannot be understood is kept beside its place under that time.
    """
    path = places.coaching_map
    content = read_whole(path)
    if content is None:
        return CoachingMap()
    try:
        return _map(json.loads(content))
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        if keep_damaged_at is not None:
            keep_damaged(path, content, keep_damaged_at)
        return CoachingMap()


def _map(tree: dict[str, Any]) -> CoachingMap:
    goals = tree.get("goals", {})
    bearings = {
        str(name): {str(row["trait_id"]): _read_bearing(row) for row in goal["observations"]}
        for name, goal in goals.items()
    }
    examined = {
        str(name): Examined(
            revision=str(seen["revision"]), traits={str(one): str(words) for one, words in seen["observations"].items()}
        )
        for name, seen in tree.get("examined", {}).items()
    }
    return CoachingMap(
        bearings=bearings,
        examined=examined,
        titles={str(name): str(goal.get("title", "")) for name, goal in goals.items()},
        others={name: value for name, value in tree.items() if name not in _OWN},
    )


def _read_bearing(row: Mapping[str, Any]) -> Bearing:
    return Bearing(
        trait_id=str(row["trait_id"]),
        obs=str(row["obs"]),
        reason=str(row["reason"]),
        score=float(row["score"]),
        decided_by=str(row["decided_by"]),
        moment=str(row["moment"]),
        ts=str(row.get("ts", "")),
    )


def write_map(places: Places, known: CoachingMap) -> None:
    """Replace the file; the caller holds the day."""
    goals = {
        name: {"title": known.titles.get(name, ""), "observations": [_row(row) for _, row in sorted(rows.items())]}
        for name, rows in sorted(known.bearings.items())
    }
    examined = {
        name: {"revision": seen.revision, "observations": dict(sorted(seen.traits.items()))}
        for name, seen in sorted(known.examined.items())
    }
    tree = {**known.others, "version": _VERSION, "goals": goals, "examined": examined}
    make_folder(places.coaching_map.parent)
    write_atomic(places.coaching_map, json.dumps(tree, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n")


def _row(row: Bearing) -> dict[str, object]:
    return {
        "trait_id": row.trait_id,
        "obs": row.obs,
        "reason": row.reason,
        "score": round(row.score, 3),
        "decided_by": row.decided_by,
        "moment": row.moment,
        "ts": row.ts,
    }
