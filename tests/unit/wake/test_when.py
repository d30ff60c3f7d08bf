"""Times in words: tables of phrases and sentences, and what holds for any text at any moment in any zone."""

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_when import Case, blind, ours, sentences

from slowwave.facts.capture import Capture, Tag
from slowwave.facts.limits import MOST_WHEN_CHARACTERS
from slowwave.wake.when import Reason, When, find_due, understand, zone_of
from slowwave.wake.when.tongue import NAMES, tongue

BERLIN = ZoneInfo("Europe/Berlin")
MOMENT = datetime(2026, 3, 10, 8, 15, tzinfo=BERLIN)
ZONES = [ZoneInfo(n) for n in ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC")]
ZONES += [ZoneInfo("Pacific/Apia"), ZoneInfo("Africa/Casablanca"), ZoneInfo("America/St_Johns")]
WORDS = sorted({" ".join(words) for name in NAMES for words in tongue(name).phrases})
ODD = [
    "9",
    "14:30",
    "5.",
    "3rd",
    "03/04",
    "2026-05-01",
    "-",
    ",",
    ".",
    "\n",
    "foo",
    "9" * 30,
    "24:00",
    "29",
    "31",
    "1.5",
]
ODD += ["2026-02-30T99:00", "9999-12-31", "0000-00-00", "\ud800", "\x00", "٣", "½", "2026-05-01T14:30:00+99:99"]

moments = st.integers(0, 40_000 * 86_400).map(
    lambda seconds: datetime(1990, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
)
zones = st.sampled_from(ZONES)
texts = st.lists(st.sampled_from(WORDS) | st.sampled_from(ODD), max_size=8).map(" ".join)


def told(when: When) -> str:
    """The instant as it is written, or the reason."""
    return when.instant.isoformat() if when.instant else when.reason


@pytest.mark.parametrize("case", list(ours()), ids=lambda case: f"{case.phrase} @ {case.at:%d %H:%M}")
def test_a_phrase_names_what_we_worked_out(case: Case) -> None:
    """Instants to the second with their offset; else the reason."""
    assert told(understand(case.phrase, at=case.at, zone=case.zone)) == case.wanted


@pytest.mark.parametrize("case", list(sentences()), ids=lambda case: case.phrase)
def test_a_time_is_found_in_a_sentence(case: Case) -> None:
    """With the words that say it, and nothing read into words that say none."""
    found = find_due(case.phrase, at=case.at, zone=case.zone)
    assert (told(found), found.matched) == (case.wanted, case.matched)


@pytest.mark.parametrize("case", list(blind()), ids=lambda case: f"{case.phrase} @ {case.at:%d %H:%M}")
def test_a_phrase_names_what_another_person_read_in_the_spec(case: Case) -> None:
    """The table was written without a look at the code; both ways of asking agree with it."""
    for ask in (understand, find_due):
        assert told(ask(case.phrase, at=case.at, zone=case.zone)) == case.wanted


@settings(deadline=None)
@given(text=texts, at=moments, zone=zones)
def test_whatever_is_said_an_instant_lies_ahead(text: str, at: datetime, zone: tzinfo) -> None:
    """It never raises; an instant is after the moment of asking, with the zone's own offset; else there is a reason."""
    for ask in (understand, find_due):
        when = ask(text, at=at, zone=zone)
        assert (when.instant is None) == (when.reason is not Reason.NONE)
        if when.instant is not None:
            assert when.instant > at
            assert when.instant.utcoffset() == when.instant.astimezone(zone).utcoffset()


@settings(deadline=None)
@given(text=st.text(max_size=200), at=moments)
def test_any_text_at_all_is_answered(text: str, at: datetime) -> None:
    """Nothing that somebody writes stops the loop."""
    assert isinstance(find_due(text, at=at, zone=BERLIN), When)


@settings(deadline=None)
@given(at=moments, zone=zones, days=st.integers(1, 400))
def test_days_keep_the_wall_time(at: datetime, zone: tzinfo, days: int) -> None:
    """After days it is the same hour of the clock, but where that day skips it; the first of two where it has two."""
    at = at.replace(microsecond=0)
    here = at.astimezone(zone)
    found = understand(f"in {days} days", at=at, zone=zone).instant
    assert found is not None
    wall = here.replace(tzinfo=None, fold=0) + timedelta(days=days)
    reached = found.astimezone(zone)
    if reached.replace(tzinfo=None, fold=0) != wall:
        gap = reached.replace(tzinfo=None, fold=0) - wall
        before = wall.replace(tzinfo=zone).utcoffset()
        after = reached.utcoffset()
        assert before is not None
        assert after is not None
        assert gap == after - before > timedelta()
    else:
        assert reached.fold == 0


@settings(deadline=None)
@given(at=moments, zone=zones, hours=st.integers(1, 2_000))
def test_hours_are_elapsed_time(at: datetime, zone: tzinfo, hours: int) -> None:
    """Whatever the clocks do meanwhile."""
    at = at.replace(microsecond=0)
    assert understand(f"in {hours} hours", at=at, zone=zone).instant == at + timedelta(hours=hours)


@settings(deadline=None)
@given(at=moments, zone=zones, hour=st.integers(13, 23), minute=st.integers(0, 59))
def test_tomorrow_is_the_next_day_of_the_zone(at: datetime, zone: tzinfo, hour: int, minute: int) -> None:
    """At the hour that was said, as the wall clock there shows it."""
    found = understand(f"tomorrow at {hour}:{minute:02}", at=at, zone=zone).instant
    assert found is not None
    day = at.astimezone(zone).date() + timedelta(days=1)
    if zone != ZoneInfo("Pacific/Apia"):  # a whole day is missing there
        assert (found.date(), found.hour, found.minute) == (day, hour, minute)


@pytest.mark.parametrize("weekday", range(7))
def test_next_friday_is_always_that_of_next_week(weekday: int) -> None:
    """Spec 05, from Monday to Thursday; on the three days after it that is the first to come."""
    at = datetime(2026, 3, 16 + weekday, 10, tzinfo=BERLIN)
    found = understand("next Friday", at=at, zone=BERLIN)
    assert told(found) == "2026-03-27T09:00:00+01:00"


@pytest.mark.parametrize(
    "unit", ["sat , ", "at ", "9 and ", "1 day and ", "@", "a@", "1:", "half past ", "twenty ", "or "]
)
def test_a_long_text_is_looked_at_up_to_a_bound(unit: str) -> None:
    """What lies behind the bound is not seen, so no text costs more than a short one."""
    filler = unit * (MOST_WHEN_CHARACTERS // len(unit) + 1)
    assert find_due(f"{filler} tomorrow", at=MOMENT, zone=BERLIN) == find_due(filler, at=MOMENT, zone=BERLIN)


def test_a_moment_without_an_offset_is_utc() -> None:
    """As everywhere in the house."""
    at = datetime(2026, 3, 10, 20, tzinfo=UTC).replace(tzinfo=None)
    assert told(understand("tomorrow at 9", at=at, zone=ZoneInfo("Asia/Tokyo"))) == "2026-03-12T09:00:00+09:00"


def capture(ts: str, zone: str = "") -> Capture:
    """A capture said at a moment."""
    return Capture(id="c", ts=datetime.fromisoformat(ts), tag=Tag.FOLLOW_UP, text="x", source="cli", zone=zone)


@pytest.mark.parametrize(
    ("ts", "zone", "wanted"),
    [
        ("2026-07-01T12:00:00+02:00", "America/New_York", ZoneInfo("America/New_York")),
        ("2026-07-01T12:00:00+02:00", "", BERLIN),
        ("2026-01-01T12:00:00+02:00", "", timezone(timedelta(hours=2))),
        ("2026-07-01T12:00:00-05:00", "Nowhere/AtAll", timezone(timedelta(hours=-5))),
        ("2026-07-01T12:00:00+00:00", "", UTC),
        ("0001-01-01T00:00:00+00:00", "", UTC),
    ],
)
def test_the_zone_of_a_capture(ts: str, zone: str, wanted: tzinfo) -> None:
    """Its own; else the loop's where the offset is the same at that moment; else the fixed offset (spec 05)."""
    assert zone_of(capture(ts, zone), BERLIN) == wanted
