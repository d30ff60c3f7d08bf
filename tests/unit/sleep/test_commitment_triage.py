"""Commitment triage: forty dated cases that were written from the specification alone, and what is suggested."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from slowwave.facts.commitment import Commitment, CommitmentStatus
from slowwave.sleep.triage import Action, Category, format_triage_for_brief, triage_commitments
from slowwave.wake.commitments import commitment_from

TABLE = Path(__file__).parents[2] / "made" / "triage_cases.jsonl"
CASES = [json.loads(line) for line in TABLE.read_text("utf-8").splitlines()]
BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 3, 10, 10, 0, tzinfo=BERLIN)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_table(case: dict[str, Any]) -> None:
    """Each record is in its category, and in none where it is not open."""
    commitment = commitment_from(case["record"])
    assert commitment is not None
    triage = triage_commitments([commitment], now=datetime.fromisoformat(case["at"]), zone=ZoneInfo(case["zone"]))
    assert [item.category.value for item in triage.items] == ([case["category"]] if case["category"] else [])


def owed(name: str, due: str = "", **more: Any) -> Commitment:
    """A commitment made a day ago."""
    return Commitment(id=name, statement=f"Do {name}", ts="2026-03-09T09:00:00+01:00", due=due, **more)


@pytest.mark.parametrize(
    ("commitment", "settled", "action", "until"),
    [
        (owed("a", "2026-03-10"), "", Action.DO, "2026-03-10"),
        (owed("b", "2026-02-20"), "", Action.RESCHEDULE, "2026-03-11"),
        (owed("c", "2026-02-20", blocking=True), "", Action.DO, "2026-03-10"),
        (owed("d", "2026-03-12", actor="Anna"), "", Action.DELEGATE, None),
        (owed("e", "2026-03-12"), "merged in session 3", Action.CLOSE, None),
        (owed("f"), "", Action.ASK, None),
        (owed("g", priority="critical"), "", Action.DO, "2026-03-10"),
        (owed("h", "2026-04-12"), "", Action.DO, "2026-04-12"),
    ],
    ids=lambda value: value.id if isinstance(value, Commitment) else None,
)
def test_an_action_is_suggested(commitment: Commitment, settled: str, action: Action, until: str | None) -> None:
    """With a reason, and a day where it needs one."""
    triage = triage_commitments([commitment], now=NOW, zone=BERLIN, settled={commitment.id: settled} if settled else {})
    (item,) = triage.items
    assert item.action is action
    assert (item.until.isoformat() if item.until else None) == until
    assert item.why


def test_the_most_urgent_come_first_and_nothing_is_lost() -> None:
    """Every open one is in exactly one category; done and dropped ones in none."""
    some = [
        owed("late", "2026-03-01"),
        owed("soon", "2026-03-11"),
        owed("odd", "next moon"),
        owed("done", "2026-03-10", status=CommitmentStatus.DONE),
        owed("today", "2026-03-10T08:00:00+01:00"),
    ]
    triage = triage_commitments(some, now=NOW, zone=BERLIN)
    assert [item.commitment.id for item in triage.items] == ["late", "today", "soon", "odd"]
    assert sum(len(triage.of(category)) for category in Category) == 4
    assert triage.warnings == ("odd: its due date cannot be read, so it counts as undated",)


def test_the_brief_shows_it_bounded_and_safe() -> None:
    """Ten of a category, the rest counted; no terminal escape comes through; nothing open is nothing said."""
    many = [owed(f"t{n}", "2026-03-10") for n in range(12)]
    text = format_triage_for_brief(triage_commitments(many, now=NOW, zone=BERLIN))
    assert text.startswith("**today** (12)")
    assert text.endswith("- and 2 more")
    evil = Commitment(id="x", statement="a\x1b[31m\nb", due="2026-03-10")
    shown = format_triage_for_brief(triage_commitments([evil], now=NOW, zone=BERLIN))
    assert "\x1b" not in shown
    assert shown.count("\n") == 1
    assert format_triage_for_brief(triage_commitments([], now=NOW, zone=BERLIN)) == ""
