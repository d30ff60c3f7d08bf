"""Phases of the night that belong to the day: roll-up, check-in, commitment triage, coaching.

They write the day's files and no git, each the same again after a crash. The night's own moment is their present.
"""

from collections.abc import Callable
from datetime import timedelta

from slowwave.facts.commitment import CommitmentStatus
from slowwave.facts.limits import MOST_TASKS_A_NIGHT
from slowwave.facts.refusal import Refusal
from slowwave.sleep.plan import Night, Phase, PhaseResult, PhaseStatus
from slowwave.sleep.remembering import NotRememberedError, propose_task
from slowwave.sleep.triage import Category, due_of
from slowwave.wake import coaching
from slowwave.wiring.judges import judge_of
from slowwave.wiring.premises import Premises
from slowwave.wiring.purses import zone_of
from slowwave.wiring.verbs_checkin import infer_checkin
from slowwave.wiring.verbs_observations import observations_of
from slowwave.wiring.verbs_scratch import roll_up
from slowwave.wiring.verbs_triage import commitments_of, home_triage

_NIGHT_HOURS = 6
"""A night that begins so long after midnight still ends the day before."""


def rolls_up(house: Premises) -> Phase:
    """Phase 2: put away a page whose day is over, where the loop did not."""

    def phase(night: Night) -> PhaseResult:
        counts = roll_up(house, night.moment)
        return PhaseResult(counts=dict(counts)) if counts else _nothing("the day's page was rolled up already")

    return _writing(phase)


def checks_in(house: Premises) -> Phase:
    """Phase 3: the implicit check-in of the day that ended."""

    def phase(night: Night) -> PhaseResult:
        local = night.moment.astimezone(zone_of(house)) - timedelta(hours=_NIGHT_HOURS)
        outcome = infer_checkin(house, local.date())
        return PhaseResult(counts={outcome: 1})

    return _writing(phase)


def triages(house: Premises) -> Phase:
    """Phase 4: a proposed task for each commitment that has none, then how urgent everything is that is owed."""

    def phase(night: Night) -> PhaseResult:
        opened, refusals = (0, ()) if night.options.dry_run else _open_tasks(house, night)
        triage, unreadable = home_triage(house, at=night.moment)
        counts = {str(category): len(triage.of(category)) for category in Category if triage.of(category)}
        if triage.warnings:
            counts["warnings"] = len(triage.warnings)
        if unreadable:
            counts["unreadable"] = unreadable
        if opened:
            counts["tasks_proposed"] = opened
        return PhaseResult(counts=counts, refusals=refusals) if counts else _nothing("nothing is owed")

    return phase


def _open_tasks(house: Premises, night: Night) -> tuple[int, tuple[Refusal, ...]]:
    """Propose the task of each commitment without one, at most so many a night; how many, and what the gate refused."""
    store = commitments_of(house)
    wanted = [one for one in store.read() if not one.task and one.status is CommitmentStatus.PENDING]
    refusals = []
    opened = 0
    for one in wanted[:MOST_TASKS_A_NIGHT]:
        due = due_of(one.due, zone_of(house))
        try:
            with night.writing("sleep"):
                path = propose_task(
                    house.state,
                    house.door,
                    one,
                    due=due.day if due else None,
                    moment=night.moment,
                    secrets=house.secrets,
                )
        except NotRememberedError as error:
            refusals.append(Refusal(code=error.code, path=f"commitments[{one.id}]", message=error.message))
            continue
        store.set_task(one.id, str(path))
        opened += 1
    return opened, tuple(refusals)


def coaches(house: Premises) -> Phase:
    """Phase 15: hold traits against goals where the loop did not."""

    def phase(night: Night) -> PhaseResult:
        places, observations = house.home.day, observations_of(house)
        if not coaching.pending(places, observations):
            return _nothing("no observation is pending")
        done = coaching.refresh(
            places, house.hold_day, lambda: night.moment, observations=observations, judge=judge_of(house)
        )
        status = PhaseStatus.DEGRADED if done.reason else PhaseStatus.DONE
        return PhaseResult(status=status, counts=dict(done.counts), reason=done.reason)

    return _writing(phase)


def _writing(phase: Callable[[Night], PhaseResult]) -> Phase:
    """A phase that a dry run leaves out."""

    def run(night: Night) -> PhaseResult:
        if night.options.dry_run:
            return _nothing("a dry run changes nothing")
        return phase(night)

    return run


def _nothing(why: str) -> PhaseResult:
    return PhaseResult(status=PhaseStatus.SKIPPED, reason=why)
