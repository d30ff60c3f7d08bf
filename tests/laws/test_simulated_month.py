"""A month of the waking loop in a minute: ticks, restarts, clock changes, jumps, days off; nothing lost or doubled."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from made_days import Day, mixed

from slowwave.facts.capture import Capture, FileClass, FollowUp, Tag
from slowwave.facts.limits import TICK_SECONDS
from slowwave.wake.judging import Goal, Judged, Relevance, Waits
from slowwave.wake.rules.judge import RulesJudge
from slowwave.wiring.daytime import SUB_TASKS

INTERVALS = {"capture_triage": 300, "session_scan": 900, "scratch_synthesis": 14_400}
POOL = 40
"""Answers that the judge of the month gives in a local day."""
DAYS = 30
MONTHS = [
    ("Europe/Berlin", datetime(2026, 3, 14, 0, 0, tzinfo=UTC), "2026-03-29"),
    ("America/Los_Angeles", datetime(2026, 10, 17, 7, 0, tzinfo=UTC), "2026-11-01"),
    ("Australia/Lord_Howe", datetime(2026, 9, 20, 14, 0, tzinfo=UTC), "2026-10-04"),
]
"""A zone whose clock goes ahead, one whose clock goes back, one where it moves by half an hour."""


class Pooled:
    """Rules with a pool of answers a local day, as a model's budget has it; it counts what it gave."""

    name = "model made:one"

    def __init__(self, zone: ZoneInfo, day: Day) -> None:
        self.given: Counter[str] = Counter()
        self._zone = zone
        self._day = day
        self._rules = RulesJudge()

    def _spends(self) -> bool:
        today = self._day.now.astimezone(self._zone).date().isoformat()
        if self.given[today] >= POOL:
            return False
        self.given[today] += 1
        return True

    def file_this(self, capture: Capture) -> Judged[FileClass] | Waits:
        """As the rules, while the pool lasts."""
        return self._rules.file_this(capture) if self._spends() else _SPENT

    def durable(self, capture: Capture) -> Judged[bool] | Waits:
        """As the rules, while the pool lasts."""
        return self._rules.durable(capture) if self._spends() else _SPENT

    def follow_up(self, capture: Capture) -> Judged[FollowUp] | Waits:
        """As the rules, while the pool lasts."""
        return self._rules.follow_up(capture) if self._spends() else _SPENT

    def relevance(self, observation: str, goals: Sequence[Goal]) -> tuple[Relevance, ...] | Waits:
        """As the rules, while the pool lasts."""
        return self._rules.relevance(observation, goals) if self._spends() else _SPENT

    def summarise(self, text: str) -> Judged[str] | Waits:
        """As the rules, while the pool lasts."""
        return self._rules.summarise(text) if self._spends() else _SPENT


_SPENT = Waits(code="budget_spent", message="the answers of today are given")


@dataclass(slots=True)
class Month:
    """What happened."""

    runs: dict[str, list[datetime]] = field(default_factory=lambda: {name: [] for name in SUB_TASKS})
    put: int = 0
    ticks: int = 0
    starts: int = 0
    rolled: int = 0


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize(("zone_name", "begin", "changes"), MONTHS, ids=[zone for zone, _, _ in MONTHS])
def test_a_month_loses_and_doubles_nothing(tmp_path: Path, zone_name: str, begin: datetime, changes: str) -> None:
    """Every capture lands once, every due run runs once, no day passes its pool, every night is rolled up."""
    zone = ZoneInfo(zone_name)
    assert _hours_of(zone, changes) != 24
    rng = random.Random(zone_name)
    day = Day.at(tmp_path, zone=zone_name, now=begin)
    judge = Pooled(zone, day)
    month = _live(day, zone, judge, rng, begin + timedelta(days=DAYS))
    # A last quiet day with room for what waited for its budget.
    judge.given.clear()
    _drain(day, judge)
    assert month.ticks > 30_000
    assert month.starts > 20
    known = day.known()
    assert len(known) == month.put
    assert set(known.values()) == {"landed"}
    landed = day.landed()
    asked = {f"m-{n}" for n in range(month.put) if n % len(Tag) == list(Tag).index(Tag.ASK_NEXT_SESSION)}
    assert set(landed.values()) == {1}
    assert set(landed) == {f"m-{n}" for n in range(month.put)} - asked
    assert day.state()["stats"]["captures_triaged"] == month.put
    for name, seconds in INTERVALS.items():
        _each_due_run_once(month.runs[name], seconds, zone)
    assert month.rolled >= DAYS - 6


def _live(day: Day, zone: ZoneInfo, judge: Pooled, rng: random.Random, end: datetime) -> Month:
    month = Month()
    loop = day.loop(engine=judge)
    loop.hold()
    month.starts = 1
    while day.now < end:
        _say_something(day, zone, rng, month)
        tick = loop.tick_now()
        month.ticks += 1
        for row in tick["subTasks"]:
            assert not row["error"], row
            if row["ran"]:
                month.runs[row["name"]].append(day.now)
        month.rolled += sum(row["counts"].get("days", 0) for row in tick["jobs"] if row["ran"])
        assert max(judge.given.values(), default=0) <= POOL
        day.now += timedelta(seconds=TICK_SECONDS)
        if rng.random() < 0.001:
            loop.close()
            loop = day.loop(engine=judge)
            loop.hold()
            month.starts += 1
            day.now += _gap(rng)
    loop.close()
    return month


def _gap(rng: random.Random) -> timedelta:
    """How long nobody ran: mostly minutes, now and then days, now and then a clock that was put back a little."""
    dice = rng.random()
    if dice < 0.1:
        return timedelta(hours=rng.uniform(20, 50))
    return timedelta(minutes=rng.uniform(-9, 0) if dice < 0.2 else rng.uniform(0, 90))


def _say_something(day: Day, zone: ZoneInfo, rng: random.Random, month: Month) -> None:
    if rng.random() > 0.02:
        return
    local = day.now.astimezone(zone)
    # Filed by arrival date, mostly; a writer that was open over midnight still writes into the day before.
    name = (local - timedelta(minutes=10)).date().isoformat()
    lines = [mixed(month.put + n, ts=local) for n in range(rng.randint(1, 3))]
    month.put += len(lines)
    day.put(lines, day=name)


def _drain(day: Day, judge: Pooled) -> None:
    for _ in range(200):
        day.now += timedelta(hours=1)
        judge.given.clear()
        tick = day.tick(force=True, engine=judge)
        if not tick["subTasks"][0]["counts"].get("captures_triaged"):
            return
    raise AssertionError("captures still wait")


def _each_due_run_once(runs: Sequence[datetime], seconds: int, zone: ZoneInfo) -> None:
    """No two runs nearer than the interval, unless the clock was put back; none outside the active hours."""
    assert len(runs) > DAYS // 2
    for before, after in pairwise(runs):
        assert after < before or (after - before).total_seconds() >= seconds
    assert {run.astimezone(zone).hour for run in runs} <= set(range(7, 23))


def _hours_of(zone: ZoneInfo, day: str) -> float:
    start = datetime.fromisoformat(day).replace(tzinfo=zone)
    end = (datetime.fromisoformat(day) + timedelta(days=1)).replace(tzinfo=zone)
    return (end.astimezone(UTC) - start.astimezone(UTC)).total_seconds() / 3600
