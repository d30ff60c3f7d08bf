"""Accounts: what the ledger tells whoever looks back: single calls, and sums by day, phase, model and run."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from slowwave.facts.usage import NOTHING_USED, Usage
from slowwave.models.ledger import Ledger

GROUPS = {
    "day": ("day",),
    "phase": ("consumer", "phase"),
    "model": ("model",),
    "run": ("run_id", "consumer"),
}
"""By what calls are summed up, and the columns that make one group."""
_FINEST = """
SELECT day, consumer, phase, run_id, model, COUNT(*) AS number, MAX(id) AS newest,
    SUM(input_tokens) AS input_tokens, SUM(output_tokens) AS output_tokens,
    SUM(cache_read_tokens) AS cache_read_tokens, SUM(cache_write_tokens) AS cache_write_tokens,
    SUM(micro_usd) AS micro_usd, SUM(milliseconds) AS milliseconds
FROM calls WHERE day >= ? GROUP BY day, consumer, phase, run_id, model ORDER BY day DESC, newest DESC
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call as it counts now: what it used, or all that was reserved while nobody has said what it used."""

    day: str
    moment: str
    consumer: str
    phase: str
    run_id: str
    reason: str
    model: str
    status: str
    usage: Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The sum of some calls; ``names`` are the group's own, as ``GROUPS`` has them."""

    names: tuple[str, ...]
    usage: Usage


def count_calls(ledger: Ledger, since: str = "") -> int:
    """How many calls were reserved on a day or later."""
    return int(ledger.rows("SELECT COUNT(*) FROM calls WHERE day >= ?", (since,))[0][0])


def newest_calls(ledger: Ledger, *, since: str, most: int) -> tuple[Call, ...]:
    """The newest calls of a day or later, at most so many, newest first."""
    rows = ledger.rows(
        "SELECT *, 1 AS number FROM calls WHERE day >= ? ORDER BY day DESC, id DESC LIMIT ?",
        (since, most),
    )
    return tuple(
        Call(
            day=str(row["day"]),
            moment=str(row["moment"]),
            consumer=str(row["consumer"]),
            phase=str(row["phase"]),
            run_id=str(row["run_id"]),
            reason=str(row["reason"]),
            model=str(row["model"]),
            status=str(row["status"]),
            usage=_usage(row),
        )
        for row in rows
    )


def sum_up(ledger: Ledger, *, since: str) -> dict[str, tuple[Account, ...]]:
    """Sums over the calls of a day or later, for each key of ``GROUPS``; what was used last comes first."""
    rows = [(row, _usage(row)) for row in ledger.rows(_FINEST, (since,))]
    return {group: _sums(rows, columns) for group, columns in GROUPS.items()}


def _sums(rows: Sequence[tuple[sqlite3.Row, Usage]], columns: Sequence[str]) -> tuple[Account, ...]:
    sums: dict[tuple[str, ...], Usage] = {}
    for row, usage in rows:
        names = tuple(str(row[name]) for name in columns)
        sums[names] = sums.get(names, NOTHING_USED) + usage
    return tuple(Account(names=names, usage=usage) for names, usage in sums.items())


def _usage(row: sqlite3.Row) -> Usage:
    return Usage(
        calls=int(row["number"]),
        input_tokens=int(row["input_tokens"]),
        output_tokens=int(row["output_tokens"]),
        cache_read_tokens=int(row["cache_read_tokens"]),
        cache_write_tokens=int(row["cache_write_tokens"]),
        micro_usd=int(row["micro_usd"]),
        seconds=int(row["milliseconds"]) / 1000,
    )
