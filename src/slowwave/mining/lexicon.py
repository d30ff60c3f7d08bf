"""Word tables: weighted patterns by name, read once from ``cues/*.toml`` and matched in one pass over a text."""

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

PACKAGE = "slowwave.mining"
MATCHED_CHARACTERS = 4_000  # a sentence or a person's turn; what stands behind it says nothing about its tone


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """One group of wordings that mean the same.

    Attributes:
        name: What the wording shows, such as ``cause`` or ``admission``.
        weight: What a match adds to a score, once however often it matches; may be negative.
        pattern: The wordings, compiled, case-blind.
    """

    name: str
    weight: float
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """The cues of one table, in the order of the file."""

    cues: tuple[Cue, ...]

    def matches(self, text: str) -> tuple[Cue, ...]:
        """The cues that a text holds, in the order of the table."""
        start = text[:MATCHED_CHARACTERS].replace("\u2019", "'")
        return tuple(cue for cue in self.cues if cue.pattern.search(start))

    def has(self, text: str, *names: str) -> bool:
        """Whether any cue of one of the names matches; of any name when none is given."""
        start = text[:MATCHED_CHARACTERS].replace("\u2019", "'")
        return any(cue.pattern.search(start) for cue in self.cues if not names or cue.name in names)

    def strip(self, text: str, name: str) -> str:
        """The text without the wordings of one cue at its beginning, at most three one behind the other."""
        patterns = [cue.pattern for cue in self.cues if cue.name == name]
        for _ in range(3):
            found = next((hit for hit in (p.match(text.replace("\u2019", "'")) for p in patterns) if hit), None)
            if found is None or found.end() == 0:
                break
            text = text[found.end() :].lstrip(" ,:;-\u2013—.!")
        return text


@cache
def load(table: str) -> Lexicon:
    """The table ``cues/<table>.toml``: each ``[[cue]]`` has ``name``, ``weight`` and ``wordings`` (patterns).

    Raises:
        KeyError: A cue lacks a field; the tables are part of the package, so that is a fault of ours.
    """
    raw = files(PACKAGE).joinpath("cues", f"{table}.toml").read_text(encoding="utf-8")
    return Lexicon(cues=tuple(_cue(entry) for entry in tomllib.loads(raw)["cue"]))


def _cue(entry: dict[str, Any]) -> Cue:
    wordings = "|".join(entry["wordings"])
    bound = r"(?<![\w'-])" if entry.get("words", True) else ""
    close = r"(?![\w-])" if entry.get("words", True) else ""
    pattern = re.compile(f"{bound}(?:{wordings}){close}", re.IGNORECASE)
    return Cue(name=entry["name"], weight=float(entry.get("weight", 0.0)), pattern=pattern)
