"""Relevance: whether a trait bears on a goal, by the words both share, folded to their stems.

A word of the goal's title tells more than one of its description; a theme that both touch tells a little, and alone
decides nothing. The reason names what was shared, so that a person can check it.
"""

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from slowwave.facts.limits import REASON_CHARACTERS
from slowwave.facts.text import cut, showable
from slowwave.wake.judging import RULES, Goal, Relevance
from slowwave.wake.rules.lexicon import PACKAGE, plain, words_of

TITLE, DESCRIPTION, THEME = 0.45, 0.32, 0.12
"""What a shared word adds by where it stands in the goal, and what a shared theme adds."""
ENOUGH = 0.3
"""The score from which a trait bears on a goal: one shared word is enough, a shared theme is not."""
_LONGEST_SHARED = 3  # words that a reason names
_SHORTEST = 3  # letters of a word that carries content
_PREFIX = 5  # letters that two words have to begin with together, to be of one family
_ENDINGS = (
    *("ingly", "ungen", "ations", "ation", "ments", "ment", "iones", "idades", "ness", "edly", "ing", "ung", "heit"),
    *("keit", "cion", "idad", "mente", "isch", "lich", "ies", "ers", "ed", "en", "es", "er", "ar", "ir", "ly", "as"),
    *("os", "s", "e", "y", "n", "a", "o"),
)
_STEM = 3  # letters that stay whatever ending goes


def bearing(trait: str, goal: Goal) -> Relevance:
    """Whether a trait bears on a goal, with score and reason."""
    said = stems(trait)
    in_title = _shared(said, stems(goal.title))
    in_description = [one for one in _shared(said, stems(goal.description)) if one not in in_title]
    themes = sorted(themes_of(said) & themes_of([*stems(goal.title), *stems(goal.description)]))
    missing = (1 - TITLE) ** len(in_title) * (1 - DESCRIPTION) ** len(in_description) * (1 - THEME) ** len(themes)
    score = round(1 - missing, 3)
    return Relevance(
        goal_id=goal.id,
        is_relevant=score >= ENOUGH,
        score=score,
        reason=_reason([*in_title, *in_description], themes),
        decided_by=RULES,
    )


def stems(text: str) -> list[str]:
    """The words that carry content, folded to stems, each once, in order."""
    known = _fillers()
    kept = (stem(word) for word in words_of(plain(text)) if len(word) >= _SHORTEST and word not in known)
    return list(dict.fromkeys(kept))


def stem(word: str) -> str:
    """A word without its ending, in a way that serves several languages a little and none well."""
    word = word.split("'", maxsplit=1)[0]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            word = word[: -len(ending)]
            break
    doubled = len(word) > _STEM and word[-1] == word[-2] and word[-1] not in "aeiou"
    return word[:-1] if doubled else word


def themes_of(said: Iterable[str]) -> set[str]:
    """The themes of identity views that words touch."""
    words = list(said)
    return {name for name, beginnings in _themes().items() if any(one.startswith(beginnings) for one in words)}


def _shared(said: Iterable[str], wanted: Iterable[str]) -> list[str]:
    others = list(wanted)
    return [one for one in said if any(_are_kin(one, other) for other in others)]


def _are_kin(one: str, other: str) -> bool:
    """Whether two stems are of one family: equal, or long and beginning alike."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return len(short) >= _PREFIX and long.startswith(short)


def _reason(shared: list[str], themes: list[str]) -> str:
    parts = []
    if shared:
        parts.append(f"both speak of {', '.join(shared[:_LONGEST_SHARED])}")
    if themes:
        parts.append(f"both touch {', '.join(themes)}")
    return cut(showable("; ".join(parts) or "they share no word"), REASON_CHARACTERS)


@cache
def _fillers() -> frozenset[str]:
    raw = tomllib.loads(files(PACKAGE).joinpath("fillers.toml").read_text(encoding="utf-8"))
    return frozenset(word for language in raw["fillers"].values() for word in language.split())


@cache
def _themes() -> dict[str, tuple[str, ...]]:
    raw = tomllib.loads(files("slowwave.wake").joinpath("themes.toml").read_text(encoding="utf-8"))
    return {name: tuple(one["words"]) for name, one in raw.items()}
