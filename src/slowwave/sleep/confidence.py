"""First confidence of a memory: a table over how many sessions it was seen in and who said it."""

from collections.abc import Sequence

from slowwave.facts.evidence import Evidence, Speaker

_BY_SESSIONS = {1: 0.40, 2: 0.55, 3: 0.65}  # one session may be a fluke; three seldom are
_MANY_SESSIONS = 0.70  # four and more
_PERSON_BONUS = 0.10  # a person said part of it
_TAINT_CUT = 0.15  # part of it came from a page or a server
_REINFORCED = 0.05  # each later observation, up to
_MOST = 0.95  # nothing learned from transcripts is certain


def first_confidence(evidence: Sequence[Evidence]) -> float:
    """Confidence of a new memory from its evidence; the table stands in ``docs/format.md``."""
    sessions = len({e.session_id for e in evidence})
    score = _BY_SESSIONS.get(sessions, _MANY_SESSIONS)
    if any(e.speaker is Speaker.USER for e in evidence):
        score += _PERSON_BONUS
    if any(e.is_tainted for e in evidence):
        score -= _TAINT_CUT
    return round(score, 2)


def reinforced(confidence: float) -> float:
    """Confidence after one more observation."""
    return round(min(_MOST, confidence + _REINFORCED), 2) if confidence < _MOST else confidence
