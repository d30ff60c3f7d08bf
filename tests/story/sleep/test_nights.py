"""Whole nights over made sessions: what is found, what is written, and what the next night does with it."""

import json
import threading
from datetime import timedelta

import pytest
from made_nights import Place, Silent, fingerprint, fix_session, promise_session, write_all

from slowwave.disk.git import GitLockedError
from slowwave.disk.lock import LockedError, WriterLock
from slowwave.facts.refusal import NothingToDoError, UsageError
from slowwave.sleep.plan import Night, NightOptions, PhaseResult, Row
from slowwave.wiring import nightshift

CACHES = ("index.db", "locks", "search.db")


def tips(place: Place) -> dict[str, str]:
    """Every ref of the corpus and where it stands."""
    return dict(
        line.split(" ", 1) for line in place.git("for-each-ref", "--format=%(refname) %(objectname)").split("\n")
    )


def test_a_first_night_proposes_a_memory_and_a_task_and_leaves_main_alone(shop: Place) -> None:
    """What recurs becomes a memory and what was promised a task, both on ``pending``, neither on ``main``."""
    shop.house.begin_corpus()
    before = shop.git("rev-parse", "main")
    night = shop.sleep()
    assert {phase["status"] for phase in night["phases"]} <= {"done", "skipped"}
    assert [memory["kind"] for memory in night["memories"]] == ["error_pattern"]
    assert "PYTHONPATH=src" in night["memories"][0]["claim"]
    assert [task["type"] for task in night["tasks"]] == ["task"]
    assert shop.git("rev-parse", "main") == before
    assert shop.git("log", "--format=%s", "main..pending").count("\n") == 2  # a memory, a task, the page


def test_each_memory_is_one_commit_that_carries_its_evidence(shop: Place) -> None:
    """A memory's commit changes one file and holds every quote with its session."""
    memory = shop.sleep()["memories"][0]
    assert shop.git("show", "--name-only", "--format=", memory["commit"]) == memory["path"]
    message = shop.git("show", "--no-patch", "--format=%B", memory["commit"])
    quoted = [json.loads(line.removeprefix("Evidence: ")) for line in message.splitlines() if line[:10] == "Evidence: "]
    assert len(quoted) >= 2
    assert f"Slowwave-Item: {memory['item']}" in message


def test_a_second_night_does_nothing(shop: Place) -> None:
    """Running again makes no commit on any branch and leaves the corpus byte for byte as it was."""
    shop.sleep()
    refs, files = tips(shop), fingerprint(shop.home / "corpus")
    shop.now += timedelta(days=1)
    again = shop.sleep()
    assert (again["memories"], again["tasks"]) == ([], [])
    assert tips(shop) == refs
    assert fingerprint(shop.home / "corpus") == files
    assert shop.counts(again)["sessions_known"] == 3


@pytest.mark.slow
def test_the_same_sessions_give_the_same_commits(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Two homes that read the same sessions at the same moment end at the same commit ids."""
    ends = []
    for name in ("one", "two"):
        place = Place(tmp_path_factory.mktemp(name))
        write_all(place.transcripts, [fix_session(1), fix_session(2, day=6), promise_session(3, day=7)])
        place.sleep()
        ends.append(place.git("rev-parse", "main", "pending"))
        place.close()
    assert ends[0] == ends[1]


def test_the_counts_of_a_night_add_up(shop: Place) -> None:
    """Every session, candidate and commitment of a night is in exactly one count."""
    write_all(shop.transcripts, [fix_session(9, day=31, project="other")])  # one session and no pattern
    shop.sleep()
    report = shop.house.state.connection.execute("SELECT report FROM runs").fetchone()[0]
    counts = shop.counts(json.loads(report))
    assert counts["sessions_found"] == 4
    assert counts["sessions_eligible"] == counts["sessions_consolidated"] == 4
    assert counts["commitments"] == counts["commitments_kept"] == 1


def test_the_page_of_the_night_names_counts_and_paths_and_no_quote(shop: Place) -> None:
    """The report page holds what was written and no word of any transcript's evidence."""
    night = shop.sleep()
    page = shop.git("show", f"pending:reports/2026-02-01-{night['run']}.md")
    assert night["memories"][0]["path"] in page
    assert "sessions consolidated: 3" in page
    assert "All twelve tests pass" not in page


def test_a_dry_run_shows_what_a_night_would_write_and_writes_none_of_it(shop: Place) -> None:
    """A dry run names the same items as the night after it, and touches neither corpus nor state."""
    shop.house.begin_corpus()
    shop.close()
    before = fingerprint(shop.home, without=CACHES)
    dry = shop.sleep(dry_run=True)
    shop.close()
    assert fingerprint(shop.home, without=CACHES) == before
    night = shop.sleep()
    assert [m["item"] for m in dry["memories"]] == [m["item"] for m in night["memories"]]
    assert [t["item"] for t in dry["tasks"]] == [t["item"] for t in night["tasks"]]
    assert dry["dryRun"]


def test_a_dry_run_before_the_first_night_makes_no_corpus(place: Place) -> None:
    """Where there is no corpus yet, a dry run does not make one."""
    write_all(place.transcripts, [fix_session(1), fix_session(2, day=6)])
    ran = place.run("init", "--transcripts", str(place.transcripts))
    assert ran.status == 0
    dry = place.sleep(dry_run=True)
    assert len(dry["memories"]) == 1
    assert place.git("branch", "--list", "pending") == ""


def test_only_the_phases_asked_for_run(shop: Place) -> None:
    """Phases that were not asked for are skipped, vital ones run, and marks wait for the phase that moves them."""
    night = shop.sleep(phases=("trace_consolidation",))
    assert {phase["name"]: phase["status"] for phase in night["phases"]} == {
        "preflight": "done",
        "roll_up": "skipped",
        "check_in": "skipped",
        "commitment_triage": "skipped",
        "integrity": "done",
        "hygiene": "skipped",
        "trace_consolidation": "done",
        "task_detection": "skipped",
        "coaching": "skipped",
        "report": "skipped",
    }
    assert night["tasks"] == []
    shop.now += timedelta(hours=1)
    rest = shop.sleep()
    assert rest["memories"] == []
    assert shop.counts(rest)["already_proposed"] == 1
    assert len(rest["tasks"]) == 1


def test_a_phase_that_does_not_exist_is_refused_before_anything_begins(shop: Place) -> None:
    """An unknown phase is a usage error that names those there are, and no night is begun."""
    with pytest.raises(UsageError, match="no phase is called dreaming") as refused:
        shop.sleep(phases=("dreaming",))
    assert "trace_consolidation" in refused.value.hint
    assert shop.house.state.connection.execute("SELECT count(*) FROM runs").fetchone()[0] == 0


def test_a_night_with_a_time_bound_says_how_many_wait_and_the_next_takes_them(shop: Place) -> None:
    """When time is up the newest project was read, the rest is counted as waiting, and the next night reads it."""
    write_all(shop.transcripts, [fix_session(n, day=20 + n, project="bakery", module="bakery") for n in (4, 5)])
    shop.now += timedelta(days=10)  # the older sessions were kept past the day their host deletes
    first = shop.counts(shop.sleep(seconds=1e-9))
    assert (first["sessions_consolidated"], first["sessions_waiting"]) == (2, 3)
    shop.now += timedelta(hours=1)
    second = shop.sleep()
    assert shop.counts(second)["sessions_consolidated"] == 3
    assert shop.counts(second)["sessions_waiting"] == 0
    assert len(second["memories"]) == 1


def test_two_nights_at_once(shop: Place) -> None:
    """The second night is told who runs the first and leaves at once."""
    lock = WriterLock(shop.home / "locks" / "night", command="slowwave sleep", clock=lambda: shop.now)
    (shop.home / "locks").mkdir(parents=True)
    with lock:
        ran = shop.run("sleep")
    assert (ran.status, ran.code) == (1, "locked")
    assert "`slowwave sleep`" in ran.envelope["error"]["message"]


@pytest.mark.slow
def test_two_nights_at_once_in_earnest(shop: Place) -> None:
    """Of two nights started together one runs and the other is refused; the corpus is as after one."""
    shop.house.begin_corpus()
    inside, go_on = threading.Event(), threading.Event()

    class Waiting(Silent):
        """Progress that stops the first night in the middle of its work."""

        def step(self, text: str, done: float, total: float) -> None:
            """Stop where the first batch begins."""
            inside.set()
            assert go_on.wait(30), (text, done, total)

    ended: list[int] = []

    def first() -> None:
        other = Place(shop.home.parent)
        night = other.house.sleep(NightOptions(), engine="mined", date=None, resume=False, progress=Waiting())
        ended.append(len(night["memories"]))
        other.close()

    runner = threading.Thread(target=first)
    runner.start()
    assert inside.wait(30)
    with pytest.raises(LockedError):
        shop.sleep()
    go_on.set()
    runner.join(60)
    assert ended == [1]
    shop.now += timedelta(hours=1)
    assert shop.sleep()["memories"] == []


def test_a_night_without_any_session_has_nothing_to_do(place: Place) -> None:
    """No session at all is nothing to do, said with the folder that was looked into."""
    with pytest.raises(NothingToDoError, match="no session was found under") as told:
        place.sleep()
    assert "init --transcripts" in told.value.hint


def test_resume_without_an_interrupted_night_has_nothing_to_do(shop: Place) -> None:
    """``--resume`` alone starts nothing."""
    with pytest.raises(NothingToDoError, match="no night was interrupted"):
        shop.sleep(resume=True)


@pytest.mark.slow
def test_again_reads_what_was_read_and_proposes_nothing_twice(shop: Place) -> None:
    """With ``--again`` sessions are read once more; what they proposed before is recognised."""
    shop.sleep()
    shop.now += timedelta(hours=1)
    night = shop.sleep(again=True)
    counts = shop.counts(night)
    assert (counts["sessions_eligible"], counts["already_proposed"], counts["commitments_known"]) == (3, 1, 1)
    assert (night["memories"], night["tasks"]) == ([], [])


@pytest.mark.slow
def test_a_session_of_this_hour_waits(shop: Place) -> None:
    """A session that was written to within the hour may still be going on and is left for later."""
    write_all(shop.transcripts, [promise_session(8, day=31, promise="I will rename the cart module next week.")])
    shop.now = shop.now.replace(month=1, day=31, hour=10, minute=30)
    night = shop.counts(shop.sleep())
    assert (night["sessions_unsettled"], night["sessions_consolidated"]) == (1, 3)
    shop.now += timedelta(hours=2)
    assert shop.counts(shop.sleep())["sessions_consolidated"] == 1


@pytest.mark.slow
def test_a_phase_that_fails_is_told_and_the_next_goes_on(shop: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failed phase costs its own work: it is marked, named, the report is written, and the command ends with 1."""

    def fail(night: Night) -> PhaseResult:
        del night
        raise GitLockedError("somebody holds it")

    table = tuple(
        Row(row.name, fail) if row.name == "task_detection" else row for row in nightshift.night_table(shop.house)
    )
    monkeypatch.setattr(nightshift, "night_table", lambda _: table)
    assert shop.run("init", "--transcripts", str(shop.transcripts)).status == 0
    ran = shop.run("sleep")
    assert ran.status == 1
    phases = {phase["name"]: phase for phase in ran.content["phases"]}
    assert phases["task_detection"]["status"] == "failed"
    assert phases["task_detection"]["refusals"][0]["code"] == "git_locked"
    assert phases["report"]["status"] == "done"
    assert len(ran.content["memories"]) == 1
    monkeypatch.undo()
    shop.now += timedelta(hours=1)
    assert len(shop.run("sleep").content["tasks"]) == 1


@pytest.mark.slow
def test_a_first_night_is_bound_and_later_ones_are_not(shop: Place) -> None:
    """Forty seconds for the first night, as long as it needs for the others, unless the settings say otherwise."""
    bounds = []

    def look(night: Night) -> PhaseResult:
        bounds.append(night.options.seconds)
        return PhaseResult()

    with pytest.MonkeyPatch.context() as patch:
        table = (Row("look", look), *nightshift.night_table(shop.house))
        patch.setattr(nightshift, "night_table", lambda _: table)
        shop.sleep()
        shop.now += timedelta(days=1)
        shop.sleep()
        shop.now += timedelta(days=1)
        shop.sleep(seconds=7)
    assert bounds == [40.0, 0.0, 7]
