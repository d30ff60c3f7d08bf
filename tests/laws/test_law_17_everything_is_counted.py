"""Law 17: every refusal and loss is counted and shown."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from made_nights import Place, fix_session, promise_session, write_all

from slowwave.facts.answer import Answer
from slowwave.facts.evidence import Quote
from slowwave.facts.ids import SessionId
from slowwave.records.recording import Recording
from slowwave.wiring import engines


def refusals(night: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Code and path of everything a night refused or lost."""
    return [(r["code"], r["path"]) for phase in night["phases"] for r in phase["refusals"]]


def test_law_17_what_a_transcript_lost_stands_in_the_night_and_on_its_page(place: Place) -> None:
    """Torn, binary and foreign lines are counted with their bytes, by session and reason, and read around."""
    first, second = fix_session(1), fix_session(2, day=6)
    first.lines.insert(3, '{"type": "user", "message": {"role": "us')
    first.lines.insert(5, "[1, 2, 3]")
    second.lines.insert(2, "\x00" * 40)
    write_all(place.transcripts, [first, second])
    night = place.sleep()
    counts = place.counts(night)
    page = place.git("show", f"pending:reports/2026-02-01-{night['run']}.md")
    assert sorted(refusals(night)) == [
        ("lost_binary", second.name),
        ("lost_not_object", first.name),
        ("lost_torn", first.name),
    ]
    assert (counts["losses"], counts["bytes_lost"]) == (3, 40 + 9 + 40)
    assert len(night["memories"]) == 1
    assert "losses: 3" in page
    assert f"`{second.name}`: lost_binary" in page
    place.now = place.now.replace(day=2)
    assert refusals(place.sleep()) == []  # told once


def test_law_17_what_is_not_read_is_said(place: Place) -> None:
    """A link, a file of an agent that is not read yet and an excluded project are counted in the night's report."""
    write_all(place.transcripts, [fix_session(1), fix_session(2, day=6)])
    (place.transcripts / "link.jsonl").symlink_to(min(place.transcripts.rglob("*.jsonl")))
    (place.transcripts / "notes.jsonl").write_text('{"hello": "world"}\n')
    counts = place.counts(place.sleep())
    assert counts["skipped_link"] == 1
    assert counts["skipped_not_transcript"] == 1


def test_law_17_what_an_engine_gets_refused_is_counted_and_shown(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of an engine's proposals each refused one has its code and place, and the sums come out."""
    write_all(place.transcripts, [fix_session(1), fix_session(2, day=6), promise_session(3, day=7)])
    real = engines.MinedEngine.propose

    def careless(
        engine: engines.MinedEngine, recordings: Sequence[Recording], new_from: Mapping[SessionId, tuple[int, ...]]
    ) -> tuple[Answer, Mapping[str, Any]]:
        answer, findings = real(engine, recordings, new_from)
        (good,) = answer.candidates
        invented = replace(
            good,
            evidence=(
                *good.evidence[1:],
                Quote(session_id=recordings[0].session.id, quote="Nobody ever said any of this here."),
            ),
        )
        elsewhere = replace(good, evidence=(Quote(session_id=SessionId("elsewhere"), quote="x" * 30), *good.evidence))
        (promise,) = answer.commitments
        foreign = replace(promise, evidence=Quote(session_id=recordings[0].session.id, quote="I never said so at all."))
        return replace(answer, candidates=(good, invented, elsewhere), commitments=(promise, foreign)), findings

    monkeypatch.setattr(engines.MinedEngine, "propose", careless)
    night = place.sleep()
    counts = place.counts(night)
    assert counts["candidates"] == 3
    assert counts["candidates_refused"] == 2
    assert (counts["written"], counts["commitments_kept"], counts["commitments_refused"]) == (1, 1, 1)
    told = refusals(night)
    assert {path.split(".")[0] for _, path in told} >= {"candidates[1]", "candidates[2]", "commitments[1]"}
    kept = json.loads(place.house.state.connection.execute("SELECT report FROM runs").fetchone()[0])
    assert refusals(kept) == told
    assert {phase["status"] for phase in night["phases"]} <= {"done", "skipped"}  # the report's sums came out


def test_law_17_a_person_sees_it_on_the_screen(place: Place) -> None:
    """The command prints each loss with its session and what to do, and in JSON the same."""
    session = fix_session(1)
    session.lines.insert(3, '{"type": "user", "message": {"role": "us')
    write_all(place.transcripts, [session, fix_session(2, day=6)])
    place.run("init", "--transcripts", str(place.transcripts))
    ran = place.run("sleep")
    assert ("lost_torn", session.name) in refusals(ran.content)
    examined = place.run("transcripts", "doctor")
    assert examined.content["lossesByReason"] == {"torn": 1}
    (loss,) = examined.content["losses"]
    assert (loss["reason"], loss["line"], loss["length"]) == ("torn", 4, 40)
