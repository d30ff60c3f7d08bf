"""Mood and energy in a person's own words of a day: a level from 1 to 5, and the words that said it."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from slowwave.facts.text import cut, normal

_SENTENCE = re.compile(r"[.!?;\n]+|, but |, aber |, pero ")
_WORD = re.compile(r"[\w'\u2019]+")
_BEFORE = 3  # words before a feeling that may turn it into its contrary
_QUOTED_CHARACTERS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Feeling:
    """A level from 1 (low) to 5 (high), and the sentence that says so."""

    level: int
    words: str


def feeling_in(kind: str, texts: Iterable[str]) -> Feeling | None:
    """The last thing said about ``mood`` or ``energy``; None where nothing was.

    A word counts only in a sentence that speaks of the person. A "not" before it turns a high level into a low one and
    leaves a low one unsaid: "not tired" is no energy.
    """
    found: Feeling | None = None
    for text in texts:
        for sentence in _SENTENCE.split(text):
            found = _in_sentence(kind, sentence) or found
    return found


def _in_sentence(kind: str, sentence: str) -> Feeling | None:
    words = _WORD.findall(normal(sentence).replace("\u2019", "'"))
    table = _table()
    if not set(words) & set(table["person"]["words"]):
        return None
    for level, phrases in table[kind].items():
        for phrase in phrases:
            at = _place(words, phrase.split())
            if at is None:
                continue
            is_turned = any(word in table["not"]["words"] for word in words[max(0, at - _BEFORE) : at])
            if is_turned and int(level) < 3:
                continue
            return Feeling(
                level=2 if is_turned else int(level), words=cut(" ".join(sentence.split()), _QUOTED_CHARACTERS)
            )
    return None


def _place(words: list[str], phrase: list[str]) -> int | None:
    size = len(phrase)
    return next((at for at in range(len(words) - size + 1) if words[at : at + size] == phrase), None)


@cache
def _table() -> Mapping[str, Any]:
    return tomllib.loads(files("slowwave.sleep").joinpath("feelings.toml").read_text("utf-8"))
