"""Restoring: a revision put together again, with every line that was added since, each once and in order.

What was added between two changes stands word for word in the original that the later one kept, behind the bytes that
the earlier one wrote; what was added since the last one stands in the file.
"""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from slowwave.facts.refusal import NothingToDoError
from slowwave.hygiene.blobs import Blobs
from slowwave.hygiene.entries import Entry, PurgedError, UnknownRevisionError
from slowwave.hygiene.placing import lines_of, open_plain, read_between

Rename = Callable[[bytes, str, str], bytes]
"""A line, the session id it carries, the one it is to carry: the line with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A run of bytes: of an original, or with no digest of the file itself; ``session`` is the id its lines carry."""

    digest: str
    start: int
    end: int
    session: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How a revision is put together: its pieces in order, and the session id that all lines are to carry."""

    pieces: tuple[Piece, ...]
    session: str


def way_back(steps: Sequence[Entry], revision: str, length: int, gone: AbstractSet[str]) -> Way:
    """How to get from a file to one of its revisions.

    Args:
        steps: Its history, the latest first.
        revision: Where to.
        length: The file's bytes.
        gone: Originals that were destroyed.

    Raises:
        NothingToDoError: The file is at that revision.
        UnknownRevisionError: The revision is of no file that this one came of.
        PurgedError: An original on the way was destroyed.
    """
    place = next((at for at, each in enumerate(steps) if revision in (each.before, each.after)), None)
    if place is None:
        raise UnknownRevisionError(
            f"the file never was at revision {revision[:16]}", hint="`slowwave hygiene log FILE` shows where it was."
        )
    step = steps[place]
    if step.after != revision:
        first = Piece(digest=step.before, start=0, end=step.before_length, session=step.session_old)
    elif place:
        first = Piece(digest=steps[place - 1].before, start=0, end=step.after_length, session=step.session_new)
    else:
        raise NothingToDoError(f"the file is at revision {revision[:16]}")
    added = [_added(steps, at, length) for at in range(place, -1, -1)]
    pieces = tuple(each for each in (first, *added) if each.start < each.end)
    _refuse_gone(revision, pieces, gone)
    return Way(pieces=pieces, session=first.session)


def bring_back(way: Way, blobs: Blobs, file: Path, rename: Rename) -> Iterator[bytes]:
    """The bytes of a revision with all that was added since, in blocks.

    Raises:
        DamageError: An original is missing or changed.
    """
    for piece in way.pieces:
        with blobs.open(piece.digest) if piece.digest else open_plain(file) as stream:
            yield from with_session(read_between(stream, piece.start, piece.end), piece.session, way.session, rename)


def with_session(chunks: Iterator[bytes], session: str, wanted: str, rename: Rename) -> Iterator[bytes]:
    """Bytes whose lines carry another session id; the same bytes where it is the same or not known."""
    if not session or not wanted or session == wanted:
        return chunks
    return (rename(line, session, wanted) for line in lines_of(chunks))


def _added(steps: Sequence[Entry], at: int, length: int) -> Piece:
    """What was added to a file after one of its changes and before the next."""
    step = steps[at]
    if not at:
        return Piece(digest="", start=step.after_length, end=length, session=step.session_new)
    later = steps[at - 1]
    return Piece(digest=later.before, start=step.after_length, end=later.before_length, session=step.session_new)


def _refuse_gone(revision: str, pieces: Sequence[Piece], gone: AbstractSet[str]) -> None:
    met = next((each.digest for each in pieces if each.digest in gone), None)
    if met is not None:
        what = "it" if met == revision else f"the original {met[:16]}, which alone holds lines added since,"
        raise PurgedError(
            f"revision {revision[:16]} cannot be brought back: {what} was destroyed on purpose",
            hint="`slowwave hygiene log` says when and why.",
        )
