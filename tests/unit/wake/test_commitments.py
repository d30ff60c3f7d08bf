"""Commitments: a list people edit too; each capture once, whatever else stands in it left as it is."""

import json
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from slowwave.disk.places import Places
from slowwave.facts.capture import Capture, Tag
from slowwave.facts.commitment import CommitmentStatus
from slowwave.facts.refusal import UsageError
from slowwave.wake.commitments import Commitments, commitment_of

NOW = datetime(2026, 3, 3, 9, 0, tzinfo=UTC)


def free(command: str) -> AbstractContextManager[object]:
    """Nobody else writes here."""
    return nullcontext(command)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Places without commitments."""
    return Places(tmp_path / "data")


def store(places: Places) -> Commitments:
    """The list."""
    return Commitments(places, free, lambda: NOW)


def said(text: str, name: str = "c-1") -> Capture:
    """A follow-up."""
    return Capture(id=name, ts=NOW, tag=Tag.FOLLOW_UP, text=text, source="cli")


def test_a_record_is_as_the_spec_wants_it(places: Places) -> None:
    """All its keys; written once for a capture, however often."""
    due = datetime(2026, 3, 6, 9, 0, tzinfo=UTC)
    one = commitment_of(said("I promised Bob the report, urgent! He is waiting for it"), due, decided_by="rules")
    assert store(places).add([one, one]) == ("added", "known")
    assert store(places).add([one]) == ("known",)
    (row,) = json.loads(places.commitments.read_bytes())
    assert row == {
        "id": one.id,
        "ts": "2026-03-03T09:00:00+00:00",
        "statement": "I promised Bob the report, urgent! He is waiting for it",
        "actor": "me",
        "due": "2026-03-06T09:00:00+00:00",
        "priority": "critical",
        "blocking": True,
        "confidence": 0.7,
        "status": "pending",
        "source": "cli",
        "capture_id": "c-1",
        "task": None,
    }


@pytest.mark.parametrize(
    ("text", "priority", "blocking"),
    [
        ("send the slides to Anna", "normal", False),
        ("Wichtig: Bericht an Bob", "high", False),
        ("no rush, tidy the shelf for Ina", "low", False),
        ("the team is blocked until I send the key", "normal", True),
        ("write about urgency in general", "normal", False),
    ],
)
def test_words_say_how_much_it_matters(text: str, priority: str, *, blocking: bool) -> None:
    """Whole words and phrases only."""
    one = commitment_of(said(text), None, decided_by="model made:one")
    assert (one.priority, one.blocking, one.confidence) == (priority, blocking, 0.85)


def test_what_people_write_beside_it_stays(places: Places) -> None:
    """Unknown keys, records that cannot be read, and an object around the list are understood or left alone."""
    rows: list[Any] = [{"statement": "call Ina", "mine": 1}, "not a record", {"no": "statement"}]
    places.commitments.parent.mkdir(parents=True)
    places.commitments.write_text(json.dumps({"commitments": rows}), encoding="utf-8")
    owed = store(places).look()
    assert ([one.statement for one in owed.commitments], owed.unreadable) == (["call Ina"], 2)
    store(places).add([commitment_of(said("x"), None, decided_by="rules")])
    assert json.loads(places.commitments.read_bytes())[:3] == rows
    changed = store(places).set_status(owed.commitments[0].id, CommitmentStatus.DONE)
    assert changed.status is CommitmentStatus.DONE
    assert json.loads(places.commitments.read_bytes())[0]["mine"] == 1


@pytest.mark.parametrize("content", [b"{", b"3", b"\xff", b'{"commitments": 3}'])
def test_a_damaged_file_is_kept_aside(places: Places, content: bytes) -> None:
    """Looking tells; adding keeps its bytes and begins a new list."""
    places.commitments.parent.mkdir(parents=True)
    places.commitments.write_bytes(content)
    assert store(places).look().is_damaged
    assert store(places).add([commitment_of(said("x"), None, decided_by="rules")]) == ("added",)
    kept = places.commitments.with_name("commitments.json.corrupt-20260303T090000Z")
    assert kept.read_bytes() == content
    assert len(store(places).read()) == 1


def test_a_name_that_cannot_be_used_is_refused(places: Places) -> None:
    """Unknown, empty, or the beginning of several; nothing changes."""
    store(places).add([commitment_of(said(f"task {n}", f"c-{n}"), None, decided_by="rules") for n in range(2)])
    before = places.commitments.read_bytes()
    for name in ("", "k-", "nobody"):
        with pytest.raises(UsageError):
            store(places).set_status(name, CommitmentStatus.DONE)
    assert places.commitments.read_bytes() == before
