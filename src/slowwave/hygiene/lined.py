"""A file of lines as a document: never held whole, its lines are found by their offsets."""

import hashlib
import io
from array import array
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import IO, Any, cast

from slowwave.facts.limits import READ_BLOCK_BYTES
from slowwave.hygiene.splice import SpliceError, record_starts
from slowwave.hygiene.wires.wire import Record, Wire
from slowwave.records.lines import Line, read_lines
from slowwave.records.whole import decode

_REMEMBERED = 64  # lines kept decoded: detectors look at one line several times in a row
_REMEMBERED_BYTES = 4 * 1024 * 1024  # that they take undecoded; a line of pictures is held alone


class Lines:
    """A file of lines, read through a handle that stays open until ``close``.

    Attributes (every document has them):
        wire: How it is written.
        envelope: What stands around the messages of a request; empty otherwise.
        base: Path of the list in its document, for a list in a request.
        digest: SHA-256 of its bytes, 64 hex digits; of messages in memory, of their JSON.
        length: Bytes.
        count: How many indices there are.
    """

    base = ""

    def __init__(self, stream: IO[bytes], wire: Wire) -> None:
        self._stream = stream
        self.wire = wire
        self.envelope: Mapping[str, Any] = {}
        self._offsets: array[int] = array("Q")
        self._damaged: set[int] = set()
        self._recent: OrderedDict[int, tuple[int, tuple[Record, ...]]] = OrderedDict()
        self._held = 0
        self._plain: dict[int, bool] = {}
        self.length = stream.seek(0, io.SEEK_END)
        self.digest = _digest_of(stream, self.length)
        self._is_indexed = False

    @property
    def count(self) -> int:
        """Lines that were read; a torn last one is not among them."""
        self._index()
        return len(self._offsets) - 1

    def records(self) -> Iterator[tuple[int, int, Record]]:
        """Index, part and record, in order; the first whole reading finds the offsets as well."""
        offsets: array[int] = array("Q")
        end = 0
        for line in read_lines(cast("IO[bytes]", _Apart(self._stream)), end=self.length):
            offsets.append(line.offset)
            end = line.offset + line.length
            if line.losses:
                self._damaged.add(line.number - 1)
            for part, record in enumerate(line.records):
                yield line.number - 1, part, record
        offsets.append(end)
        self._offsets, self._is_indexed = offsets, True

    def record(self, index: int, part: int) -> Record:
        """One record, read again from the file."""
        held = self._recent.get(index)
        if held is None:
            raw = self.raw(index)
            held = self._recent[index] = len(raw), _read_one(raw).records
            self._held += len(raw)
            while len(self._recent) > 1 and (len(self._recent) > _REMEMBERED or self._held > _REMEMBERED_BYTES):
                self._held -= self._recent.popitem(last=False)[1][0]
        return held[1][part]

    def is_damaged(self, index: int) -> bool:
        """Whether something of the line could not be read."""
        return index in self._damaged

    def is_plain(self, index: int) -> bool:
        """Whether the records of a line stand in it as they were read: one may be wrapped into a JSON string."""
        if index not in self._plain:
            self._plain[index] = _is_plain(self.raw(index))
        return self._plain[index]

    def raw(self, index: int) -> bytes:
        """The bytes of a line, its LF included."""
        self._index()
        start, end = self._offsets[index], self._offsets[index + 1]
        self._stream.seek(start)
        return self._stream.read(end - start)

    def bytes_between(self, start: int, end: int) -> Iterator[bytes]:
        """The bytes of lines ``start`` up to ``end``, in blocks; ``end`` at the count takes the torn rest along."""
        self._index()
        at = self._offsets[start]
        stop = self.length if end >= self.count else self._offsets[end]
        while at < stop:
            self._stream.seek(at)
            block = self._stream.read(min(READ_BLOCK_BYTES, stop - at))
            if not block:
                return
            at += len(block)
            yield block

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def _index(self) -> None:
        if not self._is_indexed:
            for _ in self.records():
                pass


def _is_plain(raw: bytes) -> bool:
    try:
        return isinstance(decode(raw), dict)
    except ValueError:
        pass  # several on one line, or with a mark before them
    text = raw.decode("latin-1").rstrip("\r\n")
    try:
        return all(text[start] == "{" for start in record_starts(text))
    except SpliceError:
        return False


def _read_one(raw: bytes) -> Line:
    for line in read_lines(io.BytesIO(raw)):
        return line
    return Line(1, 0, len(raw), ())


def _digest_of(stream: IO[bytes], length: int) -> str:
    """Of the first so many bytes: somebody may be writing behind them."""
    stream.seek(0)
    hasher = hashlib.sha256()
    while length and (block := stream.read(min(length, READ_BLOCK_BYTES))):
        hasher.update(block)
        length -= len(block)
    return hasher.hexdigest()


class _Apart:
    """A stream read from its beginning, wherever others who hold it have gone meanwhile."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._at = 0

    def read(self, size: int) -> bytes:
        """The next bytes."""
        self._stream.seek(self._at)
        block = self._stream.read(size)
        self._at += len(block)
        return block
