"""Asking over a night: what each batch came to, when nobody is asked any more, and whom that may be blamed on."""

from dataclasses import dataclass, field

from slowwave.facts.ids import SessionId
from slowwave.sleep.batch_plan import BatchPlan
from slowwave.sleep.steps import Outcome


@dataclass(slots=True)
class Asking:
    """What came of the batches so far, and whether anybody is still asked.

    Two batches in a row that fail alike end the asking of a night: a third would most likely fail as well, and what
    failed comes last the next time.
    """

    outcomes: list[Outcome] = field(default_factory=list)
    asked: list[tuple[BatchPlan, Outcome]] = field(default_factory=list)
    is_over: bool = False

    @property
    def is_first(self) -> bool:
        """Whether nothing was spent yet."""
        return not any(outcome.counts.get("model_calls") for outcome in self.outcomes)

    def take(self, plan: BatchPlan, outcome: Outcome, *, was_asked: bool) -> None:
        """Note what a batch came to."""
        self.outcomes.append(outcome)
        if not was_asked:
            return
        before = self.asked[-1][1].failure if self.asked else ""
        self.asked.append((plan, outcome))
        self.is_over = self.is_over or outcome.ends_asking or bool(before and before == outcome.failure)

    def forgiven(self) -> tuple[SessionId, ...]:
        """Sessions that failed by themselves where everything failed alike: that was no fault of theirs."""
        failures = {outcome.failure for _, outcome in self.asked}
        is_outage = len(self.asked) > 1 and len(failures) == 1 and "" not in failures
        return tuple(plan.new[0] for plan, _ in self.asked if len(plan.new) == 1) if is_outage else ()
