"""Taint: words from outside, and the agent's texts that repeat them.

A page, an MCP server or an issue tracker can say anything, also in the agent's voice once the agent has copied it. The
foreign texts are cut into blocks of half a run's length and put into an index; an agent's text is looked up at each of
its characters. A run of ``TAINT_RUN_CHARACTERS`` holds at least one whole block, so none is missed, and the work is
linear in both texts.
"""

from collections.abc import Iterable
from dataclasses import replace

from slowwave.facts.evidence import Speaker
from slowwave.facts.limits import TAINT_RUN_CHARACTERS
from slowwave.records.entries import Entry, EntryKind

_BLOCK = TAINT_RUN_CHARACTERS // 2
_FEWEST_DIFFERENT = 6  # characters of a block; a ruler of dashes or an indent is nobody's words
_PLACES = 4  # of one block that are compared; text that repeats itself more often is boilerplate
_FEWEST_WORDS = 4  # of a run; fewer in 40 characters are an address or a path, which says nothing
_SPOKEN = (EntryKind.TEXT, EntryKind.THINKING)


class ForeignWords:
    """An index of foreign texts."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._blocks: dict[str, list[tuple[int, int]]] = {}

    def add(self, text: str) -> None:
        """Take a foreign text in."""
        number = len(self._texts)
        self._texts.append(text)
        for at in range(0, len(text) - _BLOCK + 1, _BLOCK):
            block = text[at : at + _BLOCK]
            if len(set(block)) < _FEWEST_DIFFERENT:
                continue
            places = self._blocks.setdefault(block, [])
            if len(places) < _PLACES:
                places.append((number, at))

    def are_in(self, text: str) -> bool:
        """Whether a text repeats a whole run of any foreign text."""
        if not self._blocks:
            return False
        blocks = self._blocks
        for at in range(len(text) - _BLOCK + 1):
            places = blocks.get(text[at : at + _BLOCK])
            if places and any(self._is_run(text, at, *place) for place in places):
                return True
        return False

    def _is_run(self, text: str, at: int, number: int, start: int) -> bool:
        """Whether the common run around a common block is long enough, and words rather than an address."""
        foreign = self._texts[number]
        left, right = 0, _BLOCK
        while left < _BLOCK and left < min(at, start) and text[at - left - 1] == foreign[start - left - 1]:
            left += 1
        most = min(len(text) - at, len(foreign) - start, TAINT_RUN_CHARACTERS)
        while right < most and text[at + right] == foreign[start + right]:
            right += 1
        run = text[at - left : at + right]
        is_address = run.isascii() and len(run.split()) < _FEWEST_WORDS
        return len(run) >= TAINT_RUN_CHARACTERS and not is_address


def spread_taint(entries: Iterable[Entry]) -> list[Entry]:
    """The entries, with every agent's text marked that repeats a run of a foreign result before it."""
    words = ForeignWords()
    spread = []
    for entry in entries:
        marked = entry
        if entry.is_tainted:
            words.add(entry.text)
        elif entry.speaker is Speaker.AGENT and entry.kind in _SPOKEN and words.are_in(entry.text):
            marked = replace(entry, is_tainted=True)
        spread.append(marked)
    return spread
