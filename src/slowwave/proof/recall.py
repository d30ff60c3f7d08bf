"""Whether a claim only repeats a memory that slowwave itself had put into a session.

A memory shown to an agent comes back in what the agent says. Counted as evidence it would confirm itself, so quotes of
a session in which the claim was already on show are not new.
"""

import re
from collections import Counter
from collections.abc import Iterable

from slowwave.facts.text import normal

_WORD = re.compile(r"[^\W_]+")
_FEWEST_WORDS = 4
_SHARE = 0.9  # of the claim's words on one recalled line; figures and all but one word in ten must be there
_MOST_RECALLED = 256 * 1024  # characters of one recalled text that are compared; an injection is a few kilobytes


def repeats(claim: str, recalled: Iterable[str]) -> bool:
    """Whether one line of the recalled texts says the claim in nearly the same words."""
    wanted = Counter(_WORD.findall(normal(claim)))
    total = sum(wanted.values())
    if total < _FEWEST_WORDS:
        return False
    return any(
        _covers(Counter(_WORD.findall(normal(line))), wanted, total)
        for text in recalled
        for line in text[:_MOST_RECALLED].split("\n")
    )


def _covers(line: Counter[str], wanted: Counter[str], total: int) -> bool:
    shared = (line & wanted).total()
    figures = {word for word in wanted if word.isdigit()}
    return shared >= total * _SHARE and figures <= line.keys()
