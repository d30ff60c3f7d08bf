"""A memory and a task as values; how they look in a file is ``corpus/format``'s business."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum


class Kind(StrEnum):
    """What sort of memory it is."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    AGENT_INSIGHT = "agent_insight"
    ERROR_PATTERN = "error_pattern"
    PRECEDENT = "precedent"
    USER_PREFERENCE = "user_preference"
    VERDICT = "verdict"
    ARC = "arc"
    TASK = "task"


CONSOLIDATED_KINDS = (
    Kind.EPISODIC,
    Kind.SEMANTIC,
    Kind.PROCEDURAL,
    Kind.AGENT_INSIGHT,
    Kind.ERROR_PATTERN,
    Kind.PRECEDENT,
)
"""The six kinds that may be consolidated from transcripts (spec 02)."""


class Status(StrEnum):
    """Where a memory stands in its life."""

    ACTIVE = "active"
    ARCHIVED = "archived"
    SUPERSEDED = "superseded"


class TaskStatus(StrEnum):
    """Where a task stands; a proposed one waits for a person."""

    PROPOSED = "proposed"
    OPEN = "open"
    DONE = "done"
    DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True, order=True)
class Entity:
    """A thing a memory is about; the whole reference ``type:name`` is what look-ups use."""

    type: str
    name: str

    def __str__(self) -> str:
        return f"{self.type}:{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFields:
    """What only a task carries; ``source_key`` recognises the promise it came from across nights."""

    task_status: TaskStatus
    due: date | None = None
    actor: str = ""
    source_key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One memory.

    Attributes:
        kind: What sort it is.
        claim: One sentence that stands alone, 1 to 300 characters.
        body: The gist, Markdown, up to 1,500 characters; may be empty.
        created: When it was first written, UTC.
        updated: When its content last changed, UTC.
        status: Where it stands in its life.
        confidence: 0 to 1.
        importance: 1 to 10.
        author: Who wrote it: ``sleep``, ``human``, an importer's name.
        engine: What proposed it: ``mined``, a model's profile, empty for a person.
        project: Slug of the project it belongs to; empty for none. Kept in the path, not in the file.
        sessions: Sessions it was seen in, oldest first.
        entities: What it is about.
        tags: Free words.
        event_at: When what it tells of happened.
        valid_from: First day it holds.
        valid_until: Last day it holds.
        supersedes: Paths of memories this one replaces.
        superseded_by: Path of the one that replaced it.
        last_seen: Last time it was observed.
        seen_count: How many times it was observed.
        task: Present exactly when the kind is task.
        extra: Front-matter lines that slowwave does not know, kept as they were written.
    """

    kind: Kind
    claim: str
    body: str
    created: datetime
    updated: datetime
    status: Status = Status.ACTIVE
    confidence: float = 0.5
    importance: int = 5
    author: str = "sleep"
    engine: str = ""
    project: str = ""
    sessions: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()
    tags: tuple[str, ...] = ()
    event_at: date | None = None
    valid_from: date | None = None
    valid_until: date | None = None
    supersedes: tuple[str, ...] = ()
    superseded_by: str = ""
    last_seen: datetime | None = None
    seen_count: int = 1
    task: TaskFields | None = None
    extra: tuple[tuple[str, str], ...] = ()
