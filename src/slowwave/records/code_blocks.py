"""Which stretches of a Markdown text are prose: the blocks of CommonMark, as far as they decide what is code.

Fenced code and quotations are left out. Everything else comes as stretches across which an inline code span may reach:
a paragraph, a heading, the text of a list item. An indented block hides nothing (spec 05), but backticks in it are no
code spans either. A quotation is each line with its own ``>``: a line without one is the writer's own again, since
whoever answers below a quote seldom leaves a line free. Every line is looked at once.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from slowwave.facts.capture import Tag

_FENCE = re.compile(r"(?P<ticks>`{3,})[^`\n]*(?=\n|\Z)|(?P<tildes>~{3,})[^\n]*")
_MARKER = re.compile(r"(?:[-+*]|(?P<number>\d{1,9})[.)])(?=[ \t\n]|\Z)")
_HEADING = re.compile(r"#{1,6}(?=[ \t\n]|\Z)")
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*(?=\n|\Z)")
_BROKEN_TAG = re.compile(rf"</?(?:{'|'.join(Tag)})[ \t]*\Z", re.IGNORECASE)
_LONGEST_TAG = 64  # characters: the longest name, and blanks behind it
_BLANK = " \t"
_TAB = 4
_CODE_INDENT = 4
_FEWEST_MARKS = 3


@dataclass(frozen=True, slots=True)
class Prose:
    """A stretch of prose.

    Attributes:
        start: Its first character in the text.
        end: Behind its last one.
        has_spans: Whether backticks in it can be code spans; not in an indented block.
    """

    start: int
    end: int
    has_spans: bool = True


def prose_of(text: str) -> Iterator[Prose]:
    """The stretches of prose of a text whose line breaks are LF, in order."""
    walk = _Walk(text)
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield from walk.take(at, end)
        at = end + 1
    yield from walk.close()


class _Line:
    """A line on its way: where reading stands in it, in characters and in columns."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.at = start
        self.column = 0
        self.end = end
        self.filled = start + len(text[start:end].rstrip(_BLANK))
        self._start = start
        self._tails: dict[str, int] = {}

    @property
    def is_blank(self) -> bool:
        """Nothing is left of it."""
        return self.at >= self.filled

    def skip_blanks(self, most: int | None = None) -> None:
        """Go on to the next character that shows, or by so many columns; a tab goes to the next fourth column."""
        goal = None if most is None else self.column + most
        while self.at < self.filled and self.text[self.at] in _BLANK and (goal is None or self.column < goal):
            self.column += _TAB - self.column % _TAB if self.text[self.at] == "\t" else 1
            self.at += 1

    def is_only(self, mark: str) -> bool:
        """Whether the rest is nothing but a mark, and blanks."""
        if mark not in self._tails:
            self._tails[mark] = self._start + len(self.text[self._start : self.end].rstrip(mark + _BLANK))
        return self.at >= self._tails[mark]

    def is_break(self) -> bool:
        """Whether the rest is a thematic break: three or more of one mark, and blanks."""
        mark = self.text[self.at]
        return mark in "-_*" and self.is_only(mark) and self.text.count(mark, self.at, self.end) >= _FEWEST_MARKS


class _Walk:
    """The blocks that are open after the lines so far."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._items: list[int] = []
        """Columns at which the texts of the open list items begin, from the outermost."""
        self._open: Prose | None = None
        """The paragraph that goes on, up to the line before."""
        self._fence = ""
        """What opened the code that goes on; empty outside of it."""
        self._is_item_empty = False
        """Whether the line before began the innermost list item and said nothing: a free line ends such a one."""

    def take(self, at: int, end: int) -> Iterator[Prose]:
        """One more line."""
        line = _Line(self._text, at, end)
        line.skip_blanks()
        was_empty, self._is_item_empty = self._is_item_empty, False
        if line.is_blank:
            del self._items[len(self._items) - was_empty :]
            yield from self.close()
            return
        if self._fence and (not self._items or line.column >= self._items[-1]):
            if self._ends_fence(line):
                self._fence = ""
            return
        self._fence = ""
        yield from self._block(line, at)

    def close(self) -> Iterator[Prose]:
        """The paragraph that was open."""
        if self._open is not None:
            yield self._open
            self._open = None

    def _ends_fence(self, line: _Line) -> bool:
        if line.column - self._edge() >= _CODE_INDENT:
            return False
        rest = self._text[line.at : line.filled]
        return len(rest) >= len(self._fence) and not rest.strip(self._fence[0])

    def _edge(self) -> int:
        """The column at which the innermost open list item begins."""
        return self._items[-1] if self._items else 0

    def _block(self, line: _Line, start: int) -> Iterator[Prose]:
        """What a line begins, or goes on with; list markers are taken off one by one."""
        kept = bisect_right(self._items, line.column)
        left_item = kept < len(self._items)
        column = line.column - (self._items[kept - 1] if kept else 0)
        if column >= _CODE_INDENT and self._open is None:
            del self._items[kept:]
            yield Prose(start, line.end, has_spans=False)
            return
        kind = "text" if column >= _CODE_INDENT else self._kind(line, left_item=left_item)
        if kind == "text" and self._open is not None:
            self._open = Prose(self._open.start, line.end)
            return
        del self._items[kept:]
        yield from self.close()
        if kind == "text":
            self._open = Prose(start, line.end)
        elif kind == "heading":
            yield Prose(start, line.end)
        elif kind == "item":
            yield from self._item(line)

    def _kind(self, line: _Line, *, left_item: bool) -> str:
        """The sort of block that begins here: ``quote``, ``fence``, ``heading``, ``break``, ``item`` or ``text``."""
        text, at = self._text, line.at
        if text[at] == ">":
            return "text" if self._awaits_end() else "quote"
        if (fence := _FENCE.match(text, at)) is not None:
            self._fence = fence["ticks"] or fence["tildes"]
            return "fence"
        if _HEADING.match(text, at):
            return "heading"
        is_underlined = self._open is not None and not left_item and _UNDERLINE.match(text, at) is not None
        if is_underlined or line.is_break():
            return "break"
        return "item" if self._is_item(line, left_item=left_item) else "text"

    def _is_item(self, line: _Line, *, left_item: bool) -> bool:
        """Whether a list marker stands here; in the midst of a paragraph only one that may break it off."""
        marker = _MARKER.match(self._text, line.at)
        if marker is None or self._open is None or left_item:
            return marker is not None
        return marker.end() < line.filled and marker["number"] in (None, "1")

    def _awaits_end(self) -> bool:
        """Whether the line before broke off inside a tag of ours, whose end this ``>`` is."""
        if self._open is None:
            return False
        tail = self._text[max(self._open.start, self._open.end - _LONGEST_TAG) : self._open.end]
        return _BROKEN_TAG.search(tail) is not None

    def _item(self, line: _Line) -> Iterator[Prose]:
        """Take list markers off a line, then read what stands behind them."""
        while True:
            marker = _MARKER.match(self._text, line.at)
            if marker is None:
                break
            line.column += marker.end() - line.at
            line.at = marker.end()
            if line.is_blank:
                self._items.append(line.column + 1)
                self._is_item_empty = True
                return
            begun, place = line.column, line.at
            line.skip_blanks(_CODE_INDENT + 1)
            is_code = line.column - begun > _CODE_INDENT
            if is_code:
                line.column, line.at = begun, place
                line.skip_blanks(1)
            self._items.append(line.column)
            if is_code or line.is_break():
                break
        yield from self._rest(line)

    def _rest(self, line: _Line) -> Iterator[Prose]:
        start = line.at
        line.skip_blanks()
        if line.column - self._edge() >= _CODE_INDENT:
            yield Prose(start, line.end, has_spans=False)
            return
        kind = self._kind(line, left_item=False)
        if kind == "heading":
            yield Prose(start, line.end)
        elif kind == "text":
            self._open = Prose(start, line.end)
