"""Coaching: which traits bear on which goal, kept so that only what changed is looked at again.

The map says for each goal its relevant traits with reason, score, who decided and when; and which traits were held
against which revision of which goal. A pair is looked at once, until the trait's words or the goal change.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from slowwave.disk.places import Places
from slowwave.facts.limits import TRAITS_A_REFRESH
from slowwave.facts.moment import Clock
from slowwave.wake.coaching_map import Bearing, CoachingMap, read_map, write_map
from slowwave.wake.goals import read_goals
from slowwave.wake.holding import Hold
from slowwave.wake.judging import RULES, Goal, Judge, Relevance, Waits
from slowwave.wake.observations import Observations
from slowwave.wake.state import stamp_of
from slowwave.wake.traits import Trait

NUDGES_A_GOAL = 3  # traits a brief reminds of: more is a list, not a nudge


@dataclass(frozen=True, slots=True, kw_only=True)
class Refreshed:
    """What a refresh did: pairs looked at, of them relevant, and traits that still wait, with the reason."""

    examined: int
    relevant: int
    waiting: int
    removed_goals: int
    reason: str = ""

    @property
    def counts(self) -> Mapping[str, int]:
        """The same for a report."""
        return {
            "examined": self.examined,
            "relevant": self.relevant,
            "waiting": self.waiting,
            "removedGoals": self.removed_goals,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Nudge:
    """What a goal's traits say to the person today; each trait with why it bears on the goal."""

    goal_id: str
    title: str
    traits: tuple[Bearing, ...]


def fingerprint(places: Places) -> object:
    """What tells, without reading anything, that traits, goals or the map changed."""
    goals = sorted(places.goals.glob("*.json")) if places.goals.is_dir() else []
    files = (places.observations, places.coaching_map, *goals)
    return tuple((path.name, stamp_of(path)) for path in files)


def pending(places: Places, observations: Observations) -> int:
    """How many traits were not yet held against every active goal as it is now."""
    goals = read_goals(places).goals
    known = read_map(places)
    return sum(bool(_unexamined(trait, goals, known)) for trait in observations.read().traits)


def refresh(places: Places, hold: Hold, clock: Clock, *, observations: Observations, judge: Judge) -> Refreshed:
    """Hold traits against the goals they were not held against; at most ``TRAITS_A_REFRESH`` of them.

    The lock is never held while a model thinks: what it said is joined with the map as it stands then.
    """
    goals = read_goals(places).goals
    traits = observations.read().traits
    known = read_map(places)
    open_traits = [trait for trait in traits if _unexamined(trait, goals, known)]
    answers: list[Answer] = []
    reason = ""
    for trait in open_traits[:TRAITS_A_REFRESH]:
        rows = judge.relevance(trait.obs, _unexamined(trait, goals, known))
        if isinstance(rows, Waits):
            reason = rows.message
            break
        answers.append((trait, rows))
        if judge.name != RULES:
            # An answer that was paid for is kept at once, so that a crash asks for nothing twice.
            _join(places, hold, clock, answers[-1:])
    removed = _join(places, hold, clock, answers)
    pairs = [row for _, rows in answers for row in rows]
    return Refreshed(
        examined=len(pairs),
        relevant=sum(row.is_relevant for row in pairs),
        waiting=len(open_traits) - len(answers),
        removed_goals=removed,
        reason=reason,
    )


Answer = tuple[Trait, tuple[Relevance, ...]]


def nudges(places: Places) -> tuple[Nudge, ...]:
    """For each active goal its strongest traits, strongest first; goals without any are left out."""
    known = read_map(places)
    found = []
    for goal in read_goals(places).goals:
        rows = sorted(known.bearings.get(goal.id, {}).values(), key=lambda row: (-row.score, row.ts, row.trait_id))
        if rows:
            found.append(Nudge(goal_id=goal.id, title=goal.title, traits=tuple(rows[:NUDGES_A_GOAL])))
    return tuple(found)


def _unexamined(trait: Trait, goals: Sequence[Goal], known: CoachingMap) -> tuple[Goal, ...]:
    """Goals that a trait, as it reads now, was not held against as they are now."""
    return tuple(goal for goal in goals if not known.has_examined(goal, trait))


def _join(places: Places, hold: Hold, clock: Clock, answers: Sequence[Answer]) -> int:
    """Write answers into the map as it stands now, and take out what is gone; how many goals left it."""
    with hold("coaching"):
        traits = {trait.id: trait for trait in Observations(places, hold, clock).read().traits}
        goals = {goal.id: goal for goal in read_goals(places).goals}
        before = read_map(places, keep_damaged_at=clock())
        known = before.without_gone(goals, traits)
        for trait, rows in answers:
            now = traits.get(trait.id)
            if now is not None and now.hash == trait.hash:
                known = known.with_answer(trait, [row for row in rows if row.goal_id in goals], goals, clock())
        if known != before:
            write_map(places, known)
        return len(before.goal_ids - known.goal_ids)
