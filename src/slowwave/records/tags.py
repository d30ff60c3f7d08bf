"""The tag extractor (spec 05): captures that somebody set aside in running text by writing tags around them.

Code and quotations hide tags, and are kept as words inside a capture. Tags nest; an outer capture keeps the words of an
inner one and loses its markup. A tag that is never closed is a loss that is counted, and swallows nothing.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from slowwave.facts.capture import Tag
from slowwave.facts.limits import TAG_DEPTH
from slowwave.facts.text import is_visible
from slowwave.records.code_blocks import Prose, prose_of
from slowwave.records.tag_grammar import TagFound, TagGrammar

_TAGS: Mapping[str, Tag] = {tag.value: tag for tag in Tag}
_BREAK = re.compile(r"\r\n?")
_TICKS = re.compile(r"`+")
_SPECIAL = re.compile(r"\\[!-/:-@\[-`{-~]|`+|<")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tagged:
    """One capture in a text.

    Attributes:
        tag: Its tag.
        text: Its words, ends trimmed, never empty; line breaks are LF.
        attributes: Of its opening tag, kept and never heeded.
        line: Of its opening tag in the text, from 1.
        start: Of its opening tag, in characters of the text with LF as line breaks.
    """

    tag: Tag
    text: str
    attributes: Mapping[str, str]
    line: int
    start: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What a text holds: its captures in the order in which they open, and how many tags were never closed."""

    captures: tuple[Tagged, ...]
    unclosed: int


def extract(text: str) -> Extraction:
    """The captures of a text, in time linear in it."""
    whole = _BREAK.sub("\n", text)
    if "<" not in whole:
        return Extraction(captures=(), unclosed=0)
    reading = _Reading(whole)
    for at, found in _tags_of(whole):
        reading.take(at, found)
    return reading.extraction()


def _tags_of(text: str) -> Iterator[tuple[int, TagFound]]:
    """Our tags in a text, in order, outside of code and quotations."""
    grammar = TagGrammar(text)
    for prose in prose_of(text):
        yield from _tags_in(text, prose, grammar)


def _tags_in(text: str, prose: Prose, grammar: TagGrammar) -> Iterator[tuple[int, TagFound]]:
    """Tags and code spans of one stretch: whichever begins first counts, as in CommonMark."""
    closers = _Closers(text, prose) if prose.has_spans else None
    at = prose.start
    while special := _SPECIAL.search(text, at, prose.end):
        start, at = special.span()
        if text[start] == "`" and closers is not None:
            at = closers.behind(at, at - start)
        elif text[start] == "<":
            found = grammar.tag_at(start, prose.end)
            at = found.end if found else max(at, grammar.address_at(start, prose.end))
            if found and found.name in _TAGS:
                yield start, found


class _Closers:
    """The runs of backticks of a stretch, by length: a code span ends at the next one as long as its first."""

    def __init__(self, text: str, prose: Prose) -> None:
        self._ends: dict[int, list[int]] = {}
        for run in _TICKS.finditer(text, prose.start, prose.end):
            self._ends.setdefault(run.end() - run.start(), []).append(run.end())

    def behind(self, at: int, length: int) -> int:
        """Behind the code span whose first run ends here; the same place where that run opens none."""
        ends = self._ends.get(length, [])
        found = bisect_left(ends, at + length)
        return ends[found] if found < len(ends) else at


@dataclass(slots=True)
class _Opened:
    """A tag that waits for its end: its place in the text and its first piece of words."""

    start: int
    found: TagFound
    piece: int


@dataclass(slots=True)
class _Reading:
    """Tags as they come, with the words between them as pieces that hold no markup of ours."""

    text: str
    unclosed: int = 0
    _at: int = 0
    _opened: list[_Opened] = field(default_factory=list)
    _pieces: list[str] = field(default_factory=list)
    _closed: list[tuple[_Opened, str]] = field(default_factory=list)

    def take(self, at: int, found: TagFound) -> None:
        """One more tag."""
        if self._opened and at > self._at:
            self._pieces.append(self.text[self._at : at])
        self._at = found.end
        if found.is_closing:
            self._close(found.name)
        elif not found.is_self_closing:
            self._opened.append(_Opened(at, found, len(self._pieces)))
            if len(self._opened) > TAG_DEPTH:
                del self._opened[0]
                self.unclosed += 1
        if not self._opened:
            self._pieces.clear()

    def _close(self, name: str) -> None:
        """End the innermost tag of this name; what opened inside it is never closed. A stray one is nothing."""
        for depth in range(len(self._opened) - 1, -1, -1):
            if self._opened[depth].found.name == name:
                self.unclosed += len(self._opened) - depth - 1
                opened = self._opened[depth]
                del self._opened[depth:]
                words = "".join(self._pieces[opened.piece :]).strip()
                if is_visible(words):
                    self._closed.append((opened, words))
                return

    def extraction(self) -> Extraction:
        """What was found."""
        captures: list[Tagged] = []
        line, counted = 1, 0
        for opened, words in sorted(self._closed, key=lambda pair: pair[0].start):
            line += self.text.count("\n", counted, opened.start)
            counted = opened.start
            captures.append(
                Tagged(
                    tag=_TAGS[opened.found.name],
                    text=words,
                    attributes=opened.found.attributes,
                    line=line,
                    start=opened.start,
                )
            )
        return Extraction(captures=tuple(captures), unclosed=self.unclosed + len(self._opened))
