"""Claude Code: a record a line, several lines a reply, results beside a second copy of them."""

import re
from collections.abc import Sequence
from pathlib import Path

from slowwave.hygiene.items import Kind
from slowwave.hygiene.wires.wire import Record, Seen, Sight, sight_of, text_field
from slowwave.records.formats import FORMATS
from slowwave.records.formats.format import Reader

_FORMAT = FORMATS["claude-code"]
_ECHOES = frozenset({"progress", "queue-operation"})
_BLOCK = re.compile(r"message\.content\[(\d+)\]")
_SESSION_KEYS = ("sessionId", "session_id")


class ClaudeCodeLines:
    """Sessions as Claude Code writes them."""

    name = "claude-code"
    provider = "anthropic"
    keeps_first = False

    def detect(self, head: Sequence[Record]) -> bool:
        """By the vote of the transcript format."""
        return _FORMAT.detect(Path(), head)

    def reader(self) -> "ClaudeCodeReader":
        """A reader for one document."""
        return ClaudeCodeReader()

    def session_of(self, record: Record) -> str:
        """The id in the record's envelope."""
        return next((found for key in _SESSION_KEYS if (found := text_field(record, key))), "")


class ClaudeCodeReader:
    """Reads one document."""

    def __init__(self) -> None:
        self._reader: Reader = _FORMAT.reader()

    def read(self, record: Record) -> Seen:
        """What the record shows; progress and the queue are second tellings."""
        kind = record.get("type")
        message = record.get("message")
        held = message if isinstance(message, dict) else {}
        sights = [sight_of(draft, is_echo=kind in _ECHOES) for draft in self._reader.read(record)]
        if kind == "assistant":
            _mark_server(sights, held.get("content"))
        return Seen(
            sights=sights,
            id=text_field(record, "uuid"),
            reply=text_field(held, "id") if kind == "assistant" else "",
            at=record.get("timestamp"),
            model=text_field(held, "model"),
            is_boundary=record.get("subtype") == "compact_boundary" or record.get("isCompactSummary") is True,
        )


def _mark_server(sights: list[Sight], content: object) -> None:
    """Calls the provider ran itself, with their results, and thoughts of which only the signature is there."""
    blocks = content if isinstance(content, list) else []
    for sight in sights:
        found = _BLOCK.match(sight.fields[0]) if sight.fields and blocks else None
        block = blocks[int(found.group(1))] if found else None
        kind = block.get("type") if isinstance(block, dict) else None
        if sight.kind is Kind.RESULT or kind in ("server_tool_use", "mcp_tool_use"):
            sight.is_server = True
        if sight.kind is Kind.THINKING:
            sight.is_opaque = isinstance(block, dict) and bool(block.get("signature"))
