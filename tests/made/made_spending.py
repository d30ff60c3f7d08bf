"""Processes that spend one budget and die: what a test knows of the calls really made, beside what the ledger says.

Run as a program it is one such process: it reserves, notes each call it makes in a file of its own, reconciles, and
goes on until it is refused or killed.
"""

import os
import random
import signal
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

from slowwave.disk.config import ModelSettings, PoolSettings
from slowwave.facts.refusal import Refusal
from slowwave.facts.usage import MICRO, Usage
from slowwave.models.budget import CONSUMERS, Budget, Reservation
from slowwave.models.prices import Price

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
PRICE = Price(input=Decimal(1), output=Decimal(5), cache_read=Decimal("0.1"), cache_write=Decimal("1.25"))
POOL = PoolSettings(calls=9, tokens=150_000, money=0.20, seconds=1_500)
CAPS = ModelSettings(money_a_day=0.30, night=POOL, wake=POOL, hygiene=POOL)
"""So small that every cap is reached again and again."""
SPREE = PoolSettings(calls=150, tokens=10_000_000, money=3.0, seconds=100_000)
SPREE_CAPS = ModelSettings(money_a_day=3.0, night=SPREE, wake=SPREE, hygiene=SPREE)
"""For many processes at once on one day."""


class Died(BaseException):
    """A process was killed here."""


@dataclass
class Hand:
    """A clock that a test sets, and on which a process may die: in the midst of a reservation."""

    now: datetime = NOON
    dies_in: int = 0

    def __call__(self) -> datetime:
        """The present.

        Raises:
            Died: It was the reading at which the process dies.
        """
        if self.dies_in:
            self.dies_in -= 1
            if not self.dies_in:
                raise Died
        return self.now


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What the ledger says of a call, read without the code under test."""

    id: int
    day: str
    consumer: str
    status: str
    tokens: int
    micro_usd: int
    milliseconds: int


def rows_of(ledger: Path) -> list[Row]:
    """Every call in a ledger."""
    question = (
        "SELECT id, day, consumer, status, input_tokens + output_tokens AS tokens, micro_usd, milliseconds FROM calls"
    )
    with closing(sqlite3.connect(ledger)) as sql:
        sql.row_factory = sqlite3.Row
        assert sql.execute("PRAGMA quick_check").fetchone()[0] == "ok"
        return [Row(**dict(row)) for row in sql.execute(question)]


def assert_within(rows: list[Row], caps: ModelSettings) -> None:
    """No day of any consumer, nor of all, is past a cap."""
    calls, tokens, seconds, money = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for row in rows:
        for whose in (f"{row.day} {row.consumer}", f"{row.day} all"):
            calls[whose] += 1
            tokens[whose] += row.tokens
            seconds[whose] += row.milliseconds
            money[whose] += row.micro_usd
    pools = {"night": caps.night, "wake": caps.wake, "hygiene": caps.hygiene}
    for whose in calls:
        consumer = whose.split()[1]
        if consumer == "all":
            assert money[whose] <= round(caps.money_a_day * MICRO), whose
            continue
        pool = pools[consumer]
        assert calls[whose] <= pool.calls, whose
        assert tokens[whose] <= pool.tokens, whose
        assert seconds[whose] <= pool.seconds * 1000, whose
        assert money[whose] <= round(pool.money * MICRO), whose


@dataclass
class Spender:
    """One process: it makes one call at a time."""

    budget: Budget
    open: Reservation | None = None
    used: Usage | None = None

    def die(self) -> None:
        """Be killed: the file is let go as the system does it, whatever was not committed is gone."""
        self.budget.close()


@dataclass
class Town:
    """Some processes over one ledger, and all that really happened.

    Attributes:
        made: What each call that was really made used, by the number of its reservation.
        lost: Reservations whose process died, by number, in millionths of a dollar.
    """

    ledger: Path
    rng: random.Random
    zone: str = "Europe/Berlin"
    clock: Hand = field(default_factory=Hand)
    spenders: list[Spender] = field(default_factory=list)
    made: dict[int, Usage] = field(default_factory=dict)
    lost: dict[int, int] = field(default_factory=dict)
    tally: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.spenders = [self.start(), self.start()]

    def start(self) -> Spender:
        """A new process over the same ledger."""
        zone = ZoneInfo(self.zone)
        budget = Budget(self.ledger, clock=self.clock, zone=zone, settings=CAPS)
        # Only processes die here, not the machine: what the system was handed is there without waiting for the disk.
        budget.ledger.connection.execute("PRAGMA synchronous = OFF")
        return Spender(budget=budget)

    def crash(self, spender: Spender, where: str) -> None:
        """One process dies, and another takes its place."""
        if spender.open is not None:
            self.lost[spender.open.id] = spender.open.micro_usd
        spender.die()
        self.spenders[self.spenders.index(spender)] = self.start()
        self.tally["crashes"] += 1
        self.tally[f"crashed {where}"] += 1

    def reserve(self, spender: Spender, *, dies_in: int = 0) -> None:
        """A process asks for a call, or dies while it asks."""
        purse = spender.budget.purse(self.rng.choice(CONSUMERS), run_id="run", reason="storm")
        sent, answered = self.rng.randrange(1, 60_000), self.rng.randrange(1, 8_000)
        self.clock.dies_in = dies_in
        try:
            granted = purse.reserve(model="m", input_tokens=sent, output_tokens=answered, price=PRICE)
        except Died:
            self.crash(spender, "while reserving")
            return
        finally:
            self.clock.dies_in = 0
        self.tally["asked"] += 1
        if isinstance(granted, Refusal):
            self.tally["refused"] += 1
            return
        spender.open = granted
        # What the call will use: never more than was reserved, as a provider keeps to the bound it is given.
        used_sent = self.rng.randrange(sent + 1)
        cached = self.rng.randrange(used_sent + 1)
        spender.used = Usage(
            input_tokens=used_sent,
            cache_read_tokens=cached,
            output_tokens=self.rng.randrange(answered + 1),
            seconds=self.rng.uniform(0, spender.budget.settings.seconds),
        )

    def call(self, spender: Spender) -> None:
        """The call is made: it costs what it costs, whoever still lives to say so."""
        assert spender.open is not None
        assert spender.used is not None
        assert spender.open.id not in self.made
        self.made[spender.open.id] = spender.used

    def reconcile(self, spender: Spender) -> None:
        """The process says what its call used."""
        assert spender.open is not None
        assert spender.used is not None
        spender.budget.reconcile(spender.open, spender.used, status="answered")
        spender.open = spender.used = None

    def assert_true(self) -> None:
        """Each call was reserved before, none counts too little, only what crashed too much; no cap is passed."""
        rows = {row.id: row for row in rows_of(self.ledger)}
        assert_within(list(rows.values()), CAPS)
        alive = {spender.open.id for spender in self.spenders if spender.open is not None}
        for number, used in self.made.items():
            assert number in rows, "a call is unaccounted for"
            assert rows[number].micro_usd >= PRICE.cost(used)
            assert rows[number].tokens >= used.tokens
        open_ones = {row.id for row in rows.values() if row.status == "reserved"}
        assert open_ones == alive | set(self.lost), "more is counted in full than what crashed or goes on"
        for row in rows.values():
            if row.id not in open_ones:
                assert row.micro_usd == PRICE.cost(self.made[row.id])
        assert len(self.lost) <= self.tally["crashes"]
        self.tally["reserved"], self.tally["made"] = len(rows), len(self.made)
        self.tally["counted high"] = len(self.lost)

    def close(self) -> None:
        """All processes end."""
        for spender in self.spenders:
            spender.die()


def noted(file: Path) -> Iterator[tuple[int, int, int]]:
    """The calls that a process noted: number, tokens, millionths of a dollar; a line cut off was no call."""
    for line in file.read_text("ascii").split("\n")[:-1] if file.exists() else ():
        number, tokens, money = line.split()
        yield int(number), int(tokens), int(money)


def spend(ledger: Path, notes: Path, rng: random.Random, *, dies: bool) -> None:
    """Make calls until one is refused; where it ``dies``, kill this process at some point of some call."""
    budget = Budget(ledger, clock=lambda: NOON, zone=UTC, settings=SPREE_CAPS)
    file = os.open(notes, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        deadly = rng.choice(("reserved", "made", "reconciled")) if dies and rng.random() < 1 / 6 else ""
        sent, answered = rng.randrange(1, 15_000), rng.randrange(1, 2_000)
        purse = budget.purse(rng.choice(CONSUMERS), run_id=f"run-{os.getpid()}", reason="storm")
        granted = purse.reserve(model="m", input_tokens=sent, output_tokens=answered, price=PRICE)
        if isinstance(granted, Refusal):
            return
        _die("reserved", deadly)
        used = Usage(input_tokens=rng.randrange(sent + 1), output_tokens=rng.randrange(answered + 1), seconds=0.1)
        os.write(file, f"{granted.id} {used.tokens} {PRICE.cost(used)}\n".encode("ascii"))
        os.fsync(file)
        _die("made", deadly)
        budget.reconcile(granted, used, status="answered")
        _die("reconciled", deadly)


def _die(here: str, deadly: str) -> None:
    if here == deadly:
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    spend(Path(sys.argv[1]), Path(sys.argv[2]), random.Random(int(sys.argv[3])), dies=sys.argv[4] == "dies")
