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
    def cure(self) -> tuple[str, ...]:
        """What was new in the form that passed; for another path the program and its error."""
        if self.difference == "path":
            return (self.difference, self.after.program, self.template)
        if self.difference == "flag":
            return (self.difference, self.after.program, *sorted(set(self.before.args) ^ set(self.after.args)))
        return (self.difference, *self.after.wrapper, *self.after.assignments)

    @property
    def template(self) -> str:
        """The error without what varies; of a timeout what did not end."""
        if self.failure.is_timeout:
            return " ".join(("no end of", self.before.program, *self.before.words[:1]))
        return masks.template(self.failure.line)
