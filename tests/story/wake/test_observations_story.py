"""Traits in a home: listed, decided about by a person alone, remembered through the door all memories take."""

import hashlib
import json
import sys
from datetime import UTC, datetime

import pexpect
import pytest
from made_nights import Place

from slowwave.desk.screens.observations import observation_lines
from slowwave.desk.screens.parts import Grid
from slowwave.wake.observations import NewTrait, Observations


@pytest.fixture
def observed(place: Place) -> Place:
    """A home in which two traits were observed."""
    store = Observations(place.house.home.day, place.house.hold_day, place.house.clock)
    ts = datetime(2026, 1, 30, 8, 0, tzinfo=UTC)
    store.add(
        [
            NewTrait(capture_id="c-1", ts=ts, text="Works best before noon"),
            NewTrait(capture_id="c-2", ts=ts, text="Dislikes \x1b[31mlong meetings"),
        ]
    )
    return place


def test_they_are_listed_and_safe_to_show(observed: Place) -> None:
    """With their ids; a terminal escape is a picture."""
    lines = [str(line) for line in observation_lines(observed.house.observations(everything=False))]
    assert "2 not reviewed yet" in lines[0]
    table = observation_lines(observed.house.observations(everything=False))[1]
    assert isinstance(table, Grid)
    assert [row[0] for row in table.rows] == ["c-1", "c-2"]
    assert not any("\x1b" in cell for row in table.rows for cell in row)
    listed = observed.run("observations", "list").content
    assert [row["id"] for row in listed["observations"]] == ["c-1", "c-2"]


@pytest.mark.parametrize("decision", [["confirm", "c-1"], ["drop", "c-1"], ["edit", "c-1", "--text", "Sleeps late"]])
def test_only_a_person_decides(observed: Place, decision: list[str]) -> None:
    """Without a terminal or the token nothing changes."""
    before = observed.house.home.day.observations.read_bytes()
    ran = observed.run("observations", *decision)
    assert (ran.status, ran.code) == (1, "needs_person")
    assert observed.house.home.day.observations.read_bytes() == before
    token = observed.house.renew_token()
    ran = observed.run("observations", *decision, "--yes-i-am-a-person", token)
    assert ran.status == 0, ran.err
    assert observed.house.home.day.observations.read_bytes() != before


def test_a_confirmed_one_becomes_a_memory_by_the_same_door(observed: Place) -> None:
    """Proposed with its author, reviewed, merged, found again; and proposed once."""
    token = observed.house.renew_token()
    early = observed.run("observations", "remember", "c-1")
    assert (early.status, early.code) == (2, "usage")
    ran = observed.run("observations", "confirm", "c-1", "--remember", "--yes-i-am-a-person", token)
    assert ran.status == 0, ran.err
    waiting = observed.run("review", "list").content["items"]
    assert [(item["claim"], item["type"]) for item in waiting] == [("Works best before noon", "memory")]
    again = observed.run("observations", "remember", "c-1")
    assert (again.status, again.code) == (2, "usage")
    item = waiting[0]["id"]
    assert observed.run("review", "accept", item, "--yes-i-am-a-person", token).status == 0
    assert observed.run("merge", item, "--yes-i-am-a-person", token).status == 0
    hit = observed.run("search", "noon").content["hits"][0]
    assert hit["claim"] == "Works best before noon"
    text = observed.git("show", f"main:{hit['path']}")
    assert "kind: user_preference" in text
    assert "author: observation" in text


def test_a_secret_in_new_words_is_masked(observed: Place) -> None:
    """What a person types is held to the same rule as everything else."""
    token = observed.house.renew_token()
    secret = "ghp" + "_" + hashlib.sha256(b"made").hexdigest()[:36]
    ran = observed.run("observations", "edit", "c-1", "--text", f"Uses {secret}", "--yes-i-am-a-person", token)
    assert ran.status == 0
    assert secret not in observed.house.home.day.observations.read_text("utf-8")


def test_review_at_a_terminal(observed: Place) -> None:
    """One key decides; the person is asked once whether they are one."""
    ran = observed.run("observations", "review")
    assert (ran.status, ran.code) == (1, "needs_person")
    observed.close()
    screen: pexpect.spawn[str] = pexpect.spawn(
        sys.executable,
        ["-m", "slowwave", "observations", "review", "--home", str(observed.home)],
        env=observed.environment(),
        encoding="utf-8",
        timeout=60,
        dimensions=(50, 200),
    )
    screen.expect_exact("[q]uit: ")
    screen.sendline("x")
    screen.expect_exact("is no key here")
    screen.expect_exact("[q]uit: ")
    screen.sendline("e")
    screen.expect_exact("Type yes: ")
    screen.sendline("yes")
    screen.expect_exact("in your own words: ")
    screen.sendline("Works best before ten")
    screen.expect_exact("[q]uit: ")
    screen.sendline("d")
    screen.expect(pexpect.EOF)
    screen.close()
    assert screen.exitstatus == 0
    listed = observed.run("observations", "list", "--all").content
    assert [(row["obs"], row["needsReview"]) for row in listed["observations"]] == [("Works best before ten", False)]
    assert observed.run("observations", "review").code == "nothing_to_do"


def test_views_and_goals_have_commands(observed: Place) -> None:
    """The words of the person, by theme; goals begin, are listed, and end."""
    views = observed.run("observations", "views").content["views"]
    assert "Works best before noon" in "".join(views.values())
    goal = observed.run("goals", "add", "Fewer meetings", "--description", "two a day").content["goals"][0]
    assert goal["id"] == "fewer-meetings"
    stored = json.loads((observed.house.home.day.goals / "fewer-meetings.json").read_text("utf-8"))
    assert stored["description"] == "two a day"
    shown = observed.run("coaching", "show").content
    assert shown["pending"] == 2
    assert observed.run("goals", "done", "fewer-meetings").status == 0
    assert observed.run("goals", "list").content["goals"] == []
    assert observed.run("goals", "done", "fewer-meetings").code == "usage"
