"""The veto: two sentences that look alike are different facts where one of these differs.

Negations, numbers and versions, identifiers and paths, names, and words that stand in each other's place. It errs
towards "different": a memory written twice can be folded later, one that was swallowed cannot be brought back.
"""

import re
from collections import Counter

from rapidfuzz import fuzz

from slowwave.corpus.lexicon import lexicon
from slowwave.corpus.words import IDEOGRAPH, stems, words
from slowwave.facts.text import normal

_CAP = 4_096  # characters of each text that are compared; a claim has 300
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_CODE = re.compile(r"`([^`\n]{1,200})`")
_IDENTIFIER = re.compile(r"-{0,2}[^\W_][\w./@:+#\\-]*\w|-{1,2}\w")
_HUMP = re.compile(r"[a-z][A-Z]|[A-Z]{2}|[0-9_./@:#\\]|^-")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;]\s+|[\n(\"“])\s*$")
_WHOLE_WORD = re.compile(r"[^\W_]+")
_SAME_WORD = 80.0  # of 100: "commit" and "commits" are, "import" and "export" (67) are not


def differs(one: str, other: str) -> str | None:
    """What makes two claims different facts, or ``None``.

    What ``contradicts`` finds, or ``word``: each has a word of content that stands for none of the other's.
    """
    found = contradicts(one, other)
    if found is not None:
        return found
    return "word" if _replaces_words(one[:_CAP], other[:_CAP]) else None


def contradicts(one: str, other: str) -> str | None:
    """Which hard fact differs between two texts: ``negation``, ``number``, ``identifier``, ``name``, or ``None``."""
    one, other = one[:_CAP], other[:_CAP]
    if _negations(one) != _negations(other):
        return "negation"
    if _numbers(one) != _numbers(other):
        return "number"
    if _lacks(_identifiers(one), other) or _lacks(_identifiers(other), one):
        return "identifier"
    return "name" if _lacks(_names(one), other) or _lacks(_names(other), one) else None


def _negations(text: str) -> int:
    every = words(text)
    known = lexicon()
    count = sum(word in known.negations or word.endswith("n't") for word in every)
    folded = normal(text, _CAP)
    return count + (sum(folded.count(piece) for piece in known.pieces) if IDEOGRAPH.search(folded) else 0)


def _numbers(text: str) -> Counter[str]:
    figures = lexicon().numbers
    found = Counter(_NUMBER.findall(normal(text, _CAP)))
    found.update(figures[word] for word in words(text) if word in figures)
    return found


def _identifiers(text: str) -> set[str]:
    """Code, paths, flags, and words with an inner capital, digit, dot or slash; folded."""
    found = {part for code in _CODE.findall(text) for part in code.split()}
    found.update(word for word in _IDENTIFIER.findall(text) if _HUMP.search(word))
    return {normal(word) for word in found}


def _names(text: str) -> set[str]:
    """Words with a capital that no sentence's beginning explains; folded."""
    return {
        normal(found.group())
        for found in _WHOLE_WORD.finditer(text)
        if found.group()[0].isupper() and not _SENTENCE_START.search(text[max(0, found.start() - 8) : found.start()])
    }


def _lacks(wanted: set[str], text: str) -> bool:
    """Whether one of the identifiers or names stands nowhere in the text."""
    folded = f" {' '.join(words(text))} "
    return any(f" {' '.join(words(name))} " not in folded for name in wanted if words(name))


def _replaces_words(one: str, other: str) -> bool:
    """Whether each text has a content word for which the other has none like it."""
    left, right = dict.fromkeys(stems(one)), dict.fromkeys(stems(other))
    lone = [word for word in left if word not in right]
    lone_too = [word for word in right if word not in left]
    return _is_new(lone, lone_too) and _is_new(lone_too, lone)


def _is_new(mine: list[str], theirs: list[str]) -> bool:
    return any(all(fuzz.ratio(word, other) < _SAME_WORD for other in theirs) for word in mine)
