"""Weighing: what a text shows, added up to a value, with the rows that told most."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import exp

from slowwave.wake.rules.lexicon import PACKAGE
from slowwave.wake.rules.reading import Reading

_TOLD = 3  # rows that a reason names


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """What a text was found to be.

    Attributes:
        value: The heaviest of the values.
        share: Its share among all, 0 to 1.
        reason: The rows that told most for it, with the words that showed them.
    """

    value: str
    share: float
    reason: str


@cache
def weights(table: str) -> Mapping[str, Mapping[str, float]]:
    """The weights of one question: for each value what each row adds, and ``start`` what it begins with.

    Raises:
        KeyError: There is no such question.
    """
    raw = files(PACKAGE).joinpath("weights.toml").read_text(encoding="utf-8")
    found: Mapping[str, Mapping[str, float]] = tomllib.loads(raw)[table]
    return found


def weigh(table: str, reading: Reading) -> Weighed:
    """Add up what a text shows; of equal values the first of the table wins."""
    sums = {
        value: rows.get("start", 0.0) + sum(rows.get(name, 0.0) for name in reading.shown)
        for value, rows in weights(table).items()
    }
    best = max(sums, key=lambda value: sums[value])
    total = sum(exp(one - sums[best]) for one in sums.values())
    return Weighed(value=best, share=1 / total, reason=_reason(weights(table)[best], reading))


def _reason(rows: Mapping[str, float], reading: Reading) -> str:
    told = sorted((name for name in reading.shown if rows.get(name, 0.0) > 0), key=lambda name: -rows[name])
    said = [
        f"{name.replace('_', ' ')} ({reading.shown[name]})" if reading.shown[name] else name.replace("_", " ")
        for name in told[:_TOLD]
    ]
    return ", ".join(said) or "nothing speaks for anything else"
