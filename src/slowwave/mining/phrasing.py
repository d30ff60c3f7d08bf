"""A sentence as it is told: without what leads up to it, trails off in narration, or points at a line."""

import re

from slowwave.facts.text import fold
from slowwave.mining.lexicon import load
from slowwave.mining.rewording import masked_code

ASIDE_FROM = 130  # characters from which a sentence does without what it says in brackets

_TAIL = re.compile(
    r"(?:[,;.—\u2013-]|,? (?:and|but))\s+(?:so |next |then |first )*"
    r"(?:I(?:'m|'ll|'ve|'d| will| am| can't| could| need| want| found| kept| added| used)|let me|want me|let's)\b.*$",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s+\([^()]{0,200}\)")
_SEE = re.compile(r"\s*\((?:see|cf|note|lines?|e\.g\.|per your|internal/|src/)[^()]{0,120}\)", re.IGNORECASE)
_LINE = re.compile(r"(?:,? and )?:\d+(?:-\d+)?(?::\d+)?\b(?!\.\d)")
_PLACE = re.compile(r"(?<=\.[a-z]{2}):\d+(?:-\d+)?\b|(?<=\.[a-z]{1}):\d+(?:-\d+)?\b|(?<=\.[a-z]{3}):\d+(?:-\d+)?\b")
_MARKS = str.maketrans({"\u2019": "'", "“": '"', "”": '"'})  # round marks stand around what a person said
_YOUR = re.compile(r"\b([Yy])our\b")


def opened(text: str) -> str:
    """A sentence without the openers that only lead up to it (``You're right``, ``I see the issue!``)."""
    return load("narration").strip(text, "opener")


def telling(text: str) -> str:
    """A sentence as it is told: no opener, no narrated tail, no line numbers, addressed to nobody."""
    told = _TAIL.sub("", opened(text).translate(_MARKS))
    told = _PLACE.sub("", _outside(_LINE, _SEE.sub("", told)))
    told = _outside(_ASIDE, told) if len(told) > ASIDE_FROM else told
    told = _YOUR.sub(lambda hit: "The" if hit.group(1) == "Y" else "the", told)
    return fold(told).rstrip(" ,;:.—\u2013-!")


def _outside(pattern: re.Pattern[str], text: str) -> str:
    """The text without what a pattern finds outside of code."""
    kept, at = "", 0
    for hit in pattern.finditer(masked_code(text)):
        kept, at = kept + text[at : hit.start()], hit.end()
    return kept + text[at:]
