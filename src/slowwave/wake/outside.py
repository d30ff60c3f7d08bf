"""Whether a capture's words come from outside: from a tool's result, a page or injected text, and not from a person.

An agent that was talked into it by what it read writes tags like any other words of its own. Its capture is held
against everything that the session showed it before: where most of its content words stand close together in one such
text, also encoded or in other forms of the words, and the person did not say them, it is not the agent's own.
"""

import codecs
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from urllib.parse import unquote

from slowwave.facts.limits import FOREIGN_REACH, OWN_SHARE, STEM_CHARACTERS
from slowwave.facts.text import normal
from slowwave.proof.encodings import decodings
from slowwave.proof.triviality import CJK

_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0dff\u1000-\u109f"
"""Vowel signs and accents, which belong to their words; of the scripts of India and Burma the whole blocks."""
_WORD = re.compile(rf"(?:{CJK.pattern})+|(?:(?!{CJK.pattern})(?:[^\W_]|[{_MARKS}]))+")
_PIECE = 4_096  # characters that are normalised at once
_FEWEST_LETTERS = 4  # shorter ones are mostly little words, which stand everywhere
_LAST_OF_LONG_SCRIPTS = "\u0590"  # Latin, Greek, Cyrillic; those behind write fewer letters for a word
_LITTLE = frozenset(
    word
    for line in (
        "about also been does from have into just more most only over some such than that them then there these",
        "they this under very were what when where which while will with would your user users",
    )
    for word in line.split()
)
_FEW_WORDS = 2  # of which one is half
_SPARE_WORDS = 4  # between the words of a short sentence
_RUN = re.compile(r"\S{16}")  # what base64 or hexadecimal would need at least
_TAG_BLOCK, _TAG_END = 0xE0000, 0xE007F


def stems(text: str) -> list[str]:
    """The content words of a text in order, each by its beginning, so that other forms of a word are the same."""
    return [stem for piece in _pieces(text) for word in _WORD.findall(normal(piece)) for stem in _stems_of(word)]


def _pieces(text: str) -> Iterator[str]:
    return (text[at : at + _PIECE] for at in range(0, len(text), _PIECE))


def _stems_of(word: str) -> Iterator[str]:
    if CJK.match(word):
        yield from (word[at : at + 2] for at in range(max(1, len(word) - 1)))
    elif any(character.isdigit() for character in word):
        yield from [word] if len(word) > 1 else []
    elif (len(word) >= _FEWEST_LETTERS or word > _LAST_OF_LONG_SCRIPTS) and word not in _LITTLE:
        yield word[:STEM_CHARACTERS]


def spellings(text: str) -> Iterator[str]:
    """A text as it stands, and as it reads once it is decoded."""
    yield text
    if any(_TAG_BLOCK < ord(character) <= _TAG_END for character in text):
        yield "".join(chr(ord(c) - _TAG_BLOCK) if _TAG_BLOCK < ord(c) <= _TAG_END else c for c in text)
    if "%" in text:
        yield unquote(text, errors="replace")
    yield codecs.encode(text, "rot13")
    for line in text.split("\n"):
        if _RUN.search(line):
            yield from decodings(line)


class Heard:
    """What a session said before a capture, as far as it matters for the captures that are to be judged.

    Args:
        wanted: The content words of all captures that will be asked about.
    """

    def __init__(self, wanted: AbstractSet[str]) -> None:
        self._wanted = wanted

    def hits(self, text: str) -> list[list[tuple[int, str]]]:
        """For each spelling of an outside text, the wanted words in it with their places."""
        wanted = self._wanted
        found = ([(at, stem) for at, stem in enumerate(stems(each)) if stem in wanted] for each in spellings(text))
        return [one for one in found if one]

    def said(self, text: str) -> set[str]:
        """The wanted words of a person's text."""
        return set(stems(text)) & self._wanted


def is_from_outside(
    words: AbstractSet[str], said: AbstractSet[str], outside: Sequence[list[tuple[int, str]]], *, share: float
) -> bool:
    """Whether most of a capture's words that the person did not say stand close together in one text from outside.

    One word alone says so only where the person said no more than one other.

    Args:
        words: Content words of the capture.
        said: Those of them that the person said before.
        outside: For each text from outside the wanted words in it, with their places.
        share: How many of what is left are most.
    """
    foreign = words - said
    if not foreign or (len(foreign) == 1 and len(words) > _FEW_WORDS):
        return False
    needed = max(min(2.0, len(foreign)), share * len(foreign))
    return any(_most_together(hits, foreign) >= needed for hits in outside)


def is_said(words: AbstractSet[str], said: AbstractSet[str]) -> bool:
    """Whether enough of a capture's words were said by a person."""
    return bool(words) and len(words & said) >= OWN_SHARE * len(words)


def _most_together(hits: Sequence[tuple[int, str]], foreign: AbstractSet[str]) -> int:
    """The most different foreign words within one stretch of a text that a sentence of so many words may take."""
    window: Counter[str] = Counter()
    reach = FOREIGN_REACH * len(foreign) + _SPARE_WORDS
    places = [hit for hit in hits if hit[1] in foreign]
    most = first = 0
    for at, stem in places:
        window[stem] += 1
        while at - places[first][0] > reach:
            gone = places[first][1]
            window[gone] -= 1
            if not window[gone]:
                del window[gone]
            first += 1
        most = max(most, len(window))
    return most
