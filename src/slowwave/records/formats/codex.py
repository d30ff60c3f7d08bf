"""Codex rollouts of the current form: an envelope of time, type and payload around every item and event.

The first ``session_meta`` is the file's identity. A fork or a sub-agent's file begins with its parent's history,
restamped; ``Lineage`` says to which session a turn belongs, so that copied history has the identity it has at home.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from slowwave.facts.ids import digest
from slowwave.facts.moment import parse
from slowwave.records.entries import Entry
from slowwave.records.formats.codex_items import Echoes, ItemReader
from slowwave.records.formats.codex_lineage import Lineage
from slowwave.records.formats.draft import META, SYSTEM, Draft, Place, make_entry
from slowwave.records.formats.format import vote
from slowwave.records.lines import Line

_TYPES = frozenset(
    {
        "session_meta",
        "response_item",
        "event_msg",
        "turn_context",
        "compacted",
        "world_state",
        "inter_agent_communication_metadata",
    }
)


class Codex:
    """The format of Codex since autumn 2025."""

    name = "codex"

    def detect(self, path: Path, head: Sequence[Mapping[str, Any]]) -> bool:
        """By content: a known type and a payload; a chunk without its ``session_meta`` is recognised as well."""
        del path
        return vote(head, lambda record: record.get("type") in _TYPES and isinstance(record.get("payload"), dict))

    def reader(self) -> "CodexReader":
        """A reader for one file."""
        return CodexReader()

    def entries(self, lines: Iterable[Line], *, file: int = 0) -> Iterator[Entry]:
        """The entries of one file, in order."""
        reader = self.reader()
        for line in lines:
            for part, record in enumerate(line.records, line.first_part):
                place = Place(line.number, part, file, parse(record.get("timestamp")), record_digest(record))
                for ordinal, draft in enumerate(reader.read(record)):
                    yield make_entry(draft, place, ordinal)


def record_digest(record: Mapping[str, Any]) -> str:
    """Codex gives its records no ids: a digest of the record without the time of writing, which a copy changes."""
    payload = record.get("payload")
    held = {"type": record.get("type"), "payload": payload} if isinstance(payload, dict) else record
    return digest(orjson.dumps(held, option=orjson.OPT_SORT_KEYS).decode())


class CodexReader:
    """Reads one file; remembers whose history it is in, its calls, and what was already said."""

    def __init__(self) -> None:
        self.lineage = Lineage()
        self._echoes = Echoes()
        self._items = ItemReader("payload.", self._echoes)

    def read(self, record: Mapping[str, Any]) -> list[Draft]:
        """What the record says; an unknown record is kept as meta."""
        kind, payload = record.get("type"), record.get("payload")
        if not isinstance(payload, dict):
            return [_meta("", "harness")]
        if kind == "session_meta":
            self.lineage.meet(payload)
        elif kind == "turn_context" or payload.get("type") == "task_started":
            self.lineage.turn(payload.get("turn_id"))
        self._echoes.scope = self.lineage.current
        drafts: list[Draft] = []
        if kind == "response_item":
            drafts = self._items.item(payload, is_aside=self.lineage.is_aside)
        elif kind == "event_msg":
            drafts = self._items.event(payload, is_aside=self.lineage.is_aside)
        if not drafts:
            drafts = [_meta(_title(payload), "compaction" if kind == "compacted" else "harness")]
        if self.lineage.is_aside:
            for draft in drafts:
                draft.more = {**draft.more, "is_sidechain": True}
        return drafts


def _title(payload: Mapping[str, Any]) -> str:
    name = payload.get("thread_name")
    return name if isinstance(name, str) else ""


def _meta(text: str, reason: str) -> Draft:
    return Draft(SYSTEM, META, text, ("payload",), reason)
