"""Quiet hours by the clock on the wall."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from slowwave.wake.quiet import QuietHours

BERLIN = ZoneInfo("Europe/Berlin")


def hours(start: str, end: str, zone: ZoneInfo = BERLIN) -> QuietHours:
    """Quiet hours of a zone."""
    return QuietHours(start=start, end=end, zone=zone)


@pytest.mark.parametrize(
    ("start", "end", "at", "is_quiet"),
    [
        ("22:00", "07:00", "21:59", False),
        ("22:00", "07:00", "22:00", True),
        ("22:00", "07:00", "00:00", True),
        ("22:00", "07:00", "06:59", True),
        ("22:00", "07:00", "07:00", False),
        ("12:00", "13:30", "12:00", True),
        ("12:00", "13:30", "13:30", False),
        ("00:00", "24:00", "23:59", True),
        ("20:00", "24:00", "00:00", False),
        ("", "", "03:00", False),
        ("07:00", "07:00", "07:00", False),
    ],
)
def test_they_begin_and_end_by_the_minute(start: str, end: str, at: str, is_quiet: bool) -> None:
    """The start is quiet, the end is not; they may go over midnight."""
    hour, minute = map(int, at.split(":"))
    assert hours(start, end).cover(datetime(2026, 2, 1, hour, minute, tzinfo=BERLIN)) is is_quiet


@pytest.mark.parametrize(
    ("moment", "is_quiet"),
    [
        # The clock goes from 02:00 to 03:00 on 29 March: 01:30 and 03:30 are an hour apart.
        ("2026-03-29T00:30:00Z", True),
        ("2026-03-29T01:30:00Z", False),
        # It goes from 03:00 back to 02:00 on 25 October: 02:30 comes twice, and is quiet twice.
        ("2026-10-25T00:30:00Z", True),
        ("2026-10-25T01:30:00Z", True),
        ("2026-10-25T02:00:00Z", False),
    ],
)
def test_days_of_23_and_25_hours_keep_theirs(moment: str, is_quiet: bool) -> None:
    """What the clock shows decides."""
    assert hours("01:00", "03:00").cover(datetime.fromisoformat(moment)) is is_quiet


def test_they_are_those_of_the_zone() -> None:
    """One moment is night in one place and day in another."""
    moment = datetime(2026, 2, 1, 3, 0, tzinfo=UTC)
    assert hours("22:00", "07:00").cover(moment)
    assert not hours("22:00", "07:00", ZoneInfo("Asia/Tokyo")).cover(moment)


def test_when_they_are_over() -> None:
    """The same day, the next, and over a change of the clock."""
    quiet = hours("22:00", "07:00")
    assert quiet.end_after(datetime(2026, 2, 1, 23, 0, tzinfo=BERLIN)).isoformat() == "2026-02-02T07:00:00+01:00"
    assert quiet.end_after(datetime(2026, 2, 1, 3, 0, tzinfo=BERLIN)).isoformat() == "2026-02-01T07:00:00+01:00"
    assert quiet.end_after(datetime(2026, 3, 28, 23, 0, tzinfo=BERLIN)).isoformat() == "2026-03-29T07:00:00+02:00"
    gap = hours("22:00", "02:30").end_after(datetime(2026, 3, 29, 0, 30, tzinfo=BERLIN))
    assert gap.isoformat() == "2026-03-29T03:30:00+02:00"
    assert hours("20:00", "24:00").end_after(datetime(2026, 2, 1, 21, 0, tzinfo=BERLIN)).day == 2
