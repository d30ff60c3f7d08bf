"""Reminders at the command line: listed, cancelled, sent; channels tried; no address shown."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from made_nights import NOW, Place
from made_notices import reminder

from slowwave.desk.screens.parts import Grid
from slowwave.desk.screens.reminders import reminder_lines
from slowwave.disk.config import ConfigError
from slowwave.wake.book import Book
from slowwave.wake.reminders import enqueue_message
from slowwave.wiring.verbs_notify import deliver_reminders, send_now, show_reminders

PASSWORD = "hunter" + "2-of-nobody"


@pytest.fixture
def queued(place: Place) -> Place:
    """A home with two reminders: one due, one to come."""
    book = Book(place.house.home.wake_db)
    enqueue_message(book, reminder("c-1", text="call Ann \x1b[31mnow", due=NOW))
    enqueue_message(book, reminder("c-2", text="pay", due=NOW + timedelta(hours=2)))
    book.close()
    return place


def configure(place: Place, **settings: str | Sequence[str]) -> None:
    """Write settings of ``notify``."""
    for name, value in settings.items():
        text = value if isinstance(value, str) else json.dumps(list(value))
        ran = place.run("config", "set", f"notify.{name}", text)
        assert ran.status == 0, ran.err
    place.close()


def test_they_are_listed_and_safe_to_show(queued: Place) -> None:
    """The next first; a terminal escape is a picture; what holds them is said."""
    ran = queued.run("reminders", "list")
    assert ran.status == 0, ran.err
    assert [row["captureId"] for row in ran.content["reminders"]] == ["c-1", "c-2"]
    assert queued.run("reminders").content == ran.content
    lines = reminder_lines(show_reminders(queued.house, everything=False))
    table = lines[0]
    assert isinstance(table, Grid)
    assert not any("\x1b" in cell for row in table.rows for cell in row)
    assert "No channel is configured" in str(lines[-1])


def test_listing_makes_nothing(place: Place) -> None:
    """Not even a book."""
    assert place.house.home.root.exists()
    assert place.run("reminders", "list").content["reminders"] == []
    assert not place.house.home.wake_db.exists()


def test_one_is_cancelled(queued: Place, tmp_path: Path) -> None:
    """And is not sent; the other is, at its time."""
    configure(queued, urls=((tmp_path / "got.jsonl").as_uri(),))
    ran = queued.run("reminders", "cancel", reminder("c-1").id[:8])
    assert ran.status == 0, ran.err
    assert ran.content["reminders"][0]["status"] == "cancelled"
    assert deliver_reminders(queued.house, NOW) is None
    assert deliver_reminders(queued.house, NOW + timedelta(hours=2)) == {"sent": 1}
    assert queued.run("reminders", "list").content["reminders"] == []
    every = queued.run("reminders", "list", "--all").content["reminders"]
    assert [row["status"] for row in every] == ["cancelled", "sent"]
    again = queued.run("reminders", "cancel", reminder("c-2").id)
    assert (again.status, again.code) == (2, "usage")
    none = queued.run("reminders", "cancel", "r-none")
    assert (none.status, none.code) == (2, "usage")


def test_quiet_hours_are_those_of_the_settings(queued: Place, tmp_path: Path) -> None:
    """Held, said until when, sent behind them; half of them is refused."""
    out = tmp_path / "got.jsonl"
    configure(queued, urls=(out.as_uri(),), quiet_start="22:00", quiet_end="07:00")
    assert queued.run("config", "set", "wake.timezone", "Europe/Berlin").status == 0
    queued.close()
    assert deliver_reminders(queued.house, NOW) == {"held": 1}
    shown = queued.run("reminders", "list").content
    assert shown["quietUntil"] == "2026-02-01T07:00:00+01:00"
    assert deliver_reminders(queued.house, datetime(2026, 2, 1, 6, 0, tzinfo=UTC)) == {"sent": 2}
    assert "late: this was due 2026-02-01 04:30 CET" in out.read_text("utf-8")
    configure(queued, quiet_end="")
    with pytest.raises(ConfigError, match="two ends"):
        deliver_reminders(queued.house, NOW)


def test_channels_are_tried(place: Place, tmp_path: Path) -> None:
    """Each says whether it took the test; one that did not makes the command fail."""
    assert place.house.home.root.exists()
    none = place.run("notify", "test")
    assert (none.status, none.code) == (3, "nothing_to_do")
    out = tmp_path / "got.jsonl"
    configure(place, urls=(out.as_uri(), f"json://ann:{PASSWORD}@127.0.0.1:9/{PASSWORD}", "command:false"))
    ran = place.run("notify", "test")
    assert ran.status == 1
    rows = ran.content["channels"]
    assert [row["sent"] for row in rows] == [True, False, False]
    assert PASSWORD not in ran.out + ran.err
    assert "This is a test." in out.read_text("utf-8")
    one = place.run("notify", "test", "--channel", rows[0]["channel"])
    assert one.status == 0
    unknown = place.run("notify", "test", "--channel", "pigeon")
    assert (unknown.status, unknown.code) == (2, "usage")


def test_no_screen_shows_an_address(place: Place) -> None:
    """The settings name channels; what may hold a password stays in the file."""
    assert place.house.home.root.exists()
    url = f"mailto://ann:{PASSWORD}@mail.example.org"
    for ran in (
        place.run("config", "set", "notify.urls", json.dumps([url, "env:HOOK"])),
        place.run("config", "show"),
        place.run("reminders", "list"),
    ):
        assert ran.status == 0, ran.err
        assert PASSWORD not in ran.out + ran.err
    shown = {row["name"]: row["value"] for row in place.run("config", "show").content["settings"]}
    assert shown["notify.urls"].startswith("mailto-")
    assert shown["notify.urls"].endswith(", env:HOOK")


def test_a_notice_of_anybody_is_sent_at_once(place: Place, tmp_path: Path) -> None:
    """Such as the brief."""
    assert place.house.home.root.exists()
    out = tmp_path / "got.jsonl"
    configure(place, urls=(out.as_uri(),))
    rows = send_now(place.house, key="brief-2026-02-01", title="Brief", text="two things\n(brief-2026-02-01)")
    assert [row["sent"] for row in rows] == [True]
    assert json.loads(out.read_text("utf-8"))["title"] == "Brief"
