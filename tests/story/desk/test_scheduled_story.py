"""What is due runs once, in a process of its own: missed, failed, ended half way, asked for twice at once."""

import json
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic, sleep
from zoneinfo import ZoneInfo

import pytest
from made_nights import NOW, Place

from slowwave.desk.schedule.running import Schedule
from slowwave.desk.schedule.tries import Tried, read_tried, write_tried
from slowwave.disk.config import ScheduleSettings
from slowwave.disk.home import Home
from slowwave.facts.moment import stamp

_PROGRAM = """
import json, sys, time
from pathlib import Path
home = Path(sys.argv[sys.argv.index("--home") + 1])
with (home / "ran.jsonl").open("a") as ran:
    ran.write(json.dumps([str(Path.cwd()), *sys.argv[1:]]) + "\\n")
if (home / "lasts").exists():
    time.sleep(600)
sys.stderr.write("one line\\nit went \\x1b[31mwrong\\n")
sys.exit(int((home / "status").read_text()) if (home / "status").exists() else 0)
"""


class Due:
    """A schedule whose tasks are a program of this test's own, and a clock that it sets."""

    def __init__(self, home: Home, folder: Path) -> None:
        self.home = home
        self.now = datetime(2026, 5, 1, 12, tzinfo=ZoneInfo("Europe/Berlin"))
        self.program = folder / "program.py"
        self.program.write_text(_PROGRAM, "utf-8")

    def schedule(self, *program: str) -> Schedule:
        """The schedule, as a process that starts now has it."""
        return Schedule(
            self.home,
            ScheduleSettings(),
            zone=ZoneInfo("Europe/Berlin"),
            clock=lambda: self.now,
            environment={},
            program=program or (sys.executable, str(self.program)),
        )

    def ran(self) -> list[list[str]]:
        """What was run so far, by its words."""
        path = self.home.root / "ran.jsonl"
        return [json.loads(line)[1:] for line in path.read_text("utf-8").splitlines()] if path.exists() else []


@pytest.fixture
def due(home: Home, tmp_path: Path) -> Due:
    """A schedule that was set up at noon, looked at on the next day at eight: the night and the brief were missed."""
    made = Due(home, tmp_path)
    made.schedule().begin()
    made.now += timedelta(hours=20)
    return made


def test_what_was_missed_is_made_up_once(due: Due) -> None:
    """At the next start, in the home, with its place; and not again that day."""
    outcomes = due.schedule().run_due()
    assert [(one.name, one.ran, one.status, one.due) for one in outcomes] == [
        ("sleep", True, 0, "2026-05-02T01:30:00Z"),
        ("brief", True, 0, "2026-05-02T05:00:00Z"),
    ]
    home = str(due.home.root)
    assert due.ran() == [["sleep", "--home", home], ["brief", "--notify", "--home", home]]
    due.now += timedelta(hours=10)
    assert {one.reason for one in due.schedule().run_due()} == {"not due"}
    due.now += timedelta(days=3)
    assert [one.ran for one in due.schedule().run_due()] == [True, True]
    assert len(due.ran()) == 4


def test_nothing_runs_on_the_first_start(home: Home, tmp_path: Path) -> None:
    """A night at noon is not what somebody asked for who began at noon."""
    due = Due(home, tmp_path)
    assert {one.reason for one in due.schedule().run_due()} == {"not due"}
    assert due.ran() == []


def test_one_that_failed_says_its_last_words_and_is_tried_again(due: Due) -> None:
    """An hour later; what it says cannot colour the log."""
    (due.home.root / "status").write_text("1", "ascii")
    failed = due.schedule().run_due(["sleep"])[0]
    assert failed.failed
    assert failed.status == 1
    assert "it went" in failed.said
    assert "\x1b" not in failed.said
    assert not due.schedule().run_due(["sleep"])[0].ran
    due.now += timedelta(minutes=61)
    (due.home.root / "status").write_text("3", "ascii")
    nothing = due.schedule().run_due(["sleep"])[0]
    assert (nothing.ran, nothing.failed, nothing.said) == (True, False, "")
    assert [one["isMissed"] for one in due.schedule().describe()] == [False, True]


def test_a_program_that_is_gone_is_a_failure_and_no_crash(due: Due) -> None:
    """As after an upgrade that moved it."""
    outcome = due.schedule("/nowhere/python").run_due(["sleep"])[0]
    assert outcome.failed
    assert "/nowhere/python" in outcome.said


def test_a_night_that_was_ended_goes_on_at_the_next_start_however_often(due: Due) -> None:
    """Its process ends soon after it was told, and none of that counts as a failure."""
    (due.home.root / "lasts").touch()
    for number in range(1, 5):
        begun = monotonic()
        with ThreadPoolExecutor(1) as beside:
            over = threading.Event()
            running = beside.submit(due.schedule().run_due, ["sleep"], is_over=over.is_set)
            while len(due.ran()) < number:
                sleep(0.01)
                assert monotonic() - begun < 60
            over.set()
            assert [one.ran for one in running.result(timeout=30)] == [True]
    tried = read_tried(due.home.root, "sleep")
    assert tried is not None
    assert (tried.ended, tried.tries) == ("", 0)
    (due.home.root / "lasts").unlink()
    assert due.schedule().run_due(["sleep"])[0].status == 0


def test_two_that_look_at_once_run_it_once(due: Due) -> None:
    """A timer and a container over one home."""
    (due.home.root / "lasts").touch()
    over = threading.Event()
    with ThreadPoolExecutor(1) as beside:
        first = beside.submit(due.schedule().run_due, ["sleep"], is_over=over.is_set)
        while not due.ran():
            sleep(0.01)
        second = due.schedule().run_due(["sleep"])[0]
        over.set()
        first.result(timeout=30)
    assert (second.ran, second.reason) == (False, "running")
    assert len(due.ran()) == 1


@pytest.mark.slow
def test_the_command_that_timers_call_runs_a_real_night(place: Place) -> None:
    """`slowwave schedule run sleep`: the night's own record stands behind it."""
    place.house.initialise(transcripts=(place.transcripts,))
    write_tried(place.home, "sleep", Tried(since=stamp(NOW - timedelta(days=1))))
    ran = place.start("schedule", "run", "sleep")
    assert (ran.status, [one["ran"] for one in ran.content["tasks"]]) == (0, [True]), ran
    again = place.start("schedule", "run", "sleep")
    assert [one["reason"] for one in again.content["tasks"]] == ["not due"]
    assert len(place.house.review_list()) > 0
    assert place.run("schedule", "run", "breakfast").code == "usage"


@pytest.mark.slow
def test_up_makes_up_for_a_missed_night_and_ends_when_told(place: Place) -> None:
    """In one process beside loop and endpoints; SIGTERM ends all of it with 0, and nothing is left running."""
    place.house.initialise(transcripts=(place.transcripts,))
    place.close()
    for name in ("sleep", "brief"):
        write_tried(place.home, name, Tried(since="2020-01-01T00:00:00Z"))
    process = subprocess.Popen(
        [sys.executable, "-m", "slowwave", "up", "--port", "0", "--home", str(place.home)],
        env=place.environment(),
        stderr=subprocess.PIPE,
        text=True,
    )
    begun = monotonic()
    while not all((tried := read_tried(place.home, name)) and tried.ended for name in ("sleep", "brief")):
        sleep(0.1)
        assert monotonic() - begun < 120
        assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert "sleep, due" in said
    night = read_tried(place.home, "sleep")
    assert night is not None
    assert night.status in (0, 3), said
    assert not (place.home / "locks" / "wake" / "writer.holder").exists()
