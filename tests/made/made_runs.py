"""Runs of a pydantic-ai agent, made without one: parts and messages by the names that the processor reads them by."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from small_contexts import Beat

BEGUN = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)


@dataclass(kw_only=True)
class Part:
    """A part of any kind; what it does not need is left empty."""

    part_kind: str
    content: Any = ""
    tool_name: str = ""
    tool_call_id: str = ""
    args: Any = None
    outcome: str = "success"
    tool_kind: str | None = None
    signature: str | None = None
    files: Sequence[Any] = ()


@dataclass(kw_only=True)
class Said:
    """A request or a reply."""

    kind: str
    parts: Sequence[Any]
    timestamp: datetime | None = None
    conversation_id: str | None = "run-1"
    model_name: str | None = None
    provider_name: str | None = None
    more: dict[str, Any] = field(default_factory=dict)


def request(*parts: Part, **more: Any) -> Said:
    """What goes to the model."""
    return Said(kind="request", parts=list(parts), **more)


def reply(*parts: Part, at: datetime = BEGUN, **more: Any) -> Said:
    """What comes from it."""
    return Said(kind="response", parts=list(parts), timestamp=at, **more)


def typed(text: Any) -> Part:
    """A person's words."""
    return Part(part_kind="user-prompt", content=text)


def called(tool: str, call_id: str, args: Any) -> Part:
    """A call."""
    return Part(part_kind="tool-call", tool_name=tool, tool_call_id=call_id, args=args)


def returned(tool: str, call_id: str, content: Any, **more: Any) -> Part:
    """Its result."""
    return Part(part_kind="tool-return", tool_name=tool, tool_call_id=call_id, content=content, **more)


def run_of(beats: Sequence[Beat], *, seconds: float = 10.0, **more: Any) -> list[Said]:
    """What happened, as messages of a run with so many seconds between its replies."""
    found: list[Said] = []
    for number, beat in enumerate(beats):
        at = BEGUN + timedelta(seconds=seconds * number)
        found += _messages(beat, number, at, more)
    return found


def _messages(beat: Beat, number: int, at: datetime, more: dict[str, Any]) -> Iterator[Said]:
    if beat.kind in ("user", "notice"):
        yield request(typed(beat.text), **more)
    elif beat.kind == "say":
        yield reply(Part(part_kind="text", content=beat.text), at=at, **more)
    elif beat.kind == "call":
        call_id = beat.call_id or f"call_{number:04d}"
        yield reply(called(beat.tool, call_id, dict(beat.args)), at=at, **more)
        if beat.has_result:
            outcome = "failed" if beat.is_error else "success"
            yield request(returned(beat.tool, call_id, beat.result, outcome=outcome), **more)
