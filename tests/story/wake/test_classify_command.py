"""``slowwave wake classify``: what captures are, from the command line, without a home."""

import json
from pathlib import Path

import pytest
from made_nights import Place

from slowwave.desk.screens.classify import classify_lines

TS = "2026-05-04T09:00:00+02:00"


def written(folder: Path, *lines: object) -> str:
    """A file of lines, objects encoded."""
    path = folder / "captures.jsonl"
    path.write_text("".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in lines), "utf-8")
    return str(path)


def row(tag: str, text: str, **more: str) -> dict[str, str]:
    """A capture."""
    return {"id": tag, "ts": TS, "tag": tag, "text": text, "source": "made", **more}


def test_each_tag_gets_its_own_answer(tmp_path: Path) -> None:
    """The keys, destinations and dues of spec 05; nothing is written, no home is made."""
    file = written(
        tmp_path,
        row("file-this", "Anna is allergic to nuts"),
        row("observation", "I am a morning person"),
        row("follow-up", "Remind me tomorrow at 9 to call the bank"),
        row("note-to-self", "x"),
        row("ask-next-session", "y"),
    )
    place = Place(tmp_path)
    ran = place.run("wake", "classify", file)
    assert (ran.status, ran.envelope["schema"]) == (0, "slowwave.classify.v1")
    told = [{k: v for k, v in one.items() if k not in ("reason", "tag")} for one in ran.content["results"]]
    daily = "data/scratch/daily.md"
    assert told == [
        {
            "id": "file-this",
            "class": "people",
            "destination": {"file": daily, "section": "People"},
            "due": None,
            "decided_by": "rules",
        },
        {
            "id": "observation",
            "durable": True,
            "destination": {"file": "data/identity/observations.jsonl"},
            "due": None,
            "decided_by": "rules",
        },
        {
            "id": "follow-up",
            "kind": "reminder",
            "destination": {"file": "wake.db", "queue": "reminders"},
            "due": "2026-05-05T09:00:00+02:00",
            "decided_by": "rules",
        },
        {
            "id": "note-to-self",
            "none": True,
            "destination": {"file": daily, "section": "Session Notes"},
            "due": None,
            "decided_by": "none",
        },
        {"id": "ask-next-session", "none": True, "destination": None, "due": None, "decided_by": "none"},
    ]
    assert not place.home.exists()


def test_a_due_is_seen_from_the_captures_own_zone(tmp_path: Path) -> None:
    """Its name where it has one, else its offset."""
    text = "Remind me tomorrow at 9 to call the bank"
    file = written(
        tmp_path,
        row("follow-up", text, zone="America/New_York"),
        row("follow-up", text, ts="2026-05-04T09:00:00+05:45"),
    )
    dues = [one["due"] for one in Place(tmp_path).run("wake", "classify", file).content["results"]]
    assert dues == ["2026-05-05T09:00:00-04:00", "2026-05-05T09:00:00+05:45"]


def test_lines_that_are_no_captures_are_listed_and_cost_nothing_else(tmp_path: Path) -> None:
    """Each with its reason; what stands around them is judged."""
    file = written(
        tmp_path,
        "",
        "not json",
        "[1]",
        {"tag": "file-this"},
        {"tag": "gossip", "text": "x"},
        {"tag": "file-this", "text": "x", "ts": "2026-05-04T09:00:00"},
        json.dumps(json.dumps(row("file-this", "Dentist tomorrow"))),
        {"tag": "FILE-THIS", "text": "Dentist tomorrow"},
        '{"tag": "file-this", "text": "' + "x" * 1_048_600 + '"}',
        row("file-this", "Dentist tomorrow\x1b[31m"),
    )
    ran = Place(tmp_path).run("wake", "classify", file)
    assert ran.content["rejected"] == [
        {"line": 2, "reason": "malformed"},
        {"line": 3, "reason": "non_object"},
        {"line": 4, "reason": "invalid"},
        {"line": 5, "reason": "invalid"},
        {"line": 6, "reason": "invalid"},
        {"line": 9, "reason": "too_long"},
    ]
    ids = [one["id"] for one in ran.content["results"]]
    assert ids == ["file-this", ids[1], "file-this"]
    assert ids[1].startswith("c-"), "a content id, where there is none"
    shown = "\n".join(str(getattr(line, "rows", line)) for line in classify_lines(ran.content))
    assert "\x1b" not in shown
    assert "line 9: too_long, skipped" in shown


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_no_file_is_a_usage_error(tmp_path: Path, name: str) -> None:
    """It says what is wanted."""
    ran = Place(tmp_path).run("wake", "classify", str(tmp_path / name))
    assert ran.status == 2
    assert "there is no file" in ran.err
