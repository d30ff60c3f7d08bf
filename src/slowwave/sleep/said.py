"""Whether the quotes of a proposal say what it says: a look at the words they share, for the person to look closer.

A quote can be true and speak of something else. No rule can tell that for sure, across languages and paraphrases, so
nothing is refused by it: where almost no word of a claim stands in what a person or agent said, the review says so.
What somebody is said to wish is held more strictly: only their own words can say it, and only words of the thing wished
count, neither the wishing nor an id, which an unrelated sentence can hold as well.
"""

from collections.abc import Sequence

from slowwave.corpus.words import stems
from slowwave.facts.evidence import Evidence, Speaker
from slowwave.facts.limits import SAID_SHARE, WISH_SHARE
from slowwave.proof.preference import wished

WARNING = "hardly a word of this stands in what the user or agent is quoted with; check that the quotes say it"
WISH_WARNING = "hardly a word of this wish stands in what the user is quoted with; check that the user said it"
_SPOKEN = (Speaker.USER, Speaker.AGENT)


def warning_of(claim: str, evidence: Sequence[Evidence]) -> str:
    """What the person should know of a claim and its quotes; empty where the quotes say it, or nothing is quoted."""
    if is_said(claim, evidence):
        return ""
    return WARNING if wished(claim) is None else WISH_WARNING


def is_said(claim: str, evidence: Sequence[Evidence]) -> bool:
    """Whether enough of a claim's own words stand in the quotes of people and agents; True where there are none.

    What is worded as a wish must stand in the user's quotes, and in such as no page put there.
    """
    wish = wished(claim)
    if wish is not None and evidence:
        return (
            _share(wish, [one.quote for one in evidence if one.speaker is Speaker.USER and not one.is_tainted])
            >= WISH_SHARE
        )
    quotes = [one.quote for one in evidence if one.speaker in _SPOKEN]
    return not quotes or not stems(claim) or _share(claim, quotes) >= SAID_SHARE


def _share(said: str, quotes: Sequence[str]) -> float:
    """How many of the words stand in the quotes, from 0 to 1; 0 where there is no word."""
    wanted = set(stems(said))
    spoken = {stem for quote in quotes for stem in stems(quote)}
    return len(wanted & spoken) / len(wanted) if wanted else 0.0
