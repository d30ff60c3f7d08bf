"""Small contexts from a script, in every wire: what was said and called in order, written as each format writes it."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

SESSION = "11111111-2222-4333-8444-555555555555"
BEGUN = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beat:
    """One thing that happens: ``user``, ``say``, ``notice``, ``call`` (with its result), ``think``, ``system``."""

    kind: str
    text: str = ""
    tool: str = ""
    args: Mapping[str, Any] = field(default_factory=dict)
    result: Any = ""
    is_error: bool = False
    has_result: bool = True
    call_id: str = ""


def user(text: str) -> Beat:
    """A person types."""
    return Beat(kind="user", text=text)


def say(text: str) -> Beat:
    """The agent speaks."""
    return Beat(kind="say", text=text)


def notice(text: str) -> Beat:
    """A program puts something beside the person's words."""
    return Beat(kind="notice", text=f"<system-reminder>{text}</system-reminder>")


def think(text: str) -> Beat:
    """The agent thinks, signed."""
    return Beat(kind="think", text=text)


def call(tool: str, result: Any, *, is_error: bool = False, has_result: bool = True, **args: Any) -> Beat:
    """The agent calls a tool, and what comes back."""
    return Beat(kind="call", tool=tool, args=args, result=result, is_error=is_error, has_result=has_result)


def read(path: str, result: str) -> Beat:
    """The agent reads a whole file."""
    return call("Read", result, file_path=path)


def bash(command: str, result: str, *, is_error: bool = False) -> Beat:
    """The agent runs a command."""
    return call("Bash", result, is_error=is_error, command=command)


def lines(count: int, word: str = "row", *, start: int = 0) -> str:
    """So many lines, all different, that hold no name but ``word``: none of them has to stay for its own sake."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    tags = [f"{letters[at // 26 % 26]}{letters[at % 26]}" for at in range(start, start + count)]
    return "\n".join(f"{word} {tag} of the log, as it was" for tag in tags)


def claude_code(beats: Sequence[Beat], *, model: str = "claude-opus-4-5-20251101", minutes: int = 1) -> bytes:
    """The session as Claude Code writes it."""
    records: list[dict[str, Any]] = []

    def add(kind: str, message: Mapping[str, Any], **more: Any) -> None:
        number = len(records)
        records.append(
            {
                "parentUuid": records[-1]["uuid"] if records else None,
                "isSidechain": False,
                "type": kind,
                "message": message,
                "uuid": f"00000000-0000-4000-8000-{number:012d}",
                "timestamp": (BEGUN + timedelta(minutes=minutes * number)).isoformat().replace("+00:00", "Z"),
                "sessionId": SESSION,
                "cwd": "/home/dev/shop",
                "version": "2.1.5",
                **more,
            }
        )

    def reply(block: Mapping[str, Any], number: int) -> dict[str, Any]:
        return {"id": f"msg_{number:04d}", "type": "message", "role": "assistant", "model": model, "content": [block]}

    for number, beat in enumerate(beats):
        if beat.kind in ("user", "notice"):
            add("user", {"role": "user", "content": beat.text})
        elif beat.kind == "say":
            add("assistant", reply({"type": "text", "text": beat.text}, number))
        elif beat.kind == "think":
            add("assistant", reply({"type": "thinking", "thinking": beat.text, "signature": "c2ln"}, number))
        elif beat.kind == "call":
            name = beat.call_id or f"toolu_{number:04d}"
            add("assistant", reply({"type": "tool_use", "id": name, "name": beat.tool, "input": beat.args}, number))
            if beat.has_result:
                block = {"tool_use_id": name, "type": "tool_result", "content": beat.result, "is_error": beat.is_error}
                beside = {"stdout": beat.result, "stderr": ""} if isinstance(beat.result, str) else None
                add("user", {"role": "user", "content": [block]}, toolUseResult=beside)
    return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records)


def codex(beats: Sequence[Beat]) -> bytes:
    """The session as a Codex rollout."""
    records: list[dict[str, Any]] = []

    def add(kind: str, payload: Mapping[str, Any]) -> None:
        at = (BEGUN + timedelta(minutes=len(records))).isoformat().replace("+00:00", "Z")
        records.append({"timestamp": at, "type": kind, "payload": payload})

    add("session_meta", {"id": SESSION, "timestamp": "2026-05-04T09:00:00Z", "cwd": "/home/dev/shop"})
    add("turn_context", {"cwd": "/home/dev/shop", "model": "gpt-5.5"})
    for number, beat in enumerate(beats):
        if beat.kind in ("user", "notice"):
            add("response_item", _message("user", "input_text", beat.text))
        elif beat.kind == "say":
            add("response_item", _message("assistant", "output_text", beat.text))
        elif beat.kind == "think":
            add("response_item", {"type": "reasoning", "summary": [], "encrypted_content": "Z2VoZWlt"})
        elif beat.kind == "call":
            name, args = beat.call_id or f"call_{number:04d}", json.dumps(beat.args)
            add("response_item", {"type": "function_call", "name": beat.tool, "arguments": args, "call_id": name})
            if beat.has_result:
                add("response_item", {"type": "function_call_output", "call_id": name, "output": beat.result})
                end = {"type": "exec_command_end", "call_id": name, "stdout": beat.result, "exit_code": 0}
                add("event_msg", end)
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def _message(role: str, kind: str, text: str) -> dict[str, Any]:
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def anthropic(beats: Sequence[Beat]) -> list[dict[str, Any]]:
    """The same as messages of the Messages API."""
    found: list[dict[str, Any]] = []
    for number, beat in enumerate(beats):
        if beat.kind in ("user", "notice"):
            found.append({"role": "user", "content": beat.text})
        elif beat.kind == "say":
            found.append({"role": "assistant", "content": [{"type": "text", "text": beat.text}]})
        elif beat.kind == "call":
            name = beat.call_id or f"toolu_{number:04d}"
            block = {"type": "tool_use", "id": name, "name": beat.tool, "input": dict(beat.args)}
            found.append({"role": "assistant", "content": [block]})
            if beat.has_result:
                answer: dict[str, Any] = {"type": "tool_result", "tool_use_id": name, "content": beat.result}
                found.append({"role": "user", "content": [{**answer, **({"is_error": True} if beat.is_error else {})}]})
    return found


def chat(beats: Sequence[Beat]) -> list[dict[str, Any]]:
    """The same as messages of Chat Completions."""
    found: list[dict[str, Any]] = []
    for number, beat in enumerate(beats):
        if beat.kind in ("user", "notice", "system"):
            found.append({"role": "system" if beat.kind == "system" else "user", "content": beat.text})
        elif beat.kind == "say":
            found.append({"role": "assistant", "content": beat.text})
        elif beat.kind == "call":
            name = beat.call_id or f"call_{number:04d}"
            called = {"name": beat.tool, "arguments": json.dumps(beat.args)}
            asked = {"id": name, "type": "function", "function": called}
            found.append({"role": "assistant", "content": None, "tool_calls": [asked]})
            if beat.has_result:
                found.append({"role": "tool", "tool_call_id": name, "content": beat.result})
    return found


def responses(beats: Sequence[Beat]) -> list[dict[str, Any]]:
    """The same as an input list of the Responses API."""
    found: list[dict[str, Any]] = []
    for number, beat in enumerate(beats):
        if beat.kind in ("user", "notice"):
            found.append(_message("user", "input_text", beat.text))
        elif beat.kind == "say":
            found.append(_message("assistant", "output_text", beat.text))
        elif beat.kind == "call":
            name, args = beat.call_id or f"call_{number:04d}", json.dumps(beat.args)
            found.append({"type": "function_call", "name": beat.tool, "arguments": args, "call_id": name})
            if beat.has_result:
                found.append({"type": "function_call_output", "call_id": name, "output": beat.result})
    return found


def as_json(make: Callable[[Sequence[Beat]], list[dict[str, Any]]]) -> Callable[[Sequence[Beat]], bytes]:
    """A maker of messages as a maker of one JSON document."""
    return lambda beats: json.dumps(make(beats), indent=1).encode()


MAKERS: Mapping[str, Callable[[Sequence[Beat]], bytes]] = {
    "claude-code": claude_code,
    "codex": codex,
    "anthropic-messages": as_json(anthropic),
    "openai-chat": as_json(chat),
    "openai-responses": as_json(responses),
}
"""Every wire by its name."""
