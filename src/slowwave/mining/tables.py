"""The word tables of ``mining/cues``, read once: lists of words, and lists of patterns joined into one."""

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Any

_CASELESS = "(?i)"


@cache
def table(name: str) -> dict[str, Any]:
    """One table, parsed; ``name`` is the file's, without its ending."""
    return tomllib.loads(resources.files("slowwave.mining").joinpath("cues", f"{name}.toml").read_text("utf-8"))


@cache
def words(name: str, key: str) -> frozenset[str]:
    """One list of words of a table."""
    return frozenset(table(name)[key])


@cache
def pattern(name: str, key: str) -> re.Pattern[str]:
    """One list of patterns of a table, as alternatives; a pattern that begins with ``(?i)`` ignores case alone."""
    parts = [
        f"(?i:{text.removeprefix(_CASELESS)})" if text.startswith(_CASELESS) else f"(?:{text})"
        for text in table(name)[key]
    ]
    return re.compile("|".join(parts))
