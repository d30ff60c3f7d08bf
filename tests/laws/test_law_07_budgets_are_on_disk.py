"""Law 7: a budget is counted on disk, before each call; no order of crashes, processes and clocks goes past a cap."""

import os
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from made_spending import CAPS, NOON, PRICE, SPREE_CAPS, Hand, Town, assert_within, noted, rows_of

from slowwave.facts.refusal import Refusal
from slowwave.facts.usage import MICRO, Usage
from slowwave.models.budget import Budget, BudgetUnreadableError, Reservation

CRASHES = 1_000
PROCESSES = 50
AT_ONCE = 5
CHILD = Path(__file__).resolve().parents[1] / "made" / "made_spending.py"
STEPS = (
    timedelta(minutes=20),
    timedelta(hours=5),
    timedelta(hours=-2),
    timedelta(days=-1),
    timedelta(days=1),
    timedelta(days=-40),
    timedelta(days=40),
    timedelta(days=-500),
    timedelta(days=500),
)


def ask(budget: Budget, *, sent: int = 10_000, consumer: str = "night") -> Reservation | Refusal:
    """Reserve one call."""
    purse = budget.purse(consumer, run_id="run", reason="law 7")
    return purse.reserve(model="m", input_tokens=sent, output_tokens=0, price=PRICE)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Where the ledger of a test lies."""
    return tmp_path / "budget.db"


@pytest.fixture
def opened(ledger: Path) -> Iterator[Callable[..., Budget]]:
    """Opens that ledger, each time as another process does."""
    made: list[Budget] = []

    def open_one(clock: Hand | None = None, zone: str = "UTC") -> Budget:
        made.append(Budget(ledger, clock=clock or Hand(), zone=ZoneInfo(zone), settings=CAPS))
        return made[-1]

    yield open_one
    for budget in made:
        budget.close()


def one_thing(town: Town) -> None:
    """One process does the next thing, or dies at some point of it; or the clock is moved."""
    rng = town.rng
    town.clock.now += timedelta(seconds=rng.randrange(5_000))
    if rng.random() < 1 / 25:
        step = rng.choice(STEPS)
        # Not out of the years that a date can have.
        if 2020 < (town.clock.now + step).year < 2035:
            town.clock.now += step
        town.tally["clock steps"] += 1
    spender = rng.choice(town.spenders)
    is_deadly = rng.random() < 1 / 3
    if spender.open is None:
        town.reserve(spender, dies_in=rng.choice((1, 2)) if rng.random() < 1 / 8 else 0)
        return
    if is_deadly and rng.random() < 1 / 3:
        town.crash(spender, "before the call")
        return
    if spender.open.id not in town.made:
        town.call(spender)
    if is_deadly:
        town.crash(spender, "during or after the call")
    elif rng.random() < 2 / 3:
        town.reconcile(spender)
        if rng.random() < 1 / 8:
            town.crash(spender, "after it was reconciled")


@pytest.mark.slow
def test_law_7_a_thousand_crashes_never_pass_a_cap(ledger: Path) -> None:
    """Two processes on one ledger die a thousand times at any point, while the clock jumps for years."""
    town = Town(ledger, random.Random(7))
    happened = 0
    while town.tally["crashes"] < CRASHES:
        one_thing(town)
        happened += 1
        if happened % 25 == 0:
            town.assert_true()
    town.assert_true()
    town.close()
    days = {row.day for row in rows_of(ledger)}
    print(f"\n{dict(sorted(town.tally.items()))}, {len(days)} days, unaccounted 0")
    assert town.tally["refused"] > 100
    assert town.tally["made"] > 1_000
    points = [town.tally[name] for name in town.tally if name.startswith("crashed ")]
    assert len(points) == 4
    assert min(points) > 50


def _start(ledger: Path, notes: Path, seed: int, *, dies: bool) -> "subprocess.Popen[str]":
    path = os.pathsep.join(part for part in sys.path if part)
    return subprocess.Popen(
        [sys.executable, str(CHILD), str(ledger), str(notes), str(seed), "dies" if dies else "lives"],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        text=True,
    )


def _await_ready(process: "subprocess.Popen[str]") -> None:
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"


def _kill(process: "subprocess.Popen[str]") -> bool:
    """Whether it died by a signal, ours or its own."""
    process.kill()
    process.communicate()
    return process.returncode < 0


@pytest.mark.slow
def test_law_7_fifty_killed_processes_never_pass_a_cap(ledger: Path, tmp_path: Path) -> None:
    """Five at a time on one ledger, each killed at any instruction; the last one spends what is left."""
    rng, killed = random.Random(50), 0
    for first in range(0, PROCESSES, AT_ONCE):
        numbers = range(first, first + AT_ONCE)
        running = [_start(ledger, tmp_path / f"{number}.calls", number, dies=True) for number in numbers]
        for process in running:
            _await_ready(process)
        for process in running:
            time.sleep(rng.uniform(0, 0.03))
            killed += _kill(process)
    before_last = len(rows_of(ledger))
    last = _start(ledger, tmp_path / "last.calls", 99, dies=False)
    assert last.communicate(timeout=120)[0] == "ready\n"
    assert last.returncode == 0
    calls = [call for file in tmp_path.glob("*.calls") for call in noted(file)]
    rows = {row.id: row for row in rows_of(ledger)}
    assert_within(list(rows.values()), SPREE_CAPS)
    assert len({number for number, _, _ in calls}) == len(calls)
    for number, tokens, money in calls:
        assert rows[number].tokens >= tokens, "a call is unaccounted for"
        assert rows[number].micro_usd >= money
    unmade = len(rows) - len(calls)
    in_full = sum(row.status == "reserved" for row in rows.values())
    spent, counted = sum(money for _, _, money in calls) / MICRO, sum(row.micro_usd for row in rows.values()) / MICRO
    print(f"\n{killed} of {PROCESSES} killed; {len(rows)} calls reserved, {before_last} before the last process")
    print(f"{len(calls)} made, {unmade} counted and not made, {in_full} counted in full, unaccounted 0")
    print(f"${spent:.4f} spent, ${counted:.4f} counted of ${SPREE_CAPS.money_a_day:.2f}")
    assert killed >= PROCESSES // 2
    assert before_last > PROCESSES
    assert unmade <= in_full <= killed


def test_law_7_two_processes_at_midnight_share_one_day_each(opened: Callable[..., Budget], ledger: Path) -> None:
    """Their clocks differ by a second; each call counts for one day, and neither day is passed, summer time or not."""
    for day in (
        datetime(2026, 3, 29, tzinfo=UTC),
        datetime(2026, 10, 25, tzinfo=UTC),
        datetime(2026, 6, 1, tzinfo=UTC),
    ):
        midnight = day.astimezone(ZoneInfo("Europe/Berlin")).replace(hour=0)
        late, early = Hand(midnight - timedelta(milliseconds=500)), Hand(midnight + timedelta(milliseconds=500))
        slow, fast = opened(late, "Europe/Berlin"), opened(early, "Europe/Berlin")
        before = ask(slow)
        assert isinstance(before, Reservation)
        granted = [ask(budget, consumer="wake") for budget in (fast, slow) * 20]
        slow.reconcile(before, Usage(input_tokens=1), status="answered")
        rows = [row for row in rows_of(ledger) if row.consumer == "wake" and row.day == midnight.date().isoformat()]
        # Once the day has begun for one of them, it has for both.
        assert len(rows) == sum(isinstance(one, Reservation) for one in granted) == CAPS.wake.seconds // CAPS.seconds
        assert slow.today() == fast.today() == midnight.date().isoformat()
    assert_within(rows_of(ledger), CAPS)


def test_law_7_a_clock_from_the_future_forgets_nothing_of_today(opened: Callable[..., Budget], ledger: Path) -> None:
    """Old calls are dropped by how many days the ledger has, and not because a clock was wrong for a moment."""
    clock = Hand()
    budget = opened(clock)
    while isinstance(ask(budget), Reservation):
        pass
    spent = len(rows_of(ledger))
    clock.now = NOON + timedelta(days=3_000)
    assert isinstance(ask(budget), Reservation)
    clock.now = NOON
    assert isinstance(ask(budget), Refusal)
    assert isinstance(ask(opened(clock)), Refusal)
    assert len(rows_of(ledger)) == spent + 1


@pytest.mark.parametrize("sent", [150_001, 200_001, 10**9])
def test_law_7_what_is_larger_than_what_is_left_is_refused_and_not_written(
    opened: Callable[..., Budget], ledger: Path, sent: int
) -> None:
    """Denial of wallet: one huge call is no call, and takes nothing from those that fit."""
    budget = opened()
    assert isinstance(ask(budget), Reservation)
    before = ledger.read_bytes()
    answer = ask(budget, sent=sent)
    assert isinstance(answer, Refusal)
    assert answer.code == "budget_spent"
    assert ledger.read_bytes() == before
    assert isinstance(ask(budget), Reservation)


def test_law_7_a_figure_of_the_provider_gives_no_money_back(opened: Callable[..., Budget], ledger: Path) -> None:
    """Negative counts are none, and ones past all belief close the day instead of breaking the ledger."""
    budget = opened()
    first, second = ask(budget), ask(budget)
    assert isinstance(first, Reservation)
    assert isinstance(second, Reservation)
    budget.reconcile(first, Usage(input_tokens=-(10**9), output_tokens=-5, seconds=-1.0), status="answered")
    assert budget.left("night").micro_usd <= 200_000 - second.micro_usd
    budget.reconcile(second, Usage(input_tokens=10**30, seconds=float("inf")), status="answered")
    assert [row.status for row in rows_of(ledger)] == ["answered", "overrun"]
    assert isinstance(ask(budget, sent=1), Refusal)


def _full(budget: Budget) -> None:
    budget.ledger.connection.execute(f"PRAGMA max_page_count = {_pages(budget)}")


def _pages(budget: Budget) -> int:
    return int(budget.ledger.connection.execute("PRAGMA page_count").fetchone()[0])


def _read_only(budget: Budget) -> None:
    budget.ledger.connection.execute("PRAGMA query_only = ON")


@pytest.mark.parametrize("breaks", [_full, _read_only])
def test_law_7_a_disk_that_refuses_asks_nobody(
    opened: Callable[..., Budget], ledger: Path, breaks: Callable[[Budget], None]
) -> None:
    """What cannot be written down is not asked; what was written before stays, and still counts."""
    clock, granted = Hand(), 0
    budget = opened(clock)

    def spend_on() -> None:
        nonlocal granted
        for _ in range(200):
            clock.now += timedelta(days=1)
            granted += isinstance(ask(budget), Reservation)

    breaks(budget)
    with pytest.raises(BudgetUnreadableError, match="nothing is asked"):
        spend_on()
    assert len(rows_of(ledger)) == granted < 200


def test_law_7_a_ledger_that_somebody_holds_asks_nobody(opened: Callable[..., Budget], ledger: Path) -> None:
    """Whoever cannot get at the ledger does not ask, and does not wait for ever."""
    budget = opened()
    budget.ledger.connection.execute("PRAGMA busy_timeout = 10")
    with closing(sqlite3.connect(ledger, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(BudgetUnreadableError):
            ask(budget)
        other.execute("ROLLBACK")
    assert isinstance(ask(budget), Reservation)


def test_law_7_a_ledger_that_was_taken_away_asks_nobody(opened: Callable[..., Budget], ledger: Path) -> None:
    """A process that goes on with a file that nobody else sees would have a day of its own."""
    budget = opened()
    assert isinstance(ask(budget), Reservation)
    ledger.rename(ledger.with_name("elsewhere.db"))
    with pytest.raises(BudgetUnreadableError):
        ask(budget)
    opened()
    with pytest.raises(BudgetUnreadableError):
        ask(budget)
    assert rows_of(ledger) == []


def test_law_7_a_ledger_that_may_only_be_read_reserves_nothing(opened: Callable[..., Budget], ledger: Path) -> None:
    """The copy that stands in for it is to be looked at; spending from it would let each process spend all."""
    opened()
    looking = Budget(ledger, clock=Hand(), zone=UTC, settings=CAPS, is_read_only=True)
    assert looking.left("night").calls == CAPS.night.calls
    with pytest.raises(BudgetUnreadableError, match="only be read"):
        ask(looking)
    looking.close()
    assert rows_of(ledger) == []
