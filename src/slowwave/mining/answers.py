"""How much a sentence of the agent explains: its cause, contrast, admission and names, less its narration."""

from collections.abc import Sequence
from dataclasses import dataclass

from slowwave.mining.episodes import Episode, Utterance
from slowwave.mining.finding import Part
from slowwave.mining.lexicon import load
from slowwave.mining.sentences import Sentence
from slowwave.mining.wording import Rarity, content_words, identifiers

SHORT, LONG = 35, 330  # characters between which a sentence says one thing
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


def is_tellable(text: str) -> bool:
    """Whether a sentence can stand in a memory: no question, no opening of a list, no narration."""
    stripped = opened(text)
    return (
        bool(stripped)
        and not text.rstrip().endswith((":", "?", "…"))
        and not load("narration").has(stripped, "narration")
        and not load("narration").has(text, "narration")
    )


def opened(text: str) -> str:
    """A sentence without the openers that only lead up to it (``You're right``, ``I see the issue!``)."""
    return load("narration").strip(text, "opener")


def weigh(sentence: Sentence, utterance: Utterance, *, about: frozenset[str], rarity: Rarity, is_late: bool) -> Answer:
    """A sentence's worth as an answer to a turn with the given content words."""
    text = opened(sentence.text)
    words = content_words(text)
    found = load("answers").matches(sentence.text)
    parts: dict[str, float] = {}
    for cue in found:
        parts.setdefault(cue.name, cue.weight)
    names = min(MOST_NAMES, len(identifiers(text)))
    parts["names"] = names * NAME_WEIGHT
    parts["likeness"] = LIKENESS_WEIGHT * rarity.alike(words, about) if words and about else 0.0
    parts["late"] = LATE_WEIGHT if is_late else 0.0
    if load("narration").has(text, "pronoun"):
        parts["pronoun"] = -0.7
    if text.count(",") + text.count(";") >= LISTED:
        parts["list"] = -0.8
    if len(text) < SHORT:
        parts["short"] = -1.0
    elif len(text) > LONG:
        parts["long"] = -0.6
    return Answer(
        sentence=sentence,
        utterance=utterance,
        parts=tuple(Part(name=name, value=value) for name, value in parts.items() if value),
        cues=frozenset(cue.name for cue in found),
        words=words,
    )


def rank(
    episode: Episode,
    rarity: Rarity,
    *,
    utterances: Sequence[Utterance] | None = None,
    about: frozenset[str] | None = None,
) -> tuple[Answer, ...]:
    """The tellable sentences of an episode's answers, best first."""
    said = episode.answers if utterances is None else utterances
    topic = episode.words if about is None else about
    last = said[-1].at if said else -1
    found = [
        weigh(sentence, utterance, about=topic, rarity=rarity, is_late=utterance.at == last)
        for utterance in said
        for sentence in utterance.sentences
        if is_tellable(sentence.text)
    ]
    return tuple(sorted(found, key=lambda answer: answer.key))
