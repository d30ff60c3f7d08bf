"""The loop: at each tick whatever is due, each by itself, so that one that fails stops neither the others nor the loop.

Sub-tasks rest outside the active hours; jobs run at every tick and say themselves when they have nothing to do.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, tzinfo

from slowwave.disk.places import Places
from slowwave.facts.moment import Clock, stamp
from slowwave.facts.refusal import NewerFormatError
from slowwave.facts.text import cut, fold, showable
from slowwave.wake.state import Errors, LoopState, read_state, stamp_of, write_state
from slowwave.wake.wall import lies_between, minutes_of, moment_on

_log = logging.getLogger("slowwave.wake")
_ERROR_CHARACTERS = 300  # of what a failed sub-task said; its traceback is in the log


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a sub-task did.

    Attributes:
        state: The loop's state behind it.
        counts: For people.
        reason: Why it did less than it might; empty otherwise.
        is_idle: It had nothing to work on, so that its time does not move.
    """

    state: LoopState
    counts: Mapping[str, int]
    reason: str = ""
    is_idle: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SubTask:
    """One of the four: its name, its interval in seconds, and its work on the loop's state."""

    name: str
    interval: float
    run: Callable[[LoopState, datetime], Done]


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What is done at any hour: its counts, or None where there was nothing to do."""

    name: str
    run: Callable[[datetime], Mapping[str, int] | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubTaskResult:
    """What became of a sub-task or job in one tick: that it ran, or why it did not; its counts; its error."""

    name: str
    ran: bool
    reason: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """One tick: the sub-tasks in their order, then the jobs; and the state behind them."""

    moment: datetime
    state: LoopState
    sub_tasks: tuple[SubTaskResult, ...]
    jobs: tuple[SubTaskResult, ...]
    warnings: tuple[str, ...] = ()

    @property
    def did_something(self) -> bool:
        """Whether anything ran that counted something, failed, or was warned of."""
        rows = (*self.sub_tasks, *self.jobs)
        return bool(self.warnings) or any(row.error or (row.ran and any(row.counts.values())) for row in rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveHours:
    """From ``start`` until ``end`` by the clock on the wall of a zone; over midnight where the end is earlier.

    The same hour twice means the whole day.
    """

    start: str
    end: str
    zone: tzinfo

    def cover(self, now: datetime) -> bool:
        """Whether a moment lies in them."""
        start, end = minutes_of(self.start), minutes_of(self.end)
        return start == end or lies_between(start, end, now.astimezone(UTC).astimezone(self.zone))

    def __str__(self) -> str:
        return f"{self.start} to {self.end}, {self.zone}"


class Loop:
    """Ticks over one home; the caller holds the loop's lock while it ticks.

    Args:
        places: The files of the day.
        sub_tasks: In the order in which they run.
        jobs: In the order in which they run, behind the sub-tasks.
        hours: When sub-tasks run.
        clock: The present.
    """

    def __init__(
        self, places: Places, *, sub_tasks: Sequence[SubTask], jobs: Sequence[Job], hours: ActiveHours, clock: Clock
    ) -> None:
        self._places = places
        self._sub_tasks = tuple(sub_tasks)
        self._jobs = tuple(jobs)
        self._hours = hours
        self._clock = clock
        self._last: tuple[tuple[int, ...], LoopState] | None = None

    def tick(self, *, force: bool = False) -> Tick:
        """Run what is due; with ``force`` every sub-task, whatever its interval and the hour.

        Raises:
            NewerFormatError: The state was written by a newer slowwave; nothing was done.
            SlowwaveError: The state could not be written.
        """
        now = self._clock()
        state = self._read(now)
        for warning in state.warnings:
            _log.warning("%s", warning)
        results: list[SubTaskResult] = []
        before = state
        for task in self._sub_tasks:
            result, state = self._sub_task(task, state, now, force=force)
            results.append(result)
            if state != before:
                # Behind each sub-task, so that a crash in the next one repeats nothing of this one.
                self._write(state)
                before = state
        jobs: list[SubTaskResult] = []
        for job in self._jobs:
            result, state = self._job(job, state, now)
            jobs.append(result)
        if state != before:
            self._write(state)
        return Tick(moment=now, state=state, sub_tasks=tuple(results), jobs=tuple(jobs), warnings=state.warnings)

    def _read(self, now: datetime) -> LoopState:
        """The state as it stands on disk; the same file is not parsed twice."""
        stamp_now = stamp_of(self._places.loop_state)
        if self._last is None or stamp_now is None or self._last[0] != stamp_now:
            return read_state(self._places, now)
        return self._last[1]

    def _write(self, state: LoopState) -> None:
        write_state(self._places, state)
        stamp_now = stamp_of(self._places.loop_state)
        self._last = (stamp_now, replace(state, warnings=())) if stamp_now else None

    def _sub_task(
        self, task: SubTask, state: LoopState, now: datetime, *, force: bool
    ) -> tuple[SubTaskResult, LoopState]:
        if not force and not self._hours.cover(now):
            return SubTaskResult(name=task.name, ran=False, reason=f"outside active hours ({self._hours})"), state
        waited = state.seconds_since(task.name, now)
        if not force and waited < task.interval:
            return SubTaskResult(name=task.name, ran=False, reason=f"due in {task.interval - waited:.0f} s"), state
        try:
            done = task.run(state, now)
        except NewerFormatError:
            raise
        except Exception as error:
            result, state = _failed(task.name, error, state, now)
            return result, _with_time(state, task.name, now)
        if done.is_idle:
            reason = done.reason or "nothing to work on"
            return SubTaskResult(name=task.name, ran=False, reason=reason, counts=done.counts), done.state
        after = _with_time(done.state, task.name, now)
        return SubTaskResult(name=task.name, ran=True, reason=done.reason, counts=done.counts), after

    def _job(self, job: Job, state: LoopState, now: datetime) -> tuple[SubTaskResult, LoopState]:
        try:
            counts = job.run(now)
        except Exception as error:
            return _failed(job.name, error, state, now)
        if counts is None:
            return SubTaskResult(name=job.name, ran=False, reason="nothing is due"), state
        return SubTaskResult(name=job.name, ran=True, counts=counts), state


def _with_time(state: LoopState, name: str, now: datetime) -> LoopState:
    return replace(state, ran={**state.ran, name: now.astimezone(UTC)})


def _failed(name: str, error: Exception, state: LoopState, now: datetime) -> tuple[SubTaskResult, LoopState]:
    """A failure told, counted, and written into the log with its traceback."""
    _log.error("%s failed", name, exc_info=error)
    said = cut(showable(fold(f"{type(error).__name__}: {error}")), _ERROR_CHARACTERS)
    former = state.errors.get(name)
    errors = {**state.errors, name: Errors(count=(former.count if former else 0) + 1, moment=stamp(now), message=said)}
    return SubTaskResult(name=name, ran=True, reason="failed", error=said), replace(state, errors=errors)


def next_due(state: LoopState, intervals: Mapping[str, float], hours: ActiveHours, now: datetime) -> dict[str, str]:
    """When each sub-task is due next, as far as is known: now where it never ran, not before the hours begin."""
    due = {}
    for name, interval in intervals.items():
        last = state.ran.get(name)
        moment = max(now, last + timedelta(seconds=interval)) if last and last <= now else now
        due[name] = stamp(_opening(moment, hours))
    return due


def _opening(moment: datetime, hours: ActiveHours) -> datetime:
    if hours.cover(moment):
        return moment
    today, start = moment.astimezone(hours.zone).date(), minutes_of(hours.start)
    for days in (0, 1, 2):
        opens = moment_on(today + timedelta(days=days), start, hours.zone).astimezone(UTC)
        if opens >= moment:
            return opens
    return moment
