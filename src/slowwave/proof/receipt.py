"""The receipt of reading: which sessions this turn's tool calls really touched.

The watermark moves by what an answer claims to have read, so the claim is held against the log of calls. The mined
engine reads whole files; for it there is no log, and every session counts as read.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from slowwave.facts.answer import Answer
from slowwave.facts.evidence import Quote
from slowwave.facts.ids import SessionId
from slowwave.facts.limits import MOST_ANSWER_BYTES
from slowwave.facts.refusal import Refusal
from slowwave.proof.batch import Batch
from slowwave.proof.faults import Faults, read_flag, read_object, read_text
from slowwave.proof.json_text import BadJsonError, JsonValue, read_json

INDEX_TOOL = "list_sessions"
READING_TOOLS = ("search_transcript", "read_lines")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One tool call of a turn; ``session_id`` is empty for a call that names none, ``ok`` whether it succeeded."""

    tool: str
    session_id: SessionId
    ok: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLog:
    """All tool calls of one turn, in order."""

    calls: tuple[Call, ...]

    @property
    def touched(self) -> frozenset[SessionId]:
        """Sessions that a successful search or read looked into."""
        return frozenset(call.session_id for call in self.calls if call.ok and call.tool in READING_TOOLS)

    @property
    def is_indexed(self) -> bool:
        """Whether the turn began with the index of sessions, and got it."""
        if not self.calls or self.calls[0].tool != INDEX_TOOL:
            return False
        return any(call.ok and call.tool == INDEX_TOOL for call in self.calls)


def parse_log(raw: bytes) -> ReadLog | tuple[Refusal, ...]:
    """A log file, ``[{"tool", "sessionId", "ok"}]`` (spec 09), or every fault of form in it."""
    try:
        value = read_json(raw, most_bytes=MOST_ANSWER_BYTES)
    except BadJsonError as error:
        return (Refusal(code="schema", path="log", message=str(error)),)
    if not isinstance(value, list):
        return (Refusal(code="schema", path="log", message="The log must be a list of calls."),)
    faults = Faults()
    calls = tuple(_call(item, f"log[{at}]", faults) for at, item in enumerate(value))
    return faults.refusals() or ReadLog(calls=calls)


def _call(value: JsonValue, path: str, faults: Faults) -> Call:
    members = read_object(value, path, faults, required=("tool", "ok"), optional=("sessionId",)) or {}
    names_one = members.get("sessionId") is not None
    return Call(
        tool=read_text(members, "tool", path, faults, most=None),
        session_id=SessionId(read_text(members, "sessionId", path, faults, most=None) if names_one else ""),
        ok=read_flag(members, "ok", path, faults),
    )


def check_receipt(answer: Answer, batch: Batch, log: ReadLog | None) -> tuple[Refusal, ...]:
    """What the log of calls does not bear out: the index not called first, sessions cited or claimed but not read."""
    if log is None:
        return ()
    refusals: list[Refusal] = []
    if not log.is_indexed:
        refusals.append(
            Refusal(
                code="list_sessions_not_called",
                path="log",
                message="Call list_sessions first; it is the index of what may be read.",
            )
        )
    touched = log.touched
    refusals.extend(
        Refusal(
            code="cited_session_unread",
            path=f"{path}.sessionId",
            message="No successful search or read looked into this session; read it before citing it.",
        )
        for path, quote in cited(answer)
        if quote.session_id in batch.sessions and quote.session_id not in touched
    )
    refusals.extend(
        Refusal(
            code="unread_session_claimed",
            path=f"readSessionIds[{at}]",
            message="No successful search or read looked into this session; read it, or leave it out.",
        )
        for at, session_id in claimed(answer)
        if session_id in batch.sessions and session_id not in touched
    )
    return tuple(refusals)


def cited(answer: Answer) -> Iterator[tuple[str, Quote]]:
    """Every quote of an answer with the path of its evidence, in the order of the answer."""
    for at, candidate in enumerate(answer.candidates):
        for place, quote in enumerate(candidate.evidence):
            yield f"candidates[{at}].evidence[{place}]", quote
    for at, commitment in enumerate(answer.commitments):
        yield f"commitments[{at}].evidence", commitment.evidence


def claimed(answer: Answer) -> Iterator[tuple[int, SessionId]]:
    """Every session an answer claims to have read, once, with its first place in the list."""
    seen: set[SessionId] = set()
    for at, session_id in enumerate(answer.read_session_ids):
        if session_id not in seen:
            seen.add(session_id)
            yield at, session_id
