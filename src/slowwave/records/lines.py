"""Lines: bytes of somebody's file as records, where damage costs exactly the damaged bytes.

A line ends at LF and nowhere else: U+2028, FF and a lone CR are characters of a record. Whole lines go to orjson; what
it refuses goes to ``recovery``, which saves every record that is still whole. A last line without LF is read when it is
one complete record and otherwise left for later: somebody is still writing it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, NamedTuple

import orjson

from slowwave.facts.limits import JSON_DEPTH, MOST_LINE_BYTES, READ_BLOCK_BYTES
from slowwave.records import recovery

Record = Mapping[str, Any]

_COUNTED_BYTES = 4_000  # from here on walking the containers of a real record is cheaper than counting its brackets


@dataclass(frozen=True, slots=True)
class Loss:
    """Bytes that could not be read.

    Attributes:
        reason: ``torn`` (a record cut off), ``binary`` (NUL or no text), ``not_object``, ``too_long``, ``too_deep``,
            ``bad_json`` (anything else).
        line: Physical line, from 1.
        offset: Of the first lost byte in the file.
        length: Lost bytes.
    """

    reason: str
    line: int
    offset: int
    length: int


class Line(NamedTuple):
    """One physical line; a named tuple, because one is made for every line and a dataclass costs three times as much.

    Attributes:
        number: From 1.
        offset: Of its first byte in the file.
        length: Bytes, its LF included; ``offset + length`` of the last line is how far the file was read.
        records: The records on it, in order; none on a blank or lost line.
        losses: What could not be read of it.
        first_part: Number of the first record on the line: 1 where an earlier scan already read the line's beginning.
    """

    number: int
    offset: int
    length: int
    records: tuple[Record, ...]
    losses: tuple[Loss, ...] = ()
    first_part: int = 0


def read_lines(stream: IO[bytes], *, start: int = 0, first_line: int = 1, end: int | None = None) -> Iterator[Line]:
    """Every line from byte ``start``, which is where an earlier scan ended, up to byte ``end`` or the end of the file.

    Args:
        stream: Opened for reading in binary, able to seek when ``start`` is not 0.
        start: Where an earlier scan stopped reading.
        first_line: The number of the line after those that were read.
        end: Bytes behind it are not looked at; it counts as the end of the file.

    Yields:
        Lines in order. An incomplete last line is not among them.
    """
    loads = orjson.loads
    number, offset = first_line, start
    first_part = 0
    if start and _continues(stream, start):
        number, first_part = first_line - 1, 1
    for batch, is_ended in _split(stream, None if end is None else max(0, end - start)):
        for raw in batch:
            length = len(raw) + is_ended
            try:
                value = loads(raw)
            except orjson.JSONDecodeError:
                value = None
            if type(value) is dict and not first_part and not _is_deep(raw, value):
                yield Line(number, offset, length, (value,))
            else:
                line = _read_damaged(raw, number, offset, length, first_part)
                if not is_ended and (type(raw) is _TooLong or line.losses or len(line.records) != 1):
                    return
                if not first_part or line.records or line.losses:
                    yield line
            number += 1
            offset += length
            first_part = 0


def _read_damaged(raw: bytes, number: int, offset: int, length: int, first_part: int) -> Line:
    if isinstance(raw, _TooLong):
        return Line(number, offset, length, (), (Loss("too_long", number, offset, length),), first_part)
    found = recovery.recover(raw)
    losses = tuple(Loss(gap.reason, number, offset + gap.start, gap.end - gap.start) for gap in found.gaps)
    return Line(number, offset, length, found.records, losses, first_part)


def _is_deep(raw: bytes, value: Record) -> bool:
    """Whether a record nests past the bound; brackets are counted where that is cheaper than walking the record."""
    if len(raw) < _COUNTED_BYTES:
        braces = len(raw) - len(raw.replace(b"{", b"", JSON_DEPTH + 1))  # stops there, which count() cannot
        if braces + len(raw) - len(raw.replace(b"[", b"", JSON_DEPTH + 1)) <= JSON_DEPTH:
            return False
    return recovery.depth(value, JSON_DEPTH) > JSON_DEPTH


def _continues(stream: IO[bytes], start: int) -> bool:
    """Whether byte ``start`` stands inside a line; leaves the stream there."""
    stream.seek(start - 1)
    return stream.read(1) not in (b"\n", b"")


class _TooLong(bytes):
    """Stands for a line that is too long to hold: empty, so that it parses as no record, but with the line's length."""

    size: int

    def __len__(self) -> int:
        return self.size


def _split(stream: IO[bytes], left: int | None) -> Iterator[tuple[Sequence[bytes], bool]]:
    """The lines of each block without their LF, and whether LF ended them; one line without LF comes last."""
    held: list[bytes] = []
    size = 0
    while block := stream.read(READ_BLOCK_BYTES if left is None else min(left, READ_BLOCK_BYTES)):
        if left is not None:
            left -= len(block)
        pieces: list[bytes] = block.split(b"\n")
        last = pieces.pop()
        if pieces:
            size += len(pieces[0])
            held.append(pieces[0])
            yield [_joined(held, size)], True
            yield pieces[1:], True
            held, size = [], 0
        size += len(last)
        if size <= MOST_LINE_BYTES:
            held.append(last)
        else:
            held.clear()
    if size:
        yield [_joined(held, size)], False


def _joined(held: list[bytes], size: int) -> bytes:
    if size <= MOST_LINE_BYTES:
        return b"".join(held)
    line = _TooLong()
    line.size = size
    return line
