"""All prose lenses over one batch: one hearing of the talk, and the best telling of each subject."""

import re
from collections.abc import Sequence
from dataclasses import replace

from slowwave.mining import corrections, decisions, explanations, rulings
from slowwave.mining.episodes import Talk
from slowwave.mining.events import Timeline
from slowwave.mining.finding import Finding
from slowwave.mining.wording import content_words

SAME = 0.5  # share of a claim's words that, standing in another claim, make it the same
TOLD = 0.75  # the same for the other's claim and gist together
_FRAME = content_words("the user said in one session, in 3 sessions")  # what every ruling begins with
_QUOTED = re.compile(r"“[^”]*”")


def find(talk: Talk, timelines: Sequence[Timeline]) -> tuple[Finding, ...]:
    """Findings of every prose lens, best first; a weaker telling of one subject is dropped with that reason."""
    found = [
        *corrections.find(talk),
        *explanations.find(talk, timelines),
        *decisions.find(talk),
        *rulings.find(talk),
    ]
    kept: list[Finding] = []
    told: list[Finding] = []
    for finding in sorted(found, key=_order):
        twin = next((other for other in kept if is_twin(finding, other)), None)
        if not finding.dropped and twin is not None:
            told.append(replace(finding, dropped=f"told better by the finding about {twin.subject}"))
            continue
        if not finding.dropped:
            kept.append(finding)
        told.append(finding)
    return tuple(told)


def _order(finding: Finding) -> tuple[bool, bool, float, str]:
    """Kept before dropped, the person's own ruling before what the agent made of it, then the better."""
    return (bool(finding.dropped), finding.lens != rulings.LENS, -round(finding.score, 6), finding.claim)


def is_twin(one: Finding, other: Finding) -> bool:
    """Whether the weaker finding says what the other has told: most words of its claim stand in that one."""
    if one.quotes[0].session_id != other.quotes[0].session_id and other.lens != rulings.LENS:
        return False
    if one.quotes[0] in (other.quotes if other.lens == rulings.LENS else other.quotes[:1]):
        return True
    mine = content_words(one.claim if one.lens == rulings.LENS else _unquoted(one.claim)) - _FRAME
    shared = len(mine & content_words(other.claim)) / max(1, len(mine))
    everywhere = len(mine & content_words(f"{other.claim}\n{other.gist}")) / max(1, len(mine))
    return shared >= SAME or everywhere >= TOLD


def _unquoted(text: str) -> str:
    """A claim without the person's words in it."""
    return _QUOTED.sub(" ", text)
