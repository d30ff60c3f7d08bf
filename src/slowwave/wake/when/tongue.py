"""Tongues: the words of one language for times, read once from its table, and terms cut by them."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from types import MappingProxyType

from slowwave.wake.when.lexer import Piece, pieces_of

NAMES = ("en", "de", "es", "fr")
"""Languages that have a table, the first asked first."""
_OPAQUE = frozenset({"word", "junk", "dots", "digits", "version", "other"})
_LONGEST = 6  # words of one phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A phrase of the table, or one piece that the table does not have.

    Attributes:
        kind: The piece's kind; ``word`` for every phrase of words.
        piece: Its first piece.
        senses: What it may mean: a table's name, or a mark's, to its value.
        start: Offset of its first character.
        end: Offset behind its last one.
    """

    kind: str
    piece: Piece
    senses: Mapping[str, str] = field(default_factory=dict)
    start: int
    end: int

    def has(self, *senses: str) -> bool:
        """Whether it may mean one of these."""
        return any(sense in self.senses for sense in senses)

    @property
    def is_foreign(self) -> bool:
        """Whether it is a word that no table has, or that is never part of a time."""
        return self.kind in _OPAQUE and not set(self.senses) - {"filler"}

    @property
    def is_unknown(self) -> bool:
        """Whether no table has it: behind a figure it is what the figure counts, where a small word is not."""
        return self.kind in _OPAQUE and not self.senses


@dataclass(frozen=True, slots=True, kw_only=True)
class Tongue:
    """The phrases of a language, as words of each, with their senses."""

    name: str
    phrases: Mapping[tuple[str, ...], Mapping[str, str]]
    is_day_first: bool


@cache
def tongue(name: str) -> Tongue:
    """The table of a language as shipped."""
    text = (resources.files("slowwave.wake.when") / f"{name}.toml").read_text(encoding="utf-8")
    phrases: dict[tuple[str, ...], dict[str, str]] = {}
    for table, rows in tomllib.loads(text).items():
        for key, row in rows.items():
            for phrase in row.split("|"):
                words = tuple(piece.text for piece in pieces_of(phrase.strip()))
                sense, value = (key, "") if table == "mark" else (table, key)
                phrases.setdefault(words, {}).setdefault(sense, value)
    return Tongue(
        name=name,
        phrases={words: MappingProxyType(senses) for words, senses in phrases.items()},
        is_day_first=name != "en",
    )


def terms_of(pieces: Sequence[Piece], spoken: Tongue) -> tuple[Term, ...]:
    """The pieces as phrases of a language, the longest that stands at each place."""
    terms: list[Term] = []
    place = 0
    while place < len(pieces):
        length, senses = _longest(pieces, place, spoken)
        if _is_shortened(pieces, place + length, senses):
            length += 1
        last = pieces[place + length - 1]
        first = pieces[place]
        terms.append(Term(kind=first.kind, piece=first, senses=senses, start=first.start, end=last.end))
        place += length
    return tuple(terms)


def _is_shortened(pieces: Sequence[Piece], behind: int, senses: Mapping[str, str]) -> bool:
    """Whether the full stop there only ends an abbreviation, as in "Jan. 5" and "on Fri. at 9"."""
    if behind >= len(pieces) or pieces[behind].text != "." or pieces[behind].start != pieces[behind - 1].end:
        return False
    return len(pieces[behind - 1].text) <= 4 and bool({"month", "weekday_weak", "unit"} & set(senses))


def _longest(pieces: Sequence[Piece], place: int, spoken: Tongue) -> tuple[int, Mapping[str, str]]:
    for length in range(min(_LONGEST, len(pieces) - place), 0, -1):
        words = tuple(piece.text for piece in pieces[place : place + length])
        senses = spoken.phrases.get(words)
        if senses is not None:
            return length, senses
    return 1, {}


def evidence(terms: Sequence[Term]) -> int:
    """How many letters of a text the language knows: of its times and its small words."""
    return sum(term.end - term.start for term in terms if term.senses and term.kind == "word")
