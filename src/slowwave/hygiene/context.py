"""A context: a document read into items and groups, and the texts of its items whenever somebody asks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from operator import attrgetter

from slowwave.hygiene.document import AnyDocument
from slowwave.hygiene.items import Group, Item, Kind, Role
from slowwave.hygiene.payloads import payload_text
from slowwave.hygiene.splice import value_at
from slowwave.hygiene.wires.wire import Record


@dataclass(frozen=True, kw_only=True)
class Context:
    """What stands in a document.

    Attributes:
        document: Where the texts are.
        items: In order.
        groups: In order of their first items.
        boundary: Number of the first item behind the last compaction; what stands before it is in no window.
        roles: Role of the record at each index; an index without items has ``NONE``.
        models: Index and model of each reply that names one.
        session: The session id of the document; empty where it has none.
        turns: Numbers of the items a person typed, in order, copies left out.
    """

    document: AnyDocument
    items: Sequence[Item]
    groups: Sequence[Group]
    boundary: int
    roles: Sequence[Role]
    models: Sequence[tuple[int, str]]
    session: str
    turns: Sequence[int]

    def text(self, item: Item) -> str:
        """The whole words of an item."""
        record = self.document.record(item.index, item.part)
        return item_text(record, item.kind, item.fields)

    def record(self, item: Item) -> Record:
        """The record of an item."""
        return self.document.record(item.index, item.part)

    def value(self, item: Item) -> object:
        """The payload of an item as its record holds it."""
        return value_at(self.record(item), item.fields[0]) if item.fields else None

    def window(self) -> Iterator[Item]:
        """The items a model would be shown: behind the last compaction, no bookkeeping, no second tellings."""
        return (item for item in self.items[self.boundary :] if item.kind not in (Kind.ECHO, Kind.META))

    @cached_property
    def tokens(self) -> int:
        """Of the window, estimated."""
        return sum(item.tokens for item in self.window())

    @cached_property
    def by_index(self) -> dict[int, tuple[Item, ...]]:
        """The items of each record that has any."""
        return {index: tuple(held) for index, held in groupby(self.items, attrgetter("index"))}

    def call_of(self, item: Item) -> Item | None:
        """The call of a result; None where there is none."""
        return self._calls.get((item.group, item.call_id))

    def echoes_of(self, item: Item) -> Sequence[Item]:
        """Second tellings of a result in records of their own."""
        return self._echoes.get((item.group, item.call_id), ())

    @cached_property
    def _calls(self) -> dict[tuple[int, str], Item]:
        """The calls by group and id: some programs begin to count anew with every reply."""
        return {(item.group, item.call_id): item for item in self.items if item.kind is Kind.CALL and item.call_id}

    @cached_property
    def _echoes(self) -> dict[tuple[int, str], list[Item]]:
        found: dict[tuple[int, str], list[Item]] = {}
        for item in self.items:
            if item.kind is Kind.ECHO and item.call_id and not item.args:  # arguments are a call's, told again
                found.setdefault((item.group, item.call_id), []).append(item)
        return found


def item_text(record: Record, kind: Kind, fields: Sequence[str]) -> str:
    """The words of an item: a result's payload, or the text at its first field."""
    value = value_at(record, fields[0]) if fields else None
    if kind is Kind.RESULT:
        return payload_text(value)
    return value if isinstance(value, str) else ""
