"""Who said what, where: the vocabulary of proof."""

from dataclasses import dataclass
from enum import StrEnum

from slowwave.facts.ids import SessionId


class Speaker(StrEnum):
    """Whose words a text is."""

    USER = "user"
    AGENT = "agent"
    TOOL = "tool"
    SYSTEM = "system"
    """Nobody's: harness text, generated prompts, bookkeeping."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A claim that a session holds these words; nothing is believed of it until proof has found them."""

    session_id: SessionId
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A quote that proof found in the record.

    Attributes:
        session_id: The session as offered in the batch; a side file's words stand under its parent's id.
        quote: The words, verbatim.
        line: Physical line of the file, from 1.
        speaker: Whose words they are, computed from the record.
        record: Identity of the observation; equal for copies of one record.
        is_new: Whether it stands behind the session's watermark.
        is_tainted: Whether the text came from a page, an MCP server or a fetched file.
        file: 0 for the session's main file, then its side files in order of name.
    """

    session_id: SessionId
    quote: str
    line: int
    speaker: Speaker
    record: str
    is_new: bool = True
    is_tainted: bool = False
    file: int = 0
