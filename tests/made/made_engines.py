"""Engines that mean no good: each answers what a test wants, over whatever it is offered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from slowwave.facts.answer import Answer, Candidate, Commitment
from slowwave.facts.evidence import Quote
from slowwave.facts.ids import SessionId
from slowwave.facts.memory import Entity, Kind
from slowwave.records.secrets import Secrets
from slowwave.sleep.engine import Estimate, Reading, Verdict
from slowwave.sleep.hearing import prove

SECRETS = Secrets()


@dataclass(frozen=True, slots=True, kw_only=True)
class Puppet:
    """An engine whose answer is a function of the sessions it is offered."""

    answer: Callable[[Sequence[SessionId]], Answer]
    name: str = "mined"
    profile: str = "mined/1"
    least_bytes: int = 0
    destination: str = ""

    def hear(self, reading: Reading) -> Verdict:
        """What holds of the answer."""
        answer = self.answer([recording.session.id for recording in reading.recordings])
        return prove(answer, reading.batch, SECRETS)

    def estimate(self, sizes: Sequence[int]) -> Estimate | None:
        """Nothing."""
        del sizes
        return None


def candidate(claim: str, quotes: Sequence[tuple[str, str]], **changes: Any) -> Candidate:
    """A candidate on quotes, each ``(session, words)``."""
    made: dict[str, Any] = {
        "kind": Kind.SEMANTIC,
        "claim": claim,
        "gist": "Said in more than one session.",
        "entities": (Entity("concept", "checkout"),),
        "evidence": tuple(Quote(session_id=SessionId(session), quote=words) for session, words in quotes),
        **changes,
    }
    return Candidate(**made)


def commitment(statement: str, session: str, words: str, **changes: Any) -> Commitment:
    """A commitment of the agent's."""
    made: dict[str, Any] = {
        "statement": statement,
        "actor": "agent",
        "due_hint": None,
        "evidence": Quote(session_id=SessionId(session), quote=words),
        "confidence": 0.9,
        "resolved": False,
        **changes,
    }
    return Commitment(**made)
