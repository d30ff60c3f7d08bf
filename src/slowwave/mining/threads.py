"""Where a subject returns: sentences elsewhere, in the session or in others, that share its rare words."""

from collections.abc import Sequence
from dataclasses import dataclass

from slowwave.facts.evidence import Quote
from slowwave.facts.ids import SessionId
from slowwave.facts.limits import MOST_QUOTES
from slowwave.mining.answers import Answer, rank
from slowwave.mining.episodes import Episode, Talk, Utterance
from slowwave.mining.rewording import cut_clause
from slowwave.mining.wording import content_words, identifiers
from slowwave.proof.triviality import is_trivial

QUOTE = 250  # characters of a quote that shows one sentence; the contract would take 600
ALIKE_HERE = 0.36  # share of weight that makes a sentence of the same session speak of the same thing
ALIKE_THERE = 0.30  # the same for another session, where two rare words must be shared as well
RARE = 0.5  # weight from which a word is rare
MOST_HERE, MOST_THERE = 4, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Echo:
    """A sentence that takes a subject up again."""

    session_id: SessionId
    answer: Answer
    likeness: float

    @property
    def key(self) -> tuple[float, str, int, int]:
        """For sorting: most alike first."""
        return (-round(self.likeness, 6), self.session_id, self.answer.utterance.at, self.answer.sentence.order)


def echoes(talk: Talk, episode: Episode, told: Sequence[str]) -> tuple[tuple[Echo, ...], tuple[Echo, ...]]:
    """Sentences of other episodes of the session, and of other sessions, that are about what was told."""
    subject = content_words(" ".join(told))
    spelled = tuple(dict.fromkeys(name for text in told for name in identifiers(text)))
    names = _name_words(told)
    here: list[Echo] = []
    there: list[Echo] = []
    for other in talk.episodes:
        if other is episode or other.session_id in talk.orchestrated:
            continue
        is_here = other.session_id == episode.session_id
        if not is_here and not _shares_rare(talk, subject & names, talk.words.get(other.session_id, frozenset())):
            continue
        said = [u for u in other.answers if any(name in u.entry.text for name in spelled)]
        for answer in rank(other, talk.rarity, about=subject, utterances=said)[:12] if said else ():
            likeness = talk.rarity.alike(answer.words, subject)
            shared = answer.words & subject
            if len(shared) < 3 or answer.worth < 1.0:
                continue
            if is_here and likeness >= ALIKE_HERE:
                here.append(Echo(session_id=other.session_id, answer=answer, likeness=likeness))
            elif not is_here and likeness >= ALIKE_THERE and _shares_rare(talk, shared & names, answer.words):
                there.append(Echo(session_id=other.session_id, answer=answer, likeness=likeness))
    return _best(here, MOST_HERE), _best(there, MOST_THERE)


def _best(found: list[Echo], most: int) -> tuple[Echo, ...]:
    kept: list[Echo] = []
    for echo in sorted(found, key=lambda e: e.key):
        if len(kept) < most and all(
            echo.answer.utterance.at != k.answer.utterance.at or echo.session_id != k.session_id for k in kept
        ):
            kept.append(echo)
    return tuple(kept)


def _name_words(told: Sequence[str]) -> frozenset[str]:
    return content_words(" ".join(name for text in told for name in identifiers(text)))


def _shares_rare(talk: Talk, words: frozenset[str], others: frozenset[str]) -> bool:
    return sum(talk.rarity.weight(word) >= RARE for word in words & others) >= 2


def quote(session_id: SessionId, raw: str) -> Quote:
    """A verbatim quote: the sentence, or its beginning up to the last clause that fits."""
    return Quote(session_id=session_id, quote=raw if len(raw) <= QUOTE else _head(raw))


def _head(raw: str) -> str:
    """The beginning of a sentence, cut at a clause; nothing is put in its place."""
    kept = cut_clause(raw, QUOTE)
    return kept if raw.startswith(kept) else raw[: raw.rfind(" ", 0, QUOTE)]


def turn_quote(session_id: SessionId, turn: Utterance, sentence_raw: str) -> Quote:
    """A person's words as a quote: the whole turn when it is short, else the sentence that says it."""
    whole = turn.entry.text.strip()
    return (
        Quote(session_id=session_id, quote=whole)
        if 0 < len(whole) <= QUOTE
        else quote(session_id, sentence_raw or whole)
    )


def distinct(quotes: Sequence[Quote]) -> tuple[Quote, ...]:
    """At most ``MOST_QUOTES``, none contained in another of its session."""
    kept: list[Quote] = []
    for new in quotes:
        if len(kept) == MOST_QUOTES:
            break
        if not is_trivial(new.quote) and not any(
            new.session_id == k.session_id and (new.quote in k.quote or k.quote in new.quote) for k in kept
        ):
            kept.append(new)
    return tuple(kept)
