"""A memory as a file, and back: front matter in a fixed order, ``# claim``, the gist.

``docs/format.md`` is the standard that this file keeps. ``render`` writes a new file; ``amend`` changes an existing
one only where the memory changed, so that a person's own order, comments and keys survive.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from slowwave.corpus.fault import FormatError
from slowwave.corpus.fields import LONG_AGO, Values
from slowwave.corpus.hashing import content_hash
from slowwave.corpus.matter import PLAIN_KEYS, Page, edit_keys, take_apart
from slowwave.corpus.paths import project_of
from slowwave.corpus.scalars import Value, field_line
from slowwave.facts.ids import MemoryPath
from slowwave.facts.memory import Kind, Memory, Status, TaskFields, TaskStatus
from slowwave.facts.moment import stamp
from slowwave.facts.refusal import Refusal
from slowwave.facts.text import fold

__all__ = ["KEYS", "FormatError", "Reading", "amend", "content_hash", "edit_keys", "parse", "read", "render"]

TASK_KEYS = ("task_status", "due", "actor", "source_key")
KEYS = (
    "kind",
    "status",
    "created",
    "updated",
    "confidence",
    "importance",
    "content_hash",
    "author",
    "engine",
    "sessions",
    "entities",
    "tags",
    "event_at",
    "valid_from",
    "valid_until",
    "supersedes",
    "superseded_by",
    "last_seen",
    "seen_count",
    *TASK_KEYS,
)
"""Every key that slowwave knows, in the order it writes them."""
_MOST_SEEN = 10**9  # a counter, not a number somebody computes with


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a file says.

    Attributes:
        memory: The memory as well as it can be read.
        content_hash: The hash as written, right or wrong; empty where the file has none.
        values: Every front-matter value as it reads, escapes undone.
        faults: Everything that is wrong with the form of the file.
    """

    memory: Memory
    content_hash: str
    values: tuple[str, ...]
    faults: tuple[Refusal, ...]


def render(memory: Memory) -> bytes:
    """The file of a memory: UTF-8, line feeds, keys without value left out, unknown lines after the known ones.

    A lone surrogate, which a transcript's JSON can smuggle in and UTF-8 cannot hold, becomes a question mark.
    """
    lines = ["---"]
    for key, value in _written(memory).items():
        if value is not None:
            lines.append(field_line(key, value, is_plain=key in PLAIN_KEYS))
    lines.extend(raw for _, raw in memory.extra)
    lines.extend(["---", "", f"# {fold(memory.claim)}"])
    body = _tidy(memory.body)
    if body:
        lines.extend(["", body])
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def parse(content: bytes, path: MemoryPath) -> Memory:
    """The memory a file holds.

    Raises:
        FormatError: Anything is wrong with it; ``refusals`` lists all that is.
    """
    reading = read(content, path)
    if reading.faults:
        raise FormatError(reading.faults)
    return reading.memory


def read(content: bytes, path: MemoryPath) -> Reading:
    """The memory a file holds, read forgivingly: faults are listed, and defaults stand where they are.

    Raises:
        FormatError: It cannot be read as a memory file at all.
    """
    page = take_apart(content, path)
    values = Values(page.fields, path)
    claim, body = _claim_and_body(page.rest)
    if not claim:
        values.fault("missing_claim", "the first line after the front matter must be `# ` and the claim")
    memory = _memory(values, page, path, claim=claim, body=body)
    written_hash = values.required("content_hash")
    return Reading(
        memory=memory,
        content_hash=written_hash,
        values=tuple(text for field in page.fields.values() for text in (field.key, *field.texts)),
        faults=tuple(values.faults),
    )


def amend(content: bytes, memory: Memory, path: MemoryPath) -> bytes:
    """An existing file brought up to a memory; lines of keys whose value did not change stay as they are.

    Raises:
        FormatError: The existing file cannot be read.
    """
    page = take_apart(content, path)
    before = _written(read(content, path).memory)
    wanted = _written(memory)
    changes = {key: wanted[key] for key in KEYS if _differs(key, before, wanted, page)}
    amended = edit_keys(content, changes, path=path)
    claim, body = _claim_and_body(page.rest)
    if (claim, body) == (fold(memory.claim), _tidy(memory.body)):
        return amended
    head = amended[: len(amended) - len(page.rest.encode())]
    rest = f"\n# {fold(memory.claim)}\n" + (f"\n{tidied}\n" if (tidied := _tidy(memory.body)) else "")
    return head + (rest.replace("\n", "\r\n") if page.opening.endswith("\r\n") else rest).encode("utf-8", "replace")


def _differs(key: str, before: Mapping[str, Value], wanted: Mapping[str, Value], page: Page) -> bool:
    """Whether a line must change; the hash is compared with what the file says, since a hand may not have kept it."""
    if key != "content_hash":
        return before[key] != wanted[key]
    return key not in page.fields or page.fields[key].value != wanted[key]


def _tidy(body: str) -> str:
    """The body without blank lines before it and white space behind it, line feeds only."""
    lines = body.replace("\r\n", "\n").rstrip().split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    return "\n".join(lines)


def _claim_and_body(rest: str) -> tuple[str, str]:
    first, _, body = rest.replace("\r\n", "\n").lstrip("\n \t").partition("\n")
    if not first.startswith("# "):
        return "", _tidy(rest)
    return fold(first[2:]), _tidy(body)


def _written(memory: Memory) -> dict[str, Value]:
    """Every known key with its value as text; ``None`` for a key that is left out."""
    task = memory.task
    return {
        "kind": memory.kind.value,
        "status": memory.status.value,
        "created": stamp(memory.created),
        "updated": stamp(memory.updated),
        "confidence": repr(round(float(memory.confidence), 4)),
        "importance": str(memory.importance),
        "content_hash": content_hash(memory.claim, _tidy(memory.body)),
        "author": memory.author or None,
        "engine": memory.engine or None,
        "sessions": tuple(memory.sessions) or None,
        "entities": tuple(str(entity) for entity in memory.entities) or None,
        "tags": tuple(memory.tags) or None,
        "event_at": memory.event_at.isoformat() if memory.event_at else None,
        "valid_from": memory.valid_from.isoformat() if memory.valid_from else None,
        "valid_until": memory.valid_until.isoformat() if memory.valid_until else None,
        "supersedes": tuple(memory.supersedes) or None,
        "superseded_by": memory.superseded_by or None,
        "last_seen": stamp(memory.last_seen) if memory.last_seen else None,
        "seen_count": str(memory.seen_count),
        "task_status": task.task_status.value if task else None,
        "due": task.due.isoformat() if task and task.due else None,
        "actor": (task.actor or None) if task else None,
        "source_key": (task.source_key or None) if task else None,
    }


def _memory(values: Values, page: Page, path: MemoryPath, *, claim: str, body: str) -> Memory:
    values.required("kind")
    created = values.moment("created") if values.required("created") else None
    kind = values.word("kind", Kind, Kind.SEMANTIC)
    return Memory(
        kind=kind,
        claim=claim,
        body=body,
        created=created or LONG_AGO,
        updated=values.moment("updated") or created or LONG_AGO,
        status=values.word("status", Status, Status.ACTIVE),
        confidence=values.number("confidence", 0.5, least=0, most=1),
        importance=values.count("importance", 5, least=1, most=10),
        author=values.text("author", "human"),
        engine=values.text("engine"),
        project=project_of(path),
        sessions=values.texts("sessions"),
        entities=values.entities("entities"),
        tags=values.texts("tags"),
        event_at=values.day("event_at"),
        valid_from=values.day("valid_from"),
        valid_until=values.day("valid_until"),
        supersedes=values.texts("supersedes"),
        superseded_by=values.text("superseded_by"),
        last_seen=values.moment("last_seen"),
        seen_count=values.count("seen_count", 1, least=1, most=_MOST_SEEN),
        task=_task(values, page, is_task=kind is Kind.TASK),
        extra=_extra(page),
    )


def _task(values: Values, page: Page, *, is_task: bool) -> TaskFields | None:
    if not is_task:
        if any(key in page.fields for key in TASK_KEYS):
            values.fault("task_fields_on_non_task", f"only a task carries {', '.join(TASK_KEYS)}")
        return None
    values.required("task_status")
    return TaskFields(
        task_status=values.word("task_status", TaskStatus, TaskStatus.OPEN),
        due=values.day("due"),
        actor=values.text("actor"),
        source_key=values.text("source_key"),
    )


def _extra(page: Page) -> tuple[tuple[str, str], ...]:
    """The lines of keys nobody here knows; a comment stands under the empty key."""
    owners = [""] * len(page.lines)
    for field in page.fields.values():
        owners[field.first : field.last] = [field.key] * (field.last - field.first)
    return tuple(
        (owner, line.rstrip("\r\n"))
        for owner, line in zip(owners, page.lines, strict=True)
        if owner not in KEYS and (owner or line.strip())
    )


def file_of(path: MemoryPath, memory: Memory, before: bytes | None) -> bytes:
    """A memory's file: rendered anew, or an existing one brought up to it with every other byte kept."""
    return render(memory) if before is None else amend(before, memory, path)
