"""The word lists of ``lexicon.toml``, read once."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """Fillers, negations (words, and pieces for scripts without blanks) and number words with their figures."""

    fillers: frozenset[str]
    negations: frozenset[str]
    pieces: tuple[str, ...]
    numbers: dict[str, str]


@cache
def lexicon() -> Lexicon:
    """The lists as shipped."""
    table = tomllib.loads((resources.files("slowwave.corpus") / "lexicon.toml").read_text(encoding="utf-8"))
    return Lexicon(
        fillers=frozenset(table["fillers"].split()),
        negations=frozenset(" ".join(table["negations"].values()).split()),
        pieces=tuple(" ".join(table["pieces"].values()).split()),
        numbers={word: str(figure) for figure, word in enumerate(table["numbers"].split())},
    )
