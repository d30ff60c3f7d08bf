"""Documents: a context as it lies on disk or in memory, its records by index, and the bytes behind each.

Three forms: lines (``lined``: a record a line, as agents write sessions), a list (one JSON document with its messages),
and values (the messages a program holds in memory).
"""

import hashlib
import io
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, Any

from slowwave.disk.fence import open_beneath
from slowwave.facts.limits import JSON_DEPTH, READ_BLOCK_BYTES
from slowwave.facts.refusal import NothingToDoError, SlowwaveError
from slowwave.hygiene.lined import Lines
from slowwave.hygiene.wires import WIRES, detect_wire
from slowwave.hygiene.wires.wire import Record, Wire
from slowwave.records.formats.format import VOTERS
from slowwave.records.lines import read_lines
from slowwave.records.recovery import depth
from slowwave.records.whole import decode, encode

MOST_LIST_BYTES = 64 * 1024 * 1024  # of one JSON document, which is held whole; a million tokens have four
_LISTS = ("messages", "input")  # members of a request that hold its messages
_MARK = b"\xef\xbb\xbf"


class UnknownContextError(NothingToDoError):
    """The file is no context that the hygienist reads."""

    code = "unknown_context"


class TooLargeError(SlowwaveError):
    """A document that would have to be held whole is too large for that."""

    code = "too_large"


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

    def elements(self) -> Sequence[Any]:
        """Whatever stands in the list, messages or not."""
        return self._records

    def is_damaged(self, index: int) -> bool:
        """Whether the element is no message."""
        return not isinstance(self._records[index], dict)

    def is_plain(self, index: int) -> bool:
        """Whether the element stands in the list as it was read."""
        return not self.is_damaged(index)

    def close(self) -> None:
        """Nothing is open."""


class Values(Listed):
    """Messages in a program's memory; they are read as the JSON they would be sent as."""

    def __init__(self, messages: Sequence[Mapping[str, Any]], wire: Wire) -> None:
        self._messages = list(messages)
        raw = encode(self._messages).encode()
        super().__init__(raw, decode(raw), "", wire)

    def elements(self) -> Sequence[Any]:
        """The very messages."""
        return self._messages


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
    trouble: SlowwaveError | None = None
    if opening in (b"[", b"{") and _may_be_one_document(stream):
        try:
            listed = _listed(stream, wire)
        except (UnknownContextError, TooLargeError) as error:
            trouble = error  # or a file of lines of which the first are damaged, or no records
        else:
            stream.close()
            return listed
    stream.seek(0)
    head = list(islice(read_lines(stream), VOTERS))
    records = [record for line in head for record in line.records]
    found = wire or detect_wire(records)
    if found is None or (trouble and len(records) <= sum(bool(line.losses) for line in head)):
        raise trouble or UnknownContextError("this is no context of a form that is known", hint=_known())
    return Lines(stream, found)


def _may_be_one_document(stream: IO[bytes]) -> bool:
    """Whether a file that begins with an object or a list may hold one request or one list, not a record a line."""
    lines = list(islice(read_lines(stream), 2))
    stream.seek(0)
    whole = [record for line in lines for record in line.records]
    if len(whole) == 1 and not any(line.losses for line in lines):
        return any(isinstance(whole[0].get(key), list) for key in _LISTS)
    return not whole  # a list on one line, or either written over several


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


__all__ = [
    "AnyDocument",
    "Lines",
    "Listed",
    "TooLargeError",
    "UnknownContextError",
    "Values",
    "document_of",
    "of_messages",
    "open_document",
    "read_document",
]
