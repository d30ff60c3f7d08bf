"""``init``: the settings written, the home made, and what will be read and what will not shown with numbers."""

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from slowwave.corpus.slugs import slug
from slowwave.disk.config import Exclude, SourceSettings, config_path, write_config
from slowwave.facts.refusal import UsageError
from slowwave.records.session import Session
from slowwave.records.sources import Exclusions, Source, Walk, walk
from slowwave.sleep.person import new_token
from slowwave.wiring.premises import Premises
from slowwave.wiring.transcripts import find_sessions


def initialise(
    house: Premises,
    *,
    transcripts: Sequence[Path] = (),
    exclude: Exclude | None = None,
    include: Exclude | None = None,
) -> dict[str, Any]:
    """Write the settings, begin the corpus, show what will be read; what was set before stays.

    Args:
        house: The home.
        transcripts: Folders to read; none keeps what was set.
        exclude: What is not to be read from now on, besides what was excluded before.
        include: Exclusions that are taken back.

    Raises:
        UsageError: A folder does not exist, or what is taken back was not excluded.
    """
    for folder in transcripts:
        if not folder.expanduser().is_dir():
            raise UsageError(f"{folder} is not a folder", hint="give the folder that holds the sessions")
    before = house.config.sources
    sources = SourceSettings(
        transcripts=tuple(str(folder.expanduser().absolute()) for folder in transcripts) or before.transcripts,
        exclude=_excluded(before.exclude, exclude or Exclude(), include or Exclude()),
    )
    merged = house.config.model_copy(update={"sources": sources})
    write_config(house.home.root, merged)
    house.config = merged
    house.begin_corpus()
    return _described(house) | {"personToken": new_token(house.state) or ""}


def _described(house: Premises) -> dict[str, Any]:
    exclude, sources = house.config.sources.exclude, house.sources()
    everything = find_sessions(house.home.index_db, sources, Exclusions(paths=exclude.paths)).sessions
    found = house.find().sessions
    roots = [
        {
            "agent": source.agent or "any",
            "root": str(source.root),
            "sessions": sum(s.root == source.root for s in found),
            "bytes": sum(s.bytes for s in found if s.root == source.root),
        }
        for source in sources
    ]
    projects = Counter(session.project for session in found).most_common()
    return {
        "home": str(house.home.root),
        "config": str(config_path(house.home.root)),
        "roots": roots,
        "projects": [{"project": name, "sessions": number} for name, number in sorted(projects, key=_most_first)],
        "exclude": exclude.model_dump(mode="json"),
        "excluded": [*_left_out(exclude, everything), *_unopened(exclude, sources)],
    }


def _most_first(row: tuple[str, int]) -> tuple[int, str]:
    return -row[1], row[0]


def _left_out(exclude: Exclude, sessions: Sequence[Session]) -> Iterable[dict[str, Any]]:
    """How many sessions each project and id leaves out."""
    for name in exclude.projects:
        one = Exclusions(projects=frozenset((name, slug(name))))
        yield {"by": "project", "value": name, "sessions": sum(one.has_session(s) for s in sessions)}
    for name in exclude.sessions:
        yield {"by": "session", "value": name, "sessions": sum(s.id == name for s in sessions)}


def _unopened(exclude: Exclude, sources: Sequence[Source]) -> Iterable[dict[str, Any]]:
    """How many files each pattern leaves out; they are counted by name, since they are never opened."""
    paths = dict.fromkeys(path for source in sources for path, _ in walk(source.root, Walk())) if exclude.paths else {}
    for pattern in exclude.paths:
        one = Exclusions(paths=(pattern,))
        yield {"by": "path", "value": pattern, "files": sum(one.has_path(path) for path in paths)}


def _excluded(before: Exclude, more: Exclude, back: Exclude) -> Exclude:
    return Exclude(
        projects=_changed(before.projects, more.projects, back.projects, is_pattern=False),
        paths=_changed(before.paths, more.paths, back.paths, is_pattern=True),
        sessions=_changed(before.sessions, more.sessions, back.sessions, is_pattern=False),
    )


def _changed(before: Sequence[str], more: Sequence[str], back: Sequence[str], *, is_pattern: bool) -> tuple[str, ...]:
    kept = dict.fromkeys([*before, *(_whole(name, is_pattern=is_pattern) for name in more)])
    for name in back:
        found = next((n for n in (name, _whole(name, is_pattern=is_pattern)) if n in kept), None)
        if found is None:
            raise UsageError(f"{name} is not excluded", hint=f"excluded are: {', '.join(kept) or 'none'}")
        del kept[found]
    return tuple(kept)


def _whole(name: str, *, is_pattern: bool) -> str:
    """A relative path or pattern as the person means it: from the folder they stand in.

    A pattern that begins with ``*`` means every folder, and a project's name without a slash is no path.
    """
    is_path = not name.startswith("*") if is_pattern else "/" in name or name in (".", "..", "~")
    return os.path.normpath(Path(name).expanduser().absolute()) if is_path else name
