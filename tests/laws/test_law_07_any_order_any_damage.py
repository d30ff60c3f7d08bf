"""Law 7 by search: any order of reserving, calling, dying and moving the clock; any damage to the ledger's file."""

import contextlib
import random
import sqlite3
from contextlib import closing
from datetime import UTC, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from made_spending import NOON, PRICE, SPREE_CAPS, Hand, Town, rows_of

from slowwave.facts.refusal import NewerFormatError
from slowwave.facts.usage import Usage
from slowwave.models.budget import Budget, BudgetUnreadableError, Reservation, ReservationError


class AnyOrder(RuleBasedStateMachine):
    """Two processes over one ledger, in any order that can be thought of."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()

    @initialize(
        seed=st.integers(0, 2**16), zone=st.sampled_from(["UTC", "Europe/Berlin", "America/Santiago", "Asia/Tehran"])
    )
    def begin(self, seed: int, zone: str) -> None:
        """Both start."""
        self.town = Town(Path(self.folder.name) / "budget.db", random.Random(seed), zone=zone)

    @rule(which=st.integers(0, 1), dies_in=st.sampled_from([0, 0, 0, 1, 2]))
    def reserve(self, which: int, dies_in: int) -> None:
        """One asks, and may die of it; one that has a call open lets it be."""
        spender = self.town.spenders[which]
        if spender.open is None:
            self.town.reserve(spender, dies_in=dies_in)

    @rule(which=st.integers(0, 1))
    def call(self, which: int) -> None:
        """The call is made."""
        spender = self.town.spenders[which]
        if spender.open is not None and spender.open.id not in self.town.made:
            self.town.call(spender)

    @precondition(lambda self: any(s.open and s.open.id in self.town.made for s in self.town.spenders))
    @rule()
    def reconcile(self) -> None:
        """Whoever has made a call says what it used; to say so twice is refused."""
        spender = next(s for s in self.town.spenders if s.open and s.open.id in self.town.made)
        reservation = spender.open
        assert reservation is not None
        self.town.reconcile(spender)
        with pytest.raises(ReservationError):
            spender.budget.reconcile(reservation, Usage(), status="answered")

    @rule(which=st.integers(0, 1))
    def die(self, which: int) -> None:
        """One is killed, and another takes its place."""
        self.town.crash(self.town.spenders[which], "between two steps")

    @rule(hours=st.sampled_from([-30_000, -49, -25, -1, 1, 11, 25, 30_000]))
    def move_clock(self, hours: int) -> None:
        """The clock is set."""
        moved = self.town.clock.now + timedelta(hours=hours)
        if 2010 < moved.year < 2050:
            self.town.clock.now = moved

    @invariant()
    def holds(self) -> None:
        """No cap is passed, no call unaccounted for."""
        if hasattr(self, "town"):
            self.town.assert_true()

    def teardown(self) -> None:
        """Both end."""
        if hasattr(self, "town"):
            self.town.close()
        self.folder.cleanup()


@pytest.mark.slow
def test_law_7_holds_in_any_order_that_can_be_thought_of() -> None:
    """Two processes, seven things that can happen, thirty in a row."""
    run_state_machine_as_test(AnyOrder, settings=settings(max_examples=60, stateful_step_count=30, deadline=None))


def filled(path: Path) -> int:
    """A ledger of many pages, and what of today's money it has counted."""
    clock = Hand()
    budget = Budget(path, clock=clock, zone=UTC, settings=SPREE_CAPS)
    purse = budget.purse("night", run_id="run", reason="a reason that takes some room in the file " * 4)
    granted = purse.reserve(model="m", input_tokens=2_300_000, output_tokens=0, price=PRICE)
    assert isinstance(granted, Reservation)
    with budget.ledger.step() as sql:
        sql.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)"
            " INSERT INTO calls SELECT i + 10, day, moment, consumer, phase, run_id, reason, model, status,"
            " 100, 0, 0, 0, 100, 1, 1, 1 FROM calls, n WHERE id = 1"
        )
    left = budget.left("night").micro_usd
    budget.close()
    return left


def still_grants(path: Path) -> int:
    """What a new process is still granted, in millionths; nothing where the ledger cannot be read."""
    got = 0
    with contextlib.suppress(BudgetUnreadableError, NewerFormatError):
        budget = Budget(path, clock=Hand(NOON), zone=UTC, settings=SPREE_CAPS)
        purse = budget.purse("night", run_id="run", reason="after the damage")
        try:
            for _ in range(SPREE_CAPS.night.calls):
                granted = purse.reserve(model="m", input_tokens=9_000, output_tokens=0, price=PRICE)
                got += granted.micro_usd if isinstance(granted, Reservation) else 0
        finally:
            budget.close()
    return got


def test_law_7_a_ledger_cut_anywhere_grants_nothing(tmp_path: Path) -> None:
    """Whatever is missing of the file, what is left of it is not taken for the whole."""
    whole = tmp_path / "whole.db"
    filled(whole)
    content = whole.read_bytes()
    assert len(content) > 8 * 4_096
    for size in range(512, len(content), 512):
        cut = tmp_path / "cut.db"
        cut.write_bytes(content[:size])
        assert still_grants(cut) == 0, size
        cut.unlink()


@pytest.mark.parametrize("filling", [b"\0", b"\xff"])
def test_law_7_a_ledger_with_lost_pages_grants_no_more_than_was_left(tmp_path: Path, filling: bytes) -> None:
    """Each page in turn is lost: it is seen, or nothing of what was spent stood there."""
    whole = tmp_path / "whole.db"
    left = filled(whole)
    content = whole.read_bytes()
    refused = 0
    for page in range(len(content) // 4_096):
        damaged = tmp_path / "damaged.db"
        damaged.write_bytes(content[: page * 4_096] + filling * 4_096 + content[(page + 1) * 4_096 :])
        granted = still_grants(damaged)
        assert granted <= left, page
        refused += granted == 0
        damaged.unlink()
    assert refused > len(content) // 4_096 // 2


@pytest.mark.parametrize("script", ["DROP TABLE calls", "ALTER TABLE calls RENAME COLUMN micro_usd TO money"])
def test_law_7_a_ledger_of_another_shape_grants_nothing(tmp_path: Path, script: str) -> None:
    """A table that is gone is not an empty one."""
    path = tmp_path / "budget.db"
    filled(path)
    with closing(sqlite3.connect(path)) as sql:
        sql.execute(script)
        sql.commit()
    assert still_grants(path) == 0


def test_law_7_a_journal_of_a_killed_process_is_rolled_back(tmp_path: Path) -> None:
    """A reservation that was half written never was; the ledger goes on."""
    path = tmp_path / "budget.db"
    left = filled(path)
    number = len(rows_of(path))
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        sql.execute("PRAGMA cache_size = 1")
        sql.execute("BEGIN IMMEDIATE")
        sql.execute("UPDATE calls SET micro_usd = 0, reason = 'half written'")
        sql.execute("PRAGMA cache_spill = 1")
        copies = {name: path.with_name(path.name + name).read_bytes() for name in ("", "-journal")}
        sql.execute("ROLLBACK")
    for name, content in copies.items():
        path.with_name(path.name + name).write_bytes(content)
    assert len(copies["-journal"]) > 512
    assert still_grants(path) <= left
    rows = rows_of(path)
    assert len(rows) >= number
    assert all(row.micro_usd > 0 for row in rows)
