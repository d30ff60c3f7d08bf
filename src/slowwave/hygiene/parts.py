"""Parts: the messages of a pydantic-ai agent, shown to the hygienist as a list of messages, told by what they say.

The package itself is not imported: a message has ``kind`` and ``parts``, a part has ``part_kind`` and its few fields,
and ``dataclasses.replace`` makes a changed one. What is not known by its kind is neither shown nor touched.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from slowwave.hygiene.document import UnknownContextError
from slowwave.records.whole import encode

Place = tuple[int, int]
"""Position of a message, and of a part in it."""

_FAILED = frozenset({"failed", "retried"})
_OWN = frozenset({"success", "failed"})
"""Outcomes whose content a tool wrote; a refusal may hold a person's words, a repeat is how a call is put right."""
_SIGN = "signature"


@dataclass(frozen=True, slots=True, kw_only=True)
class AsRecords:
    """Messages as the hygienist reads them.

    Attributes:
        records: In the form of the Messages API, which can say all of it: a record for each reply, and for each part
            of a request.
        places: Of each record that is a tool's result and may be changed, by its index, where it stands.
        provider: Who answered last; empty before the first reply.
        model: That answered last.
    """

    records: Sequence[Mapping[str, Any]]
    places: Mapping[int, Place]
    provider: str
    model: str


def as_records(messages: Sequence[Any]) -> AsRecords:
    """Messages of an agent as records, from the last compaction on.

    Raises:
        UnknownContextError: They are no messages of pydantic-ai.
    """
    records: list[dict[str, Any]] = []
    places: dict[int, Place] = {}
    provider = model = ""
    for number, message in enumerate(messages):
        kind, parts = _kind_and_parts(message, number)
        if any(part.part_kind == "compaction" for part in parts):
            records, places = [], {}  # of what stands before it the provider is shown nothing any more
        if kind == "response":
            records.append(_reply(message, parts))
            provider, model = _text(message, "provider_name") or provider, _text(message, "model_name") or model
            continue
        for place, part in enumerate(parts):
            record = _told(part)
            if record is not None and may_change(part):
                places[len(records)] = (number, place)
            records += [] if record is None else [record]
    return AsRecords(records=records, places=places, provider=provider, model=model)


def results_of(messages: Sequence[Any]) -> Iterator[tuple[Place, Any]]:
    """The results of tools, in order, with their places."""
    for number, message in enumerate(messages):
        for place, part in enumerate(_kind_and_parts(message, number)[1]):
            if part.part_kind == "tool-return" or (part.part_kind == "retry-prompt" and _text(part, "tool_name")):
                yield (number, place), part


def may_change(part: Any) -> bool:
    """Whether a part is a result whose words may be others: not a person's, and of no form that the package reads."""
    return (
        part.part_kind == "tool-return"
        and getattr(part, "tool_kind", None) is None
        and getattr(part, "outcome", "success") in _OWN
    )


def words_of(part: Any) -> str:
    """What a model is told of a result, files left out."""
    content = part.content
    if isinstance(content, str):
        return content
    tell = getattr(part, "model_response_str", None)
    told = tell() if callable(tell) else encode(content)
    return told if isinstance(told, str) else ""


def with_contents(messages: Sequence[Any], contents: Mapping[Place, str]) -> list[Any]:
    """Messages with other contents at some places; all others are the very same objects."""
    by_message: dict[int, dict[int, str]] = {}
    for (number, place), text in contents.items():
        by_message.setdefault(number, {})[place] = text
    return [
        _with_parts(message, by_message[number]) if number in by_message else message
        for number, message in enumerate(messages)
    ]


def course_of(messages: Sequence[Any]) -> str:
    """What tells one course of messages from another: the id that the agent gave it, else its first message."""
    named = next((name for message in messages if (name := _text(message, "conversation_id"))), "")
    if named or not messages:
        return named
    parts = _kind_and_parts(messages[0], 0)[1]
    return encode([[part.part_kind, str(getattr(part, "content", "")), _time(part)] for part in parts])


def _with_parts(message: Any, contents: Mapping[int, str]) -> Any:
    parts = [
        replace(part, content=contents[place]) if place in contents else part
        for place, part in enumerate(message.parts)
    ]
    return replace(message, parts=parts)


def _kind_and_parts(message: Any, number: int) -> tuple[str, Sequence[Any]]:
    kind, parts = getattr(message, "kind", ""), getattr(message, "parts", None)
    is_known = kind in ("request", "response") and isinstance(parts, Sequence)
    if not is_known or not all(isinstance(getattr(part, "part_kind", None), str) for part in parts or ()):
        raise UnknownContextError(
            f"message {number} is a {type(message).__name__} and none of pydantic-ai",
            hint="of other lists of messages, slowwave.curate takes care",
        )
    return kind, parts or ()


def _reply(message: Any, parts: Sequence[Any]) -> dict[str, Any]:
    """A reply with its calls; its time is that of the cache's last use."""
    blocks = [block for part in parts if (block := _block(part)) is not None]
    return {
        "role": "assistant",
        "content": blocks,
        "timestamp": _time(message),
        "model": _text(message, "model_name"),
    }


def _block(part: Any) -> dict[str, Any] | None:
    kind, content = part.part_kind, _text(part, "content")
    call_id = _text(part, "tool_call_id")
    if kind in ("text", "speech") and content:
        return {"type": "text", "text": content}
    if kind == "thinking":
        return {"type": "thinking", "thinking": content, _SIGN: _text(part, _SIGN)}
    if kind == "tool-call":
        return {"type": "tool_use", "id": call_id, "name": part.tool_name, "input": _arguments(part.args)}
    if kind == "builtin-tool-call":
        return {"type": "server_tool_use", "id": call_id, "name": part.tool_name, "input": _arguments(part.args)}
    if kind == "builtin-tool-return":
        return {"type": "builtin_tool_result", "tool_use_id": call_id, "content": words_of(part)}
    return None


def _told(part: Any) -> dict[str, Any] | None:
    """A part of a request as a record; None for what no model is shown, and for what is not known."""
    kind = part.part_kind
    if kind == "user-prompt":
        return {"role": "user", "content": _typed(part.content)}
    is_retry = kind == "retry-prompt" and bool(_text(part, "tool_name"))
    if kind == "tool-return" or is_retry:
        block = {
            "type": "tool_result",
            "tool_use_id": _text(part, "tool_call_id"),
            "content": _payload(part),
            "is_error": is_retry or getattr(part, "outcome", "") in _FAILED,
        }
        return {"role": "user", "content": [block]}
    content = _text(part, "content")
    if kind in ("system-prompt", "compaction", "retry-prompt", "retry-feedback") and content:
        return {"role": "system", "content": content}
    return None


def _typed(content: Any) -> str | list[dict[str, Any]]:
    """A person's words; of what stands beside them, pictures and files, only that they are there."""
    if isinstance(content, str):
        return content
    texts = (each if isinstance(each, str) else getattr(each, "content", None) for each in content)
    return [{"type": "text", "text": text} if isinstance(text, str) else {"type": "image"} for text in texts]


def _payload(part: Any) -> str | list[dict[str, Any]]:
    files = getattr(part, "files", None)
    words = words_of(part)
    if not files:
        return words
    return [*([{"type": "text", "text": words}] if words else []), *({"type": "image"} for _ in files)]


def _arguments(given: Any) -> dict[str, Any]:
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            return {}
    return dict(given) if isinstance(given, dict) else {}


def _time(holder: Any) -> str:
    moment = getattr(holder, "timestamp", None)
    return moment.isoformat() if isinstance(moment, datetime) else ""


def _text(holder: Any, name: str) -> str:
    value = getattr(holder, name, None)
    return value if isinstance(value, str) else ""
