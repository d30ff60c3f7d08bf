"""Prices: found by name and day, bounds above costs, unknown is unknown, local is free."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from slowwave.disk.config import ModelSettings
from slowwave.facts.usage import Usage
from slowwave.models.prices import FREE, Price, price_of, price_table

TODAY = date(2026, 11, 30)
PLAIN = ModelSettings()


def of(provider: str, model: str, on: date = TODAY) -> Price | None:
    """The price of a model by the table."""
    return price_of(provider, model, on=on, settings=PLAIN)


@pytest.mark.parametrize(
    ("provider", "model", "sent", "answered"),
    [
        ("anthropic", "claude-sonnet-5-5", "2", "10"),
        ("anthropic", "claude-haiku-4-5-20251001", "1", "5"),
        ("openai-responses", "gpt-5.6-sol-2026-06-01", "4", "20"),
        ("gemini", "gemini-2.5-flash", "0.3", "2.5"),
        ("bedrock", "eu.anthropic.claude-sonnet-4-5-20250929-v1:0", "3.3", "16.5"),
        ("bedrock", "global.anthropic.claude-sonnet-5-5-v1:0", "2", "10"),
    ],
)
def test_a_model_is_found_by_its_name_with_or_without_a_version(
    provider: str, model: str, sent: str, answered: str
) -> None:
    """Dates and versions behind a known name are one model."""
    price = of(provider, model)
    assert price is not None
    assert (price.input, price.output) == (Decimal(sent), Decimal(answered))


@pytest.mark.parametrize(
    ("provider", "model"),
    [("anthropic", "claude-sonnet-5x"), ("openai", "gpt-5-unheard"), ("openai-compatible", "gpt-5"), ("", "")],
)
def test_what_is_not_in_the_table_is_unknown(provider: str, model: str) -> None:
    """A longer name is another model, and a compatible server is not the provider itself."""
    assert of(provider, model) is None


def test_the_newest_row_that_has_begun_wins() -> None:
    """A price cut counts from its day on."""
    before, after = of("openai", "o3", date(2025, 6, 9)), of("openai", "o3", date(2025, 6, 10))
    assert before is not None
    assert after is not None
    assert (before.input, after.input) == (Decimal(10), Decimal(2))


def test_the_person_wins_over_the_table_and_local_is_free() -> None:
    """Figures in the settings are used as they stand; what runs here costs nothing."""
    said = ModelSettings(input_price=0.5, output_price=1.5)
    price = price_of("anthropic", "claude-sonnet-5-5", on=TODAY, settings=said)
    assert price is not None
    assert (price.input, price.output) == (Decimal("0.5"), Decimal("1.5"))
    assert of("ollama", "anything") is FREE
    elsewhere = ModelSettings(provider="ollama", base_url="https://ollama.example.com")
    assert price_of("ollama", "anything", on=TODAY, settings=elsewhere) is None
    assert FREE.bound(input_tokens=10**9, output_tokens=10**9) == 0


def test_every_row_of_the_table_can_be_used() -> None:
    """Figures are positive, long prices are not below the plain ones, no name stands twice for one day."""
    rows = price_table()["price"]
    keys = [(row["provider"], row["model"], row.get("since")) for row in rows]
    assert len(set(keys)) == len(keys) > 60
    for row in rows:
        price = of(row["provider"], row["model"].replace("regional.", "eu."), date(2027, 6, 1))
        assert price is not None, row
        assert 0 < price.input < price.output
        assert not price.long_from or price.long_input >= price.input


@given(st.sampled_from(price_table()["price"]), *(st.integers(0, 400_000) for _ in range(4)))
def test_a_bound_is_never_below_the_cost(row: dict[str, str], sent: int, read: int, written: int, out: int) -> None:
    """Whatever share of the input a cache held, and however long the call was."""
    price = of(row["provider"], row["model"].replace("regional.", "eu."))
    assert price is not None
    total = sent + read + written
    used = Usage(input_tokens=total, cache_read_tokens=read, cache_write_tokens=written, output_tokens=out)
    assert price.cost(used) <= price.bound(input_tokens=total, output_tokens=out)


def test_money_is_rounded_up() -> None:
    """A fraction of a millionth counts as one."""
    price = of("openai", "gpt-5-nano")
    assert price is not None
    assert price.cost(Usage(input_tokens=1)) == 1
