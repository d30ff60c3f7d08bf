"""Verbs over traits, goals and the coaching map."""

from collections.abc import Mapping
from typing import Any

from slowwave.facts.refusal import UsageError
from slowwave.sleep.remembering import propose_trait
from slowwave.wake import coaching
from slowwave.wake.coaching_map import read_map
from slowwave.wake.goals import add_goal, finish_goal, read_goals
from slowwave.wake.judging import Goal, Judge
from slowwave.wake.observations import Observations
from slowwave.wake.traits import Trait
from slowwave.wake.views import read_views
from slowwave.wiring.premises import Premises


def observations_of(house: Premises) -> Observations:
    """The traits of a home."""
    return Observations(house.home.day, house.hold_day, house.clock)


def list_observations(house: Premises, *, everything: bool) -> dict[str, Any]:
    """Traits that await review, or all."""
    read = observations_of(house).read()
    shown = [trait for trait in read.traits if everything or trait.needs_review]
    return {
        "observations": [_described(trait) for trait in shown],
        "total": len(read.traits),
        "needReview": sum(trait.needs_review for trait in read.traits),
        "malformed": read.malformed,
    }


def preview_observation(house: Premises, name: str) -> dict[str, Any]:
    """The trait that a decision would be about.

    Raises:
        UsageError: None has that id.
    """
    return _described(observations_of(house).find(name))


def decide_observation(house: Premises, name: str, decision: str, *, text: str = "") -> dict[str, Any]:
    """Confirm, edit or drop a trait; the trait as it is, or was.

    Raises:
        UsageError: None has that id, or the words cannot stand.
    """
    store = observations_of(house)
    if decision == "edit":
        return _described(store.edit(name, house.secrets.mask(text)))
    return _described(store.confirm(name) if decision == "confirm" else store.drop(name))


def remember_observation(house: Premises, name: str) -> dict[str, Any]:
    """Propose a confirmed trait as a memory of its own; it waits on ``pending`` like all others.

    Raises:
        UsageError: None has that id, it is not confirmed, or it was proposed before.
        NotRememberedError: The gate refuses it.
    """
    trait = observations_of(house).find(name)
    if trait.needs_review:
        raise UsageError("only a confirmed observation can become a memory", hint="`slowwave observations confirm ID`")
    house.begin_corpus()
    with house.writing("observations remember"):
        item = propose_trait(
            house.state,
            house.door,
            trait_id=trait.id,
            text=trait.obs,
            moment=house.clock().replace(microsecond=0),
            secrets=house.secrets,
        )
    return _described(trait) | {"item": item.id, "path": item.path}


def show_views(house: Premises) -> Mapping[str, str]:
    """The views over the traits by theme, rebuilt where they were stale."""
    return read_views(house.home.day, house.hold_day, observations_of(house))


def list_goals(house: Premises) -> dict[str, Any]:
    """Active goals, and files that are none."""
    read = read_goals(house.home.day)
    return {
        "goals": [_goal(goal) for goal in read.goals],
        "faults": [{"file": fault.file, "reason": fault.reason} for fault in read.faults],
    }


def begin_goal(house: Premises, *, title: str, description: str) -> dict[str, Any]:
    """Begin a goal.

    Raises:
        UsageError: The title is empty, or a goal of that name stands.
    """
    mask = house.secrets.mask
    return _goal(
        add_goal(house.home.day, house.hold_day, house.clock, title=mask(title), description=mask(description))
    )


def reach_goal(house: Premises, name: str) -> dict[str, Any]:
    """A goal is reached.

    Raises:
        UsageError: No active goal has that id.
    """
    return _goal(finish_goal(house.home.day, house.hold_day, house.clock, name))


def show_coaching(house: Premises, goal: str) -> dict[str, Any]:
    """The coaching map: for each goal its traits, why each bears on it, and how many were held against it.

    Raises:
        UsageError: No active goal has that id.
    """
    known = read_map(house.home.day)
    goals = [one for one in read_goals(house.home.day).goals if not goal or one.id == goal]
    if goal and not goals:
        raise UsageError(f"no active goal is called {goal}", hint="`slowwave goals list` shows their ids")
    rows = []
    for one in goals:
        bearings = sorted(known.bearings.get(one.id, {}).values(), key=lambda row: (-row.score, row.ts))
        seen = known.examined.get(one.id)
        rows.append(
            _goal(one)
            | {
                "examined": len(seen.traits) if seen else 0,
                "observations": [
                    {
                        "id": row.trait_id,
                        "obs": row.obs,
                        "reason": row.reason,
                        "score": row.score,
                        "decided_by": row.decided_by,
                        "moment": row.moment,
                    }
                    for row in bearings
                ],
            }
        )
    return {"goals": rows, "pending": coaching.pending(house.home.day, observations_of(house))}


def refresh_coaching(house: Premises, judge: Judge) -> dict[str, Any]:
    """Hold traits against goals where that was not done yet."""
    done = coaching.refresh(
        house.home.day, house.hold_day, house.clock, observations=observations_of(house), judge=judge
    )
    return {**done.counts, "reason": done.reason}


def _described(trait: Trait) -> dict[str, Any]:
    return {
        "id": trait.id,
        "ts": trait.ts,
        "obs": trait.obs,
        "source": trait.source,
        "needsReview": trait.needs_review,
        "hash": trait.hash,
        "captureId": trait.capture_id,
    }


def _goal(goal: Goal) -> dict[str, Any]:
    return {"id": goal.id, "title": goal.title, "description": goal.description, "revision": goal.revision}
