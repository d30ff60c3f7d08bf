"""One pass over the sources: every file looked at, what is new of it read, and the numbers of it all."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from slowwave.records.families import Gathered, gather
from slowwave.records.formats import FORMATS
from slowwave.records.report import ScanReport, total
from slowwave.records.scan import Scanned, ScannedFile, is_unchanged, scan_file
from slowwave.records.secrets import Secrets
from slowwave.records.session import Session
from slowwave.records.sources import Exclusions, Skipped, Source, Walk, walk

Progress = Callable[[int, int], None]
"""Told after each file: bytes looked at so far, and bytes there are."""
_UNSUPPORTED = "unsupported:"


class Memory(Protocol):
    """What an earlier scan left."""

    def recall(self, path: Path) -> ScannedFile | None:
        """The facts of a file as last scanned, or None."""
        ...

    def keep(self, file: ScannedFile) -> None:
        """Remember a file's facts."""
        ...


@dataclass(slots=True)
class Pass:
    """One pass over the sources.

    Attributes:
        files: Every file that was read or known unchanged, transcripts or not.
        walked: What the walk met besides.
        new_bytes: Bytes read.
        excluded: Files not opened because a person excluded them.
        present: Transcript files found, by root.
    """

    files: list[ScannedFile] = field(default_factory=list)
    walked: Walk = field(default_factory=Walk)
    new_bytes: int = 0
    excluded: int = 0
    present: Counter[Path] = field(default_factory=Counter)


def scan_sources(
    sources: Sequence[Source],
    exclusions: Exclusions,
    secrets: Secrets,
    memory: Memory,
    *,
    progress: Progress | None = None,
) -> Pass:
    """Look at every file of the sources; read what the memory does not know as it is."""
    passed = Pass()
    found = list(_candidates(sources, exclusions, passed))
    whole = sum(status.st_size for _, _, status in found)
    looked_at = 0
    formats = tuple(FORMATS.values())
    for root, path, status in found:
        passed.present[root] += 1
        previous = memory.recall(path)
        if previous is not None and is_unchanged(previous, status):
            passed.files.append(previous)
        else:
            scanned = scan_file(root, path, formats=formats, secrets=secrets, previous=previous)
            _take(passed, memory, path, scanned)
        looked_at += status.st_size
        if progress:
            progress(looked_at, whole)
    return passed


def _candidates(
    sources: Sequence[Source], exclusions: Exclusions, passed: Pass
) -> Iterator[tuple[Path, Path, os.stat_result]]:
    seen: set[Path] = set()
    for source in sources:
        for path, status in walk(source.root, passed.walked):
            if path in seen:
                continue
            seen.add(path)
            if exclusions.has_path(path):
                passed.excluded += 1
            else:
                yield source.root, path, status


def _take(passed: Pass, memory: Memory, path: Path, scanned: Scanned) -> None:
    if scanned.file is None:
        passed.walked.skip(path, scanned.refused)
        return
    passed.files.append(scanned.file)
    passed.new_bytes += scanned.new_bytes
    memory.keep(scanned.file)


def offered(files: Sequence[ScannedFile], exclusions: Exclusions) -> tuple[tuple[Session, ...], Gathered, int]:
    """The sessions to offer, what gathering set aside, and how many sessions a person excluded."""
    gathered = gather(files)
    sessions = tuple(session for session in gathered.sessions if not exclusions.has_session(session))
    return sessions, gathered, len(gathered.sessions) - len(sessions)


def make_report(
    passed: Pass,
    gathered: Gathered,
    sessions: Sequence[Session],
    *,
    excluded: int,
    gone: int = 0,
    emptied: tuple[Path, ...] = (),
) -> ScanReport:
    """The numbers of a pass."""
    totals = total(file for file in passed.files if file.agent)
    set_aside = [file for file in passed.files if not file.agent]
    return ScanReport(
        files=totals.files,
        sessions=len(sessions),
        new_bytes=passed.new_bytes,
        records=totals.records,
        copies=totals.copies,
        entries=totals.entries,
        formats=totals.formats,
        losses=totals.losses,
        loss_list=totals.loss_list,
        skipped=(*passed.walked.skipped, *(Skipped(path=file.path, reason=file.reason) for file in set_aside)),
        unsupported=_unsupported(passed.walked.unsupported, set_aside),
        superseded=len(gathered.superseded),
        renamed=gathered.renamed,
        own=gathered.own,
        excluded=passed.excluded + excluded,
        gone=gone,
        emptied=emptied,
    )


def _unsupported(by_name: Mapping[str, int], files: Sequence[ScannedFile]) -> Mapping[str, int]:
    found = Counter(by_name)
    found.update(file.reason.removeprefix(_UNSUPPORTED) for file in files if file.reason.startswith(_UNSUPPORTED))
    return dict(sorted(found.items()))
