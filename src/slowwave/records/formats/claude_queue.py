"""Queued words in Claude Code: typed while the agent worked, and read wherever they turn up first."""

from collections.abc import Mapping
from typing import Any

from slowwave.records.formats.claude_results import text_of
from slowwave.records.formats.draft import Draft
from slowwave.records.formats.said import said_by_nobody, said_by_person


class QueuedWords:
    """Remembers what was queued in one file, so that the attachment or message that delivers it is a copy."""

    def __init__(self) -> None:
        self._waiting: dict[str, str] = {}

    def enqueued(self, record: Mapping[str, Any], record_id: str) -> list[Draft]:
        """What a person put into the queue; no drafts for the queue's other operations."""
        text = record.get("content")
        if record.get("operation") != "enqueue" or not isinstance(text, str):
            return []
        drafts = said_by_person(text, ("content",), via="queued")
        for ordinal, draft in enumerate(drafts):
            if draft.is_person:
                self._waiting[draft.text.strip()] = f"{record_id}#{ordinal}"
        return drafts

    def attached(self, attachment: Mapping[str, Any]) -> list[Draft]:
        """What was handed to the agent in the middle of a turn; only a prompt was typed."""
        text, fields = text_of(attachment.get("prompt")), ("attachment.prompt",)
        if attachment.get("commandMode") not in (None, "prompt"):
            return said_by_nobody(text, fields, "notification")
        return self.delivered(said_by_person(text, fields, via="queued"))

    def delivered(self, drafts: list[Draft]) -> list[Draft]:
        """The drafts, those marked as copies whose words were queued; two queued texts may arrive as one message."""
        for draft in drafts:
            if draft.is_person and (queued := self._waiting.pop(draft.text.strip(), "")):
                draft.is_copy, draft.key = True, queued
        return drafts
