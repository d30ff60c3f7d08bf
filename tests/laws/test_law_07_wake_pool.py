"""Law 7, the waking loop's own pool: exactly 200 calls a local day, whoever crashes, whoever else asks."""

import os
import random
import signal
import subprocess
import sys
from collections import Counter
from contextlib import closing
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from made_spending import PRICE, Died, Hand, rows_of

from slowwave.disk.config import ModelSettings, PoolSettings
from slowwave.facts.refusal import Refusal
from slowwave.facts.usage import Usage
from slowwave.models.budget import Budget, Reservation
from slowwave.wake.model_judge import CONSUMER, PHASE

WIDE = PoolSettings(calls=10_000, tokens=10**9, money=900.0, seconds=10**6)
CAPS = ModelSettings(money_a_day=1_000.0, night=WIDE, wake=WIDE.model_copy(update={"calls": 200}), hygiene=WIDE)
BERLIN = ZoneInfo("Europe/Berlin")
CHILD = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from made_spending import PRICE
from test_law_07_wake_pool import CAPS, ask
from slowwave.facts.refusal import Refusal
from slowwave.models.budget import Budget
budget = Budget(Path(sys.argv[1]), clock=lambda: datetime(2026, 5, 4, 12, tzinfo=UTC), zone=UTC, settings=CAPS)
print("ready", flush=True)
sys.stdin.readline()
for number in range(10_000):
    if isinstance(ask(budget), Refusal):
        break
    if sys.argv[2] == "dies" and number == 40:
        os.kill(os.getpid(), 9)
"""


def ask(budget: Budget, consumer: str = CONSUMER) -> Reservation | Refusal:
    """Reserve one call, as a question about a capture does."""
    purse = budget.purse(consumer, run_id="", reason="capture c", phase=PHASE if consumer == CONSUMER else "")
    return purse.reserve(model="m", input_tokens=100, output_tokens=10, price=PRICE)


def test_law_7_the_default_is_two_hundred_calls() -> None:
    """As seed 001 has it, and persisted."""
    assert ModelSettings().wake.calls == 200


def test_law_7_two_hundred_wake_calls_are_exact_under_crashes(tmp_path: Path) -> None:
    """A process dies at any point of any call and another takes over; the day has 200, neither more nor fewer."""
    rng, clock, granted = random.Random(200), Hand(datetime(2026, 5, 4, 6, tzinfo=UTC)), 0
    budget = Budget(tmp_path / "budget.db", clock=clock, zone=UTC, settings=CAPS)
    for _ in range(2_000):
        clock.now += timedelta(seconds=rng.randrange(20))
        clock.dies_in = rng.choice((0, 0, 1, 2))
        try:
            made = ask(budget)
        except Died:
            made = None
        clock.dies_in = 0
        if isinstance(made, Reservation):
            granted += 1
            if rng.random() < 0.5:
                budget.reconcile(made, Usage(calls=1, input_tokens=1), status="answered")
        if rng.random() < 0.3:
            budget.close()
            budget = Budget(tmp_path / "budget.db", clock=clock, zone=UTC, settings=CAPS)
    assert isinstance(ask(budget), Refusal)
    assert budget.left(CONSUMER).calls == 0
    assert isinstance(ask(budget, "night"), Reservation), "the night has a pool of its own"
    budget.close()
    rows = [row for row in rows_of(tmp_path / "budget.db") if row.consumer == CONSUMER]
    assert len(rows) == granted == 200


def test_law_7_two_processes_share_two_hundred_wake_calls(tmp_path: Path) -> None:
    """One is killed in its midst; together they make 200."""
    ledger = tmp_path / "budget.db"
    here = Path(__file__).parent
    path = os.pathsep.join([str(here), str(here.parent / "made"), *(part for part in sys.path if part)])
    running = [
        subprocess.Popen(
            [sys.executable, "-c", CHILD, str(ledger), how],
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for how in ("dies", "lives")
    ]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    codes = [(process.communicate(timeout=120), process.returncode)[1] for process in running]
    assert codes[0] in (0, -signal.SIGKILL)
    assert codes[1] == 0
    assert Counter(row.consumer for row in rows_of(ledger)) == {CONSUMER: 200}


@pytest.mark.parametrize("day", [date(2026, 5, 4), date(2026, 3, 29), date(2026, 10, 25)])
def test_law_7_the_count_begins_anew_at_local_midnight(tmp_path: Path, day: date) -> None:
    """Not at UTC's, and on days of 23 and 25 hours too; a restart grants nothing."""
    midnight = datetime.combine(day + timedelta(days=1), time(0), BERLIN).astimezone(UTC)
    clock = Hand(midnight - timedelta(seconds=1))
    with closing(Budget(tmp_path / "budget.db", clock=clock, zone=BERLIN, settings=CAPS)) as budget:
        assert sum(isinstance(ask(budget), Reservation) for _ in range(205)) == 200
    with closing(Budget(tmp_path / "budget.db", clock=clock, zone=BERLIN, settings=CAPS)) as budget:
        told = ask(budget)
        assert isinstance(told, Refusal)
        assert told.message.endswith(midnight.astimezone(BERLIN).isoformat(timespec="minutes"))
        clock.now = midnight
        assert sum(isinstance(ask(budget), Reservation) for _ in range(205)) == 200
        clock.now = midnight - timedelta(minutes=30)
        assert isinstance(ask(budget), Refusal), "a clock that was put back opens no day again"
