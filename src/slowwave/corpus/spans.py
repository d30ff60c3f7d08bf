"""Copied runs: whether a memory holds a long verbatim stretch of a transcript."""

from collections.abc import Iterable

from slowwave.facts.limits import TRANSCRIPT_SPAN_CHARACTERS as RUN
from slowwave.facts.text import fold

_BLOCK = RUN // 2  # every run holds at least one whole aligned block of half its length


class CopyFinder:
    """Finds runs of 120 characters that a text shares with others, white space folded, letters as they are.

    The others are sampled in aligned blocks, each looked up among all blocks of the text; only around a hit are whole
    runs compared. So the cost is linear in their length, and the memory held is that of one text.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._blocks: set[str] = set()
        self._runs: set[str] = set()
        for text in texts:
            folded = fold(text)
            if len(folded) >= RUN:
                self._blocks.update(folded[at : at + _BLOCK] for at in range(len(folded) - _BLOCK + 1))
                self._runs.update(folded[at : at + RUN] for at in range(len(folded) - RUN + 1))

    def copies(self, source: str) -> bool:
        """Whether a run of the text stands verbatim in this source."""
        if not self._runs or len(source) < RUN:
            return False
        folded = fold(source)
        for at in range(0, len(folded) - _BLOCK + 1, _BLOCK):
            if folded[at : at + _BLOCK] in self._blocks and self._has_run_around(folded, at):
                return True
        return False

    def _has_run_around(self, folded: str, at: int) -> bool:
        starts = range(max(0, at - RUN + _BLOCK), min(at, len(folded) - RUN) + 1)
        return any(folded[start : start + RUN] in self._runs for start in starts)
