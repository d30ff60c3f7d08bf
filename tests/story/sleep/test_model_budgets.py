"""What a model may cost: foreseen before it is asked, held to the day's caps, gone on with when the day opens again."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from made_model_nights import Asked, configure, honest
from made_nights import Place, fix_session, large_session, write_all
from made_providers import MadeProvider

from slowwave.facts.limits import TURN_DAYS
from slowwave.facts.usage import MICRO
from slowwave.sleep.turns import TurnBook


@pytest.fixture
def asked(place: Place) -> Iterator[Asked]:
    """Two large sessions of one project and a small one, and a model that reads them honestly in three questions."""
    write_all(place.transcripts, [large_session(1), large_session(2), fix_session(3)])
    place.house.initialise(transcripts=(place.transcripts,))
    with MadeProvider(honest) as made:
        configure(place, made.origin)
        yield Asked(place, made)


def test_two_calls_a_day_are_two_questions(asked: Asked) -> None:
    """The third is never sent: the phase is degraded and says why, and the rest of that day nobody is asked."""
    asked.place.run("config", "set", "models.night.calls", "2")
    night = asked.sleep()
    assert len(asked.made.questions) == 2
    phase = asked.phase(night)
    assert phase["status"] == "degraded"
    assert "model_budget" in {refusal["code"] for refusal in phase["refusals"]}
    asked.place.now += timedelta(minutes=1)
    again = asked.sleep()
    assert len(asked.made.questions) == 2
    assert asked.phase(again)["status"] == "degraded"
    assert asked.place.counts(again).get("model_calls", 0) == 0


def test_the_next_day_goes_on_under_the_same_cap(asked: Asked) -> None:
    """Three calls a day are one batch a day: what waited is asked about when the day opens again, and not before."""
    write_all(asked.place.transcripts, [large_session(n, day=9, project="bakery") for n in (4, 5)])
    asked.place.run("config", "set", "models.night.calls", "3")
    first = asked.sleep()
    assert len(asked.made.questions) == 3
    assert asked.place.counts(first)["sessions_consolidated"] == 3  # a batch of two, and the small one by rules
    asked.place.now += timedelta(days=1)
    second = asked.sleep()
    assert len(asked.made.questions) == 6
    assert asked.place.counts(second)["sessions_consolidated"] == 2
    assert asked.phase(second)["status"] == "done"


def test_a_dry_run_foresees_no_less_than_an_honest_model_spends(asked: Asked) -> None:
    """It asks nobody; the small batch has no estimate; the night that follows stays below what was said."""
    batches = asked.sleep("--dry-run")["batches"]
    assert asked.made.questions == []
    (large,) = [batch for batch in batches if batch["sessions"] == 2]
    (small,) = [batch for batch in batches if batch["sessions"] == 1]
    assert small["estimate"] is None
    counts = asked.place.counts(asked.sleep())
    assert 0 < counts["model_calls"] <= large["estimate"]["calls"]
    assert 0 < counts["model_micro_usd"] <= large["estimate"]["usd"] * MICRO


@pytest.mark.parametrize(
    ("words", "days", "removed"),
    [((), TURN_DAYS - 1, 0), ((), TURN_DAYS + 1, 1), (("--keep-turns",), TURN_DAYS + 1, 0)],
)
def test_a_record_is_gone_after_thirty_days(asked: Asked, words: tuple[str, ...], days: int, removed: int) -> None:
    """Even where nobody decided anything: its quotes live no longer, unless it was to be kept."""
    asked.sleep(*words)
    book = TurnBook(asked.place.home / "runs")
    assert len(book.records()) == 1
    asked.place.now += timedelta(days=days)
    later = asked.sleep()
    assert asked.place.counts(later)["turns_removed"] == removed
    assert len(book.records()) == 1 - removed
