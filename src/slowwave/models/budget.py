"""The budget: what may be asked today, reserved on disk before each call, reconciled after it.

Each consumer (night, wake, hygiene) has a pool of calls, tokens, money and seconds a day; one common cap of money
stands over all of them. A day is the person's local one. What is reserved is an upper bound of what the call can cost,
so that no order of crashes, restarts and processes goes past a cap.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from math import ceil
from pathlib import Path

from slowwave.disk.config import ModelSettings, PoolSettings
from slowwave.facts.limits import LEDGER_DAYS, MOST_CLOCK_STEP_DAYS, MOST_COUNTED
from slowwave.facts.moment import Clock, stamp
from slowwave.facts.refusal import Refusal, SlowwaveError
from slowwave.facts.usage import MICRO, Usage
from slowwave.models.ledger import BudgetUnreadableError, Ledger
from slowwave.models.prices import Price

__all__ = ["CONSUMERS", "Budget", "BudgetUnreadableError", "Left", "Purse", "Reservation", "ReservationError"]

CONSUMERS = ("night", "wake", "hygiene")
"""Who may spend; each has its pool in the settings."""
RESERVED = "reserved"
"""The status of a call that was not reconciled: it goes on, or its process died."""
OVERRUN = "overrun"
"""The status of a call that used more than was reserved: its provider ignored the bound it was given."""


class ReservationError(SlowwaveError):
    """A call was reconciled that was never reserved, or twice."""

    code = "not_reserved"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """A call that may be made, and the most it may count; tokens in both directions."""

    id: int
    tokens: int
    micro_usd: int
    price: Price


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """What a consumer may still use of a day; money is the smaller of its pool's and the common rest."""

    day: str
    calls: int
    tokens: int
    micro_usd: int
    seconds: float


class Budget:
    """All pools over one ledger.

    Args:
        path: Where the ledger lies.
        clock: The present.
        zone: The zone whose midnight begins a day.
        settings: The caps.
        is_read_only: Only to look.

    Raises:
        BudgetUnreadableError: The ledger cannot be used; nothing may be asked.
    """

    def __init__(
        self, path: Path, *, clock: Clock, zone: tzinfo, settings: ModelSettings, is_read_only: bool = False
    ) -> None:
        self.ledger = Ledger(path, is_read_only=is_read_only)
        self.settings = settings
        self._clock = clock
        self._zone = zone

    def close(self) -> None:
        """Let go of the ledger."""
        self.ledger.close()

    def purse(self, consumer: str, *, run_id: str, reason: str, phase: str = "") -> "Purse":
        """The pool of one consumer, for calls of one run, reason and phase; a consumer without phases is its own."""
        return Purse(self, consumer, run_id=run_id, reason=reason, phase=phase or consumer)

    def today(self) -> str:
        """The day that calls count for now, YYYY-MM-DD.

        A clock that was put back does not open a day again: the newest day of the ledger goes on. One that is further
        ahead than a clock is put back by hand was wrong, and is not waited for.
        """
        today = self._clock().astimezone(self._zone).date()
        newest = self.ledger.newest_day(until=(today + timedelta(days=MOST_CLOCK_STEP_DAYS)).isoformat())
        return max(today.isoformat(), newest)

    def opens(self, day: str) -> datetime:
        """When the day after a day begins; later than midnight where clocks leave midnight out."""
        midnight = datetime.combine(date.fromisoformat(day) + timedelta(days=1), time(0), self._zone)
        return midnight.astimezone(UTC).astimezone(self._zone)

    def left(self, consumer: str) -> Left:
        """What a consumer may still use today."""
        day, pool = self.today(), self.pool(consumer)
        own, everybody = self.ledger.spent(day, consumer), self.ledger.spent(day)
        money = min(_micro(pool.money) - own.micro_usd, _micro(self.settings.money_a_day) - everybody.micro_usd)
        return Left(
            day=day,
            calls=max(0, pool.calls - own.calls),
            tokens=max(0, pool.tokens - own.tokens),
            micro_usd=max(0, money),
            seconds=max(0.0, pool.seconds - own.milliseconds / 1000),
        )

    def pool(self, consumer: str) -> PoolSettings:
        """The caps of one consumer."""
        pools = {"night": self.settings.night, "wake": self.settings.wake, "hygiene": self.settings.hygiene}
        return pools[consumer]

    def reserve(self, row: "Wanted") -> Reservation | Refusal:
        """Count a call in full before it is made; durable on return. Refused, nothing is written.

        Raises:
            BudgetUnreadableError: The ledger cannot be used.
            ValueError: A bound is negative.
        """
        if row.price is None:
            message = (
                f"no price is known for {row.model}; set models.input_price and models.output_price (0 where free)"
            )
            return Refusal(code="price_unknown", path=row.model, message=message)
        if row.input_tokens < 0 or row.output_tokens < 0:
            raise ValueError("a bound of tokens below none would give money back")
        tokens = row.input_tokens + row.output_tokens
        money = row.price.bound(input_tokens=row.input_tokens, output_tokens=row.output_tokens)
        with self.ledger.step() as sql:
            day = self.today()
            over = self._over(day, row.consumer, tokens=tokens, micro_usd=money, seconds=row.seconds)
            if over:
                return Refusal(code="budget_spent", path=row.consumer, message=f"{over}; {self._says_when(day)}")
            made = sql.execute(
                "INSERT INTO calls (day, moment, consumer, phase, run_id, reason, model, status, input_tokens,"
                " output_tokens, micro_usd, milliseconds, reserved_tokens, reserved_micro_usd)"
                " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                (
                    day,
                    stamp(self._clock()),
                    row.consumer,
                    row.phase,
                    row.run_id,
                    row.reason,
                    row.model,
                    RESERVED,
                    row.input_tokens,
                    row.output_tokens,
                    money,
                    ceil(row.seconds * 1000),
                    tokens,
                    money,
                ),
            )
            number = int(made.lastrowid or 0)
            self.ledger.forget(days=LEDGER_DAYS)
        return Reservation(id=number, tokens=tokens, micro_usd=money, price=row.price)

    def _over(self, day: str, consumer: str, *, tokens: int, micro_usd: int, seconds: float) -> str:
        """Which cap the call would pass, in words; empty where it fits under all."""
        pool, own, everybody = self.pool(consumer), self.ledger.spent(day, consumer), self.ledger.spent(day)
        if own.calls + 1 > pool.calls:
            return f"the {pool.calls:,} calls of {consumer} are used"
        if own.tokens + tokens > pool.tokens:
            return f"{tokens:,} tokens would pass the {pool.tokens:,} of {consumer}"
        if own.milliseconds + ceil(seconds * 1000) > ceil(pool.seconds * 1000):
            return f"the {pool.seconds:,.0f} seconds of {consumer} are used"
        if own.micro_usd + micro_usd > _micro(pool.money):
            return f"up to {_usd(micro_usd)} would pass the {_usd(_micro(pool.money))} of {consumer}"
        cap = _micro(self.settings.money_a_day)
        if everybody.micro_usd + micro_usd > cap:
            return f"up to {_usd(micro_usd)} would pass the {_usd(cap)} that all together may spend"
        return ""

    def _says_when(self, day: str) -> str:
        return f"it opens again at {self.opens(day).isoformat(timespec='minutes')}"

    def reconcile(self, reservation: Reservation, usage: Usage, *, status: str) -> int:
        """Put what a call really used in place of its reservation; the money it counts now, in millionths.

        Raises:
            ReservationError: It was never reserved, or reconciled before.
            BudgetUnreadableError: The ledger cannot be used; the reservation counts on in full.
        """
        usage = _believable(usage)
        money = min(reservation.price.cost(usage), MOST_COUNTED)
        is_over = usage.tokens > reservation.tokens or money > reservation.micro_usd
        with self.ledger.step() as sql:
            changed = sql.execute(
                "UPDATE calls SET status = ?, input_tokens = ?, output_tokens = ?, cache_read_tokens = ?,"
                " cache_write_tokens = ?, micro_usd = ?, milliseconds = ? WHERE id = ? AND status = ?",
                (
                    OVERRUN if is_over else status,
                    usage.input_tokens,
                    usage.output_tokens,
                    usage.cache_read_tokens,
                    usage.cache_write_tokens,
                    money,
                    ceil(usage.seconds * 1000),
                    reservation.id,
                    RESERVED,
                ),
            )
            if changed.rowcount != 1:
                raise ReservationError(f"call {reservation.id} is not reserved, or was reconciled before")
        return money


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A call that somebody wants to make: for whom and why, and the most it may use."""

    consumer: str
    phase: str
    run_id: str
    reason: str
    model: str
    input_tokens: int
    output_tokens: int
    seconds: float
    price: Price | None


class Purse:
    """What one consumer may spend, bound to the run and reason it spends for."""

    def __init__(self, budget: Budget, consumer: str, *, run_id: str, reason: str, phase: str) -> None:
        self._budget = budget
        self._consumer = consumer
        self._phase = phase
        self._run_id = run_id
        self._reason = reason

    def reserve(
        self, *, model: str, input_tokens: int, output_tokens: int, price: Price | None, reason: str = ""
    ) -> Reservation | Refusal:
        """Reserve one call; ``reason`` is added to the purse's own. The refusal says which cap and when it opens.

        Raises:
            BudgetUnreadableError: The ledger cannot be used; nothing may be asked.
        """
        wanted = Wanted(
            consumer=self._consumer,
            phase=self._phase,
            run_id=self._run_id,
            reason=f"{self._reason}: {reason}" if reason else self._reason,
            model=model,
            input_tokens=input_tokens,
            output_tokens=output_tokens,
            seconds=self._budget.settings.seconds,
            price=price,
        )
        return self._budget.reserve(wanted)

    def reconcile(self, reservation: Reservation, usage: Usage, *, status: str) -> int:
        """Put the truth in place of a reservation; the money it counts, in millionths of a US dollar."""
        return self._budget.reconcile(reservation, usage, status=status)


def _believable(usage: Usage) -> Usage:
    """What somebody else counted, held to what can be counted: a negative figure would give money back."""
    return Usage(
        input_tokens=_held(usage.input_tokens),
        output_tokens=_held(usage.output_tokens),
        cache_read_tokens=_held(usage.cache_read_tokens),
        cache_write_tokens=_held(usage.cache_write_tokens),
        seconds=min(max(usage.seconds, 0.0), float(MOST_COUNTED // 1000)),
    )


def _held(number: int) -> int:
    return min(max(number, 0), MOST_COUNTED)


def _micro(usd: float) -> int:
    return round(usd * MICRO)


def _usd(micro: int) -> str:
    return f"${micro / MICRO:,.4f}"
