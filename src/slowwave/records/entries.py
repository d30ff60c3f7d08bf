"""The canonical form: one entry for each thing that was said, thought, called or returned in a session."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from slowwave.facts.evidence import Speaker


class EntryKind(StrEnum):
    """What sort of thing an entry is."""

    TEXT = "text"
    THINKING = "thinking"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    META = "meta"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing that happened in a session.

    Attributes:
        line: Physical line of its file, from 1.
        part: Which record on that line, from 0 (two records may be glued on one line).
        file: 0 for the session's main file, then its side files in order of name.
        ts: Aware UTC moment, or None where the record has none.
        speaker: Whose words ``text`` is. A call is the agent's, a result the tool's.
        kind: Text, thinking, call, result or meta.
        text: The decoded words: of a message or thought; of a result its output; of a call its command or the
            longest argument. Cut at ``ENTRY_TEXT_CHARACTERS``.
        tool: Name of the tool of a call or result, as the agent spells it; empty otherwise.
        call_id: Pairs a call with its result; empty otherwise.
        args: Arguments of a call, decoded; empty otherwise.
        exit_status: Of a result, where the format has it.
        is_error: Of a result: flagged as failed by the format or a non-zero exit status.
        is_rejected: Of a result: a person refused or interrupted the call. That is no failure of the tool.
        record_id: The record's own id, or a digest of its content where the format has none.
        origin: Identity of the observation: equal for every copy of it, in this file or another (a fork's copied
            history, an event beside its message, ``toolUseResult`` beside ``content``).
        is_copy: This entry repeats one that stands earlier in the session; it counts for nothing.
        injected: Why nobody typed this text (``reminder``, ``command``, ``hook``, ``compaction``, ``skill``,
            ``pasted``, ``prompt`` of another agent, ``memory`` of ours ...); empty for real words.
        is_tainted: The text came from a page, an MCP server or a fetched file, or repeats 40 characters of one.
        is_sidechain: Spoken in a sub-agent's session.
        via: Where a person's words were found when not in a prompt: ``rejection``, ``answer``, ``queued``.
        fields: Paths of the record's string values this entry owns, such as ``message.content[0].text``; a path
            owns all below it. First the one that holds ``text``.
    """

    line: int
    part: int = 0
    file: int = 0
    ts: datetime | None = None
    speaker: Speaker
    kind: EntryKind
    text: str
    tool: str = ""
    call_id: str = ""
    args: Mapping[str, Any]
    exit_status: int | None = None
    is_error: bool = False
    is_rejected: bool = False
    record_id: str
    origin: str
    is_copy: bool = False
    injected: str = ""
    is_tainted: bool = False
    is_sidechain: bool = False
    via: str = ""
    fields: tuple[str, ...]

    @property
    def is_person(self) -> bool:
        """A person's own words: spoken by the user, not injected, not a sub-agent's prompt."""
        return self.speaker is Speaker.USER and not self.injected and not self.is_sidechain
