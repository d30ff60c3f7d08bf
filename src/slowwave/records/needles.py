r"""Spellings: all the ways a phrase may stand in JSON, and in JSON inside JSON.

A writer escapes quotes, backslashes and control characters, and as it pleases non-ASCII characters (``\u00e9`` or
``\u00E9``), slashes (``\/``) and the signs of HTML (``\u003c``). In a decoded text a phrase stands plain, or escaped
once where the text itself holds JSON; in the raw bytes each of these is escaped once more.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product

_HTML = {"<": "003c", ">": "003e", "&": "0026"}
_PLAIN = re.compile(r"[ !#$%'-.0-;=?-\[\]-~]+")
_LEAST_SCANNED = 3  # characters; a shorter part stands on too many lines to be worth one pass instead of several
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Writer:
    """How somebody writes JSON strings; ``hexadecimal`` is how non-ASCII is escaped: ``x``, ``X`` or not at all."""

    hexadecimal: str
    has_slash: bool
    has_html: bool

    def escape(self, text: str) -> str:
        """The text as it stands between the quotes of a JSON string."""
        return "".join(self._character(character) for character in text)

    def _character(self, character: str) -> str:
        if character == "/":
            return "\\/" if self.has_slash else character
        if character in _HTML:
            return self._unit(int(_HTML[character], 16)) if self.has_html else character
        if character in '"\\' or character < " ":
            short = json.dumps(character)[1:-1]
            return self._unit(ord(character)) if short.startswith("\\u") else short
        if character < "\x7f" or not self.hexadecimal:
            return character
        raw = character.encode("utf-16-be", "surrogatepass")
        return "".join(self._unit(int.from_bytes(raw[at : at + 2])) for at in range(0, len(raw), 2))

    def _unit(self, code: int) -> str:
        return f"\\u{code:04X}" if self.hexadecimal == "X" else f"\\u{code:04x}"


_WRITERS = tuple(_Writer(*choice) for choice in product(("", "x", "X"), (False, True), (False, True)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Needles:
    """A phrase made ready for a search.

    Attributes:
        scanned: Byte strings of which at least one stands in every line that holds the phrase; one pass each.
        is_folded: Whether they are in lower case, to be looked for in a lower-case copy.
        parts: Byte strings that all stand in such a line: what every writer leaves as it is.
        spellings: All spellings in lower case, of which at least one stands in the lower-case copy of such a line;
            empty where ``scanned`` says as much.
        find: Half-open ranges of the phrase in a decoded text, in order, none overlapping.
    """

    scanned: tuple[bytes, ...]
    is_folded: bool
    parts: tuple[bytes, ...] = ()
    spellings: tuple[bytes, ...] = ()
    find: Callable[[str], Iterator[Span]]

    def may_stand_in(self, raw: bytes) -> bool:
        """Whether a line that holds a scanned string may hold the phrase; the cheap answers are asked first."""
        if not self.spellings:
            return True
        if not all(part in raw for part in self.parts):
            return False
        folded = raw.lower()
        return any(spelling in folded for spelling in self.spellings)


@lru_cache(maxsize=64)
def make_needles(phrase: str, *, ignore_case: bool = False) -> Needles:
    """The spellings of a phrase. Ignoring case goes by single characters: ``ß`` and ``SS`` stay different."""
    phrases = {phrase, _cased(phrase, str.lower), _cased(phrase, str.upper)} if ignore_case else {phrase}
    in_text = _ordered({phrase} | {writer.escape(each) for each in phrases for writer in _WRITERS})
    if ignore_case:
        pattern = re.compile("|".join("".join(map(_any_case, spelling)) for spelling in in_text))
        scanned = _folded_needles(phrase)
        return Needles(scanned=scanned, is_folded=True, find=partial(_find_pattern, pattern))
    raw = _raw_spellings(in_text)
    find: Callable[[str], Iterator[Span]] = partial(_find_literal, phrase)
    if len(in_text) > 1:
        find = partial(_find_pattern, re.compile("|".join(map(re.escape, in_text))))
    plain = _plain_part(phrase)
    if plain == phrase:
        return Needles(scanned=(plain.encode(),), is_folded=False, find=find)
    if len(plain) >= _LEAST_SCANNED:
        parts = tuple(part.encode() for part in _PLAIN.findall(phrase) if len(part) >= _LEAST_SCANNED)
        return Needles(scanned=(plain.encode(),), is_folded=False, parts=parts, spellings=raw, find=find)
    return Needles(scanned=raw, is_folded=True, find=find)


def _raw_spellings(in_text: Sequence[str]) -> tuple[bytes, ...]:
    """What may stand in the bytes for any of the spellings of a decoded text, in lower case.

    The spellings themselves are among them: a damaged line is shown, and searched, as it stands. None holds a line
    break, since no line does.
    """
    escaped = {writer.escape(spelling) for spelling in in_text for writer in _WRITERS}
    within_a_line = (each for each in escaped.union(in_text) if "\n" not in each)
    return tuple(sorted({each.encode("utf-8", "surrogatepass").lower() for each in within_a_line}))


def _ordered(spellings: set[str]) -> tuple[str, ...]:
    """Longest first, so that an escaped spelling wins over the part of it that is plain."""
    return tuple(sorted(spellings, key=lambda spelling: (-len(spelling), spelling)))


def _find_literal(phrase: str, text: str) -> Iterator[Span]:
    at = text.find(phrase)
    while at >= 0:
        end = at + len(phrase)
        yield at, end
        at = text.find(phrase, end)


def _find_pattern(pattern: re.Pattern[str], text: str) -> Iterator[Span]:
    for found in pattern.finditer(text):
        yield found.span()


def _cased(text: str, change: Callable[[str], str]) -> str:
    """The text in another case, but for characters that would become several."""
    return "".join(other if len(other := change(character)) == 1 else character for character in text)


def _any_case(character: str) -> str:
    cases = {character, character.lower(), character.upper()}
    single = sorted(case for case in cases if len(case) == 1)
    return re.escape(character) if len(single) == 1 else "[" + "".join(map(re.escape, single)) + "]"


def _plain_part(phrase: str) -> str:
    """The longest part that every writer leaves as it is."""
    return max(_PLAIN.findall(phrase), key=len, default="")


def _folded_needles(phrase: str) -> tuple[bytes, ...]:
    """For a search that ignores case: the longest part without anything to escape, else one character's spellings."""
    if plain := _plain_part(phrase):
        return (plain.lower().encode(),)
    first = phrase[0]
    cases = {first, first.lower(), first.upper()}
    return _raw_spellings(sorted(cases | {writer.escape(case) for case in cases for writer in _WRITERS}))
