"""What a lens hands over: a candidate with its reasons, before anything is proved."""

from dataclasses import dataclass, field

from slowwave.facts.evidence import Quote
from slowwave.facts.memory import Entity, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One named part of a score, so that ``--explain`` can show the sum."""

    name: str
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing a lens found.

    Attributes:
        lens: The lens's name, as the specification spells it, in snake case.
        subject: What it is about, normalised; one finding a subject survives.
        kind: Kind of memory it would become.
        claim: One plain sentence, at most 300 characters, that stands alone.
        gist: What recurs, where, and what to do about it; at most 1,500 characters.
        entities: What it is about.
        quotes: 2 to 8 verbatim quotes, each from one decoded string of its session.
        parts: Named parts of the score.
        dropped: Why it was not kept; empty while it is.
    """

    lens: str
    subject: str
    kind: Kind
    claim: str
    gist: str
    entities: tuple[Entity, ...]
    quotes: tuple[Quote, ...]
    parts: tuple[Part, ...]
    dropped: str = field(default="")

    @property
    def score(self) -> float:
        """The sum of the parts."""
        return sum(part.value for part in self.parts)
