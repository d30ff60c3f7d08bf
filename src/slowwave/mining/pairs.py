"""A failed command and the form of it that passed: what the lens "fix by variant" collects."""

from dataclasses import dataclass

from slowwave.mining import masks
from slowwave.mining.events import Event, Timeline
from slowwave.mining.failures import Failure
from slowwave.mining.forms import Form


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A failure and the form that passed."""

    timeline: Timeline
    failed: Event
    passed: Event
    failure: Failure
    before: Form
    after: Form
    difference: str

    @property
    def template(self) -> str:
        """The error without what varies."""
        return masks.template(self.failure.line)
