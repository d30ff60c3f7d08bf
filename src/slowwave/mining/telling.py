"""From chosen sentences to a finding: claim, gist, quotes, entities and score of one prose lens."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from slowwave.facts.evidence import Quote
from slowwave.facts.limits import CLAIM_CHARACTERS, FEWEST_QUOTES
from slowwave.facts.memory import Entity, Kind
from slowwave.mining import compose, phrasing, rewording, speech
from slowwave.mining.answers import Answer
from slowwave.mining.episodes import Episode, Talk
from slowwave.mining.finding import Finding, Part
from slowwave.mining.threads import Echo, distinct, echoes, quote, turn_quote
from slowwave.mining.wording import content_words, identifiers

KEPT_FROM = 5.0  # the agreed bar of all lenses: from here on a finding is worth a person's attention
MOST_ENTITIES = 5
ROOM = 296  # characters a claim may fill, with space for its stop
LEAST_SECOND = 70  # characters below which a second sentence says too little
WORTH_A_LINE = 0.7  # worth from which a sentence stands in the gist
SECOND = 0.9  # worth from which a second sentence may stand in the claim
RETURNS = 0.6  # what being taken up elsewhere adds, once here and once in other sessions
_TELLING = frozenset({"cause", "diagnosis", "contrast", "negation", "rule"})
_UNFIT = frozenset({"hedge", "change", "conditional", "status", "address", "deictic", "moment", "ongoing"})
_ASIDE = re.compile(r" \([^()]*\)$")  # at the very end, where the claim has a bracket of its own
_FILE = re.compile(r"[\w./@-]*\.(?:\w{1,5})$")
_PATH = re.compile(r"[\w.@~-]*(?:/[\w.@*-]+)+/?")
_COMMAND = re.compile(r"^[a-z][\w.-]*(?: [\w./:=-]+)+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """What a lens found, before it is told.

    Attributes:
        lens: The lens.
        kind: Kind of memory.
        episode: Where it happened.
        answers: Sentences that tell it, the best first.
        lead: How the claim opens; may be empty.
        close: How it ends; may be empty.
        short_close: How it ends where a second sentence needs the room.
        parts: Named parts of the score so far.
        quotes: Quotes that must stand first: the person's words, an error line.
        context: More paragraphs for the gist, before the sentences.
        subject: What it is about; empty for the names in its sentences.
    """

    lens: str
    kind: Kind
    episode: Episode
    answers: tuple[Answer, ...]
    lead: str = ""
    close: str = ""
    short_close: str = ""
    parts: tuple[Part, ...] = ()
    quotes: tuple[Quote, ...] = ()
    context: tuple[str, ...] = ()
    subject: str = ""


def tell(story: Story, talk: Talk) -> Finding:
    """The finding a story makes; dropped, with the reason, where it is not good enough."""
    best = story.answers[0]
    told = [best.sentence.text, *(a.sentence.text for a in _seconds(story))]
    is_near = sum(p.value for p in (*story.parts, *best.parts)) + 2 * RETURNS >= KEPT_FROM
    subject = [*told, speech.speech(story.episode.turn.entry.text)]
    here, there = echoes(talk, story.episode, subject) if is_near else ((), ())
    # What the agent said before the person's turn may be the very thing the turn puts right.
    here = tuple(echo for echo in here if echo.answer.utterance.at > story.episode.turn.at)
    parts = (*story.parts, *best.parts, *_returns(here, there))
    claim = _claim(story)
    quotes = _quotes(story, here, there)
    finding = Finding(
        lens=story.lens,
        subject=story.subject or _subject(story, talk),
        kind=story.kind,
        claim=claim,
        gist=_gist(story, here, there),
        entities=entities([claim, *told]),
        quotes=quotes,
        parts=parts,
    )
    return replace(finding, dropped=_fault(finding, story))


def _seconds(story: Story) -> list[Answer]:
    """Further sentences for the claim: of worth, of the same thing, and each with something new."""
    best = story.answers[0]
    seen = set(best.words)
    kept: list[Answer] = []
    for answer in story.answers[1:8]:
        new = answer.words - seen
        is_fit = bool(answer.cues & _TELLING) and not answer.cues & _UNFIT
        has_more = len(new) >= 3 and len(new) >= len(answer.words) // 2
        if is_fit and answer.worth >= SECOND and has_more and answer.words & best.words:
            kept.append(answer)
            seen |= answer.words
    return sorted(kept[:4], key=lambda a: (abs(a.utterance.at - best.utterance.at), a.key))[:2]


def _claim(story: Story) -> str:
    """The best sentence, and a second where there is room for the whole of it; empty where not even one fits."""
    body = rewording.unrun(phrasing.telling(story.answers[0].sentence.text), ROOM - len(story.lead) - len(story.close))
    if not body:
        return ""
    body = compose.lowered(body) if story.lead else compose.raised(body)
    for answer in _seconds(story):
        text = _ASIDE.sub("", rewording.unrun(phrasing.telling(answer.sentence.text), CLAIM_CHARACTERS))
        text = compose.lowered(text)
        close = next((c for c in (story.close, story.short_close) if _length(story.lead, body, text, c) <= ROOM), None)
        if text and close is not None:
            return compose.claim([f"{story.lead}{body}; {text}{close}"])
    return compose.claim([story.lead + body + story.close])


def _length(lead: str, body: str, second: str, close: str) -> int:
    return len(lead) + len(body) + len("; ") + len(second) + len(close)


def _gist(story: Story, here: Sequence[Echo], there: Sequence[Echo]) -> str:
    order = sorted(story.answers[:7], key=lambda a: (a.utterance.at, a.sentence.order))
    told = [line for line in story.context if line]
    told += [told_line(a.sentence.text) for a in order if a.worth >= WORTH_A_LINE]
    told += [told_line(e.answer.sentence.text, "Also in that session: ") for e in here]
    told += [told_line(e.answer.sentence.text, f"In session {e.session_id}: ") for e in there]
    return compose.gist(f"- {line}" for line in told if line)


def told_line(text: str, before: str = "") -> str:
    """A sentence as a line of a gist; empty for one that says nothing once its opener is off."""
    line = rewording.unrun(phrasing.telling(text), 240)
    return before + compose.raised(line) + "." if line else ""


def _quotes(story: Story, here: Sequence[Echo], there: Sequence[Echo]) -> tuple[Quote, ...]:
    session = story.episode.session_id
    quotes = list(story.quotes)
    quotes += [quote(session, a.sentence.raw) for a in (story.answers[0], *_seconds(story))]
    quotes += [quote(e.session_id, e.answer.sentence.raw) for e in (*there, *here[:2])]
    quotes += [quote(session, a.sentence.raw) for a in story.answers[1:4] if a.worth >= SECOND]
    return distinct(quotes)


def _returns(here: Sequence[Echo], there: Sequence[Echo]) -> tuple[Part, ...]:
    parts = []
    if here:
        parts.append(Part(name="returns", value=RETURNS))
    if there:
        parts.append(Part(name="other_sessions", value=RETURNS))
    return tuple(parts)


def _subject(story: Story, talk: Talk) -> str:
    words = sorted(story.answers[0].words, key=lambda w: (-talk.rarity.weight(w), w))
    names = [n.lower() for n in identifiers(phrasing.telling(story.answers[0].sentence.text))][:2]
    return " ".join(names or words[:3])


def _fault(finding: Finding, story: Story) -> str:
    """Why a finding is not kept; empty when it is."""
    if not finding.claim:
        return "its sentence is too long to be told whole"
    if len(finding.quotes) < FEWEST_QUOTES:
        return "fewer than two quotes"
    if finding.score < KEPT_FROM:
        return f"score {finding.score:.1f} under {KEPT_FROM:.0f}"
    sources = [story.episode.turn.entry.text, *(a.utterance.entry.text for a in story.answers[:8])]
    if compose.copies(finding.claim, sources) or compose.copies(finding.gist, sources):
        return "would copy the transcript"
    return ""


def entities(texts: Sequence[str]) -> tuple[Entity, ...]:
    """The things some sentences name, at most ``MOST_ENTITIES``, each with its type."""
    found: dict[Entity, None] = {}
    for text in texts:
        for name in identifiers(text):
            if 2 < len(name) <= 60 and len(found) < MOST_ENTITIES:
                found.setdefault(Entity(_type(name), name))
    return tuple(found)


def _type(name: str) -> str:
    if _COMMAND.match(name):
        return "command"
    if _FILE.fullmatch(name) or _PATH.fullmatch(name):
        return "file"
    return "concept"


def turn_first(episode: Episode) -> Quote:
    """The person's words of an episode as its first quote."""
    sentence = speech.telling_sentence(episode.turn.entry.text)
    return turn_quote(episode.session_id, episode.turn, sentence.raw if sentence else "")


def overlap(episode: Episode, text: str) -> int:
    """How many content words a text shares with the person's turn."""
    return len(episode.words & content_words(text))
