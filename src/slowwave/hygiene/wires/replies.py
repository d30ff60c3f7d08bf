"""Replies in a flat list of items, where nothing names them."""

from slowwave.hygiene.wires.wire import Record


class Replies:
    """Numbers the agent's replies in a flat list of items: a new one begins after a result or a message of others."""

    def __init__(self) -> None:
        self._number = 0
        self._is_open = False

    def place(self, item: Record) -> str:
        """The name of the reply an item belongs to; empty for a message of others and for a result."""
        kind = item.get("type")
        if kind == "message" or (kind is None and "role" in item):
            is_agent = item.get("role") == "assistant"
        else:
            is_agent = kind == "reasoning" or (isinstance(kind, str) and kind.endswith("_call"))
        if not is_agent:
            self._is_open = self._is_open and not isinstance(kind, str)
            return ""
        if not self._is_open:
            self._number, self._is_open = self._number + 1, True
        return f"reply-{self._number}"
