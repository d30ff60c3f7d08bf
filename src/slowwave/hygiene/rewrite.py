"""Rewriting: edits into new bytes. A line that no edit names keeps its bytes, whatever they are."""

from collections.abc import Iterator, Sequence
from typing import Any

from slowwave.hygiene.document import AnyDocument, Lines, Listed
from slowwave.hygiene.items import Edit
from slowwave.hygiene.renaming import renamed
from slowwave.hygiene.splice import (
    Splice,
    SpliceError,
    apply,
    elements_of,
    encode,
    record_starts,
    span_of,
    spans_of,
    steps_of,
    with_values,
)


def rewrite(document: AnyDocument, edits: Sequence[Edit], *, rename: tuple[str, str] | None = None) -> Iterator[bytes]:
    """The new bytes of a document, in blocks.

    Args:
        document: Where the old ones are.
        edits: What changes.
        rename: The session id that every record carries now, and the one it is to carry.

    Raises:
        SpliceError: A value cannot be found in the bytes it was read from.
    """
    if isinstance(document, Lines):
        return _rewrite_lines(document, edits, rename)
    return iter((_rewrite_list(document, edits),))


def rewrite_messages(document: Listed, edits: Sequence[Edit]) -> list[Any]:
    """The messages with edits; one that no edit names is the very same object."""
    messages: list[Any] = list(document.elements())
    for index, held in _by_index(edits).items():
        messages[index] = with_values(messages[index], [(steps_of(edit.field), edit.value) for edit in held])
    return messages


def _by_index(edits: Sequence[Edit]) -> dict[int, list[Edit]]:
    found: dict[int, list[Edit]] = {}
    for edit in edits:
        found.setdefault(edit.index, []).append(edit)
    return found


def _rewrite_lines(document: Lines, edits: Sequence[Edit], rename: tuple[str, str] | None) -> Iterator[bytes]:
    by_index = _by_index(edits)
    if rename is not None:
        for index in range(document.count):
            raw = document.raw(index)
            yield renamed(_spliced(raw, by_index[index]) if index in by_index else raw, *rename)
        yield from document.bytes_between(document.count, document.count)
        return
    at = 0
    for index in sorted(by_index):
        yield from document.bytes_between(at, index)
        yield _spliced(document.raw(index), by_index[index])
        at = index + 1
    yield from document.bytes_between(at, document.count)


def _spliced(raw: bytes, edits: Sequence[Edit]) -> bytes:
    text = raw.decode("latin-1")
    starts = record_starts(text.rstrip("\r\n"))
    by_part: dict[int, list[Edit]] = {}
    for edit in edits:
        by_part.setdefault(edit.part, []).append(edit)
    splices: list[Splice] = []
    for part, held in by_part.items():
        if part >= len(starts):
            raise SpliceError("a line holds fewer records than were read from it")
        splices += _splices(raw, text, starts[part], held)
    return apply(raw, splices)


def _splices(raw: bytes, text: str, start: int, edits: Sequence[Edit]) -> Iterator[Splice]:
    """What has to be put where, for edits of the record that begins at a place."""
    is_ascii = raw.isascii()
    for edit, (begin, end) in zip(edits, spans_of(text, start, [steps_of(edit.field) for edit in edits]), strict=True):
        yield begin, end, _told(raw, text, begin, edit, is_ascii=is_ascii)


def _told(raw: bytes, text: str, start: int, edit: Edit, *, is_ascii: bool) -> bytes:
    """What is written for an edit of the value that begins at a place."""
    if not edit.kept:
        return encode(edit.value, is_ascii=is_ascii)
    places = elements_of(text, start)
    spans = [span_of(text, places[at], ()) for at in edit.kept]
    return b"[" + b",".join(raw[begin:end] for begin, end in spans) + b"]"


def _rewrite_list(document: Listed, edits: Sequence[Edit]) -> bytes:
    raw = document.raw_document
    text = raw.decode("latin-1")
    start = _record_start(text)
    starts = elements_of(text, span_of(text, start, steps_of(document.base))[0])
    splices = [each for index, held in _by_index(edits).items() for each in _splices(raw, text, starts[index], held)]
    return apply(raw, splices)


def _record_start(text: str) -> int:
    """Where a document decoded as Latin-1 begins, behind its byte order mark."""
    return 3 if text.startswith("\xef\xbb\xbf") else 0
