"""Items and groups: what stands in a context, each thing with a stable id, and what must never be torn apart.

``[N]`` counts from 0: physical records of a line format (every line counts, whatever is on it), positions of a message
list. A record may hold several items, or none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """What an item is, as an operation may ask."""

    SYSTEM = "system"  # instructions of the application: pinned
    USER = "user"  # a person's words, or another's in a person's place: pinned
    NOTICE = "notice"  # put beside the person's words by a program
    SUMMARY = "summary"  # what a compaction left, and the boundary itself: pinned
    ASSISTANT = "assistant"
    THINKING = "thinking"
    CALL = "call"
    RESULT = "result"
    ECHO = "echo"  # a second telling of another item, which no model is shown
    META = "meta"  # the program's own bookkeeping, which no model is shown


class Role(StrEnum):
    """What a record as a whole is to whoever names it by its index (seed 002)."""

    USER = "user"
    NOTICE = "system notice"
    ASSISTANT = "assistant"
    RESULTS = "tool results"
    NONE = "none"


SHOWN = frozenset({Kind.SYSTEM, Kind.USER, Kind.NOTICE, Kind.SUMMARY, Kind.ASSISTANT, Kind.CALL, Kind.RESULT})
"""Kinds that take up room in the window; thinking does too, and is counted apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing in a context. Its text stays in the document: ``Context.text`` reads it again.

    Attributes:
        id: Stable while the document only grows: the same thing has the same id after a curation elsewhere in it.
        number: Place among all items of the context, from 0.
        index: ``[N]`` of its record.
        part: Which record on its line, from 0; two may be glued together.
        kind: What it is.
        turn: How many messages a person had typed up to here, this one included.
        group: Number of its group.
        digest: SHA-256 of its text in UTF-8, 16 hex digits.
        tokens: Estimated.
        characters: Of its text.
        fields: Paths in its record: first the one that holds the payload, then second copies of it.
        tool: Name of the tool of a call or result.
        call_id: Pairs calls with results; empty otherwise.
        args: Arguments of a call, decoded; long strings are cut.
        injected: Why nobody typed it; empty for real words.
        is_person: A person typed it.
        is_error: A result that failed.
        is_rejected: A result in which a person refused or interrupted.
        is_tainted: It came from outside.
        is_sidechain: It belongs to a sub-agent's conversation inside this document.
        is_stub: It was pruned or collapsed before.
        is_server: The provider ran the tool itself; its payload must come back as it was.
        is_opaque: Encrypted, signed or of a form nobody here understands.
        is_reference: It names tools instead of holding output.
        images: How many images its payload holds.
        outside: Name of the file to which a large output was moved by the agent's program; empty otherwise.
        at: When, where the record says so.
    """

    id: str
    number: int
    index: int
    part: int
    kind: Kind
    turn: int
    group: int
    digest: str
    tokens: int
    characters: int
    fields: tuple[str, ...]
    tool: str = ""
    call_id: str = ""
    args: Mapping[str, Any]
    injected: str = ""
    is_person: bool = False
    is_error: bool = False
    is_rejected: bool = False
    is_tainted: bool = False
    is_sidechain: bool = False
    is_stub: bool = False
    is_server: bool = False
    is_opaque: bool = False
    is_reference: bool = False
    images: int = 0
    outside: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The smallest thing that stays together: a reply with all its calls and results, or a plain message.

    Attributes:
        number: From 0, in order of their first items.
        items: Numbers of its items, in order.
        is_open: A call of it has no result yet.
    """

    number: int
    items: tuple[int, ...]
    is_open: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One value to be written into one record; everything else of the record keeps its bytes.

    Attributes:
        index: ``[N]`` of the record.
        part: Which record on its line.
        field: Path of the value that is replaced, such as ``message.content[0].content``.
        value: A JSON value.
        kept: Where the value is a part of the list that stands there, the positions of its elements: their bytes are
            copied. Empty for a value of its own.
    """

    index: int
    part: int
    field: str
    value: object
    kept: tuple[int, ...] = ()
