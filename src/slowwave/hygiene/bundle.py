"""The prompt bundle for a model that proposes: our counterpart of seed 002's, rendered once a question.

What was recorded stands in frames whose word is the digest of all of it: nobody can write a text that holds its own
digest, so nothing inside can close its frame, and the same session gives the same prompt. Placeholders are filled in
one pass, so that recorded text which looks like one stays text.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from slowwave.facts.ids import digest
from slowwave.facts.text import cut, showable
from slowwave.hygiene import notes
from slowwave.proof.framing import Frame

SHOWN_CHARACTERS = 2_000  # of one entry's words: what a payload is shows in its first lines
_HEAD = re.compile(r"\A---\nversion: (?P<version>[0-9]{1,6})\n---\n")
_BOUND = re.compile(r"\{\{([A-Z_]+)\}\}")
_PLACE = re.compile(r"\{\{(transcript|protected_ranges|candidates|frame_word)\}\}")
_HIDDEN = re.compile("[\u00ad\u061c\u180e\u2028\u2029\U000e0000-\U000e007f]")
_FRAME_DIGITS = 32  # 128 bits of the digest, as a frame asks for
_NOTHING = "(none)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """A prompt bundle: the number in its head, and its text with the bounds filled in and the places open."""

    version: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One entry as a model is shown it.

    Attributes:
        index: Its ``[N]``.
        role: ``user``, ``system notice``, ``assistant`` or ``tool results``.
        words: What it says; secrets are masked already.
        calls: Tools that a reply calls, each with its arguments in one text.
    """

    index: int
    role: str
    words: str
    calls: tuple[str, ...] = ()


@cache
def bundle() -> Bundle:
    """The bundle that comes with the package.

    Raises:
        ValueError: Its head has no version; a fault of ours.
    """
    page = _page()
    head = _HEAD.match(page)
    if head is None:
        raise ValueError("the bundle begins with its version")
    text = _BOUND.sub(lambda found: f"{getattr(notes, found[1]):,}", page[head.end() :])
    return Bundle(version=int(head["version"]), text=text)


@cache
def bundle_digest() -> str:
    """The bundle by its content, for the profile that a curation was made under."""
    return digest("bundle", _page())


def render(bundle: Bundle, *, transcript: str, protected: str, candidates: str) -> str:
    """The prompt of one question.

    Args:
        bundle: What ``bundle()`` gives.
        transcript: The session as ``shown_transcript`` shows it; secrets are masked already.
        protected: Guarded ranges, one a line; empty where there are none.
        candidates: Places where an operation would be lawful, one a line; empty where there are none.
    """
    told = {"transcript": transcript, "protected_ranges": protected, "candidates": candidates}
    plain = {name: _visible(text) or _NOTHING for name, text in told.items()}
    word = digest("frame", *plain.values())[:_FRAME_DIGITS]
    filled = {name: Frame(nonce=word, what=_what(name)).around(text).text for name, text in plain.items()}
    filled["frame_word"] = word
    return _PLACE.sub(lambda found: filled[found[1]], bundle.text)


def shown_transcript(entries: Iterable[Shown], *, most: int = SHOWN_CHARACTERS) -> str:
    """Entries under their ``[N]`` and role; only these lines begin at the margin, so that no words can pose as one.

    Args:
        entries: In order.
        most: Characters of each text that are shown; what was left out is said in figures.
    """
    return "\n".join(line for entry in entries for line in _entry(entry, most))


def _entry(entry: Shown, most: int) -> list[str]:
    called = [f"calls {_cut(call, most)}" for call in entry.calls]
    words = [_cut(entry.words, most)] if entry.words.strip() else []
    inside = "\n".join([*words, *called]).split("\n")
    return [f"[{entry.index}] {entry.role}", *(f"    {line}" for line in map(_visible, inside))]


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{cut(text, most)} ({len(text) - most:,} more characters)"


def _visible(text: str) -> str:
    """A text whose only control character is the line feed; what shows nothing becomes visible."""
    lines = "\n".join(map(showable, text.split("\n")))
    return _HIDDEN.sub(lambda found: f"\\u{ord(found.group()):04x}", lines)


def _what(name: str) -> str:
    return name.replace("_", " ")


def _page() -> str:
    return files("slowwave.hygiene").joinpath("bundle.md").read_text("utf-8")
