"""When what recurs each day is due, across changes of the clock, and whether it is to run."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from slowwave.desk.schedule.moments import clock_of, last_due, next_due
from slowwave.desk.schedule.tries import Tried, begun, ended, is_to_run, read_tried, write_tried
from slowwave.disk.home import Home
from slowwave.facts.moment import stamp

BERLIN = ZoneInfo("Europe/Berlin")
ZONES = ["Europe/Berlin", "America/Los_Angeles", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Kiritimati", "UTC"]


def at(text: str) -> datetime:
    """A moment in UTC."""
    return datetime.fromisoformat(text).astimezone(UTC)


@pytest.mark.parametrize(
    ("hour", "now", "last", "following"),
    [
        ("03:30", "2026-05-01T12:00:00+02:00", "2026-05-01T03:30:00+02:00", "2026-05-02T03:30:00+02:00"),
        ("03:30", "2026-05-01T03:30:00+02:00", "2026-05-01T03:30:00+02:00", "2026-05-02T03:30:00+02:00"),
        ("03:30", "2026-05-01T03:29:59+02:00", "2026-04-30T03:30:00+02:00", "2026-05-01T03:30:00+02:00"),
        ("24:00", "2026-05-01T12:00:00+02:00", "2026-05-01T00:00:00+02:00", "2026-05-02T00:00:00+02:00"),
        # 02:30 does not come on 29 March: it is 03:30 by the new offset.
        ("02:30", "2026-03-29T12:00:00+02:00", "2026-03-29T03:30:00+02:00", "2026-03-30T02:30:00+02:00"),
        # 02:30 comes twice on 25 October: the first is meant.
        ("02:30", "2026-10-25T02:45:00+02:00", "2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"),
        ("02:30", "2026-10-25T02:30:00+01:00", "2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"),
    ],
)
def test_hours_are_those_on_the_wall(hour: str, now: str, last: str, following: str) -> None:
    """Worked out by hand for Berlin."""
    assert last_due(hour, BERLIN, at(now)) == at(last)
    assert next_due(hour, BERLIN, at(now)) == at(following)


@pytest.mark.parametrize("name", ZONES)
@pytest.mark.parametrize("hour", ["00:05", "02:15", "03:30", "24:00"])
def test_every_local_day_of_a_year_has_it_exactly_once(name: str, hour: str) -> None:
    """Looked at every 97 minutes, what is due moves on once a local day, and never back."""
    zone = ZoneInfo(name)
    now = at("2026-01-01T12:00:00+00:00")
    met: list[datetime] = []
    for _ in range(365 * 24 * 60 // 97):
        due = last_due(hour, zone, now)
        assert due <= now < next_due(hour, zone, now)
        if not met or met[-1] != due:
            met.append(due)
        now += timedelta(minutes=97)
    days = [moment.astimezone(zone).date() for moment in met]
    assert days == sorted(set(days))
    assert (days[-1] - days[0]).days == len(days) - 1


def test_the_end_of_a_day_is_the_next_ones_first_minute() -> None:
    """Schedulers know no 24:00."""
    assert clock_of("24:00") == (0, 0)
    assert clock_of("07:05") == (7, 5)


DUE = at("2026-05-01T03:30:00+00:00")
SINCE = Tried(since="2026-04-01T00:00:00Z")


def test_what_nobody_had_asked_for_was_not_missed() -> None:
    """A schedule that is set up at noon does not begin with a night."""
    new = Tried(since="2026-05-01T12:00:00Z")
    assert not is_to_run(new, DUE, at("2026-05-01T13:00:00+00:00"))
    assert is_to_run(new, DUE + timedelta(days=1), at("2026-05-02T09:00:00+00:00"))


def test_a_task_is_done_once() -> None:
    """Also where there was nothing to work on."""
    later = DUE + timedelta(hours=5)
    for status in (0, 3):
        assert not is_to_run(ended(begun(SINCE, DUE, DUE), status, later), DUE, later + timedelta(hours=10))


def test_one_that_failed_is_tried_again_an_hour_later_and_three_times_in_all() -> None:
    """Then the next day's turn comes."""
    now, tried = DUE, SINCE
    moments = []
    for _ in range(24 * 12):
        if is_to_run(tried, DUE, now):
            moments.append(now)
            tried = ended(begun(tried, DUE, now), 1, now)
        now += timedelta(minutes=5)
    assert moments == [DUE, DUE + timedelta(hours=1), DUE + timedelta(hours=2)]
    assert is_to_run(tried, DUE + timedelta(days=1), now)


def test_one_that_was_cut_off_goes_on_at_once_and_not_for_ever() -> None:
    """A machine that went off in the night; and a night that takes the machine with it each time."""
    tried = SINCE
    for _ in range(3):
        assert is_to_run(tried, DUE, DUE + timedelta(minutes=1))
        tried = begun(tried, DUE, DUE)
    assert not is_to_run(tried, DUE, DUE + timedelta(minutes=1))


def test_a_clock_that_was_put_back_repeats_nothing_and_one_that_was_ahead_blocks_nothing() -> None:
    """An hour back, and years ahead."""
    done = ended(begun(SINCE, DUE, DUE), 0, DUE)
    assert not is_to_run(done, DUE - timedelta(days=1), DUE - timedelta(hours=1))
    far = ended(begun(SINCE, at("2038-01-01T03:30:00+00:00"), DUE), 0, DUE)
    assert is_to_run(far, DUE, DUE + timedelta(hours=1))
    future = Tried(since="2038-01-01T00:00:00Z")
    assert is_to_run(future, DUE, DUE + timedelta(hours=1))


def test_what_is_kept_is_read_as_it_was(home: Home) -> None:
    """Each task by itself."""
    tried = ended(begun(SINCE, DUE, DUE), 4, DUE)
    write_tried(home.root, "sleep", tried)
    assert read_tried(home.root, "sleep") == tried
    assert read_tried(home.root, "brief") is None
    assert tried.due == stamp(DUE)


@pytest.mark.parametrize(
    "content", [b"", b"\0\0", b"[]", b"{}", b'{"since": 3}', b'{"since": "yesterday"}', b"[" * 9_999, b'{"since": "202']
)
def test_what_cannot_be_read_is_as_if_it_were_not_there(home: Home, content: bytes) -> None:
    """Then moments count from now on."""
    write_tried(home.root, "sleep", SINCE)
    (home.root / "schedule" / "sleep.json").write_bytes(content)
    assert read_tried(home.root, "sleep") is None
