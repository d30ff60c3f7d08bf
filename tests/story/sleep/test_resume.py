"""A night that was stopped in the middle: the next start goes on with that very night and does nothing twice."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from made_nights import Place, Silent, fix_session, promise_session, session_name, write_all

from slowwave.disk.trouble import DiskFullError
from slowwave.sleep import consolidator, report, task_detection
from slowwave.sleep.plan import NightOptions


class StoppedError(BaseException):
    """What stands for a kill."""


class StopAt(Silent):
    """Progress that ends the process where a phase begins, or at the n-th batch."""

    def __init__(self, *, phase: str = "", batch: int = 0) -> None:
        self.stop = phase
        self.left = batch

    def phase(self, name: str, number: int, total: int) -> None:
        """Stop before the phase."""
        del number, total
        if name == self.stop:
            raise StoppedError

    def step(self, text: str, done: float, total: float) -> None:
        """Stop before the batch."""
        del text, done, total
        self.left -= 1
        if self.left == 0:
            raise StoppedError


def stopped(place: Place, progress: StopAt, **options: Any) -> None:
    """A night that does not end."""
    with pytest.raises(StoppedError):
        place.house.sleep(NightOptions(**options), engine="mined", date=None, resume=False, progress=progress)
    place.close()


@pytest.fixture
def two_projects(place: Place) -> Place:
    """Sessions for two batches."""
    sessions = [fix_session(n, day=20 + n, project="bakery", module="bakery") for n in (4, 5)]
    write_all(place.transcripts, [fix_session(1), fix_session(2, day=6), promise_session(3, day=7), *sessions])
    return place


@pytest.fixture
def untouched(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where both branches end when nobody stops the night."""
    place = Place(tmp_path_factory.mktemp("untouched"))
    sessions = [fix_session(n, day=20 + n, project="bakery", module="bakery") for n in (4, 5)]
    write_all(place.transcripts, [fix_session(1), fix_session(2, day=6), promise_session(3, day=7), *sessions])
    place.sleep()
    place.close()
    return place.git("rev-parse", "main", "pending")


@pytest.mark.parametrize(
    "progress",
    [
        pytest.param(StopAt(phase="integrity"), id="preflight", marks=pytest.mark.slow),
        pytest.param(StopAt(batch=1), id="first-batch", marks=pytest.mark.slow),
        pytest.param(StopAt(batch=2), id="second-batch"),
        pytest.param(StopAt(phase="task_detection"), id="batches", marks=pytest.mark.slow),
        pytest.param(StopAt(phase="report"), id="tasks", marks=pytest.mark.slow),
    ],
)
def test_a_stopped_night_ends_where_an_untouched_one_does(
    two_projects: Place, untouched: str, progress: StopAt
) -> None:
    """Stopped anywhere and taken up days later, both branches end at the same commits, and nothing stays open."""
    stopped(two_projects, progress)
    two_projects.now += timedelta(days=4)
    night = two_projects.sleep(resume=True)
    assert two_projects.git("rev-parse", "main", "pending") == untouched
    assert night["moment"] == "2026-02-01T03:30:00Z"
    assert (len(night["memories"]), len(night["tasks"])) == (2, 1)
    assert two_projects.house.describe()["unfinished"] == ""
    two_projects.now += timedelta(days=1)
    assert two_projects.counts(two_projects.sleep())["sessions_known"] == 5


@pytest.mark.parametrize(
    "module",
    [consolidator, pytest.param(task_detection, marks=pytest.mark.slow), pytest.param(report, marks=pytest.mark.slow)],
)
def test_a_night_stopped_between_commit_and_book_finds_its_own_work(
    two_projects: Place, untouched: str, module: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commits made and not written down: the next start recognises them and makes no second ones."""
    real: Callable[..., Any] = module.commit_actions

    def commit_and_stop(*given: Any) -> None:
        real(*given)
        raise StoppedError

    monkeypatch.setattr(module, "commit_actions", commit_and_stop)
    stopped(two_projects, StopAt())
    monkeypatch.setattr(module, "commit_actions", real)
    two_projects.sleep()
    assert two_projects.git("rev-parse", "main", "pending") == untouched


@pytest.mark.slow
def test_a_stopped_night_keeps_what_was_asked_of_it(two_projects: Place) -> None:
    """A night of some phases stays that night when it is taken up without naming them."""
    phases = ("trace_consolidation", "report")
    stopped(two_projects, StopAt(batch=2), phases=phases)
    night = two_projects.sleep()
    assert {p["name"]: p["status"] for p in night["phases"]}["task_detection"] == "skipped"
    assert night["tasks"] == []


def test_what_came_after_the_stop_waits_for_the_next_night(two_projects: Place) -> None:
    """Sessions that a night was not offered are none of its business, even when it is taken up later."""
    stopped(two_projects, StopAt(batch=2))
    write_all(
        two_projects.transcripts, [promise_session(8, day=30, promise="I will rename the cart as soon as we can.")]
    )
    two_projects.now += timedelta(days=1)
    resumed = two_projects.counts(two_projects.sleep())
    assert (resumed["sessions_eligible"], resumed["sessions_consolidated"]) == (5, 5)
    two_projects.now += timedelta(days=1)
    assert two_projects.counts(two_projects.sleep())["sessions_consolidated"] == 1


@pytest.mark.slow
def test_a_session_that_vanished_after_the_stop_is_told(two_projects: Place) -> None:
    """A session that was planned and is gone is counted as gone; the sums still come out."""
    stopped(two_projects, StopAt(batch=2))
    # The shop's sessions are in their last days at their host, so that its batch came first and the bakery's waits.
    (two_projects.transcripts / "-work-bakery" / f"{session_name(5)}.jsonl").unlink()
    night = two_projects.sleep()
    counts = two_projects.counts(night)
    assert (counts["sessions_consolidated"], counts["sessions_gone"]) == (4, 1)
    assert night["phases"][-1]["reason"] == ""


@pytest.mark.slow
def test_a_file_that_came_between_does_not_move_marks(place: Place) -> None:
    """A side file that appears after the stop is new the next night; the main file is not read again."""
    session = fix_session(1)
    session.side_record("b", {"type": "user", "message": {"role": "user", "content": "Look at the cart, please."}})
    session.append(place.transcripts)
    stopped(place, StopAt(phase="task_detection"))
    session.side_record("a", {"type": "user", "message": {"role": "user", "content": "Look at the labels, please."}})
    session.append(place.transcripts)
    place.sleep()
    marks = place.house.state.connection.execute("SELECT file, line FROM marks ORDER BY file").fetchall()
    assert {Path(row[0]).name: row[1] for row in marks} == {
        f"{session_name(1)}.jsonl": len(session.lines),
        "agent-b.jsonl": 1,
    }
    place.now += timedelta(days=1)
    assert place.counts(place.sleep())["sessions_consolidated"] == 1


@pytest.mark.slow
def test_a_person_may_decide_while_a_night_runs(two_projects: Place) -> None:
    """A rejection between two batches rebuilds the branch; the night plans its batch again and goes on."""

    class Rejecting(Silent):
        """Rejects what the first batch proposed when the second begins."""

        def step(self, text: str, done: float, total: float) -> None:
            """Decide by the way."""
            del text, total
            if done:
                other = Place(two_projects.home.parent)
                items = [item["id"] for item in other.house.review_list()]
                other.house.reject(items, channel="token", why="by the way")
                other.close()

    night = two_projects.house.sleep(NightOptions(), engine="mined", date=None, resume=False, progress=Rejecting())
    assert {phase["status"] for phase in night["phases"]} <= {"done", "skipped"}
    statuses = sorted(i["status"] for i in two_projects.house.review_list() if i["type"] == "memory")
    assert statuses == ["pending"]


@pytest.mark.slow
def test_a_disk_error_stops_the_night_instead_of_one_phase(
    two_projects: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is no matter of one phase: nothing after it runs, and the night stays to be finished."""

    def no_room(*given: Any) -> None:
        del given
        raise DiskFullError("no room")

    monkeypatch.setattr(consolidator, "commit_actions", no_room)
    with pytest.raises(DiskFullError):
        two_projects.sleep()
    monkeypatch.undo()
    assert two_projects.house.describe()["unfinished"] == "night-20260201t033000z"
    assert len(two_projects.sleep()["memories"]) == 2
