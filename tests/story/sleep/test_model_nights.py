"""Nights with a model: asked over the wire, proved like rules, recorded, replayed, never paid twice."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from made_model_nights import CLAIM, Asked, answer, configure, honest, listed
from made_nights import Place, fix_session, large_session, promise_session, session_name, write_all
from made_protocols import Question, Spoken
from made_providers import MadeProvider, Status, say, tool_calls

from slowwave.sleep.nights import unfinished
from slowwave.sleep.turns import TurnBook

FOUR = ["list_sessions", "search_transcript", "read_lines", "submit_answer"]


@pytest.fixture
def asked(place: Place) -> Iterator[Asked]:
    """Two large sessions and a small one, and a model that reads them honestly."""
    write_all(place.transcripts, [large_session(1), large_session(2), fix_session(3)])
    place.house.initialise(transcripts=(place.transcripts,))
    with MadeProvider(honest) as made:
        configure(place, made.origin)
        yield Asked(place, made)


def test_a_model_reads_the_large_sessions_and_rules_the_small_ones(asked: Asked) -> None:
    """Four tools and no other are offered; the memory carries who proposed it; everything is only pending."""
    main = asked.place.git("rev-parse", "main")
    night = asked.sleep()
    counts = asked.place.counts(night)
    assert {tuple(question.tools) for question in asked.made.questions} == {tuple(FOUR)}
    assert counts["sessions_consolidated"] == 3
    assert counts["sessions_small"] == 1
    assert counts["model_calls"] == len(asked.made.questions) == 3
    claims = {memory["claim"] for memory in night["memories"]}
    assert CLAIM in claims
    files = {name: asked.place.git("show", f"pending:{name}") for name in paths(asked.place)}
    engines = {("CLAIM" if CLAIM in text else "other"): text for text in files.values()}
    assert "model/1 openai-compatible:made-model" in engines["CLAIM"]
    assert "engine: mined/1" in engines["other"]
    assert asked.place.git("rev-parse", "main") == main
    assert list(asked.phase(night)["refusals"]) == []


def paths(place: Place) -> list[str]:
    """Memory files on the branch of undecided work."""
    names = place.git("diff", "--name-only", "main", "pending").splitlines()
    return [name for name in names if not name.startswith("reports/")]


def test_what_was_read_is_known_and_nobody_is_asked_again(asked: Asked) -> None:
    """The marks stand for this model; another night asks nothing and spends nothing."""
    asked.sleep()
    before = len(asked.made.questions)
    asked.place.now += timedelta(days=1)
    again = asked.sleep()
    assert asked.place.counts(again)["sessions_known"] == 3
    assert len(asked.made.questions) == before


def test_every_call_is_on_the_account_with_its_reason(asked: Asked) -> None:
    """The ledger holds each request of the night: for whom, about which batch, what it cost."""
    night = asked.sleep()
    cost = asked.place.run("cost").content
    assert len(cost["calls"]) == len(asked.made.questions)
    assert {call["run"] for call in cost["calls"]} == {night["run"]}
    assert all("batch b-" in call["reason"] for call in cost["calls"])
    assert asked.place.counts(night)["model_micro_usd"] == pytest.approx(3 * (1_000 * 1 + 50 * 2))


def test_a_turn_is_recorded_for_its_owner_alone_and_replays_to_the_same_corpus(asked: Asked, tmp_path: Path) -> None:
    """Another home, the same sessions, no provider: the same files, byte for byte."""
    night = asked.sleep("--keep-turns")
    (record,) = (asked.place.home / "runs" / "turns").iterdir()
    assert record.stat().st_mode & 0o077 == 0
    assert "The tests of shop need" in record.read_text()
    assert "step 1 of the build" not in record.read_text()
    questions = len(asked.made.questions)
    other = Place(tmp_path / "other", now=asked.place.now)
    other.transcripts = asked.place.transcripts
    other.house.initialise(transcripts=(other.transcripts,))
    other.close()
    ran = other.run("sleep", "--replay", str(asked.place.home / "runs"))
    assert ran.status == 0, ran.err
    assert ran.content["run"] == night["run"]
    assert other.git("rev-parse", "pending^{tree}") == asked.place.git("rev-parse", "pending^{tree}")
    assert len(asked.made.questions) == questions
    other.close()


def test_a_night_killed_after_the_answer_does_not_ask_again(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    """The record stands before anything is believed; the next start hears it and pays nothing."""

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr("slowwave.sleep.consolidator.propose_memories", die)
        assert asked.place.run("sleep", "--engine", "model").status == 130
    asked.place.close()
    assert unfinished(asked.place.house.state) is not None
    asked.place.close()
    questions = len(asked.made.questions)
    night = asked.sleep()
    assert len(asked.made.questions) == questions
    assert CLAIM in {memory["claim"] for memory in night["memories"]}
    assert asked.place.counts(night)["model_calls"] == questions


def test_a_record_is_gone_once_its_proposals_are_decided(asked: Asked) -> None:
    """It holds quotes, so it lives no longer than the question; a kept one stays."""
    asked.sleep()
    book = TurnBook(asked.place.home / "runs")
    assert len(book.records()) == 1
    token = asked.place.house.renew_token()
    asked.place.close()
    ran = asked.place.run("merge", "--all", "--yes-i-am-a-person", token)
    assert ran.status == 0, ran.err
    tasks = [item["id"] for item in asked.place.run("review", "list").content["items"]]
    assert tasks == []
    assert book.records() == ()


def test_a_provider_that_is_away_degrades_the_phase_and_marks_nothing(asked: Asked) -> None:
    """The other phases go on, the small session is read, the next night asks again."""
    asked.made.script = lambda _: Status(code=401, sort="authentication_error")
    night = asked.sleep()
    phase = asked.phase(night)
    assert phase["status"] == "degraded"
    assert "key" in phase["reason"]
    assert "model_unavailable" in {refusal["code"] for refusal in phase["refusals"]}
    statuses = {p["name"]: p["status"] for p in night["phases"]}
    assert {statuses[name] for name in ("preflight", "integrity", "task_detection")} == {"done"}
    assert asked.place.counts(night)["sessions_consolidated"] == 1
    asked.made.script = honest
    asked.place.now += timedelta(days=1)
    assert asked.place.counts(asked.sleep())["sessions_consolidated"] == 2


def test_what_stays_refused_is_kept_nowhere(asked: Asked) -> None:
    """Four tries with a quote that nobody said: refused whole, each counted, nothing written, nothing marked."""

    def lying(question: Question) -> Spoken:
        honestly = honest(question)
        if not any(name == "submit_answer" for name, _ in honestly.calls):
            return honestly
        return tool_calls(("submit_answer", answer(listed(question), quote="Nobody ever said this in any session.")))

    asked.made.script = lying
    night = asked.sleep()
    phase = asked.phase(night)
    assert phase["reason"].startswith("an answer stayed refused")
    codes = [refusal["code"] for refusal in phase["refusals"]]
    assert codes.count("quote_not_found") == 8
    assert codes.count("answer_refused") == 1
    assert [p["reason"] for p in night["phases"] if p["name"] == "report"] == [""]
    assert CLAIM not in {memory["claim"] for memory in night["memories"]}
    (attempt,) = {
        tuple(row)
        for row in asked.place.house.state.connection.execute("SELECT failures, size FROM attempts").fetchall()
    }
    assert attempt == (1, 2)
    marked = asked.place.house.state.connection.execute("SELECT DISTINCT session_id FROM marks").fetchall()
    assert {str(row[0]) for row in marked} == {session_name(3)}  # the small one, which rules read


def test_the_cap_ends_the_asking_and_is_never_passed(asked: Asked) -> None:
    """A tenth of a cent pays for nothing: nobody is asked, it says why; with more to spend the next day goes on."""
    asked.place.run("config", "set", "models.money_a_day", "0.001")
    night = asked.sleep()
    phase = asked.phase(night)
    assert asked.made.questions == []
    assert "all together may spend" in phase["reason"]
    assert "model_budget" in {refusal["code"] for refusal in phase["refusals"]}
    assert asked.place.run("cost").content["calls"] == []
    asked.place.run("config", "set", "models.money_a_day", "1")
    asked.place.now += timedelta(days=1)
    assert CLAIM in {memory["claim"] for memory in asked.sleep()["memories"]}
    assert asked.made.questions


def test_prose_alone_and_circling_end_a_turn(asked: Asked) -> None:
    """A model that only talks, or only lists, costs a bounded number of requests."""
    asked.made.script = lambda _: say("I think the sessions are interesting.")
    talked = asked.phase(asked.sleep())
    assert "model_gave_up" in {refusal["code"] for refusal in talked["refusals"]}
    assert len(asked.made.questions) <= 5
    asked.made.questions.clear()
    asked.made.script = lambda _: tool_calls(("list_sessions", {}))
    asked.place.now += timedelta(days=1)
    circled = asked.phase(asked.sleep())
    assert "model_circling" in {refusal["code"] for refusal in circled["refusals"]}
    assert len(asked.made.questions) <= 2 * 5  # in halves, five requests each


def test_excluded_projects_are_never_sent(asked: Asked) -> None:
    """What the person excluded reaches no model by any word of any request."""
    write_all(asked.place.transcripts, [large_session(7, project="private-thing")])
    assert asked.place.run("init", "--exclude-project", "private-thing").status == 0
    asked.sleep()
    sent = json.dumps([question.body for question in asked.made.questions])
    assert "private-thing" not in sent
    assert "00000007-" not in sent


def test_own_runs_are_never_read(asked: Asked) -> None:
    """A session whose first prompt is a consolidator's is no session at all, whoever ran it."""
    own = large_session(8)
    own.lines[0] = own.lines[0].replace("Please add", "<slowwave-consolidator-run v=1> Please add")
    assert "consolidator-run" in own.lines[0]
    write_all(asked.place.transcripts, [own])
    asked.sleep()
    assert "00000008-" not in json.dumps([question.body for question in asked.made.questions])


def test_leads_are_places_to_look(asked: Asked) -> None:
    """With --leads the index shows lens names and lines, and no word of what rules claim."""
    asked.sleep("--leads")
    listing = next(line.text for question in asked.made.questions for line in question.lines if '"leads":' in line.text)
    rows = json.loads(listing[listing.index('{"sessions"') :].splitlines()[0])["sessions"]
    leads = [lead for row in rows for lead in row.get("leads", ())]
    assert leads
    assert all(set(lead) == {"lens", "file", "lines"} for lead in leads)


def test_auto_asks_the_model_after_consent_and_says_once_what_rules_read_before(place: Place) -> None:
    """Rules first; then a model is configured: history is not sent by itself, a note says how, new sessions are."""
    write_all(place.transcripts, [large_session(1), large_session(2), large_session(9, day=2)])
    place.sleep()
    with MadeProvider(honest) as made:
        configure(place, made.origin)
        place.now += timedelta(days=1)
        first = place.run("sleep").content
        assert first["engine"].startswith("model/1")
        assert made.questions == []
        assert "--again" in first["notes"][0]
        write_all(place.transcripts, [large_session(3), large_session(4), promise_session(5)])
        place.now += timedelta(days=1)
        second = place.run("sleep").content
        assert place.counts(second)["sessions_consolidated"] == 3
        assert made.questions
        place.now += timedelta(days=1)
        assert place.run("sleep").content["notes"] == []
        made.questions.clear()
        again = place.run("sleep", "--again", "--since", "2026-01-03").content
        counts = place.counts(again)
        assert (counts["sessions_eligible"], counts["sessions_known"]) == (5, 1)
        assert made.questions
