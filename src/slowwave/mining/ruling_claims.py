"""How a person's ruling is told: their own words first, then the agent's sentence that completes it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from slowwave.facts.limits import FEWEST_QUOTES
from slowwave.facts.memory import Kind
from slowwave.facts.text import fold
from slowwave.mining import compose, phrasing, rewording, speech
from slowwave.mining.answers import Answer
from slowwave.mining.episodes import Episode
from slowwave.mining.finding import Finding, Part
from slowwave.mining.quoting import sessions_word
from slowwave.mining.refused_steps import refused_step
from slowwave.mining.sentences import Sentence
from slowwave.mining.telling import KEPT_FROM, LEAST_SECOND, ROOM, entities, told_line, turn_first
from slowwave.mining.threads import QUOTE, distinct, quote

SPOKEN = 116  # characters of each piece of a person's words in a ruling; the gate refuses runs of 120
_DIGITS = re.compile(r"\b[0-9a-f]{12,}\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A person's rule before it is told.

    Attributes:
        lens: The lens.
        kind: Kind of memory.
        said: Each time it was said: the episode, the sentence that rules, and the one that gives the reason.
        echo: The agent's sentence that repeats it and can be told.
        support: The agent's sentence that takes it up, raw; empty for none.
        sessions: In how many sessions it was said.
        parts: Named parts of the score.
    """

    lens: str
    kind: Kind
    said: tuple[tuple[Episode, Sentence, Sentence | None], ...]
    echo: Answer | None
    support: str
    sessions: int
    parts: tuple[Part, ...]


def _spoken(sentence: Sentence) -> str:
    """A person's sentence, or its clauses that fit whole; empty where none does."""
    return rewording.head(fold(_DIGITS.sub("…", sentence.text)).rstrip(" .,;:"), SPOKEN)


def tell_ruling(ruling: Ruling) -> Finding:
    """The finding a ruling makes: the person's words first, then the agent's."""
    episode, rule, reason = ruling.said[0]
    words = [rule, *([reason] if reason is not None and reason is not rule else [])]
    spoken = [f"“{told}”" for s in sorted(words, key=lambda s: s.order) if (told := _spoken(s))]
    refused = f", refusing {refused_step(episode)}" if episode.is_refusal and episode.refused else ""
    head = f"The user said in {sessions_word(ruling.sessions)}{refused}: "
    text = head + "; ".join(spoken)
    echo = phrasing.telling(ruling.echo.sentence.text) if ruling.echo else ""
    left = ROOM - len(text)
    if echo and left >= LEAST_SECOND:
        text += "; " + compose.lowered(rewording.unrun(echo, left - 2))
    quotes = [
        turn_first(e) if len(e.turn.entry.text) <= QUOTE else quote(e.session_id, r.raw) for e, r, _ in ruling.said
    ]
    quotes += [quote(e.session_id, w.raw) for e, _, w in ruling.said if w is not None]
    if len(distinct(quotes)) < FEWEST_QUOTES:
        quotes = [quote(episode.session_id, sentence.raw) for sentence in words]
    if ruling.echo or ruling.support:
        quotes.insert(1, quote(episode.session_id, ruling.echo.sentence.raw if ruling.echo else ruling.support))
    lines = [f"- In session {e.session_id}: {'; '.join(speech.pieces(e.turn))}" for e, _, _ in ruling.said]
    finding = Finding(
        lens=ruling.lens,
        subject=" ".join(sorted(episode.words)[:4]),
        kind=ruling.kind,
        claim=compose.claim([text]),
        gist=compose.gist([*lines, f"- {told_line(echo)}" if echo else ""]),
        entities=entities([text]),
        quotes=distinct(quotes),
        parts=ruling.parts,
    )
    sources = [e.turn.entry.text for e, _, _ in ruling.said] + (
        [ruling.echo.utterance.entry.text] if ruling.echo else []
    )
    told = _ruling_fault(finding, sources) if _spoken(rule) else "its sentence is too long to be told whole"
    return replace(finding, dropped=told)


def _ruling_fault(finding: Finding, sources: Sequence[str]) -> str:
    if len(finding.quotes) < FEWEST_QUOTES:
        return "fewer than two quotes"
    if finding.score < KEPT_FROM:
        return f"score {finding.score:.1f} under {KEPT_FROM:.0f}"
    return "would copy the transcript" if compose.copies(finding.claim + "\n" + finding.gist, sources) else ""
