"""Consent: given to a destination, remembered, taken back; nowhere needs none."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from slowwave.sleep.consent import (
    DECLINED,
    ConsentNeededError,
    is_consented,
    put_consent,
    read_consents,
    require_consent,
    revoke_consent,
)
from slowwave.sleep.state import State

NOW = datetime(2026, 5, 1, tzinfo=UTC)
THERE = "anthropic (api.anthropic.com)"


@pytest.fixture
def state(tmp_path: Path) -> State:
    """An empty book."""
    return State(tmp_path / "state.db")


def test_nothing_may_leave_before_the_person_said_so(state: State) -> None:
    """Without consent it is refused by its code, with where it would go and what to do."""
    with pytest.raises(ConsentNeededError, match="anthropic") as refused:
        require_consent(state, THERE)
    assert refused.value.code == "consent_needed"
    assert "`slowwave consent give`" in refused.value.hint


def test_who_says_yes_to_an_agent_is_told_to_name_it(state: State) -> None:
    """Without a name a consent is for the model, which would be another question."""
    with pytest.raises(ConsentNeededError, match="agent claude") as refused:
        require_consent(state, "agent claude (the provider it is logged in to)")
    assert "`slowwave consent give --engine agent`" in refused.value.hint


def test_consent_is_for_one_destination_and_survives_a_restart(state: State, tmp_path: Path) -> None:
    """Another host needs its own."""
    put_consent(state, THERE, moment=NOW, channel="terminal")
    state.close()
    again = State(tmp_path / "state.db")
    require_consent(again, THERE)
    assert not is_consented(again, "anthropic (proxy.test)")
    assert read_consents(again)[THERE].channel == "terminal"


def test_a_no_is_remembered_and_is_no_yes(state: State) -> None:
    """Declined is known, so that nobody is asked each night, and refuses."""
    put_consent(state, THERE, moment=NOW, channel=DECLINED)
    assert not is_consented(state, THERE)
    assert not read_consents(state)[THERE].is_given


def test_consent_can_be_taken_back(state: State) -> None:
    """Then it is refused again; taking back what was never given says so."""
    put_consent(state, THERE, moment=NOW, channel="token")
    assert revoke_consent(state, THERE)
    assert not revoke_consent(state, THERE)
    assert not is_consented(state, THERE)


def test_where_nothing_leaves_nothing_is_asked(state: State) -> None:
    """Rules go nowhere."""
    require_consent(state, "")
