"""Cue lists: what a wording shows, one file a language, each row compiled to one pattern over folded text."""

import re
import tomllib
import unicodedata
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from slowwave.facts.limits import JUDGED_CHARACTERS
from slowwave.facts.text import fold, normal

PACKAGE = "slowwave.wake.rules"
LANGUAGES = ("en", "de", "es")
"""Languages with a cue list; anything else is read with the English one and with what all share."""
_STAR = re.compile(r"(?<=\w)\*|(?<!\S)\*(?=\w)")
_WORD = re.compile(r"[\w']+")


@dataclass(frozen=True, slots=True, kw_only=True)
class CueList:
    """The rows of one language.

    Attributes:
        words: Small words by which the language is known.
        letters: Letters that only this one of our languages writes.
        patterns: For each row its wordings, over folded text.
    """

    words: frozenset[str]
    letters: frozenset[str]
    patterns: Mapping[str, re.Pattern[str]]


def plain(text: str) -> str:
    """A text as cue lists spell it: the beginning, folded, without accents or invisible characters."""
    decomposed = unicodedata.normalize("NFD", normal(text, JUDGED_CHARACTERS))
    kept = "".join(one for one in decomposed if unicodedata.category(one) not in ("Mn", "Cf", "Cc") or one in "\n\t")
    return fold(kept.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))


def words_of(text: str) -> tuple[str, ...]:
    """The words of a plain text, in order."""
    return tuple(_WORD.findall(text))


@cache
def cues(language: str) -> CueList:
    """The cue list of a language, or ``shared``.

    Raises:
        KeyError: A row is missing; the lists are part of the package, so that is a fault of ours.
    """
    raw = _read(f"{language}.toml")
    return CueList(
        words=frozenset(raw["words"]),
        letters=frozenset(raw.get("letters", "")),
        patterns={name: _compiled(wordings) for name, wordings in raw["cues"].items()},
    )


@cache
def first_names() -> frozenset[str]:
    """First names that many people bear, folded; others are known by how a sentence uses them."""
    return frozenset(_read("shared.toml")["names"]["first"])


@cache
def no_names() -> frozenset[str]:
    """Words that are written with a capital letter and are no names of people, folded."""
    return frozenset(_read("shared.toml")["names"]["others"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """A row that follows from others: all of some, at least one of some, none of some."""

    name: str
    every: tuple[str, ...] = ()
    some: tuple[str, ...] = ()
    none: tuple[str, ...] = ()

    def holds(self, shown: Container[str]) -> bool:
        """Whether it follows from what a text shows."""
        return (
            all(one in shown for one in self.every)
            and (not self.some or any(one in shown for one in self.some))
            and not any(one in shown for one in self.none)
        )


@cache
def together() -> tuple[Together, ...]:
    """The rows that follow from others, in order: a later one may rest on one before it."""
    return tuple(_follows(name, raw) for name, raw in _read("together.toml").items())


def _follows(name: str, raw: Mapping[str, Sequence[str]]) -> Together:
    return Together(
        name=name,
        every=tuple(raw.get("every", ())),
        some=tuple(raw.get("some", ())),
        none=tuple(raw.get("none", ())),
    )


def language_of(text: str, folded: str) -> str:
    """The language that a text holds most of: its small words and letters, then how many rows of its list fit.

    Args:
        text: As written.
        folded: The same, plain.

    English where nothing tells.
    """
    spoken = words_of(folded)
    letters = set(text.casefold())

    def told(name: str) -> tuple[float, bool]:
        listed = cues(name)
        small = sum(word in listed.words for word in spoken) + len(letters & listed.letters)
        rows = sum(pattern.search(folded) is not None for pattern in listed.patterns.values())
        return small + rows / 2, name == "en"

    return max(LANGUAGES, key=told)


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files(PACKAGE).joinpath("cues", name).read_text(encoding="utf-8"))


def _compiled(wordings: Sequence[str]) -> re.Pattern[str]:
    every = "|".join(_STAR.sub(r"\\w*", one) for one in wordings)
    return re.compile(f"(?<![\\w])(?:{every})(?![\\w])|(?!)")
