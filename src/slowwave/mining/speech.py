"""A person's words as they are told: the sentence that matters, short, in quotation marks."""

import re

from slowwave.facts.text import cut, fold
from slowwave.mining import failures, tables
from slowwave.mining.episodes import Utterance
from slowwave.mining.lexicon import load
from slowwave.mining.sentences import Sentence, split
from slowwave.mining.wording import content_words

SAID = 90  # characters of a person's words inside a claim
PIECE = 110  # of each quotation in a gist; the corpus refuses runs of 120
RELAYED_CHARACTERS = 2_000  # of a turn in which a review says what it is
CONTENT = 3  # content words below which words mean nothing by themselves

_OUTPUT = re.compile(
    r"\s*(?:\[|\$|---|===|\w+\.\w+:\d|[\w./-]+:\d+|ok\b|PASS|FAIL|at |\s+|\d{2,4}[-:]\d|[A-Z]+[:!]"
    r"|npm |error|warning|Traceback|\^)"
)
_DIGITS = re.compile(r"\b[0-9a-f]{12,}\b|\b\d{10,}\b")


def said(text: str, *, most: int = SAID) -> str:
    """A person's words as a short quotation: the sentence that carries a cue, else the first."""
    words = _DIGITS.sub("…", fold(speech(text)).strip(" .,;:•*-"))
    return f"“{cut(words, most)}”"


def whole(text: str, *, most: int = SAID) -> str:
    """The same quotation where it is whole; empty where it would have to be cut, or is a paste's line."""
    words = _DIGITS.sub("…", fold(speech(text)).strip(" .,;:•*-"))
    return f"“{words}”" if len(words) <= most and "…" not in words else ""


def is_relayed(text: str) -> bool:
    """Whether a person passes on what a reviewing program wrote: its findings are no rule and no wish of theirs."""
    return tables.pattern("relayed", "marks").search(text[:RELAYED_CHARACTERS]) is not None


def speech(text: str) -> str:
    """The sentence of a person's turn that carries most cues, in its own words; the whole turn when it is short.

    Of a pasted output the line that says what failed.
    """
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith(">")]
    short = fold("\n".join(lines))
    if 0 < len(short) <= SAID:
        return short
    if is_paste(text):
        worded = [line for line in lines if failures.is_message(line)]
        return failures.bare((worded or lines)[0])
    chosen = telling_sentence(text)
    return chosen.text if chosen else short


def is_empty(text: str) -> bool:
    """Whether a person's words mean nothing without what was said before them."""
    return len(content_words(text)) < CONTENT


def is_paste(text: str) -> bool:
    """Whether a turn is pasted output: most of its lines are no sentences of anybody."""
    lines = [line for line in text.splitlines()[:40] if line.strip()]
    return len(lines) >= 3 and sum(_OUTPUT.match(line) is not None for line in lines) * 2 >= len(lines)


def telling_sentence(text: str) -> Sentence | None:
    """The sentence of a person's turn with most cues and words; ``None`` for a turn without sentences."""
    table = load("turns")
    best: tuple[float, int] | None = None
    chosen: Sentence | None = None
    for sentence in split(text)[:40]:
        weight = sum({cue.name: cue.weight for cue in table.matches(sentence.text)}.values())
        weight += min(6, len(content_words(sentence.text))) * 0.2
        key = (-weight, sentence.order)
        if best is None or key < best:
            best, chosen = key, sentence
    return chosen


def pieces(turn: Utterance, *, most: int = 3) -> tuple[str, ...]:
    """A person's turn as a few short quotations, in order; of a long one the sentences with most cues."""
    if is_paste(turn.entry.text) or not turn.sentences:
        return (said(turn.entry.text, most=PIECE),)
    table = load("turns")
    ranked = sorted(turn.sentences[:40], key=lambda s: (-sum(c.weight for c in table.matches(s.text)), s.order))
    chosen = sorted(ranked[:most], key=lambda s: s.order)
    return tuple(f"“{cut(_DIGITS.sub('…', s.text).rstrip(' .,;:'), PIECE)}”" for s in chosen)
