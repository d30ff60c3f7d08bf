"""Judging: what a capture is, by rules or by a model, behind one interface."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from slowwave.facts.capture import Capture, FileClass, FollowUp

Value = TypeVar("Value")

RULES = "rules"
"""``decided_by`` of the built-in engine; a model's is ``model PROVIDER:NAME``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged(Generic[Value]):
    """One decision.

    Attributes:
        value: What was decided.
        decided_by: ``rules``, or the model; where a model could not answer, ``rules`` and why in brackets.
        reason: A few words a person can check.
        score: 0 to 1, how clear it was; None where nobody says.
    """

    value: Value
    decided_by: str
    reason: str
    score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """Nobody may be asked now, since the day's budget is spent: what was to be judged waits, in order."""

    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """An active goal, as ``goals/active/ID.json`` has it; ``revision`` is a hash over all it says."""

    id: str
    title: str
    description: str
    revision: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    """Whether a trait bears on a goal."""

    goal_id: str
    is_relevant: bool
    score: float
    reason: str
    decided_by: str


class Judge(Protocol):
    """Decides; never raises for what a capture or a model says."""

    @property
    def name(self) -> str:
        """``rules``, or the model."""
        ...

    def file_this(self, capture: Capture) -> Judged[FileClass] | Waits:
        """What it is about."""
        ...

    def durable(self, capture: Capture) -> Judged[bool] | Waits:
        """Whether it is a trait: true of the writer last year and next year, asserted by them about themselves."""
        ...

    def follow_up(self, capture: Capture) -> Judged[FollowUp] | Waits:
        """What it asks for."""
        ...

    def relevance(self, observation: str, goals: Sequence[Goal]) -> tuple[Relevance, ...] | Waits:
        """One row for each goal, in order."""
        ...

    def summarise(self, text: str) -> Judged[str] | Waits:
        """One paragraph over a day's scratch: key events, decisions, open items, the theme of the day."""
        ...
