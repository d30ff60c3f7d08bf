"""Lines that hold a byte string, found block by block: memory stays at one block and one line."""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO

from slowwave.facts.limits import MOST_LINE_BYTES, READ_BLOCK_BYTES, SEARCH_BLOCK_BYTES
from slowwave.records.marks import Marks

_LF = b"\n"


class _OpenLine:
    """A line that one block begins and a later one ends; of one that is too long nothing is kept."""

    def __init__(self, offset: int, begun: memoryview) -> None:
        self.offset = offset
        self.held = bytearray(begun)
        self.is_too_long = False

    def add(self, more: memoryview) -> None:
        self.is_too_long = self.is_too_long or len(self.held) + len(more) > MOST_LINE_BYTES
        if self.is_too_long:
            self.held.clear()
        else:
            self.held += more

    def matches(self, needles: Sequence[bytes], *, is_folded: bool) -> bool:
        searched = self.held.lower() if is_folded else self.held
        return any(needle in searched for needle in needles)


def matching_lines(
    stream: BinaryIO, needles: Sequence[bytes], *, end: int, is_folded: bool = False
) -> Iterator[tuple[int, bytes]]:
    """Offset and bytes, without LF, of each line up to byte ``end`` that holds one of the needles.

    Reading is positional, so the stream may be used for other things between two lines. ``is_folded``: the needles
    are in lower case, and so is what they are looked for in. A line too long to hold is passed over, as a scan does.
    """
    buffer = bytearray(min(SEARCH_BLOCK_BYTES, max(end, 1)))
    view = memoryview(buffer)
    line: _OpenLine | None = None
    at = 0
    while at < end and (size := os.preadv(stream.fileno(), [view[: min(len(buffer), end - at)]], at)):
        start = 0
        if line is not None:
            start = buffer.find(_LF, 0, size) + 1
            line.add(view[: start - 1 if start else size])
            if start and line.matches(needles, is_folded=is_folded):
                yield line.offset, bytes(line.held)
        if line is None or start:
            behind = max(start, buffer.rfind(_LF, start, size) + 1)
            yield from _in_block(buffer, (start, behind), at, needles, is_folded=is_folded)
            line = _OpenLine(at + behind, view[behind:size]) if behind < size else None
        at += size
    if line is not None and line.matches(needles, is_folded=is_folded):
        yield line.offset, bytes(line.held)


def _in_block(
    buffer: bytearray, part: tuple[int, int], at: int, needles: Sequence[bytes], *, is_folded: bool
) -> Iterator[tuple[int, bytes]]:
    """Lines in the whole lines of a block; every needle keeps its own next place."""
    start, end = part
    searched = buffer.lower() if is_folded else buffer
    places = {needle: place for needle in needles if (place := searched.find(needle, start, end)) >= 0}
    while places:
        place = min(places.values())
        begin = buffer.rfind(_LF, start, place) + 1 or start
        stop = buffer.find(_LF, place, end)
        yield at + begin, bytes(buffer[begin:stop])
        behind = {
            needle: found if found > stop else searched.find(needle, stop + 1, end) for needle, found in places.items()
        }
        places = {needle: found for needle, found in behind.items() if found >= 0}


class LineNumbers:
    """Numbers of lines by their byte offset, counted on from the nearest mark or the last question."""

    def __init__(self, stream: BinaryIO, marks: Callable[[], Marks]) -> None:
        self._stream = stream
        self._marks_of = marks
        self._marks: Marks | None = None
        self._number, self._offset = 1, 0

    def at(self, offset: int) -> int:
        """The number of the line that begins at a byte offset; offsets are asked in rising order."""
        self._marks = self._marks or self._marks_of()
        number, start = self._marks.before_offset(offset)
        if start > self._offset:
            self._number, self._offset = number, start
        for block in _blocks(self._stream, self._offset, offset):
            self._number += block.count(_LF)
        self._offset = offset
        return self._number


def line_number(stream: BinaryIO, offset: int, marks: Marks) -> int:
    """The number of the line that begins at a byte offset, or in which it stands."""
    return LineNumbers(stream, lambda: marks).at(offset)


def line_offset(stream: BinaryIO, number: int, marks: Marks) -> int:
    """The byte offset at which a line begins; the file's end where it has fewer lines."""
    known, at = marks.before_line(number)
    left = number - known
    for block in _blocks(stream, at, None):
        held = block.count(_LF) if left else 0
        if held < left:
            left -= held
            at += len(block)
            continue
        place = -1
        for _ in range(left):
            place = block.find(_LF, place + 1)
        return at + place + 1
    return at


def _blocks(stream: BinaryIO, start: int, end: int | None) -> Iterator[bytes]:
    stream.seek(start)
    left = end - start if end is not None else None
    while left is None or left > 0:
        block = stream.read(READ_BLOCK_BYTES if left is None else min(left, READ_BLOCK_BYTES))
        if not block:
            return
        if left is not None:
            left -= len(block)
        yield block
