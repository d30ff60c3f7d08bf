"""Whose day a page is, and how it is folded into the weeks."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from slowwave.facts.capture import Section
from slowwave.wake.scratch.days import day_of, fresh_page, scratch_day, with_day
from slowwave.wake.scratch.page import headings_of, lines_of
from slowwave.wake.scratch.weekly import folded

DAY = date(2026, 2, 24)
MARK = b"<!-- slowwave:day 2026-02-24 -->"


@pytest.mark.parametrize(
    ("page", "marked"),
    [
        (b"", MARK + b"\n"),
        (b"mine\n", MARK + b"\nmine\n"),
        (b"mine\r\n", MARK + b"\r\nmine\r\n"),
        (b"\xef\xbb\xbfmine", b"\xef\xbb\xbf" + MARK + b"\nmine"),
        (b"---\na: 1\n---\nmine", b"---\na: 1\n---\n" + MARK + b"\nmine"),
        (b"---\nno front matter", MARK + b"\n---\nno front matter"),
        (b"a\n<!-- slowwave:day 2020-01-01 -->\r\nb", b"a\n" + MARK + b"\r\nb"),
    ],
)
def test_a_page_is_marked_with_its_day_once(page: bytes, marked: bytes) -> None:
    """At its head, behind a front matter; nothing else moves."""
    assert with_day(page, DAY) == marked
    assert with_day(marked, DAY) == marked
    assert day_of(marked) == DAY


@pytest.mark.parametrize("page", [b"", b"<!-- slowwave:day 2026-13-01 -->\n", b"- x <!-- slowwave:day 2026-02-24 -->"])
def test_a_page_without_a_day_has_none(page: bytes) -> None:
    """A date that is none and a mark inside a line are no marks."""
    assert day_of(page) is None


def test_a_fresh_page_has_every_section_in_order() -> None:
    """And its day."""
    titles = [head.title for head in headings_of(lines_of(fresh_page(DAY)))]
    assert titles == [section.value for section in Section]
    assert day_of(fresh_page(DAY)) == DAY


@pytest.mark.parametrize(
    ("zone", "moment", "roll_up", "day"),
    [
        ("Europe/Berlin", "2026-02-24T23:04:59+00:00", "00:05", "2026-02-24"),
        ("Europe/Berlin", "2026-02-24T23:05:00+00:00", "00:05", "2026-02-25"),
        ("America/Los_Angeles", "2026-02-25T08:04:00+00:00", "00:05", "2026-02-24"),
        ("Pacific/Kiritimati", "2026-02-24T10:05:00+00:00", "00:05", "2026-02-25"),
        ("Asia/Kathmandu", "2026-02-24T18:20:00+00:00", "00:05", "2026-02-25"),
        ("Europe/Berlin", "2026-02-24T22:59:00+00:00", "24:00", "2026-02-24"),
        ("Europe/Berlin", "2026-02-24T23:00:00+00:00", "24:00", "2026-02-25"),
        ("Europe/Berlin", "2026-02-24T22:50:00+00:00", "23:55", "2026-02-24"),
        ("Europe/Berlin", "2026-02-24T22:55:00+00:00", "23:55", "2026-02-25"),
        ("Europe/Berlin", "2026-02-24T23:10:00+00:00", "23:55", "2026-02-25"),
        ("Europe/Berlin", "2026-02-24T02:59:00+01:00", "03:00", "2026-02-23"),
        # Cairo's clocks go from 00:00 to 01:00: there is no 00:05 that day.
        ("Africa/Cairo", "2026-04-23T21:59:00+00:00", "00:05", "2026-04-23"),
        ("Africa/Cairo", "2026-04-23T22:00:00+00:00", "00:05", "2026-04-24"),
    ],
)
def test_a_day_begins_when_the_one_before_is_rolled_up(zone: str, moment: str, roll_up: str, day: str) -> None:
    """By the wall clock of the zone, wherever that is."""
    assert scratch_day(datetime.fromisoformat(moment), ZoneInfo(zone), roll_up) == date.fromisoformat(day)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/Havana", "Africa/Cairo", "Australia/Lord_Howe", "UTC"])
def test_every_day_of_a_year_has_its_turn(zone: str) -> None:
    """Through both changes of the clock, asked every quarter of an hour, no day is passed over."""
    start = datetime(2026, 1, 1, 12, tzinfo=UTC)
    asked = (start + timedelta(minutes=15 * step) for step in range(365 * 96))
    days = list(dict.fromkeys(scratch_day(moment, ZoneInfo(zone), "00:05") for moment in asked))
    assert days == [days[0] + timedelta(days=number) for number in range(len(days))]
    assert len(days) >= 365


PAGE = MARK + b"\n\n# Day\n\n## Running Summary\n\nGood.\n\n## Events\n\n- 09:00 x <!-- a1 -->\n\n## Notes\n\n## Own\n"


def test_a_day_stands_under_its_week_with_lower_headings() -> None:
    """Empty sections of the spec are left out, a person's own heading stays."""
    weeks = folded(b"# Weeks\n", PAGE, day=DAY, archive="2026-02-24.md")
    assert weeks == (
        b"# Weeks\n\n## 2026-W09\n\n### 2026-02-24 <!-- archive/2026-02-24.md -->\n\n### Day\n\n"
        b"#### Running Summary\n\nGood.\n\n#### Events\n\n- 09:00 x <!-- a1 -->\n\n#### Own\n"
    )
    assert folded(weeks, PAGE, day=DAY, archive="2026-02-24.md") == weeks


def test_weeks_are_in_order_whatever_comes_when() -> None:
    """Weeks of ISO years, a person's words behind a week's name kept, a week of another year apart."""
    weeks = b"My weeks.\n## 2026-W10 holidays\nmine\n## Ideas\nkept"
    for day in (date(2026, 3, 3), date(2025, 12, 29), date(2026, 3, 4), date(2026, 12, 31)):
        weeks = folded(weeks, b"## Notes\n- x\n", day=day, archive=f"{day}.md")
    titles = [head.title.split(" <")[0] for head in headings_of(lines_of(weeks)) if head.depth < 4]
    assert titles == [
        "2026-W01",
        "2025-12-29",
        "2026-W10 holidays",
        "2026-03-03",
        "2026-03-04",
        "Ideas",
        "2026-W53",
        "2026-12-31",
    ]
    assert b"mine\n" in weeks
    assert weeks.startswith(b"My weeks.\n")


@pytest.mark.parametrize("opener", [b"```", b"  ~~~", b"<!-- begun"])
def test_a_forgotten_fence_does_not_swallow_the_days_behind_it(opener: bytes) -> None:
    """What a page leaves open is text in the weeks; the archive has it as it was."""
    weeks = folded(b"", b"## Notes\n" + opener + b"\nx\n", day=DAY, archive="a.md")
    weeks = folded(weeks, b"## Notes\n" + opener + b"\n-->y\n", day=date(2026, 3, 2), archive="b.md")
    assert [head.title for head in headings_of(lines_of(weeks)) if head.depth == 2] == ["2026-W09", "2026-W10"]


def test_code_in_a_page_keeps_its_marks() -> None:
    """A comment in a shell script is no heading."""
    weeks = folded(b"", b"## Notes\n```sh\n# list\nls\n```\n", day=DAY, archive="a.md")
    assert b"```sh\n# list\nls\n```\n" in weeks
