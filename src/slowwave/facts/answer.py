"""The answer of a consolidator, parsed: candidates, commitments, sessions read.

Every engine, mined or model, hands over exactly this; ``proof/contract`` decides whether it is believed.
"""

from dataclasses import dataclass

from slowwave.facts.evidence import Evidence, Quote
from slowwave.facts.ids import SessionId
from slowwave.facts.memory import Entity, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory somebody proposes: one claim that stands alone, its gist, and the quotes it rests on."""

    kind: Kind
    claim: str
    gist: str
    entities: tuple[Entity, ...]
    evidence: tuple[Quote, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Commitment:
    """Work somebody said they would do; ``actor`` is user, agent or other, ``due_hint`` is YYYY-MM-DD or None."""

    statement: str
    actor: str
    due_hint: str | None
    evidence: Quote
    confidence: float
    resolved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One whole answer; it is accepted whole or refused whole."""

    candidates: tuple[Candidate, ...]
    commitments: tuple[Commitment, ...]
    read_session_ids: tuple[SessionId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvedCandidate:
    """A candidate whose every quote was found; ``evidence`` stands in the order of the candidate's quotes."""

    candidate: Candidate
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvedCommitment:
    """A commitment whose quote was found in its speaker's own words."""

    commitment: Commitment
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Proved:
    """An accepted answer."""

    candidates: tuple[ProvedCandidate, ...]
    commitments: tuple[ProvedCommitment, ...]
    read_session_ids: tuple[SessionId, ...]
