"""The loop's state: the seed's file as it stands, unknown keys kept, damage met without losing a capture."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from slowwave.disk.places import Places
from slowwave.facts.refusal import NewerFormatError
from slowwave.wake.state import FileMark, LoopState, is_capture_file, read_state, write_state

NOW = datetime(2026, 2, 25, 9, 0, tzinfo=UTC)
SEED: dict[str, Any] = {
    "version": 1,
    "last_triage": {"file": "2026-02-24.jsonl", "offset": 3, "ts": "2026-02-24T15:00:36.929574+00:00"},
    "last_cli_scan": "2026-02-24T23:41:39.726540+00:00",
    "last_scratch_synthesis": "2026-02-24T23:03:32.225560+00:00",
    "last_coaching_refresh": "2026-02-22T17:24:19.489940+00:00",
    "stats": {
        "captures_triaged": 227,
        "observations_added": 16,
        "commitments_extracted": 0,
        "reminders_created": 0,
        "coaching_refreshes": 15,
    },
}


def places_with(tmp_path: Path, content: object) -> Places:
    """Places whose state file holds this, as JSON or as bytes."""
    places = Places(tmp_path / "data")
    places.loop_state.parent.mkdir(parents=True)
    places.loop_state.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return places


def test_the_state_of_the_seed_is_read_as_it_stands(tmp_path: Path) -> None:
    """Cursor, moments and counters; earlier files count as read."""
    state = read_state(places_with(tmp_path, SEED), NOW)
    assert (state.file, state.files, state.since) == (
        "2026-02-24.jsonl",
        {"2026-02-24.jsonl": FileMark(lines=3)},
        "2026-02-24.jsonl",
    )
    assert state.ran["capture_triage"] == datetime(2026, 2, 24, 15, 0, 36, 929574, tzinfo=UTC)
    assert state.stats["captures_triaged"] == 227
    assert state.warnings == ()


def test_what_is_written_is_the_seeds_shape_with_unknown_keys(tmp_path: Path) -> None:
    """The seed's values come out as they went in; keys of others survive, nested ones too."""
    given: dict[str, Any] = {**SEED, "mine": [1], "stats": {**SEED["stats"], "own": 4}}
    places = places_with(tmp_path, given)
    write_state(places, read_state(places, NOW))
    written = json.loads(places.loop_state.read_bytes())
    assert {name: written[name] for name in given} == given
    assert places.loop_state.stat().st_mode & 0o777 == 0o600
    assert read_state(places, NOW).since == "2026-02-24.jsonl"


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"3", b'"x"', b"\xff\xfe", b"[" * 100_000])
def test_a_corrupt_state_is_kept_aside_and_begun_anew(tmp_path: Path, content: bytes) -> None:
    """Under the time of the moment, with a warning; looking alone keeps nothing."""
    places = places_with(tmp_path, content)
    assert read_state(places, NOW, only_reads=True).warnings != ()
    assert [path.name for path in places.loop_state.parent.iterdir()] == ["state.json"]
    state = read_state(places, NOW)
    assert (state.file, state.files, state.ran) == ("", {}, {})
    assert (places.loop_state.parent / "state.json.corrupt-20260225T090000Z").read_bytes() == content
    assert "kept as" in state.warnings[0]


def test_an_empty_object_is_a_first_run(tmp_path: Path) -> None:
    """Nothing ran, nothing is warned of."""
    state = read_state(places_with(tmp_path, {}), NOW)
    assert state.warnings == ()
    assert state.seconds_since("capture_triage", NOW) == float("inf")


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"last_triage": 3}, "last_triage"),
        ({"last_triage": {"file": 3}}, "last_triage.file"),
        ({"last_triage": {"file": "../../x.jsonl", "offset": 1}}, "last_triage.file"),
        ({"last_triage": {"file": "2026-13-01.jsonl"}}, "last_triage.file"),
        ({"last_triage": {"file": "2026-02-24.jsonl", "offset": -1}}, "last_triage.offset"),
        ({"last_triage": {"file": "2026-02-24.jsonl", "offset": True}}, "last_triage.offset"),
        ({"last_triage": {"file": "2026-02-24.jsonl", "offset": "3"}}, "last_triage.offset"),
        ({"last_cli_scan": 12}, "last_cli_scan"),
        ({"last_cli_scan": "yesterday"}, "last_cli_scan"),
        ({"last_cli_scan": "2026-02-24T23:41:39"}, "last_cli_scan"),
        ({"stats": []}, "stats"),
        ({"stats": {"captures_triaged": 2.5}}, "stats.captures_triaged"),
        ({"version": "1"}, "version"),
        ({"files": {"x": 1}}, "files.x"),
    ],
)
def test_a_wrong_type_counts_as_missing_and_is_told(tmp_path: Path, change: dict[str, Any], where: str) -> None:
    """One warning that names the place; the rest stands."""
    state = read_state(places_with(tmp_path, {**SEED, **change}), NOW)
    assert [warning.split(" ")[0] for warning in state.warnings] == [where]


def test_a_newer_state_is_refused_and_left_alone(tmp_path: Path) -> None:
    """Nothing is written."""
    places = places_with(tmp_path, {**SEED, "version": 2})
    before = places.loop_state.read_bytes()
    with pytest.raises(NewerFormatError):
        read_state(places, NOW)
    assert places.loop_state.read_bytes() == before
    assert len(list(places.loop_state.parent.iterdir())) == 1


def test_a_moment_ahead_counts_as_due() -> None:
    """A clock that was set back does not mean never again; the seconds are elapsed ones."""
    state = LoopState(ran={"session_scan": NOW})
    assert state.seconds_since("session_scan", NOW + timedelta(seconds=90)) == 90
    assert state.seconds_since("session_scan", NOW - timedelta(seconds=1)) == float("inf")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("2026-02-24.jsonl", True),
        ("2026-02-30.jsonl", False),
        ("2026-2-4.jsonl", False),
        ("rejected.jsonl", False),
        ("2026-02-24.jsonl.bak", False),
        (".cli-scan-state.json", False),
    ],
)
def test_only_days_are_files_of_captures(name: str, *, expected: bool) -> None:
    """A name that is no date is never opened."""
    assert is_capture_file(name) is expected
