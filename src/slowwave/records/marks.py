"""Sparse marks of where lines begin, so that any line is reached without reading those before it."""

from array import array
from bisect import bisect_right
from dataclasses import dataclass, field

from slowwave.facts.limits import MARK_BYTES


@dataclass(slots=True)
class Marks:
    """Beginnings of lines, at most one for each ``MARK_BYTES`` of a file; the beginning of line 1 is always known.

    Attributes:
        numbers: Line numbers, rising.
        offsets: Byte offset at which each of those lines begins.
    """

    numbers: "array[int]" = field(default_factory=lambda: array("Q", [1]))
    offsets: "array[int]" = field(default_factory=lambda: array("Q", [0]))

    def note(self, number: int, offset: int) -> None:
        """Keep the beginning of a line where the last mark is far enough behind."""
        if offset - self.offsets[-1] >= MARK_BYTES:
            self.numbers.append(number)
            self.offsets.append(offset)

    def before_line(self, number: int) -> tuple[int, int]:
        """The last mark at or before a line: its number and byte offset."""
        at = _last_not_above(self.numbers, number)
        return self.numbers[at], self.offsets[at]

    def before_offset(self, offset: int) -> tuple[int, int]:
        """The last mark at or before a byte offset: its line number and byte offset."""
        at = _last_not_above(self.offsets, offset)
        return self.numbers[at], self.offsets[at]

    def pack(self) -> bytes:
        """The marks as bytes for the index."""
        return self.numbers.tobytes() + self.offsets.tobytes()


def unpack(packed: bytes) -> Marks:
    """Marks that ``pack`` made; damaged ones are as none at all."""
    half = len(packed) // 2
    if not packed or half % 8 or len(packed) % 2:
        return Marks()
    numbers, offsets = array("Q"), array("Q")
    numbers.frombytes(packed[:half])
    offsets.frombytes(packed[half:])
    return Marks(numbers=numbers, offsets=offsets)


def _last_not_above(values: "array[int]", most: int) -> int:
    return max(0, bisect_right(values, most) - 1)
