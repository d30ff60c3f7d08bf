"""The check-in: values with their sources, nulls where nothing is known, a person's own word above all."""

import json
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from slowwave.disk.places import Places
from slowwave.facts.refusal import UsageError
from slowwave.sleep.checkin import SessionSpan, Signs, give_explicit, implicit_of, make_implicit, read_checkin
from slowwave.sleep.feelings import feeling_in
from slowwave.sleep.health import health_of

DAY = date(2026, 3, 3)
NOON = datetime(2026, 3, 3, 12, 0, tzinfo=UTC)
NOTHING = Signs(scratch="", captures=(), sessions=())


def free(command: str) -> AbstractContextManager[object]:
    """Nobody else writes here."""
    return nullcontext(command)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Places without anything."""
    return Places(tmp_path / "data")


GARMIN = {
    "totalSteps": 8123,
    "restingHeartRate": 52,
    "averageStressLevel": 31,
    "bodyBatteryMostRecentValue": 44,
    "sleepingSeconds": 26_100,
    "hrvSummary": {"lastNightAvg": 61},
}


def test_fields_of_a_daily_summary_are_mapped() -> None:
    """Hours, beats, milliseconds, levels; one level down too."""
    assert health_of(GARMIN) == {
        "sleep_hours": 7.25,
        "resting_pulse": 52,
        "hrv": 61,
        "stress": 31,
        "steps": 8123,
        "body_battery": 44,
    }


@pytest.mark.parametrize(
    "tree",
    [
        None,
        [],
        {},
        {"averageStressLevel": -1, "restingHeartRate": 0, "totalSteps": True, "sleepingSeconds": "7 h"},
        {"hrv": float("nan")},
    ],
)
def test_what_was_not_measured_is_null(tree: object) -> None:
    """Watches write -1 and -2; nothing is invented."""
    assert set(health_of(tree).values()) == {None}


@pytest.mark.parametrize(
    ("kind", "text", "level"),
    [
        ("mood", "I feel great today", 5),
        ("mood", "I'm not happy with it", 2),
        ("mood", "I am not sad at all", None),
        ("mood", "The great wall", None),
        ("mood", "Ich bin heute genervt", 2),
        ("mood", "me siento triste", 1),
        ("energy", "I was exhausted, but I feel refreshed", 5),
        ("energy", "I'm tired", 2),
        ("energy", "not tired, I think", None),
        ("energy", "The exhausted battery", None),
        ("energy", "estoy agotada", 1),
    ],
)
def test_feelings_are_read_in_sentences_about_the_person(kind: str, text: str, level: int | None) -> None:
    """A "not" turns a high level and leaves a low one unsaid."""
    found = feeling_in(kind, [text])
    assert (found.level if found else None) == level


def test_each_value_names_its_source(places: Places) -> None:
    """Health, words, activities, sessions; and null for the rest."""
    for folder, tree in (
        (places.health, GARMIN),
        (places.activities, [{"start": "2026-03-03T18:00:00+01:00", "title": "run"}]),
    ):
        folder.mkdir(parents=True)
        (folder / "2026-03-03.json").write_text(json.dumps(tree), encoding="utf-8")
    span = SessionSpan(began=NOON, ended=NOON.replace(hour=17))
    signs = Signs(scratch="- 09:00 I feel tired", captures=("I feel great",), sessions=(span,))
    made = implicit_of(places, DAY, signs)
    assert made["depth"] == "implicit"
    assert made["steps"] == {"value": 8123, "source": "health/2026-03-03.json"}
    assert made["mood"] == {"value": 5, "source": "captures", "words": "I feel great"}
    assert made["energy"] == {"value": 2, "source": "scratch", "words": "- 09:00 I feel tired"}
    assert made["activities"][0]["title"] == "run"
    assert (made["work"]["sessions"], made["work"]["until"][11:16]) == (1, "17:00")
    assert implicit_of(places, date(2026, 3, 4), NOTHING)["mood"] is None


def test_a_day_without_signs_has_no_check_in(places: Places) -> None:
    """Nothing is written about nothing."""
    assert make_implicit(places, free, DAY, NOTHING) == "nothing_known"
    assert not places.checkins.exists()


def test_an_implicit_one_follows_what_is_known(places: Places) -> None:
    """Written, unchanged, written again."""
    tired = Signs(scratch="", captures=("I'm tired",), sessions=())
    assert make_implicit(places, free, DAY, tired) == "written"
    assert make_implicit(places, free, DAY, tired) == "unchanged"
    assert make_implicit(places, free, DAY, Signs(scratch="", captures=("I feel refreshed",), sessions=())) == "written"


@pytest.mark.parametrize("content", [b'{"depth": "explicit", "mood": 4}', b'{"mood": 4}', b"{", b"[]"])
def test_what_may_be_the_persons_own_is_never_written_over(places: Places, content: bytes) -> None:
    """Explicit, of unknown depth, or not to be read."""
    places.checkins.mkdir(parents=True)
    (places.checkins / "2026-03-03.json").write_bytes(content)
    signs = Signs(scratch="", captures=("I'm tired",), sessions=())
    assert make_implicit(places, free, DAY, signs) == "explicit"
    assert (places.checkins / "2026-03-03.json").read_bytes() == content


def test_a_person_says_it_themselves(places: Places) -> None:
    """Over what was inferred; said again, it adds; levels are bounded."""
    make_implicit(places, free, DAY, Signs(scratch="", captures=("I'm tired",), sessions=()))
    give_explicit(places, free, DAY, moment=NOON, mood=4, energy=None, note="slept  well")
    give_explicit(places, free, DAY, moment=NOON, mood=None, energy=3, note="")
    made = read_checkin(places, DAY)
    assert made is not None
    assert (made["depth"], made["mood"]["value"], made["energy"]["value"], made["note"]) == (
        "explicit",
        4,
        3,
        "slept well",
    )
    for mood, note in ((6, ""), (0, ""), (None, "  ")):
        with pytest.raises(UsageError):
            give_explicit(places, free, DAY, moment=NOON, mood=mood, energy=None, note=note)
