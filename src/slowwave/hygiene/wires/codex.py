"""Codex: rollouts of the current form, and of the form before it."""

from collections.abc import Sequence
from pathlib import Path

from slowwave.hygiene.wires.replies import Replies
from slowwave.hygiene.wires.responses import mark_item
from slowwave.hygiene.wires.wire import Record, Seen, sight_of, text_field
from slowwave.records.formats import FORMATS


class CodexLines:
    """Rollouts since autumn 2025: an envelope around every item and event."""

    name = "codex"
    provider = "openai-responses"
    keeps_first = True

    def detect(self, head: Sequence[Record]) -> bool:
        """By the vote of the transcript format."""
        return FORMATS[self.name].detect(Path(), head)

    def reader(self) -> "CodexLinesReader":
        """A reader for one document."""
        return CodexLinesReader(self.name)

    def session_of(self, record: Record) -> str:
        """The id in the file's head; a later head is that of somebody else's history."""
        payload = record.get("payload")
        return text_field(payload, "id") if record.get("type") == "session_meta" and isinstance(payload, dict) else ""


class CodexLegacyLines:
    """Rollouts to August 2025: bare items."""

    name = "codex-legacy"
    provider = "openai-responses"
    keeps_first = True

    def detect(self, head: Sequence[Record]) -> bool:
        """By the vote of the transcript format."""
        return FORMATS[self.name].detect(Path(), head)

    def reader(self) -> "CodexLinesReader":
        """A reader for one document."""
        return CodexLinesReader(self.name)

    def session_of(self, record: Record) -> str:
        """The id in the file's head."""
        return text_field(record, "id") if "type" not in record and "instructions" in record else ""


class CodexLinesReader:
    """Reads one document; replies are told apart by what stands between them."""

    def __init__(self, name: str) -> None:
        self._reader = FORMATS[name].reader()
        self._has_envelope = name == "codex"
        self._replies = Replies()
        self._model = ""

    def read(self, record: Record) -> Seen:
        """What the record shows; events are second tellings of items."""
        kind = record.get("type")
        payload = record.get("payload") if self._has_envelope else record
        held = payload if isinstance(payload, dict) else {}
        is_item = not self._has_envelope or kind == "response_item"
        is_boundary = kind == "compacted"
        if kind == "turn_context":
            self._model = text_field(held, "model") or self._model
        sights = [sight_of(draft, is_echo=not is_item and not is_boundary) for draft in self._reader.read(record)]
        mark_item(sights, held)
        return Seen(
            sights=sights,
            reply=self._replies.place(held) if is_item else "",
            at=record.get("timestamp"),
            model=self._model,
            is_boundary=is_boundary,
        )
