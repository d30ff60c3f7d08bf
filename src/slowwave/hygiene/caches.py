"""Caches: how long a provider keeps the beginning of a conversation, and how much fits into a model's window.

From ``caches.toml``, which is dated. Where the table of prices knows a model, its figures count and not these shares.
"""

import re
import tomllib
from dataclasses import dataclass
from decimal import Decimal
from importlib import resources
from typing import Any

TABLE: dict[str, Any] = tomllib.loads((resources.files("slowwave.hygiene") / "caches.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cache:
    """How a provider's cache behaves for a model.

    Attributes:
        seconds: It lives after its last use.
        read: Price of a token read from it, as a share of one that no cache holds.
        write: Of a token written to it.
        long_seconds: It lives where a request asked for the longer time; 0 where none can be asked for.
        long_write: ``write`` then.
    """

    seconds: float
    read: Decimal
    write: Decimal
    long_seconds: float = 0.0
    long_write: Decimal = Decimal(0)


def cache_of(provider: str, model: str) -> Cache:
    """The cache that a provider keeps for a model; whoever is not listed does what most do."""
    row = next(row for row in TABLE["cache"] if row["provider"] in (provider, "") and _is_for(row, model))
    return Cache(
        seconds=float(row["seconds"]),
        read=Decimal(row["read"]),
        write=Decimal(row["write"]),
        long_seconds=float(row.get("long_seconds", 0)),
        long_write=Decimal(row.get("long_write", row["write"])),
    )


def window_of(model: str) -> int:
    """Tokens that fit into a model's window; 0 where that is not known."""
    return next((int(row["tokens"]) for row in TABLE["window"] if _is_for(row, model)), 0)


def _is_for(row: dict[str, Any], model: str) -> bool:
    return "models" not in row or re.fullmatch(row["models"], model) is not None
