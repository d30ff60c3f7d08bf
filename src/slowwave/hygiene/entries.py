"""Entries: what the log says of each change, and to which of them the content of a file belongs.

A revision is the SHA-256 of a file's bytes. A file belongs to an entry when it begins with what that entry wrote, for
an agent only adds lines; where it lies says nothing. Each entry names the one that its own source came of, so that
the history of a file is a walk from entry to entry.
"""

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar

from slowwave.facts.refusal import DamageError, SlowwaveError
from slowwave.hygiene.log import Link
from slowwave.hygiene.placing import Written

LEAST_DIGITS = 8  # of a revision that somebody names: fewer are met by chance in a log of some thousands


class Cause(StrEnum):
    """Why a line stands in the log."""

    APPLY = "apply"
    RESTORE = "restore"
    UNDO = "undo"
    UNPRUNE = "unprune"
    ABANDONED = "abandoned"  # a change that was logged and whose file never came to be
    PURGE = "purge"  # an original that was destroyed


_CHANGES = frozenset({Cause.APPLY, Cause.RESTORE, Cause.UNDO, Cause.UNPRUNE})


class UnknownRevisionError(SlowwaveError):
    """No revision of that name is known, or none of that file."""

    code = "unknown_revision"
    exit_status: ClassVar[int] = 3


class AmbiguousRevisionError(SlowwaveError):
    """The digits are too few to say which revision is meant."""

    code = "ambiguous_revision"
    exit_status: ClassVar[int] = 2


class PurgedError(SlowwaveError):
    """The original was destroyed on purpose."""

    code = "PURGED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of the log.

    Attributes:
        sequence: Its place in the log, from 1; 0 before it was written.
        hash: Of the whole line.
        at: When, UTC.
        cause: Why.
        actor: Who wanted it.
        source: Path of the file that was read.
        target: Path of the file that was written.
        is_in_place: They are one.
        before: The revision that was read, all of it, and kept as an original; for a purge the one that was destroyed.
        before_length: Its bytes.
        after: The revision that was written.
        after_length: Its bytes.
        follows: The entry that wrote what the source began with; 0 for none.
        generation: How many changes lie behind the new revision, this one included.
        session_old: Session id that the source carried; may be empty.
        session_new: Session id that the target carries.
        profile: Digest of the profile that decided.
        tokens_before: Of the window, where they were counted.
        tokens_after: The same behind the change.
        operations: What was done, with reasons and the digests of items before and after.
        rejected: What was refused, with codes.
        flagged: Indices of records that memories cite and that were touched all the same.
        closes: For an abandoned change, its entry.
        why: A reason in somebody's own words.
    """

    sequence: int = 0
    hash: str = ""
    at: str
    cause: Cause
    actor: str
    source: str = ""
    target: str = ""
    is_in_place: bool = False
    before: str = ""
    before_length: int = 0
    after: str = ""
    after_length: int = 0
    follows: int = 0
    generation: int = 0
    session_old: str = ""
    session_new: str = ""
    profile: str = ""
    tokens_before: int | None = None
    tokens_after: int | None = None
    operations: Sequence[Mapping[str, Any]] = ()
    rejected: Sequence[Mapping[str, Any]] = ()
    flagged: Sequence[int] = ()
    closes: int = 0
    why: str = ""

    @property
    def is_change(self) -> bool:
        """Whether it says that a file was written."""
        return self.cause in _CHANGES

    @property
    def old(self) -> Written:
        """What was read."""
        return Written(digest=self.before, length=self.before_length)

    @property
    def new(self) -> Written:
        """What was written."""
        return Written(digest=self.after, length=self.after_length)

    def body(self) -> dict[str, Any]:
        """What is written of it; where it stands is the log's own."""
        said = {each.name: getattr(self, each.name) for each in dataclasses.fields(self)}
        return {name: value for name, value in said.items() if name not in ("sequence", "hash")}

    def bare(self) -> "Entry":
        """Itself without its lists, so that many can be held at once."""
        return dataclasses.replace(self, operations=(), rejected=(), flagged=())


def entry_of(link: Link) -> Entry:
    """The entry on a line.

    Raises:
        DamageError: The line is whole and says something else.
    """
    try:
        return Entry(sequence=link.sequence, hash=link.hash, **{**link.body, "cause": Cause(link.body["cause"])})
    except (KeyError, TypeError, ValueError) as error:
        raise DamageError(f"line {link.sequence} of the log is no entry", hint="Was it written by slowwave?") from error


def belonging(entries: Iterable[Entry], digests: Mapping[int, str], path: Path) -> Entry | None:
    """The entry that wrote what a file begins with: the most of it, at its own path first, then the latest.

    Args:
        entries: All of the log.
        digests: Of the file's first so many bytes, for each length that an entry wrote.
        path: Where the file lies; a hint between entries that wrote the very same bytes, and nothing more.
    """
    written = [each for each in entries if each.after_length and digests.get(each.after_length) == each.after]
    return max(written, key=lambda e: (e.after_length, e.target == str(path), e.sequence), default=None)


def lineage(entries: Iterable[Entry], latest: Entry | None) -> tuple[Entry, ...]:
    """An entry with all that it came of, the latest first."""
    by_place = {each.sequence: each for each in entries}
    found: list[Entry] = []
    while latest is not None and (not found or latest.sequence < found[-1].sequence):
        found.append(latest)
        latest = by_place.get(latest.follows)
    return tuple(found)


def resolve(entries: Iterable[Entry], text: str) -> str:
    """The one revision in the log whose id begins with these digits.

    Raises:
        AmbiguousRevisionError: Too few digits, or several revisions.
        UnknownRevisionError: None.
    """
    wanted = text.strip().lower()
    if len(wanted) < LEAST_DIGITS or set(wanted) - set("0123456789abcdef"):
        raise AmbiguousRevisionError(
            f"{text!r} names no revision: it takes {LEAST_DIGITS} hex digits or more",
            hint="`slowwave hygiene log` shows the revisions.",
        )
    known = {each for entry in entries for each in (entry.before, entry.after) if each.startswith(wanted)}
    if len(known) > 1:
        raise AmbiguousRevisionError(f"{len(known)} revisions begin with {text}", hint="Give more digits.")
    if not known:
        raise UnknownRevisionError(f"no revision {text} is known", hint="`slowwave hygiene log` shows the revisions.")
    return known.pop()


def purged(entries: Iterable[Entry]) -> frozenset[str]:
    """Revisions whose originals were destroyed and not stored again since."""
    gone: set[str] = set()
    for each in entries:
        if each.cause is Cause.PURGE:
            gone.add(each.before)
        elif each.is_change:
            gone.discard(each.before)
    return frozenset(gone)


def kept(entries: Sequence[Entry]) -> frozenset[str]:
    """Revisions whose originals must be there."""
    return frozenset(each.before for each in entries if each.is_change) - purged(entries)
