"""Whether a claim only repeats a memory that slowwave itself had put into a session.

A memory shown to an agent comes back in what the agent says. Counted as evidence it would confirm itself, so quotes of
a session in which the claim was already on show are not new.
"""

import re
from collections import Counter
from collections.abc import Iterable

from slowwave.facts.limits import RECALL_SHARE, RECALL_WORDS, RECALLED_CHARACTERS
from slowwave.facts.text import normal
from slowwave.proof.triviality import CJK

_WORD = re.compile(rf"{CJK.pattern}|(?:(?!{CJK.pattern})[^\W_])+")


def repeats(claim: str, recalled: Iterable[str]) -> bool:
    """Whether one line of the recalled texts says the claim in nearly the same words."""
    wanted = Counter(_WORD.findall(normal(claim)))
    total = sum(wanted.values())
    if total < RECALL_WORDS:
        return False
    return any(
        _covers(Counter(_WORD.findall(normal(line))), wanted, total)
        for text in recalled
        for line in text[:RECALLED_CHARACTERS].split("\n")
    )


def _covers(line: Counter[str], wanted: Counter[str], total: int) -> bool:
    shared = (line & wanted).total()
    figures = {word for word in wanted if word.isdigit()}
    return shared >= total * RECALL_SHARE and figures <= line.keys()
