"""Whether two sentences promise the same work."""

from slowwave.corpus.veto import contradicts
from slowwave.corpus.words import stems
from slowwave.facts.text import fold, normal

_ALIKE = 0.7
"""Least share of words in common. Promises are restated more freely than claims: a word may be exchanged, but not the
first one, which says what is done."""
_ALIKE_BUT_EXCHANGED = 0.76
"""The same where each side has a word the other lacks: "the cart note for the cart team" and "the invoice note for the
invoice team" share three words of four, and a rewording keeps a little more."""
_ANNOUNCING = frozenset(
    {"i", "ll", "let", "me", "going", "go", "plan", "need", "want", "next", "now", "also", "please"}
)
"""Words (as stems) that announce work and say nothing about which."""


def same_promise(one: str, other: str) -> bool:
    """Whether two statements are one promise: equal once normalised, or alike in words and equal in facts."""
    if normal(fold(one)) == normal(fold(other)):
        return True
    mine, theirs = _work(one), _work(other)
    if not mine or not theirs or mine[0] not in theirs or theirs[0] not in mine:
        return False
    left, right = frozenset(mine), frozenset(theirs)
    # Words on one side only may be detail; words on both sides may be two things that the same is promised about.
    least = _ALIKE if left <= right or right <= left else _ALIKE_BUT_EXCHANGED
    if 2 * len(left & right) < least * (len(left) + len(right)):
        return False
    return contradicts(one, other) is None


def _work(text: str) -> tuple[str, ...]:
    return tuple(word for word in stems(text) if word not in _ANNOUNCING)
