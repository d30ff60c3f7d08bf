"""Which text carries a decision, a rationale, a correction, a constraint, a prohibition or an approval.

Such text is pinned. It is known by a versioned word table, ``lexicon/<language>.toml``, and every language is looked
for in every text, for people mix them. The tables lean towards saying yes: a pin too many costs a little room, a
decision lost costs trust. A text is read once for each reason, and every pattern is bounded, so that the work stays
linear in texts that somebody made to be slow.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from slowwave.facts.ids import digest
from slowwave.facts.text import WHITE_SPACE
from slowwave.hygiene.branching import branching
from slowwave.proof.triviality import CJK

REASONS = ("decision", "rationale", "correction", "constraint", "prohibition", "approval")
"""Why a text is pinned, in the order in which the first one is told."""

_ACCENTS = dict.fromkeys(range(0x300, 0x370))
_LETTERS = {
    code: unicodedata.normalize("NFD", chr(code))[0]
    for code in range(0xC0, 0x180)
    if len(unicodedata.normalize("NFD", chr(code))) > 1
}
_SPELLINGS = str.maketrans({"\N{RIGHT SINGLE QUOTATION MARK}": "'", "ß": "ss", "œ": "oe"})
_PLAIN: dict[int, str | int | None] = {**_SPELLINGS, **_ACCENTS, **_LETTERS}


def reason_of(text: str) -> str:
    """The first of ``REASONS`` that a text gives for being kept word for word; empty where it gives none."""
    read = without_accents(text)
    patterns = _patterns(has_blanks=True)
    pieces = _patterns(has_blanks=False) if not read.isascii() and CJK.search(read) else {}
    for reason in REASONS:
        if patterns[reason].search(read) or (pieces and pieces[reason].search(read)):
            return reason
    return ""


@cache
def lexicon_digest() -> str:
    """The tables by their content, for the profile that a curation was made under."""
    return digest("lexicon", *(name + raw for name, raw in _sources()))


def without_accents(text: str) -> str:
    """A text as the tables spell it: lower case, no accents, straight apostrophes, one blank for white space.

    Written composed or decomposed, a letter reads the same; nothing here grows with more than the text's length.
    """
    return WHITE_SPACE.sub(" ", text.lower().translate(_PLAIN) if not text.isascii() else text.lower())


def _sources() -> Sequence[tuple[str, str]]:
    folder = files("slowwave.hygiene").joinpath("lexicon")
    found = sorted((entry.name, entry) for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return [(name, entry.read_text("utf-8")) for name, entry in found]


@cache
def _tables() -> Sequence[dict[str, Any]]:
    return [tomllib.loads(raw) for _, raw in _sources()]


@cache
def _patterns(*, has_blanks: bool) -> dict[str, re.Pattern[str]]:
    """One pattern a reason, over all languages that write blanks between words, or over all that do not."""
    wordings: dict[str, list[str]] = {reason: [] for reason in REASONS}
    for table in _tables():
        if table["has_blanks"] is has_blanks:
            for reason in REASONS:
                wordings[reason] += map(without_accents, table["wordings"][reason])
    return {reason: _pattern(wordings[reason], has_blanks=has_blanks) for reason in REASONS}


def _pattern(wordings: Iterable[str], *, has_blanks: bool) -> re.Pattern[str]:
    any_of = branching(wordings)
    return re.compile(rf"(?<!\w)(?:{any_of})(?!\w)" if has_blanks else any_of)
