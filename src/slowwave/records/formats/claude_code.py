"""Claude Code: main files, ``subagents/`` side files, and the older layouts of both.

One record is one block of a message; calls and results are paired by the id of the call. ``docs/transcript-formats.md``
says what is read and what is left.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from slowwave.facts.ids import digest
from slowwave.facts.moment import parse
from slowwave.records.entries import Entry
from slowwave.records.formats.claude_agent import AgentMessages
from slowwave.records.formats.claude_queue import QueuedWords
from slowwave.records.formats.claude_results import read_result
from slowwave.records.formats.draft import META, NOTHING, SYSTEM, Draft, Place, make_entry
from slowwave.records.formats.format import vote
from slowwave.records.formats.said import said_by_nobody, said_by_person
from slowwave.records.lines import Line

_MARKS = {
    "summary": "leafUuid",
    "file-history-snapshot": "snapshot",
    "queue-operation": "operation",
    "last-prompt": "lastPrompt",
    "ai-title": "aiTitle",
    "custom-title": "customTitle",
    "permission-mode": "permissionMode",
}
"""Records without an envelope, and the key that tells them from other agents' records of the same name."""
_MESSAGES = frozenset({"user", "assistant", "system", "attachment", "progress"})
_FOREIGN_SESSION = "session-"  # iFlow writes Claude's envelope with ids of this form
_TITLES = ("aiTitle", "customTitle", "summary", "lastPrompt", "agentName", "prUrl", "content")
_ATTACHMENTS = {"skill_listing": "skill", "nested_memory": "instructions", "compact_file_reference": "compaction"}
_SYSTEM = {"local_command": "command", "compact_boundary": "compaction", "away_summary": "compaction"}
_SHORT = 32  # last characters by which, with its length, the text of two records of one id is told apart


class ClaudeCode:
    """The format of Claude Code."""

    name = "claude-code"

    def detect(self, path: Path, head: Sequence[Mapping[str, Any]]) -> bool:
        """By content: the path is not looked at. Qwen Code and iFlow copied the envelope and are told apart."""
        del path
        return vote(head, _is_mine)

    def reader(self) -> "ClaudeReader":
        """A reader for one file."""
        return ClaudeReader()

    def entries(self, lines: Iterable[Line], *, file: int = 0) -> Iterator[Entry]:
        """The entries of one file, in order."""
        reader = self.reader()
        for line in lines:
            for part, record in enumerate(line.records, line.first_part):
                place = Place(line.number, part, file, parse(record.get("timestamp")), record_id(record))
                for ordinal, draft in enumerate(reader.read(record)):
                    yield make_entry(draft, place, ordinal)


def _is_mine(record: Mapping[str, Any]) -> bool:
    kind = record.get("type")
    mark = _MARKS.get(kind) if isinstance(kind, str) else None
    if mark is not None:
        return mark in record
    if kind not in _MESSAGES or str(record.get("sessionId")).startswith(_FOREIGN_SESSION):
        return False
    message = record.get("message")
    if isinstance(message, dict):
        return "content" in message and "parts" not in message
    return {"uuid", "sessionId"} <= record.keys()


def record_id(record: Mapping[str, Any]) -> str:
    """The record's own id, or a digest of its content."""
    own = record.get("uuid")
    if isinstance(own, str) and own:
        return own
    return digest(orjson.dumps(record, option=orjson.OPT_SORT_KEYS).decode())


class ClaudeReader:
    """Reads one file; remembers its calls, the records it has seen and the words that were queued."""

    def __init__(self) -> None:
        self._agent = AgentMessages()
        self._seen: dict[str, str] = {}
        self._queue = QueuedWords()
        self._readers: dict[str, Callable[[Mapping[str, Any]], list[Draft]]] = {
            "user": self._user,
            "assistant": self._agent.read,
            "attachment": self._attachment,
            "progress": self._progress,
            "queue-operation": self._enqueued,
            "system": _system,
        }

    def read(self, record: Mapping[str, Any]) -> list[Draft]:
        """What the record says; an unknown record is kept as meta."""
        kind = record.get("type")
        reader = self._readers.get(kind) if isinstance(kind, str) else None
        drafts = (reader(record) if reader else None) or [_meta(record)]
        own = record.get("uuid")
        if isinstance(own, str) and own:
            self._mark_copies(own, drafts)
        if record.get("isSidechain") is True:
            drafts = [_aside(draft) for draft in drafts]
        return drafts

    def _mark_copies(self, own: str, drafts: list[Draft]) -> None:
        """A second record of one id is a copy when it says the same, and another observation when it does not."""
        shape = drafts[0].text[-_SHORT:] + str(sum([len(draft.text) for draft in drafts]))
        first = self._seen.setdefault(own, shape)
        if first is shape:
            return
        for ordinal, draft in enumerate(drafts):
            if first == shape:
                draft.is_copy = True
            else:
                draft.key = draft.key or digest(own, str(ordinal), draft.text)

    def _user(self, record: Mapping[str, Any]) -> list[Draft]:
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        reason = _whole_reason(record)
        if isinstance(content, str):
            return self._said(content, ("message.content",), reason)
        if not isinstance(content, list):
            return []
        results = sum(isinstance(block, dict) and block.get("type") == "tool_result" for block in content)
        drafts: list[Draft] = []
        for index, block in enumerate(content):
            path = f"message.content[{index}]"
            if isinstance(block, str):
                drafts += self._said(block, (path,), reason)
            elif not isinstance(block, dict):
                continue
            elif block.get("type") == "tool_result":
                call = self._agent.called(block.get("tool_use_id"))
                drafts += read_result(block, record.get("toolUseResult"), path, owns_beside=results == 1, call=call)
            elif isinstance(text := block.get("text"), str):
                drafts += self._said(text, (f"{path}.text",), reason)
        return drafts

    def _said(self, text: str, fields: tuple[str, ...], reason: str) -> list[Draft]:
        if reason:
            return said_by_nobody(text, fields, reason)
        return self._queue.delivered(said_by_person(text, fields))

    def _attachment(self, record: Mapping[str, Any]) -> list[Draft]:
        attachment = record.get("attachment")
        if not isinstance(attachment, dict):
            return []
        kind = _string(attachment.get("type"))
        if kind == "queued_command":
            return self._queue.attached(attachment)
        reason = "hook" if kind.startswith(("hook_", "async_hook")) else _ATTACHMENTS.get(kind, "reminder")
        text = _string(attachment.get("content")) or _string(attachment.get("stdout"))
        return [Draft(SYSTEM, META, text, ("attachment",), reason, more={"tool": kind})]

    def _enqueued(self, record: Mapping[str, Any]) -> list[Draft]:
        return self._queue.enqueued(record, record_id(record))

    def _progress(self, record: Mapping[str, Any]) -> list[Draft]:
        """A sub-agent's message repeated in its parent's file; other progress is meta."""
        held = record.get("data")
        message = held.get("message") if isinstance(held, dict) else None
        if not isinstance(message, dict) or message.get("type") not in ("user", "assistant"):
            return [Draft(SYSTEM, META, "", ("data",), "progress")]
        inner = {**message, "isSidechain": True}
        reader = self._agent.read if message["type"] == "assistant" else self._user
        drafts = reader(inner)
        own = _string(message.get("uuid"))
        for ordinal, draft in enumerate(drafts):
            draft.is_copy = True
            draft.key = f"{own}#{ordinal}" if own else ""
            draft.fields = tuple(f"data.message.{field}" for field in draft.fields)
        return [_aside(draft) for draft in drafts]


def _whole_reason(record: Mapping[str, Any]) -> str:
    """Why nobody typed any text of a user record; empty where a person may have."""
    if record.get("isCompactSummary") is True or record.get("isVisibleInTranscriptOnly") is True:
        return "compaction"
    if record.get("isSidechain") is True:
        return "prompt"
    if record.get("isMeta") is True:
        return "skill" if record.get("sourceToolUseID") else "reminder"
    origin = record.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else None
    return "" if kind in (None, "human") else "notification"


def _aside(draft: Draft) -> Draft:
    draft.more = {**draft.more, "is_sidechain": True}
    return draft


def _system(record: Mapping[str, Any]) -> list[Draft]:
    kind = _string(record.get("subtype"))
    text = _string(record.get("content"))
    reason = _SYSTEM.get(kind, "harness")
    return [Draft(SYSTEM, META, text, ("content",), reason, more={"tool": kind})]


def _meta(record: Mapping[str, Any]) -> Draft:
    for key in _TITLES:
        if isinstance(text := record.get(key), str):
            return Draft(SYSTEM, META, text, (key,), "harness", more=NOTHING)
    return Draft(SYSTEM, META, "", (), "harness", more=NOTHING)


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""
