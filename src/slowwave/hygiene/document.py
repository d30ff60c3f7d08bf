"""Documents: a context as it lies on disk or in memory, its records by index, and the bytes behind each.

Three forms: lines (a record a line, as agents write sessions), a list (one JSON document with its messages), and
values (the messages a program holds in memory). A file is never held whole: lines are found by their offsets.
"""

import hashlib
import io
from array import array
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import IO, Any

from slowwave.disk.fence import open_beneath
from slowwave.facts.limits import JSON_DEPTH, READ_BLOCK_BYTES
from slowwave.facts.refusal import NothingToDoError, SlowwaveError
from slowwave.hygiene.wires import WIRES, detect_wire
from slowwave.hygiene.wires.wire import Record, Wire
from slowwave.records.formats.format import VOTERS
from slowwave.records.lines import Line, read_lines
from slowwave.records.recovery import depth
from slowwave.records.whole import decode, encode

MOST_LIST_BYTES = 64 * 1024 * 1024  # of one JSON document, which is held whole; a million tokens have four
_REMEMBERED = 64  # records kept decoded: detectors look at one line several times in a row
_LISTS = ("messages", "input")  # members of a request that hold its messages
_MARK = b"\xef\xbb\xbf"


class UnknownContextError(NothingToDoError):
    """The file is no context that the hygienist reads."""

    code = "unknown_context"


class TooLargeError(SlowwaveError):
    """A document that would have to be held whole is too large for that."""

    code = "too_large"


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
        self._recent: OrderedDict[int, tuple[Record, ...]] = OrderedDict()
        self.length = stream.seek(0, io.SEEK_END)
        self.digest = _digest_of(stream)
        self._is_indexed = False

    @property
    def count(self) -> int:
        """Lines that were read; a torn last one is not among them."""
        self._index()
        return len(self._offsets) - 1

    def records(self) -> Iterator[tuple[int, int, Record]]:
        """Index, part and record, in order; the first whole reading finds the offsets as well."""
        self._stream.seek(0)
        offsets: array[int] = array("Q")
        end = 0
        for line in read_lines(self._stream, end=self.length):
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
            held = self._recent[index] = _read_one(self.raw(index)).records
            if len(self._recent) > _REMEMBERED:
                self._recent.popitem(last=False)
        return held[part]

    def is_damaged(self, index: int) -> bool:
        """Whether something of the line could not be read."""
        return index in self._damaged

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


class Listed:
    """One JSON document, held whole."""

    def __init__(self, raw: bytes, value: object, base: str, wire: Wire) -> None:
        self.raw_document = raw
        self.wire = wire
        self.base = base
        self.envelope: Mapping[str, Any] = (
            {key: held for key, held in value.items() if key != base} if isinstance(value, dict) else {}
        )
        held: Any = value[base] if isinstance(value, dict) else value
        self._records: list[Any] = held
        self.length = len(raw)
        self.digest = hashlib.sha256(raw).hexdigest()

    @property
    def count(self) -> int:
        """Messages."""
        return len(self._records)

    def records(self) -> Iterator[tuple[int, int, Record]]:
        """Index, part and record, in order; what is no object counts and shows nothing."""
        return ((index, 0, record) for index, record in enumerate(self._records) if isinstance(record, dict))

    def record(self, index: int, part: int) -> Record:
        """One message."""
        del part
        held = self._records[index]
        return held if isinstance(held, dict) else {}

    def is_damaged(self, index: int) -> bool:
        """Whether the element is no message."""
        return not isinstance(self._records[index], dict)

    def close(self) -> None:
        """Nothing is open."""


class Values(Listed):
    """Messages in a program's memory."""

    def __init__(self, messages: Sequence[Mapping[str, Any]], wire: Wire) -> None:
        super().__init__(encode(list(messages)).encode(), list(messages), "", wire)


AnyDocument = Lines | Listed


def open_document(path: Path, *, wire: str = "") -> AnyDocument:
    """A context in a file, recognised by its content; no link is followed.

    Args:
        path: The file.
        wire: Its name where the content is not to be asked.

    Raises:
        UnknownContextError: It holds no context we read.
        TooLargeError: One JSON document that is too large to hold.
        FenceError: The file is a link or no regular file.
        OSError: It is not there, or may not be read.
    """
    stream = open_beneath(path.absolute().parent, path.name)
    try:
        return document_of(stream, wire)
    except BaseException:
        stream.close()
        raise


def read_document(raw: bytes, *, wire: str = "") -> AnyDocument:
    """A context in memory, as ``open_document`` reads one in a file."""
    return document_of(io.BytesIO(raw), wire)


def of_messages(messages: Sequence[Mapping[str, Any]], *, wire: str = "") -> Values:
    """A context as the messages of a program.

    Raises:
        UnknownContextError: They are no messages we read.
    """
    held = [each for each in messages if isinstance(each, dict)]
    found = WIRES.get(wire) if wire else detect_wire(held, is_list=True)
    if found is None:
        raise UnknownContextError("these are no messages of a form that is known", hint=_known())
    return Values(messages, found)


def document_of(stream: IO[bytes], name: str = "") -> AnyDocument:
    """A context in an open stream that can seek; the document closes it."""
    first = stream.read(READ_BLOCK_BYTES)
    stream.seek(0)
    opening = first.removeprefix(_MARK).lstrip()[:1]
    wire = WIRES.get(name) if name else None
    if opening in (b"[", b"{") and (opening == b"[" or _is_one_document(stream)):
        with closing(stream):
            return _listed(stream, wire)
    stream.seek(0)
    head = [record for line in islice(read_lines(stream), VOTERS) for record in line.records]
    found = wire or detect_wire(head)
    if found is None:
        raise UnknownContextError("this is no context of a form that is known", hint=_known())
    return Lines(stream, found)


def _is_one_document(stream: IO[bytes]) -> bool:
    """Whether a file that begins with an object holds one request rather than a record a line."""
    lines = list(islice(read_lines(stream), 2))
    whole = [record for line in lines for record in line.records]
    stream.seek(0)
    if len(whole) == 1 and not any(line.losses for line in lines):
        return any(isinstance(whole[0].get(key), list) for key in _LISTS)
    return not whole and bool(lines)  # written over several lines


def _listed(stream: IO[bytes], wire: Wire | None) -> Listed:
    raw = stream.read(MOST_LIST_BYTES + 1)
    if len(raw) > MOST_LIST_BYTES:
        raise TooLargeError(f"one JSON document of more than {MOST_LIST_BYTES:,} bytes is not read")
    try:
        value = decode(raw.removeprefix(_MARK))
    except ValueError as error:
        raise UnknownContextError(f"this is no JSON document: {error}", hint=_known()) from error
    base = next((key for key in _LISTS if isinstance(value, dict) and isinstance(value.get(key), list)), "")
    held = value.get(base) if isinstance(value, dict) else value
    if not isinstance(held, list) or depth(value, JSON_DEPTH) > JSON_DEPTH:
        raise UnknownContextError("this JSON document holds no list of messages", hint=_known())
    found = wire or detect_wire([each for each in held if isinstance(each, dict)], is_list=True)
    if found is None:
        raise UnknownContextError("the list in this document holds no messages that are known", hint=_known())
    return Listed(raw, value, base, found)


def _known() -> str:
    return f"What is read: {', '.join(WIRES)}."


def _read_one(raw: bytes) -> Line:
    for line in read_lines(io.BytesIO(raw)):
        return line
    return Line(1, 0, len(raw), ())


def _digest_of(stream: IO[bytes]) -> str:
    stream.seek(0)
    hasher = hashlib.sha256()
    while block := stream.read(READ_BLOCK_BYTES):
        hasher.update(block)
    return hasher.hexdigest()
