"""A draft: what a record says, before its place in the session is known.

Readers make drafts, which are cheap; ``Entry`` is made of one when somebody wants all of it. Counting a session needs
the drafts only.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from slowwave.facts.evidence import Speaker
from slowwave.facts.ids import digest
from slowwave.facts.limits import ENTRY_TEXT_CHARACTERS
from slowwave.records.entries import Entry, EntryKind

NOTHING: Mapping[str, Any] = {}

USER, AGENT, TOOL, SYSTEM = Speaker.USER, Speaker.AGENT, Speaker.TOOL, Speaker.SYSTEM
TEXT, THINKING, META = EntryKind.TEXT, EntryKind.THINKING, EntryKind.META
CALL, RESULT = EntryKind.TOOL_CALL, EntryKind.TOOL_RESULT
"""The members by names of our own: looking one up in its enumeration costs as much as making half a draft."""


class Draft:
    """One thing a record says.

    Attributes:
        speaker: Whose words.
        kind: What sort.
        text: The whole text, not cut.
        fields: Paths of the record's strings it owns.
        injected: Why nobody typed it.
        is_copy: It repeats something that stands earlier.
        key: Identity of the observation where the reader knows it, whole or as parts to be digested; empty: made of
            the record's id.
        more: The rest of an entry's attributes that differ from their defaults.
    """

    __slots__ = ("fields", "injected", "is_copy", "key", "kind", "more", "speaker", "text")

    def __init__(
        self,
        speaker: Speaker,
        kind: EntryKind,
        text: str,
        fields: tuple[str, ...],
        injected: str = "",
        *,
        more: Mapping[str, Any] = NOTHING,
    ) -> None:
        self.speaker = speaker
        self.kind = kind
        self.text = text
        self.fields = fields
        self.injected = injected
        self.is_copy = False
        self.key: str | tuple[str, ...] = ""
        self.more = more

    @property
    def is_person(self) -> bool:
        """A person's own words, said for the first time."""
        return (
            self.speaker is USER
            and self.kind is TEXT
            and not self.injected
            and not self.is_copy
            and not self.more.get("is_sidechain")
        )


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands, when it was written and by which name it is known."""

    line: int
    part: int
    file: int
    ts: datetime | None
    record_id: str


def make_entry(draft: Draft, place: Place, ordinal: int) -> Entry:
    """An entry of a draft; ``ordinal`` counts the drafts of its record, from 0."""
    more = draft.more
    key = draft.key if isinstance(draft.key, str) else digest(*draft.key)
    return Entry(
        line=place.line,
        part=place.part,
        file=place.file,
        ts=place.ts,
        speaker=draft.speaker,
        kind=draft.kind,
        text=draft.text[:ENTRY_TEXT_CHARACTERS],
        record_id=place.record_id,
        origin=key or f"{place.record_id}#{ordinal}",
        is_copy=draft.is_copy,
        injected=draft.injected,
        fields=draft.fields,
        **({"args": NOTHING} | dict(more)),
    )
