"""Finding sessions through the index, with how many each source holds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from slowwave.records.session import Session
from slowwave.records.sessions import ScanReport, SessionIndex
from slowwave.records.sources import Exclusions, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Sessions, how many each source's folder holds, and what was lost in reading."""

    sessions: tuple[Session, ...]
    roots: Mapping[str, int]
    report: ScanReport


def find_sessions(
    index_db: Path,
    sources: Sequence[Source],
    exclusions: Exclusions,
    *,
    progress: Callable[[float, float], None] | None = None,
) -> Found:
    """Bring the index up to date and list what it holds."""
    index = SessionIndex(index_db)
    try:
        report = index.refresh(sources, exclusions, progress=progress)
        sessions = index.sessions()
    finally:
        index.close()
    roots = {str(source.root): sum(s.root == source.root for s in sessions) for source in sources}
    return Found(sessions=sessions, roots=roots, report=report)
