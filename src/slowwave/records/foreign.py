"""Naming what is not ours to read yet: transcripts of other agents, and files that are no transcripts at all."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Head = Sequence[Mapping[str, Any]]
_DOCUMENT_BYTES = 4_096  # of a file that is one JSON document, where its telling keys stand


def name_document(head: bytes) -> str:
    """The agent whose file is one document, by its first bytes; empty where none is known."""
    start = head[:_DOCUMENT_BYTES]
    if start.startswith(b"SQLite format 3\0"):
        return "sqlite"
    if b'"messages"' in start and (b'"projectHash"' in start or b'"startTime"' in start):
        return "gemini-cli"
    if start.startswith(b"# aider chat started at "):
        return "aider"
    return ""


def name_records(head: Head) -> str:
    """The agent that wrote these records; empty where none is known. Looks at the first records only."""
    if not head:
        return ""
    for name, is_written_by in _TESTS:
        if is_written_by(head):
            return name
    return ""


def _any_has(head: Head, *keys: str) -> bool:
    return any(all(key in record for key in keys) for record in head)


def _first_type(head: Head) -> str:
    kind = head[0].get("type")
    return kind if isinstance(kind, str) else ""


def _is_qwen(head: Head) -> bool:
    return any(isinstance(record.get("message"), dict) and "parts" in record["message"] for record in head)


def _is_iflow(head: Head) -> bool:
    return any("parentUuid" in record and str(record.get("sessionId")).startswith("session-") for record in head)


def _is_cursor(head: Head) -> bool:
    return sum({"role", "message"} <= record.keys() and "type" not in record for record in head) * 2 > len(head)


def _is_copilot(head: Head) -> bool:
    return any("." in str(record.get("type")) and {"data", "id", "parentId"} <= record.keys() for record in head)


def _is_open_code(head: Head) -> bool:
    return any(isinstance(record.get("event"), dict) and "properties" in record["event"] for record in head)


_TESTS: tuple[tuple[str, Callable[[Head], bool]], ...] = (
    ("wasa", lambda head: _any_has(head, "role", "raw")),
    ("gemini-cli", lambda head: _any_has(head, "sessionId", "projectHash") or _any_has(head, "$set")),
    ("pi", lambda head: _first_type(head) == "session" and "cwd" in head[0]),
    ("droid", lambda head: _first_type(head) == "session_start"),
    ("kimi", lambda head: _first_type(head) == "metadata" and "protocol_version" in head[0]),
    ("copilot-cli", _is_copilot),
    ("opencode", _is_open_code),
    ("entire-compact", lambda head: _any_has(head, "v", "agent", "cli_version")),
    ("codex-debug-log", lambda head: _any_has(head, "ts", "dir", "kind")),
    ("prompt-history", lambda head: _any_has(head, "session_id", "ts", "text") or _any_has(head, "display", "project")),
    ("session-list", lambda head: _any_has(head, "thread_name", "updated_at")),
    ("qwen-code", _is_qwen),
    ("iflow", _is_iflow),
    ("cursor", _is_cursor),
)
