"""Finding sessions through the index, with how many each source holds."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from slowwave.corpus.slugs import slug
from slowwave.disk.config import Config
from slowwave.records.session import Session
from slowwave.records.sessions import ScanReport, SessionIndex
from slowwave.records.sources import Exclusions, Source, default_sources


def sources_of(config: Config, environment: Mapping[str, str]) -> tuple[Source, ...]:
    """Where transcripts are read: as configured, else where agents write by default."""
    named = config.sources.transcripts
    if named:
        return tuple(Source(root=Path(folder).expanduser().absolute()) for folder in named)
    return default_sources(environment, Path(environment.get("HOME") or Path.home()))


def exclusions_of(config: Config) -> Exclusions:
    """What is never read. A project may be named as its folder is called: the slug of that name is excluded too."""
    exclude = config.sources.exclude
    named = [name for project in exclude.projects for name in (project, slug(project))]
    return Exclusions(projects=frozenset(named), paths=exclude.paths, sessions=frozenset(exclude.sessions))


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Sessions, how many each source's folder holds, and what was lost in reading."""

    sessions: tuple[Session, ...]
    roots: Mapping[str, int]
    report: ScanReport

    def left_out(self) -> Mapping[str, int]:
        """Paths that were not read, by reason: links, missing rights, agents that are not read yet, exclusions."""
        counts = Counter(skipped.reason for skipped in self.report.skipped)
        counts["unsupported"] += sum(self.report.unsupported.values())
        counts["excluded"] += self.report.excluded
        return {reason: count for reason, count in counts.items() if count}


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
