"""The commit message of one action: subject, claim, evidence, trailers, and exactly these again when read back.

Evidence is one JSON object on one line, in ASCII with everything else escaped, and trailers stand in a paragraph of
their own at the end whose words are ours. So no text can end the message early, start a trailer or change its
encoding. A message that did not come from here is read as ``None``.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from slowwave.facts.evidence import Evidence, Speaker
from slowwave.facts.ids import ItemId, SessionId
from slowwave.facts.limits import SUBJECT_CHARACTERS
from slowwave.facts.refusal import SlowwaveError
from slowwave.facts.text import cut, fold, has_unsafe, showable

RUN = "Slowwave-Run"
PHASE = "Slowwave-Phase"
ENGINE = "Slowwave-Engine"
SESSION = "Slowwave-Session"
ITEM = "Slowwave-Item"
TYPE = "Slowwave-Type"
UNDOES = "Slowwave-Undoes"
TRAILERS = (RUN, PHASE, ENGINE, SESSION, ITEM, TYPE, UNDOES)
"""Every trailer there is, in the order they are written."""

_EVIDENCE = "Evidence: "
_CLAIM_JSON = '"'
_VALUE_CHARACTERS = 200
_SUBJECT_CHARACTERS_IN_ALL = 200
_PLAIN_CLAIM = re.compile(r"[^\W_].*[^\s]|[^\W_]")
_SURROGATE = re.compile("[\ud800-\udfff]")
T = TypeVar("T")


class MessageError(SlowwaveError):
    """A message cannot be written as asked: a part is empty, too long, or holds what it must not."""

    code = "message"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitMessage:
    """What one commit says.

    Attributes:
        subject: One clean line; ``subject_for`` makes it.
        claim: The memory's claim, any text; may be empty for pages that claim nothing.
        evidence: What the claim rests on.
        trailers: Names out of ``TRAILERS`` with their values, one clean line each; item and type are always there.
    """

    subject: str
    claim: str
    evidence: tuple[Evidence, ...] = ()
    trailers: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        _check_line("subject", self.subject, _SUBJECT_CHARACTERS_IN_ALL)
        names = [name for name, _ in self.trailers]
        if not {ITEM, TYPE} <= set(names) or not set(names) <= set(TRAILERS):
            raise MessageError(f"a commit of slowwave carries {ITEM}, {TYPE} and no foreign trailer")
        for name, value in self.trailers:
            _check_line(name, value, _VALUE_CHARACTERS)

    @property
    def item(self) -> ItemId:
        """The stable id of the item."""
        return ItemId(self.value(ITEM))

    def values(self, name: str) -> tuple[str, ...]:
        """All values of one trailer."""
        return tuple(value for key, value in self.trailers if key == name)

    def value(self, name: str) -> str:
        """The first value of one trailer; empty without one."""
        return next(iter(self.values(name)), "")

    def render(self) -> bytes:
        """The message as git stores it; the same value gives the same bytes."""
        paragraphs = [self.subject]
        if self.claim:
            paragraphs.append(_render_claim(self.claim))
        if self.evidence:
            paragraphs.append("\n".join(_EVIDENCE + _render_evidence(one) for one in self.evidence))
        paragraphs.append("\n".join(f"{name}: {value}" for name, value in self.trailers))
        return ("\n\n".join(paragraphs) + "\n").encode("utf-8")


def subject_for(kind: str, claim: str, *, word: str = "memory") -> str:
    """The first line of a commit: ``memory(<kind>): <claim cut to 72>``, with nothing in it that would not show."""
    line = showable(fold(_SURROGATE.sub("\ufffd", claim)))
    return f"{word}({kind}): {cut(line, SUBJECT_CHARACTERS)}".rstrip()


def parse_message(raw: bytes) -> CommitMessage | None:
    """The message of one of our commits; ``None`` for anybody else's."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return None
    paragraphs = text.removesuffix("\n").split("\n\n")
    if len(paragraphs) < 2:
        return None
    subject, *middle, last = paragraphs
    try:
        claim = _parse_claim(middle.pop(0)) if middle and not middle[0].startswith(_EVIDENCE) else ""
        evidence = _parse_evidence(middle.pop(0)) if middle else ()
        trailers = tuple(_parse_trailer(line) for line in last.split("\n"))
        if middle:
            return None
        message = CommitMessage(subject=subject, claim=claim, evidence=evidence, trailers=trailers)
    except (MessageError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return message if message.render() == raw else None


def _check_line(name: str, value: str, most: int) -> None:
    if not value or value != value.strip() or len(value) > most or fold(value) != value:
        raise MessageError(f"{name} is not one clean line of at most {most} characters")
    if has_unsafe(value) or _SURROGATE.search(value) or "\t" in value:
        raise MessageError(f"{name} holds characters that do not show")


def _render_claim(claim: str) -> str:
    """The claim as people read it, or as a JSON string where it could be taken for anything else."""
    is_plain = (
        _PLAIN_CLAIM.fullmatch(claim) is not None
        and fold(claim) == claim
        and not has_unsafe(claim)
        and _SURROGATE.search(claim) is None
        and not claim.startswith((_EVIDENCE.strip(), "diff -", "Index: "))
    )
    return claim if is_plain else json.dumps(claim)


def _parse_claim(line: str) -> str:
    if not line.startswith(_CLAIM_JSON):
        return line
    claim = json.loads(line)
    if not isinstance(claim, str):
        raise TypeError("a claim is a text")
    return claim


def _render_evidence(one: Evidence) -> str:
    return json.dumps(
        {
            "session": one.session_id,
            "file": one.file,
            "line": one.line,
            "speaker": str(one.speaker),
            "record": one.record,
            "new": one.is_new,
            "tainted": one.is_tainted,
            "quote": one.quote,
        }
    )


def _parse_evidence(paragraph: str) -> tuple[Evidence, ...]:
    return tuple(_parse_line(line) for line in paragraph.split("\n"))


def _parse_line(line: str) -> Evidence:
    if not line.startswith(_EVIDENCE):
        raise MessageError("not a line of evidence")
    value: Mapping[str, Any] = json.loads(line.removeprefix(_EVIDENCE))
    texts = {name: _typed(value[name], str) for name in ("session", "speaker", "record", "quote")}
    numbers = {name: _typed(value[name], int) for name in ("file", "line")}
    flags = {name: _typed(value[name], bool) for name in ("new", "tainted")}
    return Evidence(
        session_id=SessionId(texts["session"]),
        quote=texts["quote"],
        line=numbers["line"],
        speaker=Speaker(texts["speaker"]),
        record=texts["record"],
        is_new=flags["new"],
        is_tainted=flags["tainted"],
        file=numbers["file"],
    )


def _typed(value: object, kind: type[T]) -> T:
    if type(value) is not kind:
        raise TypeError(f"not a {kind.__name__}")
    return value


def _parse_trailer(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(": ")
    if not colon:
        raise MessageError("not a trailer")
    return name, value
