"""Economics: a rewrite is made where it pays, and every figure can be counted again by hand."""

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_wires import Session, call, result, text

from slowwave.facts.usage import Usage
from slowwave.hygiene.caches import TABLE, cache_of, window_of
from slowwave.hygiene.context import Context
from slowwave.hygiene.document import of_messages, read_document
from slowwave.hygiene.economics import (
    BELOW_MIN_SAVING,
    CACHE_LOSS,
    EXPECTED_TURNS,
    Economics,
    Terms,
    economics_of,
    verdict_of,
    weigh,
)
from slowwave.hygiene.pace import MOST_PACE, idle_seconds, model_of
from slowwave.hygiene.reading import read_context
from slowwave.models.prices import FREE, Price

START = datetime(2026, 11, 30, 12, tzinfo=UTC)
PRICE: dict[str, Any] = {"input": Decimal(2), "cache_read": Decimal("0.2"), "cache_write": Decimal("2.5")}
WARM = Economics(**PRICE, idle=10.0)
COLD = Economics(**PRICE, idle=None)


def test_the_figures_of_a_warm_cache() -> None:
    """100,000 tokens, 40,000 saved, 50,000 behind the change: 10,000 are written anew, at 2.3 each more than read."""
    verdict = WARM.weigh(100_000, 60_000, 50_000)

    assert verdict.net_money == 10 * 40_000 * Decimal("0.2") - 10_000 * Decimal("2.3") == 57_000
    assert verdict.net_tokens == 28_500
    assert verdict.break_even_turns == 3  # 23,000 lost against 8,000 a request
    assert (verdict.is_applied, verdict.code, verdict.saved) == (True, "", 40_000)


def test_a_change_far_back_that_saves_little_is_a_loss() -> None:
    """All behind it would be written anew."""
    verdict = WARM.weigh(100_000, 97_000, 95_000)

    assert (verdict.is_applied, verdict.code) == (False, CACHE_LOSS)
    assert verdict.break_even_turns == 353  # 92,000 · 2.3 lost against 600 a request
    assert verdict.net_tokens < 0
    assert "353" in verdict.reason


def test_cold_boundary_and_window_are_reasons_enough() -> None:
    """The same change, where no cache holds anything, where a compaction emptied it, or where it has to be."""
    assert COLD.weigh(100_000, 97_000, 95_000).is_applied
    assert Economics(**PRICE, idle=300.0).weigh(100_000, 97_000, 95_000).is_applied
    assert not Economics(**PRICE, idle=299.0).weigh(100_000, 97_000, 95_000).is_applied
    assert WARM.weigh(100_000, 97_000, 95_000, is_at_boundary=True).is_applied
    assert Economics(**PRICE, idle=10.0, window=90_000).weigh(100_000, 97_000, 95_000).is_applied


@pytest.mark.parametrize(
    ("before", "after", "min_saving", "is_enough"),
    [
        (100_000, 98_000, None, True),  # 2,000 tokens
        (100_000, 98_001, None, False),
        (10_000, 9_500, None, True),  # a twentieth
        (10_000, 9_501, None, False),
        (10_000, 9_999, 1, True),
        (10_000, 9_999, 0, True),
        (10_000, 10_000, 0, False),
        (100_000, 60_000, 50_000, False),
    ],
)
def test_the_least_saving_is_the_one_reached_first(
    before: int, after: int, min_saving: int | None, *, is_enough: bool
) -> None:
    """2,000 tokens or 5%, unless the person says how many."""
    verdict = Economics(**PRICE, min_saving=min_saving).weigh(before, after, before)

    assert verdict.code == ("" if is_enough else BELOW_MIN_SAVING)


@given(
    before=st.integers(1, 1_000_000),
    shares=st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)),
    read=st.decimals(0, 3, places=2),
    write=st.decimals(0, 6, places=2),
    idle=st.none() | st.floats(0, 600),
    turns=st.integers(1, 50),
    window=st.sampled_from([0, 1_000, 200_000]),
    long_from=st.sampled_from([0, 50_000]),
    is_at_boundary=st.booleans(),
)
def test_more_saved_never_turns_yes_into_no(before: int, shares: Any, is_at_boundary: bool, **terms: Any) -> None:
    """For one place of the first change; nor does it ever lower the gain."""
    read, write = terms.pop("read"), terms.pop("write")
    behind = int(before * shares[0])
    less, more = sorted(int(behind * share) for share in shares[1:])
    economics = Economics(input=Decimal(2), cache_read=read, cache_write=write, long_factor=Decimal(5), **terms)
    one = economics.weigh(before, before - less, behind, is_at_boundary=is_at_boundary)
    other = economics.weigh(before, before - more, behind, is_at_boundary=is_at_boundary)

    assert other.is_applied or not one.is_applied
    assert other.net_tokens >= one.net_tokens


@given(st.integers(1, 1_000_000), st.floats(0, 1), st.floats(0, 1), st.integers(1, 50))
def test_a_cold_cache_is_never_a_loss(before: int, kept: float, behind: float, turns: int) -> None:
    """Whatever is saved is a gain at once."""
    verdict = Economics(**PRICE, turns=turns).weigh(before, int(before * kept), int(before * behind))

    assert verdict.code != CACHE_LOSS
    assert verdict.net_tokens >= 0
    assert verdict.break_even_turns == 0


@given(st.integers(1, 300_000), st.floats(0, 1), st.floats(0, 1), st.integers(1, 30))
def test_the_gain_is_the_difference_of_two_bills(before: int, first: float, second: float, turns: int) -> None:
    """Each request counted by the table's own rule, with and without the rewrite, dearer long ones included."""
    price = Price(**PRICE, output=Decimal(1), long_from=100_000, long_input=Decimal(10), long_output=Decimal(2))
    behind = int(before * first)
    after = before - int(behind * second)

    def bill(sent: int, written: int) -> int:
        usage = Usage(input_tokens=sent, output_tokens=0, cache_read_tokens=sent - written, cache_write_tokens=written)
        return price.cost(usage)

    left = bill(before, 0) * turns
    rewritten = bill(after, after - (before - behind)) + bill(after, 0) * (turns - 1)
    economics = Economics(**PRICE, long_from=100_000, long_factor=Decimal(5), idle=1.0, turns=turns)
    told = economics.weigh(before, after, behind).net_money

    assert told is not None
    assert abs(told - (left - rewritten)) <= 2 * turns  # each bill is rounded up


def test_where_nothing_is_paid_room_is_all_that_counts() -> None:
    """A model on the person's own machine."""
    verdict = Economics(input=FREE.input, cache_read=FREE.cache_read, cache_write=FREE.cache_write, idle=1.0).weigh(
        100_000, 90_000, 95_000
    )

    assert (verdict.is_applied, verdict.net_money, verdict.net_tokens) == (True, 0, 100_000)


def test_a_price_without_a_cheaper_read_makes_no_loss() -> None:
    """Where the cache takes nothing off, nothing is lost with it."""
    flat = Economics(input=Decimal(2), cache_read=Decimal(2), cache_write=Decimal(2), idle=1.0)

    assert flat.weigh(100_000, 97_000, 95_000).break_even_turns == 0


def test_a_verdict_is_ready_for_json() -> None:
    """Figures by name."""
    told = json.loads(json.dumps(WARM.weigh(100_000, 60_000, 50_000).as_json()))

    assert told["net_money_micros"] == 57_000
    assert told["break_even_turns"] == 3


def stamped(*minutes: float, model: str = "claude-sonnet-5-5", usage: Any = None) -> Context:
    """A session of calls, each reply at its minute."""
    made = Session()
    made.user("Which files are there?", timestamp=START.isoformat())
    for number, minute in enumerate(minutes):
        at = (START + timedelta(minutes=minute)).isoformat()
        made.agent(call(f"c{number}"), reply=f"m-{number}", model=model, timestamp=at)
        made.records[-1]["message"]["usage"] = usage or {}
        made.user(result(f"c{number}", "x" * 4_000), timestamp=at)
    return context(made)


def context(made: Session) -> Context:
    """A session as a context."""
    return read_context(read_document(b"".join(json.dumps(record).encode() + b"\n" for record in made.records)))


def after(minutes: float) -> Terms:
    """Terms so many minutes after the beginning."""
    return Terms(now=START + timedelta(minutes=minutes))


def test_the_pace_is_that_of_the_run_so_far() -> None:
    """As many requests are expected as there were since the last pause in which the cache went cold."""
    assert economics_of(stamped(0, 1, 2, 30, 31, 33), after(34)).turns == 3
    assert economics_of(stamped(0, 30), after(31)).turns == 1
    assert economics_of(stamped(*range(150)), after(150)).turns == MOST_PACE
    assert economics_of(stamped(0), after(1)).turns == EXPECTED_TURNS
    assert economics_of(stamped(0, 1), Terms(now=START, turns=4)).turns == 4


def test_the_last_use_is_the_newest_time() -> None:
    """No present or no times: cold; a clock that is behind: in use."""
    made = stamped(0, 3)

    assert idle_seconds(made, START + timedelta(minutes=4)) == 60.0
    assert idle_seconds(made, START) == 0.0
    assert economics_of(made, Terms()).is_cold
    assert economics_of(read_context(of_messages([{"role": "user", "content": "q"}])), after(0)).is_cold


def test_the_recording_says_when_an_hour_was_asked_for() -> None:
    """Claude Code writes down which cache a reply wrote to; an hour's is dearer to write."""
    usage = {"cache_creation": {"ephemeral_1h_input_tokens": 9, "ephemeral_5m_input_tokens": 0}}
    short, long = stamped(0, 1), stamped(0, 1, usage=usage)

    assert economics_of(short, after(11)).is_cold
    assert not economics_of(long, after(11)).is_cold
    assert economics_of(long, after(11)).cache_write == 2 * economics_of(long, after(11)).input
    assert economics_of(long, Terms(now=START, lifetime=1.0)).lifetime == 1.0


def test_prices_are_those_of_the_model_and_the_day() -> None:
    """From the dated table; where it knows no model, shares of a price that nobody knows."""
    known, unknown = economics_of(stamped(0, 1), after(2)), economics_of(stamped(0, model="made"), after(2))

    assert (known.input, known.cache_read, known.cache_write) == (Decimal(2), Decimal("0.1"), Decimal("2.5"))
    assert known.window == 1_000_000
    assert (unknown.input, unknown.cache_read, unknown.is_money, unknown.window) == (
        Decimal(1),
        Decimal("0.1"),
        False,
        0,
    )
    assert unknown.weigh(100_000, 50_000, 60_000).net_money is None
    assert economics_of(stamped(0), Terms(now=START, price=FREE, window=7)).window == 7


def test_the_model_is_the_last_that_wrote() -> None:
    """What no model said names none."""
    made = Session()
    made.user("q")
    made.agent(text("a"), model="claude-opus-5")
    made.agent(text("API error"), reply="m-2", model="<synthetic>")

    assert model_of(context(made)) == "claude-opus-5"


def test_a_context_is_weighed_whole() -> None:
    """What stands behind the first change is counted from the context itself."""
    made = stamped(*range(20))
    warm, cold = after(19.5), after(60)

    code, reason = weigh(made, warm, before=made.tokens, after=made.tokens - 2_000, first=2) or ("", "")
    assert code == CACHE_LOSS
    assert "requests" in reason
    assert weigh(made, cold, before=made.tokens, after=made.tokens - 2_000, first=2) is None
    assert weigh(made, warm, before=made.tokens, after=made.tokens - 2_000, first=38) is None
    least = Terms(now=warm.now, min_saving=3_000)
    assert (weigh(made, least, before=made.tokens, after=made.tokens - 2_000, first=38) or ("", ""))[0] == (
        BELOW_MIN_SAVING
    )


def test_behind_a_fresh_compaction_the_cache_holds_nothing() -> None:
    """Until the next reply."""
    made = Session()
    made.user("q", timestamp=START.isoformat())
    made.bare(type="system", subtype="compact_boundary", uuid="b-1", parentUuid=None, timestamp=START.isoformat())
    made.user("This session is continued." * 2_000, parent="b-1", isCompactSummary=True, timestamp=START.isoformat())
    fresh = context(made)
    made.agent(text("Good."), timestamp=START.isoformat())
    gone_on = context(made)

    figures = {"before": 100_000, "after": 97_000, "first": 1}
    assert verdict_of(fresh, Terms(now=START), **figures).is_applied
    assert verdict_of(gone_on, Terms(now=START), **figures).code == CACHE_LOSS


def test_the_tables_are_dated_and_whole() -> None:
    """Every row says what it must, and whoever is not listed has the last one."""
    assert TABLE["as_of"] <= "2026-12-31"
    assert TABLE["source"]
    assert cache_of("anthropic", "claude-opus-5").long_seconds == 3_600
    assert cache_of("openai", "gpt-5.6-sol").seconds > cache_of("openai", "gpt-5").seconds
    assert cache_of("nobody", "made").seconds == 300
    assert window_of("claude-haiku-4-5") == 200_000
    assert window_of("made") == 0
