"""The morning: a brief over a real home, what is owed, how one is, and what a calendar holds."""

import json
from datetime import UTC, timedelta
from pathlib import Path

import pytest
from made_days import Day, capture
from made_nights import Place, fix_session, promise_session, write_all

from slowwave.facts.capture import Tag
from slowwave.sleep.triage import format_triage_for_brief, triage_commitments
from slowwave.wiring.verbs_brief import format_triage_for_vdb, gather_context

CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//made//test//EN
BEGIN:VEVENT
UID:1
DTSTART;TZID=Europe/Berlin:20260302T090000
DTEND;TZID=Europe/Berlin:20260302T093000
RRULE:FREQ=WEEKLY;COUNT=5
EXDATE;TZID=Europe/Berlin:20260309T090000
SUMMARY:Standup
CATEGORIES:WORK
END:VEVENT
BEGIN:VEVENT
UID:2
DTSTART;VALUE=DATE:20260304
SUMMARY:Holiday
END:VEVENT
BEGIN:VEVENT
UID:3
DTSTART:20260305T120000
DURATION:PT1H
SUMMARY:Lunch
STATUS:CANCELLED
END:VEVENT
END:VCALENDAR
"""


def sections(content: object) -> dict[str, dict[str, object]]:
    """A brief's sections by name."""
    assert isinstance(content, dict)
    return {one["name"]: one for one in content["sections"]}


def test_an_empty_home_has_a_brief_that_says_what_to_do(place: Place) -> None:
    """No error, no home made, useful words."""
    ran = place.run("brief")
    assert ran.status == 0
    found = sections(ran.content)
    assert list(found) == [
        "commitment_triage",
        "memories",
        "review",
        "checkin",
        "running_summary",
        "coaching",
        "day",
    ]
    assert place.run("brief", "--format", "yaml").code == "usage"
    assert place.run("brief", "--date", "tomorrow").code == "usage"


@pytest.mark.slow
def test_a_night_and_a_day_come_together_in_the_brief(place: Place) -> None:
    """Commitments with actions, memories with evidence, what waits, the summary, nudges, reminders."""
    write_all(place.transcripts, [fix_session(1), fix_session(2, day=6), promise_session(3, day=7)])
    place.run("init", "--transcripts", str(place.transcripts))
    place.run("config", "set", "wake.timezone", "UTC")
    place.run("goals", "add", "Shorter meetings")
    place.now = place.now.replace(hour=12)
    for tag, text in (
        ("follow-up", "I promised Bob the report by tomorrow"),
        ("observation", "I prefer short meetings"),
        ("file-this", "We decided to keep the old parser"),
        ("follow-up", "remind me in 20 hours to call the bank"),
    ):
        assert place.run("capture", "add", "--tag", tag, text).status == 0
    assert place.run("wake", "once", "--force").status == 0
    place.now += timedelta(hours=15, minutes=30)
    night = place.run("sleep").content
    phases = {phase["name"]: phase for phase in night["phases"]}
    assert phases["roll_up"]["counts"]["days"] == 1
    assert phases["commitment_triage"]["counts"] == {"today": 1, "tasks_proposed": 1}
    (owed,) = place.run("commitments", "list").content["commitments"]
    (task,) = [one for one in place.run("task", "list").content["tasks"] if one["path"] == owed["task"]]
    assert (task["claim"], task["taskStatus"], task["due"]) == (owed["statement"], "proposed", "2026-02-02")
    assert sum(len(some) for some in place.run("task", "triage").content["categories"].values()) == 2
    place.now += timedelta(hours=4)
    found = sections(place.run("brief").content)
    assert "Bob the report" in str(found["commitment_triage"]["lines"])
    assert "quotes" in str(found["memories"]["lines"])
    assert "await your decision" in str(found["review"]["lines"])
    assert "old parser" in str(found["running_summary"]["lines"])
    assert "short meetings" in str(found["coaching"]["lines"])
    assert "call the bank" in str(found["day"]["lines"])
    context = gather_context(place.house)
    assert "**today** (1)" in context["commitment_triage"]
    triage = triage_commitments([], now=place.now, zone=UTC)
    assert format_triage_for_vdb(triage) == format_triage_for_brief(triage)
    again = place.run("sleep").content
    assert next(p for p in again["phases"] if p["name"] == "commitment_triage")["counts"] == {"today": 1, "upcoming": 1}


def test_a_file_of_commitments_is_sorted_without_a_home(place: Place, tmp_path: Path) -> None:
    """By ``--at`` and ``--zone``; what is no list is a usage error."""
    path = tmp_path / "owed.json"
    path.write_text(json.dumps([{"id": "a", "statement": "x", "due": "2026-02-01"}, {"no": 1}]), encoding="utf-8")
    words = ("task", "triage", "--at", "2026-01-31T23:30:00Z", "--zone")
    east = place.run(*words, "Europe/Berlin", str(path)).content
    west = place.run(*words, "America/Los_Angeles", str(path)).content
    assert [len(east["categories"]["today"]), len(west["categories"]["moderate"]), east["unreadable"]] == [1, 1, 1]
    assert not place.home.exists()
    path.write_text('{"a": 1}', encoding="utf-8")
    for bad in (path, tmp_path / "none.json"):
        assert place.run(*words, "UTC", str(bad)).code == "usage"
    assert place.run(*words, "Mars/Base", str(path)).code == "usage"


def test_commitments_are_listed_and_closed(tmp_path: Path) -> None:
    """By their id; a closed one is no longer urgent."""
    day = Day.at(tmp_path)
    day.put(capture("u-2", Tag.FOLLOW_UP, "I promised Bob the report by Friday"))
    day.tick()
    place = Place(tmp_path, now=day.now)
    (owed,) = place.run("commitments", "list").content["commitments"]
    assert place.run("commitments", "done", owed["id"]).content["commitments"][0]["status"] == "done"
    assert place.run("commitments", "list").content["commitments"] == []
    assert len(place.run("commitments", "list", "--all").content["commitments"]) == 1
    assert not any(place.run("task", "triage").content["categories"].values())


def test_a_day_is_checked_in(place: Place) -> None:
    """Inferred where anything is known, said by the person, never written over."""
    place.run("config", "set", "wake.timezone", "UTC")
    assert place.run("checkin").content["outcome"] == "nothing_known"
    assert place.run("capture", "add", "--tag", "note-to-self", "I feel exhausted today").status == 0
    made = place.run("checkin").content
    assert (made["outcome"], made["checkin"]["energy"]["value"]) == ("written", 1)
    assert place.run("checkin", "--energy", "9").code == "usage"
    said = place.run("checkin", "--energy", "4", "--note", "better after a nap").content["checkin"]
    assert (said["depth"], said["energy"]["value"]) == ("explicit", 4)
    assert place.run("checkin").content["outcome"] == "explicit"


def test_activities_come_from_calendars_and_tables_once(place: Place, tmp_path: Path) -> None:
    """Recurring ones with their exceptions, whole days, cancelled ones left out; again, nothing is new."""
    place.run("config", "set", "wake.timezone", "Europe/Berlin")
    calendar = tmp_path / "mine.ics"
    calendar.write_text(CALENDAR, encoding="utf-8")
    assert place.run("activities", "import", str(calendar)).content == {"read": 5, "new": 5, "skipped": 0}
    assert place.run("activities", "import", str(calendar)).content["new"] == 0
    rows = json.loads((place.house.home.day.activities / "2026-03-02.json").read_bytes())
    assert rows == [
        {
            "start": "2026-03-02T09:00:00+01:00",
            "end": "2026-03-02T09:30:00+01:00",
            "kind": "work",
            "title": "Standup",
            "source": "mine.ics",
        }
    ]
    assert not (place.house.home.day.activities / "2026-03-09.json").exists()
    table = tmp_path / "runs.csv"
    table.write_text("Start time,Name,Type\n2026-03-02 18:00,Evening run,Running\nnever,x,y\n", encoding="utf-8")
    assert place.run("activities", "import", str(table)).content == {"read": 1, "new": 1, "skipped": 1}
    for content in ("BEGIN:VCALENDAR", "a,b\n1,2\n"):
        bad = tmp_path / "bad.ics"
        bad.write_text(content, encoding="utf-8")
        assert place.run("activities", "import", str(bad)).code == "usage"
    assert place.run("activities", "import", str(tmp_path / "none.csv")).code == "usage"
