"""OpenAI Chat, and any list of messages with a role and a content."""

from collections.abc import Iterator, Sequence
from typing import Any

from slowwave.hygiene.items import Kind
from slowwave.hygiene.payloads import payload_text
from slowwave.hygiene.wires.wire import Record, Seen, Sight, sight_of, text_field
from slowwave.records.formats.draft import AGENT, CALL, NOTHING, RESULT, TEXT, TOOL, Draft
from slowwave.records.formats.format import vote
from slowwave.records.formats.said import said_by_nobody, said_by_person
from slowwave.records.formats.tools import arguments_of, call_text, is_fetching
from slowwave.records.whole import encode

_SAYS = frozenset({"content", "tool_calls", "function_call"})
_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})


class Chat:
    """Message lists of Chat Completions."""

    name = "openai-chat"
    provider = "openai-chat"
    keeps_first = True

    def detect(self, head: Sequence[Record]) -> bool:
        """A role on every message."""
        return vote(head, lambda record: record.get("role") in _ROLES and not _SAYS.isdisjoint(record))

    def reader(self) -> "ChatReader":
        """A reader for one document."""
        return ChatReader()

    def session_of(self, record: Record) -> str:
        """A list carries none."""
        del record
        return ""


class ChatReader:
    """Reads one list; remembers its calls."""

    def __init__(self) -> None:
        self._calls: dict[str, tuple[str, bool]] = {}
        self._replies = 0

    def read(self, record: Record) -> Seen:
        """What the message shows."""
        role = record.get("role")
        sights: list[Sight] = []
        if role in ("tool", "function"):
            sights = [self._result(record)]
        elif role == "assistant":
            self._replies += 1
            sights = [*_texts(record, role), *self._asked(record)]
        elif role in ("system", "developer", "user"):
            sights = list(_texts(record, role))
        return Seen(
            sights=sights,
            id=text_field(record, "id"),
            reply=f"reply-{self._replies}" if role == "assistant" else "",
            at=record.get("timestamp", record.get("ts")),
            model=text_field(record, "model"),
        )

    def _asked(self, record: Record) -> Iterator[Sight]:
        calls: Any = record.get("tool_calls")
        for place, call in enumerate(calls if isinstance(calls, list) else ()):
            called = call.get("function", call.get("custom")) if isinstance(call, dict) else None
            if isinstance(called, dict):
                raw = called.get("arguments", called.get("input"))
                yield self._call(text_field(called, "name"), text_field(call, "id"), raw, f"tool_calls[{place}]")
        old = record.get("function_call")
        if isinstance(old, dict):
            name = text_field(old, "name")
            yield self._call(name, name, old.get("arguments"), "function_call")

    def _call(self, tool: str, call_id: str, raw: object, field: str) -> Sight:
        args = arguments_of(raw)
        text, _ = call_text(args)
        self._calls[call_id] = (tool, is_fetching(tool, text))
        more = {"tool": tool, "call_id": call_id, "args": args}
        return sight_of(Draft(AGENT, CALL, text or encode(args), (field,), more=more))

    def _result(self, record: Record) -> Sight:
        call_id = text_field(record, "tool_call_id") or text_field(record, "name")
        tool, is_tainted = self._calls.get(call_id, (text_field(record, "name"), False))
        text = payload_text(record.get("content"))
        more = {"tool": tool, "call_id": call_id, "is_tainted": is_tainted}
        return sight_of(Draft(TOOL, RESULT, text, ("content",), more=more))


def _texts(record: Record, role: str) -> Iterator[Sight]:
    content = record.get("content")
    parts = content if isinstance(content, list) else [content]
    for place, part in enumerate(parts):
        text = part.get("text", part.get("refusal")) if isinstance(part, dict) else part
        if not isinstance(text, str) or not text:
            continue
        field = f"content[{place}].text" if isinstance(part, dict) else "content"
        fields = (field if isinstance(content, list) else "content",)
        if role == "assistant":
            yield sight_of(Draft(AGENT, TEXT, text, fields, more=NOTHING))
        elif role == "user":
            yield from map(sight_of, said_by_person(text, fields))
        else:
            for draft in said_by_nobody(text, fields, "instructions"):
                sight = sight_of(draft)
                sight.kind = Kind.SYSTEM
                yield sight
