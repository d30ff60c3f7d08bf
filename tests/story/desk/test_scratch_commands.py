"""``slowwave scratch``: the page, its summaries, and one of them put back."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from made_nights import Place
from made_scratch import SayingJudge
from rich.console import Console

from slowwave.desk.screens.scratch import page_lines, restored_lines, summary_lines
from slowwave.facts.capture import Section
from slowwave.wake.scratch.entry import Entry
from slowwave.wiring.verbs_scratch import roll_up, scratch_of


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A home with a page, two summaries, and its zone set."""
    made = Place(tmp_path)
    made.house.set_setting("wake.timezone", "Europe/Berlin")
    made.close()
    scratch = scratch_of(made.house)
    for number, words in enumerate(("First \x1b[31m day.", "Second day.")):
        text = f"Lunch [bold]{number}[/bold]"
        scratch.add([Entry(id=f"c{number}", section=Section.EVENTS, moment=made.now, text=text)])
        scratch.synthesise(SayingJudge(words=words))
    yield made
    made.close()


def shown(lines: object) -> str:
    """What a person sees of some lines."""
    stream = io.StringIO()
    console = Console(file=stream, highlight=False, soft_wrap=True, width=200)
    assert isinstance(lines, list)
    for line in lines:
        console.print(line)
    return stream.getvalue()


def test_the_page_is_shown_without_what_only_slowwave_reads(place: Place) -> None:
    """The envelope has it whole, with its day and sections; the screen its words alone."""
    ran = place.run("scratch", "show")
    assert (ran.status, ran.envelope["schema"]) == (0, "slowwave.scratch.v1")
    assert ran.content["day"] == "2026-02-01"
    assert ran.content["summary"] == "Second day."
    assert [part["name"] for part in ran.content["sections"]] == [section.value for section in Section][1:]
    assert ran.content["sections"][0]["entries"] == 2
    seen = shown(page_lines(ran.content))
    assert "- 04:30 Lunch [bold]0[/bold]\n" in seen
    assert "<!--" not in seen


def test_looking_changes_nothing(place: Place) -> None:
    """Not even where the page is of a day long past."""
    before = place.house.home.day.daily.read_bytes()
    for words in (("show",), ("history",)):
        assert place.run("scratch", *words, "--at", "2027-01-01T00:00:00Z").status == 0
    assert place.house.home.day.daily.read_bytes() == before


def test_a_former_summary_is_listed_and_put_back(place: Place) -> None:
    """By its number; the screens hold no live escapes."""
    listed = place.run("scratch", "history").content["summaries"]
    assert [(one["number"], one["text"], one["isShown"]) for one in listed] == [
        (1, "First \u241b[31m day.", False),
        (2, "Second day.", True),
    ]
    assert listed[0]["model"] == "ollama:small"
    assert "\x1b" not in shown(summary_lines(listed))
    ran = place.run("scratch", "restore", "1")
    assert (ran.status, ran.content["summaries"][0]["restored"]) == (0, 1)
    assert "Summary 1 is on the page again" in shown(restored_lines(ran.content["summaries"][0]))
    assert place.run("scratch", "show").content["summary"].startswith("First")
    assert [one["isShown"] for one in place.run("scratch", "history").content["summaries"]] == [False, False, True]


def test_a_number_that_is_none_is_refused(place: Place) -> None:
    """With what to do."""
    ran = place.run("scratch", "restore", "7")
    assert (ran.status, ran.code) == (2, "usage")
    assert "scratch history" in ran.envelope["error"]["hint"]


def test_the_hour_of_the_roll_up_is_the_configured_one(place: Place) -> None:
    """And its counts are what a night reports."""
    place.house.set_setting("schedule.roll_up", "05:00")
    place.close()
    at = place.now.replace(day=2)
    assert roll_up(place.house, at.replace(hour=3, minute=59)) is None
    assert roll_up(place.house, at.replace(hour=4, minute=0)) == {"days": 1, "entries": 2}
    assert "Nothing was filed" not in shown(page_lines(place.run("scratch", "show").content))


def test_a_home_without_a_page_says_so(tmp_path: Path) -> None:
    """Nothing is made by asking."""
    place = Place(tmp_path)
    assert place.run("scratch", "show").status == 3
    assert place.house.home.day.daily.exists() is False
    place.close()
    assert place.run("scratch", "show").content["text"] == ""
    assert "Nothing was filed" in shown(page_lines(place.run("scratch", "show").content))
    assert "No running summary" in shown(summary_lines(place.run("scratch", "history").content["summaries"]))
    assert not place.house.home.day.data.exists()
    place.close()
