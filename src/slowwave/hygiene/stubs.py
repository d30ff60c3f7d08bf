"""The closed templates of what stands where something was: stubs of results and copies, notes, gaps between lines.

Each is one line of ours with figures, a cleaned name and a digest in it; nothing else from outside gets in but a note's
words, which ``notes`` judges first. A stub is read back by the very template that wrote it, so that a look-alike in a
tool's output is no stub. All of them stand between the marks of ``facts.markers``, by which readers know that nobody
said them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from slowwave.facts.markers import NOTE_BEGIN, NOTE_END, STUB_BEGIN, STUB_END
from slowwave.facts.text import fold, showable

MOST_STUB_CHARACTERS = 220  # with the longest of everything in it: some 50 tokens
NAME_CHARACTERS = 40  # of a tool's name: enough to know it by, too short for a sentence
MOST_FIGURE = 10**10 - 1  # characters or lines of one payload; more is no file
NOTE_CHARACTERS = 300  # of a note's words, as ``notes`` has it

ASKED = "asked"
REASONS = {
    "dup_call": "an equal call gave the same output later",
    "stale_read": "the file was written or read in full later",
    "superseded_run": "the same check was run again later",
    "poll": "a later look shows the newer state",
    "consumed_search": "the hits that mattered were opened later",
    "error_echo": "the same error stands elsewhere",
    "reinjected": "newest copy below",
    "bulk_old": "large, old and not referred to later",
    "media_old": "an old picture",
    "noise": "progress and repeated lines",
    ASKED: "pruned on request",
}
"""Why something was taken out, by the detector that saw it; ``asked`` where somebody named it."""

_UNCLEAN = re.compile(r"[^A-Za-z0-9_.:-]+")
_DIGEST = re.compile(r"[0-9a-f]{16}")
_BACK = r"; slowwave hygiene recall (?P<digest>[0-9a-f]{16})"
_NAME = rf"(?P<name>[A-Za-z0-9_.:-]{{1,{NAME_CHARACTERS}}})"
_REASON = "(?P<words>" + "|".join(map(re.escape, REASONS.values())) + ")"
_SIZE = r"\((?P<characters>[0-9]{1,10}) characters?, (?P<lines>[0-9]{1,10}) lines?\)"
_IMAGES = r"(?P<images>[0-9]{1,10}) images?"
_THINKING = "thinking, with what it was bound to; slowwave hygiene restore"


class Form(StrEnum):
    """What a stub stands for."""

    RESULT = "result"
    IMAGES = "images"
    COPY = "copy"
    THINKING = "thinking"


_SHAPES = {
    Form.RESULT: re.compile(rf"{_NAME} result {_SIZE}: {_REASON}{_BACK}"),
    Form.IMAGES: re.compile(rf"{_NAME} result, {_IMAGES}: {_REASON}{_BACK}"),
    Form.COPY: re.compile(rf"{_NAME}: {_REASON}{_BACK}"),
    Form.THINKING: re.compile(_THINKING),
}
_NOTE = re.compile(
    rf"{re.escape(NOTE_BEGIN)}[0-9]{{1,10}} messages?, newest kept"
    rf"(?:: [^<>\n\r]{{1,{NOTE_CHARACTERS}}})?{re.escape(NOTE_END)}"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stub:
    """What a stub says.

    Attributes:
        form: What it stands for.
        name: Cleaned name of the tool, or of what an earlier copy was; empty for thinking.
        reason: The detector, or ``asked``; empty for thinking.
        digest: Under which the payload is kept, 16 hex digits; empty for thinking.
        characters: Of a result's payload.
        lines: Of a result's payload.
        images: That stood there.
    """

    form: Form
    name: str = ""
    reason: str = ""
    digest: str = ""
    characters: int = 0
    lines: int = 0
    images: int = 0

    def line(self) -> str:
        """The stub as it is written."""
        back = f": {REASONS.get(self.reason, '')}; slowwave hygiene recall {self.digest}"
        size = f"({_counted(self.characters, 'character')}, {_counted(self.lines, 'line')})"
        told = {
            Form.RESULT: f"{self.name} result {size}{back}",
            Form.IMAGES: f"{self.name} result, {_counted(self.images, 'image')}{back}",
            Form.COPY: f"{self.name}{back}",
            Form.THINKING: _THINKING,
        }
        return f"{STUB_BEGIN}{told[self.form]}{STUB_END}"


def stub(*, tool: str, characters: int, lines: int, reason: str, digest: str) -> str:
    """The line that stands for a pruned result.

    Args:
        tool: Name of the tool, from outside.
        characters: Of the payload.
        lines: Of the payload.
        reason: A key of ``REASONS``.
        digest: Of the payload, as an item's.

    Raises:
        ValueError: The reason or the digest is none of ours.
    """
    held = Stub(
        form=Form.RESULT,
        name=_clean(tool, "tool"),
        reason=_known(reason),
        digest=_held(digest),
        characters=_figure(characters),
        lines=_figure(lines),
    )
    return held.line()


def image_stub(*, tool: str, images: int, digest: str, reason: str = "media_old") -> str:
    """The line that stands for the pictures of a result; raises as ``stub`` does."""
    name = _clean(tool, "tool")
    held = Stub(form=Form.IMAGES, name=name, reason=_known(reason), digest=_held(digest), images=_figure(images))
    return held.line()


def earlier_copy(what: str, digest: str) -> str:
    """The line that stands for an earlier copy of a message, whose newest copy stays; raises as ``stub`` does."""
    return Stub(form=Form.COPY, name=_clean(what, "message"), reason="reinjected", digest=_held(digest)).line()


def thinking_stub() -> str:
    """The line that stands where a record would be empty without the thinking that was taken out of it."""
    return Stub(form=Form.THINKING).line()


def note(count: int, words: str = "") -> str:
    """The line that stands for a run of messages of one kind.

    Args:
        count: How many there were, the newest, which stays, included.
        words: What they were, found good by ``notes.check_note``; what may not stand in the template is left out.
    """
    plain = fold(showable(fold(re.sub("[<>]", "", words))))[:NOTE_CHARACTERS].strip()
    told = f": {plain}" if plain else ""
    return f"{NOTE_BEGIN}{_counted(_figure(count), 'message')}, newest kept{told}{NOTE_END}"


def trimmed(line: str, kept: Sequence[tuple[int, str]], total: int) -> str:
    """A trimmed payload: the stub, then the lines that stay, word for word, and how many are missing between them.

    Args:
        line: The stub.
        kept: Numbers from 0, rising, and the words of the lines that stay.
        total: How many lines there were.

    Raises:
        ValueError: The numbers do not rise, or leave the payload.
    """
    parts, expected = [line], 0
    for number, words in kept:
        if not expected <= number < total:
            raise ValueError("lines that stay are numbered upwards, within the payload")
        parts += [*_gaps(number - expected), words]
        expected = number + 1
    return "\n".join([*parts, *_gaps(total - expected)])


def stub_of(text: str) -> Stub | None:
    """What a stub says that is all of a text, or its first line (a trimmed payload); None where there is none."""
    first = text.partition("\n")[0]
    if not first.startswith(STUB_BEGIN) or len(first) > MOST_STUB_CHARACTERS:
        return None
    inner = first.removeprefix(STUB_BEGIN).removesuffix(STUB_END)
    read = (_read(form, found) for form, shape in _SHAPES.items() if (found := shape.fullmatch(inner)))
    return next((held for held in read if held.line() == first), None)


def is_stub(text: str) -> bool:
    """Whether a text is one of ours: a stub, a trimmed payload or a note."""
    return stub_of(text) is not None or _NOTE.fullmatch(text) is not None


def _read(form: Form, found: re.Match[str]) -> Stub:
    said = found.groupdict()
    return Stub(
        form=form,
        name=said.get("name", ""),
        reason=next((key for key, words in REASONS.items() if words == said.get("words")), ""),
        digest=said.get("digest", ""),
        characters=int(said.get("characters", 0)),
        lines=int(said.get("lines", 0)),
        images=int(said.get("images", 0)),
    )


def gap(count: int) -> str:
    """The line that stands for so many lines that are missing."""
    return f"[... {_counted(count, 'line')}]"


def _gaps(count: int) -> list[str]:
    return [gap(count)] if count else []


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _figure(count: int) -> int:
    return max(0, min(count, MOST_FIGURE))


def _clean(name: str, otherwise: str) -> str:
    return _UNCLEAN.sub("", name[: 4 * NAME_CHARACTERS])[:NAME_CHARACTERS] or otherwise


def _known(reason: str) -> str:
    if reason not in REASONS:
        raise ValueError("the reason of a stub is the name of a detector")
    return reason


def _held(digest: str) -> str:
    if not _DIGEST.fullmatch(digest):
        raise ValueError("the digest of a stub has 16 hex digits")
    return digest
