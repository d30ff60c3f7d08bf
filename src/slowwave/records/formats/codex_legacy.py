"""Codex rollouts of the old form, to August 2025: a header line, then bare items and state lines, without times."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from slowwave.facts.moment import parse
from slowwave.records.entries import Entry
from slowwave.records.formats.codex import record_digest
from slowwave.records.formats.codex_items import Echoes, ItemReader
from slowwave.records.formats.draft import META, SYSTEM, Draft, Place, make_entry
from slowwave.records.formats.format import vote
from slowwave.records.lines import Line

_ITEMS = {
    "message": "role",
    "reasoning": "summary",
    "function_call": "arguments",
    "function_call_output": "output",
    "local_shell_call": "action",
}
"""Bare items, and a key each has in this form."""
_HEADER = {"id", "timestamp", "instructions"}


class CodexLegacy:
    """The format of Codex before the envelope."""

    name = "codex-legacy"

    def detect(self, path: Path, head: Sequence[Mapping[str, Any]]) -> bool:
        """By content: bare items without a time of their own, state lines, and the header."""
        del path
        return vote(head, _is_mine)

    def reader(self) -> "LegacyReader":
        """A reader for one file."""
        return LegacyReader()

    def entries(self, lines: Iterable[Line], *, file: int = 0) -> Iterator[Entry]:
        """The entries of one file, in order; only the header's own has a time."""
        reader = self.reader()
        for line in lines:
            for part, record in enumerate(line.records, line.first_part):
                place = Place(line.number, part, file, parse(record.get("timestamp")), record_digest(record))
                for ordinal, draft in enumerate(reader.read(record)):
                    yield make_entry(draft, place, ordinal)


def _is_mine(record: Mapping[str, Any]) -> bool:
    if "record_type" in record:
        return True
    kind = record.get("type")
    if isinstance(kind, str):
        key = _ITEMS.get(kind)
        return key is not None and key in record and not {"timestamp", "uuid", "parentId"} & record.keys()
    return record.keys() >= _HEADER


class LegacyReader:
    """Reads one file; the header's id is the session whose history it is."""

    def __init__(self) -> None:
        self._echoes = Echoes()
        self._items = ItemReader("", self._echoes)

    def read(self, record: Mapping[str, Any]) -> list[Draft]:
        """What the record says; the header and state lines are meta."""
        if not self._echoes.scope and "type" not in record and isinstance(record.get("id"), str):
            self._echoes.scope = record["id"]
        drafts = self._items.item(record, is_aside=False)
        return drafts or [Draft(SYSTEM, META, "", (), "harness")]
