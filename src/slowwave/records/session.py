"""A session and its files as values: what the index keeps and every other room asks for."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from slowwave.facts.ids import SessionId


@dataclass(frozen=True, slots=True, kw_only=True)
class FileIdentity:
    """What tells one version of a file from another.

    Attributes:
        device: Device number of the file system.
        inode: Number of the file in it.
        size: Bytes, when the file was last looked at.
        mtime_ns: Time of the last change, nanoseconds since 1970.
        prefix_digest: Hex digest over the file's first bytes: an append keeps it, a rewrite does not.
    """

    device: int
    inode: int
    size: int
    mtime_ns: int
    prefix_digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFile:
    """One file of a session and how far it was read: ``bytes_read`` ends behind the last whole line."""

    path: Path
    identity: FileIdentity
    bytes_read: int
    lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One conversation with an agent, found on disk.

    Attributes:
        id: The session's id, held to the grammar of ``facts.ids``.
        agent: Name of the format that reads it, such as ``claude-code`` or ``codex``.
        path: The main file.
        side_files: Files of its sub-agents, in order of name.
        root: The folder it was found under; no file outside it is opened.
        project: Slug of the last folder of ``cwd``; empty where unknown.
        cwd: Where the agent worked, as the record says it.
        branch: Git branch, where the record says it.
        started: First moment in the record, UTC.
        ended: Last moment in the record, UTC.
        prompts: Texts that a person typed.
        turns: Texts that the agent said.
        bytes: Bytes read over all files.
        lines: Lines over all files.
        title: One line to recognise it by.
        parent: The session this one continues or belongs to.
        relation: How it relates to ``parent``: ``fork``, ``prefix``, ``resume``, ``subagent``; empty for none.
        files: Every file with its identity, main file first, then side files in order of name.
    """

    id: SessionId
    agent: str
    path: Path
    side_files: tuple[Path, ...] = ()
    root: Path
    project: str = ""
    cwd: str = ""
    branch: str = ""
    started: datetime | None = None
    ended: datetime | None = None
    prompts: int = 0
    turns: int = 0
    bytes: int = 0
    lines: int = 0
    title: str = ""
    parent: SessionId | None = None
    relation: str = ""
    files: tuple[SessionFile, ...] = ()
