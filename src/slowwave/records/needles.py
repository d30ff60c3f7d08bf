r"""Spellings: all the ways a phrase may stand in JSON, and in JSON inside JSON.

A writer escapes quotes, backslashes and control characters, and as it pleases non-ASCII characters (``\u00e9`` or
``\u00E9``), slashes (``\/``) and the signs of HTML (``\u003c``). In a decoded text a phrase stands plain, or escaped
once where the text itself holds JSON; in the raw bytes each of these is escaped once more.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
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


@dataclass(frozen=True, slots=True)
class Needles:
    """A phrase made ready for a search.

    Attributes:
        scanned: Byte strings of which at least one stands in every line that holds the phrase; one pass each.
        raw: All spellings, of which at least one stands in such a line; few bytes are left to look at by then.
        is_folded: Whether both are in lower case, to be looked for in a lower-case copy.
        find: Half-open ranges of the phrase in a decoded text, in order, none overlapping.
    """

    scanned: tuple[bytes, ...]
    raw: tuple[bytes, ...]
    is_folded: bool
    find: Callable[[str], Iterator[Span]]


def make_needles(phrase: str, *, ignore_case: bool = False) -> Needles:
    """The spellings of a phrase. Ignoring case goes by single characters: ``ß`` and ``SS`` stay different."""
    phrases = {phrase, _cased(phrase, str.lower), _cased(phrase, str.upper)} if ignore_case else {phrase}
    in_text = _ordered({phrase} | {writer.escape(each) for each in phrases for writer in _WRITERS})
    if ignore_case:
        pattern = re.compile("|".join("".join(map(_any_case, spelling)) for spelling in in_text))
        folded = _folded_needles(phrase)
        return Needles(folded, folded, is_folded=True, find=partial(_find_pattern, pattern))
    escaped = {writer.escape(spelling) for spelling in in_text for writer in _WRITERS}
    raw = _ordered(escaped | {phrase})  # plain as well: a damaged line is shown as it stands
    encoded = tuple(spelling.encode("utf-8", "surrogatepass") for spelling in raw)
    plain = _plain_part(phrase)
    scanned = (plain.encode(),) if len(plain) >= _LEAST_SCANNED else encoded
    if len(in_text) == 1:
        return Needles(scanned, encoded, is_folded=False, find=partial(_find_literal, phrase))
    pattern = re.compile("|".join(map(re.escape, in_text)))
    return Needles(scanned, encoded, is_folded=False, find=partial(_find_pattern, pattern))


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
    once = {writer.escape(case) for case in cases for writer in _WRITERS}
    both = once | {writer.escape(spelling) for spelling in once for writer in _WRITERS}
    return tuple(sorted({spelling.encode("utf-8", "surrogatepass").lower() for spelling in both}))
