"""The gate: the profile as it stands is no worse than the scorecard that was committed, canaries included."""

import json
from pathlib import Path
from typing import Any

import pytest
from planting import SHARED, load, plant

import hygiene as bench
from slowwave.hygiene.scorecard import HARD, regressions

CARD = Path(bench.__file__).with_name("hygiene_card.json")
needs_recordings = pytest.mark.skipif(not (SHARED / "transcripts").is_dir(), reason="the public recordings are absent")


@pytest.fixture(scope="module")
def card() -> dict[str, Any]:
    """The scorecard that counts so far."""
    held: dict[str, Any] = json.loads(CARD.read_text("utf-8"))
    return held


def test_what_must_hold_holds_in_the_committed_scorecard(card: dict[str, Any]) -> None:
    """Each hard measure is 1; the issue's measure of what is wanted again is kept."""
    assert {name: card["hard"][name] for name in HARD} == dict.fromkeys(HARD, 1)
    assert card["refetched"]["needed_share"] <= 0.02


def test_a_worse_scorecard_does_not_pass(card: dict[str, Any]) -> None:
    """Every way of being worse is told."""
    for change in (
        {"hard": {**card["hard"], "pins": 0.99}},
        {"canaries": {way: dict.fromkeys(kinds, 0.5) for way, kinds in card["canaries"].items()}},
        {"saved": {**card["saved"], "large": {**card["saved"]["large"], "median": 0.0}}},
        {"refetched": {**card["refetched"], "share": 0.9}},
    ):
        assert regressions(card, {**card, **change})
    assert regressions(card, card) == []


@pytest.mark.slow
@pytest.mark.timeout(900)
@needs_recordings
def test_the_profile_is_no_worse_than_the_committed_scorecard(card: dict[str, Any]) -> None:
    """Run anew over the public recordings and over every planted session."""
    sessions = [planted for planted in plant(load()) if bench.is_sound(planted)]
    rows = [bench.measure(name, bench.METHODS[name], sessions) for name in (bench.ONE, bench.TEN)]
    fresh = bench.scorecard({row.name: bench.survival(row) for row in rows}).as_json()
    print(json.dumps({key: fresh[key] for key in ("hard", "canaries", "saved", "refetched")}))
    assert regressions(card, fresh) == []
