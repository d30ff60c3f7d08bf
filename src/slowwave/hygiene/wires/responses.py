"""OpenAI Responses: a flat list of messages, reasoning, calls and their outputs."""

from collections.abc import Sequence

from slowwave.hygiene.items import Kind
from slowwave.hygiene.wires.replies import Replies
from slowwave.hygiene.wires.wire import Record, Seen, Sight, sight_of, text_field
from slowwave.records.formats.codex_items import Echoes, ItemReader
from slowwave.records.formats.format import vote

_ITEMS = frozenset(
    {
        "reasoning", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output",
        "local_shell_call", "local_shell_call_output", "web_search_call", "file_search_call", "computer_call",
        "computer_call_output", "item_reference", "compaction",
    }
)  # fmt: skip


class Responses:
    """Input lists of the Responses API."""

    name = "openai-responses"
    provider = "openai-responses"
    keeps_first = True

    def detect(self, head: Sequence[Record]) -> bool:
        """By its own items: messages alone look like those of Chat, which is read alike."""
        return any(record.get("type") in _ITEMS for record in head) and vote(head, _is_mine)

    def reader(self) -> "ResponsesReader":
        """A reader for one document."""
        return ResponsesReader()

    def session_of(self, record: Record) -> str:
        """A list carries none."""
        del record
        return ""


def _is_mine(record: Record) -> bool:
    kind = record.get("type")
    is_message = kind in (None, "message") and "role" in record and "content" in record
    return is_message or kind in _ITEMS


class ResponsesReader:
    """Reads one list."""

    def __init__(self) -> None:
        self._items = ItemReader("", Echoes())
        self._replies = Replies()

    def read(self, record: Record) -> Seen:
        """What the item shows."""
        item = record if "type" in record else {**record, "type": "message"}
        sights = [sight_of(draft) for draft in self._items.item(item, is_aside=False)]
        if record.get("role") in ("system", "developer"):
            for sight in sights:
                sight.kind = Kind.SYSTEM
        mark_item(sights, item)
        return Seen(
            sights=sights,
            reply=self._replies.place(item),
            id=text_field(record, "id"),
            is_boundary=record.get("type") == "compaction",
        )


def mark_item(sights: Sequence[Sight], item: Record) -> None:
    """Reasoning comes back as it was; tools the provider runs keep their calls."""
    kind = text_field(item, "type")
    for sight in sights:
        if sight.kind is Kind.THINKING:
            sight.is_opaque = bool(item.get("encrypted_content")) or bool(item.get("id"))
        if kind in ("web_search_call", "file_search_call", "computer_call", "compaction", "item_reference"):
            sight.is_server = sight.is_answered = True
