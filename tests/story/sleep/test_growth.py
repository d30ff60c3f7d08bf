"""Sessions that go on, are written anew, or lie in the same project: what is new, and what only stands beside it."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import pytest
from made_engines import SECRETS
from made_nights import Place, fix_session, promise_session, session_name, write_all

from slowwave.facts.answer import Answer, Candidate
from slowwave.facts.evidence import Quote
from slowwave.facts.ids import SessionId
from slowwave.facts.memory import Kind
from slowwave.sleep.engine import Reading, Verdict
from slowwave.sleep.hearing import prove
from slowwave.wiring.engines import Chosen
from slowwave.wiring.premises import Premises

OLD = ("I will look at the cart first.", "All twelve tests pass now that the path is set.")


def consolidation(night: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the consolidator said of itself."""
    found: Mapping[str, Any] = next(phase for phase in night["phases"] if phase["name"] == "trace_consolidation")
    return found


class Scripted:
    """An engine that proposes what it is told to and notes what it was given."""

    name = "mined"
    profile = "mined/1"
    least_bytes = 0
    destination = ""

    def __init__(self) -> None:
        self.quotes: tuple[tuple[int, str], ...] = ()
        self.reads: tuple[str, ...] | None = None
        self.given: list[Mapping[SessionId, tuple[int, ...]]] = []

    def estimate(self, sizes: Sequence[int]) -> None:
        """Nothing."""

    def hear(self, reading: Reading) -> Verdict:
        """What holds of the scripted answer."""
        self.given.append(reading.batch.new_from)
        read = tuple(r.session.id for r in reading.recordings if self.reads is None or r.session.id in self.reads)
        candidates = (self._candidate(),) if self.quotes else ()
        return prove(Answer(candidates=candidates, commitments=(), read_session_ids=read), reading.batch, SECRETS)

    def _candidate(self) -> Candidate:
        quotes = tuple(Quote(session_id=SessionId(session_name(n)), quote=words) for n, words in self.quotes)
        return Candidate(
            kind=Kind.SEMANTIC, claim="The cart is looked at before its tests.", gist="", entities=(), evidence=quotes
        )


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    """The night's engine in these stories."""
    scripted = Scripted()

    def named(name: str, house: Premises, **options: bool) -> Chosen:
        del name, house, options
        return Chosen(engine=scripted)

    monkeypatch.setattr("slowwave.wiring.nightshift.engine_named", named)
    return scripted


def grow(place: Place, number: int, *words: str) -> None:
    """Let a fix session go on."""
    session = fix_session(number)
    session.user("One more thing about the cart, please.")
    for said in words:
        session.agent(said)
    session.append(place.transcripts)


def test_a_grown_session_is_offered_from_its_new_line(place: Place, engine: Scripted) -> None:
    """What the first night read is old; the next is given the first line behind it."""
    write_all(place.transcripts, [fix_session(1)])
    place.sleep()
    grow(place, 1, "The cart rounds down, as the shop asked.")
    place.now += timedelta(days=1)
    night = place.sleep()
    first, second = engine.given
    old_lines = len(fix_session(1).lines)
    assert first[SessionId(session_name(1))] == (1,)
    assert second[SessionId(session_name(1))] == (old_lines + 1,)
    assert place.counts(night)["sessions_eligible"] == 1


def test_old_quotes_alone_carry_nothing(place: Place, engine: Scripted) -> None:
    """A candidate of a grown session needs a quote from its new part; with one it lands."""
    write_all(place.transcripts, [fix_session(1)])
    place.sleep()
    grow(place, 1, "The cart rounds down, as the shop asked.")
    engine.quotes = tuple((1, words) for words in OLD)
    place.now += timedelta(days=1)
    stale = place.sleep()
    assert stale["memories"] == []
    assert [r["code"] for phase in stale["phases"] for r in phase["refusals"]] == ["no_new_evidence"]
    grow(place, 1, "The cart rounds down, as the shop asked.", "It also keeps the discount code across log-ins.")
    engine.quotes = ((1, OLD[0]), (1, "It also keeps the discount code across log-ins."))
    place.now += timedelta(days=1)
    assert len(place.sleep()["memories"]) == 1


def test_earlier_sessions_of_the_project_stand_beside_the_new_ones(place: Place, engine: Scripted) -> None:
    """Context sessions are read and may be quoted, but a quote from the new session must be there."""
    write_all(place.transcripts, [fix_session(1)])
    place.sleep()
    write_all(place.transcripts, [fix_session(2, day=9)])
    engine.quotes = ((1, OLD[0]), (2, OLD[1]))
    place.now += timedelta(days=1)
    night = place.sleep()
    lines = len(fix_session(1).lines)
    assert engine.given[1] == {SessionId(session_name(2)): (1,), SessionId(session_name(1)): (lines + 1,)}
    assert len(night["memories"]) == 1
    assert place.counts(night)["sessions_known"] == 1


@pytest.mark.slow
def test_the_miners_see_a_pattern_across_nights(place: Place) -> None:
    """What a person says in one session and again in the next night's is told as said in two."""
    rule = "no, never squash the migrations in this repo, production replays them one by one"
    for number in (1, 2):
        session = fix_session(number, day=number)
        session.user(rule)
        session.agent("Understood, the migrations stay as they are, one file for each change.")
        session.append(place.transcripts)
        night = place.sleep()
        place.now += timedelta(days=1)
    told = [m["claim"] for m in night["memories"] if "squash" in m["claim"]]
    assert len(told) == 1
    assert "2 sessions" in told[0]


def test_a_rewritten_session_is_offered_whole(place: Place, engine: Scripted) -> None:
    """A file that was written anew has lost its mark, however long it is now."""
    write_all(place.transcripts, [fix_session(1)])
    place.sleep()
    other = promise_session(1)
    for number in range(20):
        other.agent(f"Step {number} of the move to the new gateway is done.")
    other.append(place.transcripts)
    place.now += timedelta(days=1)
    place.sleep()
    assert engine.given[1][SessionId(session_name(1))] == (1,)


def test_a_session_the_engine_left_out_comes_back(place: Place, engine: Scripted) -> None:
    """Only what an answer says was read is marked; the rest is offered the next night."""
    write_all(place.transcripts, [fix_session(1), fix_session(2)])
    engine.reads = (session_name(1),)
    first = place.counts(place.sleep())
    engine.reads = None
    place.now += timedelta(days=1)
    place.sleep()
    assert (first["sessions_consolidated"], first["sessions_unread"]) == (1, 1)
    assert engine.given[1][SessionId(session_name(2))] == (1,)
    assert engine.given[1][SessionId(session_name(1))][0] > 1


@pytest.mark.slow
def test_an_answer_that_stays_refused_marks_nothing_and_degrades_the_phase(
    place: Place, engine: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch whose answer cannot be proved is offered again, and the night says so."""
    write_all(place.transcripts, [fix_session(1)])
    monkeypatch.setattr("slowwave.sleep.hearing.MOST_SUBMISSIONS", 0)
    night = place.sleep()
    phase = consolidation(night)
    assert (phase["status"], phase["counts"]["sessions_unread"]) == ("degraded", 1)
    place.now += timedelta(days=1)
    place.sleep()
    assert engine.given[1] == engine.given[0]


def test_a_trivial_quote_costs_itself_and_not_the_candidate(place: Place, engine: Scripted) -> None:
    """A quote that proves nothing is left out where the others carry the claim, and is counted as refused."""
    write_all(place.transcripts, [fix_session(1)])
    engine.quotes = ((1, OLD[0]), (1, "12 passed"), (1, OLD[1]))
    night = place.sleep()
    assert [r["code"] for r in consolidation(night)["refusals"]] == ["quote_trivial"]
    assert len(night["memories"]) == 1
    assert place.counts(night)["candidates_refused"] == 0


def test_memories_of_ours_inside_a_session_are_no_evidence(place: Place, engine: Scripted) -> None:
    """What slowwave put into a session is quoted by nobody and confirms nothing."""
    session = fix_session(1)
    told = "<slowwave-memory v=1>\nThe importer wants its fixtures sorted by date.\n</slowwave-memory>"
    session.user(told)
    session.append(place.transcripts)
    engine.quotes = ((1, "The importer wants its fixtures sorted by date."), (1, OLD[0]))
    night = place.sleep()
    quoted = [line for m in night["memories"] for line in place.git("show", m["commit"]).splitlines()]
    assert not any('"speaker": "user"' in line and "sorted by date" in line for line in quoted)


@pytest.mark.slow
def test_a_memory_that_was_shown_to_an_agent_is_not_confirmed_by_that_session(place: Place, engine: Scripted) -> None:
    """A session into which our memory was injected repeats it; the memory's count stays as it is."""
    write_all(place.transcripts, [fix_session(1)])
    engine.quotes = tuple((1, words) for words in OLD)
    memory = place.sleep()["memories"][0]
    later = fix_session(3, day=20)
    later.user(f"<slowwave-memory v=1>\n{memory['claim']}\n</slowwave-memory>")
    later.append(place.transcripts)
    engine.quotes = tuple((3, words) for words in OLD)
    place.now += timedelta(days=1)
    night = place.sleep()
    assert night["memories"] == []
    assert [r["code"] for r in consolidation(night)["refusals"]] == ["no_new_evidence"]


def test_a_pattern_that_comes_again_confirms_its_memory(place: Place) -> None:
    """A third session with the same failure adds itself to the memory: one more sight, more confidence."""
    write_all(place.transcripts, [fix_session(1), fix_session(2, day=6)])
    memory = place.sleep()["memories"][0]
    write_all(place.transcripts, [fix_session(3, day=20)])
    place.now += timedelta(days=1)
    night = place.sleep()
    assert [(m["type"], m["path"]) for m in night["memories"]] == [("reinforce", memory["path"])]
    text = place.git("show", f"pending:{memory['path']}")
    assert session_name(3) in text
    assert "seen_count: 2" in text


def test_a_copied_session_is_no_second_witness(place: Place) -> None:
    """The same records under another name are one occurrence: the copy is counted and confirms nothing."""
    fix_session(1).append(place.transcripts)
    folder = place.transcripts / "-work-shop"
    (folder / f"{session_name(2)}.jsonl").write_bytes((folder / f"{session_name(1)}.jsonl").read_bytes())
    night = place.sleep()
    named = [m for m in night["memories"] if "PYTHONPATH=src" in m["claim"]]
    assert len(named) == 1
    evidence = place.git("show", "--no-patch", "--format=%B", named[0]["commit"])
    assert (session_name(1) in evidence) != (session_name(2) in evidence)
    assert place.counts(night)["sessions_found"] == 1
