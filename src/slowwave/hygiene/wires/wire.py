"""The interface of a wire, and what one record of it shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from slowwave.facts.evidence import Speaker
from slowwave.hygiene.items import Kind
from slowwave.records.entries import EntryKind
from slowwave.records.formats.draft import Draft

Record = Mapping[str, Any]

_PLAIN = {
    EntryKind.TOOL_RESULT: Kind.RESULT,
    EntryKind.TOOL_CALL: Kind.CALL,
    EntryKind.THINKING: Kind.THINKING,
    EntryKind.META: Kind.META,
}
_IN_A_PERSONS_PLACE = frozenset({"prompt", "pasted", "interruption"})
"""Injected, but what the agent works from: a brief by another agent, a plan that was handed over, a person's stop."""


@dataclass(slots=True, kw_only=True)
class Sight:
    """One thing a record shows.

    Attributes:
        kind: What it is.
        text: Its words.
        fields: Paths in the record, the payload's first.
        injected: Why nobody typed it.
        is_person: A person typed it.
        is_copy: It repeats what stands earlier.
        more: ``tool``, ``call_id``, ``args``, ``is_error``, ``is_rejected``, ``is_tainted``, ``is_sidechain``.
        is_server: The provider ran the tool.
        is_opaque: Its bytes must come back as they are.
        is_answered: A call that nobody waits for: what came of it stands in it, or is shown to nobody.
    """

    kind: Kind
    text: str
    fields: tuple[str, ...]
    injected: str = ""
    is_person: bool = False
    is_copy: bool = False
    more: Mapping[str, Any] = field(default_factory=dict)
    is_server: bool = False
    is_opaque: bool = False
    is_answered: bool = False


@dataclass(slots=True, kw_only=True)
class Seen:
    """What one record shows.

    Attributes:
        sights: In order; none for bookkeeping.
        id: The record's own id; empty where it has none.
        reply: Equal for all records of one reply of the agent; empty for anything else.
        at: The record's time as it is written.
        model: That wrote it; empty where nothing says so.
        is_boundary: A compaction ended here: what stands before it is in no window any more.
    """

    sights: Sequence[Sight]
    id: str = ""
    reply: str = ""
    at: object = None
    model: str = ""
    is_boundary: bool = False


class WireReader(Protocol):
    """Reads the records of one document in order."""

    def read(self, record: Record) -> Seen:
        """What the record shows."""
        ...


class Wire(Protocol):
    """How one kind of context is written down."""

    @property
    def name(self) -> str:
        """Such as ``claude-code``."""
        ...

    @property
    def provider(self) -> str:
        """Whose rules its messages keep: ``anthropic``, ``openai-chat``, ``openai-responses``."""
        ...

    @property
    def keeps_first(self) -> bool:
        """Whether a document is the session its first record names, rather than the last one's."""
        ...

    def detect(self, head: Sequence[Record]) -> bool:
        """Whether records like these are written so."""
        ...

    def reader(self) -> WireReader:
        """A reader for one document."""
        ...

    def session_of(self, record: Record) -> str:
        """The session id a record carries; empty for none."""
        ...


def sight_of(draft: Draft, *, is_echo: bool = False) -> Sight:
    """A draft of the transcript reader as a sighting."""
    more = draft.more
    kind = _kind_of(draft)
    if is_echo and kind is not Kind.META:
        kind = Kind.ECHO
    return Sight(
        kind=kind,
        text=draft.text,
        fields=draft.fields,
        injected=draft.injected,
        is_person=draft.speaker is Speaker.USER and not draft.injected and not more.get("is_sidechain"),
        is_copy=draft.is_copy,
        more=more,
    )


def _kind_of(draft: Draft) -> Kind:
    if draft.injected == "compaction":
        return Kind.SUMMARY
    if draft.injected == "interruption":
        return Kind.USER
    plain = _PLAIN.get(draft.kind)
    if plain is not None:
        return plain
    if draft.speaker is Speaker.AGENT:
        return Kind.ASSISTANT
    if draft.speaker is Speaker.USER or draft.injected in _IN_A_PERSONS_PLACE:
        return Kind.USER
    return Kind.META if draft.injected == "harness" else Kind.NOTICE


def text_field(record: Record, key: str) -> str:
    """A text member of a record; empty for anything else."""
    value = record.get(key)
    return value if isinstance(value, str) else ""
