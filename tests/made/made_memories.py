"""Made-up memories for the corpus tests."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from slowwave.facts.memory import Entity, Kind, Memory, TaskFields, TaskStatus

MOMENT = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


def memory(
    claim: str = "Run the tests through uv.", body: str = "Plain pytest misses the plugins.", **more: Any
) -> Memory:
    """A memory with the given words; other fields by name."""
    plain = Memory(kind=Kind.PROCEDURAL, claim=claim, body=body, created=MOMENT, updated=MOMENT)
    return replace(plain, **more)


def full_memory() -> Memory:
    """A memory in which every field but the task's has a value."""
    return memory(
        engine="mined",
        author="sleep",
        confidence=0.65,
        importance=7,
        project="payments",
        sessions=("0bdb-1", "010"),
        entities=(Entity("tool", "pytest"), Entity("file", "src/a b: c.py")),
        tags=("no", "über"),
        event_at=date(2026, 1, 2),
        valid_from=date(2026, 1, 3),
        valid_until=date(2027, 1, 3),
        supersedes=("archive/2026/projects/payments/old.md",),
        superseded_by="projects/payments/newer.md",
        last_seen=MOMENT,
        seen_count=3,
    )


def task(claim: str = "Update the changelog.", **more: Any) -> Memory:
    """A proposed task."""
    fields = TaskFields(task_status=TaskStatus.PROPOSED, due=date(2026, 5, 6), actor="user", source_key="ab12")
    return memory(claim, "", kind=Kind.TASK, task=fields, **more)
