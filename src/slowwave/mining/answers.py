"""How much a sentence of the agent explains: its cause, contrast, admission and names, less its narration."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from slowwave.mining.episodes import Episode, Utterance
from slowwave.mining.finding import Part
from slowwave.mining.lexicon import load
from slowwave.mining.phrasing import opened, telling
from slowwave.mining.sentences import Sentence
from slowwave.mining.standing import fault
from slowwave.mining.wording import Rarity, content_words, identifiers

SHORT_PLAIN = 80  # characters outside code up to which one small word shows a language
_CODE = re.compile(r"`[^`\n]{1,200}`|(?<!\S)\S*[$={}<>|]\S*")
_SMALL = re.compile(
    r"\b(?:the|an?|is|are|was|were|be|to|of|in|on|at|by|for|from|with|without|and|or|but|not|no|it|its|that|this|they|we|you"
    r"|so|as|if|when|because|only|does|do|did|has|have|had|can|will|both|than|der|die|das|und|nicht|ist|el|la|de|que|es"
    r"|le|les|des|est|pas|il)\b|n't\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\s*(?:\*\*)?(?:option\s+)?\(?([A-E]|[1-9])\s?[).:—\u2013-]", re.IGNORECASE)
_UNSPACED = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")

SHORT, LONG = 35, 330  # characters between which a sentence says one thing
PRONOUN = -1.2  # a sentence whose subject stands elsewhere
LIST = -0.8
REMEMBERED = 32_768  # sentences whose worth is kept: each lens asks for the same ones again
BULLET = -0.5  # an item of a list says one of many things
LISTED = 5  # commas from which a sentence enumerates
MOST_NAMES = 3  # names that still add to a sentence's worth; more is a list
NAME_WEIGHT = 0.45
LIKENESS_WEIGHT = 1.6
LATE_WEIGHT = 0.3  # the last message of an episode says what was found out


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A sentence with its worth.

    Attributes:
        sentence: The sentence.
        utterance: Where it was said.
        parts: What it is worth, by name.
        cues: Names of the cues it holds.
        words: Its content words.
    """

    sentence: Sentence
    utterance: Utterance
    parts: tuple[Part, ...]
    cues: frozenset[str]
    words: frozenset[str]

    @property
    def worth(self) -> float:
        """The sum of the parts."""
        return sum(part.value for part in self.parts)

    @property
    def key(self) -> tuple[float, int, int]:
        """For sorting: best first, then earliest."""
        return (-round(self.worth, 6), self.utterance.at, self.sentence.order)


@lru_cache(maxsize=REMEMBERED)
def is_tellable(text: str) -> bool:
    """Whether a sentence can stand in a memory: it has subject and verb, asks and narrates nothing."""
    stripped = opened(text)
    return (
        bool(stripped)
        and is_prose(stripped)
        and not fault(telling(text))
        and not text.rstrip().endswith((":", "?", "…"))
        and not load("narration").has(stripped, "narration")
        and not load("narration").has(text, "narration")
    )


def is_prose(text: str) -> bool:
    """Whether a text is a sentence and not code: it has small words outside its backticks, or no Latin at all."""
    plain = _CODE.sub(" ", text)
    small = len(_SMALL.findall(plain))
    return small >= (1 if len(plain) < SHORT_PLAIN else 2) or _UNSPACED.search(plain) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tone:
    """What a sentence is worth by itself, whatever it answers."""

    parts: tuple[tuple[str, float], ...]
    cues: frozenset[str]
    words: frozenset[str]


@lru_cache(maxsize=REMEMBERED)
def _tone(text: str, *, is_bullet: bool) -> _Tone:
    plain = opened(text)
    found = dict.fromkeys([*load("answers").matches(text), *load("answers").matches(plain)])
    parts: dict[str, float] = {}
    for cue in found:
        parts.setdefault(cue.name, cue.weight)
    parts["names"] = min(MOST_NAMES, len(identifiers(plain))) * NAME_WEIGHT
    if load("narration").has(plain, "pronoun"):
        parts["pronoun"] = PRONOUN
    if is_bullet:
        parts["bullet"] = BULLET
    if plain.count(",") + plain.count(";") >= LISTED:
        parts["list"] = LIST
    if len(plain) < SHORT:
        parts["short"] = -1.0
    elif len(plain) > LONG:
        parts["long"] = -0.6
    return _Tone(
        parts=tuple((name, value) for name, value in parts.items() if value),
        cues=frozenset(cue.name for cue in found),
        words=content_words(plain),
    )


def weigh(sentence: Sentence, utterance: Utterance, *, about: frozenset[str], rarity: Rarity, is_late: bool) -> Answer:
    """A sentence's worth as an answer to a turn with the given content words."""
    tone = _tone(sentence.text, is_bullet=sentence.is_bullet)
    likeness = LIKENESS_WEIGHT * rarity.alike(tone.words, about) if tone.words and about else 0.0
    parts = [*tone.parts, ("likeness", likeness), ("late", LATE_WEIGHT if is_late else 0.0)]
    return Answer(
        sentence=sentence,
        utterance=utterance,
        parts=tuple(Part(name=name, value=value) for name, value in parts if value),
        cues=tone.cues,
        words=tone.words,
    )


def leading(ranked: Sequence[Answer]) -> tuple[Answer, ...]:
    """The answers with the first in front that names something: a file, a command, a symbol; none where none does."""
    first = next((answer for answer in ranked if identifiers(telling(answer.sentence.text))), None)
    return (first, *(answer for answer in ranked if answer is not first)) if first else ()


def _settled(utterance: Utterance) -> tuple[Sentence, ...]:
    """The sentences of a message that are no item of a list to choose from: an offer is not what is so."""
    asks = any(s.text.endswith("?") for s in utterance.sentences[-3:])
    if not asks or not any(load("answers").has(s.text, "offer") for s in utterance.sentences):
        return utterance.sentences
    inside = {s.order for group in options(utterance.sentences).values() for s in group}
    return tuple(s for s in utterance.sentences if s.order not in inside)


def options(sentences: Sequence[Sentence]) -> dict[str, list[Sentence]]:
    """Sentences of each numbered or lettered item of a message, by its label in small letters."""
    found: dict[str, list[Sentence]] = {}
    label = ""
    for sentence in sentences:
        hit = _LABEL.match(sentence.label)
        if hit or sentence.is_bullet:
            label = hit.group(1).lower() if hit else label if sentence.label[:1].isspace() else ""
        elif sentence.opens:
            label = ""
        if label:
            found.setdefault(label, []).append(sentence)
    return found


def rank(
    episode: Episode,
    rarity: Rarity,
    *,
    utterances: Sequence[Utterance] | None = None,
    about: frozenset[str] | None = None,
    offered: bool = False,
) -> tuple[Answer, ...]:
    """The tellable sentences of some messages, best first.

    Args:
        episode: Its answers are ranked where no other messages are given.
        rarity: Which words tell one subject from another.
        utterances: The messages.
        about: Content words the sentences should share; the person's where none are given.
        offered: Items of a list to choose from count too.
    """
    said = episode.answers if utterances is None else utterances
    topic = episode.words if about is None else about
    last = said[-1].at if said else -1
    found = [
        weigh(sentence, utterance, about=topic, rarity=rarity, is_late=utterance.at == last)
        for utterance in said
        for sentence in (utterance.sentences if offered else _settled(utterance))
        if is_tellable(sentence.text)
    ]
    return tuple(sorted(found, key=lambda answer: answer.key))
