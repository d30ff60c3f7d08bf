"""The bounded tools over transcripts, for people and scripts: list, search, lines, doctor."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from slowwave.corpus.slugs import slug
from slowwave.disk.config import read_config
from slowwave.disk.home import Home
from slowwave.facts.refusal import UsageError
from slowwave.records.marks import Marks
from slowwave.records.read import list_sessions, read_lines_of, search_transcript
from slowwave.records.secrets import Secrets
from slowwave.records.session import Session
from slowwave.records.sessions import SessionIndex, examine, scan_folder
from slowwave.records.sources import Exclusions, Source
from slowwave.wiring.transcripts import exclusions_of, sources_of


class Library:
    """Transcripts under some sources; a named folder needs no home.

    Args:
        sources: Where transcripts lie.
        exclusions: What is never shown.
        index: The index of a home; None to read the folders afresh.
    """

    def __init__(self, sources: Sequence[Source], exclusions: Exclusions, index: SessionIndex | None) -> None:
        self._sources = sources
        self._exclusions = exclusions
        self._secrets = Secrets()
        self._index = index
        if index is not None:
            index.refresh(sources, exclusions)
            found = index.sessions()
        else:
            folders = [source.root for source in sources if source.root.is_dir()]
            found = tuple(s for folder in folders for s in scan_folder(folder, exclusions=exclusions)[0])
        self._sessions = {session.id: session for session in found}

    def list_sessions(self, *, project: str | None = None) -> list[dict[str, Any]]:
        """Every session, or those of a project by any of its names, newest first; no text from inside any."""
        wanted = Exclusions(projects=frozenset((project, slug(project)))) if project else None
        found = [session for session in self._sessions.values() if wanted is None or wanted.has_session(session)]
        return list_sessions(sorted(found, key=_newest_first))

    def search(self, session: str, phrase: str, *, max_hits: int, context: int, ignore_case: bool) -> dict[str, Any]:
        """Places of a literal phrase in one session, secrets masked, the total exact.

        Raises:
            UsageError: No session has that id, or a bound is passed.
        """
        found = search_transcript(
            self._one(session),
            phrase,
            secrets=self._secrets,
            max_hits=max_hits,
            context=context,
            ignore_case=ignore_case,
            marks=self._marks,
        )
        return {
            "sessionId": found.session_id,
            "phrase": found.phrase,
            "total": found.total,
            "truncated": found.is_cut,
            "hits": [
                {
                    "file": hit.file,
                    "line": hit.line,
                    "column": hit.column,
                    "speaker": hit.speaker,
                    "before": hit.before,
                    "match": hit.text,
                    "after": hit.after,
                }
                for hit in found.hits
            ],
        }

    def lines(self, session: str, start: int, end: int, *, width: int, column: int) -> dict[str, Any]:
        """Lines of one session's main file as decoded text with their speakers.

        Raises:
            UsageError: No session has that id, or a bound is passed.
        """
        one = self._one(session)
        found = read_lines_of(one, start, end, secrets=self._secrets, width=width, column=column, marks=self._marks)
        return {
            "sessionId": found.session_id,
            "total": found.total,
            "nextLine": found.next_line,
            "lines": [
                {
                    "line": line.line,
                    "speaker": line.speaker,
                    "text": line.text,
                    "length": line.length,
                    "truncated": line.is_cut,
                }
                for line in found.lines
            ],
        }

    def examine(self) -> dict[str, Any]:
        """Everything read afresh: files, formats, entries by speaker and kind, losses with file and offset."""
        report = examine(self._sources, exclusions=self._exclusions, secrets=self._secrets)
        return {
            "files": report.files,
            "sessions": report.sessions,
            "records": report.records,
            "copies": report.copies,
            "formats": dict(report.formats),
            "entries": [
                {"speaker": speaker, "kind": kind, "count": count} for (speaker, kind), count in report.entries.items()
            ],
            "lossesByReason": dict(report.losses),
            "losses": [
                {
                    "file": str(loss.path),
                    "reason": loss.reason,
                    "line": loss.line,
                    "offset": loss.offset,
                    "length": loss.length,
                }
                for loss in report.loss_list
            ],
            "skipped": [{"file": str(skip.path), "reason": skip.reason} for skip in report.skipped],
            "unsupported": dict(report.unsupported),
            "excluded": report.excluded,
        }

    def _one(self, session: str) -> Session:
        exact = [one for name, one in self._sessions.items() if name == session]
        matches = exact or [one for name, one in self._sessions.items() if session and name.startswith(session)]
        if len(matches) == 1:
            return matches[0]
        problem = "is ambiguous" if matches else "does not exist"
        raise UsageError(f"session {session} {problem}", hint="`slowwave transcripts list` shows ids")

    def _marks(self, path: Path) -> Marks:
        return self._index.marks(path) if self._index is not None else Marks()


def open_library(roots: Sequence[Path], *, home: Path, environment: Mapping[str, str]) -> Library:
    """The library over named folders, or over the sources of a home; a home that is not there is not made.

    Raises:
        UsageError: A named folder does not exist.
        NewerFormatError: A newer slowwave wrote the home.
        ConfigError: The home's settings cannot be used.
    """
    for root in roots:
        if not root.is_dir():
            raise UsageError(f"{root} is not a folder", hint="give the folder that holds the sessions")
    place = Home(home)
    is_there = place.check_format()
    config = read_config(home)
    exclusions = exclusions_of(config)
    if roots:
        return Library([Source(root=root.absolute()) for root in roots], exclusions, None)
    return Library(sources_of(config, environment), exclusions, SessionIndex(place.index_db) if is_there else None)


def _newest_first(session: Session) -> tuple[bool, float, str]:
    return (session.ended is None, -session.ended.timestamp() if session.ended else 0.0, session.id)
