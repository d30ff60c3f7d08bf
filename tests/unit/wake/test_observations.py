"""Observations: each once, lines of others untouched, what a person dropped stays away."""

import json
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from pathlib import Path

import pytest

from slowwave.disk.places import Places
from slowwave.facts.refusal import UsageError
from slowwave.wake.observations import NewTrait, Observations, RefusedTrait, mark_views_stale
from slowwave.wake.traits import SOURCE, trait_hash
from slowwave.wake.views import OTHER, read_views, theme_of

NOW = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


def free(command: str) -> AbstractContextManager[object]:
    """Nobody else writes here."""
    return nullcontext(command)


def store(tmp_path: Path) -> tuple[Places, Observations]:
    """An empty store."""
    places = Places(tmp_path / "data")
    return places, Observations(places, free, lambda: NOW)


def new(text: str, capture: str = "") -> NewTrait:
    """A trait to add."""
    return NewTrait(capture_id=capture or trait_hash(text), ts=NOW, text=text)


def test_a_record_is_as_the_seed_wants_it(tmp_path: Path) -> None:
    """All its keys, needing review."""
    places, observations = store(tmp_path)
    assert observations.add([new("Prefers tea", "c-1")]) == ("added",)
    assert json.loads(places.observations.read_text("utf-8")) == {
        "id": "c-1",
        "ts": NOW.isoformat(),
        "obs": "Prefers tea",
        "source": SOURCE,
        "needs_review": True,
        "hash": trait_hash("prefers tea"),
        "capture_id": "c-1",
    }
    assert places.observations.stat().st_mode & 0o777 == 0o600


def test_the_same_words_are_kept_once(tmp_path: Path) -> None:
    """Within a call, between calls, and against lines of other writers."""
    places, observations = store(tmp_path)
    places.observations.parent.mkdir(parents=True)
    places.observations.write_text('{"obs": "Runs  every DAY"}\n', encoding="utf-8")
    assert observations.add([new("runs every day"), new("Likes tea"), new("likes TEA")]) == ("known", "added", "known")
    assert observations.add([new("Likes tea", "another capture")]) == ("known",)
    assert len(observations.read().traits) == 2


def test_malformed_lines_stay_and_are_counted(tmp_path: Path) -> None:
    """Adding, confirming and dropping leave every other line byte for byte."""
    places, observations = store(tmp_path)
    places.observations.parent.mkdir(parents=True)
    odd = b'\xff not json\n\n[1]\n{"obs": "Runs daily", "mine": 1}\n{"torn'
    places.observations.write_bytes(odd)
    observations.add([new("Likes tea", "c-2")])
    assert places.observations.read_bytes().startswith(odd + b"\n")
    assert observations.read().malformed == 3
    observations.confirm("c-2")
    lines = places.observations.read_bytes().split(b"\n")
    assert lines[:5] == odd.split(b"\n")
    observations.confirm(trait_hash("runs daily"))
    row = json.loads(places.observations.read_bytes().split(b"\n")[3])
    assert (row["mine"], row["needs_review"]) == (1, False)


def test_a_dropped_trait_stays_away(tmp_path: Path) -> None:
    """Its words are kept among the refused, and are not taken up again."""
    places, observations = store(tmp_path)
    observations.add([new("Likes tea", "c-1"), new("Runs daily", "c-2")])
    assert observations.drop("c-1").obs == "Likes tea"
    assert [trait.id for trait in observations.read().traits] == ["c-2"]
    assert observations.add([new("likes tea", "c-3")]) == ("known",)
    assert json.loads(places.refused_observations.read_text("utf-8"))["reason"] == "dropped_by_person"


def test_an_edited_trait_is_confirmed_and_its_capture_does_not_come_back(tmp_path: Path) -> None:
    """Triage that repeats itself after a crash finds the capture, not the words."""
    _, observations = store(tmp_path)
    observations.add([new("Likes tea", "c-1")])
    edited = observations.edit("c-1", " Likes  green tea ")
    assert (edited.obs, edited.needs_review) == ("Likes green tea", False)
    assert observations.add([new("Likes tea", "c-1")]) == ("again",)
    assert [trait.obs for trait in observations.read().traits] == ["Likes green tea"]


def test_names_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    """Unknown, ambiguous, empty words, and words another trait has; nothing changes."""
    places, observations = store(tmp_path)
    observations.add([new("Likes tea", "c-1"), new("Runs daily", "c-2")])
    before = places.observations.read_bytes()
    for name in ("x", "c-", ""):
        with pytest.raises(UsageError):
            observations.confirm(name)
    for text in ("  ", "runs DAILY"):
        with pytest.raises(UsageError):
            observations.edit("c-1", text)
    assert places.observations.read_bytes() == before


def test_refused_ones_are_kept_once(tmp_path: Path) -> None:
    """With the reason, each capture once."""
    places, observations = store(tmp_path)
    one = RefusedTrait(capture_id="c-9", ts=NOW, text="Ate soup", reason="not durable", decided_by="rules")
    observations.refuse([one])
    observations.refuse([one])
    rows = places.refused_observations.read_text("utf-8").splitlines()
    assert [json.loads(row)["reason"] for row in rows] == ["not durable"]


def test_views_follow_the_traits(tmp_path: Path) -> None:
    """They are rebuilt when they were marked stale or a file changed by hand, and pages without traits go."""
    places, observations = store(tmp_path)
    observations.add([new("Prefers tea over <b>coffee</b>", "c-1"), new("Owns a red bicycle", "c-2")])
    pages = read_views(places, free, observations)
    assert "c-2" in pages[OTHER]
    assert "&lt;b>" in "".join(pages.values())
    before = {path.name: path.stat().st_mtime_ns for path in places.identity_views.glob("*.md")}
    assert read_views(places, free, observations) == pages
    assert before == {path.name: path.stat().st_mtime_ns for path in places.identity_views.glob("*.md")}
    observations.drop("c-2")
    assert OTHER not in read_views(places, free, observations)
    places.observations.write_text('{"obs": "Owns a boat"}\n', encoding="utf-8")
    assert list(read_views(places, free, observations)) == [OTHER]
    mark_views_stale(places)
    (places.identity_views / f"{OTHER}.md").write_text("gone wrong", encoding="utf-8")
    assert "boat" in read_views(places, free, observations)[OTHER]
    with pytest.raises(ValueError, match="no views"):
        mark_views_stale(places, "weather")


def test_a_theme_is_told_by_its_words() -> None:
    """Most words win; without any it is other."""
    assert theme_of("Works best on code before any meeting") == "work"
    assert theme_of("Sleeps badly after coffee") == "health"
    assert theme_of("Owns a bicycle") == OTHER
