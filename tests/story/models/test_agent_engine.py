"""The agent engine with scripted agents: honest ones are believed, every other is refused before or while it reads."""

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from made_cli import KEY, install
from made_nights import Place, fix_session, session_name, write_all

from slowwave.facts.ids import RunId, digest
from slowwave.records.recording import load
from slowwave.records.secrets import Secrets
from slowwave.sleep.consent import put_consent
from slowwave.sleep.engine import Reading, Verdict
from slowwave.sleep.leads import leads_of
from slowwave.sleep.turn import Turn
from slowwave.sleep.turns import TurnBook, TurnRecord
from slowwave.wiring.agent_engine import AgentEngine, agent_engine
from slowwave.wiring.bench import batch_of_folder
from slowwave.wiring.engines import MinedEngine

LONG = "The cart keeps its lines in the order in which they were added, and the total is summed again on every change. "


class Desk:
    """A home whose agent is a script, and a folder of sessions that are long enough to be asked about."""

    def __init__(self, place: Place, folder: Path) -> None:
        self.place = place
        self.programs = folder / "programs"
        self.sessions = [fix_session(number) for number in (1, 2, 3)]
        for session in self.sessions:
            session.agent(LONG * 80)
        write_all(place.transcripts, self.sessions)
        place.house.initialise(transcripts=(place.transcripts,))
        place.close()

    def configure(self, name: str, behaviour: str, **settings: str) -> None:
        """Make this agent the home's."""
        answer = self.place.run("consolidate", str(self.place.transcripts), "--answer-only").content
        program = install(self.programs, name, behaviour, answer=answer)
        for key, value in {"name": name, "program": str(program), **settings}.items():
            assert self.place.run("config", "set", f"agent.{key}", value).status == 0

    def engine(self, name: str, behaviour: str, **settings: str) -> AgentEngine:
        """The engine over this agent."""
        self.configure(name, behaviour, **settings)
        engine = agent_engine(self.place.house, MinedEngine(Secrets()), leads=False, keep_turns=False)
        assert isinstance(engine, AgentEngine)
        return engine

    def reading(self) -> Reading:
        """The folder as one batch outside any night."""
        batch = batch_of_folder(self.place.transcripts, home=self.place.home, secrets=Secrets())
        recordings = tuple(load(session, ends=batch.ends.get(session.id)) for session in batch.sessions.values())
        return Reading(batch_id="", run_id=RunId(""), batch=batch, recordings=recordings)

    def planned(self) -> Reading:
        """The same batch as the next night would read it, which an agent's server serves: the person agreed."""
        put_consent(self.place.house.state, "agent claude", moment=self.place.now, channel="terminal")
        (batch,) = self.place.run("sleep", "--dry-run", "--engine", "mined").content["batches"]
        return replace(self.reading(), batch_id=batch["id"])

    def hear(self, name: str, behaviour: str, **settings: str) -> Verdict:
        """What comes of it."""
        return self.engine(name, behaviour, **settings).hear(self.reading())

    @property
    def starts(self) -> list[str]:
        """What for the agent was started so far: on trial, or to run."""
        return (self.programs / "starts").read_text("utf-8").split()

    @property
    def records(self) -> tuple[TurnRecord, ...]:
        """Every turn that is recorded in the home."""
        return TurnBook(self.place.home / "runs").records()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A home with sessions and no agent yet."""
    place = Place(tmp_path)
    yield Desk(place, tmp_path)
    place.close()


def left_behind(place: Place) -> list[Path]:
    """Scratch folders that a run did not remove."""
    return list((place.home / "runs").glob("agent-*"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["claude", "codex", "gemini"])
def test_an_honest_agent_is_tried_then_believed(desk: Desk, name: str) -> None:
    """Its flags and files are those of the real one; what it proposes is proved, and nothing of the run is left."""
    verdict = desk.hear(name, "honest")
    assert verdict.failure is None
    assert verdict.proved.candidates
    assert set(verdict.proved.read_session_ids) == {session_name(number) for number in (1, 2, 3)}
    assert left_behind(desk.place) == []


@pytest.mark.slow
def test_what_an_agent_is_served_is_recorded(desk: Desk) -> None:
    """One start on trial and one to run, one turn in the home, and what was served stands in it."""
    engine = desk.engine("claude", "reads and leaves")
    reading = desk.planned()
    assert engine.hear(reading).failure is not None
    assert desk.starts == ["trial", "run"]
    (record,) = desk.records
    assert (record.batch_id, record.status) == (reading.batch_id, "no_answer")
    assert (record.usage.calls, record.usage.micro_usd) == (7, 12_346)
    assert len(record.calls) == 1 + len(desk.sessions)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "behaviour", "code", "words"),
    [
        ("claude", "keeps its shell", "agent_not_locked", ("ran a tool",)),
        ("codex", "keeps its shell", "agent_not_locked", ("ran a tool",)),
        ("gemini", "keeps its shell", "agent_not_locked", ("ran a tool",)),
        ("gemini", "hides its shell", "agent_not_locked", ("ran a tool that it did not offer",)),
        ("claude", "adds the web", "agent_not_locked", ("web_search",)),
        ("codex", "adds the web", "agent_not_locked", ("web_search",)),
        ("claude", "ignores its address", "agent_unverified", ("asked nothing",)),
        ("claude", "asks its person", "agent_unverified", ("did not let its model call",)),
    ],
)
def test_an_agent_that_is_not_locked_down_reads_nothing(
    desk: Desk, name: str, behaviour: str, code: str, words: tuple[str, ...]
) -> None:
    """It is refused on trial, over a made-up session; the batch, which could be served, never is."""
    failure = desk.engine(name, behaviour).hear(desk.planned()).failure
    assert failure is not None
    assert (failure.code, failure.ends_asking, failure.blames_batch) == (code, True, False)
    assert all(word in failure.message for word in words), failure.message
    assert (desk.starts, desk.records) == (["trial"], ())
    assert left_behind(desk.place) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("behaviour", "code", "blames", "settings"),
    [
        ("hangs", "agent_timeout", False, {"seconds": "3"}),
        ("exits", "agent_failed", False, {}),
        ("dies", "agent_failed", False, {}),
        ("says nothing", "no_answer", True, {}),
        ("reads and leaves", "no_answer", True, {}),
        ("uses a shell later", "agent_not_locked", False, {}),
    ],
)
def test_a_run_that_fails_says_how(
    desk: Desk, behaviour: str, code: str, blames: bool, settings: dict[str, str]
) -> None:
    """Trouble of the agent's own ends the asking; an answer that is missing brings the batch back in halves."""
    verdict = desk.hear("claude", behaviour, **settings)
    assert verdict.failure is not None
    assert (verdict.failure.code, verdict.failure.blames_batch) == (code, blames), verdict.failure.message
    assert verdict.failure.ends_asking is (code != "no_answer")
    assert KEY not in verdict.failure.message
    assert not verdict.proved.candidates
    assert left_behind(desk.place) == []


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", ["answers twice", "exits after its answer", "floods"])
def test_an_accepted_answer_stands_whatever_follows(desk: Desk, behaviour: str) -> None:
    """The record of the turn is believed, not the program's end; what it floods is drained and dropped."""
    verdict = desk.hear("claude", behaviour)
    assert verdict.failure is None
    assert verdict.proved.candidates


@pytest.mark.slow
def test_an_agent_that_is_caught_is_not_believed_nor_run_again(desk: Desk) -> None:
    """Though its answer was accepted: nothing is proved, its record is none to replay, no other batch is served."""
    engine = desk.engine("claude", "answers, then uses a shell")
    reading = desk.planned()
    for _ in range(2):
        verdict = engine.hear(reading)
        assert verdict.failure is not None
        assert (verdict.failure.code, verdict.failure.ends_asking) == ("agent_not_locked", True)
        assert (verdict.proved.candidates, verdict.proved.read_session_ids) == ((), ())
    assert desk.starts == ["trial", "run"]
    (record,) = desk.records
    assert (record.batch_id, record.status) == (reading.batch_id, "agent_not_locked")
    assert record.calls[-1].name == "submit_answer"


def meet(process: int) -> None:
    """Look for a process for a while: one that has ended is there until the system has counted it."""
    for _ in range(1_000):
        os.kill(process, 0)
        time.sleep(0.01)


ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows what a process was started with")


@pytest.mark.slow
@pytest.mark.parametrize("behaviour", ["leaves a child", pytest.param("hides a child", marks=ON_LINUX)])
def test_nothing_that_an_agent_started_outlives_its_run(desk: Desk, behaviour: str) -> None:
    """A child that holds its streams open, or has left the group, neither holds up the night nor goes on."""
    assert desk.hear("claude", behaviour).failure is None
    child = int((desk.programs / "child").read_text("utf-8"))
    with pytest.raises(ProcessLookupError):
        meet(child)


@pytest.mark.slow
def test_an_agent_is_tried_once_a_night_and_again_when_it_changed(desk: Desk) -> None:
    """The trial is remembered for the program's file as it is; another file is another program."""
    engine = desk.engine("claude", "honest")
    runs = engine.runs
    assert runs is not None
    assert runs.lockdown() is None
    drawn: list[str] = []
    draw = runs.draw

    def noted() -> str:
        drawn.append(draw())
        return drawn[-1]

    runs.draw = noted  # a trial draws its folder and its key
    assert runs.lockdown() is None
    assert drawn == []
    install(desk.programs, "claude", "ignores its address")
    changed = runs.lockdown()
    assert changed is not None
    assert changed.code == "agent_unverified"


@pytest.mark.slow
def test_what_a_killed_run_left_goes_after_a_day(desk: Desk) -> None:
    """A folder of a run holds an answer; a fresh one may be somebody else's and stays."""
    runs = desk.engine("claude", "ignores its address").runs
    assert runs is not None
    old, fresh = runs.folder / "agent-old", runs.folder / "agent-fresh"
    for folder in (old, fresh):
        folder.mkdir()
    os.utime(old, (1, 1))
    runs.lockdown()
    assert (old.exists(), fresh.exists()) == (False, True)


def test_an_agent_that_is_not_there_says_how_to_get_it(desk: Desk) -> None:
    """Neither on the search path nor where the settings say."""
    verdict = desk.hear("claude", "honest", program="/nowhere/claude")
    assert verdict.failure is not None
    assert verdict.failure.code == "agent_missing"
    assert "log in" in verdict.failure.message


@pytest.mark.slow
@pytest.mark.parametrize("words", [(), ("--leads",)])
def test_a_whole_night_with_an_agent(desk: Desk, words: tuple[str, ...]) -> None:
    """Consent, trial, turn, record, pending memories, leads where wanted; nothing lands without the person."""
    desk.configure("claude", "honest")
    token = desk.place.house.renew_token()
    desk.place.close()
    given = desk.place.run("consent", "give", "--engine", "agent", "--yes-i-am-a-person", token)
    assert given.status == 0, given.err
    night = desk.place.run("sleep", "--engine", "agent", *words)
    assert night.status == 0, night.err
    assert night.content["engine"] == "agent/1"
    assert night.content["memories"], night.content
    assert desk.starts == ["trial", "run"]
    (record,) = desk.records
    assert (record.profile, record.status) == ("agent/1", "answered")
    assert record.asked == "claude 0"
    assert record.usage.seconds > 0
    assert (record.usage.calls, record.usage.tokens, record.usage.micro_usd) == (7, 4_700, 12_346)
    assert desk.place.counts(night.content)["model_micro_usd"] == 12_346
    assert desk.place.run("cost").content["calls"] == []
    reading = desk.reading()
    leads = leads_of(MinedEngine(Secrets()).hear(reading), reading) if words else {}
    assert bool(leads) is bool(words)
    listed = Turn(reading, secrets=Secrets(), nonce=record.nonce, leads=leads).call("list_sessions", "{}")
    assert record.calls[0].reply_digest == digest(listed.text)


def test_a_night_without_a_yes_says_how_to_give_it_to_an_agent(desk: Desk) -> None:
    """Not the words that would ask about the model."""
    desk.configure("claude", "honest")
    night = desk.place.run("sleep", "--engine", "agent")
    assert (night.status, night.code) == (1, "consent_needed")
    assert "`slowwave consent give --engine agent`" in night.err
