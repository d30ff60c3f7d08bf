"""Failure: nothing of a failed batch is marked, it comes back in halves, the poisonous session ends up set aside."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from made_nights import Place, fix_session, session_name, write_all

from slowwave.facts.ids import SessionId
from slowwave.sleep.engine import NOTHING_PROVED, Estimate, Failure, Reading, Verdict
from slowwave.sleep.nights import unfinished
from slowwave.wiring.engines import Chosen, MinedEngine
from slowwave.wiring.premises import Premises

POISON = SessionId(session_name(3))
REFUSED = Failure(code="model_gave_up", message="the model handed nothing in", blames_batch=True)
AWAY = Failure(code="model_unavailable", message="the provider is away", ends_asking=True)


@dataclass
class Choking:
    """The mined engine, but for batches that hold a session it chokes on."""

    mined: MinedEngine
    chokes_on: SessionId | None = None
    failure: Failure = REFUSED
    heard: list[tuple[str, ...]] = field(default_factory=list)
    name: str = "mined"
    profile: str = "mined/1"
    least_bytes: int = 0
    destination: str = ""

    def hear(self, reading: Reading) -> Verdict:
        """What rules find, or the failure."""
        new = tuple(sorted(s for s in reading.batch.sessions if reading.batch.has_new(s)))
        self.heard.append(new)
        if self.chokes_on is None or self.chokes_on in new:
            return Verdict(proved=NOTHING_PROVED, refusals=(), counts={}, failure=self.failure)
        return self.mined.hear(reading)

    def estimate(self, sizes: Sequence[int]) -> Estimate | None:
        """Nothing."""
        del sizes
        return None


@pytest.fixture
def choking(place: Place, monkeypatch: pytest.MonkeyPatch) -> Choking:
    """The night's engine in these stories, over four sessions of one project."""
    write_all(place.transcripts, [fix_session(n) for n in (1, 2, 3, 4)])
    engine = Choking(mined=MinedEngine(place.house.secrets), chokes_on=POISON)

    def named(name: str, house: Premises, **options: bool) -> Chosen:
        del name, house, options
        return Chosen(engine=engine)

    monkeypatch.setattr("slowwave.wiring.nightshift.engine_named", named)
    return engine


def marked(place: Place) -> set[str]:
    """Sessions with a watermark."""
    rows = place.house.state.connection.execute("SELECT DISTINCT session_id FROM marks")
    return {str(row[0]) for row in rows}


def test_a_poisonous_session_is_found_by_halves_and_set_aside(place: Place, choking: Choking) -> None:
    """Four, then two and two, then one and one: the healthy ones are read, the other fails alone three times."""
    night = place.sleep()
    (phase,) = [p for p in night["phases"] if p["name"] == "trace_consolidation"]
    assert (phase["status"], phase["reason"]) == ("degraded", REFUSED.message)
    assert [r["code"] for r in phase["refusals"]] == ["model_gave_up"]
    assert marked(place) == set()
    assert all(p["status"] in ("done", "skipped") for p in night["phases"] if p["name"] != "trace_consolidation")
    sizes = []
    for _ in range(4):
        place.now += timedelta(days=1)
        choking.heard.clear()
        place.sleep()
        sizes.append(sorted(len(new) for new in choking.heard))
    assert sizes == [[2, 2], [1, 1], [1], [1]]
    assert marked(place) == {session_name(n) for n in (1, 2, 4)}
    place.now += timedelta(days=1)
    choking.heard.clear()
    last = place.sleep()
    assert choking.heard == []
    assert place.counts(last)["sessions_set_aside"] == 1
    assert [p["reason"] for p in last["phases"] if p["status"] not in ("done", "skipped")] == []


def test_a_session_that_was_set_aside_comes_back_when_it_grows(place: Place, choking: Choking) -> None:
    """Nothing is dropped: new lines offer it anew."""
    for _ in range(6):
        place.sleep()
        place.now += timedelta(days=1)
    assert place.counts(place.sleep())["sessions_set_aside"] == 1
    choking.chokes_on = SessionId("nobody")
    grown = fix_session(3)
    grown.user("One more thing about the cart, please.")
    grown.agent("I will look at the cart first.")
    grown.append(place.transcripts)
    place.now += timedelta(days=1)
    assert place.counts(place.sleep())["sessions_consolidated"] == 1
    assert POISON in marked(place)


def test_a_session_that_was_set_aside_comes_back_when_it_is_asked_for(place: Place, choking: Choking) -> None:
    """``--again`` offers it with all others; once it was read, its failures are forgotten."""
    for _ in range(6):
        place.sleep()
        place.now += timedelta(days=1)
    assert place.counts(place.sleep())["sessions_set_aside"] == 1
    choking.chokes_on = SessionId("nobody")
    choking.heard.clear()
    place.now += timedelta(days=1)
    again = place.counts(place.sleep(again=True))
    assert (again["sessions_set_aside"], again["sessions_consolidated"]) == (0, 4)
    assert any(POISON in new for new in choking.heard)
    assert POISON in marked(place)
    place.now += timedelta(days=1)
    later = place.counts(place.sleep())
    assert (later["sessions_set_aside"], later["sessions_known"]) == (0, 4)


def test_an_outage_ends_the_asking_and_blames_nobody(place: Place, choking: Choking) -> None:
    """The first batch fails, the others wait unasked; the next night takes them all, whole."""
    write_all(place.transcripts, [fix_session(n, project="bakery") for n in (5, 6)])
    choking.chokes_on, choking.failure = None, AWAY
    night = place.sleep()
    assert len(choking.heard) == 1
    assert place.counts(night)["sessions_waiting"] > 0
    assert marked(place) == set()
    choking.chokes_on = SessionId("nobody")
    choking.heard.clear()
    place.now += timedelta(days=1)
    place.sleep()
    assert sorted(len(new) for new in choking.heard) == [2, 4]
    assert len(marked(place)) == 6


def test_every_failed_night_adds_up_and_is_finished(place: Place, choking: Choking) -> None:
    """A failed batch is no reason for an unfinished night or for counts that do not come out."""
    for _ in range(5):
        night = place.sleep()
        assert unfinished(place.house.state) is None
        assert all("accounted for" not in phase["reason"] for phase in night["phases"])
        place.now += timedelta(days=1)
    assert choking.heard


def test_a_day_whose_budget_is_too_small_for_the_first_batch_halves_it(place: Place, choking: Choking) -> None:
    """Cut short in its first batch by a whole day's budget, the night is not cut short at the same place for ever."""
    choking.chokes_on = None
    choking.failure = Failure(code="model_budget", message="the calls are used", blames_first=True, ends_asking=True)
    place.sleep()
    assert [len(new) for new in choking.heard] == [4]
    choking.heard.clear()
    place.now += timedelta(days=1)
    place.sleep()
    assert [len(new) for new in choking.heard] == [2]


def test_two_batches_that_fail_alike_end_the_asking_and_blame_no_session(place: Place, choking: Choking) -> None:
    """Where every batch is refused, as by one wrong setting, sessions are never set aside for it."""
    choking.chokes_on = None
    for _ in range(8):
        choking.heard.clear()
        place.sleep()
        assert len(choking.heard) <= 2
        place.now += timedelta(days=1)
    choking.chokes_on = SessionId("nobody")
    night = place.sleep()
    assert place.counts(night)["sessions_set_aside"] == 0
    assert len(marked(place)) == 4


def test_what_failed_comes_last_and_starves_nobody(place: Place, choking: Choking) -> None:
    """The newest project chokes the engine night after night; the other one is read in the second."""
    write_all(place.transcripts, [fix_session(n, day=20, project="bakery") for n in (5, 6)])
    choking.chokes_on, choking.failure = SessionId(session_name(5)), AWAY
    place.now += timedelta(days=10)
    place.sleep()
    assert marked(place) == set()
    choking.failure = REFUSED
    for _ in range(2):
        place.now += timedelta(days=1)
        place.sleep()
    assert {session_name(n) for n in (1, 2, 3, 4)} <= marked(place)


def test_a_session_that_is_set_aside_is_named_with_why(place: Place, choking: Choking) -> None:
    """The person is told which one, what it failed with, and what offers it again."""
    for _ in range(6):
        place.sleep()
        place.now += timedelta(days=1)
    night = place.sleep()
    (phase,) = [p for p in night["phases"] if p["name"] == "trace_consolidation"]
    (told,) = [refusal for refusal in phase["refusals"] if refusal["code"] == "set_aside"]
    assert told["path"] == POISON
    assert "model_gave_up" in told["message"]
    assert "--again" in told["message"]
    choking.chokes_on = SessionId("nobody")
    assert place.counts(place.sleep(again=True))["sessions_set_aside"] == 0
    assert POISON in marked(place)
