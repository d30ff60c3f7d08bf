"""Whether a candidate is about what a person prefers; such a one must be in that person's own words.

The claim is read with a versioned word table for each language: somebody who wants, prefers, likes, asked for, insists
or never wants, where that somebody is the user, another person by role, or a person by name. A tool that "prefers"
something is no person. What no table can read is not judged.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

from slowwave.facts.answer import Candidate
from slowwave.facts.memory import Entity
from slowwave.proof.lexicons import plain, tables

_USERS = frozenset({"user", "the user", "users", "human", "the human"})
_MOST_NAME = 60
_FIGURE = re.compile(r"\d")
_OWN = (
    "people",
    "names",
    "verbs",
    "phrases",
    "adverbs",
    "auxiliaries",
    "base_verbs",
    "plurals",
    "possessives",
    "nouns",
    "passives",
)
"""Lists of a table that say that somebody wishes, not what."""


def is_preference(candidate: Candidate) -> bool:
    """Whether a candidate names the user as a person, or its claim is worded as somebody's preference."""
    people = [entity for entity in candidate.entities if entity.type == "person"]
    if any(plain(entity.name) in _USERS for entity in people):
        return True
    claim = plain(candidate.claim)
    names = _names(people)
    return any(pattern.search(claim) for pattern in (*_patterns(()), *(_patterns(names) if names else ())))


def wished(claim: str) -> str | None:
    """What a claim says that somebody wishes: its words without those that say so; None where it words no wish.

    Taken off are the tables' own words (who wishes, the wishing, words that carry nothing) and marks with a figure in
    them, since a number or an id stands beside anything; a claim of nothing but marks keeps them.
    """
    text = plain(claim)
    found = [at for at, pattern in enumerate(_patterns(())) if pattern.search(text)]
    if not found:
        return None
    for at in found:
        text = _own_words()[at].sub(" ", text)
    return " ".join(word for word in text.split() if not _FIGURE.search(word)) or text


def _names(people: Iterable[Entity]) -> tuple[str, ...]:
    """Names of persons as a claim may spell them: whole, and the first name alone."""
    whole = {plain(entity.name[:_MOST_NAME]) for entity in people}
    return tuple(sorted(name for name in whole | {name.split(" ")[0] for name in whole} if len(name) > 1))


@lru_cache(maxsize=64)
def _patterns(names: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """One pattern a language; with names, whose favour counts are these persons instead of the table's own."""
    return tuple(_pattern(table, names or (*table["people"], *table["names"])) for table in tables("preference"))


def _pattern(table: dict[str, Any], people: Sequence[str]) -> re.Pattern[str]:
    if not table.get("has_blanks", True):
        return re.compile(rf"{_any(people)}.{{0,{table['gap']}}}?{_any(table['verbs'])}|{_any(table['phrases'])}")
    who, verb, adverb = _any(people), _any(table["verbs"]), _any(table["adverbs"])
    base, plural, auxiliary = _any(table["base_verbs"]), _any(table["plurals"]), _any(table["auxiliaries"])
    forms = [
        rf"{who},?(?: {adverb}){{0,3}} {verb}",
        rf"{who},?(?: {adverb}){{0,3}} {auxiliary}(?: {adverb}){{0,2}} {base}",
        rf"{plural}(?: {adverb}){{0,3}} {base}",
        rf"{_any(table['possessives'])} (?:\w+ )?{_any(table['nouns'])}",
        rf"{_any(table['passives'])} {who}",
    ]
    if table["inverted"]:
        forms.append(rf"{verb}(?: {adverb})? {who}")
    if table["phrases"]:
        forms.append(_any(table["phrases"]))
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)")


@cache
def _own_words() -> tuple[re.Pattern[str], ...]:
    """For each language, any word of its table."""
    return tuple(_own_word(table) for table in tables("preference"))


def _own_word(table: dict[str, Any]) -> re.Pattern[str]:
    own = _any([*(word for part in _OWN for word in table.get(part, ())), *table["fillers"].split()])
    return re.compile(rf"(?<!\w){own}(?!\w)|(?<!\w){own}(?<=')" if table.get("has_blanks", True) else own)


def _any(words: Sequence[str]) -> str:
    return "(?:" + "|".join(re.escape(word) for word in sorted(set(words), key=lambda word: (-len(word), word))) + ")"
