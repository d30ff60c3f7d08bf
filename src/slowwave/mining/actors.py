"""Lens "actor behind one's back": a linter, hook, sandbox or cache changes or refuses something unasked.

Told by the agent's own sentences in two sessions or more; the sentences must share a second word beside the actor, or
they tell of two different things.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from slowwave.facts.limits import CLAIM_CHARACTERS
from slowwave.facts.memory import Entity, Kind
from slowwave.mining import phrasing, quoting, tables
from slowwave.mining.answers import is_tellable
from slowwave.mining.events import Timeline
from slowwave.mining.finding import Finding, Part
from slowwave.mining.sentences import Sentence, split
from slowwave.mining.wording import content_words, identifiers

LENS = "actor_behind_the_back"
FEWEST_SESSIONS = 2
LONGEST = 260  # characters of a sentence that says one thing
_ADVICE = {
    "linter": "after a lint run look at the diff, read the changed files again and build",
    "formatter": "after it has run read the changed files again before editing them",
    "hook": "expect it at every commit or push, and read what it prints",
    "sandbox": "take such a failure for the sandbox's and not for the code's",
    "cache": "rule it out before believing a result",
    "other": "look at the state of things before acting on what was true earlier",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One sentence that tells of an actor's deed, and the words beside the actor and its verb."""

    timeline: Timeline
    at: int
    actor: str
    name: str
    sentence: Sentence
    about: frozenset[str]


def find(lines: Sequence[Timeline]) -> tuple[Finding, ...]:
    """One finding for each kind of actor whose deeds in two sessions or more have something in common."""
    by_actor: dict[str, list[Deed]] = {}
    for line in lines:
        for deed in _deeds(line):
            by_actor.setdefault(deed.actor, []).append(deed)
    found = [_common(deeds) for _, deeds in sorted(by_actor.items())]
    return tuple(_finding(deeds) for deeds in found if deeds)


def _deeds(line: Timeline) -> Iterator[Deed]:
    for at in range(len(line.entries)):
        for entry in line.talk(at, at + 1):
            for sentence in split(entry.text):
                hit = _deed_pattern().search(sentence.text) if len(sentence.text) <= LONGEST else None
                if hit and is_tellable(sentence.text):
                    actor = next(name for name, value in hit.groupdict().items() if value)
                    known = content_words(hit.group())
                    yield Deed(
                        timeline=line,
                        at=at,
                        actor=actor,
                        name=hit.group(actor),
                        sentence=sentence,
                        about=_words_from(entry.text, sentence) - known,
                    )


def _words_from(text: str, sentence: Sentence) -> frozenset[str]:
    """Words of a sentence and of the next: the consequence is often told there."""
    following = split(text)[sentence.order : sentence.order + 2]
    return content_words(" ".join(s.text for s in following))


@cache
def _deed_pattern() -> re.Pattern[str]:
    """The actor, a few adverbs, and the verb directly behind them."""
    actors = "|".join(f"(?P<{name}>{'|'.join(words)})" for name, words in tables.table("actors")["actors"].items())
    verbs = "|".join(tables.table("actors")["verbs"]["words"])
    adverbs = r"(?:(?:ha[sd]|have|is|was|were|already|also|just|then|silently|automatically|itself|now|even) ){0,3}"
    return re.compile(rf"(?i)(?<![\w`/.-])(?:{actors})\b[)`]? {adverbs}(?:{verbs})\b")


def _common(deeds: Sequence[Deed]) -> list[Deed]:
    """The deeds that share a word with one of another session, one a session, the first of each."""
    kept: dict[str, Deed] = {}
    for deed in deeds:
        if deed.timeline.session.id in kept:
            continue
        others = [d for d in deeds if d.timeline.session.id != deed.timeline.session.id]
        if any(_shares(deed, other) for other in others):
            kept[deed.timeline.session.id] = deed
    return list(kept.values()) if len(kept) >= FEWEST_SESSIONS else []


def _shares(one: Deed, other: Deed) -> bool:
    return bool(one.about & other.about)


def _finding(deeds: Sequence[Deed]) -> Finding:
    first = deeds[0]
    told = [quoting.said(_told(deed), 105) for deed in deeds]
    advice = _ADVICE[first.actor]
    lead = f"The {first.name.lower()} acts behind the agent's back ({len(deeds)} sessions"
    claim = f"{lead}: {told[0]}, {told[1]}): {advice}."
    if len(claim) > CLAIM_CHARACTERS:
        claim = f"{lead}, such as {told[0]}): {advice}."
    return Finding(
        lens=LENS,
        subject=f"actor {first.actor}",
        kind=Kind.ERROR_PATTERN,
        claim=claim,
        gist=(
            f"The agent told of it in {len(deeds)} sessions: {quoting.listed(told[:4])}. "
            f"It does so without being asked, so {advice}."
        ),
        entities=(Entity("concept", first.name.lower()),),
        quotes=quoting.distinct(quoting.raw_line(d.timeline.session.id, d.sentence.raw) for d in deeds),
        parts=(
            Part(name="told in sessions", value=5.2 + min(2.0, 0.6 * len(deeds))),
            Part(name="names things", value=min(0.8, 0.2 * len(identifiers(" ".join(told))))),
        ),
    )


def _told(deed: Deed) -> str:
    return phrasing.telling(deed.sentence.text)
