"""Counting records without reading them: what most records are can be seen from their shape.

A shortcut answers only where the format's reader would make exactly one draft whose kind is plain; anything that may
hold a person's words, several drafts or a copy of something goes to the reader. This halves a cold scan.
"""

from collections.abc import Callable, Mapping
from typing import Any

from slowwave.facts.evidence import Speaker
from slowwave.records.entries import EntryKind

ASK, META, THOUGHT, CALL, RESULT, SAID, COPY = range(7)
"""What a shortcut answers: ask the reader, or the one draft there is."""

NAMES = {
    META: (Speaker.SYSTEM, EntryKind.META),
    THOUGHT: (Speaker.AGENT, EntryKind.THINKING),
    CALL: (Speaker.AGENT, EntryKind.TOOL_CALL),
    RESULT: (Speaker.TOOL, EntryKind.TOOL_RESULT),
    SAID: (Speaker.AGENT, EntryKind.TEXT),
}
Record = Mapping[str, Any]
Shortcut = Callable[[Record], int]

_CLAUDE_BLOCKS = {"thinking": THOUGHT, "tool_use": CALL, "text": SAID}
_CODEX_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "web_search_call"})
_CODEX_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})
_CODEX_ENDS = frozenset({"exec_command_end", "patch_apply_end"})
_CODEX_MARKS = frozenset(
    {"token_count", "task_complete", "agent_message_delta", "web_search_end", "thread_name_updated"}
)
_REMINDER = "<system-reminder>"


class ClaudeShortcut:
    """Shapes of Claude Code's records; remembers their ids, since a second record of one id is a copy."""

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def __call__(self, record: Record) -> int:
        """What the record is, or ``ASK``."""
        kind = record.get("type")
        if kind == "assistant":
            answer = self._assistant(record)
        elif kind == "user":
            answer = self._user(record)
        elif kind == "progress":
            held = record.get("data")
            answer = META if type(held) is not dict or "message" not in held else ASK
        elif kind == "attachment":
            held = record.get("attachment")
            answer = META if type(held) is dict and held.get("type") != "queued_command" else ASK
        else:
            answer = ASK if kind == "queue-operation" else META
        if answer:
            own = record.get("uuid")
            if own in self._seen:
                return COPY
            if type(own) is str:
                self._seen.add(own)
        return answer

    @staticmethod
    def _assistant(record: Record) -> int:
        message = record.get("message")
        if type(message) is not dict or message.get("model") == "<synthetic>" or "isApiErrorMessage" in record:
            return ASK
        content = message.get("content")
        if type(content) is not list or len(content) != 1 or type(content[0]) is not dict:
            return ASK
        return _CLAUDE_BLOCKS.get(str(content[0].get("type")), ASK)

    @staticmethod
    def _user(record: Record) -> int:
        message = record.get("message")
        content = message.get("content") if type(message) is dict else None
        if type(content) is not list or len(content) != 1 or type(content[0]) is not dict:
            return ASK
        block = content[0]
        text, beside = block.get("content"), record.get("toolUseResult")
        if block.get("type") != "tool_result" or type(text) is not str or block.get("is_error") is True:
            return ASK
        if type(beside) is not dict or "answers" in beside or "annotations" in beside:
            return ASK
        return ASK if _REMINDER in text else RESULT


class CodexShortcut:
    """Shapes of Codex's records; an output and the event that repeats it are one result.

    ``is_elsewhere`` answers whether the file is at the copied history of another session, whose records are copies.
    """

    def __init__(self, is_elsewhere: Callable[[], bool] = lambda: False) -> None:
        self._is_elsewhere = is_elsewhere
        self._counts: tuple[dict[object, int], dict[object, int]] = ({}, {})

    def __call__(self, record: Record) -> int:
        """What the record is, or ``ASK``."""
        payload, kind = record.get("payload"), record.get("type")
        if type(payload) is not dict:
            return ASK
        answer = ASK
        if kind == "response_item":
            answer = self._item(payload, payload.get("type"))
        elif kind == "event_msg":
            answer = self._event(payload, payload.get("type"))
        return COPY if answer and self._is_elsewhere() else answer

    def _item(self, payload: Record, kind: object) -> int:
        if kind in _CODEX_OUTPUTS:
            return self._result(payload.get("call_id"), 0)
        if kind == "reasoning":
            return ASK if payload.get("summary") or payload.get("content") else THOUGHT
        return CALL if kind in _CODEX_CALLS else ASK

    def _event(self, payload: Record, kind: object) -> int:
        if kind in _CODEX_ENDS:
            return self._result(payload.get("call_id"), 1)
        return META if kind in _CODEX_MARKS else ASK

    def _result(self, call_id: object, stream: int) -> int:
        key = call_id if type(call_id) is str else ""
        own, other = self._counts[stream], self._counts[1 - stream]
        ordinal = own[key] = own.get(key, 0) + 1
        return COPY if ordinal <= other.get(key, 0) else RESULT


def ask_always(record: Record) -> int:
    """No shortcut."""
    del record
    return ASK


def shortcut(format_name: str, is_elsewhere: Callable[[], bool] = lambda: False) -> Shortcut:
    """A shortcut for one file of a format; ``is_elsewhere`` as ``CodexShortcut`` has it."""
    if format_name == "claude-code":
        return ClaudeShortcut()
    return CodexShortcut(is_elsewhere) if format_name == "codex" else ask_always
