"""Prices: what a model costs on a day, from a dated table, or as the person says; bounds before a call, cost after it.

US dollars for a million tokens are millionths of a dollar for one token, so that no figure is ever divided; sums are
rounded up to whole millionths.
"""

import re
import tomllib
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_CEILING, Decimal
from functools import cache
from importlib import resources
from typing import Any

from slowwave.disk.config import ModelSettings
from slowwave.facts.usage import Usage
from slowwave.models.providers import LOCAL, stays_here

_SAME = {"openai-responses": "openai"}
_VERSION = re.compile(r"(-latest|[-@]\d{8}|-\d{4}-\d{2}-\d{2}|-v\d+(:\d+)?|-preview-\d{2}-\d{2,4})+")
_REGIONAL = re.compile(r"^(?!global\.)[a-z]{2,6}\.(?=[a-z]+\.)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """Millionths of a US dollar for one token, by sort; past ``long_from`` input tokens the long prices hold.

    Attributes:
        input: For a token sent that no cache held.
        output: For a token answered.
        cache_read: For a token that the provider's cache held.
        cache_write: For a token put into it.
        long_from: From how many input tokens on a call is long; 0 where none is.
        long_input: ``input`` of a long call.
        long_output: ``output`` of a long call.
        source: Where the figures are from.
    """

    input: Decimal
    output: Decimal
    cache_read: Decimal
    cache_write: Decimal
    long_from: int = 0
    long_input: Decimal = Decimal(0)
    long_output: Decimal = Decimal(0)
    source: str = ""

    def bound(self, *, input_tokens: int, output_tokens: int) -> int:
        """The most a call of so many tokens can cost: each token at the dearest of its sorts."""
        factor = self._factor()
        sent = max(self.input, self.cache_read, self.cache_write) * factor
        return _up(sent * input_tokens + max(self.output, self.long_output) * output_tokens)

    def cost(self, usage: Usage) -> int:
        """What a call did cost by its counted tokens."""
        is_long = bool(self.long_from) and usage.input_tokens > self.long_from
        plain = max(0, usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens)
        cached = self.cache_read * usage.cache_read_tokens + self.cache_write * usage.cache_write_tokens
        sent = (self.input * plain + cached) * (self._factor() if is_long else 1)
        return _up(sent + (self.long_output if is_long else self.output) * usage.output_tokens)

    def _factor(self) -> Decimal:
        """How much dearer the input of a long call is; its cached tokens rise alike."""
        return max(Decimal(1), self.long_input / self.input) if self.long_from and self.input else Decimal(1)


FREE = Price(input=Decimal(0), output=Decimal(0), cache_read=Decimal(0), cache_write=Decimal(0), source="local")
"""Of a model on the person's own machine."""


def price_of(provider: str, model: str, *, on: date, settings: ModelSettings) -> Price | None:
    """The price of a model on a day: as the settings say, else free where it runs on this machine, else from the table.

    A model is found by its exact name, or by its name before a version: a date, ``-latest``, ``-v1:0``. A name of
    Bedrock that begins with a region is one of its ``regional`` rows. None where nothing is known.
    """
    if settings.input_price is not None and settings.output_price is not None:
        sent, answered = Decimal(str(settings.input_price)), Decimal(str(settings.output_price))
        return Price(input=sent, output=answered, cache_read=sent, cache_write=sent, source="settings")
    if provider in LOCAL and stays_here(settings.model_copy(update={"provider": provider})):
        return FREE
    rows = [row for row in _table()["price"] if _is_of(row, _SAME.get(provider, provider), model)]
    begun = [row for row in rows if row.get("since", date.min) <= on]
    return _price(max(begun, key=lambda row: row.get("since", date.min))) if begun else None


def price_table() -> dict[str, Any]:
    """The table as it is shown: ``as_of``, ``source`` and its rows under ``price``."""
    return _table()


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((resources.files("slowwave.models") / "prices.toml").read_text("utf-8"))


def _is_of(row: dict[str, Any], provider: str, model: str) -> bool:
    name = _REGIONAL.sub("regional.", model, count=1) if provider == "bedrock" else model
    known = str(row["model"])
    if row["provider"] != provider or not name.startswith(known):
        return False
    return name == known or _VERSION.fullmatch(name[len(known) :]) is not None


def _price(row: dict[str, Any]) -> Price:
    sent, answered = Decimal(row["input"]), Decimal(row["output"])
    return Price(
        input=sent,
        output=answered,
        cache_read=Decimal(row.get("cache_read", row["input"])),
        cache_write=Decimal(row.get("cache_write", row["input"])),
        long_from=int(row.get("long_from", 0)),
        long_input=Decimal(row.get("long_input", 0)),
        long_output=Decimal(row.get("long_output", 0)),
        source=f"{_table()['source']}, {_table()['as_of']}",
    )


def _up(amount: Decimal) -> int:
    return int(amount.to_integral_value(rounding=ROUND_CEILING))
