"""Whether the quotes of a proposal say what it says: a look at the words they share, for the person to look closer.

A quote can be true and speak of something else. No rule can tell that for sure, across languages and paraphrases, so
nothing is refused by it: where almost no word of a claim stands in what a person or agent said, the review says so.
"""

from collections.abc import Sequence

from slowwave.corpus.words import stems
from slowwave.facts.evidence import Evidence, Speaker
from slowwave.facts.limits import SAID_SHARE

WARNING = "hardly a word of this stands in what the user or agent is quoted with; check that the quotes say it"
_SPOKEN = (Speaker.USER, Speaker.AGENT)


def is_said(claim: str, evidence: Sequence[Evidence]) -> bool:
    """Whether enough of a claim's own words stand in the quotes of people and agents; True where there are none."""
    wanted = set(stems(claim))
    spoken = {stem for one in evidence if one.speaker in _SPOKEN for stem in stems(one.quote)}
    return not wanted or not spoken or len(wanted & spoken) >= SAID_SHARE * len(wanted)
