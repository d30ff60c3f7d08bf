"""Second thoughts about a model: consent taken back in mid-night, rules asked for instead, a key that is gone."""

from collections.abc import Iterator

import pytest
from made_model_nights import configure, honest
from made_nights import Place, fix_session, large_session, write_all
from made_protocols import Question, Spoken
from made_providers import MadeProvider

from slowwave.sleep.consent import revoke_consent
from slowwave.sleep.nights import unfinished
from slowwave.sleep.state import State


@pytest.fixture
def provider() -> Iterator[MadeProvider]:
    """An honest model."""
    with MadeProvider(honest) as made:
        yield made


def test_consent_taken_back_in_mid_night_ends_the_asking(place: Place, provider: MadeProvider) -> None:
    """The batch that is being read is read; no other is begun, rules go on, nothing is marked for the rest."""
    write_all(
        place.transcripts,
        [large_session(n, day=5 + n, project=name) for n, name in ((1, "bakery"), (2, "shop"), (3, "yard"))],
    )
    write_all(place.transcripts, [fix_session(4, project="small")])
    place.house.initialise(transcripts=(place.transcripts,))
    destination = configure(place, provider.origin)

    def revoking(question: Question) -> Spoken:
        if question.number == 1:
            state = State(place.home / "state.db")
            assert revoke_consent(state, destination)
            state.close()
        return honest(question)

    provider.script = revoking
    ran = place.run("sleep", "--engine", "model")
    counts = place.counts(ran.content)
    assert len(provider.questions) == 3
    assert counts["sessions_consolidated"] == 2
    assert counts["sessions_waiting"] + counts["sessions_unread"] == 2
    codes = {r["code"] for phase in ran.content["phases"] for r in phase["refusals"]}
    assert "consent_needed" in codes


def test_rules_asked_for_by_name_never_take_a_model_night_up(
    place: Place, provider: MadeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model night that was killed is ended without asking anybody, and says so."""
    write_all(place.transcripts, [large_session(1), large_session(2)])
    place.house.initialise(transcripts=(place.transcripts,))
    configure(place, provider.origin)

    def die(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr("slowwave.wiring.model_engine.converse", die)
        assert place.run("sleep", "--engine", "model").status == 130
    place.close()
    assert unfinished(place.house.state) is not None
    place.close()
    ended = place.run("sleep", "--engine", "mined")
    assert ended.status == 0, ended.err
    assert provider.questions == []
    assert "mined was asked for" in ended.content["notes"][0]
    again = place.run("sleep", "--engine", "mined")
    assert place.counts(again.content)["sessions_consolidated"] == 2
    assert provider.questions == []


def test_auto_without_its_key_goes_on_with_rules(place: Place, provider: MadeProvider) -> None:
    """A night started by a timer that lacks the variable reads by rules and names what is missing."""
    write_all(place.transcripts, [large_session(1), large_session(2)])
    place.house.initialise(transcripts=(place.transcripts,))
    configure(place, provider.origin, **{"models.key": "env:NO_SUCH_KEY"})
    ran = place.run("sleep")
    assert ran.content["engine"] == "mined/1"
    assert "NO_SUCH_KEY" in ran.content["notes"][0]
    assert ran.content["memories"]
    asked = place.run("sleep", "--engine", "model")
    assert asked.status == 0
    assert "key_unavailable" in {r["code"] for phase in asked.content["phases"] for r in phase["refusals"]}
    assert provider.questions == []
