"""Phases of the night that belong to the day: roll-up, check-in, commitment triage, coaching.

They write the day's files and no git, each the same again after a crash. The night's own moment is their present.
"""

from collections.abc import Callable
from datetime import timedelta

from slowwave.sleep.plan import Night, Phase, PhaseResult, PhaseStatus
from slowwave.sleep.triage import Category
from slowwave.wake import coaching
from slowwave.wiring.judges import judge_of
from slowwave.wiring.premises import Premises
from slowwave.wiring.purses import zone_of
from slowwave.wiring.verbs_checkin import infer_checkin
from slowwave.wiring.verbs_observations import observations_of
from slowwave.wiring.verbs_scratch import roll_up
from slowwave.wiring.verbs_triage import home_triage

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
    """Phase 4: how urgent everything is that is owed; it only looks."""

    def phase(night: Night) -> PhaseResult:
        triage, unreadable = home_triage(house, at=night.moment)
        counts = {str(category): len(triage.of(category)) for category in Category if triage.of(category)}
        if triage.warnings:
            counts["warnings"] = len(triage.warnings)
        if unreadable:
            counts["unreadable"] = unreadable
        return PhaseResult(counts=counts) if counts else _nothing("nothing is owed")

    return phase


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
