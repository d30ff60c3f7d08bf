"""Where transcripts lie: the folders agents write to by default, what a person excluded, and the walk over both.

A walk follows no link, stops at a depth and at a number of files, and goes on where a folder may not be read; what it
left out is told.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from slowwave.facts.limits import MOST_FILES, MOST_FOLDER_DEPTH
from slowwave.records.session import Session

_CHUNK = re.compile(r"(.+\.jsonl)\.([0-9]{3})")
_OTHERS = {".aider.chat.history.md": "aider"}
"""Files of agents that are recognised by name alone and not read yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A folder that holds sessions; ``agent`` is whose it is by default, empty for a folder somebody named."""

    agent: str = ""
    root: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Exclusions:
    """What a person does not want read.

    Attributes:
        projects: Names of projects, each a slug, the last folder an agent worked in, or the folder its transcripts lie
            in; or absolute folders, each with all below it.
        paths: Glob patterns over a file's whole path, or folders with all below them; ``*`` spans folders, and a
            relative pattern holds below any folder.
        sessions: Ids of sessions.
    """

    projects: frozenset[str] = frozenset()
    paths: tuple[str, ...] = ()
    sessions: frozenset[str] = frozenset()

    def has_path(self, path: Path) -> bool:
        """Whether a file is not to be opened at all, by its path as given or with links followed."""
        if not self.paths:
            return False
        names = (os.fspath(path.absolute()), os.path.realpath(path))
        return any(_matches(name, pattern) for name in names for pattern in self.paths)

    def has_session(self, session: Session) -> bool:
        """Whether a session is not to be offered, by its id, its project, its folder or its file."""
        if session.id in self.sessions or self.has_path(session.path) or self.projects & _names(session):
            return True
        return any(_is_below(session.cwd, project) for project in self.projects)


def _matches(name: str, pattern: str) -> bool:
    whole = pattern if pattern.startswith("*") or Path(pattern).is_absolute() else f"*/{pattern}"
    return fnmatchcase(name, whole) or fnmatchcase(name, f"{whole.rstrip('/')}/*")


def _names(session: Session) -> frozenset[str]:
    """All that a person may call the project of a session; a dated folder, as Codex makes them, names none."""
    lies_in = session.path.parent.name
    names = (session.project, session.cwd.rstrip("/").rpartition("/")[2], "" if lies_in.isdigit() else lies_in)
    return frozenset(name for name in names if name)


def _is_below(cwd: str, folder: str) -> bool:
    return folder.startswith("/") and (cwd == folder.rstrip("/") or cwd.startswith(folder.rstrip("/") + "/"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A path that was not looked into, and why: ``link``, ``permission``, ``depth``, ``files``, ``missing`` ..."""

    path: Path
    reason: str


@dataclass(slots=True)
class Walk:
    """What a walk met besides transcripts."""

    skipped: list[Skipped] = field(default_factory=list)
    links: int = 0
    unsupported: dict[str, int] = field(default_factory=dict)
    files: int = 0

    def skip(self, path: Path, reason: str) -> None:
        """Note a path that was left out."""
        self.skipped.append(Skipped(path=path, reason=reason))


def default_sources(environment: Mapping[str, str], home_folder: Path) -> tuple[Source, ...]:
    """The folders where Claude Code and Codex write, as their own variables move them; existing or not."""
    claude = environment.get("CLAUDE_CONFIG_DIR")
    codex = environment.get("CODEX_HOME")
    return (
        Source(agent="claude-code", root=(Path(claude) if claude else home_folder / ".claude") / "projects"),
        Source(agent="codex", root=(Path(codex) if codex else home_folder / ".codex") / "sessions"),
    )


def is_transcript_name(name: str) -> bool:
    """Whether a file is looked into: ``*.jsonl`` and its numbered continuations."""
    return name.endswith(".jsonl") or _CHUNK.fullmatch(name) is not None


def chunk_of(path: Path) -> Path | None:
    """The file that a numbered chunk continues (``full.jsonl.001`` continues ``full.jsonl``), or None."""
    found = _CHUNK.fullmatch(path.name)
    return path.with_name(found.group(1)) if found else None


def walk(root: Path, walked: Walk) -> Iterator[tuple[Path, os.stat_result]]:
    """Every file below a root that may be a transcript, in order of path, with its status."""
    if not root.is_dir():
        walked.skip(root, "missing")
        return
    folders: list[tuple[Path, int]] = [(root, 0)]
    while folders:
        folder, depth = folders.pop()
        inner: list[tuple[Path, int]] = []
        for item in _listing(folder, walked):
            path = folder / item.name
            if item.is_symlink():
                walked.links += 1
                walked.skip(path, "link")
            elif item.is_dir(follow_symlinks=False):
                inner.append((path, depth + 1))
            elif walked.files >= MOST_FILES:
                walked.skip(path, "files")
                return
            elif (status := _status(item, path, walked)) is not None:
                walked.files += 1
                yield path, status
        folders.extend(_within_depth(inner, walked))


def _listing(folder: Path, walked: Walk) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as items:
            return sorted(items, key=lambda item: item.name)
    except OSError as error:
        walked.skip(folder, "permission" if isinstance(error, PermissionError) else "unreadable")
        return []


def _status(item: "os.DirEntry[str]", path: Path, walked: Walk) -> os.stat_result | None:
    if item.name in _OTHERS:
        walked.unsupported[_OTHERS[item.name]] = walked.unsupported.get(_OTHERS[item.name], 0) + 1
        return None
    if not is_transcript_name(item.name):
        return None
    if not item.is_file(follow_symlinks=False):
        walked.skip(path, "not_regular")
        return None
    try:
        return item.stat(follow_symlinks=False)
    except OSError:
        walked.skip(path, "gone")
        return None


def _within_depth(folders: list[tuple[Path, int]], walked: Walk) -> Iterator[tuple[Path, int]]:
    for path, depth in reversed(folders):
        if depth <= MOST_FOLDER_DEPTH:
            yield path, depth
        else:
            walked.skip(path, "depth")
