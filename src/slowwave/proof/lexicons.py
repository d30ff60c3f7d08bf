"""The lexicons that ship with proof: versioned word tables, one file a language, read once."""

import tomllib
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Any

from slowwave.facts.text import fold, normal

# Cyrillic, Greek and Turkish letters that pass for Latin ones in every common font.
_LOOKALIKES = str.maketrans("аеорсухіјѕһԁԛԝвкмнтαορντυικεı", "aeopcyxijshdqwbkmhtaopvtuikei")


@cache
def tables(name: str) -> tuple[dict[str, Any], ...]:
    """All language tables of a lexicon, such as ``preference``, in order of language."""
    folder = files("slowwave.proof").joinpath("lexicon", name)
    found = sorted((entry.name, entry) for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return tuple(tomllib.loads(entry.read_text("utf-8")) for _, entry in found)


def plain(text: str) -> str:
    """A text as the tables spell it: NFKC, case folded, white space folded, without invisible characters."""
    visible = "".join(character for character in normal(text) if unicodedata.category(character) != "Cf")
    return fold(visible).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")


def latinised(text: str) -> str:
    """A plain text with look-alike Cyrillic and Greek letters read as the Latin ones they imitate."""
    return text.translate(_LOOKALIKES)
