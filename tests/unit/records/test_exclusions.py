"""What a person excluded is matched by every name they may know it by."""

from pathlib import Path

import pytest

from slowwave.facts.ids import SessionId
from slowwave.records.session import Session
from slowwave.records.sources import Exclusions

ROOT = Path("/home/me/.claude/projects")
SESSION = Session(
    id=SessionId("0001"),
    agent="claude-code",
    path=ROOT / "-home-me-My-App" / "0001.jsonl",
    root=ROOT,
    project="my-app",
    cwd="/home/me/My App",
)


@pytest.mark.parametrize("name", ["my-app", "My App", "-home-me-My-App", "/home/me/My App", "/home/me", "/home/me/"])
def test_a_project_is_known_by_slug_folder_and_transcript_folder(name: str) -> None:
    """Its slug, the folder worked in, a folder above it, the folder of its transcripts."""
    assert Exclusions(projects=frozenset({name})).has_session(SESSION)


@pytest.mark.parametrize("name", ["my", "App", "me", "/home/me/My", "projects", ""])
def test_a_part_of_a_name_is_no_name(name: str) -> None:
    """Nothing is left out by accident."""
    assert not Exclusions(projects=frozenset({name})).has_session(SESSION)


def test_the_day_in_a_dated_folder_is_no_project() -> None:
    """Codex lays sessions down by date; an exclusion of ``05`` is not meant for a day."""
    dated = Session(id=SessionId("1"), agent="codex", path=ROOT / "2026" / "01" / "05" / "r.jsonl", root=ROOT)
    assert not Exclusions(projects=frozenset({"05"})).has_session(dated)


@pytest.mark.parametrize(
    "pattern",
    [
        "/home/me/.claude/projects/-home-me-My-App/*",
        "/home/me/.claude/projects/-home-me-My-App",
        "/home/me/.claude/projects/-home-me-My-App/",
        "*/-home-me-*",
        "*.jsonl",
        "-home-me-My-App/*",
        "-home-me-My-App",
    ],
)
def test_a_path_is_a_pattern_or_a_folder(pattern: str) -> None:
    """A folder leaves out what lies below it; a relative pattern holds below any folder."""
    assert Exclusions(paths=(pattern,)).has_path(SESSION.path)
    assert not Exclusions(paths=(pattern,)).has_path(Path("/home/me/other/x.json"))


def test_a_path_is_matched_as_given_and_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative path and one through a link are held against the same pattern."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    one = Exclusions(paths=(f"{tmp_path.resolve()}/real/*",))
    monkeypatch.chdir(tmp_path)
    assert one.has_path(Path("real/a.jsonl"))
    assert one.has_path(tmp_path / "link" / "a.jsonl")
