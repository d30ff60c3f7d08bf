"""The built-in judge: what a capture is, by cue lists and weights, without asking anybody."""

import re
from collections.abc import Sequence

from slowwave.facts.capture import Capture, FileClass, FollowUp
from slowwave.facts.limits import REASON_CHARACTERS
from slowwave.facts.text import cut, fold, showable
from slowwave.wake.judging import RULES, Goal, Judged, Relevance, Value
from slowwave.wake.rules.reading import Reading, read
from slowwave.wake.rules.relevance import bearing
from slowwave.wake.rules.summary import summarise
from slowwave.wake.rules.weighing import Weighed, weigh

_OWNED = re.compile(r"\b(?:the |this )?user(?:'|\u2019)s\b", re.IGNORECASE)
_WITH_VERB = re.compile(r"\b(?:the |this )?user ([a-z]+)\b", re.IGNORECASE)
_ALONE = re.compile(r"\b(?:the |this )?user\b", re.IGNORECASE)
_VERBS = {"is": "am", "has": "have", "does": "do", "was": "was", "always": "always"}
_REFUSED = (
    ("question", "a question asserts nothing"),
    ("user", "it speaks of somebody else, nobody says this of themselves"),
)
"""What no weight outweighs: a trait is asserted by the writer about themselves (spec 05)."""


class RulesJudge:
    """Decides by rules; the same words always get the same answer, and nothing ever waits."""

    name = RULES

    def file_this(self, capture: Capture) -> Judged[FileClass]:
        """What it is about."""
        found = weigh("file_this", read(capture.text))
        return _judged(FileClass(found.value), found)

    def durable(self, capture: Capture) -> Judged[bool]:
        """Whether it is a trait of the writer's, by the writer."""
        reading = read(_as_said_by_them(capture))
        against = _against(reading)
        if against:
            return Judged(value=False, decided_by=RULES, reason=against, score=1.0)
        found = weigh("durable", reading)
        return _judged(found.value == "true", found)

    def follow_up(self, capture: Capture) -> Judged[FollowUp]:
        """What it asks for."""
        found = weigh("follow_up", read(capture.text))
        return _judged(FollowUp(found.value), found)

    def relevance(self, observation: str, goals: Sequence[Goal]) -> tuple[Relevance, ...]:
        """One row for each goal, in order, by the words both share."""
        return tuple(bearing(observation, goal) for goal in goals)

    def summarise(self, text: str) -> Judged[str]:
        """One paragraph of the day's own lines."""
        return Judged(value=summarise(text), decided_by=RULES, reason="lines of the day, the weightiest first")


def _as_said_by_them(capture: Capture) -> str:
    """An agent's note about its user as the user would say it: "the user prefers tea" is "I prefer tea".

    Nobody else speaks of the person as the user, so that a person's own words stay as they are.
    """
    if capture.speaker != "agent":
        return capture.text
    text = _OWNED.sub("my", capture.text)
    return _ALONE.sub("I", _WITH_VERB.sub(lambda found: f"I {_first_person(found[1])}", text))


def _first_person(verb: str) -> str:
    if verb.lower() in _VERBS:
        return _VERBS[verb.lower()]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def _against(reading: Reading) -> str:
    return next((why for name, why in _REFUSED if reading.has(name)), "")


def _judged(value: Value, found: Weighed) -> Judged[Value]:
    reason = cut(showable(fold(found.reason)), REASON_CHARACTERS)
    return Judged(value=value, decided_by=RULES, reason=reason, score=round(found.share, 3))
