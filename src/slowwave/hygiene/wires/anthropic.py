"""Anthropic Messages: a list of turns, each a text or a list of blocks; results stand in the turn behind the calls."""

from collections.abc import Sequence
from dataclasses import replace

from slowwave.hygiene.items import Kind
from slowwave.hygiene.wires.claude_code import ClaudeCodeReader
from slowwave.hygiene.wires.wire import Record, Seen, Sight
from slowwave.records.formats.format import vote

_PREFIX = "message."
_BLOCKS = frozenset(
    {"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "image", "document"}
)
_ROLES = frozenset({"user", "assistant", "system"})


class AnthropicMessages:
    """Message lists of the Messages API."""

    name = "anthropic-messages"
    provider = "anthropic"
    keeps_first = True

    def detect(self, head: Sequence[Record]) -> bool:
        """By its own blocks: plain texts alone look like those of Chat, which is read alike."""
        return any(map(_has_blocks, head)) and vote(
            head, lambda record: record.get("role") in _ROLES and "content" in record
        )

    def reader(self) -> "AnthropicReader":
        """A reader for one document."""
        return AnthropicReader()

    def session_of(self, record: Record) -> str:
        """A list carries none."""
        del record
        return ""


def _has_blocks(record: Record) -> bool:
    content = record.get("content")
    return isinstance(content, list) and any(
        isinstance(block, dict) and block.get("type") in _BLOCKS for block in content
    )


class AnthropicReader:
    """Reads one list by reading each turn as a record of Claude Code, which wraps the same turns."""

    def __init__(self) -> None:
        self._inner = ClaudeCodeReader()
        self._replies = 0

    def read(self, record: Record) -> Seen:
        """What the turn shows."""
        role = record.get("role")
        seen = self._inner.read({"type": "assistant" if role == "assistant" else "user", "message": record})
        sights = [_unwrapped(sight) for sight in seen.sights]
        if role == "system":
            sights = [replace(sight, kind=Kind.SYSTEM, is_person=False, injected="instructions") for sight in sights]
        if role == "assistant":
            self._replies += 1
        return Seen(
            sights=sights,
            reply=f"reply-{self._replies}" if role == "assistant" else "",
            at=record.get("timestamp", record.get("ts")),
            model=seen.model,
        )


def _unwrapped(sight: Sight) -> Sight:
    sight.fields = tuple(field.removeprefix(_PREFIX) for field in sight.fields)
    return sight
