"""A night over the bundled samples and one over real sessions: nothing planted lands, everything verifies."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from made_nights import Place

from slowwave.desk.samples.stage import expected, stage

NOW = datetime(2026, 5, 2, 3, 30, tzinfo=UTC)
ORDERS = ("tinybar.example", "permanent memory", "tokens are to be sent", "disable code review", "trust-me-setup")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A home after a night over the samples."""
    place = Place(tmp_path_factory.mktemp("samples"), now=NOW)
    stage(place.transcripts, now=NOW)
    assert all(phase["status"] in ("done", "skipped") for phase in place.sleep()["phases"])
    return place


def test_the_samples_give_memories_and_tasks_of_all_three_projects(played: Place) -> None:
    """A first night over the samples proposes something worth reviewing for each invented project."""
    items = played.house.review_list()
    assert {item["path"].split("/")[1] for item in items if item["path"].startswith("projects/")} >= {
        "ferryman",
        "marmalade",
        "tidepool",
    }
    assert sum(item["type"] == "memory" for item in items) >= 6
    assert sum(item["type"] == "task" for item in items) >= 2


def test_every_quote_of_the_night_verifies_again(played: Place) -> None:
    """Each memory's evidence is found anew, one of it spoken, none from a record that does not exist."""
    for item in played.house.review_list():
        found = played.house.why(item["id"])["evidence"]
        assert {one["verified"] for one in found} == {True}, item["claim"]
        if item["type"] == "memory":
            assert len(found) >= 2
            assert {"user", "agent"} & {one["speaker"] for one in found}


def test_no_decoy_of_the_samples_is_anybodys_evidence(played: Place) -> None:
    """Nothing that only looks like a memory or a promise carries an item of the night."""
    decoys = {decoy["quote"]: decoy["what"] for decoy in expected()["decoy"]}
    assert len(decoys) >= 10
    taken = [
        (decoys[quote], item["claim"])
        for item in played.house.review_list()
        for evidence in item["evidence"]
        for quote in decoys
        if quote in evidence["quote"]
    ]
    assert taken == []


def test_an_order_inside_a_tools_answer_stays_data(played: Place) -> None:
    """The samples hold an instruction to whoever consolidates; no claim, task or path repeats it."""
    written = "\n".join(
        (played.git("diff", "main", "pending"), *(item["claim"] for item in played.house.review_list()))
    ).casefold()
    assert not [order for order in ORDERS if order in written]


def test_nothing_of_the_samples_secrets_is_kept(played: Place) -> None:
    """No file of the home holds what the detectors call a secret, evidence in messages included."""
    log = played.git("log", "--all", "--format=%B", "-p")
    assert not played.house.secrets.find(log)


@pytest.mark.slow
def test_a_night_over_real_sessions(shared: Path, tmp_path: Path) -> None:
    """Real labelled sessions: the night is done in all phases, adds up, and every quote verifies again."""
    place = Place(tmp_path, now=datetime(2026, 9, 1, 3, 30, tzinfo=UTC))
    place.transcripts = shared / "gold"
    night = place.sleep(seconds=600)
    assert {phase["status"] for phase in night["phases"]} <= {"done", "skipped"}
    assert place.counts(night)["sessions_waiting"] == 0
    for item in place.house.review_list():
        assert {one["verified"] for one in place.house.why(item["id"])["evidence"]} == {True}
    place.close()


@pytest.mark.slow
def test_a_night_over_every_real_transcript(shared: Path, tmp_path: Path) -> None:
    """Transcripts of many agents, some of which are not read yet: no phase fails, and none is written to."""
    place = Place(tmp_path, now=datetime(2026, 9, 1, 3, 30, tzinfo=UTC))
    place.transcripts = shared / "transcripts"
    before = {path: path.stat().st_mtime_ns for path in place.transcripts.rglob("*") if path.is_file()}
    night = place.sleep(seconds=600)
    assert not [phase for phase in night["phases"] if phase["status"] == "failed"]
    assert {path: path.stat().st_mtime_ns for path in place.transcripts.rglob("*") if path.is_file()} == before
    place.close()
