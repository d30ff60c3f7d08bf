"""``slowwave when``: what a phrase names, from the command line."""

import io
from pathlib import Path

from made_nights import Place
from rich.console import Console

from slowwave.desk.screens.when import when_lines

AT = ("--at", "2026-03-10T08:15:00+01:00")


def test_an_instant_with_its_offset(tmp_path: Path) -> None:
    """In the zone that was asked for; words may come apart."""
    ran = Place(tmp_path).run("when", "tomorrow", "at", "9", *AT, "--zone", "Asia/Tokyo")
    assert (ran.status, ran.envelope["schema"]) == (0, "slowwave.when.v1")
    assert ran.content == {"instant": "2026-03-11T09:00:00+09:00", "reason": "", "matched": "tomorrow at 9"}


def test_no_instant_is_an_answer_too(tmp_path: Path) -> None:
    """Null, with the reason."""
    ran = Place(tmp_path).run("when", "every Monday", *AT, "--zone", "UTC")
    assert (ran.status, ran.content["instant"], ran.content["reason"]) == (0, None, "recurring")


def test_the_zone_of_the_home_counts_where_none_is_said(tmp_path: Path) -> None:
    """And nothing of the home is made or changed by looking."""
    place = Place(tmp_path)
    place.house.set_setting("wake.timezone", "America/New_York")
    place.close()
    before = sorted(path.name for path in tmp_path.rglob("*"))
    ran = place.run("when", "noon", *AT)
    assert ran.content["instant"] == "2026-03-10T12:00:00-04:00"
    assert sorted(path.name for path in tmp_path.rglob("*")) == before


def test_a_zone_that_is_none_is_a_usage_error(tmp_path: Path) -> None:
    """It says which name, and what a name looks like."""
    for name in ("Mars/Olympus", "", "../../etc/passwd", "Europe"):
        ran = Place(tmp_path).run("when", "noon", "--zone", name)
        assert (ran.status, ran.envelope["error"]["code"]) == (2, "usage")
        assert "Europe/Berlin" in ran.envelope["error"]["hint"]


def test_a_screen_says_why(tmp_path: Path) -> None:
    """Text of a phrase is shown harmlessly."""
    ran = Place(tmp_path).run("when", "when \x1b[31m Anna is back", *AT, "--zone", "UTC")
    stream = io.StringIO()
    for line in when_lines(ran.content):
        Console(file=stream, highlight=False, width=120).print(line)
    assert "no instant (condition)" in stream.getvalue()
    assert "\x1b" not in stream.getvalue()
