"""Audit: every line of the log and every original looked at; what is wrong is named, nothing is mended."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from slowwave.facts.refusal import DamageError
from slowwave.hygiene.blobs import Blobs, State
from slowwave.hygiene.entries import Entry, entry_of, kept, purged
from slowwave.hygiene.log import HEAD, LOG, Flaw, Log

_OURS = frozenset({LOG, HEAD, "blobs", "journal"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What was found.

    Attributes:
        entries: Whole lines of the log.
        originals: Whole originals that the log names.
        purged: Originals that were destroyed on purpose.
        flaws: Damage.
        notes: What is no damage and should be known: strangers' files, originals that no line names.
    """

    entries: int
    originals: int
    purged: int
    flaws: tuple[Flaw, ...]
    notes: tuple[Flaw, ...]


def audit(folder: Path, log: Log, blobs: Blobs) -> Audit:
    """Look at a whole folder of revisions; one original is read at a time.

    Raises:
        DiskError: The system refused.
        NewerFormatError: A newer slowwave wrote it.
    """
    entries: list[Entry] = []
    flaws: list[Flaw] = []
    for each in log.walk():
        if isinstance(each, Flaw):
            flaws.append(each)
            continue
        try:
            entries.append(entry_of(each).bare())
        except DamageError as error:
            flaws.append(Flaw(code="log_line", where=f"{LOG}:{each.sequence}", message=error.message))
    expected = kept(entries)
    notes = list(_strangers(folder, blobs, expected))
    if any(each.code == "blob_unnamed" for each in notes) and not log.has_head:
        flaws.append(Flaw(code="log_cut", where=LOG, message="originals are kept, and the log is missing"))
    missing = [flaw for digest in sorted(expected) for flaw in _of_blob(blobs, digest)]
    return Audit(
        entries=len(entries),
        originals=len(expected) - len(missing),
        purged=len(purged(entries)),
        flaws=(*flaws, *missing),
        notes=tuple(notes),
    )


def _of_blob(blobs: Blobs, digest: str) -> Iterator[Flaw]:
    state = blobs.state(digest)
    where = blobs.path(digest).relative_to(blobs.folder.parent).as_posix()
    if state is State.MISSING:
        yield Flaw(code="blob_missing", where=where, message="an original that the log names is missing")
    elif state is State.CHANGED:
        yield Flaw(code="blob_changed", where=where, message="it holds other bytes than its name says")


def _strangers(folder: Path, blobs: Blobs, expected: AbstractSet[str]) -> Iterator[Flaw]:
    """Files that are none of ours, and originals that no line names, as a line that was cut off leaves them."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.name not in _OURS:
            yield Flaw(code="foreign_file", where=path.name, message="it is none of the log's files")
    journal = folder / "journal"
    for path in sorted(journal.iterdir()) if journal.is_dir() else ():
        yield Flaw(code="foreign_file", where=f"journal/{path.name}", message="it is no step that was begun")
    for path, digest in blobs.listed():
        where = path.relative_to(folder).as_posix()
        if not digest:
            yield Flaw(code="foreign_file", where=where, message="it is no original")
        elif digest not in expected:
            yield Flaw(code="blob_unnamed", where=where, message="no line of the log names this original")
