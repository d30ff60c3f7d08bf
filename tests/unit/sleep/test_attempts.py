"""Attempts: what failed is counted for each session, an outage blames nobody, success forgets."""

from pathlib import Path

import pytest
from made_sleep import made_session

from slowwave.facts.ids import SessionId
from slowwave.sleep.attempts import forget_attempts, is_set_aside, most_together, note_failure, read_attempts
from slowwave.sleep.batch_plan import BatchPlan
from slowwave.sleep.batches import Grouping, group, offer
from slowwave.sleep.engine import Failure
from slowwave.sleep.state import State

POISON = Failure(code="answer_refused", message="refused", blames_batch=True)
OUTAGE = Failure(code="provider_unavailable", message="away", ends_asking=True)
PROFILE = "model/1 test"


@pytest.fixture
def state(tmp_path: Path) -> State:
    """An empty book."""
    return State(tmp_path / "state.db")


def plan_of(*names: str) -> BatchPlan:
    """One batch of these sessions."""
    sessions = [made_session(name) for name in names]
    now = max(s.ended for s in sessions if s.ended)
    far = now.replace(year=now.year + 1)
    (plan,) = group(offer(sessions, lambda s: tuple(1 for _ in s.files), far), Grouping(now=far))
    return plan


def fail(state: State, failure: Failure, *names: str) -> None:
    """One failed batch of these sessions."""
    with state.step() as sql:
        note_failure(sql, plan_of(*names), failure, profile=PROFILE)


def test_a_failure_of_the_batch_halves_and_in_the_end_sets_aside(state: State) -> None:
    """Four together, then two, then alone three times."""
    session = made_session("a")
    fail(state, POISON, "a", "b", "c", "d")
    assert most_together(session, read_attempts(state, PROFILE), 10) == 2
    fail(state, POISON, "a", "b")
    assert most_together(session, read_attempts(state, PROFILE), 10) == 1
    for alone in (1, 2, 3):
        assert not is_set_aside(session, read_attempts(state, PROFILE))
        fail(state, POISON, "a")
        assert read_attempts(state, PROFILE)[session.id].alone == alone
    assert is_set_aside(session, read_attempts(state, PROFILE))
    assert read_attempts(state, "mined/1") == {}


def test_an_outage_is_counted_and_blames_nobody(state: State) -> None:
    """However often the provider is away, nothing is halved and nothing set aside."""
    for _ in range(9):
        fail(state, OUTAGE, "a")
    attempts = read_attempts(state, PROFILE)
    assert attempts[SessionId("a")].failures == 9
    assert most_together(made_session("a"), attempts, 10) == 10
    assert not is_set_aside(made_session("a"), attempts)


def test_an_outage_does_not_forget_what_was_blamed_before(state: State) -> None:
    """A batch that failed by itself stays halved over a night without the provider."""
    fail(state, POISON, "a", "b", "c", "d")
    fail(state, OUTAGE, "a", "b")
    assert most_together(made_session("a"), read_attempts(state, PROFILE), 10) == 2


def test_success_forgets(state: State) -> None:
    """A session that was read has no failures."""
    fail(state, POISON, "a", "b")
    with state.step() as sql:
        forget_attempts(sql, [SessionId("a")], profile=PROFILE)
    assert set(read_attempts(state, PROFILE)) == {SessionId("b")}
