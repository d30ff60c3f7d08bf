"""Lens: a person agrees or chooses, and the message they answer holds the reason (study/mining-notes, 8).

An option that is named by letter or number must be found in that message, else nothing is said: a rejected
proposal must never be told as the decision.
"""

import re

from slowwave.facts.memory import Kind
from slowwave.facts.text import cut
from slowwave.mining import speech
from slowwave.mining.answers import Answer, leading, options, rank
from slowwave.mining.episodes import Episode, Talk, Utterance
from slowwave.mining.finding import Finding, Part
from slowwave.mining.lexicon import load
from slowwave.mining.sentences import Sentence
from slowwave.mining.telling import Story, tell, turn_first
from slowwave.mining.threads import quote
from slowwave.mining.wording import content_words, identifiers

LENS = "decision"
FLOOR = 1.6  # worth of the reason
ASSENT = 1.4
NAMED = 0.9  # the turn repeats words of the proposal
FOLLOWED = 0.7  # later words or calls of the episode take its names up
TURN_CHARACTERS = 400  # a longer turn is an order of its own
_OPTION = re.compile(
    r"(?:\boption|\bgo with|\btake|\bdo|^|\b(?:yes|ok|okay),?)\s*\(?([A-Ea-e]|[1-9])\)?"
    r"(?=\s*(?:[.,;:!)]|$|for\b|please\b|with\b))",
    re.IGNORECASE,
)
STEM = 6  # letters by which ``atomic`` and ``atomicity`` are one word
SHORT_MESSAGE = 8  # sentences of a message that is about one thing; of a longer one a bare yes means the last
BARE_WORDS = 2  # content words up to which a turn says nothing but yes
RELATED = 0.4  # share of a turn's words, by rarity, that stand in the message it answers
_REASONS = frozenset({"cause", "diagnosis", "contrast", "rule"})


def find(talk: Talk) -> tuple[Finding, ...]:
    """A finding for every turn that decides on what the agent had put forward with a reason."""
    found: list[Finding] = []
    for at, episode in enumerate(talk.episodes):
        if episode.session_id in talk.orchestrated or episode.before is None or not decides(talk, episode):
            continue
        ranked = leading(_reasons(talk, episode, episode.before))
        if not ranked or ranked[0].worth < FLOOR or not ranked[0].cues & _REASONS:
            continue
        if _is_reversed(talk, at):
            continue
        found.append(tell(_story(talk, episode, episode.before, ranked), talk))
    return tuple(found)


def decides(talk: Talk, episode: Episode) -> bool:
    """Whether a turn agrees to, or chooses from, what was just proposed."""
    text, before = episode.turn.entry.text, episode.before
    if before is None or before.entry.is_tainted or len(text) > TURN_CHARACTERS:
        return False
    if load("turns").has(text, "feedback"):
        return False
    if episode.turn.entry.via == "answer" or _OPTION.search(text) is not None:
        return True
    words, spoken = content_words(text), content_words(before.entry.text)
    if len(words) <= BARE_WORDS:
        return load("turns").has(text, "assent") and bool(before.sentences) and before.sentences[-1].text.endswith("?")
    likeness = talk.rarity.alike(words, words & spoken) * _weight(talk, words & spoken) / max(0.1, _weight(talk, words))
    return load("turns").has(text, "assent", "resolve") and likeness >= RELATED


def _weight(talk: Talk, words: frozenset[str]) -> float:
    return sum(0.2 + talk.rarity.weight(word) for word in sorted(words))


def _reasons(talk: Talk, episode: Episode, before: Utterance) -> tuple[Answer, ...]:
    """The sentences of the proposal that carry a reason, best first; those of the chosen option alone when one is."""
    chosen = _chosen(talk, episode, before.sentences)
    about = episode.words | content_words(_proposal(before))
    utterance = Utterance(entry=before.entry, at=before.at, sentences=chosen)
    ranked = rank(episode, talk.rarity, utterances=[utterance], about=about, offered=True)
    if len(episode.words) <= BARE_WORDS and len(before.sentences) > SHORT_MESSAGE:
        asked = content_words(_proposal(before))
        ranked = tuple(a for a in ranked if len(a.words & asked) >= 2)
    good = [a for a in ranked if a.cues & _REASONS]
    return tuple(good + [a for a in ranked if not a.cues & _REASONS])


def _chosen(talk: Talk, episode: Episode, sentences: tuple[Sentence, ...]) -> tuple[Sentence, ...]:
    """The sentences a turn agrees to: all where nothing was to choose from, else those of the option it names.

    Empty when the option cannot be told.
    """
    items = options(sentences)
    text = episode.turn.entry.text
    named = _OPTION.search(text)
    if named is not None:
        return tuple(items.get(named.group(1).lower(), ()))
    if len(items) < 2:
        return sentences
    inside = {s.order for group in items.values() for s in group}
    outside = tuple(s for s in sentences if s.order not in inside)
    likeness = {label: _named_in(talk, content_words(text), group) for label, group in items.items()}
    best = max(likeness.values())
    chosen = sorted(label for label, value in likeness.items() if value == best)
    is_choice = any(s.text.endswith("?") for s in sentences[-3:])
    if not best or (is_choice and len(chosen) > 1):
        return outside
    return (*outside, *(s for label in chosen for s in items[label]))


def _named_in(talk: Talk, words: frozenset[str], group: list[Sentence]) -> float:
    """The weight of a turn's words that an option holds, endings apart."""
    spoken = content_words(" ".join(s.text for s in group))
    stems = {word[:STEM] for word in spoken if len(word) >= STEM}
    held = [w for w in sorted(words) if w in spoken or (len(w) >= STEM and w[:STEM] in stems)]
    return round(sum(0.2 + talk.rarity.weight(word) for word in held), 6)


def _proposal(before: Utterance) -> str:
    """What was asked: the message's last question, else its last sentence."""
    questions = [s.text for s in before.sentences if s.text.endswith("?")]
    return (questions or [s.text for s in before.sentences] or [""])[-1]


def _story(talk: Talk, episode: Episode, before: Utterance, ranked: tuple[Answer, ...]) -> Story:
    words = speech.whole(episode.turn.entry.text)
    parts = [Part(name="assent", value=ASSENT)]
    if len(episode.words & content_words(before.entry.text)) >= 2:
        parts.append(Part(name="named", value=NAMED))
    names = set(identifiers(ranked[0].sentence.text))
    done = " ".join([*(u.entry.text for u in episode.answers), *(e.text[:2_000] for e in episode.events[:60])])
    later = [a for a in rank(episode, talk.rarity, about=ranked[0].words) if len(a.words & ranked[0].words) >= 3]
    if names and any(name in done for name in names):
        parts.append(Part(name="followed", value=FOLLOWED))
    return Story(
        lens=LENS,
        kind=Kind.PRECEDENT,
        episode=episode,
        answers=(*ranked[:5], *later[:3]),
        lead="Agreed in one session: "
        if not words or speech.is_empty(episode.turn.entry.text)
        else f"Decided in one session ({words}): ",
        parts=tuple(parts),
        quotes=(
            turn_first(episode),
            *(quote(episode.session_id, a.sentence.raw) for a in (*ranked[:2], *later[:2])),
        ),
        context=(
            f"The user decided: {speech.said(episode.turn.entry.text)}",
            f"Asked was: “{cut(_proposal(before), 110)}”",
        ),
    )


def _is_reversed(talk: Talk, at: int) -> bool:
    """Whether a later turn of the session undoes what this one decided."""
    episode = talk.episodes[at]
    for later in talk.episodes[at + 1 :]:
        if later.session_id != episode.session_id:
            return False
        if (
            load("turns").has(later.turn.entry.text[:TURN_CHARACTERS], "undoing")
            and len(later.words & _spoken(episode)) >= 2
        ):
            return True
    return False


def _spoken(episode: Episode) -> frozenset[str]:
    return episode.words | content_words(" ".join(u.entry.text for u in episode.answers))
