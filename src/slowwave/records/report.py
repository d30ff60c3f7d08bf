"""What a scan found, lost and left out: every number that ``transcripts doctor`` and a night's report show."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from slowwave.facts.evidence import Speaker
from slowwave.facts.limits import MOST_LISTED_LOSSES
from slowwave.records.entries import EntryKind
from slowwave.records.scan import ScannedFile
from slowwave.records.sources import Skipped


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLoss:
    """Bytes of a file that could not be read: why, where, how many."""

    path: Path
    reason: str
    line: int
    offset: int
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanReport:
    """A scan in numbers.

    Attributes:
        files: Files that are transcripts we read.
        sessions: Sessions offered.
        new_bytes: Bytes read in this scan.
        records: Records in all files.
        copies: Entries that repeat an earlier one of their file; they are in no other count.
        entries: Entries by speaker and kind.
        formats: Files by format.
        losses: Losses by reason, exact.
        loss_list: The first of them, with file and offset.
        skipped: Paths that were not read, with the reason: ``link``, ``permission``, ``empty``, ``not_transcript`` ...
        unsupported: Files of agents that are recognised and not read yet, by agent.
        superseded: Files that are older snapshots of a longer one.
        renamed: Sessions whose id was not safe; they are offered under a derived one.
        own: Sessions of slowwave's own consolidators, not offered.
        excluded: Files and sessions that a person excluded.
        gone: Files that an earlier scan saw and this one did not.
        emptied: Roots that held transcripts at an earlier scan and hold none now.
    """

    files: int = 0
    sessions: int = 0
    new_bytes: int = 0
    records: int = 0
    copies: int = 0
    entries: Mapping[tuple[Speaker, EntryKind], int] = field(default_factory=dict)
    formats: Mapping[str, int] = field(default_factory=dict)
    losses: Mapping[str, int] = field(default_factory=dict)
    loss_list: tuple[FileLoss, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    unsupported: Mapping[str, int] = field(default_factory=dict)
    superseded: int = 0
    renamed: int = 0
    own: int = 0
    excluded: int = 0
    gone: int = 0
    emptied: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Totals:
    """What all files' tallies come to."""

    files: int
    records: int
    copies: int
    entries: Mapping[tuple[Speaker, EntryKind], int]
    formats: Mapping[str, int]
    losses: Mapping[str, int]
    loss_list: tuple[FileLoss, ...]


def total(files: Iterable[ScannedFile]) -> Totals:
    """Add up the tallies of transcripts."""
    formats: Counter[str] = Counter()
    entries: Counter[str] = Counter()
    losses: Counter[str] = Counter()
    listed: list[FileLoss] = []
    records = copies = 0
    for file in files:
        tally = file.tally
        formats[file.agent] += 1
        records += tally.records
        copies += tally.copies
        entries.update(tally.entries)
        losses.update(tally.losses)
        for reason, line, offset, length in tally.lost[: MOST_LISTED_LOSSES - len(listed)]:
            listed.append(FileLoss(path=file.path, reason=reason, line=line, offset=offset, length=length))
    return Totals(
        files=sum(formats.values()),
        records=records,
        copies=copies,
        entries={_named(name): number for name, number in sorted(entries.items())},
        formats=dict(sorted(formats.items())),
        losses=dict(sorted(losses.items())),
        loss_list=tuple(listed),
    )


def _named(name: str) -> tuple[Speaker, EntryKind]:
    speaker, _, kind = name.partition("/")
    return Speaker(speaker), EntryKind(kind)
