"""Finding sessions: with an index that remembers the last scan, or of a folder somebody points at, without one."""

from collections.abc import Sequence
from pathlib import Path

from slowwave.records.finding import make_report, offered, scan_sources
from slowwave.records.index import SessionIndex
from slowwave.records.report import FileLoss, ScanReport
from slowwave.records.scan import ScannedFile
from slowwave.records.secrets import Secrets
from slowwave.records.session import FileIdentity, Session, SessionFile
from slowwave.records.sources import Exclusions, Source

__all__ = [
    "FileIdentity",
    "FileLoss",
    "ScanReport",
    "Session",
    "SessionFile",
    "SessionIndex",
    "examine",
    "scan_folder",
]


def scan_folder(
    folder: Path, *, exclusions: Exclusions | None = None, secrets: Secrets | None = None
) -> tuple[tuple[Session, ...], ScanReport]:
    """The sessions below a folder and a report, without an index: for one batch somebody points at."""
    exclusions = exclusions or Exclusions()
    passed = scan_sources([Source(root=folder)], exclusions, secrets or Secrets(), _NoMemory())
    sessions, gathered, excluded = offered(passed.files, exclusions)
    return sessions, make_report(passed, gathered, sessions, excluded=excluded)


def examine(
    sources: Sequence[Source], *, exclusions: Exclusions | None = None, secrets: Secrets | None = None
) -> ScanReport:
    """A report over sources, everything read afresh: for ``transcripts doctor``."""
    exclusions = exclusions or Exclusions()
    passed = scan_sources(sources, exclusions, secrets or Secrets(), _NoMemory())
    sessions, gathered, excluded = offered(passed.files, exclusions)
    return make_report(passed, gathered, sessions, excluded=excluded)


class _NoMemory:
    def recall(self, path: Path) -> ScannedFile | None:
        del path
        return None

    def keep(self, file: ScannedFile) -> None:
        del file
