"""What Codex's items say, in the old form and the new: messages, reasoning, calls, results, and events beside them.

An event repeats what an item says. Both are read, and ``Echoes`` tells which of the two came second: that one is the
copy. The n-th event with these words belongs to the n-th item with them, so that the same words said twice are two
observations.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from slowwave.records.entries import EntryKind
from slowwave.records.formats.draft import AGENT, CALL, META, RESULT, SYSTEM, TEXT, THINKING, TOOL, Draft
from slowwave.records.formats.said import said_by_nobody, said_by_person
from slowwave.records.formats.tools import (
    COMMAND_KEYS,
    arguments_of,
    call_text,
    embedded_command,
    is_fetching,
    unwrap_output,
)

ITEM, EVENT = "item", "event"
_RUNNING = re.compile(r"Process running with session ID (\w+)")  # a later ``write_stdin`` gets the rest
_REFUSED = ("rejected by user", "exec command rejected", "aborted by user")
_REFUSED_WITHIN = 200  # characters; the sentence stands at the beginning of such a result


class Echoes:
    """Counts what was said in each stream, within the session whose history it is (``scope``)."""

    def __init__(self) -> None:
        self.scope = ""
        self._counts: dict[str, dict[tuple[str, ...], int]] = {ITEM: {}, EVENT: {}}

    def place(self, draft: Draft, stream: str, *name: str) -> None:
        """Give a draft its identity, and mark it as a copy when the other stream already said this."""
        key = (self.scope, *name)
        counts = self._counts[stream]
        ordinal = counts[key] = counts.get(key, 0) + 1
        draft.is_copy = ordinal <= self._counts[EVENT if stream == ITEM else ITEM].get(key, 0)
        draft.key = (*key, str(ordinal))


class ItemReader:
    """Reads items and the events that repeat them; ``prefix`` is the path under which a payload stands."""

    def __init__(self, prefix: str, echoes: Echoes) -> None:
        self._prefix = prefix
        self._echoes = echoes
        self._calls: dict[str, tuple[str, bool]] = {}
        self._fetching_sessions: set[str] = set()

    def item(self, payload: Mapping[str, Any], *, is_aside: bool) -> list[Draft]:
        """What one item says; ``is_aside``: in a sub-agent's session, where no person speaks."""
        kind = payload.get("type")
        if kind == "message":
            return self._message(payload, is_aside=is_aside)
        if kind == "reasoning":
            return self._reasoning(payload)
        if kind in ("function_call", "custom_tool_call", "local_shell_call", "tool_search_call", "web_search_call"):
            return [self._call(payload)]
        if kind in ("function_call_output", "custom_tool_call_output", "tool_search_output"):
            return self._output(payload)
        if kind == "agent_message":
            return said_by_nobody(_joined(payload.get("content")), (f"{self._prefix}content",), "prompt")
        return []

    def event(self, payload: Mapping[str, Any], *, is_aside: bool) -> list[Draft]:
        """What one event says that an item says as well, or that no item says."""
        kind = payload.get("type")
        if kind == "user_message":
            return self._spoken(_string(payload.get("message")), "message", EVENT, is_aside=is_aside)
        if kind == "agent_message":
            return [self._agent(TEXT, _string(payload.get("message")), f"{self._prefix}message", EVENT)]
        if kind == "agent_reasoning":
            return [self._agent(THINKING, _string(payload.get("text")), f"{self._prefix}text", EVENT)]
        if kind in ("exec_command_end", "patch_apply_end", "mcp_tool_call_end", "dynamic_tool_call_response"):
            return [self._end(payload)]
        if kind == "turn_aborted":
            reason = _string(payload.get("reason"))
            fields = (f"{self._prefix}reason",)
            return [Draft(SYSTEM, META, reason, fields, "interruption", more={"is_rejected": True})]
        return []

    def _message(self, payload: Mapping[str, Any], *, is_aside: bool) -> list[Draft]:
        content = payload.get("content")
        parts = content if isinstance(content, list) else [content]
        role = payload.get("role")
        drafts: list[Draft] = []
        for index, part in enumerate(parts):
            text = part.get("text") if isinstance(part, dict) else part
            if not isinstance(text, str):
                continue
            field = f"content[{index}].text" if isinstance(part, dict) else "content"
            if role == "assistant":
                drafts.append(self._agent(TEXT, text, f"{self._prefix}{field}", ITEM))
            elif role == "user":
                drafts += self._spoken(text, field, ITEM, is_aside=is_aside)
            else:
                drafts += said_by_nobody(text, (f"{self._prefix}{field}",), "instructions")
        return drafts

    def _spoken(self, text: str, field: str, stream: str, *, is_aside: bool) -> list[Draft]:
        fields = (f"{self._prefix}{field}",)
        drafts = said_by_nobody(text, fields, "prompt") if is_aside else said_by_person(text, fields)
        for draft in drafts:
            self._echoes.place(draft, stream, draft.speaker, draft.text.strip())
        return drafts

    def _agent(self, kind: EntryKind, text: str, field: str, stream: str) -> Draft:
        draft = Draft(AGENT, kind, text, (field,))
        self._echoes.place(draft, stream, kind, text.strip())
        return draft

    def _reasoning(self, payload: Mapping[str, Any]) -> list[Draft]:
        drafts = []
        for name in ("summary", "content"):
            parts = payload.get(name)
            for index, part in enumerate(parts if isinstance(parts, list) else ()):
                text = part.get("text") if isinstance(part, dict) else None
                if isinstance(text, str) and text:
                    field = f"{self._prefix}{name}[{index}].text"
                    drafts.append(self._agent(THINKING, text, field, ITEM))
        return drafts or [Draft(AGENT, THINKING, "", (self._prefix.rstrip("."),))]

    def _call(self, payload: Mapping[str, Any]) -> Draft:
        kind = _string(payload.get("type"))
        name = next((key for key in ("arguments", "input", "action") if payload.get(key) is not None), "arguments")
        args = arguments_of(payload.get(name))
        text, key = call_text(args)
        if key == "input" and (command := embedded_command(text)):
            text, key = command, COMMAND_KEYS[0]
        tool = _string(payload.get("name")) or kind.removesuffix("_call")
        call_id = _string(payload.get("call_id")) or _string(payload.get("id"))
        is_polling = str(args.get("session_id")) in self._fetching_sessions
        self._calls[call_id] = (tool, is_polling or is_fetching(tool, text if key in COMMAND_KEYS else ""))
        whole = f"{self._prefix}{name}"
        fields = (f"{whole}.{key}", whole) if key and isinstance(payload.get(name), dict) else (whole,)
        more = {"tool": tool, "call_id": call_id, "args": args}
        draft = Draft(AGENT, CALL, text, fields, more=more)
        self._echoes.place(draft, ITEM, "call", call_id, text)
        return draft

    def _output(self, payload: Mapping[str, Any]) -> list[Draft]:
        text, status = unwrap_output(_joined(payload.get("output")))
        return [self._result(text, status, payload, ITEM, f"{self._prefix}output")]

    def _end(self, payload: Mapping[str, Any]) -> Draft:
        text = next((_joined(payload[key]) for key in _OUTPUTS if payload.get(key)), "")
        status = payload.get("exit_code")
        is_failed = payload.get("success") is False or payload.get("status") == "failed"
        draft = self._result(
            text, status if type(status) is int else None, payload, EVENT, self._prefix.rstrip("."), is_failed=is_failed
        )
        if payload.get("type") == "mcp_tool_call_end":
            draft.more = {**draft.more, "is_tainted": True}
        return draft

    def _result(
        self,
        text: str,
        status: int | None,
        payload: Mapping[str, Any],
        stream: str,
        field: str,
        *,
        is_failed: bool = False,
    ) -> Draft:
        call_id = _string(payload.get("call_id"))
        tool, is_tainted = self._calls.get(call_id, ("", False))
        if is_tainted and (running := _RUNNING.search(text, 0, _REFUSED_WITHIN)):
            self._fetching_sessions.add(running.group(1))
        head = text[:_REFUSED_WITHIN].lower()
        is_rejected = any(words in head for words in _REFUSED)
        more = {
            "tool": tool,
            "call_id": call_id,
            "exit_status": status,
            "is_error": not is_rejected and (is_failed or bool(status)),
            "is_rejected": is_rejected,
            "is_tainted": is_tainted,
        }
        draft = Draft(TOOL, RESULT, text, (field,), more=more)
        self._echoes.place(draft, stream, "result", call_id)
        return draft


_OUTPUTS = ("aggregated_output", "formatted_output", "stdout", "result", "content_items", "stderr", "error")


def _joined(value: object) -> str:
    """A text, or the texts of a list of content items, or a value as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        texts = [part.get("text") if isinstance(part, dict) else part for part in value]
        return "\n".join(text for text in texts if isinstance(text, str))
    if isinstance(value, dict):
        inner = value.get("output") or value.get("content") or value.get("Ok")
        return _joined(inner) if isinstance(inner, str | Sequence) else orjson.dumps(value).decode()
    return ""


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""
