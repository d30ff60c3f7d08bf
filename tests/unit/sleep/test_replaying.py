"""Replaying: the recorded calls over the same batch give the same verdict; what changed since is noticed."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_evidence import GOOD, LATER, OLD, PROMISE_QUOTE, SAID, TOKEN, A, B, C
from made_transcripts import answer, candidate, commitment
from made_turns import NONCE, SECRETS, evidence_reading, read_all, say

from slowwave.facts.ids import RunId, SessionId
from slowwave.facts.usage import NOTHING_USED, Usage
from slowwave.sleep.engine import NOTHING_PROVED, Reading
from slowwave.sleep.leads import Lead
from slowwave.sleep.plan import PhaseResult, PhaseRun
from slowwave.sleep.replaying import replay
from slowwave.sleep.report import imbalances
from slowwave.sleep.tool_specs import SUBMIT
from slowwave.sleep.turn import Turn
from slowwave.sleep.turns import ANSWERED, TurnRecord, read_record

HONEST = answer(candidates=[candidate(*GOOD)], commitments=[commitment(A, PROMISE_QUOTE)], read=[A, B]).decode()
FAKE = answer(candidates=[candidate((A, SAID.upper()), (B, LATER))], read=[A]).decode()
USED = Usage(calls=7, input_tokens=12_000, output_tokens=400, micro_usd=900, seconds=3.5)


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    """The made sessions."""
    return evidence_reading(tmp_path)


def recorded(turn: Turn, reading: Reading) -> TurnRecord:
    """The record of a turn, as it comes back from disk."""
    failure = turn.verdict().failure
    record = TurnRecord(
        batch_id=reading.batch_id,
        profile="model/1 made:one",
        run_id=RunId("night-1"),
        moment=datetime(2026, 2, 1, tzinfo=UTC),
        nonce=NONCE,
        policy="",
        asked="made:one",
        calls=turn.calls,
        status=failure.code if failure else ANSWERED,
        usage=USED,
    )
    read = read_record(record.written())
    assert read == record
    return read


def taken(reading: Reading, answers: Sequence[str]) -> Turn:
    """A turn in which all was read and these answers were handed in."""
    turn = Turn(reading, secrets=SECRETS, nonce=NONCE)
    turn.call("bash", "ls")
    turn.call("read_lines", say(sessionId=A, start=1, end=1))
    read_all(turn)
    turn.call("search_transcript", say(sessionId=B, phrase="importer"))
    for one in answers:
        turn.call(SUBMIT, one)
    return turn


@pytest.mark.parametrize("answers", [(), (HONEST,), (FAKE, HONEST), (FAKE, "\ud800"), (FAKE,) * 4, (HONEST, FAKE)])
def test_the_same_calls_give_the_same_verdict(answers: tuple[str, ...], reading: Reading) -> None:
    """Whatever it was: proved, refused to the end, or never answered; and what asking used then."""
    turn = taken(reading, answers)
    again = replay(recorded(turn, reading), reading, SECRETS)
    assert again.findings == {"replies_changed": 0}
    assert replace(again, findings={}, usage=NOTHING_USED) == turn.verdict()
    assert again.usage == USED


def test_a_record_of_another_batch_is_refused(reading: Reading) -> None:
    """Its calls are not made at all."""
    record = recorded(taken(reading, (HONEST,)), reading)
    verdict = replay(record, replace(reading, batch_id="b-ffffffffffff"), SECRETS)
    assert verdict.proved == NOTHING_PROVED
    assert verdict.failure is not None
    assert (verdict.failure.code, verdict.failure.blames_batch) == ("replay_mismatch", False)
    assert verdict.usage == NOTHING_USED


def test_replies_that_differ_are_counted_and_decide_nothing(reading: Reading) -> None:
    """Leads were shown then, the index is another now; the evidence is the same."""
    turn = Turn(
        reading, secrets=SECRETS, nonce=NONCE, leads={SessionId(A): (Lead(lens="decision", file=0, lines=(1,)),)}
    )
    read_all(turn)
    turn.call(SUBMIT, HONEST)
    again = replay(recorded(turn, reading), reading, SECRETS)
    assert again.findings == {"replies_changed": 1}
    assert again.failure is None
    assert again.proved == turn.verdict().proved


def test_an_answer_whose_words_are_gone_is_refused_now(reading: Reading) -> None:
    """A record proves nothing by itself: what was accepted then is held against the session as it lies here."""
    record = recorded(taken(reading, (HONEST,)), reading)
    path = reading.batch.sessions[SessionId(B)].path
    path.write_bytes(path.read_bytes().replace(b"Again", b"Never"))
    again = replay(record, reading, SECRETS)
    assert again.proved == NOTHING_PROVED
    assert again.failure is not None
    assert "quote_not_found" in {one.code for one in again.refusals}


def test_a_doctored_answer_is_refused_like_any_other(reading: Reading) -> None:
    """Whoever writes into a record gets nothing past the contract."""
    record = recorded(taken(reading, (HONEST,)), reading)
    doctored = tuple(replace(one, arguments=FAKE) if one.name == SUBMIT else one for one in record.calls)
    again = replay(replace(record, calls=doctored), reading, SECRETS)
    assert again.proved == NOTHING_PROVED
    assert [one.code for one in again.refusals] == ["quote_not_found"]


def test_a_record_without_its_looks_claims_nothing_as_read(reading: Reading) -> None:
    """The log is made anew from the calls; what is not in it was not read."""
    record = recorded(taken(reading, (HONEST,)), reading)
    again = replay(replace(record, calls=record.calls[-1:]), reading, SECRETS)
    assert again.proved == NOTHING_PROVED
    assert {one.code for one in again.refusals} == {
        "list_sessions_not_called",
        "cited_session_unread",
        "unread_session_claimed",
    }


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    """The made sessions, which nothing changes."""
    return evidence_reading(tmp_path_factory.mktemp("still"))


LOOKS = st.one_of(
    st.just(("list_sessions", "{}")),
    st.builds(
        lambda session, start, count: ("read_lines", say(sessionId=session, start=start, end=start + count)),
        st.sampled_from([A, B, C, OLD, "nobody"]),
        st.integers(0, 12),
        st.integers(0, 120),
    ),
    st.builds(
        lambda session, phrase, most: ("search_transcript", say(sessionId=session, phrase=phrase, maxHits=most)),
        st.sampled_from([A, B, C, OLD]),
        st.sampled_from(["port", "importer", "the", "nowhere", TOKEN, ""]),
        st.integers(0, 51),
    ),
)
MADE = [candidate(*GOOD), candidate((A, SAID), (OLD, LATER)), candidate((A, SAID))]
ANSWERS = st.one_of(
    st.builds(
        lambda made, kept, read: answer(candidates=made, commitments=kept, read=read).decode(),
        st.lists(
            st.sampled_from([candidate(*GOOD), candidate((A, SAID), (OLD, LATER)), candidate((A, SAID))]), max_size=2
        ),
        st.lists(st.sampled_from([commitment(A, PROMISE_QUOTE), commitment(B, PROMISE_QUOTE)]), max_size=1),
        st.lists(st.sampled_from([A, B, C]), max_size=3),
    ),
    st.sampled_from([HONEST, HONEST, FAKE, "no JSON"]),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(looks=st.lists(LOOKS, max_size=8), answers=st.lists(ANSWERS, max_size=5), is_read=st.booleans())
def test_any_turn_is_heard_again_and_its_sums_come_out(
    still: Reading, looks: list[tuple[str, str]], answers: list[str], *, is_read: bool
) -> None:
    """Whatever was called in whatever order: the same verdict, no reply another, every proposal accounted for."""
    turn = Turn(still, secrets=SECRETS, nonce=NONCE)
    if is_read:
        read_all(turn)
    for name, arguments in [*looks, *((SUBMIT, one) for one in answers)]:
        turn.call(name, arguments)
    verdict = turn.verdict()
    again = replay(recorded(turn, still), still, SECRETS)
    assert again.findings == {"replies_changed": 0}
    assert replace(again, findings={}, usage=NOTHING_USED) == verdict
    kept = {"written": len(verdict.proved.candidates), "commitments_kept": len(verdict.proved.commitments)}
    phase = PhaseRun(name="trace_consolidation", result=PhaseResult(counts={**verdict.counts, **kept}), seconds=0.0)
    assert imbalances([phase]) == ()
