"""The budget: reserved before, reconciled after, no cap ever passed, closed when its ledger cannot be read."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from slowwave.disk.config import ConfigError, ModelSettings, PoolSettings, parse_config
from slowwave.facts.limits import LEDGER_DAYS
from slowwave.facts.refusal import NewerFormatError, Refusal
from slowwave.facts.usage import Usage
from slowwave.models.budget import Budget, BudgetUnreadableError, Reservation, ReservationError
from slowwave.models.prices import Price

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
DOLLAR = Price(input=Decimal(1), output=Decimal(1), cache_read=Decimal(1), cache_write=Decimal(1))
POOL = PoolSettings(calls=10, tokens=10_000_000, money=5.0, seconds=10_000)
CAPS = ModelSettings(money_a_day=8.0, night=POOL, wake=POOL, hygiene=POOL)


class Hand:
    """A clock that a test sets."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        """The present."""
        return self.now


@pytest.fixture
def clock() -> Hand:
    """Noon."""
    return Hand()


@pytest.fixture
def opened(tmp_path: Path, clock: Hand) -> Callable[..., Budget]:
    """Opens the one ledger of a test, as often as it likes."""

    def at(settings: ModelSettings = CAPS, zone: str = "UTC") -> Budget:
        return Budget(tmp_path / "budget.db", clock=clock, zone=ZoneInfo(zone), settings=settings)

    return at


def ask(budget: Budget, tokens: int = 1_000_000, *, consumer: str = "night") -> Reservation | Refusal:
    """Reserve a call; a million tokens are a dollar."""
    purse = budget.purse(consumer, run_id="night-1", reason="batch b-1")
    return purse.reserve(model="m", input_tokens=tokens, output_tokens=0, price=DOLLAR)


def taken(reservation: Reservation | Refusal) -> Reservation:
    """A reservation that was granted."""
    assert isinstance(reservation, Reservation), reservation
    return reservation


def refused(reservation: Reservation | Refusal) -> str:
    """Why a reservation was refused."""
    assert isinstance(reservation, Refusal), reservation
    assert reservation.code == "budget_spent"
    return reservation.message


def test_a_reservation_counts_in_full_until_it_is_reconciled(opened: Callable[..., Budget]) -> None:
    """Also in another process, and after a restart."""
    first = opened()
    reservation = taken(ask(first))
    other = opened()
    assert other.left("night").micro_usd == 4_000_000
    assert other.left("night").calls == 9
    first.reconcile(reservation, Usage(input_tokens=250_000, seconds=2.5), status="done")
    assert other.left("night").micro_usd == 4_750_000
    assert other.left("night").tokens == 9_750_000
    assert other.left("night").seconds == 9_997.5


def test_each_cap_refuses_by_its_own_words_and_writes_nothing(opened: Callable[..., Budget]) -> None:
    """Calls, tokens, seconds, money of the pool, money of all; each says when it opens again."""
    cases = {
        "calls": PoolSettings(calls=0),
        "tokens": PoolSettings(tokens=10),
        "seconds": PoolSettings(seconds=1),
        "of night": PoolSettings(money=0.5),
    }
    for word, pool in cases.items():
        budget = opened(CAPS.model_copy(update={"night": pool}))
        message = refused(ask(budget))
        assert word in message
        assert "2026-05-02T00:00" in message
        assert budget.ledger.spent("2026-05-01").calls == 0
    budget = opened(CAPS.model_copy(update={"money_a_day": 0.5}))
    assert "all together" in refused(ask(budget))


def test_one_cap_of_money_stands_over_all_consumers(opened: Callable[..., Budget]) -> None:
    """Eight dollars for all: five for one leave three for another."""
    budget = opened()
    for _ in range(5):
        taken(ask(budget, consumer="night"))
    assert "of night" in refused(ask(budget, consumer="night"))
    for _ in range(3):
        taken(ask(budget, consumer="wake"))
    assert "all together" in refused(ask(budget, consumer="wake"))
    assert budget.left("hygiene").micro_usd == 0


def test_without_a_price_nothing_is_asked(opened: Callable[..., Budget]) -> None:
    """Unknown is not free."""
    purse = opened().purse("night", run_id="r", reason="b")
    answer = purse.reserve(model="new-model", input_tokens=1, output_tokens=1, price=None)
    assert isinstance(answer, Refusal)
    assert answer.code == "price_unknown"
    assert "models.input_price" in answer.message


class Deadly(sqlite3.Connection):
    """A connection whose process dies in a commit: before it is on the disk, or right behind it."""

    when: str = ""

    def commit(self) -> None:
        """Commit, or die of it.

        Raises:
            KeyboardInterrupt: The process dies.
        """
        if self.when != "before":
            super().commit()
        if self.when:
            self.close()
            raise KeyboardInterrupt

    def rollback(self) -> None:
        """Take back, where anybody lives to do so."""
        if not self.when:
            super().rollback()


@pytest.mark.parametrize(("when", "calls", "tokens"), [("before", 9, 9_000_000), ("behind", 8, 8_000_000)])
def test_dying_in_the_commit_of_a_reservation_counts_it_or_asks_nobody(
    tmp_path: Path, opened: Callable[..., Budget], when: str, calls: int, tokens: int
) -> None:
    """Either it is on the disk and counts in full, or nothing is and no call was made."""
    budget = opened()
    taken(ask(budget))
    deadly = sqlite3.connect(tmp_path / "budget.db", factory=Deadly, isolation_level="IMMEDIATE")
    deadly.when, budget.ledger.connection = when, deadly
    with pytest.raises(KeyboardInterrupt):
        ask(budget)
    assert (opened().left("night").calls, opened().left("night").tokens) == (calls, tokens)


@pytest.mark.parametrize(("when", "tokens"), [("before", 9_000_000), ("behind", 9_999_990)])
def test_dying_in_the_commit_of_a_reconciliation_counts_in_full_or_the_truth(
    tmp_path: Path, opened: Callable[..., Budget], when: str, tokens: int
) -> None:
    """Never less than the truth, and never neither."""
    budget = opened()
    reservation = taken(ask(budget))
    deadly = sqlite3.connect(tmp_path / "budget.db", factory=Deadly, isolation_level="IMMEDIATE")
    deadly.when, budget.ledger.connection = when, deadly
    with pytest.raises(KeyboardInterrupt):
        budget.reconcile(reservation, Usage(input_tokens=10), status="answered")
    assert opened().left("night").tokens == tokens


def test_a_call_is_reconciled_once(opened: Callable[..., Budget]) -> None:
    """Twice, or never reserved, is refused and changes nothing."""
    budget = opened()
    reservation = taken(ask(budget))
    budget.reconcile(reservation, Usage(input_tokens=10), status="done")
    with pytest.raises(ReservationError):
        budget.reconcile(reservation, Usage(), status="done")
    assert budget.left("night").micro_usd == 4_999_990


def test_a_provider_that_used_more_than_it_was_allowed_is_marked(opened: Callable[..., Budget]) -> None:
    """The truth is kept, and counts against every later call."""
    budget = opened()
    reservation = taken(ask(budget, 1_000))
    budget.reconcile(reservation, Usage(input_tokens=6_000_000), status="done")
    assert budget.ledger.connection.execute("SELECT status FROM calls").fetchone()[0] == "overrun"
    refused(ask(budget, 1))


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/Los_Angeles", "Australia/Lord_Howe", "UTC"])
def test_a_day_begins_at_local_midnight_also_when_clocks_change(
    opened: Callable[..., Budget], clock: Hand, zone: str
) -> None:
    """Over a year of hours each local date has exactly one budget."""
    clock.now = datetime(2026, 1, 1, tzinfo=UTC)
    budget = opened(zone=zone)
    for _ in range(366 * 24):
        clock.now += timedelta(hours=1)
        assert budget.today() == clock.now.astimezone(ZoneInfo(zone)).date().isoformat()


def test_a_clock_put_back_opens_no_day_again(opened: Callable[..., Budget], clock: Hand) -> None:
    """The day that was begun goes on; a ledger from a far future is not waited for."""
    budget = opened()
    taken(ask(budget))
    clock.now -= timedelta(days=1)
    assert budget.today() == "2026-05-01"
    assert budget.left("night").calls == 9
    clock.now = NOON - timedelta(days=30)
    assert budget.today() == "2026-04-01"


@pytest.mark.parametrize(
    "content", [b"no database at all, " * 60, b"SQLite format 3\0" + b"\xff" * 4_000, b"\0" * 4_096]
)
def test_a_damaged_ledger_asks_nobody(tmp_path: Path, clock: Hand, content: bytes) -> None:
    """It fails closed, with one sentence, and writes nothing over what lies there."""
    path = tmp_path / "budget.db"
    path.write_bytes(content)
    with pytest.raises(BudgetUnreadableError, match="nothing is asked"):
        taken(ask(Budget(path, clock=clock, zone=UTC, settings=CAPS)))
    assert path.read_bytes() == content


@pytest.mark.parametrize("version", [0, 1])
def test_a_database_of_something_else_is_left_alone(tmp_path: Path, clock: Hand, version: int) -> None:
    """In it the day would begin anew, and whose it is would find our table in it."""
    path = tmp_path / "budget.db"
    with closing(sqlite3.connect(path)) as sql:
        sql.execute("CREATE TABLE photographs (name)")
        sql.execute(f"PRAGMA user_version = {version:d}")
    before = path.read_bytes()
    with pytest.raises(BudgetUnreadableError, match="something else"):
        Budget(path, clock=clock, zone=UTC, settings=CAPS)
    assert path.read_bytes() == before


def test_nothing_counts_below_nothing(opened: Callable[..., Budget]) -> None:
    """Neither a bound, nor what a provider says, nor a row written by hand gives money back."""
    budget = opened()
    with pytest.raises(ValueError, match="below none"):
        ask(budget, -1)
    reservation = taken(ask(budget, 1_000))
    budget.reconcile(reservation, Usage(input_tokens=-(10**30), output_tokens=-5, seconds=-1.0), status="done")
    assert budget.left("night").micro_usd == 5_000_000
    with pytest.raises(sqlite3.IntegrityError), budget.ledger.connection as sql:
        sql.execute("UPDATE calls SET micro_usd = -1")
    overrun = taken(ask(budget, 1_000))
    budget.reconcile(overrun, Usage(input_tokens=10**30), status="done")
    assert budget.left("night").micro_usd == 0
    refused(ask(budget, 1))


def test_a_ledger_that_is_taken_away_while_it_is_used_asks_nobody(
    tmp_path: Path, opened: Callable[..., Budget]
) -> None:
    """Two files would be two budgets."""
    budget = opened()
    taken(ask(budget))
    (tmp_path / "budget.db").unlink()
    with pytest.raises(BudgetUnreadableError):
        ask(budget)


def test_a_ledger_of_a_newer_slowwave_is_left_alone(opened: Callable[..., Budget]) -> None:
    """It says to upgrade."""
    budget = opened()
    budget.ledger.connection.execute("PRAGMA user_version = 99")
    with pytest.raises(NewerFormatError):
        opened()


def test_a_day_opens_when_its_date_begins(opened: Callable[..., Budget], clock: Hand) -> None:
    """Also where clocks leave midnight out, as in Santiago, or go through it twice, as in Havana."""
    santiago, havana = opened(zone="America/Santiago"), opened(zone="America/Havana")
    assert santiago.opens("2026-09-05").isoformat() == "2026-09-06T01:00:00-03:00"
    assert havana.opens("2026-10-31").isoformat() == "2026-11-01T00:00:00-04:00"
    for budget, day in ((santiago, "2026-09-05"), (havana, "2026-10-31")):
        clock.now = budget.opens(day).astimezone(UTC) - timedelta(seconds=1)
        assert budget.today() == day
        clock.now += timedelta(seconds=1)
        assert budget.today() > day


def test_a_wrong_clock_of_long_ago_does_not_stop_the_day_from_going_on(
    opened: Callable[..., Budget], clock: Hand
) -> None:
    """One call years ahead is passed over; a day that was begun still goes on when the clock is put back."""
    budget = opened()
    clock.now = NOON + timedelta(days=900)
    taken(ask(budget))
    clock.now = NOON
    taken(ask(budget))
    clock.now = NOON - timedelta(days=1)
    assert budget.today() == "2026-05-01"


def test_calls_of_the_oldest_days_are_dropped(opened: Callable[..., Budget], clock: Hand) -> None:
    """A year and a little is kept."""
    budget = opened()
    with budget.ledger.step() as sql:
        for day in range(450):
            sql.execute(
                "INSERT INTO calls (day, moment, consumer, phase, run_id, reason, model, status, input_tokens,"
                " output_tokens, micro_usd, milliseconds, reserved_tokens, reserved_micro_usd)"
                " VALUES (?, '', 'night', 'night', 'r', 'b', 'm', 'answered', 1, 1, 1, 1, 1, 1)",
                ((NOON - timedelta(days=450 - day)).date().isoformat(),),
            )
    taken(ask(budget))
    days = budget.ledger.rows("SELECT MIN(day), COUNT(*) FROM calls")[0]
    assert tuple(days) == ("2025-03-28", LEDGER_DAYS)


@pytest.mark.parametrize("key", ["money_a_day", "seconds", "night.money", "night.seconds", "input_price"])
@pytest.mark.parametrize("value", ["inf", "nan"])
def test_a_cap_is_a_number(key: str, value: str) -> None:
    """A cap without end is none, so the settings refuse it."""
    tree: dict[str, Any] = {}
    *tables, name = ["models", *key.split(".")]
    place = tree
    for table in tables:
        place = place.setdefault(table, {})
    place[name] = float(value)
    with pytest.raises(ConfigError, match=key):
        parse_config(tree, "config.toml")
