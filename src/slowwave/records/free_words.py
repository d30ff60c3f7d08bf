"""Free words: what could be a token and leans on punctuation, each put on a line of its own.

Most rules of Kingfisher want a blank, a quote or the end behind a token. In talk a full stop follows instead, or a
bracket, a colon, the next part of a path; and a line break may be spelled as two characters before it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from slowwave.records.secret_rules import RUN, has_token_like

_ESCAPE = re.compile(rb"\\[nrt]")
_WORD = re.compile(f"[A-Za-z0-9_+/=.~:@%-]{{{RUN},}}".encode())
_BEGINNINGS = b".,:/=~@%"
_ENDS = b".,:~@%"
"""Signs that may stand inside a token and hardly at its end."""
_FREE_BEFORE = b" \t\r\n\"'`="
_FREE_BEHIND = b" \t\r\n\"'`;"


@dataclass(frozen=True, slots=True)
class FreeWords:
    """Words as lines of one text, and where each stood; lines and places are in the same order."""

    text: bytes
    lines: tuple[int, ...]
    places: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a range of the text stood, cut to the line it begins on."""
        number = bisect_right(self.lines, start) - 1
        line, place = self.lines[number], self.places[number]
        behind = self.text.index(b"\n", start)
        return place + start - line, place + min(end, behind) - line


def free_words(raw: bytes) -> FreeWords:
    """Every word of a text that may be a token and is not set apart by blanks or quotes, and the parts of paths."""
    text = bytearray()
    lines: list[int] = []
    places: list[int] = []
    for start, end in _leaning(raw):
        lines.append(len(text))
        places.append(start)
        text += raw[start:end] + b"\n"
    return FreeWords(text=bytes(text), lines=tuple(lines), places=tuple(places))


def _leaning(raw: bytes) -> Iterator[tuple[int, int]]:
    for found in _WORD.finditer(_ESCAPE.sub(b"  ", raw)):
        word = found.group()
        start = found.start() + len(word) - len(word.lstrip(_BEGINNINGS))
        end = found.end() - len(word) + len(word.rstrip(_ENDS))
        before, behind = raw[start - 1 : start] if start else b" ", raw[end : end + 1] or b" "
        if (before not in _FREE_BEFORE or behind not in _FREE_BEHIND) and _may_be_token(raw[start:end]):
            yield start, end
        if b"/" in raw[start:end]:
            yield from _parts(raw, start, end)


def _parts(raw: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of a path, each of which may be a token."""
    at = start
    for part in raw[start:end].split(b"/"):
        if _may_be_token(part):
            yield at, at + len(part)
        at += len(part) + 1


def _may_be_token(word: bytes) -> bool:
    return len(word) >= RUN and has_token_like(word)
