"""``consolidate DIR --engine model``: a home pays, its person must have agreed, and nothing else of it is written."""

from collections.abc import Iterator

import pytest
from made_model_nights import CLAIM, SAID, configure, honest
from made_nights import Place, fingerprint, large_session, session_name, write_all
from made_providers import MadeProvider

LEDGER = "budget.db"


@pytest.fixture
def made() -> Iterator[MadeProvider]:
    """A model that reads honestly."""
    with MadeProvider(honest) as provider:
        yield provider


@pytest.fixture
def place(place: Place) -> Place:
    """Two large sessions, and a home."""
    write_all(place.transcripts, [large_session(1), large_session(2)])
    place.house.initialise(transcripts=(place.transcripts,))
    return place


def test_without_consent_nothing_is_asked(place: Place, made: MadeProvider) -> None:
    """The same words as a night's: to whom it would go, and how to say yes."""
    there = configure(place, made.origin)
    assert place.run("consent", "revoke", there).status == 0
    before = fingerprint(place.home)
    ran = place.run("consolidate", str(place.transcripts), "--engine", "model")
    assert (ran.status, ran.code) == (1, "consent_needed")
    assert there in ran.err
    assert made.questions == []
    assert fingerprint(place.home) == before


def test_with_consent_it_is_proved_and_only_the_ledger_is_written(place: Place, made: MadeProvider) -> None:
    """Each piece of evidence carries the line, the speaker and the record that were computed, never claimed."""
    configure(place, made.origin)
    place.close()
    before = fingerprint(place.home)
    ran = place.run("consolidate", str(place.transcripts), "--engine", "model")
    assert ran.status == 0, ran.err
    (candidate,) = ran.content["candidates"]
    assert candidate["claim"] == CLAIM
    assert [one["sessionId"] for one in candidate["evidence"]] == [session_name(1), session_name(2)]
    for one in candidate["evidence"]:
        assert (one["quote"], one["speaker"]) == (SAID, "agent")
        text = (place.transcripts / "-work-shop" / f"{one['sessionId']}.jsonl").read_text("utf-8").splitlines()
        assert SAID in text[one["line"] - 1]
        assert one["record"]
    after = fingerprint(place.home)
    changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    assert {name for name in changed if not name.startswith(LEDGER)} == set()
    assert len(place.run("cost").content["calls"]) == len(made.questions) > 0
