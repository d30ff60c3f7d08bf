"""A place: one spot in one decoded string where a quote stands, and whose words they are there."""

from dataclasses import dataclass

from slowwave.facts.evidence import Evidence, Quote, Speaker
from slowwave.facts.ids import SessionId
from slowwave.records.entries import EntryKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One spot where a quote stands.

    Attributes:
        session_id: The session as offered; a side file's words stand under its parent's id.
        file: 0 for the session's main file, then its side files in order of name.
        line: Physical line of the file, from 1.
        part: Which record on that line, from 0.
        field: Path of the string value in its record.
        string: Number of the decoded string in this look into the session; two places share it or do not.
        start: Where the quote begins in the decoded string, in code points.
        end: Where it ends.
        words: The quote, white space folded.
        before: The words before it in the same string, folded, at most ``SURROUNDINGS_CHARACTERS`` characters.
        after: The words behind it.
        speaker: Whose words they are: a person's or the agent's own, a tool's, or nobody's (``SYSTEM``: injected
            text, prompts that one agent wrote for another, text no entry owns).
        kind: Kind of the entry that owns the string; None where none does.
        is_tainted: The text came from a page, an MCP server or a fetched file.
        is_sidechain: Spoken in a sub-agent's session.
        origin: Identity of the observation, equal for all its copies.
        is_new: Behind the session's watermark, first seen there, and not put there by slowwave.
        is_recalled: Stands inside text that slowwave put into the session.
        is_secret: A secret reaches into the quote here.
    """

    session_id: SessionId
    file: int
    line: int
    part: int
    field: str
    string: int
    start: int
    end: int
    words: str
    before: str
    after: str
    speaker: Speaker
    kind: EntryKind | None
    is_tainted: bool
    is_sidechain: bool
    origin: str
    is_new: bool
    is_recalled: bool = False
    is_secret: bool = False

    @property
    def is_spoken(self) -> bool:
        """Whether a person or the agent spoke here; calls and thoughts are the agent's."""
        return self.speaker in (Speaker.USER, Speaker.AGENT)

    @property
    def is_promise_of(self) -> Speaker | None:
        """Whose promise these words can be: a call's arguments and text taken from elsewhere are nobody's."""
        if self.is_tainted or not self.is_spoken or self.kind not in (EntryKind.TEXT, EntryKind.THINKING):
            return None
        return self.speaker

    @property
    def is_bookkeeping(self) -> bool:
        """Whether no speaker, tool or agent said this: a title, a last prompt, a string that no entry owns."""
        return self.kind in (None, EntryKind.META)

    @property
    def order(self) -> tuple[int, bool, int, bool, int, int, int, str, int]:
        """Best first: a speaker's own words, untainted, said rather than thought or called, new, earliest."""
        return (
            _SPEAKER_ORDER[self.speaker],
            self.is_tainted,
            _KIND_ORDER.get(self.kind, len(_KIND_ORDER)),
            not self.is_new,
            self.file,
            self.line,
            self.part,
            self.field,
            self.start,
        )

    def evidence(self, quote: Quote) -> Evidence:
        """The quote as proved by standing here."""
        return Evidence(
            session_id=quote.session_id,
            quote=quote.quote,
            line=self.line,
            speaker=self.speaker,
            record=self.origin,
            is_new=self.is_new,
            is_tainted=self.is_tainted,
            file=self.file,
        )


_SPEAKER_ORDER = {Speaker.USER: 0, Speaker.AGENT: 1, Speaker.TOOL: 2, Speaker.SYSTEM: 3}
_KIND_ORDER: dict[EntryKind | None, int] = {
    kind: at
    for at, kind in enumerate(
        (EntryKind.TEXT, EntryKind.THINKING, EntryKind.TOOL_CALL, EntryKind.TOOL_RESULT, EntryKind.META)
    )
}
