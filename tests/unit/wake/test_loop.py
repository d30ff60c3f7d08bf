"""Ticks: what is due runs, what fails stops nothing else, rests say why, forced ones run whatever the hour."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from slowwave.disk.places import Places
from slowwave.facts.refusal import NewerFormatError
from slowwave.wake.loop import ActiveHours, Done, Job, Loop, SubTask, next_due
from slowwave.wake.state import LoopState

NOON = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")


class Made:
    """A loop over two sub-tasks and a job that say when they ran."""

    def __init__(self, tmp_path: Path, *, fails: str = "", idle: str = "") -> None:
        self.now = NOON
        self.ran: list[str] = []
        self.fails, self.idle = fails, idle
        self.places = Places(tmp_path / "data")
        tasks = [SubTask(name=name, interval=300, run=self.run(name)) for name in ("capture_triage", "session_scan")]
        hours = ActiveHours(start="07:00", end="23:00", zone=UTC)
        self.loop = Loop(
            self.places,
            sub_tasks=tasks,
            jobs=[Job(name="reminders", run=self.job)],
            hours=hours,
            clock=lambda: self.now,
        )

    def run(self, name: str) -> Callable[[LoopState, datetime], Done]:
        """The work of a sub-task."""

        def work(state: LoopState, now: datetime) -> Done:
            self.ran.append(name)
            if name == self.fails:
                raise RuntimeError("it broke\x1b[31m")
            return Done(state=state, counts={"done": 1}, is_idle=name == self.idle)

        return work

    def job(self, now: datetime) -> Mapping[str, int] | None:
        """The work of the job."""
        assert now == self.now
        self.ran.append("reminders")
        if self.fails == "reminders":
            raise RuntimeError("no line")
        return None


def test_what_is_due_runs_once_an_interval(tmp_path: Path) -> None:
    """Never before it, and at once where it never ran."""
    made = Made(tmp_path)
    assert [row.ran for row in made.loop.tick().sub_tasks] == [True, True]
    made.now += timedelta(seconds=299)
    tick = made.loop.tick()
    assert [row.reason for row in tick.sub_tasks] == ["due in 1 s", "due in 1 s"]
    made.now += timedelta(seconds=1)
    assert [row.ran for row in made.loop.tick().sub_tasks] == [True, True]
    assert made.ran.count("reminders") == 3


def test_a_clock_that_was_set_back_is_due(tmp_path: Path) -> None:
    """A time ahead is no reason to rest for ever."""
    made = Made(tmp_path)
    made.loop.tick()
    made.now -= timedelta(hours=1)
    assert [row.ran for row in made.loop.tick().sub_tasks] == [True, True]


def test_one_that_fails_stops_no_other_and_is_retried_at_its_interval(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """With its traceback in the log, counted in the state, its words safe to show."""
    made = Made(tmp_path, fails="capture_triage")
    tick = made.loop.tick()
    assert [(row.name, row.ran, bool(row.error)) for row in tick.sub_tasks] == [
        ("capture_triage", True, True),
        ("session_scan", True, False),
    ]
    assert "\x1b" not in tick.sub_tasks[0].error
    assert caplog.records[0].exc_info is not None
    made.now += timedelta(seconds=60)
    assert not made.loop.tick().sub_tasks[0].ran
    made.now += timedelta(seconds=240)
    made.loop.tick()
    state = json.loads(made.places.loop_state.read_bytes())
    assert state["errors"]["capture_triage"]["count"] == 2
    assert state["last_triage"]["ts"] == "2026-03-03T12:05:00+00:00"


def test_a_job_that_fails_stops_nothing(tmp_path: Path) -> None:
    """It is told and counted."""
    made = Made(tmp_path, fails="reminders")
    tick = made.loop.tick()
    assert tick.jobs[0].error.startswith("RuntimeError")
    assert [row.ran for row in tick.sub_tasks] == [True, True]


def test_outside_active_hours_sub_tasks_rest_and_jobs_run(tmp_path: Path) -> None:
    """And the result says so; forced, they run."""
    made = Made(tmp_path)
    made.now = NOON.replace(hour=23)
    tick = made.loop.tick()
    assert {row.reason for row in tick.sub_tasks} == {"outside active hours (07:00 to 23:00, UTC)"}
    assert made.ran == ["reminders"]
    assert [row.ran for row in made.loop.tick(force=True).sub_tasks] == [True, True]


def test_an_idle_one_keeps_its_time(tmp_path: Path) -> None:
    """As the coaching refresh does, which moves only when something was pending."""
    made = Made(tmp_path, idle="session_scan")
    made.loop.tick()
    state = json.loads(made.places.loop_state.read_bytes())
    assert state["last_cli_scan"] == ""
    assert state["last_triage"]["ts"] != ""


def test_a_newer_state_stops_the_tick_with_nothing_done(tmp_path: Path) -> None:
    """Nothing ran, nothing was written."""
    made = Made(tmp_path)
    made.places.loop_state.parent.mkdir(parents=True)
    made.places.loop_state.write_text('{"version": 9}', encoding="utf-8")
    with pytest.raises(NewerFormatError):
        made.loop.tick()
    assert made.ran == []


@pytest.mark.parametrize(
    ("start", "end", "at", "expected"),
    [
        ("07:00", "23:00", "2026-03-03T06:59:59+01:00", False),
        ("07:00", "23:00", "2026-03-03T07:00:00+01:00", True),
        ("07:00", "23:00", "2026-03-03T22:59:59+01:00", True),
        ("07:00", "23:00", "2026-03-03T23:00:00+01:00", False),
        ("22:00", "06:00", "2026-03-03T23:30:00+01:00", True),
        ("22:00", "06:00", "2026-03-03T12:00:00+01:00", False),
        ("00:00", "24:00", "2026-03-03T23:59:59+01:00", True),
        ("07:00", "07:00", "2026-03-03T03:00:00+01:00", True),
        ("03:00", "04:00", "2026-03-29T01:00:00+00:00", True),
        ("02:00", "03:00", "2026-10-25T01:30:00+00:00", True),
    ],
)
def test_active_hours_follow_the_clock_on_the_wall(start: str, end: str, at: str, *, expected: bool) -> None:
    """Over midnight, whole days, and on the days on which the clock changes."""
    hours = ActiveHours(start=start, end=end, zone=BERLIN)
    assert hours.cover(datetime.fromisoformat(at)) is expected


def test_the_next_due_moment_waits_for_the_hours() -> None:
    """Never before they begin."""
    hours = ActiveHours(start="07:00", end="23:00", zone=BERLIN)
    late = datetime(2026, 3, 28, 21, 58, tzinfo=UTC)
    state = replace(LoopState(), ran={"capture_triage": late})
    assert next_due(state, {"capture_triage": 300.0}, hours, late) == {"capture_triage": "2026-03-29T05:00:00Z"}
    assert next_due(LoopState(), {"capture_triage": 300.0}, hours, NOON) == {"capture_triage": "2026-03-03T12:00:00Z"}
