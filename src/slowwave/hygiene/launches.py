"""Launches: calls that went on in the background; until their end is told, what they said first is still open."""

import re

from slowwave.hygiene.items import Item, Kind

_LAUNCHED = re.compile(
    r"(?:Process running with session ID|running in background with ID:?|[Bb]ackground task ID:?|agentId:)"
    r"\s*([\w-]{1,64})"
)
_GOES_ON = re.compile(r'<status>(?:running|pending)</status>|not_ready|"status": ?"(?:running|queued|in_progress)"')
_HEAD_CHARACTERS = 600  # of a result in which a program says that it goes on
_NAMES = ("session_id", "task_id", "bash_id", "shell_id", "agent_id", "agentId", "id", "taskId", "cell_id", "target")
"""Arguments by which a later call names what was launched."""


class Launches:
    """Remembers what was launched in one document and has not ended."""

    def __init__(self) -> None:
        self._running: dict[str, int] = {}
        self._asked: dict[str, str] = {}

    @property
    def open_groups(self) -> set[int]:
        """Groups whose launch has not ended."""
        return set(self._running.values())

    def see(self, item: Item, text: str) -> None:
        """Take note of one item."""
        if item.kind is Kind.CALL:
            self._called(item)
        elif item.kind is Kind.RESULT:
            self._returned(item, text)
        elif item.kind is Kind.NOTICE and self._running:
            self._end([name for name in self._running if name in text])

    def _called(self, item: Item) -> None:
        for name in _NAMES:
            value = str(item.args.get(name, ""))
            if value in self._running:
                self._asked[item.call_id] = value

    def _returned(self, item: Item, text: str) -> None:
        found = _LAUNCHED.search(text, 0, _HEAD_CHARACTERS)
        asked = self._asked.pop(item.call_id, "")
        goes_on = _GOES_ON.search(text, 0, _HEAD_CHARACTERS) is not None
        if not goes_on and (found is None or (asked and asked != found.group(1))):
            self._end([asked])
        if found is not None and not asked:
            self._running[found.group(1)] = item.group

    def _end(self, names: list[str]) -> None:
        for name in names:
            self._running.pop(name, None)
