"""The day put together: an open home with the loop's sub-tasks and jobs, each over its real store."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from slowwave.facts.moment import stamp
from slowwave.models.budget import CONSUMERS
from slowwave.wake import coaching
from slowwave.wake.book import Book
from slowwave.wake.commitments import Commitments
from slowwave.wake.decisions import count_deferred
from slowwave.wake.judging import Judge
from slowwave.wake.landing import Stores
from slowwave.wake.loop import ActiveHours, Done, Job, Loop, SubTask, SubTaskResult, Tick, next_due
from slowwave.wake.scratch.days import scratch_day
from slowwave.wake.scratch.pad import Outcome
from slowwave.wake.state import STATS, LoopState, read_state
from slowwave.wake.triage import Triage
from slowwave.wiring.judges import judge_of
from slowwave.wiring.premises import Premises
from slowwave.wiring.purses import looking_at_budget, zone_of
from slowwave.wiring.verbs_notify import deliver_reminders
from slowwave.wiring.verbs_observations import observations_of
from slowwave.wiring.verbs_scan import scan_tags
from slowwave.wiring.verbs_scratch import scratch_of

SUB_TASKS = ("capture_triage", "session_scan", "coaching_refresh", "scratch_synthesis")
"""The loop's four, in their order (spec 05)."""


class Daytime:
    """What one loop works with; used and closed in one thread.

    Args:
        house: The open home.
        judge: Who decides; None for the one that the settings name, looked up at each tick.
        is_over: Whether the loop was told to end.
    """

    def __init__(
        self, house: Premises, *, judge: Judge | None = None, is_over: Callable[[], bool] = lambda: False
    ) -> None:
        self.house = house
        self._given = judge
        self._is_over = is_over
        self._closing = ExitStack()
        self._book = Book(house.home.wake_db)
        self._closing.callback(self._book.close)
        self._zone = zone_of(house)
        self._scratch = scratch_of(house)
        self._observations = observations_of(house)
        self._stores = Stores(
            book=self._book,
            scratch=self._scratch,
            observations=self._observations,
            commitments=Commitments(house.home.day, house.hold_day, house.clock),
        )
        self._rolled = ""
        self._coached: object = None
        self.loop = Loop(
            house.home.day,
            sub_tasks=self._sub_tasks(),
            jobs=(Job(name="roll_up", run=self._roll_up), Job(name="reminders", run=self._remind)),
            hours=hours_of(house),
            clock=house.clock,
        )

    def close(self) -> None:
        """Let go of the book; the house is its opener's."""
        self._closing.close()

    def _judge(self) -> Judge:
        return self._given or judge_of(self.house)

    def _sub_tasks(self) -> tuple[SubTask, ...]:
        runs = (self._triage, self._scan, self._coach, self._synthesise)
        intervals = intervals_of(self.house)
        return tuple(SubTask(name=n, interval=intervals[n], run=r) for n, r in zip(SUB_TASKS, runs, strict=True))

    def _triage(self, state: LoopState, now: datetime) -> Done:
        triage = Triage(
            places=self.house.home.day,
            stores=self._stores,
            judge=self._judge(),
            hold=self.house.hold_day,
            zone=self._zone,
            secrets=self.house.secrets,
            is_over=self._is_over,
        )
        done = triage.run(state, now)
        return Done(state=done.state, counts=done.counts, reason=done.reason)

    def _scan(self, state: LoopState, now: datetime) -> Done:
        del now
        return Done(state=state, counts=scan_tags(self.house))

    def _coach(self, state: LoopState, now: datetime) -> Done:
        del now
        places = self.house.home.day
        seen = coaching.fingerprint(places)
        if seen == self._coached or not coaching.pending(places, self._observations):
            self._coached = seen  # while no file of it changes, nothing new can be pending
            return Done(state=state, counts={}, reason="no observation is pending", is_idle=True)
        done = coaching.refresh(
            places, self.house.hold_day, self.house.clock, observations=self._observations, judge=self._judge()
        )
        refreshes = state.stats.get("coaching_refreshes", 0) + 1
        after = replace(state, stats={**state.stats, "coaching_refreshes": refreshes})
        return Done(state=after, counts=done.counts, reason=done.reason)

    def _synthesise(self, state: LoopState, now: datetime) -> Done:
        del now
        done = self._scratch.synthesise(self._judge())
        written = done.outcome in (Outcome.WRITTEN, Outcome.ROLLED_UP)
        return Done(state=state, counts={"summaries": int(written)}, reason=done.reason if not written else "")

    def _roll_up(self, now: datetime) -> Mapping[str, int] | None:
        # Looked at once a day, and at the first tick: what was missed is made up at the next start.
        day = scratch_day(now, self._zone, self.house.config.schedule.roll_up).isoformat()
        if self._rolled == day:
            return None
        counts = self._scratch.roll_up(now)
        self._rolled = day
        return counts

    def _remind(self, now: datetime) -> Mapping[str, int] | None:
        return deliver_reminders(self.house, now, self._book)


def hours_of(house: Premises) -> ActiveHours:
    """When sub-tasks run in a home."""
    return ActiveHours(start=house.config.wake.start, end=house.config.wake.end, zone=zone_of(house))


def intervals_of(house: Premises) -> dict[str, float]:
    """Seconds between two runs of each sub-task."""
    wake = house.config.wake
    seconds = (wake.triage_seconds, wake.scan_seconds, wake.coaching_seconds, wake.synthesis_seconds)
    return dict(zip(SUB_TASKS, seconds, strict=True))


def described_tick(tick: Tick) -> dict[str, Any]:
    """A tick as its envelope holds it."""
    return {
        "moment": stamp(tick.moment),
        "subTasks": [_described(row) for row in tick.sub_tasks],
        "jobs": [_described(row) for row in tick.jobs],
        "warnings": list(tick.warnings),
        "stats": {name: tick.state.stats.get(name, 0) for name in STATS},
    }


def _described(row: SubTaskResult) -> dict[str, Any]:
    return {
        "name": row.name,
        "ran": row.ran,
        "reason": row.reason,
        "counts": dict(row.counts),
        "error": row.error,
    }


def wake_status(house: Premises) -> dict[str, Any]:
    """State, budget left, what is due when, the last errors; nothing is made or changed."""
    now = house.clock()
    state = read_state(house.home.day, now, only_reads=True)
    hours = hours_of(house)
    book = Book(house.home.wake_db, is_read_only=True)
    try:
        waiting = count_deferred(book)
    finally:
        book.close()
    with looking_at_budget(house) as budget:
        left = budget.left(CONSUMERS[1])
    return {
        "now": stamp(now),
        "activeHours": {"start": hours.start, "end": hours.end, "zone": str(hours.zone), "active": hours.cover(now)},
        "lastRuns": {name: stamp(state.ran[name].astimezone(UTC)) if name in state.ran else "" for name in SUB_TASKS},
        "nextDue": next_due(state, intervals_of(house), hours, now),
        "cursor": {"file": state.file, "offset": state.files[state.file].lines if state.file in state.files else 0},
        "stats": {name: state.stats.get(name, 0) for name in STATS},
        "waiting": waiting,
        "budget": {"day": left.day, "calls": left.calls, "tokens": left.tokens, "seconds": left.seconds},
        "errors": [
            {"name": name, "count": one.count, "moment": one.moment, "message": one.message}
            for name, one in sorted(state.errors.items())
        ],
        "warnings": list(state.warnings),
    }
