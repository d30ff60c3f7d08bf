"""A sentence in slightly other words: no run of it is long enough to be a copy, and it stays a sentence.

Joints and contractions are exchanged for others that mean the same; a sentence that is too long ends at a clause.
"""

import re
from functools import cache

from slowwave.facts.limits import TRANSCRIPT_SPAN_CHARACTERS
from slowwave.mining import tables

RUN = TRANSCRIPT_SPAN_CHARACTERS - 14  # taken over word for word; an exchanged word may share its ends with the old one
SLACK = (0, 12, 24, 48)  # characters held back, as other wordings may be longer
LEAST_HEAD = 0.45  # share of the room that a sentence cut at a clause has to fill

_CODE = re.compile(r"`[^`\n]{1,200}`|“[^”\n]{1,200}”|\"[^\"\n]{1,200}\"")
_TICKED = re.compile(r"`([^`\n]{1,200})`")
_CLAUSE = re.compile(
    r"\s+[—\u2013]\s+|;\s+|\s+-\s+|,[\"”']?\s+(?:so|but|and|which|while|because|since|or|rather|instead)\s+"
    r"|,?\s+but\s+|\s+(?:because|so that|instead of|rather than)\s+|:\s+"
)
_BINDING = re.compile(
    r"\W*(?:but |and |or |only |even ){0,3}"
    r"(?:unless|except|if|when|until|provided|as long as|not|rather|instead|because|since)\b",
    re.IGNORECASE,
)


def unrun(text: str, most: int) -> str:
    """A sentence of at most ``most`` characters without a run of ``RUN`` taken over; empty where that cannot be."""
    for slack in SLACK:
        told = _broken(head(text, most - slack))
        if len(told) <= most:
            return told
    return ""


def head(text: str, most: int) -> str:
    """A text, or its clauses from the first on, as many as fit; none is left off that binds the ones before it.

    Empty where that would leave too little.
    """
    if len(text) <= most:
        return text
    masked = masked_code(text)
    for hit in reversed(list(_CLAUSE.finditer(masked[: most + 20]))):
        if hit.start() < most * LEAST_HEAD:
            break
        if hit.start() <= most and not _BINDING.match(text[hit.start() :]) and _is_balanced(text[: hit.start()]):
            return text[: hit.start()].rstrip(" ,;:(")
    return ""


def cut_clause(text: str, most: int) -> str:
    """The beginning of a text up to the last clause that fits; up to a word where none does."""
    if len(text) <= most:
        return text
    ends = [hit.start() for hit in _CLAUSE.finditer(masked_code(text)) if most // 2 < hit.start() <= most]
    return text[: ends[-1]].rstrip(" ,;:(") if ends else text[: text.rfind(" ", 0, most)]


def masked_code(text: str) -> str:
    """The text with code and quotations blotted out, so that nothing is looked for inside them."""
    return _CODE.sub(lambda code: "x" * len(code.group()), text)


def _is_balanced(text: str) -> bool:
    return text.count("(") == text.count(")") and text.count('"') % 2 == 0 and text.count("“") == text.count("”")


def _broken(text: str) -> str:
    """The text with a word exchanged wherever a run would become too long; empty where none can be."""
    done, rest = "", text
    while len(rest) > RUN:
        window = masked_code(rest)[:RUN]
        found = _swapped("swaps", window) or _bared(rest[:RUN]) or _swapped("articles", window)
        if found is None:
            return ""
        start, end, new = found
        done += rest[:start] + new
        rest = rest[end:]
    return done + rest


def _last(pattern: re.Pattern[str], new: str, window: str) -> tuple[int, int, str] | None:
    """The last place of a window where a wording can be exchanged; the first quarter is left alone."""
    hits = [hit for hit in pattern.finditer(window, RUN // 4) if hit.end() < len(window)]
    return (hits[-1].start(), hits[-1].end(), new) if hits else None


def _swapped(name: str, window: str) -> tuple[int, int, str] | None:
    """The first exchange of a table that a window allows."""
    return next((swap for pattern, new in _swaps(name) if (swap := _last(pattern, new, window))), None)


def _bared(window: str) -> tuple[int, int, str] | None:
    """The last code of a window without its backticks: for want of words that could be exchanged."""
    hits = [hit for hit in _TICKED.finditer(window) if hit.start() >= RUN // 4 and hit.end() < len(window)]
    return (hits[-1].start(), hits[-1].end(), hits[-1].group(1)) if hits else None


@cache
def _swaps(name: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(old), new) for old, new in tables.table("rewording")[name])
