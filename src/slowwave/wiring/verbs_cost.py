"""Cost as a verb: what was asked of models, why, at what cost, and what is left of today. Only looks."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from slowwave.facts.limits import COST_DAYS, LEDGER_DAYS, MOST_COST_CALLS, MOST_COST_ROWS
from slowwave.facts.refusal import UsageError
from slowwave.facts.usage import MICRO, NOTHING_USED, Usage
from slowwave.models.accounts import GROUPS, Account, Call, count_calls, newest_calls, sum_up
from slowwave.models.budget import CONSUMERS, Budget
from slowwave.models.prices import Price, price_of, price_table
from slowwave.wiring.premises import Premises
from slowwave.wiring.purses import looking_at_budget

_NAMES = {"run_id": "run"}


def tell_cost(house: Premises, *, days: int = COST_DAYS) -> dict[str, Any]:
    """Calls, tokens and money of the last so many local days, with what may still be used today.

    Money is in US dollars, ``tokens`` are those of both directions. A call that is ``reserved`` goes on, or its
    process died: it counts in full.

    Raises:
        UsageError: No such number of days can be looked at.
        BudgetUnreadableError: The ledger is damaged.
    """
    if not 0 < days <= LEDGER_DAYS:
        raise UsageError(f"--days takes 1 to {LEDGER_DAYS}, not {days}", hint="the ledger keeps no more days")
    with looking_at_budget(house) as budget:
        day = budget.today()
        since = (date.fromisoformat(day) - timedelta(days=days - 1)).isoformat()
        calls = newest_calls(budget.ledger, since=since, most=MOST_COST_CALLS)
        number = count_calls(budget.ledger, since)
        sums = sum_up(budget.ledger, since=since)
        return {
            "model": _model(house),
            "everAsked": count_calls(budget.ledger) > 0,
            "from": since,
            "today": day,
            "opensAgain": budget.opens(day).isoformat(timespec="minutes"),
            "total": _usage(sum((one.usage for one in sums["day"]), NOTHING_USED)),
            **{f"by{group.capitalize()}": _rows(GROUPS[group], sums[group]) for group in GROUPS},
            "calls": [_call(call) for call in calls],
            "moreCalls": number - len(calls),
            "money": _money(budget, day),
            "consumers": [_consumer(budget, consumer, day) for consumer in CONSUMERS],
            "prices": _prices(house, date.fromisoformat(day)),
        }


def _model(house: Premises) -> str:
    settings = house.config.models
    return f"{settings.provider}:{settings.model}" if settings.provider and settings.model else ""


def _rows(columns: Sequence[str], accounts: Sequence[Account]) -> list[dict[str, Any]]:
    """At most so many rows; the total beside them is of all."""
    names = [_NAMES.get(name, name) for name in columns]
    return [dict(zip(names, one.names, strict=True)) | _usage(one.usage) for one in accounts[:MOST_COST_ROWS]]


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "calls": usage.calls,
        "tokens": usage.tokens,
        "inputTokens": usage.input_tokens,
        "outputTokens": usage.output_tokens,
        "cacheReadTokens": usage.cache_read_tokens,
        "cacheWriteTokens": usage.cache_write_tokens,
        "usd": usage.micro_usd / MICRO,
        "seconds": round(usage.seconds, 3),
    }


def _call(call: Call) -> dict[str, Any]:
    said = {
        "day": call.day,
        "moment": call.moment,
        "consumer": call.consumer,
        "phase": call.phase,
        "run": call.run_id,
        "reason": call.reason,
        "model": call.model,
        "status": call.status,
    }
    used = _usage(call.usage)
    del used["calls"]
    return said | used


def _money(budget: Budget, day: str) -> dict[str, float]:
    cap, spent = budget.settings.money_a_day, budget.ledger.spent(day).micro_usd / MICRO
    return {"cap": cap, "spent": spent, "left": max(0.0, round(cap - spent, 6))}


def _consumer(budget: Budget, consumer: str, day: str) -> dict[str, Any]:
    pool, left, spent = budget.pool(consumer), budget.left(consumer), budget.ledger.spent(day, consumer)
    return {
        "consumer": consumer,
        "caps": {"calls": pool.calls, "tokens": pool.tokens, "usd": pool.money, "seconds": pool.seconds},
        "spent": {
            "calls": spent.calls,
            "tokens": spent.tokens,
            "usd": spent.micro_usd / MICRO,
            "seconds": spent.milliseconds / 1000,
        },
        "left": {"calls": left.calls, "tokens": left.tokens, "usd": left.micro_usd / MICRO, "seconds": left.seconds},
    }


def _prices(house: Premises, on: date) -> dict[str, Any]:
    """The table's date, and what the configured model costs a million tokens; ``price`` is None where unknown."""
    settings, table = house.config.models, price_table()
    known = price_of(settings.provider, settings.model, on=on, settings=settings) if _model(house) else None
    return {
        "asOf": str(table["as_of"]),
        "source": str(table["source"]),
        "rows": len(table["price"]),
        "model": _model(house),
        "price": _price(known) if known else None,
    }


def _price(price: Price) -> dict[str, Any]:
    return {
        "input": float(price.input),
        "output": float(price.output),
        "cacheRead": float(price.cache_read),
        "cacheWrite": float(price.cache_write),
        "longFrom": price.long_from,
        "longInput": float(price.long_input),
        "longOutput": float(price.long_output),
        "source": price.source,
    }
