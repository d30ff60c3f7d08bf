"""Codex rollouts, with an envelope around every item and without: the items keep the rules of the Responses API.

Events beside the items, settings and snapshots are sent to nobody. A compaction ends a context, and the history it
puts in its place is one of its own; whoever stands open before it stays open.
"""

from collections.abc import Iterator, Mapping

from slowwave.hygiene.shapes.defect import Defect, Record, Records, run, text_of
from slowwave.hygiene.shapes.responses import ItemsChecker

_ITEM, _COMPACTED = "response_item", "compacted"
_UNSENT = frozenset({"ghost_snapshot"})
_BARE = frozenset({"message", "reasoning", "local_shell_call", "web_search_call"})


def check(records: Records) -> tuple[Defect, ...]:
    """Where the items of a rollout break the rules of the Responses API."""
    return run(RolloutChecker(), records)


class RolloutChecker:
    """Hands items on, whatever is around them."""

    def __init__(self) -> None:
        self._items = ItemsChecker()

    def see(self, index: int, part: int, record: Record) -> Iterator[Defect]:
        """What the item on a record breaks; nothing for any other record."""
        payload = record.get("payload")
        kind = text_of(record, "type")
        if isinstance(payload, Mapping):
            if kind == _COMPACTED:
                yield from self._items.end()
            item = payload if kind == _ITEM else {}
        else:
            item = record if kind in _BARE or kind.endswith(("_call", "_output")) else {}
        if item and text_of(item, "type") not in _UNSENT:
            yield from self._items.see(index, part, item)

    def end(self) -> Iterator[Defect]:
        """What is still open once nothing more comes."""
        yield from self._items.end()
